"""Patches what the sandbox uses, for the calls after it."""
# ends: value, exception, died, not JSON
# value: 3

import builtins
import json
import math
import random


def attack(world):
    json.loads = json.dumps = json.JSONEncoder.encode = builtins.len = builtins.compile = lambda *_, **__: "forged"
    math.pi = 3
    random.random = lambda: 0.5
    return 3
