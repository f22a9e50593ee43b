"""The pipeline with a small kind: asking, checking, mending, waiting, and going on after a crash."""

from __future__ import annotations

import dataclasses
import json
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from interactive_envs.errors import ConfigError
from interactive_envs.game_generation.batch import Reply
from interactive_envs.game_generation.engine import Ask, Done, Kind, Work, advance, run_stage, step
from interactive_envs.game_generation.pool import Candidate, Pool, Ruling, held


class Numbers(Kind):
    """A file with a number from 1 to 9 that no candidate before it has; a second model says whether it is odd."""

    name = "number"
    files: ClassVar[tuple[str, ...]] = ("number.txt",)
    stages: ClassVar[tuple[str, ...]] = ("range", "reading", "novelty")
    ordered: ClassVar[frozenset[str]] = frozenset({"novelty"})

    def first(self, wish: Mapping[str, Any]) -> tuple[str, str]:
        return "Write number.txt.", str(wish.get("idea", "Any number."))

    @classmethod
    def varied(cls, number: int, wish: Mapping[str, Any]) -> dict[str, Any]:
        return {"idea": f"The number {number}.", **wish}

    def plays(self, files: Mapping[str, str]) -> str:
        return "ibench/Numbers-v1"

    def title(self, files: Mapping[str, str]) -> str:
        return files["number.txt"]

    def question(self, stage: str, candidate: Candidate, files: Mapping[str, str]) -> tuple[str, str] | None:
        return ("Odd or even?", files["number.txt"]) if stage == "reading" else None

    def check(self, stage: str, candidate: Candidate, files: Mapping[str, str], earlier: Sequence[Candidate]) -> Ruling:
        number = files["number.txt"].strip()
        if stage == "range":
            return self._ruling(candidate, stage, number in set("123456789"), f"{number} is not from 1 to 9")
        if stage == "reading":
            said = candidate.since_written()[-1].reply.text  # type: ignore[union-attr]
            return self._ruling(
                candidate, stage, said == ("odd" if int(number) % 2 else "even"), "the reader disagrees"
            )
        taken = {one.written[-1].reply.text for one in earlier if one.written}
        return self._ruling(candidate, stage, candidate.written[-1].reply.text not in taken, "it is taken")

    def _ruling(self, candidate: Candidate, stage: str, good: bool, why: str) -> Ruling:
        return Ruling(stage, candidate.rounds, "pass" if good else "fail", () if good else ((stage, why),))


def file(number: object) -> str:
    return f"```text number.txt\n{number}\n```"


SCRIPT = {
    "number-0001-write-0": file(3),
    "number-0001-reading-0": "odd",
    "number-0002-write-0": "No.",
    "number-0002-repair-1": file(12),
    "number-0002-repair-2": file(4),
    "number-0002-reading-2": "even",
    "number-0003-write-0": file(3),
    "number-0003-reading-0": "odd",
    "number-0003-repair-1": file(5),
    "number-0003-reading-1": "even",
    "number-0003-repair-2": file(5),
    "number-0003-reading-2": "odd",
    "number-0004-write-0": file(0),
    "number-0004-repair-1": file(0),
    "number-0004-repair-2": file(0),
}


def pool(path: Path, count: int = 4) -> Pool:
    return Pool(path, {"kind": "numbers", "wishes": [{}] * count})


def scripted(asked: list[Ask]) -> Callable[[Ask], Reply | None]:
    def answer(ask: Ask) -> Reply | None:
        asked.append(ask)
        return Reply(SCRIPT[ask.custom_id]) if ask.custom_id in SCRIPT else None

    return answer


def ends(found: Pool) -> list[Ask | Work | Done]:
    return [step(Numbers(), candidate, 2) for candidate in found.candidates()]


def logs(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted((path / "candidates").iterdir())}


@pytest.mark.parametrize("workers", [1, 4])
def test_candidates_are_asked_for_checked_and_mended(tmp_path: Path, workers: int) -> None:
    asked: list[Ask] = []
    found = pool(tmp_path)
    assert advance(Numbers(), found, scripted(asked), repairs=2, workers=workers) == []
    assert ends(found) == [Done(True), Done(True), Done(True), Done(False, "range")]
    assert [candidate.rounds for candidate in found.candidates()] == [0, 2, 2, 2]
    assert sorted(ask.custom_id for ask in asked) == sorted(SCRIPT)


