"""Finds its way to the system through the object graph."""
# ends: forbidden, processes, exception


def attack(world):
    for found in ().__class__.__base__.__subclasses__():
        names = getattr(getattr(found, "__init__", None), "__globals__", {})
        if "sys" in names:
            return names["sys"].modules["os"].listdir("/")
