"""Never leaves C code."""
# ends: timeout

import re


def attack(world):
    return bool(re.match(r"(a|a)*$", "a" * 60 + "b"))
