"""Claims in free English and mathematics, read into relations over a problem's quantities.

:mod:`grammar` lists the rules in their order; each is a function of one of the other modules.
"""

from __future__ import annotations

from interactive_envs.mathematics.judge.reading.parts import Part, read, read_arithmetic

__all__ = ["Part", "read", "read_arithmetic"]
