"""Writes an answer of its own with a guessed nonce."""
# ends: forged answer

import json
import os


def attack(world):
    frame = json.dumps({"nonce": "0" * 16, "value": 1}).encode()
    os.write(4, len(frame).to_bytes(4, "big") + frame)
    os._exit(0)