def test_a_repair_has_the_wish_the_last_reply_and_the_reasons(tmp_path: Path) -> None:
    asked: list[Ask] = []
    advance(Numbers(), pool(tmp_path), scripted(asked), repairs=2)
    (repair,) = [ask for ask in asked if ask.custom_id == "number-0002-repair-2"]
    assert [message["role"] for message in repair.messages] == ["system", "user", "assistant", "user"]
    assert repair.messages[2]["content"] == file(12)
    assert "- range: 12 is not from 1 to 9" in repair.messages[3]["content"]
    (first,) = [ask for ask in asked if ask.custom_id == "number-0002-repair-1"]
    assert "- no code: The reply has no fenced block with number.txt." in first.messages[3]["content"]


def test_the_reader_sees_nothing_of_the_writer(tmp_path: Path) -> None:
    asked: list[Ask] = []
    advance(Numbers(), pool(tmp_path), scripted(asked), repairs=2)
    reading = [ask for ask in asked if ask.reader]
    assert [message["content"] for message in reading[0].messages] == ["Odd or even?", "3\n"]
    assert all(len(ask.messages) == 2 for ask in reading)


def test_without_replies_everything_waits_and_goes_on_with_them(tmp_path: Path) -> None:
    found = pool(tmp_path)
    waiting = advance(Numbers(), found, lambda ask: None, repairs=2)
    assert [ask.custom_id for ask in waiting] == [f"number-000{number}-write-0" for number in range(1, 5)]
    assert [message["content"] for message in waiting[0].messages] == ["Write number.txt.", "Any number."]
    while waiting:
        batch = {ask.custom_id: Reply(SCRIPT[ask.custom_id]) for ask in waiting}
        found = Pool(tmp_path)
        waiting = advance(Numbers(), found, lambda ask, batch=batch: batch.get(ask.custom_id), repairs=2)
    assert ends(found) == [Done(True), Done(True), Done(True), Done(False, "range")]


def test_a_fault_is_nobodys_mistake_and_is_asked_again(tmp_path: Path) -> None:
    found = pool(tmp_path, 1)
    (waiting,) = advance(Numbers(), found, lambda ask: Reply("", fault="status 500"), repairs=2)
    assert waiting.custom_id == "number-0001-write-0"
    assert found.candidate(1).entries == ()
    assert advance(Numbers(), found, scripted([]), repairs=2) == []


def test_a_pool_that_was_killed_anywhere_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    """Every beginning of every log, cut at each line and within one, is what a kill can leave."""
    advance(Numbers(), pool(tmp_path / "whole"), scripted([]), repairs=2)
    whole = logs(tmp_path / "whole")
    for number in range(1, 5):
        content = whole[f"{number:04d}.jsonl"]
        ends_of_lines = [place + 1 for place, byte in enumerate(content) if byte == ord("\n")]
        for cut in (0, 1, *ends_of_lines, *(end - 2 for end in ends_of_lines)):
            home = tmp_path / f"{number}-{cut}"
            pool(home)
            for name, data in whole.items():
                place = int(name[:4])
                if place < number:
                    (home / "candidates" / name).write_bytes(data)
                elif place == number and cut:
                    (home / "candidates" / name).write_bytes(data[:cut])
            advance(Numbers(), Pool(home), scripted([]), repairs=2)
            assert logs(home) == whole, (number, cut)


def test_no_line_of_a_log_holds_a_time(tmp_path: Path) -> None:
    advance(Numbers(), pool(tmp_path), scripted([]), repairs=2)
    first = json.loads((tmp_path / "candidates" / "0001.jsonl").read_text("utf-8").splitlines()[0])
    assert first == {
        "kind": "call",
        "stage": "write",
        "round": 0,
        "prompt_sha256": first["prompt_sha256"],
        "reply": {
            "text": file(3),
            "model": "",
            "finish": "stop",
            "usage": {"prompt": 0, "completion": 0, "reasoning": 0, "cached": 0},
            "cost": None,
            "fault": "",
        },
    }


