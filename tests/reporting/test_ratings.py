"""Ratings against other people's programs, closed forms, hand-worked cases and simulation."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from scipy import stats

from interactive_envs.errors import ConfigError
from interactive_envs.reporting import ratings
from interactive_envs.reporting.estimates import Estimate
from interactive_envs.reporting.ratings import Rating, Result

SCALES = [ratings.bradley_terry, ratings.elo, ratings.open_skill]
Scale = Callable[..., list[Rating]]


def duel(cluster: str | int, left: str, right: str, score: float) -> Result:
    return Result(cluster, (left, right), (score, 1 - score))


def values(rated: Sequence[Rating]) -> dict[str, float]:
    return {rating.player: float(rating.estimate.value or 0.0) for rating in rated}


def league(seed: int, rounds: int, strengths: Sequence[float], draws: float = 0.2) -> list[Result]:
    """A round robin whose matches are independent, each its own cluster."""
    rng, results = np.random.default_rng(seed), []
    for number, (i, j) in itertools.product(range(rounds), itertools.combinations(range(len(strengths)), 2)):
        wins = rng.random() < 1 / (1 + math.exp(strengths[j] - strengths[i]))
        score = 0.5 if rng.random() < draws else float(wins)
        results.append(duel(f"{number} {i} {j}", f"p{i}", f"p{j}", score))
    return results


def tables(seed: int, count: int, seats: int) -> list[Result]:
    """Tables of several sizes with drawn scores."""
    rng, results = np.random.default_rng(seed), []
    for number in range(count):
        players = rng.permutation(seats)[: rng.integers(2, seats + 1)]
        results.append(
            Result(
                number // 3, tuple(f"p{i}" for i in players), tuple(float(i // 2 + rng.integers(3)) for i in players)
            )
        )
    return results


# Bradley-Terry


@pytest.mark.parametrize("prior", [1.0, 0.1, 3.0])
def test_two_players_strengths_are_the_log_of_their_odds(prior: float) -> None:
    # 6 wins, 2 draws, 1 loss: 7 wins and 2 losses.
    results = [duel(n, "a", "b", score) for n, score in enumerate([1] * 6 + [0.5] * 2 + [0])]
    rated = values(ratings.bradley_terry(results, prior=prior, samples=1))
    assert rated["a"] - rated["b"] == pytest.approx(math.log((7 + prior / 2) / (2 + prior / 2)))
    assert rated["a"] == pytest.approx(-rated["b"])


def test_strengths_are_those_choix_finds() -> None:
    choix = pytest.importorskip("choix")
    results = [*league(1, 6, [0.0, 0.4, 1.0, -0.7, 2.5]), duel("x", "p1", "new", 1)]
    names = sorted(values(ratings.bradley_terry(results, samples=1)))
    wins = np.full((6, 6), 1.0 / (2 * 5)) * (1 - np.eye(6))
    for result in results:
        i, j = (names.index(player) for player in result.players)
        wins[i, j] += result.scores[0]
        wins[j, i] += result.scores[1]
    theirs = choix.ilsr_pairwise_dense(wins, tol=1e-12)
    mine = values(ratings.bradley_terry(results, samples=1))
    assert np.allclose([mine[name] for name in names], theirs, atol=1e-6)


def test_the_undefeated_and_those_who_never_met_stay_finite() -> None:
    results = [duel(n, "champion", "a", 1) for n in range(1000)] + [duel(n, "b", "c", 0) for n in range(5)]
    best, second, third, last = ratings.bradley_terry(results, samples=20)
    assert [best.player, second.player, third.player, last.player] == ["champion", "c", "b", "a"]
    assert all(abs(value) < 20 for value in values([best, second, third, last]).values())
    assert (best.rank_low, best.rank_high) == (1, 1)


@pytest.mark.parametrize("seed", range(5))
def test_strengths_make_expected_wins_equal_to_wins(seed: int) -> None:
    """The likelihood's own condition, with counts from 0 to a million."""
    rng = np.random.default_rng(seed)
    wins = np.floor(10 ** rng.uniform(0, 6, (3, 7, 7))) * (rng.random((3, 7, 7)) < 0.4) + 0.05
    wins *= 1 - np.eye(7)
    theta = ratings.strengths_of(wins)
    expected = (wins + wins.swapaxes(1, 2)) / (1 + np.exp(theta[:, None, :] - theta[:, :, None]))
    assert np.allclose(expected.sum(2), wins.sum(2), rtol=1e-6)
    assert np.allclose(theta.sum(1), 0, atol=1e-9)


