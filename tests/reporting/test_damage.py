"""Damaged runs: every reader names the line, a resume sets it aside and plays it again, and nothing is played twice."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.passk import compare as comparing
from interactive_envs.evaluation.run import pool
from interactive_envs.evaluation.run import report as run_report
from interactive_envs.evaluation.tournament import play as tournament
from interactive_envs.evaluation.tournament import report as tournament_report
from interactive_envs.evaluation.tournament.play import Player, Tournament, TournamentStore
from interactive_envs.reporting import store as stores
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.system import disk
from interactive_envs.system.disk import write_atomically
from tests.full_disk import full_disk

PUZZLE, QUERY = "ibench/SituationPuzzle-v1", "ibench/Query-set-deductive-few-total-by-count-v1"
CONFIG = RunConfig((Cell(PUZZLE, {}, "random"), Cell(QUERY, {}, "random")), episodes=6, seed=4)
EPISODES = 12


def ibench(*arguments: object) -> Result:
    """A command in this process: what is no error of ours comes through as it is."""
    return CliRunner().invoke(main, [str(one) for one in arguments], catch_exceptions=False)


@pytest.fixture
def no_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages without charts and with two transcripts: writing them takes longer than all the rest."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr(run_report, "FILES", 2)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing happened to."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    pool.run(CONFIG, folder)
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path, no_charts: None) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(whole, tmp_path / "run"))


def lines_of(folder: Path, name: str = "episodes.jsonl") -> list[bytes]:
    return (folder / name).read_bytes().splitlines(keepends=True)


def write(folder: Path, lines: list[bytes], name: str = "episodes.jsonl") -> None:
    (folder / name).write_bytes(b"".join(lines))


def keys(folder: Path) -> list[tuple[int, int, int]]:
    found = map(json.loads, lines_of(folder))
    return sorted((record["cell"], record["case_index"], record["epoch"]) for record in found)


def in_line(change: Callable[[bytes], bytes], *, number: int = 2) -> Callable[[Path], None]:
    """Change a line of the episodes, counted from 0, and lose the index's word on it where its length changes."""

    def damage(folder: Path) -> None:
        lines = lines_of(folder)
        changed = change(lines[number])
        assert changed != lines[number]
        write(folder, [*lines[:number], changed, *lines[number + 1 :]])

    return damage


def without_index(damage: Callable[[Path], None]) -> Callable[[Path], None]:
    def both(folder: Path) -> None:
        damage(folder)
        (folder / "index.jsonl").unlink()

    return both


def put(place: float, content: bytes) -> Callable[[bytes], bytes]:
    """Overwrite bytes in the middle of a line."""

    def change(line: bytes) -> bytes:
        at = int(place * len(line))
        return line[:at] + content + line[at + len(content) :]

    return change


def field(**changes: Any) -> Callable[[bytes], bytes]:
    def change(line: bytes) -> bytes:
        return json.dumps(json.loads(line) | changes, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"

    return change


def without(*names: str) -> Callable[[bytes], bytes]:
    def change(line: bytes) -> bytes:
        record = {name: value for name, value in json.loads(line).items() if name not in names}
        return json.dumps(record).encode() + b"\n"

    return change


def digit(name: bytes) -> Callable[[bytes], bytes]:
    """Flip the lowest bit of a number's first digit: the JSON stays JSON."""

    def change(line: bytes) -> bytes:
        at = line.index(b'"%b":' % name) + len(name) + 3
        return line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]

    return change