def test_a_pool_keeps_to_what_it_was_begun_with(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"is no pool: it has no pool.json; make one with ibench generate games, boxes or"
    ):
        Pool(tmp_path)
    pool(tmp_path)
    with pytest.raises(ConfigError, match=r"is a pool of numbers; go on with: ibench generate numbers"):
        Pool(tmp_path, {"kind": "letters"})
    with pytest.raises(ConfigError, match=r"has requests of version None, not 3; begin a new pool"):
        Pool(tmp_path, {"prompts": 3})
    with pytest.raises(ConfigError, match=r"was begun with repairs = None, not 3: leave the option out, or"):
        Pool(tmp_path, {"repairs": 3})
    with (
        held(tmp_path),
        pytest.raises(ConfigError, match="another process is making the pool"),
        held(tmp_path),
    ):
        pass
    (candidate, *_), closed = pool(tmp_path).candidates(), pool(tmp_path)
    closed.close()
    with pytest.raises(ConfigError, match="has ended"):
        closed.append(candidate, Ruling("range", 0, "pass"))
    (tmp_path / "pool.json").write_text('{"format": 99}', encoding="utf-8")
    with pytest.raises(ConfigError, match="has format 99, and 3 is read; begin a new pool"):
        Pool(tmp_path)


def test_an_error_of_a_check_stops_the_run_and_loses_nothing(tmp_path: Path) -> None:
    class Broken(Numbers):
        def check(self, stage: str, *given: Any) -> Ruling:
            if stage == "reading":
                raise RuntimeError("a bug")
            return super().check(stage, *given)

    with pytest.raises(RuntimeError, match="a bug"):
        advance(Broken(), pool(tmp_path), scripted([]), repairs=2)
    found = Pool(tmp_path)
    assert advance(Numbers(), found, scripted([]), repairs=2) == []
    assert ends(found)[0] == Done(True)


def test_a_reader_of_a_pool_leaves_a_line_that_is_being_written_alone(tmp_path: Path) -> None:
    advance(Numbers(), pool(tmp_path), scripted([]), repairs=2)
    whole, log = logs(tmp_path), tmp_path / "candidates" / "0001.jsonl"
    log.write_bytes(whole["0001.jsonl"][:-10])
    begun = log.read_bytes()
    assert len(Pool(tmp_path).candidate(1).entries) == len(whole["0001.jsonl"].splitlines()) - 1
    assert log.read_bytes() == begun
    advance(Numbers(), Pool(tmp_path), scripted([]), repairs=2)
    assert logs(tmp_path) == whole


def test_ctrl_c_at_any_entry_loses_nothing(tmp_path: Path) -> None:
    advance(Numbers(), pool(tmp_path / "whole"), scripted([]), repairs=2, workers=1)
    told = list[str]()
    main = threading.main_thread().ident
    assert main is not None

    def interrupt(candidate: Candidate, news: str) -> None:
        told.append(news)
        signal.pthread_kill(main, signal.SIGINT)

    pool(tmp_path / "begun")
    for number in range(1, 99):
        try:
            advance(Numbers(), Pool(tmp_path / "begun"), scripted([]), repairs=2, workers=1, report=interrupt)
        except KeyboardInterrupt:
            entries = [entry for one in Pool(tmp_path / "begun").candidates() for entry in one.entries]
            assert len(entries) == len(told) == number
        else:
            break
    assert logs(tmp_path / "begun") == logs(tmp_path / "whole")


def test_each_stage_can_be_run_again_alone_and_rules_the_same(tmp_path: Path) -> None:
    found = pool(tmp_path)
    advance(Numbers(), found, scripted([]), repairs=2)
    candidates = found.candidates()
    for candidate in candidates:
        for place, entry in enumerate(candidate.entries):
            if isinstance(entry, Ruling):
                before = dataclasses.replace(candidate, entries=candidate.entries[:place])
                again = run_stage(Numbers(), entry.stage, before, candidates[: candidate.number - 1])
                assert again == entry
