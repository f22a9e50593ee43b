"""Probes decorate the task before there is an environment, once each and in one order; every way to play meets them."""

from __future__ import annotations

import json
import pickle
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
import pytest
from click.testing import CliRunner
from gymnasium.utils.env_checker import check_env

from interactive_envs import catalog
from interactive_envs.agent import Agent
from interactive_envs.cli.main import main
from interactive_envs.dialogue.probe import Probe, ProbeTask, read_probes
from interactive_envs.dialogue.task import Retold
from interactive_envs.dialogue.view import DelayedReply, facts_of
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.evaluation.run.episode import Job, cell_key, play_episode
from interactive_envs.making import make
from interactive_envs.reporting.records import Cell
from interactive_envs.wrappers.context import IsomorphicContext
from interactive_envs.wrappers.noise import IntraGameNoise
from interactive_envs.wrappers.numeric import NumericView
from tests.wrappers.small import Mistaken, Remainders, play, query_game, said, sample, small

PUZZLE = "ibench/SituationPuzzle-v1"
GAME = sample()[0][0]
ALL = ["revision", "isomorphic?domain=law", "noise", "boundary"]


@dataclass(frozen=True)
class Nothing(Probe):
    """Changes nothing."""

    name: ClassVar[str] = "nothing"
    place: ClassVar[int] = 9

    def decorate(self, inner: Any, terms: Any) -> ProbeTask:
        return ProbeTask(inner)


def test_every_name_leads_to_its_class() -> None:
    required = {"isomorphic": "?domain=law"}
    for name in catalog.table("probes"):
        (probe,) = read_probes(name + required.get(name, ""))
        assert probe.name == name


def test_the_catalog_lists_probes_from_the_inside_out() -> None:
    places = [catalog.attribute(entry_point).place for entry_point in catalog.table("probes").values()]
    assert places == sorted(places)


def test_a_probe_of_ones_own_is_named_by_its_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "own_probe", sys.modules[__name__])
    monkeypatch.setattr("interactive_envs.system.own_modules.find", lambda name: name == "own_probe")
    assert read_probes("own_probe:Nothing") == (Nothing(),)


