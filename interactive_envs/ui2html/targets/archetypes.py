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
    """

    build: Callable[[Page], None]
    quirks: tuple[str, ...]


ARCHETYPES = {
    "landing": Archetype(landing, ("odd card", "odd column")),
    "sign-in": Archetype(sign_in, ("odd field", "odd side")),
    "pricing": Archetype(pricing, ("odd plan", "odd column", "odd button")),
    "dashboard": Archetype(dashboard, ("odd card", "odd column", "odd bar")),
    "article": Archetype(article, ("odd first", "odd column")),
    "product": Archetype(product, ("odd column", "odd side", "odd button")),
    "settings": Archetype(settings, ("odd column", "odd ends", "odd danger")),
    "invoice": Archetype(invoice, ("odd row", "odd total")),
    "calendar": Archetype(calendar, ("odd column", "odd entry")),
    "board": Archetype(board, ("odd column", "odd lane", "odd card")),
    "contact": Archetype(contact, ("odd column", "odd side", "odd button")),
    "profile": Archetype(profile, ("odd card", "odd column")),
    "gallery": Archetype(gallery, ("odd tile", "odd frame")),
    "missing": Archetype(missing, ("odd code", "odd align")),
    "menu": Archetype(menu, ("odd dish", "odd box")),
}
