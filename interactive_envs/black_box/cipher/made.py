"""Ciphers that somebody wrote as a folder: one function from plain text to cipher text."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from interactive_envs.black_box.base import Trial, answer_box
from interactive_envs.black_box.cipher.boxes import BOXES, CIPHER_TEXT, LONGEST_ANSWER, CipherBox, plain_texts
from interactive_envs.black_box.made import MadeFolder, Maker


class MadeCipher:
    """The code's cipher, with the face of :class:`interactive_envs.black_box.cipher.stages.Cipher`."""

    def __init__(self, folder: MadeFolder) -> None:
        self.about = folder.summary.rstrip(".")
        self.encrypt = functools.lru_cache(maxsize=8192)(functools.partial(self._encrypt, folder))

    @staticmethod
    def _encrypt(folder: MadeFolder, text: str) -> str:
        (found,) = folder.results([text])
        if (
            not isinstance(found, str)
            or len(found) > LONGEST_ANSWER * 4
            or (found and not CIPHER_TEXT.fullmatch(found))
        ):
            raise folder.wrong(f"the cipher text of {text!r} must be letters, digits, commas and blanks, got {found!r}")
        return found


class CipherMaker(Maker):
    """``encipher(text)`` in the code."""

    harness = """
def _ibench_results(inputs):
    return [encipher(text) for text in inputs]
"""

    def box(self, folder: MadeFolder) -> CipherBox:
        """The cipher, tried on a few texts."""
        box = CipherBox(cipher=MadeCipher(folder))
        texts = plain_texts(np.random.default_rng(0))
        written = [box.cipher.encrypt(text) for text in texts]
        if any(len(text) > LONGEST_ANSWER for text in written):
            raise folder.wrong(f"a cipher text of an item may have {LONGEST_ANSWER} characters, got more")
        if len(set(written)) < len(texts):
            raise folder.wrong("different plain texts have one cipher text, so too few questions could be asked")
        return box

    def inputs(self, folder: MadeFolder, rng: np.random.Generator, count: int) -> list[Any]:
        """Texts as items have them, and any others: short, long, one letter, blanks, capitals."""
        box = CipherBox(cipher=MadeCipher(folder))
        letters = "abcdefghijklmnopqrstuvwxyz"
        fixed = [*letters, *letters.upper(), letters, letters.upper(), "a a", "zz zz", "A b C d"]
        texts = [text for _ in range(count // 16) for text in plain_texts(rng)]
        drawn = [box.any_query(rng).removeprefix("<query>").removesuffix("</query>") for _ in range(count // 2)]
        return [*fixed, *texts, *(text for text in drawn if text)]

    def differ(self, folder: MadeFolder, first: Any, second: Any) -> bool:
        """Blanks are squeezed, as players' answers are."""
        return " ".join(str(first).split()) != " ".join(str(second).split())

    def known(self, folder: MadeFolder) -> str:
        """The fixed cipher with the same cipher texts."""
        texts = plain_texts(np.random.default_rng(0))
        own = [" ".join(str(text).split()) for text in folder.results(texts)]
        for name, entry in BOXES.items():
            if [answer_box(entry.make()).value(Trial(), text) for text in texts] == own:
                return name
        return ""


MAKER = CipherMaker()