def cut_in_the_middle(folder: Path) -> None:
    lines = lines_of(folder)
    write(folder, [*lines[:2], lines[2][: len(lines[2]) // 2], *lines[3:]])


def halves(folder: Path) -> None:
    """The head of a record and the tail of the next: JSON together, of the one case, with the end of the other."""
    lines = lines_of(folder)
    joined = b'"solution":'.join((lines[2].split(b'"solution":')[0], lines[3].split(b'"solution":')[1]))
    write(folder, [*lines[:2], joined, *lines[4:]])


def newline_gone(folder: Path) -> None:
    lines = lines_of(folder)
    write(folder, [*lines[:2], lines[2][:-1], *lines[3:]])


def newline_flipped(folder: Path) -> None:
    lines = lines_of(folder)
    write(folder, [*lines[:2], lines[2][:-1] + b"\x8a", *lines[3:]])


def zeros_over_two(folder: Path) -> None:
    content = bytearray((folder / "episodes.jsonl").read_bytes())
    end = sum(map(len, lines_of(folder)[:3]))
    content[end - 1000 : end + 1000] = bytes(2000)
    (folder / "episodes.jsonl").write_bytes(bytes(content))


def appended(content: Callable[[Path], bytes]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        with (folder / "episodes.jsonl").open("ab") as file:
            file.write(content(folder))

    return damage


def zeros_then_more(folder: Path) -> None:
    lines = lines_of(folder)
    write(folder, [*lines[:-1], bytes(4096), lines[-1]])


def index_row(**changes: Any) -> Callable[[Path], None]:
    """Another value in the third row of the index, as a flipped bit leaves it: the checksum stays what it was."""

    def damage(folder: Path) -> None:
        from interactive_envs.reporting.records import ROW_FIELDS

        rows = [json.loads(line) for line in lines_of(folder, "index.jsonl")]
        for name, value in changes.items():
            rows[2][ROW_FIELDS.index(name)] = value
        write(folder, [json.dumps(row, separators=(",", ":")).encode() + b"\n" for row in rows], "index.jsonl")

    return damage


def index(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[Path], None]:
    return lambda folder: write(folder, change(lines_of(folder, "index.jsonl")), "index.jsonl")


def text(name: str, content: bytes) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / name).write_bytes(content)

    return damage


LOST = {
    # What a line can suffer, and how many lines it costs.
    "a byte that is no UTF-8": (in_line(put(0.5, b"\xff")), 1),
    "a byte that is no JSON": (in_line(lambda line: line.replace(b'"steps":', b'"steps"{', 1)), 1),
    "a byte that is still JSON": (in_line(put(0.5, b"#")), 1),
    "the first byte": (in_line(put(0, b"[")), 1),
    "a digit of the case": (in_line(digit(b"case_index")), 1),
    "a digit of the epoch": (in_line(digit(b"epoch")), 1),
    "a digit of the cell": (in_line(digit(b"cell")), 1),
    "a digit of the reward": (in_line(digit(b"reward")), 1),
    "a digit of the seed": (in_line(digit(b"seed")), 1),
    "zeros within a line": (in_line(put(0.5, bytes(64))), 1),
    "zeros over two lines": (zeros_over_two, 2),
    "a whole line of zeros": (in_line(lambda line: bytes(len(line) - 1) + b"\n"), 1),
    "a line cut in the middle of the file": (cut_in_the_middle, 1),
    "a newline within": (in_line(put(0.5, b"\n")), 1),
    "a word less": (in_line(lambda line: line.replace(b" the ", b" ", 1)), 1),
    "a word more": (in_line(lambda line: line.replace(b" the ", b" the the ", 1)), 1),
    "two halves": (halves, 2),
    "a terminal's escape in the case": (in_line(lambda line: line.replace(b'"case":"', b'"case":"\x1b[2J', 1)), 1),
    "no object": (in_line(lambda line: b"[1, 2]\n"), 1),
    "a number": (in_line(lambda line: b"7\n"), 1),
    "a field is missing": (in_line(without("outcome")), 1),
    "the tokens are missing": (in_line(without("tokens")), 1),
    "the steps are missing": (in_line(without("steps")), 1),
    "a field of another type": (in_line(field(turns="3")), 1),
    "the steps are a number": (in_line(field(steps=5)), 1),
    "steps that are none": (in_line(field(steps=[{}, 1])), 1),
    "the tokens are a list": (in_line(field(tokens=[1])), 1),
    "the agent is none": (in_line(field(agent=None)), 1),
    "another schema": (in_line(field(schema=99)), 1),
    "a case beyond the plan": (in_line(field(case_index=600)), 1),
    "a cell that is not there": (in_line(field(cell=17)), 1),
    "a cell below 0": (in_line(field(cell=-1)), 1),
    "an outcome that is none": (in_line(field(outcome="succes")), 1),
    "a reward that is no number": (in_line(field(reward=float("nan"))), 1),
    "a reward without a bound": (in_line(field(reward=float("inf"))), 1),
    "deep nesting": (in_line(lambda line: b"[" * 100_000 + b"\n"), 1),
    "a number of 5,000 digits": (in_line(lambda line: re.sub(rb'"turns":\d+', b'"turns":' + b"9" * 5000, line)), 1),
    "a number of 4,000 digits": (in_line(lambda line: re.sub(rb'"turns":\d+', b'"turns":' + b"9" * 4000, line)), 1),
    "the first line": (in_line(put(0.5, b"\xff"), number=0), 1),
    "the last line": (in_line(put(0.5, b"\xff"), number=EPISODES - 1), 1),
    "a digit of the case, and no index": (without_index(in_line(digit(b"case_index"))), 1),
    "a digit of the epoch, and no index": (without_index(in_line(digit(b"epoch"))), 1),
    "a digit of the cell, and no index": (without_index(in_line(digit(b"cell"))), 1),
    "a byte of a name, and no index": (without_index(in_line(lambda line: line.replace(b'"reply"', b'"replx"', 1))), 1),
    "another seed, and no index": (without_index(in_line(field(seed=1))), 1),
    "a newline that is another byte": (newline_flipped, 0),
    "a newline that is gone": (newline_gone, 0),
    "a newline that is gone, and no index": (without_index(newline_gone), 0),
    "zeros, then a record": (zeros_then_more, 0),
}
KEPT = {
    # What costs no line at all: readers go on, and so does a resume.
    "a cut last line": in_line(lambda line: line[:-30], number=EPISODES - 1),
    "zeros at the end": appended(lambda folder: bytes(100_000)),
    "an empty line": in_line(lambda line: b"\n" + line),
    "an empty line at the end": appended(lambda folder: b"\n"),
    "line ends of another system": lambda folder: write(
        folder, [line.replace(b"\n", b"\r\n") for line in lines_of(folder)]
    ),
    "a line twice": appended(lambda folder: lines_of(folder)[3]),
    "a line twice, and no index": without_index(appended(lambda folder: lines_of(folder)[3])),
    "an index row of another cell": index_row(cell=1),
    "an index row of a cell that is not there": index_row(cell=99),
    "an index row of no number": index_row(cell="x"),
    "an index row of another case": index_row(case_index=5),
    "an index row of another reward": index_row(reward=1.0),
    "an index row of another outcome": index_row(outcome="success"),
    "an index row that points into another record": index_row(offset=77),
    "index rows out of order": index(lambda rows: rows[::-1]),
    "an index row that is missing": index(lambda rows: rows[:3] + rows[4:]),
    "an index row twice": index(lambda rows: [*rows[:3], *rows[2:]]),
    "an index of zeros": index(lambda rows: [bytes(map(len, rows))]),
    "an index that is cut": index(lambda rows: [*rows[:5], rows[5][:20]]),
    "an index of rubbish": text("index.jsonl", bytes(range(256)) * 9),
    "an index of deep nesting": text("index.jsonl", b"[" * 100_000),
    "a missing index": lambda folder: (folder / "index.jsonl").unlink(),
    "an empty index": text("index.jsonl", b""),
    "a damaged summary": text("summary.json", b"{"),
    "a damaged timing": text("timing.json", bytes(50)),
    "damaged faults": text("faults.jsonl", b"\x00\xff\n"),
    "rubbish in what was spent": text("spent.json", b"0.\x005"),
}


def readers(folder: Path) -> Iterator[Result]:
    """Every command that reads a run, each with one line where it refuses."""
    for command in (
        ["replay", folder],
        ["rescore", folder, "--judge", "offline"],
        ["tables", folder],
        ["report", folder],
    ):
        result = ibench(*command)
        assert result.exit_code in (0, 2), (command, result.output)
        if result.exit_code == 2:
            assert re.fullmatch(r"ibench: .*\n", result.stderr.split("\r")[-1]), result.stderr
            assert "\x1b" not in result.output
        yield result


def open_to_others(folder: Path) -> list[str]:
    """What in a folder is not its owner's alone."""
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.rglob("*"))}
    return [f"{path} {mode:o}" for path, mode in modes.items() if mode != (0o700 if path.is_dir() else 0o600)]


def resumed(folder: Path, whole: Path) -> Result:
    """Go on with a run, and see that it is what it would have been, each episode once."""
    result = ibench("run", "--resume", "--out", folder)
    assert result.exit_code == 0, result.output
    assert (folder / "summary.json").read_bytes() == (whole / "summary.json").read_bytes()
    assert keys(folder) == keys(whole)
    assert ibench("replay", folder).exit_code == 0
    # Again, and nothing happens.
    before = {path.name: path.read_bytes() for path in folder.glob("*.jsonl")}
    assert ibench("run", "--resume", "--out", folder).exit_code == 0
    assert {path.name: path.read_bytes() for path in folder.glob("*.jsonl")} == before
    return result


@pytest.mark.every(7)
@pytest.mark.parametrize("kind", LOST)
def test_damage_is_named_set_aside_and_played_again(folder: Path, whole: Path, kind: str) -> None:
    damage, lost = LOST[kind]
    damage(folder)
    damaged = (folder / "episodes.jsonl").read_bytes()
    read = list(readers(folder))
    for result in (read[0], read[3]):
        assert result.exit_code == 2
        assert re.search(rf"{re.escape(str(folder))}/episodes\.jsonl, line \d+", result.stderr), result.stderr
        assert f"ibench run --out {folder} --resume sets it aside in damaged.jsonl" in result.stderr
    assert (folder / "episodes.jsonl").read_bytes() == damaged  # looking changes nothing
    resumed(folder, whole)
    aside, now = lines_of(folder, "damaged.jsonl"), lines_of(folder)
    kept = [line for line in lines_of(whole) if line in now[: EPISODES - lost]]
    assert len(kept) == EPISODES - lost
    assert now[: len(kept)] == kept  # as they were, in their order; what was played again comes last
    assert all(line.rstrip(b"\n") in damaged for line in aside)
    assert sum(map(len, aside)) + sum(map(len, kept)) - len(damaged) in (0, 1, 2)  # a newline where one was missing


@pytest.mark.every(7)
@pytest.mark.parametrize("kind", KEPT)
def test_what_costs_no_line_stops_nobody(folder: Path, whole: Path, kind: str) -> None:
    KEPT[kind](folder)
    assert [read.exit_code for read in readers(folder)] == [0, 2, 0, 0]
    if kind != "a cut last line":
        assert (folder / "summary.json").read_bytes() == (whole / "summary.json").read_bytes()
    resumed(folder, whole)
    assert not (folder / "spent.json").exists() or json.loads((folder / "spent.json").read_text()) == 0.0


@pytest.mark.every(7)
@pytest.mark.parametrize("stop", range(1, 12))
def test_a_crash_while_lines_are_set_aside_makes_no_damaged_record_sound(
    folder: Path, whole: Path, stop: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Still a record, which only its checksum tells apart, and a replay.
    in_line(lambda line: line.replace(b"Rounds left", b"Rounds lost", 1))(folder)
    left = stop

    def crash(call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*given: Any, **named: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                raise MemoryError("crashed")
            return call(*given, **named)

        return counted

    with monkeypatch.context() as patched:
        for module in (stores, disk):
            patched.setattr(module, "put", crash(module.put))
        patched.setattr(Path, "replace", crash(Path.replace))
        with contextlib.suppress(MemoryError):
            RunStore.open(folder).close()
    resumed(folder, whole)
    assert b"Rounds lost" not in (folder / "episodes.jsonl").read_bytes()
    assert b"Rounds lost" in (folder / "damaged.jsonl").read_bytes()
    assert keys(folder) == keys(whole)


@pytest.mark.parametrize("episodes", [None, -1, 1.5, "4"])
def test_a_configuration_without_a_number_of_episodes_is_one_line(folder: Path, episodes: Any) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"episodes": episodes}))
    for result in readers(folder):
        assert result.exit_code == 2
        assert result.stderr.startswith(f"ibench: {folder}/config.json cannot be read as a run's configuration")
        assert result.stderr.count("\n") == 1


