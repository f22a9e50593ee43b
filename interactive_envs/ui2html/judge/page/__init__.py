"""Rendered pages: what is where on them."""

from interactive_envs.ui2html.judge.page import finders  # they register what they find

__all__ = ["finders"]
