"""Problems on codes: how much fits, how short it gets, how errors show, where a word stands in a list."""

from __future__ import annotations

from interactive_envs.mathematics.generators.base import Generator
from interactive_envs.mathematics.generators.encodings.capacity import Capacity
from interactive_envs.mathematics.generators.encodings.check_digits import CheckDigits
from interactive_envs.mathematics.generators.encodings.counters import Counters
from interactive_envs.mathematics.generators.encodings.hidden import HIDDEN
from interactive_envs.mathematics.generators.encodings.prefix_codes import Prefixes
from interactive_envs.mathematics.generators.encodings.word_ranks import WordRanks

__all__ = ["GENERATORS", "HIDDEN"]

GENERATORS: tuple[Generator, ...] = (Capacity(), Prefixes(), CheckDigits(), WordRanks(), Counters())
"""Seeds of generated problems depend on this order: append a new generator at the end."""