def test_the_line_is_named_with_its_case(folder: Path) -> None:
    case = json.loads(lines_of(folder)[2])["case"]
    in_line(put(0.5, b"\xff"))(folder)
    for index_there in (True, False):
        if not index_there:
            (folder / "index.jsonl").unlink()
        store = RunStore.read_only(folder)
        with pytest.raises(ConfigError, match=rf"episodes\.jsonl, line 3 \(case '{case}'\), is damaged: "):
            list(map(store.record, store.rows()))


def test_of_two_of_an_episode_the_first_stays(folder: Path) -> None:
    lines = lines_of(folder)
    again = field(final_observation="told otherwise")(lines[3])
    write(folder, [*lines, again])
    (folder / "index.jsonl").unlink()
    assert len(RunStore.read_only(folder).rows()) == EPISODES
    RunStore.open(folder).close()
    assert lines_of(folder) == lines
    assert lines_of(folder, "damaged.jsonl") == [again]


def test_what_was_set_aside_before_stays(folder: Path) -> None:
    (folder / "damaged.jsonl").write_bytes(b"earlier\n")
    in_line(put(0.5, b"\xff"))(folder)
    with RunStore.open(folder) as store:
        assert store.notes == [
            f"1 damaged place of {folder}/episodes.jsonl set aside in damaged.jsonl; "
            "what is missing now is played again"
        ]
    assert lines_of(folder, "damaged.jsonl")[0] == b"earlier\n"
    assert len(lines_of(folder, "damaged.jsonl")) == 2


