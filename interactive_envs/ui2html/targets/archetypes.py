"""The kinds of page there are, each with the irregularities it can have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from interactive_envs.ui2html.targets.page import Page
from interactive_envs.ui2html.targets.pages_account import contact, profile, settings, sign_in
from interactive_envs.ui2html.targets.pages_shop import invoice, pricing, product
from interactive_envs.ui2html.targets.pages_site import article, gallery, landing, menu, missing
from interactive_envs.ui2html.targets.pages_work import board, calendar, dashboard


@dataclass(frozen=True)
class Archetype:
    """A kind of page.

    Attributes:
        build: adds the parts to a page and sets its purpose.
        quirks: irregularities it knows besides those of :data:`interactive_envs.ui2html.targets.pieces.QUIRKS`.
        levels: difficulties at which generated targets are of this kind, the first and the last: the more remains open
            once kind, look and difficulty are known, the higher.
    """

    build: Callable[[Page], None]
    quirks: tuple[str, ...]
    levels: tuple[int, int]


ARCHETYPES = {
    "landing": Archetype(landing, ("odd card", "odd column"), (3, 5)),
    "sign-in": Archetype(sign_in, ("odd field", "odd side"), (2, 5)),
    "pricing": Archetype(pricing, ("odd plan", "odd column", "odd button"), (4, 5)),
    "dashboard": Archetype(dashboard, ("odd card", "odd column", "odd bar"), (4, 5)),
    "article": Archetype(article, ("odd first", "odd column"), (1, 3)),
    "product": Archetype(product, ("odd column", "odd side", "odd button"), (2, 5)),
    "settings": Archetype(settings, ("odd column", "odd ends", "odd danger"), (4, 5)),
    "invoice": Archetype(invoice, ("odd row", "odd total"), (1, 4)),
    "calendar": Archetype(calendar, ("odd column", "odd entry"), (5, 5)),
    "board": Archetype(board, ("odd column", "odd lane", "odd card"), (4, 5)),
    "contact": Archetype(contact, ("odd column", "odd side", "odd button"), (1, 3)),
    "profile": Archetype(profile, ("odd card", "odd column"), (1, 4)),
    "gallery": Archetype(gallery, ("odd tile", "odd frame"), (1, 5)),
    "missing": Archetype(missing, ("odd code", "odd align"), (1, 3)),
    "menu": Archetype(menu, ("odd dish", "odd box"), (1, 2)),
}