def test_intervals_of_strengths_hold_the_truth_as_often_as_they_say() -> None:
    truth = np.array([0.8, 0.2, -0.3, -0.7])
    held = []
    for seed in range(120):
        rated = ratings.bradley_terry(league(seed, 40, truth, draws=0.0), samples=200, seed=seed)
        for rating in rated:
            low, high = rating.estimate.low, rating.estimate.high
            assert low is not None
            assert high is not None
            held.append(low <= truth[int(rating.player[1])] <= high)
    # 480 intervals, four a league depend on one another: 3 standard errors of 120 independent ones.
    assert 0.95 - 3 * math.sqrt(0.95 * 0.05 / 120) < np.mean(held) < 0.995


def test_repeating_every_match_within_its_cluster_tightens_no_interval() -> None:
    results = league(3, 10, [0.5, 0.0, -0.5])
    once = ratings.bradley_terry(results, prior=1e-6, samples=300)
    thrice = ratings.bradley_terry(results * 3, prior=3e-6, samples=300)
    for one, three in zip(once, thrice, strict=True):
        assert np.allclose([one.estimate.low, one.estimate.high], [three.estimate.low, three.estimate.high])
        assert three.estimate.n == 3 * one.estimate.n


# Elo


def test_one_match_moves_elo_by_half_k_and_a_draw_by_nothing() -> None:
    assert values(ratings.elo([duel(1, "a", "b", 1)], k=32)) == {"a": 1516.0, "b": 1484.0}
    assert values(ratings.elo([duel(1, "a", "b", 0.5)])) == {"a": 1500.0, "b": 1500.0}


def test_two_wins_in_a_row_give_elos_textbook_numbers() -> None:
    # After 1516 - 1484 the favourite's expectation is 1 / (1 + 10^(-32/400)).
    second = 32 * (1 - 1 / (1 + 10 ** (-32 / 400)))
    rated = values(ratings.elo([duel(1, "a", "b", 1), duel(2, "a", "b", 1)], k=32, orders=3, samples=2))
    assert rated == {"a": pytest.approx(1516 + second), "b": pytest.approx(1484 - second)}


def test_a_table_shares_k_among_the_opponents() -> None:
    rated = values(ratings.elo([Result(1, ("a", "b", "c"), (9.0, 4.0, 4.0))], k=20))
    assert rated == {"a": pytest.approx(1510), "b": pytest.approx(1495), "c": pytest.approx(1495)}


def test_elo_neither_makes_nor_loses_points() -> None:
    rated = values(ratings.elo(tables(4, 40, 5), orders=3, samples=2))
    assert sum(rated.values()) == pytest.approx(1500 * len(rated))


def test_elo_averages_the_orders_of_the_matches() -> None:
    """All six orders of three matches by hand, against very many random ones."""
    matches = [("a", "b", 1.0), ("b", "c", 1.0), ("c", "a", 1.0)]
    totals = dict.fromkeys("abc", 0.0)
    for order in itertools.permutations(matches):
        rated = dict.fromkeys("abc", 1500.0)
        for left, right, score in order:
            gain = 100 * (score - 1 / (1 + 10 ** ((rated[right] - rated[left]) / 400)))
            rated[left] += gain
            rated[right] -= gain
        for player, rating in rated.items():
            totals[player] += rating / 6
    mine = values(ratings.elo([duel(n, *match) for n, match in enumerate(matches)], k=100, orders=20_000, samples=1))
    assert mine == pytest.approx(totals, abs=0.5)


# OpenSkill


@pytest.mark.parametrize("results", [tables(seed, 12, 6) for seed in range(3)] + [league(7, 3, [1, 0, 0], draws=0.5)])
def test_mu_is_what_the_openskill_library_computes(results: list[Result], monkeypatch: pytest.MonkeyPatch) -> None:
    models = pytest.importorskip("openskill.models")
    orders: list[Any] = []
    real = ratings.average_over_orders

    def seen(table: Any, walk: Any, *_: int) -> list[Rating]:
        orders.append([table.results[index] for index in range(len(table.results))])
        return real(table, lambda order: walk(np.sort(order)), 1, 1, 0)

    monkeypatch.setattr(ratings, "average_over_orders", seen)
    mine = values(ratings.open_skill(results))
    model = models.PlackettLuce()
    theirs: dict[str, Any] = {player: model.rating() for player in mine}
    for result in orders[0]:
        teams = model.rate([[theirs[player]] for player in result.players], scores=list(result.scores))
        theirs |= {player: team[0] for player, team in zip(result.players, teams, strict=True)}
    assert mine == pytest.approx({player: rating.mu for player, rating in theirs.items()}, abs=1e-9)


# All scales


