"""Runs: what a record says, how faults are kept apart, and that nothing depends on the order of things."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.agent import Agent
from interactive_envs.errors import ConfigError, CostLimitError, JudgeError, ProviderError
from interactive_envs.evaluation.run import episode, pool, replay, rescore
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict
from interactive_envs.llm.calls import ModelCall, Usage
from interactive_envs.reporting.records import Cell, EpisodeRecord, RunConfig
from interactive_envs.reporting.store import RunStore

ENV = "ibench/SituationPuzzle-v1"
HERE = __name__


class Scripted(Agent):
    """Asks two questions, says something unreadable, then answers A."""

    script = ("<ask>1</ask>", "ask 2", "hello?", "A")

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        self._next = iter(self.script)

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        return next(self._next)


class ModelLike(Scripted):
    """Reports a model call for each action; costs a tenth of a dollar."""

    cost: float | None = 0.1

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        text = super().act(observation, info)
        message = {"role": "user", "content": str(observation)}
        self._sent = (*getattr(self, "_sent", ()), message)
        self._calls = [ModelCall("fake/model", self._sent, text, "stop", Usage(10, 5, 2, 1), self.cost)]
        return text

    def drain_calls(self) -> list[ModelCall]:
        calls, self._calls = getattr(self, "_calls", []), []
        return calls


class Cached(ModelLike):
    """Every reply comes from the cache."""

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        text = super().act(observation, info)
        self._calls = [dataclasses.replace(self._calls[0], from_cache=True)]
        return text


class SlowModel(ModelLike):
    """Its reply comes after the time limit."""

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        threading.Event().wait(0.2)
        return super().act(observation, info)


class Person(Scripted):
    """Counts how many are asked at the same time."""

    interactive = True
    at_once = most = 0

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        Person.at_once += 1
        Person.most = max(Person.most, Person.at_once)
        threading.Event().wait(0.005)
        Person.at_once -= 1
        return super().act(observation, info)


class BadReset(Scripted):
    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        raise ZeroDivisionError


class BadFinish(Scripted):
    def finish(self, observation: str, reward: float, info: Mapping[str, Any]) -> None:
        raise ZeroDivisionError


class Unpriced(ModelLike):
    cost = None

    @property
    def priced(self) -> bool:
        return False


class Flaky(Scripted):
    """Its endpoint breaks in the middle of every first try of a case."""

    tried: set[int] = set()  # noqa: RUF012 - shared on purpose, emptied by the fixture
    lock = threading.Lock()

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        super().reset(seed=seed, info=info)
        self._seed = seed or 0
        self._acts = 0

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        self._acts += 1
        with self.lock:
            if self._acts == 2 and self._seed not in self.tried:
                self.tried.add(self._seed)
                raise ProviderError("the endpoint broke")
        return super().act(observation, info)


class Broken(Agent):
    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        raise ProviderError("always down")


class Buggy(Agent):
    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        raise KeyError("oops")


class Slow(Agent):
    """Thinks longer than any limit."""

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        threading.Event().wait(0.2)
        return "<answer>A</answer>"


class Strict(Judge):
    """Says no to every question and correct to a final that contains a word of its target."""

    name = ""
    approximate = True

    def __init__(self, target: str = "because") -> None:
        self._word = target

    def judge(self, request: JudgeRequest) -> Verdict:
        if request.kind == "question":
            return Verdict("no", "always no", 1.0, "strict")
        return Verdict("correct" if self._word in request.text else "incorrect", "by word", 1.0, "strict")


class DearAndFailing(Judge):
    """A dollar a try, and no verdict."""

    def judge(self, request: JudgeRequest) -> Verdict:
        error = JudgeError("no verdict")
        error.calls = (ModelCall("fake/judge", (), "?", cost=1.0),)
        raise error


class Failing(Judge):
    def judge(self, request: JudgeRequest) -> Verdict:
        raise JudgeError("no verdict")


def config(agent: str, *, episodes: int = 3, judge: str | None = None, **arguments: Any) -> RunConfig:
    return RunConfig((Cell(ENV, arguments, agent, judge),), episodes)


def test_a_record_says_everything_that_happened(tmp_path: Path) -> None:
    store = pool.run(config(f"{HERE}:ModelLike", episodes=1), tmp_path / "run")
    (row,) = store.rows()
    record = store.record(row)
    assert [step["kind"] for step in record["steps"]] == ["query", "query", "invalid", "final"]
    assert [step["valid"] for step in record["steps"]] == [True, True, False, True]
    assert record["steps"][2]["reason"] == "I found no action; write <ask>…</ask> or <answer>…</answer>."
    assert record["steps"][0]["observation"].startswith("This is a situation puzzle.")
    assert record["steps"][1]["observation"] == record["steps"][0]["reply"]
    assert (record["turns"], record["queries"], record["finals"], record["invalid"]) == (4, 2, 1, 1)
    assert record["tokens"] == {"prompt": 40, "completion": 20, "reasoning": 8, "cached": 4}
    assert record["cost"] == pytest.approx(0.4)
    assert [len(step["calls"][0]["messages"]) for step in record["steps"]] == [1, 1, 1, 1]
    assert [step["calls"][0]["messages_before"] for step in record["steps"]] == [0, 1, 2, 3]
    assert record["outcome"] == ("success" if record["reward"] else "failure")
    assert record["env"]["key"] == ENV + "{}"
    assert len(record["env"]["data_sha256"]) == 64
    assert replay.mismatch(store.episode(row)) is None


def test_every_agent_meets_the_same_seeds_and_cases_in_order(tmp_path: Path) -> None:
    puzzles = [{"id": case, "title": case, "setup": "It is wet.", "solution": "It rained."} for case in "abcde"]
    data = tmp_path / "puzzles.jsonl"
    data.write_text("".join(json.dumps(puzzle) + "\n" for puzzle in puzzles))
    free = {"mode": "free", "dataset": str(data)}
    cells = tuple(Cell(ENV, free, f"{HERE}:{agent}", f"{HERE}:Strict") for agent in ("Free", "Certain"))
    store = pool.run(RunConfig(cells, 7, seed=5), tmp_path / "run", workers=3)
    records = [store.record(row) for row in store.rows()]
    first, second = records[:7], records[7:]
    assert [r["seed"] for r in first] == [r["seed"] for r in second]
    assert len({r["seed"] for r in first}) == 7
    assert [(r["case_index"], r["epoch"]) for r in first] == [
        (i, e) for i in range(5) for e in ((0, 1) if i < 2 else (0,))
    ]
    assert [step["observation"] for step in (first[0]["steps"][0], second[0]["steps"][0])].count(
        first[0]["steps"][0]["observation"]
    ) == 2


def summary(folder: Path) -> bytes:
    return (folder / "summary.json").read_bytes()


@pytest.mark.parametrize(("workers", "backend"), [(4, "thread"), (2, "process")])
def test_the_summary_does_not_depend_on_workers(tmp_path: Path, workers: int, backend: str) -> None:
    cells = tuple(Cell(ENV, {}, agent) for agent in ("random", "rule", "reference"))
    pool.run(RunConfig(cells, 4), tmp_path / "one")
    pool.run(RunConfig(cells, 4), tmp_path / "many", workers=workers, backend=backend)
    assert summary(tmp_path / "one") == summary(tmp_path / "many")


def test_a_broken_endpoint_costs_no_episode_and_changes_no_score(tmp_path: Path) -> None:
    Flaky.tried.clear()
    heard: list[bool] = []
    store = pool.run(
        config(f"{HERE}:Flaky"), tmp_path / "flaky", progress=lambda job, record: heard.append(record is not None)
    )
    pool.run(config(f"{HERE}:Scripted"), tmp_path / "clean")
    flaky, clean = (json.loads(summary(tmp_path / name)) for name in ("flaky", "clean"))
    assert heard == [True, True, True]
    assert store.faults() == 3
    assert flaky["cells"][0]["accuracy"] == clean["cells"][0]["accuracy"]
    assert flaky["n_missing"] == 0


def test_an_endpoint_that_stays_down_leaves_episodes_for_resume(tmp_path: Path) -> None:
    heard: list[bool] = []
    store = pool.run(
        config(f"{HERE}:Broken", episodes=2),
        tmp_path / "run",
        progress=lambda job, record: heard.append(record is None),
    )
    assert heard == [True, True]
    assert (store.rows(), store.faults()) == ([], 2 * (1 + pool.EPISODE_RETRIES))
    faults = [json.loads(line) for line in (tmp_path / "run" / "faults.jsonl").read_text().splitlines()]
    assert {fault["fault"] for fault in faults} == {"provider_error"}
    assert json.loads(summary(tmp_path / "run"))["n_missing"] == 2


def test_a_dead_endpoint_stops_the_run_early(tmp_path: Path) -> None:
    heard: list[str] = []
    with pytest.raises(ConfigError, match="12 attempts in a row were broken, the last by: always down"):
        pool.run(config(f"{HERE}:Broken", episodes=12), tmp_path / "run", on_fault=heard.append)
    assert heard == ["always down"] * pool.MAX_CONSECUTIVE_FAULTS


def test_a_failing_judge_is_a_fault_of_the_judge(tmp_path: Path) -> None:
    store = pool.run(config(f"{HERE}:Scripted", episodes=1, judge=f"{HERE}:Failing", mode="free"), tmp_path / "run")
    fault = json.loads((tmp_path / "run" / "faults.jsonl").read_text().splitlines()[0])
    assert (fault["fault"], fault["message"], store.rows()) == ("judge_error", "no verdict", [])


def test_a_bug_in_an_agent_stops_the_run_and_keeps_what_was_played(tmp_path: Path) -> None:
    cells = (Cell(ENV, {}, "random"), Cell(ENV, {}, f"{HERE}:Buggy"))
    with pytest.raises(ConfigError, match=r"Buggy' failed on case '.+': KeyError\('oops'\)"):
        pool.run(RunConfig(cells, 2), tmp_path / "run")
    assert json.loads(summary(tmp_path / "run"))["n_valid"] == 2


class Leaves(Scripted):
    """The person at the keyboard presses Ctrl-C at the second question."""

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        if "ask" in observation:
            return super().act(observation, info)
        raise KeyboardInterrupt


def test_an_interrupt_keeps_what_was_played_and_stops_the_rest(tmp_path: Path) -> None:
    cells = (Cell(ENV, {}, "random"), Cell(ENV, {}, f"{HERE}:Leaves"))
    with pytest.raises(KeyboardInterrupt):
        pool.run(RunConfig(cells, 2), tmp_path / "run")
    assert json.loads(summary(tmp_path / "run"))["n_valid"] == 2
    stopped = episode.Spending(None)
    stopped.stop()
    with pytest.raises(episode.StoppedError, match="the run was stopped"):
        stopped.check()


def test_thinking_too_long_costs_a_round(tmp_path: Path) -> None:
    slow = RunConfig((Cell(ENV, {"budget": 2}, f"{HERE}:Slow"),), 1, time_limit=0.02)
    store = pool.run(slow, tmp_path / "run")
    record = store.record(store.rows()[0])
    assert [step["action"] for step in record["steps"]] == ["<timeout/>", "<timeout/>"]
    assert record["steps"][0]["reason"] == "The time limit for this action was exceeded."
    assert record["outcome"] == "timeout"


def test_resume_plays_only_what_is_missing(tmp_path: Path) -> None:
    heard: list[int] = []
    pool.run(config("rule", episodes=12), tmp_path / "whole")
    pool.run(config("rule", episodes=12), tmp_path / "run")
    lines = (tmp_path / "run" / "episodes.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "run" / "episodes.jsonl").write_bytes(b"".join(lines[:5]) + lines[5][:100])
    pool.run(
        config("rule", episodes=12), tmp_path / "run", resume=True, progress=lambda job, _: heard.append(job.case_index)
    )
    assert heard == [5, 6, 7, 8, 9, 10, 11]
    assert summary(tmp_path / "run") == summary(tmp_path / "whole")


def test_resume_refuses_a_changed_configuration(tmp_path: Path) -> None:
    pool.run(config("random"), tmp_path / "run")
    with pytest.raises(ConfigError, match=r"episodes was 3, now 4"):
        pool.run(config("random", episodes=4), tmp_path / "run", resume=True)


def test_a_run_is_not_overwritten(tmp_path: Path) -> None:
    pool.run(config("random"), tmp_path / "run")
    with pytest.raises(ConfigError, match="holds a run already; set resume"):
        pool.run(config("random"), tmp_path / "run")


def test_the_cost_limit_stops_the_run(tmp_path: Path) -> None:
    with pytest.raises(CostLimitError, match=r"cost limit of 0.6 USD is reached"):
        pool.run(config(f"{HERE}:ModelLike"), tmp_path / "run", limit_cost=0.6)
    assert len(RunStore.read_only(tmp_path / "run").rows()) == 1
    pool.run(config(f"{HERE}:ModelLike"), tmp_path / "run", resume=True, limit_cost=5.0)
    assert len(RunStore.read_only(tmp_path / "run").rows()) == 3


def test_what_was_paid_counts_once_and_cached_replies_do_not(tmp_path: Path) -> None:
    store = pool.run(config(f"{HERE}:Cached", episodes=2), tmp_path / "run", limit_cost=0.5)
    assert [store.record(row)["paid"] for row in store.rows()] == [0.0, 0.0]
    assert store.rows()[0].cost == pytest.approx(0.4)
    assert store.spent() == 0.0
    paid = pool.run(config(f"{HERE}:ModelLike", episodes=2), tmp_path / "paid", limit_cost=0.8)
    assert paid.spent() == pytest.approx(0.8)
    assert len(paid.rows()) == 2  # a run that is complete when it reaches the limit is no error


def test_a_limit_of_nothing_lets_free_players_play(tmp_path: Path) -> None:
    assert len(pool.run(config("random"), tmp_path / "run", limit_cost=0.0).rows()) == 3


def test_a_judge_s_failed_tries_are_paid_for(tmp_path: Path) -> None:
    dear = config(f"{HERE}:Scripted", judge=f"{HERE}:DearAndFailing", mode="free")
    with pytest.raises(CostLimitError, match=r"cost limit of 2 USD is reached \(2\.0000 spent\)"):
        pool.run(dear, tmp_path / "run", limit_cost=2.0)


def test_a_changed_dataset_is_a_changed_configuration(tmp_path: Path) -> None:
    data = tmp_path / "puzzles.jsonl"
    puzzle = {"id": "a", "title": "A", "setup": "It is wet.", "solution": "It rained."}
    data.write_text(json.dumps(puzzle) + "\n")
    free = RunConfig((Cell(ENV, {"mode": "free", "dataset": str(data)}, "rule", f"{HERE}:Strict"),), 1)
    pool.run(free, tmp_path / "run")
    data.write_text(json.dumps(puzzle | {"solution": "A pipe broke."}) + "\n")
    with pytest.raises(ConfigError, match=r"the configuration changed: content\[0\]\.data_sha256 was"):
        pool.run(free, tmp_path / "run", resume=True)


def test_a_late_reply_is_counted_but_not_played(tmp_path: Path) -> None:
    slow = RunConfig((Cell(ENV, {"budget": 1}, f"{HERE}:SlowModel"),), 1, time_limit=0.02)
    store = pool.run(slow, tmp_path / "run")
    record = store.record(store.rows()[0])
    assert [step["action"] for step in record["steps"]] == ["<timeout/>"]
    assert record["cost"] == pytest.approx(0.1)
    assert not [thread for thread in threading.enumerate() if thread.name == "thinking"]


def test_one_person_plays_one_episode_at_a_time(tmp_path: Path) -> None:
    Person.at_once = Person.most = 0
    pool.run(config(f"{HERE}:Person", episodes=4), tmp_path / "run", workers=4)
    assert Person.most == 1


@pytest.mark.parametrize("broken", ["reset", "finish"])
def test_a_bug_anywhere_in_an_agent_is_named(tmp_path: Path, broken: str) -> None:
    with pytest.raises(ConfigError, match=rf"{broken.title()}' failed.*: ZeroDivisionError"):
        pool.run(config(f"{HERE}:Bad{broken.title()}", episodes=1), tmp_path / "run")


def test_a_record_holds_the_defaults_it_was_played_with(tmp_path: Path) -> None:
    store = pool.run(config("random", episodes=1), tmp_path / "run")
    arguments = store.record(store.rows()[0])["env"]["arguments"]
    assert (arguments["mode"], arguments["budget"], arguments["retries"]) == ("menu", "standard", 0)
    assert "judge" not in arguments


def test_a_judge_given_as_an_argument_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="the judge of a cell is its judge, not an argument: 'offline'"):
        pool.run(RunConfig((Cell(ENV, {"judge": "offline"}, "random"),), 1), tmp_path / "run")


def test_a_cost_limit_is_refused_where_a_price_is_unknown(tmp_path: Path) -> None:
    with pytest.raises(CostLimitError, match=r"price of agent '.+Unpriced' is unknown"):
        pool.run(config(f"{HERE}:Unpriced"), tmp_path / "run", limit_cost=1.0)
    store = pool.run(config(f"{HERE}:Unpriced", episodes=1), tmp_path / "run")
    assert store.rows()[0].cost is None


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (Cell(ENV, {}, "randon"), "unknown agent 'randon'; did you mean 'random'"),
        (Cell("ibench/SituationPuzle-v1", {}, "random"), "did you mean 'ibench/SituationPuzzle-v1'"),
        (Cell(ENV, {"mod": "menu"}, "random"), "did you mean 'mode'"),
        (Cell(ENV, {}, "random", "ofline"), "unknown judge 'ofline'; did you mean 'offline'"),
        (Cell(ENV, {"mode": "menus"}, "random"), "unknown mode 'menus'; did you mean 'menu'"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is(tmp_path: Path, wrong: Cell, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        pool.run(RunConfig((Cell(ENV, {}, "random"), wrong), 1), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_arguments_at_their_default_do_not_change_the_seeds() -> None:
    plain, spelled = Cell(ENV, {}, "random"), Cell(ENV, {"mode": "menu", "retries": 0, "judge": "llm:x/y"}, "random")
    assert episode.cell_key(plain) == episode.cell_key(spelled) == ENV + "{}"
    assert episode.cell_key(Cell(ENV, {"budget": 5}, "random")) == ENV + '{"budget":5}'


class Free(Scripted):
    script = ("Q: Was it dark?", "FINAL: because of the moon", "FINAL: so it goes", *["FINAL: because"] * 20)


class Certain(Free):
    script = ("FINAL: because",) * 20


def test_rescore_changes_the_verdicts_and_asks_nobody(tmp_path: Path) -> None:
    lenient = RunConfig((Cell(ENV, {"mode": "free"}, f"{HERE}:Free", f"{HERE}:Strict"),), 2)
    store = pool.run(lenient, tmp_path / "run")
    assert [row.outcome for row in store.rows()] == ["unscored", "unscored"]
    result = rescore.rescore(store, Strict("moons"))
    (cell,) = result["cells"]
    assert (cell["before"]["value"], cell["now"]["value"], cell["n"]) == (1.0, 0.0, 2)
    assert cell["confusion"] == [
        {"before": "correct", "now": "incorrect", "count": 2},
        {"before": "no", "now": "no", "count": 2},
    ]
    assert rescore.rescore(store, Failing())["cells"][0]["judge_errors"] == 2


def test_rescore_says_so_when_nothing_was_judged(tmp_path: Path) -> None:
    store = pool.run(config("random"), tmp_path / "run")
    with pytest.raises(ConfigError, match="menu mode needs no judge"):
        rescore.rescore(store, Strict())


def test_replay_names_the_first_difference(tmp_path: Path) -> None:
    store = pool.run(config(f"{HERE}:Scripted", episodes=1), tmp_path / "run")
    record = store.record(store.rows()[0])
    changed = json.loads(json.dumps(record))
    changed["steps"][1]["observation"] += "!"
    assert str(replay.mismatch(EpisodeRecord.from_json(changed))).startswith("step 2: the observation was ")
    changed = {**record, "reward": 0.7}
    assert str(replay.mismatch(EpisodeRecord.from_json(changed))).startswith("the reward 0.7 is not the sum")
    changed = json.loads(json.dumps(record))
    changed["steps"][0]["reward"] = 0.5
    assert replay.mismatch(EpisodeRecord.from_json(changed)) == "step 1: the reward was 0.5, now 0.0"
    changed = {**record, "outcome": "timeout"}
    assert str(replay.mismatch(EpisodeRecord.from_json(changed))).startswith("after 4 steps: outcome was 'timeout'")
    other = {**record, "env": {**record["env"], "data_sha256": "0" * 64}}
    with pytest.raises(ConfigError, match="was played with other data"):
        replay.mismatch(EpisodeRecord.from_json(other))