SPENT = (
    b"",
    b"\x00\x00",
    b"{",
    b"NaN",
    b"Infinity",
    b"-1",
    b"1e400",
    b"9" * 5000,
    b'"3"',
    b"[" * 99_999,
    b"true",
    b"9\xff",
)


@pytest.mark.parametrize("content", SPENT)
def test_what_is_no_number_of_dollars_is_set_aside(folder: Path, content: bytes) -> None:
    (folder / "spent.json").write_bytes(content)
    assert RunStore.read_only(folder).spent() == 0.0
    with RunStore.open(folder) as store:
        assert "spent.json" in store.notes[0]
    assert (folder / "spent.json").read_text() == "0.0\n"
    assert lines_of(folder, "damaged.jsonl") == [content + b"\n"]


def test_what_the_records_say_was_paid_stands_in_for_a_damaged_number(folder: Path) -> None:
    lines = lines_of(folder)
    write(folder, [field(paid=0.25)(line) for line in lines])
    (folder / "index.jsonl").unlink()
    (folder / "spent.json").write_bytes(b"0.2\x005")
    assert RunStore.read_only(folder).spent() == 0.25 * EPISODES
    with RunStore.open(folder) as store:
        assert store.spent() == 0.25 * EPISODES
        assert "cost limit counts from there" in store.notes[0]
    assert json.loads((folder / "spent.json").read_text()) == 0.25 * EPISODES
    assert lines_of(folder, "damaged.jsonl") == [b"0.2\x005\n"]


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[" * 100_000, b"\x00" * 90, b"[]", b'{"schema":1}', b"\xff", b"9" * 5000]
)
def test_a_damaged_configuration_is_named(folder: Path, content: bytes) -> None:
    (folder / "config.json").write_bytes(content)
    for result in (*readers(folder), ibench("run", "--resume", "--out", folder)):
        assert result.exit_code == 2
        assert f"{folder}/config.json" in result.stderr
        assert result.stderr.count("\n") == 1