@pytest.mark.parametrize("scale", SCALES)
def test_the_order_of_the_records_and_of_the_names_in_them_changes_nothing(scale: Scale) -> None:
    results = tables(5, 30, 4)
    turned = [Result(r.cluster, r.players[::-1], r.scores[::-1]) for r in results[::-1]]
    assert scale(results, samples=30) == scale(turned, samples=30)


@pytest.mark.parametrize("scale", SCALES)
def test_only_who_scored_more_matters_not_by_how_much(scale: Scale) -> None:
    results = tables(6, 20, 4)
    stretched = [dataclasses.replace(r, scores=tuple(math.exp(s) - 7 for s in r.scores)) for r in results]
    assert values(scale(results, samples=1)) == values(scale(stretched, samples=1))


@pytest.mark.parametrize("scale", SCALES)
def test_the_seed_decides_the_interval(scale: Scale) -> None:
    results = tables(8, 60, 4)
    assert scale(results, samples=20, seed=3) == scale(results, samples=20, seed=3)
    assert scale(results, samples=20, seed=3) != scale(results, samples=20, seed=4)


@pytest.mark.parametrize("scale", SCALES)
def test_ranks_follow_the_ratings_and_their_intervals_hold_them(scale: Scale) -> None:
    rated = scale(league(9, 20, [1.5, 0.0, 0.0, -1.5]), samples=100)
    assert [rated[0].player, rated[-1].player] == ["p0", "p3"]
    assert [rating.rank for rating in rated] == [1, 2, 3, 4]
    for rating in rated:
        assert rating.rank_low is not None
        assert rating.rank_high is not None
        assert rating.rank_low <= rating.rank <= rating.rank_high
    assert (rated[0].rank_low, rated[0].rank_high) == (1, 1)
    assert rated[1].rank_high == 3


@pytest.mark.parametrize("scale", SCALES)
def test_equal_players_share_the_better_rank(scale: Scale) -> None:
    results = [duel(1, "b", "a", 1), duel(1, "c", "a", 1), duel(1, "b", "c", 0.5)]
    symmetric = results if scale is ratings.bradley_terry else [Result(1, ("a", "b", "c"), (0.0, 1.0, 1.0))]
    assert [(r.player, r.rank) for r in scale(symmetric)] == [("b", 1), ("c", 1), ("a", 3)]


@pytest.mark.parametrize("scale", SCALES)
def test_one_cluster_has_ratings_without_interval(scale: Scale) -> None:
    for rating in scale([duel("only", "a", "b", 1), duel("only", "a", "b", 1)]):
        assert (rating.estimate.low, rating.estimate.high, rating.rank_low, rating.rank_high) == (None,) * 4
        assert rating.estimate.n == 2
        assert rating.as_json()["rank_low"] is None


@pytest.mark.parametrize("scale", SCALES)
def test_unusable_input_is_named(scale: Scale) -> None:
    with pytest.raises(ConfigError, match="no match to rate"):
        scale([])
    with pytest.raises(ConfigError, match=r"samples must be .*got 0"):
        scale([duel(1, "a", "b", 1)], samples=0)


def test_unusable_arguments_are_named() -> None:
    results = [duel(1, "a", "b", 1)]
    with pytest.raises(ConfigError, match=r"prior .*got 0"):
        ratings.bradley_terry(results, prior=0)
    with pytest.raises(ConfigError, match=r"k must .*got -1"):
        ratings.elo(results, k=-1)
    with pytest.raises(ConfigError, match=r"orders .*got 0"):
        ratings.open_skill(results, orders=0)
    with pytest.raises(ConfigError, match="two players or more, each once"):
        Result(1, ("a", "a"), (1.0, 0.0))
    with pytest.raises(ConfigError, match="one finite score a player"):
        Result(1, ("a", "b"), (1.0, math.nan))


# Cross-table and differences


def test_cross_table_has_the_mean_score_of_each_against_each() -> None:
    results = [duel(n, "a", "b", score) for n, score in enumerate([1, 1, 0.5, 0])] + [duel(9, "c", "a", 1)]
    table = ratings.cross_table(results)
    assert sorted(table) == [("a", "b"), ("a", "c"), ("b", "a"), ("c", "a")]
    mine = table["a", "b"]
    low, high = stats.t.interval(0.95, 3, 0.625, stats.sem([1, 1, 0.5, 0]))
    assert (mine.value, mine.low, mine.high, mine.n) == (0.625, pytest.approx(low), pytest.approx(high), 4)
    assert table["b", "a"].value == 0.375
    assert table["c", "a"] == Estimate(1.0, None, None, 1)


