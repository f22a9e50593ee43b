"""How each kind of part is found in a rendered page: by tag, role, class, look and place."""

from interactive_envs.ui2html.judge.page.finders import bands, boxes, controls, pictures, tables, texts

__all__ = ["bands", "boxes", "controls", "pictures", "tables", "texts"]
