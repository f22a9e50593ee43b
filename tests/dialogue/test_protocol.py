"""The protocol as a pure object: no environment is needed to play by it; its terms and arguments are declared once."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, get_type_hints

import numpy as np
import pytest

from interactive_envs import catalog
from interactive_envs.black_box.env import BlackBoxEnv
from interactive_envs.black_box.protocol import ExploreThenTest
from interactive_envs.dialogue.arguments import CaseArguments, RoundsArguments, TermsArguments
from interactive_envs.dialogue.env import DialogueEnv
from interactive_envs.dialogue.probe import Probe, read_probes
from interactive_envs.dialogue.protocol import EpisodeState, Protocol, Rounds, Submission
from interactive_envs.dialogue.task import Terms
from interactive_envs.errors import ConfigError
from interactive_envs.outcome import Outcome
from interactive_envs.query_games.env import QueryGameEnv
from interactive_envs.situation_puzzle.env import SituationPuzzleEnv
from tests.wrappers.small import Mistaken


def rounds(probes: Sequence[Probe] = (), **terms: Any) -> Rounds[int, int]:
    return Rounds(Mistaken(), Terms(**terms), probes)


def answer(protocol: Protocol[int, int], state: EpisodeState[int, int], text: str) -> tuple[Any, str]:
    return protocol.apply(state, protocol.read(state, text), np.random.default_rng(0), None)


def test_an_episode_can_be_played_without_an_environment() -> None:
    protocol = rounds(budget=3)
    first = protocol.begin(5)
    second, reply = answer(protocol, first, "<ask>7</ask>")
    assert (reply, second.rounds_left, first.rounds_left) == ("2.\nRounds left: 2.", 2, 3)
    end, reply = answer(protocol, second, "<answer>5</answer>")
    assert (reply, end.outcome, protocol.reward(end)) == ("Correct.", Outcome.SUCCESS, 1.0)
    assert protocol.info(end)["solution"] == "5"
    assert "solution" not in protocol.info(second)


def test_the_same_state_and_action_give_the_same_state() -> None:
    protocol = rounds()
    state = protocol.begin(5)
    assert answer(protocol, state, "hm") == answer(protocol, state, "hm")


def test_without_interaction_there_is_one_round_and_no_forced_final() -> None:
    terms = rounds(budget=9, forced_final=True, interaction=False).terms
    assert (terms.budget, terms.forced_final) == (1, False)


def test_probes_add_their_rounds_where_there_is_interaction() -> None:
    assert rounds(read_probes("lies?k=2"), budget=8).terms.budget == 12
    assert rounds(read_probes("noise"), interaction=False).terms.budget == 1


def test_a_protocol_may_refuse_probes() -> None:
    class Alone(Rounds[int, int]):
        refuses_probes = "this game"

    assert Alone(Mistaken(), Terms()).task.case_ids() == ("3", "5", "7")
    with pytest.raises(ConfigError, match="this game cannot be played with the probe 'noise\\?seed=3'; leave it out"):
        Alone(Mistaken(), Terms(), read_probes("noise?seed=3"))


def test_an_environment_plays_by_the_protocol_it_is_given() -> None:
    class Generous(Rounds[int, int]):
        def reward(self, state: EpisodeState[int, int]) -> float:
            return 2 * super().reward(state)

        def budget_line(self, state: EpisodeState[int, int]) -> str:
            return "Take your time."

    env = DialogueEnv(Mistaken(), protocol=Generous, case="5")
    env.reset(seed=1)
    assert env.step("<ask>7</ask>")[0] == "2.\nTake your time."
    assert env.step("<answer>5</answer>")[1] == 2.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"budget": 0}, "budget must be a whole number of at least 1, got 0"),
        ({"budget": True}, "budget must be a whole number of at least 1, got True"),
        ({"retries": -1}, "retries must be a whole number of at least 0, got -1"),
        ({"strict": 1}, "strict must be true or false, got 1"),
        ({"forced_final": None}, "forced_final must be true or false, got None"),
        ({"no_interaction": "no"}, "no_interaction must be true or false, got 'no'"),
    ],
)
def test_terms_that_cannot_work_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        DialogueEnv(Mistaken(), **arguments)


@pytest.mark.parametrize("shared", [CaseArguments, RoundsArguments, TermsArguments])
def test_every_shared_argument_is_one_of_the_dialogue(shared: type) -> None:
    known = inspect.signature(DialogueEnv).parameters
    assert {*get_type_hints(shared)} <= {*known}
    assert all(known[name].default is not inspect.Parameter.empty for name in get_type_hints(shared))


def test_defaults_are_declared_once_and_an_environment_may_have_its_own() -> None:
    assert SituationPuzzleEnv(finals=None, budget=Terms.budget).terms == Terms() == DialogueEnv(Mistaken()).terms
    assert SituationPuzzleEnv().terms.finals == 3
    assert BlackBoxEnv(family="circuit", box="add").terms.retries == 2


def test_an_unknown_argument_is_refused() -> None:
    with pytest.raises(TypeError, match="bugdet"):
        SituationPuzzleEnv(bugdet=3)  # type: ignore[call-arg]


def test_the_stage_of_a_test_belongs_to_black_boxes() -> None:
    env = BlackBoxEnv(family="circuit", box="add", setting="1@1")
    assert isinstance(env.protocol, ExploreThenTest)
    env.reset(seed=1)
    assert env.step("<ready></ready>")[4]["view"].stage == "test"


def test_what_is_read_names_its_kind() -> None:
    protocol = rounds()
    state = protocol.begin(5)
    assert protocol.read(state, "<ask>7</ask>") == Submission("query", "<ask>7</ask>", 7)
    assert protocol.read(state, "<answer>5</answer>") == Submission("final", "<answer>5</answer>", 5)
    assert protocol.read(state, "<ask>x</ask>") == Submission("invalid", "<ask>x</ask>", "That is no number.")


def test_the_catalog_s_defaults_of_passed_on_arguments() -> None:
    unit = SituationPuzzleEnv.unit
    assert catalog.entry(unit.id)["defaults"]["retries"] == Terms.retries
    assert catalog.entry(unit.id)["defaults"]["budget"] == "standard"
    assert "probes" not in catalog.entry(unit.id)["defaults"]
    assert list(catalog.entry(next(QueryGameEnv.units()).id)["defaults"])[-1] == "render_mode"
