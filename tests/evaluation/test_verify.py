"""A run that is what it says is accepted and stamped; each way to change it is found, and called by its name."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from interactive_envs.agent import resolve_agent
from interactive_envs.api import evaluate
from interactive_envs.cli.main import main
from interactive_envs.evaluation.run import pool
from interactive_envs.evaluation.run.stepping import Stack
from interactive_envs.evaluation.verify import FILE, is_verified, verify
from interactive_envs.making import make
from interactive_envs.reporting.records import ROW_FIELDS, EpisodeRecord, row_of
from interactive_envs.reporting.store import RunStore
from interactive_envs.seeds import canonical_json

QUERY = "ibench/Query-graph-abductive-likely-bridge-edges-of-two-by-smallest-triangles-edges-v1"
Change = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two players of a query game, and two of a game with an opponent."""
    folder = tmp_path_factory.mktemp("verify")
    evaluate([QUERY], ["reference", "random"], episodes=2, out=folder / "query")
    evaluate(["ibench/TrustGame-v1"], ["tft", "random"], episodes=1, out=folder / "trust")
    evaluate(["ibench/Math-v1"], ["random"], episodes=1, seed=1, out=folder / "judged", on_note=lambda _: None)
    return folder


@pytest.fixture
def runs(honest: Path, tmp_path: Path) -> Path:
    shutil.copytree(honest, tmp_path / "runs")
    return tmp_path / "runs"


def change(run: Path, edit: Change, number: int = 0) -> None:
    """Change a record as somebody would who knows the format: the index and its checksums fit again."""
    store = RunStore.read_only(run)
    records = [store.record(row) for row in store.rows()]
    edit(records[number])
    write(run, records)


def write(run: Path, records: list[dict[str, Any]]) -> None:
    shutil.copy(run / "config.json", run / "config.kept")
    for name in ("episodes.jsonl", "index.jsonl", "config.json"):
        (run / name).unlink()
    config = RunStore.read_only(_config(run)).config
    with RunStore.create(run, config) as store:
        for record in records:
            store.append(record)
    shutil.move(run / "config.kept", run / "config.json")


def _config(run: Path) -> Path:
    folder = run / "kept"
    folder.mkdir(exist_ok=True)
    shutil.copy(run / "config.kept", folder / "config.json")
    return folder


def configure(run: Path, edit: Change) -> None:
    content = json.loads((run / "config.json").read_text())
    edit(content)
    (run / "config.json").write_text(json.dumps(content))


def checks(run: Path) -> set[str]:
    return {finding.check for finding in verify(run).findings}


@pytest.mark.parametrize("name", ["query", "trust", "judged"])
def test_an_honest_run_is_stamped_until_it_changes(runs: Path, name: str) -> None:
    verified = verify(runs / name)
    assert verified.findings == ()
    assert is_verified(runs / name)
    assert json.loads((runs / name / FILE).read_text())["episodes"] == verified.episodes
    with (runs / name / "summary.json").open("a") as file:
        file.write(" ")
    assert not is_verified(runs / name)


def _win(record: dict[str, Any]) -> None:
    record["reward"], record["outcome"] = 1.0, "success"


def _other_reply(record: dict[str, Any]) -> None:
    record["steps"][0]["reply"] += " "


def _better_play(record: dict[str, Any]) -> None:
    """The steps that another player took on the same case."""
    kept = {name: record[name] for name in ("cell", "agent")}
    record |= json.loads(json.dumps(OTHER)) | kept


def _fewer_mistakes(record: dict[str, Any]) -> None:
    record["invalid"] += 1


def _other_seed(record: dict[str, Any]) -> None:
    record["seed"] += 1


def _other_arguments(record: dict[str, Any]) -> None:
    record["env"]["arguments"]["difficulty"] = 5


def _other_data(record: dict[str, Any]) -> None:
    record["env"]["data_sha256"] = "0" * 64


def _other_prompt(record: dict[str, Any]) -> None:
    record["agent"]["prompt_sha256"] = "0" * 64


def _other_case(record: dict[str, Any]) -> None:
    record["case"] = "another"


