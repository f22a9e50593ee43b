"""Runs: what a record says, how faults are kept apart, and that nothing depends on the order of things."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.agent import Agent
from interactive_envs.core import JudgeRequest, ModelCall, Usage, Verdict
from interactive_envs.errors import ConfigError, CostLimitError, JudgeError, ProviderError
from interactive_envs.evaluation import replay, rescore, runner
from interactive_envs.evaluation.records import Cell, RunConfig, RunStore
from interactive_envs.judges.base import Judge

ENV = "ibench/SituationPuzzle-v0"
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
        self._call = ModelCall("fake/model", self._sent, text, "stop", Usage(10, 5, 2, 1), self.cost)
        return text

    def drain_calls(self) -> list[ModelCall]:
        return [self._call]


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


class Failing(Judge):
    def judge(self, request: JudgeRequest) -> Verdict:
        raise JudgeError("no verdict")


def config(agent: str, *, episodes: int = 3, judge: str | None = None, **arguments: Any) -> RunConfig:
    return RunConfig((Cell(ENV, arguments, agent, judge),), episodes)


def test_a_record_says_everything_that_happened(tmp_path: Path) -> None:
    store = runner.run(config(f"{HERE}:ModelLike", episodes=1), tmp_path / "run")
    (row,) = store.rows()
    record = store.record(row)
    assert [step["kind"] for step in record["steps"]] == ["query", "query", "invalid", "final"]
    assert [step["valid"] for step in record["steps"]] == [True, True, False, True]
    assert record["steps"][2]["reason"] == "I found no action; write <ask>…</ask> or <answer>…</answer>."
    assert record["steps"][0]["observation"].startswith("A situation puzzle.")
    assert record["steps"][1]["observation"] == record["steps"][0]["reply"]
    assert (record["turns"], record["queries"], record["finals"], record["invalid"]) == (4, 2, 1, 1)
    assert record["tokens"] == {"prompt": 40, "completion": 20, "reasoning": 8, "cached": 4}
    assert record["cost"] == pytest.approx(0.4)
    assert [len(step["calls"][0]["messages"]) for step in record["steps"]] == [1, 1, 1, 1]
    assert [step["calls"][0]["messages_before"] for step in record["steps"]] == [0, 1, 2, 3]
    assert record["outcome"] == ("success" if record["reward"] else "failure")
    assert record["env"]["key"] == ENV + "{}"
    assert len(record["env"]["data_sha256"]) == 64
    assert replay.mismatch(record) is None


def test_every_agent_meets_the_same_seeds_and_cases_in_order(tmp_path: Path) -> None:
    cells = (Cell(ENV, {}, "random"), Cell(ENV, {"budget": 20}, "rule"))
    store = runner.run(RunConfig(cells, 14, seed=5), tmp_path / "run", workers=3)
    records = [store.record(row) for row in store.rows()]
    first, second = records[:14], records[14:]
    assert [r["seed"] for r in first] == [r["seed"] for r in second]
    assert len({r["seed"] for r in first}) == 14
    assert [(r["case_index"], r["epoch"]) for r in first] == [
        (i, e) for i in range(12) for e in ((0, 1) if i < 2 else (0,))
    ]
    assert [step["observation"] for step in (first[0]["steps"][0], second[0]["steps"][0])].count(
        first[0]["steps"][0]["observation"]
    ) == 2


def summary(folder: Path) -> bytes:
    return (folder / "summary.json").read_bytes()


@pytest.mark.parametrize(("workers", "backend"), [(4, "thread"), (2, "process")])
def test_the_summary_does_not_depend_on_workers(tmp_path: Path, workers: int, backend: str) -> None:
    cells = tuple(Cell(ENV, {}, agent) for agent in ("random", "rule", "reference"))
    runner.run(RunConfig(cells, 12), tmp_path / "one")
    runner.run(RunConfig(cells, 12), tmp_path / "many", workers=workers, backend=backend)
    assert summary(tmp_path / "one") == summary(tmp_path / "many")


def test_a_broken_endpoint_costs_no_episode_and_changes_no_score(tmp_path: Path) -> None:
    Flaky.tried.clear()
    heard: list[bool] = []
    store = runner.run(
        config(f"{HERE}:Flaky"), tmp_path / "flaky", progress=lambda job, record: heard.append(record is not None)
    )
    runner.run(config(f"{HERE}:Scripted"), tmp_path / "clean")
    flaky, clean = (json.loads(summary(tmp_path / name)) for name in ("flaky", "clean"))
    assert heard == [True, True, True]
    assert store.faults() == 3
    assert flaky["cells"][0]["accuracy"] == clean["cells"][0]["accuracy"]
    assert flaky["n_missing"] == 0


def test_an_endpoint_that_stays_down_leaves_episodes_for_resume(tmp_path: Path) -> None:
    heard: list[bool] = []
    store = runner.run(
        config(f"{HERE}:Broken", episodes=2),
        tmp_path / "run",
        progress=lambda job, record: heard.append(record is None),
    )
    assert heard == [True, True]
    assert (store.rows(), store.faults()) == ([], 2 * (1 + runner.EPISODE_RETRIES))
    faults = [json.loads(line) for line in (tmp_path / "run" / "faults.jsonl").read_text().splitlines()]
    assert {fault["fault"] for fault in faults} == {"provider_error"}
    assert json.loads(summary(tmp_path / "run"))["n_missing"] == 2


def test_a_failing_judge_is_a_fault_of_the_judge(tmp_path: Path) -> None:
    store = runner.run(config(f"{HERE}:Scripted", episodes=1, judge=f"{HERE}:Failing", mode="free"), tmp_path / "run")
    fault = json.loads((tmp_path / "run" / "faults.jsonl").read_text().splitlines()[0])
    assert (fault["fault"], fault["message"], store.rows()) == ("judge_error", "no verdict", [])


def test_a_bug_in_an_agent_stops_the_run_and_keeps_what_was_played(tmp_path: Path) -> None:
    cells = (Cell(ENV, {}, "random"), Cell(ENV, {}, f"{HERE}:Buggy"))
    with pytest.raises(ConfigError, match=r"Buggy' failed on case '.+': KeyError\('oops'\)"):
        runner.run(RunConfig(cells, 2), tmp_path / "run")
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
        runner.run(RunConfig(cells, 2), tmp_path / "run")
    assert json.loads(summary(tmp_path / "run"))["n_valid"] == 2
    stopped = runner.Spending(None)
    stopped.stop()
    with pytest.raises(runner.StoppedError, match="the run was stopped"):
        stopped.check()


def test_thinking_too_long_costs_a_round(tmp_path: Path) -> None:
    slow = RunConfig((Cell(ENV, {"budget": 2}, f"{HERE}:Slow"),), 1, time_limit=0.02)
    store = runner.run(slow, tmp_path / "run")
    record = store.record(store.rows()[0])
    assert [step["action"] for step in record["steps"]] == ["<timeout/>", "<timeout/>"]
    assert record["steps"][0]["reason"] == "The time limit for this action was exceeded."
    assert record["outcome"] == "timeout"


def test_resume_plays_only_what_is_missing(tmp_path: Path) -> None:
    heard: list[int] = []
    runner.run(config("rule", episodes=12), tmp_path / "whole")
    runner.run(config("rule", episodes=12), tmp_path / "run")
    lines = (tmp_path / "run" / "episodes.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "run" / "episodes.jsonl").write_bytes(b"".join(lines[:5]) + lines[5][:100])
    runner.run(
        config("rule", episodes=12), tmp_path / "run", resume=True, progress=lambda job, _: heard.append(job.case_index)
    )
    assert heard == [5, 6, 7, 8, 9, 10, 11]
    assert summary(tmp_path / "run") == summary(tmp_path / "whole")


def test_resume_refuses_a_changed_configuration(tmp_path: Path) -> None:
    runner.run(config("random"), tmp_path / "run")
    with pytest.raises(ConfigError, match=r"episodes was 3, now 4"):
        runner.run(config("random", episodes=4), tmp_path / "run", resume=True)


def test_a_run_is_not_overwritten(tmp_path: Path) -> None:
    runner.run(config("random"), tmp_path / "run")
    with pytest.raises(ConfigError, match="holds a run already; pass --resume"):
        runner.run(config("random"), tmp_path / "run")


def test_the_cost_limit_stops_the_run(tmp_path: Path) -> None:
    with pytest.raises(CostLimitError, match=r"cost limit of 0.6 USD is reached"):
        runner.run(config(f"{HERE}:ModelLike"), tmp_path / "run", limit_cost=0.6)
    assert len(RunStore.read_only(tmp_path / "run").rows()) == 1
    runner.run(config(f"{HERE}:ModelLike"), tmp_path / "run", resume=True, limit_cost=5.0)
    assert len(RunStore.read_only(tmp_path / "run").rows()) == 3


def test_a_cost_limit_is_refused_where_a_price_is_unknown(tmp_path: Path) -> None:
    with pytest.raises(CostLimitError, match=r"price of agent '.+Unpriced' is unknown"):
        runner.run(config(f"{HERE}:Unpriced"), tmp_path / "run", limit_cost=1.0)
    store = runner.run(config(f"{HERE}:Unpriced", episodes=1), tmp_path / "run")
    assert store.rows()[0].cost is None


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (Cell(ENV, {}, "randon"), "unknown agent 'randon'; did you mean 'random'"),
        (Cell("ibench/SituationPuzle-v0", {}, "random"), "did you mean 'ibench/SituationPuzzle-v0'"),
        (Cell(ENV, {"mod": "menu"}, "random"), "did you mean 'mode'"),
        (Cell(ENV, {}, "random", "ofline"), "unknown judge 'ofline'; did you mean 'offline'"),
        (Cell(ENV, {"mode": "menus"}, "random"), "unknown mode 'menus'; did you mean 'menu'"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is(tmp_path: Path, wrong: Cell, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        runner.run(RunConfig((Cell(ENV, {}, "random"), wrong), 1), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_arguments_at_their_default_do_not_change_the_seeds() -> None:
    plain, spelled = Cell(ENV, {}, "random"), Cell(ENV, {"mode": "menu", "budget": 20, "judge": "llm:x/y"}, "random")
    assert runner.cell_key(plain) == runner.cell_key(spelled) == ENV + "{}"
    assert runner.cell_key(Cell(ENV, {"budget": 5}, "random")) == ENV + '{"budget":5}'


class Free(Scripted):
    script = ("Q: Was it dark?", "FINAL: because of the moon", "FINAL: so it goes", *["FINAL: because"] * 20)


def test_rescore_changes_the_verdicts_and_asks_nobody(tmp_path: Path) -> None:
    lenient = RunConfig((Cell(ENV, {"mode": "free"}, f"{HERE}:Free", f"{HERE}:Strict"),), 2)
    store = runner.run(lenient, tmp_path / "run")
    assert [row.won_by for row in store.rows()] == ["round", "round"]
    result = rescore.rescore(store, Strict("moons"))
    (cell,) = result["cells"]
    assert (cell["accuracy_before"]["value"], cell["accuracy_now"]["value"], cell["n"]) == (1.0, 0.0, 2)
    assert cell["confusion"] == [
        {"before": "correct", "now": "incorrect", "count": 2},
        {"before": "no", "now": "no", "count": 2},
    ]
    assert rescore.rescore(store, Failing())["cells"][0]["judge_errors"] == 2


def test_rescore_says_so_when_nothing_was_judged(tmp_path: Path) -> None:
    store = runner.run(config("random"), tmp_path / "run")
    with pytest.raises(ConfigError, match="menu mode needs no judge"):
        rescore.rescore(store, Strict())


def test_replay_names_the_first_difference(tmp_path: Path) -> None:
    store = runner.run(config(f"{HERE}:Scripted", episodes=1), tmp_path / "run")
    record = store.record(store.rows()[0])
    changed = json.loads(json.dumps(record))
    changed["steps"][1]["observation"] += "!"
    assert str(replay.mismatch(changed)).startswith("step 2: the observation was ")
    changed = {**record, "outcome": "timeout"}
    assert str(replay.mismatch(changed)).startswith("after 4 steps: outcome was 'timeout'")
    other = {**record, "env": {**record["env"], "data_sha256": "0" * 64}}
    with pytest.raises(ConfigError, match="was played with other data"):
        replay.mismatch(other)
