"""Is hard to compile."""
# ends: exception, died, memory


def attack(world):
    return eval("(" * 100_000 + ")" * 100_000)
