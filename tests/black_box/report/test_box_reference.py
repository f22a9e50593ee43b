"""The reference players' page is what was measured, and what was measured comes out again."""

from __future__ import annotations

import pytest

from tools import references as box_reference
from tools.references import Played


def test_the_page_is_that_of_the_data() -> None:
    assert box_reference.PAGE.read_text(encoding="utf-8") == box_reference.render(box_reference.load())


def test_every_box_level_and_setting_was_played() -> None:
    played = {(one.env_id, one.level, one.setting): one.n for one in box_reference.load()}
    plan = {
        (env_id, level, setting): cases for env_id, level, setting, cases in box_reference.plan(box_reference.FAMILIES)
    }
    assert set(played) == set(plan)
    assert min(played.values()) >= 10
    assert {(level, setting) for _, level, setting in plan if level} == {(level, "default") for level in range(1, 6)}


@pytest.mark.every(5)
@pytest.mark.parametrize(
    ("env_id", "level", "setting"),
    [
        ("ibench/BlackBox-circuit-random-v1", 2, "default"),
        ("ibench/BlackBox-cipher-frequency-v1", 0, "10@1"),
        ("ibench/BlackBox-mechanics-pendulum-v1", 0, "20@2"),
        ("ibench/BlackBox-puzzle-bandit-v1", 0, "10@1"),
        ("ibench/BlackBox-strategy-random-v1", 3, "default"),
        ("ibench/BlackBox-program-random-v1", 2, "default"),
    ],
)
def test_a_player_plays_as_it_was_measured(env_id: str, level: int, setting: str) -> None:
    measured = next(
        one for one in box_reference.load() if (one.env_id, one.level, one.setting) == (env_id, level, setting)
    )
    again = box_reference.play(env_id, level, setting, 8)
    assert 0 <= again.mean <= 1
    # Eight of the measured cases: their mean lies within what the spread of all allows.
    assert abs(again.mean - measured.mean) <= 4.5 * measured.error * (measured.n / 8) ** 0.5 + 1e-9


def test_a_table_marks_what_is_below_the_bar() -> None:
    one = Played("ibench/BlackBox-circuit-swap-v1", 0, "10@1", 0.5, 0.1, 20, 10.0, 0.1)
    other = Played("ibench/BlackBox-circuit-swap-v1", 0, "20@2", 1.0, 0.0, 20, 20.0, 0.1)
    assert "| swap | easy | 0.500 ± 0.196 ↓ | 1.000 | 20 |" in box_reference.render([one, other])
