"""The properties of scores: what makes each of them fail, and that measuring meets the same cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from interactive_envs import catalog
from interactive_envs.evaluation.validate import scores
from interactive_envs.evaluation.validate.scores import Case, Measured, Result
from interactive_envs.family import ROLES, Role, Yardstick

LEVELS = (1, 2, 3)


def measured(rewards: Mapping[Role, Sequence[float]], turns: Sequence[float] = (1, 2, 3), **given: bool) -> Measured:
    """Per role a reward a level, of 200 cases each that vary by a little."""
    yardstick = Yardstick("x", (("x", {}),), dict.fromkeys(rewards, "x"), LEVELS, **given)
    results = {
        role: {
            Case("x", level, index, 0): Result(min(1.0, max(0.0, value + 0.01 * (-1) ** index)), float(taken))
            for level, value, taken in zip(LEVELS, values, turns, strict=True)
            for index in range(200)
        }
        for role, values in rewards.items()
    }
    return Measured(yardstick, results)


GOOD: Mapping[Role, Sequence[float]] = {
    "chance": (0.1, 0.1, 0.1),
    "no interaction": (0.15, 0.1, 0.1),
    "rule": (0.4, 0.3, 0.2),
    "reference": (0.9, 0.8, 0.7),
    "exact": (0.97, 0.96, 0.95),
}


def problems(about: Measured) -> dict[str, list[str]]:
    found = {holds.__name__: list(holds(about)) for holds in scores.PROPERTIES}
    return {name: texts for name, texts in found.items() if texts}


def test_a_good_ladder_has_no_problems() -> None:
    assert problems(measured(GOOD)) == {}


@pytest.mark.parametrize(
    ("reference", "texts"),
    [
        ((0.9, 0.8, 0.4), ["the reference scores 0.40 [0.40, 0.40] at level 3, below 0.6"]),
        (
            (1.0, 1.0, 1.0),
            [
                *(f"the reference scores 0.99 [0.99, 1.00] at level {level}, above 0.98" for level in LEVELS),
                "the reference scores 0.99 [0.99, 1.00] at the last level, 0.99 [0.99, 1.00] at the first",
            ],
        ),
        ((0.9, 0.7, 0.8), ["the reference scores 0.80 [0.80, 0.80] at level 3, but 0.70 [0.70, 0.70] at 2"]),
    ],
)
def test_levels_out_of_reach_flat_or_out_of_order_are_found(reference: Sequence[float], texts: list[str]) -> None:
    assert problems(measured({**GOOD, "reference": reference})).get("calibrated") == texts


def test_where_the_reference_is_perfect_its_turns_rise() -> None:
    perfect = {**GOOD, "reference": (1.0, 1.0, 1.0)}
    assert "calibrated" not in problems(measured(perfect, perfect=True))
    found = problems(measured(perfect, turns=(3, 4, 4), perfect=True))
    assert found["calibrated"] == ["the reference takes 4.00 turns at level 3, 4.00 at 2"]


def test_players_out_of_order_are_found() -> None:
    found = problems(measured({**GOOD, "rule": (0.1, 0.1, 0.1)}))
    assert [text.partition(" earns ")[0] for text in found["ordered"]] == ["rule", "rule"]
    assert [text.rpartition(" ")[2] for text in found["ordered"]] == ["chance", "interaction"]


def test_a_player_that_need_not_ask_is_found() -> None:
    found = problems(measured({**GOOD, "no interaction": (0.3, 0.3, 0.3)}))
    assert found["asking_pays"] == ["without asking the reference earns 0.20 [0.19, 0.21] more than chance"]
    assert "asking_pays" not in problems(measured({**GOOD, "no interaction": (0.3, 0.3, 0.3)}, asks=False))


@pytest.mark.parametrize("family", catalog.families())
def test_every_family_has_yardsticks_with_a_reference_and_chance(family: str) -> None:
    found = scores.yardsticks(family)
    assert found
    for one in found:
        assert {"chance", "reference"} <= set(one.players) <= set(ROLES)
        assert all(env_id in catalog.load()["units"] for env_id, _ in one.environments)


def test_players_meet_the_same_cases() -> None:
    yardstick = Yardstick(
        "menu",
        (("ibench/SituationPuzzle-v1", {}),),
        {"chance": "random", "no interaction": "situation-puzzle/reference", "reference": "situation-puzzle/reference"},
    )
    about = scores.measure(yardstick, episodes=6)
    cases = [set(results) for results in about.results.values()]
    assert cases[0] == cases[1] == cases[2]
    assert len(cases[0]) == 6
    assert about.score("reference").value == 1.0
    assert (about.gap("reference", "chance").value or 0) > 0


def test_two_seats_of_a_game_are_two_cases_of_one_observation() -> None:
    game = "ibench/Game-residue-fold-v1"
    yardstick = Yardstick(
        "both seats",
        ((game, {"seat": 0}), (game, {"seat": 1})),
        {"chance": "random", "reference": "random"},
        worth=lambda record: float(record["seat"]),
    )
    about = scores.measure(yardstick, episodes=3)
    assert {(case.environment, result.reward) for case, result in about.results["chance"].items()} == {
        (0, 0.0),
        (1, 1.0),
    }
    assert len(about.results["chance"]) == 6
    assert str(about.gap("reference", "chance").value) == "0.0"
    assert (about.score("chance").value, about.score("chance").low, about.score("chance").high) == (0.5, None, None)