@pytest.mark.parametrize(
    ("probes", "message"),
    [
        (["noise", "noise"], "probe 'noise' is already there; each can be put on once"),
        (["noise", "isomorphic?domain=law"], "wrong order of probes; from the inside out it is isomorphic, noise"),
        (["boundary", "revision"], "wrong order of probes; from the inside out it is revision, boundary"),
        (["lies", "delay"], "'lies' and 'delay' exclude each other; put on one of them"),
        (["necessity", "revision"], "exclude each other"),
        ("noise:strong", "takes no target, got 'strong'; write 'noise'"),
        ("noise?seed", "option 'seed' of 'noise' is not key=value"),
        ("noise?seed=-1", "seed must be a whole number of at least 0, got -1"),
        ("noise?rules=x", "rules must be a whole number from 0 to 46, got 'x'"),
        ("revision?turn=0", "turn must be a whole number of at least 1, got 0"),
        ("lies?k=true", "k must be a whole number of at least 1, got True"),
        ("delay?k=0", "k must be a whole number of at least 1, got 0"),
        ("necessity?evidence=61", "evidence must be a whole number from 1 to 60, got 61"),
        ("isomorphic", "probe 'isomorphic' needs domain: isomorphic\\?domain=…"),
        (7, "probes must be a spec or a list of specs, got 7"),
    ],
)
def test_what_cannot_work_is_refused(probes: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        query_game(GAME, 1, *(probes if isinstance(probes, list) else [probes]))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nois", "unknown probe 'nois'; did you mean 'noise'"),
        ("noise?sed=1", "unknown option of probe 'noise': 'sed'; did you mean 'seed'"),
        ("isomorphic?domain=lw", "unknown domain 'lw'; did you mean 'law'"),
        ("boundary?previous=ibench/SituationPuzle-v1", "unknown environment"),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(spec: str, message: str) -> None:
    with pytest.raises(UnknownNameError, match=message):
        query_game(GAME, 1, spec)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("isomorphic?domain=law", r"probe 'isomorphic' needs a task with vocabulary\(\), and Remainders has none"),
        ("revision", r"probe 'revision' needs a task with wrong_fact\(\), and Remainders has none"),
        ("lies", r"probe 'lies' needs a task with wrong_fact\(\), and Remainders has none"),
        ("necessity", "probe 'necessity' needs a task with a level of query games, and Remainders has none"),
    ],
)
def test_a_task_without_the_hook_is_refused(spec: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        small(spec, task=Remainders())


def test_probes_need_a_dialogue() -> None:
    with pytest.raises(ConfigError, match="probe 'noise' needs a dialogue environment, not TrustGameEnv"):
        make("ibench/TrustGame-v1", probes="noise")


@pytest.mark.parametrize("spec", ["revision", "lies", "delay", "necessity"])
def test_probes_of_replies_need_queries(spec: str) -> None:
    with pytest.raises(ConfigError, match=f"probe '{spec}' needs queries; leave out no_interaction"):
        query_game(GAME, 1, spec, no_interaction=True)


def test_without_interaction_the_context_can_still_be_probed() -> None:
    env = query_game(GAME, 1, "isomorphic?domain=law", "noise", "boundary", no_interaction=True)
    env.reset(seed=1)
    assert env.unwrapped.terms.budget == 1


def test_the_dialogue_names_its_probes() -> None:
    env = query_game(GAME, 1, "revision?turn=2", "isomorphic?domain=law", "noise?seed=3&rules=6", "boundary")
    assert env.unwrapped.probes == ("revision", "isomorphic?domain=law", "noise?seed=3", "boundary")


def test_a_single_spec_may_be_given_alone_and_the_classes_do_the_same() -> None:
    one, other = query_game(GAME, 1, "noise?seed=3"), query_game(GAME, 1, IntraGameNoise(seed=3))
    assert play(one, 1)[:2] == play(other, 1)[:2]
    assert one.unwrapped.probes == other.unwrapped.probes == ("noise?seed=3",)
    assert read_probes("noise?seed=3") == read_probes(["noise?seed=3"]) == read_probes(IntraGameNoise(seed=3))
    made: Any = make(PUZZLE, probes=IntraGameNoise(seed=3))
    assert made.probes == ("noise?seed=3",)


def test_a_stack_can_be_made_anew_from_its_spec() -> None:
    env = gym.make(PUZZLE, probes=["revision?turn=3", "noise?seed=3"], mode="menu")
    assert isinstance(env.spec, gym.envs.registration.EnvSpec)
    again = gym.make(env.spec)
    assert again.unwrapped.probes == env.unwrapped.probes == ("revision?turn=3", "noise?seed=3")  # type: ignore[attr-defined]
    assert again.reset(seed=5)[0] == env.reset(seed=5)[0]


def test_the_numeric_view_goes_outermost_and_plays_the_same_game() -> None:
    numeric, text = NumericView(query_game(GAME, 1, *ALL)), query_game(GAME, 1, *ALL)
    array, info = numeric.reset(seed=1)
    text.reset(seed=1)
    for index in (0, 3, 5, 1):
        assert array in numeric.observation_space
        array, reward, over, _, info = numeric.step(index)
        observation, text_reward, text_over, _, text_info = text.step(
            numeric.env.get_wrapper_attr("task").decode(text.unwrapped.view(), index)
        )
        assert (info["text"], reward, over) == (observation, text_reward, text_over)
    assert info["view"] == text_info["view"]


def test_necessity_has_no_numeric_view() -> None:
    with pytest.raises(ConfigError, match="NecessityTask has no numeric view"):
        NumericView(query_game(GAME, 1, "necessity"))


@pytest.mark.parametrize("probes", [ALL, ["lies", "noise"], ["delay?k=2"], ["necessity", "isomorphic?domain=law"]])
def test_the_official_checker_is_content_and_a_copy_goes_on(probes: list[str]) -> None:
    env = query_game(GAME, 1, *probes)
    check_env(env.unwrapped, skip_render_check=True)
    env.reset(seed=1)
    action = env.unwrapped.task.action_examples[0]
    env.step(action)
    again = pickle.loads(pickle.dumps(env))
    assert again.step(action) == env.step(action)


def test_contexts_can_be_resampled_and_changed_replies_cannot() -> None:
    env = query_game(GAME, 1, "isomorphic?domain=law", "noise", "boundary")
    env.reset(seed=1)
    env.step(env.unwrapped.task.action_examples[0])
    view = env.unwrapped.view()
    env.unwrapped.resample(view, np.random.default_rng(0))
    assert env.unwrapped.view() == view
    env.step(env.unwrapped.legal_actions()[-1])
    changed = query_game(GAME, 1, "delay")
    changed.reset(seed=1)
    with pytest.raises(ConfigError, match="DelayTask cannot resample a view"):
        changed.unwrapped.resample(changed.unwrapped.view(), np.random.default_rng(0))


def test_a_probe_that_changes_nothing_changes_nothing() -> None:
    env, clean = query_game(GAME, 1, Nothing()), query_game(GAME, 1)
    assert play(env, 3)[:2] == play(clean, 3)[:2]
    assert env.unwrapped.record() == clean.unwrapped.record()
    env.reset(seed=1)
    clean.reset(seed=1)
    task, state = env.unwrapped.task, env.unwrapped.task.start(clean.unwrapped.task.case(np.random.default_rng(1)))
    own, inner = clean.unwrapped.task, state.inner
    for hook in ("secrets", "queries", "answers", "n_actions", "case_of", "show", "record"):
        assert getattr(task, hook)(state) == getattr(own, hook)(inner)
    assert task.hypotheses(env.unwrapped.view()) == own.hypotheses(clean.unwrapped.view())
    assert (task.data_sha256(), task.vocabulary("law")) == (own.data_sha256(), own.vocabulary("law"))
    assert (task.numeric_actions, task.numeric_shape) == (own.numeric_actions, own.numeric_shape)


def test_a_probe_around_a_task_that_cannot_list_cannot_either() -> None:
    env = small(Nothing())
    _, info = env.reset(seed=1)
    assert "legal_actions" not in info
    assert (env.legal_actions(), env.task.numeric_actions, env.task.preface(5)) == (None, None, ())
    with pytest.raises(ConfigError, match="ProbeTask has no numeric view"):
        NumericView(env)


def test_corrections_count_queries_alone() -> None:
    env = small("revision?turn=1")
    env.reset(seed=1)
    for action in ("nonsense", "<ask>7</ask>", "<ask>what</ask>", "<ask>9</ask>"):
        env.step(action)
    view = env.unwrapped.view()
    assert [exchange.fact for exchange in view.exchanges] == [None, 3, None, DelayedReply(4, ((0, 2),))]
    assert facts_of(view) == [(7, 2), (9, 4)]


def test_probed_and_clean_cells_meet_the_same_cases() -> None:
    clean, probed = Cell(PUZZLE, {"budget": 9}, "random"), Cell(PUZZLE, {"budget": 9, "probes": ["noise"]}, "random")
    assert cell_key(clean) == cell_key(probed) == f'{PUZZLE}{{"budget":9}}'


def test_the_runner_meets_the_probe_and_records_it() -> None:
    class Script(Agent):
        name = "script"

        def reset(self, *, seed: int | None = None, info: Any = None) -> None:
            self.left = ["<ask>7</ask>", "<ask>9</ask>", "<answer>5</answer>"]

        def act(self, observation: str, info: Any) -> str:
            return self.left.pop(0)

    env = small("revision?turn=1")
    job = Job(0, Cell(PUZZLE, {}, "script"), None, 0, 0, seed=3)
    record = play_episode(env, Script(), job)
    assert record.wrappers == ("revision?turn=1",)
    assert [step.reply for step in record.steps] == [
        "3.\nRounds left: 6.",
        "4.\nCorrection: the reply to your query 1 was wrong. The right reply is: 2.\nRounds left: 5.",
        "Correct.",
    ]
    assert record.game == {"false_reply": 1, "corrected": True}


def test_the_command_line_runs_and_replays_probes(tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = ["run", PUZZLE, "--agent", "random", "--episodes", "2", "--workers", "1", "--out", str(out)]
    played = CliRunner().invoke(main, [*command, "--probe", "revision?turn=1", "--probe", "noise?seed=3"])
    assert played.exit_code == 0, played.output
    records = [json.loads(line) for line in (out / "episodes.jsonl").read_text().splitlines()]
    assert [record["wrappers"] for record in records] == [["revision?turn=1", "noise?seed=3"]] * 2
    assert records[0]["env"]["arguments"]["probes"] == ["revision?turn=1", "noise?seed=3"]
    again = CliRunner().invoke(main, ["replay", str(out)])
    assert again.exit_code == 0, again.output


def test_probes_are_given_one_way(tmp_path: Path) -> None:
    command = ["run", PUZZLE, "--agent", "random", "--out", str(tmp_path / "run"), "--probe", "noise"]
    refused = CliRunner().invoke(main, [*command, "-k", 'probes="noise"'])
    assert refused.exit_code != 0
    assert "give probes to the run, or as an argument or axis, not both" in refused.output + str(refused.exception)


def test_the_small_game_is_itself() -> None:
    assert said(small(), "<ask>7</ask>", "<answer>5</answer>") == [
        "A divisor is hidden.\n\nAsk: <ask>6</ask>.\n\nRounds: 6.",
        "2.\nRounds left: 5.",
        "Correct.",
    ]


def test_context_needs_a_known_vocabulary() -> None:
    class Wordless(Mistaken, Retold[int]):
        def vocabulary(self, domain: str) -> None:
            return None

    with pytest.raises(ConfigError, match="Wordless has no vocabulary of 'law'"):
        small(IsomorphicContext("law"), task=Wordless())
