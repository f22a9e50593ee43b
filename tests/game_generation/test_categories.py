"""Themes of games: the selection against brute force, the assignment by hand, and the embedding model for real."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from interactive_envs.errors import ConfigError, MissingExtraError
from interactive_envs.game_generation.categories import assign, categories, fits, group, select, themes
from interactive_envs.llm import embeddings
from interactive_envs.novel_games.folder import CATEGORIES

needs_model = pytest.mark.skipif(
    not embeddings.available(), reason="the embedding weights are not installed: ibench models get"
)
RULES = {
    "auction": """Quayside Lots. Ten crates are sold one after the other. Each player starts with 30 coins. In each
        round both players bid for the crate, and the higher bidder pays its bid and takes the crate. Crates are worth
        1 to 10 points. After the last crate, the player with more points wins.""",
    "connection": """Two Banks. The board is a rhombus of 7 by 7 hexagons. Players take turns to place one stone of
        their colour on an empty hexagon. Red wins by connecting the north side to the south side with an unbroken
        chain of red stones, Blue by connecting the west side to the east side. There are no draws.""",
    "sowing": """Seed Ring. Each player owns six pits with four seeds each. In its turn a player takes all seeds from
        one of its pits and sows them one by one into the next pits. If the last seed falls into an empty pit of its
        own, the player captures the seeds opposite. Whoever captures more seeds wins.""",
    "luck": """Deep Well. In its turn a player rolls a die as often as it likes and adds the numbers. If it rolls a 1,
        it goes bust and loses all points of this turn. If it stops, it banks the points. The first player to bank 50
        points wins.""",
}

Table = NDArray[np.float64]
May = NDArray[np.bool_]


def score(may: May, fit: Table, chosen: list[int | None]) -> tuple[int, float]:
    """How many texts have a theme, and how similar these themes are in total; each theme must be allowed."""
    pairs = [(text, theme) for text, theme in enumerate(chosen) if theme is not None]
    assert all(may[pair] for pair in pairs)
    return len(pairs), math.fsum(fit[pair] for pair in pairs)


def best(may: May, fit: Table, count: int) -> tuple[int, float]:
    """The best score of any selection, each tried."""
    found = []
    for subset in itertools.combinations(range(may.shape[1]), min(count, may.shape[1])):
        own = [[fit[text, theme] for theme in subset if may[text, theme]] for text in range(len(may))]
        found.append((sum(map(bool, own)), math.fsum(max(values) for values in own if values)))
    covered = max(number for number, _ in found)
    return covered, max(total for number, total in found if number == covered)


@pytest.mark.parametrize("seed", range(60))
def test_the_selection_is_as_good_as_the_best_of_all_subsets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    texts, number = int(rng.integers(1, 12)), int(rng.integers(1, 8))
    fit = rng.uniform(-1, 1, (texts, number))
    may = rng.random((texts, number)) < rng.choice([0.1, 0.3, 0.6, 1.0])
    count = int(rng.integers(1, number + 2))
    chosen = select(may, fit, count)
    assert len(set(chosen) - {None}) <= count
    covered, total = best(may, fit, count)
    assert score(may, fit, chosen) == (covered, pytest.approx(total, abs=1e-9))


@pytest.mark.parametrize("seed", range(20))
def test_ties_in_coverage_are_broken_by_the_total_similarity(seed: int) -> None:
    """Every theme may explain every text, so all selections cover all texts and only the total decides."""
    rng = np.random.default_rng(1000 + seed)
    fit = rng.uniform(0.3, 0.3001, (40, 6))  # differences as small as the solver may meet
    may = np.ones(fit.shape, np.bool_)
    assert score(may, fit, select(may, fit, 2)) == (40, pytest.approx(best(may, fit, 2)[1], abs=1e-9))


def test_no_similarity_outweighs_a_text() -> None:
    may = np.array([[True, False]] * 50 + [[False, True]] * 51)
    fit = np.where(may, np.array([1.0, -1.0]), 0.0)
    assert select(may, fit, 1) == [None] * 50 + [1] * 51


def test_of_themes_that_fit_equally_well_a_text_gets_the_first() -> None:
    may = np.ones((3, 4), np.bool_)
    assert select(may, np.full((3, 4), 0.5), 4) in ([theme] * 3 for theme in range(4))
    fit = np.array([[0.5, 0.5, 0.0], [0.9, 0.0, 0.0], [0.0, 0.9, 0.0]])
    assert select(np.ones((3, 3), np.bool_), fit, 2) == [0, 0, 1]


def test_a_thousand_texts_are_solved_exactly() -> None:
    """Coverage in blocks that share no text: the largest blocks are the optimum."""
    sizes = np.array([90, 80, 70, 60, 50, 40, 30, 20] * 3)
    owner = np.repeat(np.arange(24), sizes)
    may = owner[:, None] == np.arange(24)
    rng = np.random.default_rng(7)
    chosen = select(may, rng.random(may.shape), 6)
    assert set(chosen) - {None} == {0, 8, 16, 1, 9, 17}
    assert chosen.count(None) == len(owner) - 3 * (90 + 80)


def test_where_no_theme_is_allowed_no_text_has_one() -> None:
    assert select(np.zeros((3, 2), np.bool_), np.ones((3, 2)), 2) == [None, None, None]
    assert select(np.zeros((0, 2), np.bool_), np.ones((0, 2)), 2) == []
    assert select(np.zeros((2, 0), np.bool_), np.ones((2, 0)), 2) == [None, None]


@pytest.mark.parametrize("count", [0, -3])
def test_a_count_that_selects_nothing_is_refused(count: int) -> None:
    with pytest.raises(ConfigError, match=f"count must be at least 1, not {count}"):
        select(np.ones((1, 1), np.bool_), np.ones((1, 1)), count)
    with pytest.raises(ConfigError, match=f"count must be at least 1, not {count}"):
        group(["some rules"], count)
    with pytest.raises(ConfigError, match=f"most must be at least 1, not {count}"):
        assign(np.ones((1, 1)), count)


def test_arrays_of_other_shapes_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"may has shape \(1, 2\) and fit \(2, 1\)"):
        select(np.ones((1, 2), np.bool_), np.ones((2, 1)), 1)
    with pytest.raises(ConfigError, match=r"fit must have the shape \(texts, themes\), not \(3,\)"):
        assign(np.ones(3))
    with pytest.raises(ConfigError, match=r"may must have the shape \(texts, themes\), not \(3,\)"):
        select(np.ones(3, np.bool_), np.ones(3), 1)


def test_a_theme_must_be_among_the_best_and_above_its_own_mean() -> None:
    fit = np.array([[0.9, 0.8, 0.7, 0.6], [0.1, 0.8, 0.2, 0.9], [0.2, 0.8, 0.9, 0.3]])
    # The second theme is close to every text alike, so it explains none of them.
    assert assign(fit, 2).astype(int).tolist() == [[1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]]
    assert assign(fit, 3).astype(int).tolist() == [[1, 0, 1, 0], [0, 0, 0, 1], [0, 0, 1, 0]]
    assert assign(fit, 9).astype(int).tolist() == [[1, 0, 1, 0], [0, 0, 0, 1], [0, 0, 1, 0]]


def test_themes_that_fit_equally_well_are_both_among_the_best() -> None:
    assert assign(np.array([[0.5, 0.5, 0.4], [0.0, 0.0, 0.0]]), 1).tolist() == [[True, True, False], [False] * 3]


def test_equal_texts_and_no_texts_have_no_theme() -> None:
    for value in np.random.default_rng(5).random(50):
        assert not assign(np.full((7, 2), value)).any()  # some of these means are below their numbers
    assert assign(np.zeros((0, 3))).shape == (0, 3)
    assert assign(np.zeros((3, 0))).shape == (3, 0)


def test_each_theme_has_one_sentence_and_a_broad_category() -> None:
    candidates = themes()
    assert list(categories()) == list(candidates)
    assert set(categories().values()) == set(CATEGORIES)
    assert len(set(candidates.values())) == len(candidates) >= 20
    for explanation in candidates.values():
        assert explanation.endswith(".")
        assert explanation.count(".") == 1


def test_without_the_model_the_command_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tokenizers")
    embeddings.embed_text.cache_clear()
    monkeypatch.setattr(embeddings, "_encoder", embeddings.PerProcess(embeddings.Encoder))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="run: ibench models get"):
        group(["some rules"])


@needs_model
def test_similarities_are_cosines() -> None:
    fit = fits(["That is a happy person", "Today is a sunny day"], ["That is a happy person", "That is a happy dog"])
    assert fit.dtype == np.float64
    assert fit[0] == pytest.approx([1.0, 0.6946], abs=1e-3)
    assert fits(["one", "two"], ["three"]).shape == (2, 1)
    assert fits([], ["three"]).shape == (0, 1)


@needs_model
def test_games_get_the_themes_that_a_reader_would_give() -> None:
    found = dict(zip(RULES, group(list(RULES.values()), 4), strict=True))
    assert found == {
        "auction": "auctions and bidding",
        "connection": "connection",
        "sowing": "sowing",
        "luck": "push your luck",
    }


@needs_model
def test_fewer_themes_than_kinds_of_games_leave_texts_out_or_share() -> None:
    found = group(list(RULES.values()), 1)
    assert len(set(found) - {None}) == 1
    assert group([]) == []
    assert group([RULES["auction"]]) == [None]
