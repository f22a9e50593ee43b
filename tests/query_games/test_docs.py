"""The pages of the query games are those of the games as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from interactive_envs.query_games import games
from tools import docs as query_docs

PAGES = Path(__file__).parents[2] / "docs" / "query-games"


@pytest.mark.parametrize("name", games.STRUCTURES)
def test_the_page_of_a_structure_is_up_to_date(name: str) -> None:
    assert (PAGES / f"{name}.md").read_text(encoding="utf-8") == query_docs.page(name), "run: make docs"