def _own_words(record: dict[str, Any]) -> None:
    call = {"model": "m", "messages": [{"role": "system", "content": "win"}], "messages_before": 0, "text": "else"}
    call |= {"finish_reason": "stop", "usage": {"prompt": 1, "completion": 1, "reasoning": 0}, "cost": 0.0}
    call |= {"latency": 0.1, "model_version": None, "refused_parameters": [], "attempts": 1, "from_cache": False}
    record["steps"][0]["calls"] = [call]


OTHER: dict[str, Any] = {}


@pytest.mark.parametrize(
    ("edit", "check"),
    [
        (_win, "replay"),
        (_other_reply, "replay"),
        (_better_play, "player"),
        (_fewer_mistakes, "counts"),
        (_other_seed, "seed"),
        (_other_arguments, "arguments"),
        (_other_data, "replay"),
        (_other_prompt, "player"),
        (_other_case, "replay"),
        (_own_words, "calls"),
    ],
)
def test_a_changed_episode_is_found(runs: Path, edit: Change, check: str) -> None:
    store = RunStore.read_only(runs / "query")
    rows = store.rows()
    OTHER.clear()
    OTHER.update({name: value for name, value in store.record(rows[0]).items() if name != "seed"})
    change(runs / "query", edit, number=2)  # the first episode of the random player
    assert check in checks(runs / "query")
    assert not (runs / "query" / FILE).exists()


def forge(record: dict[str, Any]) -> None:
    """Make everything that follows from a record's actions, verdicts and opponents follow from them again."""
    typed = EpisodeRecord.from_json(record)
    stack = Stack(make(typed.env.id, **typed.env.arguments))
    env = stack.base
    if record["game"]:
        env.follow(record["game"])
    seen, info = stack.reset(typed.seed, typed.case if env.cases else None)
    steps, over = [], False
    for step in typed.steps:
        if over:
            break
        reply, reward, over, _, info = stack.step(step.action, lambda _, verdict=step.verdict: verdict)
        told = {"observation": str(seen), "reply": str(reply), "reward": float(reward)}
        steps.append(step.to_json() | told | {name: info[name] for name in ("kind", "valid", "reason")})
        seen = reply
    record |= {"steps": steps, "final_observation": str(seen), "reward": sum(step["reward"] for step in steps)}
    record |= {name: info.get(name) for name in ("outcome", "won_by", "first_final", "solution")}
    kinds = [step["kind"] for step in steps]
    record |= {"turns": info.get("turns", len(steps)), "queries": kinds.count("query") + kinds.count("move")}
    record |= {"finals": kinds.count("final"), "invalid": sum(not step["valid"] for step in steps)}
    record["abstained"] = sum(bool(step["verdict"] and step["verdict"].get("abstained")) for step in steps)
    env.close()


def summarised(run: Path) -> Path:
    """The summary fits, too."""
    pool.finish(RunStore.read_only(run))
    return run


def test_an_opponent_that_was_made_to_play_badly_is_found(runs: Path) -> None:
    def kind(record: dict[str, Any]) -> None:
        """As if the other had always cooperated, with all that follows from it."""
        for text in record["game"]["texts"]:
            if text["seat"] == 1:
                text["text"] = "<move>COOPERATE</move>"
        forge(record)
        record["outcome"] = "scored"

    change(runs / "trust", kind, number=1)
    assert checks(summarised(runs / "trust")) == {"opponents"}


def test_failures_that_were_dropped_are_missed(runs: Path) -> None:
    store = RunStore.read_only(runs / "query")
    write(runs / "query", [store.record(row) for row in store.rows() if row.outcome == "success"])
    assert "missing" in checks(runs / "query")


@pytest.mark.parametrize(
    ("edit", "check"),
    [
        (lambda config: config["content"][0].update(data_sha256="0" * 64), "data"),
        (lambda config: config["content"][0]["agent"].update(prompt="kinder"), "player"),
        (lambda config: config.update(seed=5), "seed"),
        (lambda config: config.update(suite="core-v1 small"), "suite"),
        (lambda config: config.update(suite="core-v0 small"), "suite"),
        (lambda config: config.update(content=[]), "content"),
        (lambda config: config["cells"][0]["arguments"].update(difficulty=2), "arguments"),
    ],
)
def test_a_changed_configuration_is_found(runs: Path, edit: Change, check: str) -> None:
    configure(runs / "query", edit)
    assert check in checks(runs / "query")


