"""Text as a Gymnasium space, and the string type in which observations leave an environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium import Space


class TextObservation(str):
    """A string that the official PettingZoo checks accept as an observation.

    ``pettingzoo.test.api_test`` reads ``dtype`` and ``shape`` of every observation. String operations
    return plain ``str``, so an environment or wrapper makes this the last thing it does.
    """

    __slots__ = ()
    dtype: ClassVar[np.dtype[Any]] = np.dtype(str)
    shape: ClassVar[tuple[int, ...]] = ()


class TextSpace(Space[str]):
    """Any Unicode text of at most ``max_length`` characters, the empty text included.

    Not a subclass of ``gymnasium.spaces.Text``: that one restricts the characters, and under
    ``AsyncVectorEnv``'s shared memory it silently returns stale text where this one raises
    ``CustomSpaceError`` (pass ``shared_memory=False``).

    Args:
        max_length: longest text contained, in characters.
        examples: texts that play well; ``sample`` returns one of them four times in five, so that
            checkers which sample actions exercise real play.
        seed: seed of ``sample``.
    """

    def __init__(self, max_length: int, *, examples: Sequence[str] = (), seed: int | None = None) -> None:
        if max_length < 1:
            raise ValueError(f"max_length must be at least 1, got {max_length}")
        too_long = [text for text in examples if len(text) > max_length]
        if too_long:
            raise ValueError(f"example is longer than max_length={max_length}: {too_long[0]!r}")
        self.max_length = max_length
        self.examples = tuple(examples)
        super().__init__(shape=(), dtype=str, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """Text has no fixed-size array form."""
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Draw an example (p = 0.8) or up to 40 random characters from all of Unicode.

        Args:
            mask: not supported, must be None.
            probability: not supported, must be None.
        """
        if mask is not None or probability is not None:
            raise ValueError("TextSpace.sample takes neither mask nor probability")
        random = self.np_random
        if self.examples and random.random() < 0.8:
            return self.examples[int(random.integers(len(self.examples)))]
        length = int(random.integers(0, min(40, self.max_length) + 1))
        points = random.integers(1, 0x110000 - 0x800, size=length)
        # The surrogate range is left out: a lone surrogate cannot be written as UTF-8.
        return "".join(chr(int(point) + (0x800 if point >= 0xD800 else 0)) for point in points)

    def contains(self, x: Any) -> bool:
        """Whether ``x`` is a string that fits."""
        return isinstance(x, str) and len(x) <= self.max_length

    def __repr__(self) -> str:
        return f"TextSpace({self.max_length})"

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, TextSpace) and self.max_length == other.max_length
        return same and isinstance(other, TextSpace) and self.examples == other.examples

    def __hash__(self) -> int:
        return hash((self.max_length, self.examples))