def test_episodes_without_a_configuration_are_not_played_over(folder: Path) -> None:
    (folder / "config.json").unlink()
    result = ibench("run", PUZZLE, "--agent", "random", "--resume", "--out", folder)
    assert (result.exit_code, len(lines_of(folder))) == (2, EPISODES)
    assert "no config.json; put it back, or choose another out folder" in result.stderr


def link(path: Path) -> None:
    path.rename(path.with_suffix(".elsewhere"))
    path.symlink_to(path.with_suffix(".elsewhere"))


def pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def directory(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


@pytest.mark.every(3)
@pytest.mark.parametrize("kind", [link, pipe, directory])
@pytest.mark.parametrize(
    "name", ["config.json", "episodes.jsonl", "index.jsonl", "faults.jsonl", ".lock", "spent.json"]
)
def test_what_is_no_file_is_neither_waited_for_nor_written_through(folder: Path, name: str, kind: Any) -> None:
    (folder / name).touch()
    kind(folder / name)
    inside = (folder / name).with_suffix(".elsewhere")
    before = inside.read_bytes() if inside.exists() else None
    commands = [*readers(folder), ibench("run", "--resume", "--out", folder)]
    assert all(result.stderr.count("\n") <= 3 for result in commands)
    if name in ("config.json", "episodes.jsonl", ".lock"):
        assert commands[-1].exit_code == 2
        assert f"{folder}/{name} is " in commands[-1].stderr
    assert before is None or inside.read_bytes() == before


def test_what_takes_a_files_place_follows_no_link(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    for name in ("a.json", "a.json.new"):
        (tmp_path / name).unlink(missing_ok=True)
        (tmp_path / name).symlink_to(victim)
        write_atomically(tmp_path / "a.json", "new")
        assert (victim.read_text(), (tmp_path / "a.json").read_text()) == ("mine", "new")
        assert not (tmp_path / "a.json.new").exists()


# Tournaments

LEAGUE = Tournament(
    "ibench/TrustGame-v1", tuple(Player(spec, spec) for spec in ("tft", "grim", "coin?p=0.5")), "round-robin", seed=7
)
POKER = Tournament(
    "ibench/Holdem-v1",
    tuple(Player(spec, spec) for spec in ("holdem/random", "call-station", "all-in")),
    "tables",
    arguments={"players": 3, "stack": 600},
    hands=8,
    carry=True,
    seed=7,
)


@pytest.fixture(scope="module")
def tournaments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Tournaments that nothing happened to."""
    base = tmp_path_factory.mktemp("tournaments")
    for name, setup in (("league", LEAGUE), ("poker", POKER)):
        tournament.run(setup, base / name)
    return {"league": base / "league", "poker": base / "poker"}


MATCH_LOST: dict[str, Callable[[bytes], bytes]] = {
    "a byte that is no UTF-8": put(0.5, b"\xff"),
    "zeros within a line": put(0.5, bytes(64)),
    "a whole line of zeros": lambda line: bytes(len(line) - 1) + b"\n",
    "a newline within": put(0.5, b"\n"),
    "a line cut in the middle of the file": lambda line: line[: len(line) // 2],
    "a newline that is another byte": lambda line: line[:-1] + b"\x8a",
    "a newline that is gone": lambda line: line[:-1],
    "an empty line": lambda line: b"\n" + line,
    "no object": lambda line: b"[]\n",
    "deep nesting": lambda line: b"[" * 100_000 + b"\n",
    "a number of 5,000 digits": lambda line: line.replace(b'"schema":1', b'"schema":' + b"9" * 5000),
    "another schema": field(schema=2),
    "a match that is not planned": field(match="x"),
    "another seed": digit(b"seed"),
    "another setting": digit(b"setting"),
    "other players": field(players=["tft"]),
    "scores that are none": field(scores=None),
    "texts that are none": field(texts=[{}]),
    "a game that is none": field(game=[]),
    "the game is missing": without("game"),
    "a line twice": lambda line: line + line,
}


@pytest.mark.every(5)
@pytest.mark.parametrize("name", ["league", "poker"])
@pytest.mark.parametrize("kind", MATCH_LOST)
@pytest.mark.usefixtures("no_charts")
def test_a_damaged_match_is_set_aside_and_played_again(
    tournaments: dict[str, Path], tmp_path: Path, name: str, kind: str
) -> None:
    whole, folder, damage = tournaments[name], tmp_path / "run", MATCH_LOST[kind]
    shutil.copytree(whole, folder)
    lines = lines_of(folder, "matches.jsonl")
    damaged = b"".join([*lines[:2], damage(lines[2]), *lines[3:]])
    assert damaged != b"".join(lines)
    (folder / "matches.jsonl").write_bytes(damaged)
    store = TournamentStore.read_only(folder)
    if kind not in ("an empty line", "a line twice"):
        with pytest.raises(ConfigError, match=r"matches\.jsonl, line 3.*, is damaged: .* ibench tournament --out"):
            list(store.matches())
    result = ibench("tournament", "--resume", "--out", folder)
    assert result.exit_code == 0, result.output
    assert (folder / "summary.json").read_bytes() == (whole / "summary.json").read_bytes()
    now = lines_of(folder, "matches.jsonl")
    # Once each; what was sound is what it was, the hands after a lost one, too.
    assert sorted(json.loads(line)["match"] for line in now) == sorted(json.loads(line)["match"] for line in lines)
    assert now[:2] == lines[:2]
    assert set(lines) - {lines[2], lines[3]} <= set(now)
    assert all(line.rstrip(b"\n") in damaged for line in lines_of(folder, "damaged.jsonl"))
    assert not (folder / "index.jsonl").exists()


@pytest.mark.parametrize("content", [b"", b"[" * 100_000, b"\0", b"[]", b'{"schema":1}', b"9" * 5000])
def test_a_damaged_configuration_of_a_tournament_is_named(
    tournaments: dict[str, Path], tmp_path: Path, content: bytes
) -> None:
    folder = Path(shutil.copytree(tournaments["league"], tmp_path / "run"))
    (folder / "config.json").write_bytes(content)
    result = ibench("tournament", "--resume", "--out", folder)
    assert result.exit_code == 2
    assert re.fullmatch(rf"ibench: {folder}/config\.json .*\n", result.stderr)


@pytest.mark.parametrize("room", [3_000, 9_000])
def test_a_full_disk_leaves_a_tournament_that_goes_on(tournaments: dict[str, Path], tmp_path: Path, room: int) -> None:
    folder = tmp_path / "run"
    with full_disk(room), pytest.raises(ConfigError) as raised:
        tournament.run(POKER, folder)
    assert str(raised.value).endswith(f"go on with: ibench tournament --out {folder} --resume")
    tournament.run(POKER, folder, resume=True)
    assert (folder / "summary.json").read_bytes() == (tournaments["poker"] / "summary.json").read_bytes()
    assert not (folder / "damaged.jsonl").exists()


# Comparisons

PASSK = ("passk", PUZZLE, "--agent", "random", "--problems", "2", "--samples", "2")


@pytest.mark.usefixtures("no_charts")
def test_a_comparison_mends_both_of_its_runs(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        out = tmp_path / "new" / "run"
        assert ibench(*PASSK, "--out", out).exit_code == 0
    finally:
        os.umask(before)
    assert open_to_others(out.parent) == []
    numbers = (out / "passk.json").read_bytes()
    for part in ("interactive", "pass1"):
        lines = lines_of(out / part)
        write(out / part, [put(0.5, b"\0")(lines[0]), *lines[1:]])
        (out / part / "spent.json").write_bytes(b"\0")
        result = ibench("report", out / part)
        assert f"ibench passk --out {out} --resume sets it aside" in result.stderr
    assert ibench("passk", "--resume", "--out", out).exit_code == 0
    assert (out / "passk.json").read_bytes() == numbers
    for part in ("interactive", "pass1"):
        assert len(lines_of(out / part, "damaged.jsonl")) == 2  # a line, and what was no number of dollars
        assert len(keys(out / part)) == len(set(keys(out / part)))
    with full_disk(9_000):
        result = ibench(*PASSK, "--out", tmp_path / "full")
    assert result.stderr.endswith(f"go on with: ibench passk --out {tmp_path}/full --resume\n")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[" * 100_000,
        b"\0",
        b"[]",
        b'{"schema":1}',
        b"9" * 5000,
        b'"problems":"x"',
        b'"seed":null',
        b'"agents":[1]',
    ],
)
def test_a_damaged_comparison_is_named(tmp_path: Path, content: bytes) -> None:
    told = comparing.Comparison(PUZZLE, {}, ("random",), None, None, 2).as_json()
    if content.startswith(b'"'):
        content = json.dumps(told | json.loads(b"{%b}" % content)).encode()
    (tmp_path / "comparison.json").write_bytes(content)
    result = ibench("passk", "--resume", "--out", tmp_path)
    assert result.exit_code == 2
    assert re.fullmatch(rf"ibench: {tmp_path}/comparison\.json .*\n", result.stderr)


# Disks without room


@pytest.mark.parametrize("room", [100, 10_000, 40_000, 59_000, 61_000])
@pytest.mark.usefixtures("no_charts")
def test_a_full_disk_is_told_with_the_folder_and_the_way_to_go_on(whole: Path, tmp_path: Path, room: int) -> None:
    folder = tmp_path / "a run"
    with full_disk(room):
        players = ["run", PUZZLE, QUERY, "--agent", "random", "--episodes", "6", "--seed", "4", "--workers", "2"]
        result = ibench(*players, "--out", folder)
    assert result.exit_code == 2
    way_on = f"ibench run --out '{folder}' --resume" if (folder / "config.json").exists() else "the same command"
    assert result.stderr.splitlines()[-1] == (
        f"ibench: the disk is full (File too large): nothing more can be written in {folder}; "
        f"free some space, then go on with: {way_on}"
    )
    assert not list(folder.glob("*.new"))
    assert all(line.endswith(b"\n") for line in lines_of(folder)) if (folder / "episodes.jsonl").exists() else True
    again = ibench("run", "--resume", "--out", folder) if "--resume" in way_on else ibench(*players, "--out", folder)
    assert again.exit_code == 0, again.output
    assert (folder / "summary.json").read_bytes() == (whole / "summary.json").read_bytes()
    assert keys(folder) == keys(whole)
    assert not (folder / "damaged.jsonl").exists()


def test_what_does_not_fit_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_atomically(path, "old")
    with full_disk(1000), pytest.raises(ConfigError, match=r"nothing more can be written in .*; free some space"):
        write_atomically(path, "x" * 2000)
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("a.json", "old")]


def test_an_episode_that_does_not_fit_is_cut_off_and_the_next_one_lies_where_the_index_says(folder: Path) -> None:
    lines, size = lines_of(folder), (folder / "episodes.jsonl").stat().st_size
    write(folder, lines[:-1])
    record = json.loads(lines[-1])
    with RunStore.open(folder) as store:
        with full_disk(size - len(lines[-1]) + 500), pytest.raises(ConfigError, match="the disk is full"):
            store.append(record)
        assert lines_of(folder) == lines[:-1]
        store.append(record)
    assert lines_of(folder) == lines
    store = RunStore.read_only(folder)
    assert store.record(store.rows()[-1])["cell"] == 1


# Whose files they are


@pytest.mark.parametrize("mask", [0o000, pytest.param(0o022, marks=pytest.mark.long)])
def test_nobody_else_reads_a_run(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        out = tmp_path / "new" / "run"
        commands = [["run", PUZZLE, QUERY, "--agent", "random", "--episodes", "2", "--out", out]] + [
            [command, out] for command in ("tables", "report")
        ]
        for command in commands:
            with pytest.MonkeyPatch.context() as patch:
                if command[0] != "tables":  # whose charts are enough
                    patch.setitem(sys.modules, "matplotlib", None)
                assert ibench(*command).exit_code == 0
        with RunStore.open(out) as store:
            store.append_fault({"message": "broken"})
            store.set_spent(1.5)
    finally:
        os.umask(before)
    assert {"transcripts", "charts", "query.html", "query.json", "report.html"} <= {path.name for path in out.iterdir()}
    assert open_to_others(out.parent) == []


def test_what_is_there_already_keeps_its_mode(folder: Path) -> None:
    for path in (folder, folder / "transcripts"):
        path.mkdir(exist_ok=True)
        path.chmod(0o755)
    names = ("config.json", "episodes.jsonl", "index.jsonl", "summary.json", "report.html")
    for name in names:
        (folder / name).touch()
        (folder / name).chmod(0o640)
    in_line(put(0.5, b"\xff"))(folder)
    assert ibench("run", "--resume", "--out", folder).exit_code == 0
    assert {name: stat.S_IMODE((folder / name).stat().st_mode) for name in (".", "transcripts")} == {
        ".": 0o755,
        "transcripts": 0o755,
    }
    assert {stat.S_IMODE((folder / name).stat().st_mode) for name in names} == {0o640}


def test_nobody_else_reads_a_tournament(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        out = tmp_path / "new" / "run"
        tournament.run(LEAGUE, out)
        tournament_report.write(out)
    finally:
        os.umask(before)
    assert {"matches", "charts", "report.html", "matches.jsonl"} <= {path.name for path in out.iterdir()}
    assert open_to_others(out.parent) == []