def test_a_verdict_that_the_judge_did_not_give_is_found(runs: Path) -> None:
    def believe(record: dict[str, Any]) -> None:
        """As if the judge had believed every answer, with all that follows from it."""
        for step in record["steps"]:
            if step["verdict"]:
                step["verdict"] |= {"label": "correct", "abstained": False}
        forge(record)

    change(runs / "judged", believe)
    assert checks(summarised(runs / "judged")) == {"verdict"}


def test_a_stamp_goes_once_something_is_wrong(runs: Path) -> None:
    verify(runs / "query")
    (runs / "query" / "summary.json").unlink()
    verify(runs / "query")
    assert not (runs / "query" / FILE).exists()


def test_a_suite_that_this_machine_cannot_play_whole_is_not_called_another(
    runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacking(*_: Any, on_note: Callable[[str], None], **__: Any) -> Any:
        on_note("Pages is left out: no Chromium")

    monkeypatch.setattr("interactive_envs.evaluation.core.suite.plan", lacking)
    configure(runs / "query", lambda config: config.update(suite="core-v1 small"))
    verified = verify(runs / "query")
    assert "suite" not in {finding.check for finding in verified.findings}
    assert any("Pages is left out" in note for note in verified.notes)


@pytest.mark.parametrize(
    ("spec", "env_id", "repeats"),
    [
        ("random", QUERY, True),
        ("mcts", "ibench/Game-v1", True),
        ("mcts?time=0.1", "ibench/Game-v1", False),
        ("minimax?time=0.1", "ibench/Game-v1", False),
        ("local", QUERY, False),
        ("human", QUERY, False),
    ],
)
def test_players_say_whether_they_would_do_the_same_again(spec: str, env_id: str, repeats: bool) -> None:
    assert resolve_agent(spec, env_id)().repeats is repeats


def test_a_summary_of_other_episodes_is_found(runs: Path) -> None:
    path = runs / "query" / "summary.json"
    path.write_text(path.read_text().replace('"n_valid": 2', '"n_valid": 3'))
    assert checks(runs / "query") == {"summary"}
    (runs / "query" / "summary.json").unlink()
    assert checks(runs / "query") == {"summary"}


def test_an_index_that_says_something_else_is_found(runs: Path) -> None:
    import zlib

    store = RunStore.read_only(runs / "query")
    offset, line, record = next(store.records())
    row = row_of(record, offset, line)
    values = [99 if name == "turns" else getattr(row, name) for name in ROW_FIELDS]
    lines = (runs / "query" / "index.jsonl").read_bytes().splitlines(keepends=True)
    content = canonical_json(values).encode().removesuffix(b"]")
    lines[0] = content + b",%d]\n" % zlib.crc32(content)
    (runs / "query" / "index.jsonl").write_bytes(b"".join(lines))
    assert "index" in checks(runs / "query")


def test_several_workers_find_what_one_finds(runs: Path) -> None:
    change(runs / "query", lambda record: record.update(reward=0.5), number=3)
    counts: dict[int, list[int]] = {1: [], 2: []}
    found = {number: verify(runs / "query", workers=number, progress=counts[number].append) for number in counts}
    assert found[1] == found[2]
    assert found[1].findings
    assert [sum(of_one) for of_one in counts.values()] == [4, 4]


def test_a_sample_is_checked_and_gives_no_stamp(runs: Path) -> None:
    assert verify(runs / "query", sample=3).episodes == 3
    assert not is_verified(runs / "query")
    said = CliRunner().invoke(main, ["verify", str(runs / "query"), "--sample", "1"])
    assert said.output == f"Nothing is wrong with 1 of 4 episodes of {runs / 'query'}. No stamp: a sample.\n"
    for number in range(4):
        change(runs / "query", lambda record: record.update(reward=0.5), number)
    assert "replay" in {finding.check for finding in verify(runs / "query", sample=1).findings}


def test_the_command_says_what_it_found_and_fails(runs: Path) -> None:
    ran = CliRunner().invoke(main, ["verify", str(runs / "trust")])
    assert (ran.exit_code, ran.output.splitlines()[-1]) == (0, f"Verified: 2 episodes of {runs / 'trust'}.")
    change(runs / "query", _win, number=2)
    ran = CliRunner().invoke(main, ["verify", str(runs / "query")])
    assert ran.exit_code == 1
    assert "replay: episode 1-0-0" in ran.output
    assert f"{runs / 'query'} is not what it says" in ran.output
