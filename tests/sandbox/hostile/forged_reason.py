"""Claims a timeout, which only the sandbox may say."""
# ends: forged answer, died

import gc
import json
import os


def attack(world):
    nonces = [found["nonce"] for found in gc.get_objects() if type(found) is dict and "nonce" in found]
    import sys

    frame = sys._getframe()
    while frame:
        nonces += [found["nonce"] for found in frame.f_locals.values() if type(found) is dict and "nonce" in found]
        frame = frame.f_back
    text = json.dumps({"nonce": nonces[-1], "reason": "timeout", "detail": ""}).encode()
    os.write(4, len(text).to_bytes(4, "big") + text)
    os._exit(0)
