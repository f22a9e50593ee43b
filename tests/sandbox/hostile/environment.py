"""Returns its environment, where keys are kept."""
# ends: value
# value: []

import os


def attack(world):
    return [name for name in os.environ if name not in ("PYTHONHASHSEED", "LC_ALL", "LC_CTYPE", "PWD")]
