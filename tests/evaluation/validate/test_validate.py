"""Validate: every registered id passes, and an environment broken in one way is caught by the property meant for it."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import sys
import types
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from interactive_envs import catalog
from interactive_envs.agents.random import RandomAgent
from interactive_envs.errors import UnknownNameError
from interactive_envs.evaluation.validate import check as validate
from interactive_envs.evaluation.validate import determinism, properties
from interactive_envs.evaluation.validate.probing import FixedJudge, Subject
from interactive_envs.multiplayer.pettingzoo import AECGame
from interactive_envs.situation_puzzle.env import SituationPuzzleEnv
from interactive_envs.trust_game.env import TrustGameEnv
from interactive_envs.wrappers.numeric import NumericView

sys.path.append(str(Path(__file__).parent))  # as a fresh process will find it, too
broken: Any = importlib.import_module("broken_envs")

ID = "ibench/SituationPuzzle-v1"


def subject(cls: Callable[..., Any] = SituationPuzzleEnv, twin: Any = NumericView, **arguments: Any) -> Subject:
    make = functools.partial(cls, judge=FixedJudge(), **arguments)
    numeric = functools.partial(twinned, twin, make) if arguments.get("mode") != "free" else None
    return Subject(make=make, plain=make, env_id=ID, arguments=arguments, numeric=numeric)


def twinned(twin: Any, make: Callable[[], gym.Env[str, str]]) -> Any:
    return twin(make())


def free(cls: Any) -> Subject:
    return subject(cls, mode="free")


def table(api: str, cls: Callable[..., Any], **arguments: Any) -> Subject:
    """The trust game, of whose PettingZoo views one is broken."""
    make = functools.partial(cls, TrustGameEnv(**arguments))
    return dataclasses.replace(validate.subject_of("ibench/TrustGame-v1"), tables=((api, "text", make),))


def found(holds: validate.Property, about: Subject) -> validate.Finding:
    return next(iter(validate.checks_of(about, [holds])))


IDS: dict[str, list[str]] = {}
"""The ids of each class."""
for env_id in catalog.ids():
    IDS.setdefault(catalog.entry(env_id)["entry_point"], []).append(env_id)
SAMPLE = 1
"""Of the ids of a class that share it, so many are checked every day. ``ibench validate --long`` checks all."""


@pytest.mark.parametrize("env_id", [first for first, *_ in IDS.values()])
def test_every_class_passes(env_id: str) -> None:
    """The default variant has every property, and each other variant a share of the cheap ones."""
    variants = len(catalog.entry(env_id)["variants"])
    # nothing of gym.make depends on the variant but the default judge, which may take seconds to read a case
    elsewhere = [holds for holds in validate.CHEAP if holds is not properties.gym_make_by_id]
    findings = [*validate.checks_of(validate.subject_of(env_id))]
    for variant in range(1, variants):
        findings += validate.checks_of(
            validate.subject_of(env_id, variant), elsewhere[variant - 1 :: max(variants - 1, 6)]
        )
    assert [finding for finding in findings if not finding.ok] == []


@pytest.mark.parametrize(
    "env_id", [ids[len(ids) * (2 * n + 1) // (2 * SAMPLE)] for _, *ids in IDS.values() for n in range(SAMPLE) if ids]
)
def test_some_more_ids_of_a_class_pass(env_id: str) -> None:
    failed = [finding for finding in validate.validate(env_id) if not finding.ok]
    assert failed == []


BROKEN: list[tuple[validate.Property, Subject, str]] = [
    (properties.official_checker, subject(broken.IgnoresSeed), "super().reset(seed=seed)"),
    (properties.official_checker, subject(broken.Warns), "it warns"),
    (properties.official_checker_on_the_numeric_twin, subject(twin=broken.OutsideTheBox), "observation space"),
    (properties.pettingzoo_checkers, table("parallel", broken.ForgetsTheInfos), "was not given info"),
    (properties.pettingzoo_checkers, table("aec", broken.DealsAnewEachTime), "AssertionError"),
    (properties.every_view_plays_the_same_game, table("aec", AECGame, payoffs=[3, 0, 5, 1]), "another record"),
    (properties.every_view_plays_the_same_game, table("parallel", broken.StopsEarly), "over before"),
    (properties.gym_make_by_id, dataclasses.replace(subject(), env_id="ibench/Missing-v0"), "Missing"),
    (properties.catalog_entry_is_right, subject(broken.OtherUnit), "make catalog"),
    (properties.class_is_documented, subject(broken.Undocumented), "lacks Observation, Action"),
    (properties.observations_are_text, subject(broken.PlainText), "is a str"),
    (properties.observations_are_text, subject(broken.TooLong), "outside the space"),
    (properties.infos_are_fresh, subject(broken.KeepsItsInfo), "infos emptied differ"),
    (properties.infos_are_documented, subject(broken.SlipsIn), "info has index"),
    (properties.validity_is_reported, subject(broken.GivesNoReason), "reason=None"),
    (properties.views_are_records, subject(broken.ViewCanChange), "not a frozen View"),
    (properties.views_are_records, subject(broken.ViewIsAChange), "differs from info"),
    (properties.observing_is_pure, subject(broken.DrawsToObserve), "looking changed the state"),
    (properties.observing_is_pure, subject(broken.CountsLooks), "observe()"),
    (properties.messages_are_numbered, subject(broken.SkipsMessages), "message_range"),
    (properties.rewards_are_in_range, subject(broken.NotANumber), "nan"),
    (properties.rewards_are_in_range, subject(broken.PaysForQuestions), "is not in 0 to 1"),
    (properties.ends_have_outcomes, subject(broken.Truncates), "truncated is True"),
    (properties.ends_have_outcomes, subject(broken.NoOutcome), "outcome None"),
    (properties.ends_have_outcomes, subject(broken.GoesOn), "after the end"),
    (properties.budget_is_spent_exactly, subject(broken.FreeFirstQuestion), "9 questions in 8 rounds"),
    (properties.budget_is_spent_exactly, subject(broken.NoOutcome), "KeyError('outcome')"),
    (properties.hostile_players_end, subject(broken.Endless), "goes on after"),
    (properties.hostile_players_end, subject(broken.RaisesOnSurrogates), "UnicodeEncodeError"),
    (properties.hostile_players_end, subject(broken.TakesSilence), "was taken"),
    (properties.nothing_hidden_is_shown, free(broken.TellsTheSolution), "told before the end"),
    (properties.nothing_hidden_is_shown, free(broken.TellsTheVerdict), "told before the end"),
    (properties.nothing_hidden_is_shown, free(broken.TellsTheId), "name"),
    (properties.nothing_hidden_is_shown, free(broken.TellsTheTitle), "name"),
    (properties.equal_views_equal_messages, subject(broken.HintsInTheInfo), "two states with one View"),
    (properties.equal_views_equal_messages, subject(broken.ResamplesAnotherView), "another View"),
    (properties.equal_views_equal_arrays, subject(twin=broken.PeeksInArrays), "two states with one View"),
    (properties.numeric_twin_equals_text, subject(twin=broken.DecodesAnother), "two indices mean the same"),
    (properties.numeric_twin_equals_text, subject(twin=broken.WideMask), "no fresh int8 array"),
    (properties.numeric_twin_equals_text, subject(twin=broken.SharedMask), "no fresh int8 array"),
    (properties.numeric_twin_equals_text, subject(twin=broken.OutsideTheBox), "outside its Box"),
    (properties.legal_actions_are_accepted, subject(broken.ListsTooMuch), "is refused"),
    (properties.legal_actions_are_accepted, subject(broken.ListsNothingInInfo), "is not legal_actions()"),
    (properties.cases_can_be_named, subject(broken.IgnoresTheCase), "was asked for"),
    (properties.reference_player_succeeds, dataclasses.replace(subject(), reference=RandomAgent), "it loses"),
    (determinism.same_seed_same_story, subject(broken.OwnDice), "two environments with seed 0 differ"),
    (determinism.same_seed_same_story, subject(broken.IgnoresSeed), "two environments with seed 0 differ"),
    (determinism.interleaved, subject(broken.SharedCounter), "alone and interleaved differ"),
    (determinism.global_randomness_is_left_alone, subject(broken.ReadsGlobalRandom), "two global random states differ"),
    (determinism.global_randomness_is_left_alone, subject(broken.DrawsFromGlobalRandom), "state changed"),
    (determinism.copies_continue_identically, subject(broken.ForgetsWhenPickled), "pickled copy differ"),
    (determinism.copies_continue_identically, subject(broken.SharesWhenCopied), "the episode is over"),
    (determinism.record_replays, subject(broken.SaysMore), "the replay differs"),
    (determinism.reset_after_100_episodes, subject(broken.Ages), "after 100 episodes differ"),
    (determinism.threaded, subject(broken.SharedScratch), "in a thread differ"),
    (determinism.threaded, subject(broken.ThreadBound), "another thread"),
    (determinism.forked, subject(broken.KnowsItsProcess), "forked twin differ"),
    (determinism.forked, subject(broken.DiesElsewhere), "the forked process died"),
    (determinism.fresh_process, subject(broken.HashOrder), "a fresh one differ"),
    (determinism.fresh_process, subject(broken.RefusesThisHashSeed), "not under this hash seed"),
    (determinism.no_network, subject(broken.PhonesHome), "192.0.2.1"),
    (determinism.no_network, subject(broken.LooksUpAName), "scores.example"),
    (determinism.no_heavy_imports, subject(broken.ImportsTorch), "import torch"),
    (determinism.vector_environments, subject(broken.BuiltInText), "would lose text"),
    (determinism.vector_environments, subject(broken.KnowsItsProcess), "AsyncVectorEnv differ"),
    (determinism.numeric_vector_environments, subject(twin=broken.OtherArraysElsewhere), "shared memory differ"),
]


@pytest.mark.parametrize(
    ("holds", "about", "seen"),
    BROKEN,
    ids=[f"{b[0].__name__}-{getattr(b[1].make, 'func', b[1].make).__name__}-{n}" for n, b in enumerate(BROKEN)],
)
def test_a_broken_environment_is_caught(holds: validate.Property, about: Subject, seen: str) -> None:
    finding = found(holds, about)
    assert (finding.ok, finding.skipped) == (False, False)
    assert seen in finding.problem
    assert finding.check == holds.__name__.replace("_", " ")


def test_every_property_has_a_broken_environment() -> None:
    tested = {holds for holds, _, _ in BROKEN} | {properties.stable_baselines3_checker}
    assert tested == {*validate.CHEAP, *validate.COSTLY}


@pytest.mark.parametrize("holds", validate.CHEAP + validate.COSTLY, ids=lambda holds: str(holds.__name__))
def test_what_the_broken_ones_are_made_of_is_sound(holds: validate.Property) -> None:
    finding = found(holds, subject(broken.Touched))
    assert finding.ok, finding.problem
    assert finding.skipped == bool(finding.problem)


def test_the_checker_of_stable_baselines3_is_called_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[Any] = []
    module: Any = types.ModuleType("stable_baselines3.common.env_checker")
    module.check_env = checked.append
    monkeypatch.setitem(sys.modules, "stable_baselines3.common.env_checker", module)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name == "stable_baselines3")
    assert found(properties.stable_baselines3_checker, subject()).ok
    assert [type(env) for env in checked] == [NumericView]

    def refuse(env: Any) -> None:
        raise AssertionError("the observation is not an array")

    module.check_env = refuse
    finding = found(properties.stable_baselines3_checker, subject())
    assert not finding.ok
    assert "not an array" in finding.problem


def test_environments_of_a_vector_may_tell_something_and_none() -> None:
    assert found(determinism.vector_environments, subject(broken.ScoresSomeEpisodes)).ok


def test_loopback_is_no_network() -> None:
    assert found(determinism.no_network, subject(broken.TalksToItself)).ok


def test_what_does_not_apply_is_said_not_failed() -> None:
    finding = found(properties.numeric_twin_equals_text, free(SituationPuzzleEnv))
    assert finding == validate.Finding(
        '{"mode":"free"}', "numeric twin equals text", True, "there is no numeric twin", skipped=True
    )
    for holds, words in (
        (properties.equal_views_equal_messages, "cannot be resampled"),
        (properties.legal_actions_are_accepted, "cannot be listed"),
        (properties.reference_player_succeeds, "no reference player"),
    ):
        finding = found(holds, free(SituationPuzzleEnv))
        assert (finding.ok, finding.skipped) == (True, True)
        assert words in finding.problem


class Raises(SituationPuzzleEnv):
    def reset(self, **options: Any) -> Any:
        raise KeyError("state")


def test_an_environment_that_is_no_dialogue_can_be_checked() -> None:
    about = Subject(make=broken.Steps, plain=broken.Steps, env_id="ibench/Steps-v0")
    needs_the_catalog = (properties.gym_make_by_id, properties.catalog_entry_is_right, determinism.record_replays)
    checks = [holds for holds in (*validate.CHEAP, *validate.COSTLY) if holds not in needs_the_catalog]
    findings = {finding.check: finding for finding in validate.checks_of(about, checks)}
    assert [finding for finding in findings.values() if not finding.ok] == []
    assert findings["equal views equal messages"].problem == ""
    assert findings["budget is spent exactly"].problem == "it is no dialogue"


def test_an_exception_of_the_environment_is_a_finding_with_its_place() -> None:
    finding = found(properties.observations_are_text, subject(Raises))
    assert not finding.ok
    assert finding.problem.startswith("raised KeyError('state') in test_validate.py, line ")


def test_costly_properties_are_checked_once_a_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validate, "CHEAP", (properties.class_is_documented,))
    monkeypatch.setattr(validate, "COSTLY", (properties.cases_can_be_named,))
    count = len(catalog.entry(ID)["variants"])
    usual = [finding.check for finding in validate.validate(ID)]
    assert usual == ["class is documented", "cases can be named"] + ["class is documented"] * (count - 1)
    assert len(list(validate.validate(ID, thorough=True))) == 2 * count


def test_another_id_of_the_same_class_needs_the_cheap_properties_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validate, "CHEAP", (properties.class_is_documented,))
    monkeypatch.setattr(catalog, "ids", lambda: ["ibench/Earlier-v0", ID])
    unit = catalog.entry(ID)
    monkeypatch.setattr(catalog, "entry", lambda env_id: unit)
    assert [finding.check for finding in validate.validate(ID)] == ["class is documented"]


def test_an_unknown_id_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'ibench/SituationPuzzle-v1'"):
        next(validate.validate("ibench/SituationPuzle-v1"))


def test_checking_warns_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert all(finding.ok for finding in validate.checks_of(subject(), validate.CHEAP[:3]))