def test_players_who_met_the_same_clusters_are_compared_there() -> None:
    # Cluster means of a: 3, 5, 9; of b: 2, 5, 6; c's cluster 4 has neither.
    results = [
        *(Result(1, ("a", "x"), (2.0, 0.0)), Result(1, ("a", "y"), (4.0, 0.0)), Result(1, ("b", "x"), (2.0, 0.0))),
        *(Result(2, ("a", "x"), (5.0, 0.0)), Result(2, ("b", "x"), (5.0, 0.0))),
        *(Result(3, ("a", "x"), (9.0, 0.0)), Result(3, ("b", "y"), (6.0, 0.0)), Result(4, ("c", "x"), (0.0, 0.0))),
    ]
    found = {(d.left, d.right): d for d in ratings.differences(results)}
    difference = found["a", "b"]
    test = stats.ttest_rel([3, 5, 9], [2, 5, 6])
    assert difference.matched
    assert difference.estimate.value == pytest.approx(4 / 3)
    assert difference.p == pytest.approx(test.pvalue)
    assert (difference.estimate.low, difference.estimate.high) == pytest.approx(tuple(test.confidence_interval()))
    assert difference.estimate.n == 3
    single = found["c", "x"]
    assert (single.matched, single.p, single.p_holm, single.estimate.n) == (True, None, None, 1)


def test_players_without_a_common_cluster_are_compared_by_welch() -> None:
    mine, others = [1.0, 2.0, 4.0], [0.0, 1.0, 1.5, 0.5]
    results = [Result(f"a{n}", ("a", "x"), (s, 0.0)) for n, s in enumerate(mine)]
    results += [Result(f"b{n}", ("b", "y"), (s, 0.0)) for n, s in enumerate(others)]
    difference = next(d for d in ratings.differences(results) if (d.left, d.right) == ("a", "b"))
    test = stats.ttest_ind(mine, others, equal_var=False)
    assert not difference.matched
    assert difference.p == pytest.approx(test.pvalue)
    assert (difference.estimate.low, difference.estimate.high) == pytest.approx(tuple(test.confidence_interval()))


def test_clusters_that_all_agree_prove_no_more_than_their_number_allows() -> None:
    alike = [duel(n, "a", "b", 1) for n in range(5)]
    (difference,) = ratings.differences(alike)
    assert (difference.estimate, difference.p) == (Estimate(1.0, None, None, 5), 2 * 0.5**5)
    (draw,) = ratings.differences([duel(n, "a", "b", 0.5) for n in range(5)])
    assert (draw.estimate.value, draw.p) == (0.0, 1.0)
    apart = [duel(f"a{n}", "a", "x", 1) for n in range(3)] + [duel(f"b{n}", "b", "y", 0) for n in range(3)]
    found = {(d.left, d.right): d for d in ratings.differences(apart)}
    assert found["a", "b"].p == pytest.approx(2 / math.comb(6, 3))
    assert found["b", "x"].p == 1.0
    lone = ratings.differences([duel(1, "a", "x", 1), duel(2, "b", "y", 1)])
    assert [d.p for d in lone] == [None] * 6


def test_holm_gives_the_hand_worked_values() -> None:
    # Ordered .005, .01, .03, .04 times 4, 3, 2, 1: .02, .03, .06, .04, and no later one below an earlier.
    assert ratings.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert ratings.holm([0.6, 0.7]) == [1.0, 1.0]
    assert ratings.holm([]) == []


def test_holm_rejects_where_the_step_down_procedure_does() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        p = list(rng.random(6) ** 3)
        rejected: set[int] = set()
        for step, index in enumerate(np.argsort(p)):
            if p[index] > 0.05 / (6 - step):
                break
            rejected.add(int(index))
        assert {i for i, adjusted in enumerate(ratings.holm(p)) if adjusted <= 0.05} == rejected


@pytest.mark.long
def test_equal_players_are_told_apart_in_one_tournament_of_twenty_at_most() -> None:
    rng, wrong = np.random.default_rng(11), 0
    for _ in range(200):
        results = [
            Result(n, tuple("abcde"), tuple(row)) for n, row in enumerate((rng.normal(size=(15, 5)) ** 3).tolist())
        ]
        wrong += any((d.p_holm or 0) <= 0.05 for d in ratings.differences(results))
    assert wrong / 200 < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 200)


def test_differences_take_a_shift_of_a_clusters_scores_out() -> None:
    results = tables(12, 40, 4)
    shifted = [dataclasses.replace(r, scores=tuple(s + 100.0 * int(r.cluster) for s in r.scores)) for r in results]
    for plain, moved in zip(ratings.differences(results), ratings.differences(shifted), strict=True):
        assert plain.as_json() == moved.as_json()
