"""How parts of pages look, as numbers and words."""

from interactive_envs.ui2html.judge.look import (
    edges,
    layout,
    lettering,
    paint,
    sizes,
    switches,
)  # they register measures

__all__ = ["edges", "layout", "lettering", "paint", "sizes", "switches"]
