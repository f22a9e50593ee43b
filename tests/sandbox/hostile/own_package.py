"""Imports the package that asks it."""
# ends: exception


def attack(world):
    import sys

    sys.path.append(world["package"])
    from interactive_envs import registration

    return registration.__file__
