"""Black boxes made by a scripted model: two versions, mutants, leaks, and players of known strength."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from interactive_envs import generate
from interactive_envs.black_box import made as made_boxes
from interactive_envs.errors import UnknownNameError
from interactive_envs.game_generation.boxes import mutants
from interactive_envs.game_generation.engine import Done
from interactive_envs.game_generation.making import Made, look
from interactive_envs.game_generation.pool import Ruling
from tests.game_generation.folders import Change, in_file, last, replies, reply

FIXTURES = Path(__file__).parents[1] / "black_box" / "fixtures"
FILES = made_boxes.FILES


def same(name: str, text: str) -> str:
    return text


def write(tmp_path: Path, box: str, *changes: Change, second: Change = same, **options: Any) -> Made:
    """A pool with a candidate for each change of a fixture, and what a second programmer writes: its own code."""
    folder = FIXTURES / box
    texts = {}
    for number, change in enumerate(changes or (same,), 1):
        texts[f"box_{number:04d}_write_0"] = reply(folder, FILES, change)
        code = second("box.py", (folder / "box.py").read_text("utf-8"))
        texts[f"box_{number:04d}_second_0"] = f"```second.py\n{code}```"
    given = {
        "repairs": 0,
        "count": max(1, len(changes)),
        "category": made_boxes.read(folder).family,
        "replies": [replies(tmp_path / "replies.jsonl", **texts)],
    }
    return generate("boxes", tmp_path / "pool", **given | options)


@pytest.mark.parametrize("box", ["stepped-shift", "odd-majority", "marked-cup", "grudge-keeper", "twin-swing"])
def test_a_box_that_two_programmers_write_alike_is_admitted(tmp_path: Path, box: str) -> None:
    made = write(tmp_path, box)
    assert made.ends()[0][1] == Done(admitted=True), last(made)
    (folder,) = made.release(tmp_path / "suite")
    assert {file.name for file in folder.iterdir()} == {*FILES, made_boxes.SECOND}


def test_the_second_programmer_sees_the_description_and_no_code(tmp_path: Path) -> None:
    folder = FIXTURES / "tally-peaks"
    answers = replies(tmp_path / "written.jsonl", box_0001_write_0=reply(folder, FILES))
    (asked,) = generate("boxes", tmp_path / "pool", category="program", replies=[answers]).waiting
    assert (asked.custom_id, asked.reader) == ("box-0001-second-0", True)
    text = asked.messages[1]["content"]
    assert text.startswith("s starts at 0. For each element of x")
    assert "checkpoints = 2" in text
    assert "def run(trace, a, x):" in text
    assert "s += e" not in text
    assert "Tally" not in text


@pytest.mark.parametrize(
    ("box", "before", "after", "why"),
    [
        ("stepped-shift", "+ 3", "+ 4", "the second programmer's"),
        ("stepped-shift", "return result", "return 1 / 0", "the second programmer's code: "),
        ("twin-swing", "2 * math", "2.01 * math", "the second programmer's"),
        ("grudge-keeper", '"paper": "scissors"', '"paper": "rock"', "the second programmer's"),
        ("marked-cup", "12 - apart", "11 - apart", "the second programmer's"),
    ],
)
def test_two_versions_that_disagree_are_a_reason(tmp_path: Path, box: str, before: str, after: str, why: str) -> None:
    stage, verdict, kinds, text = last(write(tmp_path, box, second=in_file("box.py", before, after)))
    assert (stage, verdict, kinds[0]) == ("second", "fail", "versions")
    assert why in text
    assert "Mend the description" in text


def test_a_second_programmer_that_sends_no_code_is_told_apart(tmp_path: Path) -> None:
    answers = replies(
        tmp_path / "r.jsonl",
        box_0001_write_0=reply(FIXTURES / "stepped-shift", FILES),
        box_0001_second_0="I would rather not.",
        box_0001_second_again_0="```python second.py\ndef encipher(text\n```",
    )
    made = generate("boxes", tmp_path / "pool", category="cipher", repairs=0, replies=[answers])
    assert last(made) == ("novelty", "pass", [], "")
    ((candidate, _),) = made.ends()
    (flagged,) = [entry for entry in candidate.entries if isinstance(entry, Ruling) and entry.verdict == "flag"]
    why = "there is no second version. second.py is no Python. Send it again."
    assert (flagged.stage, flagged.reasons) == ("second", (("not written", why),))


@pytest.mark.parametrize(
    ("box", "change", "found"),
    [
        ("tally-peaks", same, ("reference", "fail", ["not easy"])),
        ("tally-peaks", in_file("box.toml", '"easy"', '"hard"'), ("novelty", "pass", [])),
        ("tally-peaks", in_file("box.toml", "sums a list", "gives a total s"), ("reference", "fail", ["not easy"])),
        (
            "marked-cup",
            in_file("box.toml", "A marble lies under", "Marked Cup: a marble lies under"),
            ("leaks", "fail", ["leak"]),
        ),
        (
            "stepped-shift",
            in_file("box.toml", 'family = "cipher"', 'family = "puzzle"'),
            ("builds", "fail", ["family"]),
        ),
        ("stepped-shift", in_file("box.py", "+ 3", "+ 8"), ("novelty", "fail", ["known box"])),
        (
            "stepped-shift",
            in_file("box.py", 'result = ""', 'result = ""\n    import random\n    random.random() < .5 and 1 / 0'),
            ("builds", "fail", ["does not build"]),
        ),
        (
            "stepped-shift",
            in_file("box.py", "def enc", "open('/etc/passwd')\ndef enc"),
            ("builds", "fail", ["does not build"]),
        ),
    ],
)
def test_what_measures_nothing_or_gives_itself_away_is_refused(
    tmp_path: Path, box: str, change: Change, found: tuple[str, str, list[str]]
) -> None:
    def second(name: str, text: str) -> str:
        return change("box.py", text)

    assert last(write(tmp_path, box, change, second=second))[:3] == found


def test_a_name_that_gives_a_program_away_is_a_leak(tmp_path: Path) -> None:
    def telling(name: str, text: str) -> str:
        return text.replace("r=s", "total=s").replace("sum times", "total times")

    found = last(write(tmp_path, "tally-peaks", telling, second=telling))
    assert found[:3] == ("leaks", "fail", ["leak"])
    assert "which says 'total'; rename it" in found[3]


def test_the_same_box_again_is_a_duplicate(tmp_path: Path) -> None:
    renamed = in_file("box.toml", "Stepped Shift", "Third Wheel")
    made = write(tmp_path, "stepped-shift", same, renamed)
    assert made.ends()[0][1] == Done(admitted=True)
    assert last(made, 2) == ("novelty", "fail", ["duplicate"], "it gives the same results as candidate 1")


def test_mutants_change_one_thing_each() -> None:
    assert mutants("if a < 2 and b:\n    c = 'x'\nelse:\n    c = 'y'", 99) == [
        "if not (a < 2 and b):\n    c = 'x'\nelse:\n    c = 'y'",
        "if a < 2 or b:\n    c = 'x'\nelse:\n    c = 'y'",
        "if a <= 2 and b:\n    c = 'x'\nelse:\n    c = 'y'",
        "if a < 2 and b:\n    c = 'y'\nelse:\n    c = 'y'",
        "if a < 2 and b:\n    c = 'x'\nelse:\n    c = 'x'",
        "if a < 3 and b:\n    c = 'x'\nelse:\n    c = 'y'",
    ]
    assert len(mutants("x = [1, 2, 3, 4]", 2)) == 2


@pytest.mark.parametrize(("pair", "verdict"), [("yj", "flag"), pytest.param("ea", "pass", marks=pytest.mark.long)])
def test_inputs_that_miss_what_the_code_does_are_flagged(tmp_path: Path, pair: str, verdict: str) -> None:
    """No input that is compared has y beside j; some of the inputs do that show whether these are enough."""
    turned = f'    if "{pair}" in text.lower():\n        result = result[2:] + result[:2]\n    return'
    turns = in_file("box.py", "    return", turned)
    made = write(tmp_path, "stepped-shift", turns, second=turns)
    (ruling,) = (one for one in made.pool.candidate(1).entries if isinstance(one, Ruling) and one.stage == "mutants")
    assert ruling.verdict == verdict, ruling
    if verdict == "flag":
        assert re.fullmatch(r"[1-9]\d* of \d+ changed versions agree on all inputs .*", dict(ruling.reasons)["mutants"])


def test_wishes_go_through_all_families(tmp_path: Path) -> None:
    made = generate("boxes", tmp_path / "pool", count=12, vary=True)
    wishes = [ask.messages[1]["content"] for ask in made.waiting]
    assert len(set(wishes)) == 12
    assert wishes[0].startswith("Write a new circuit box, easy to find out. Its idea: ")
    assert 'family = "program"' in made.waiting[1].messages[0]["content"]
    own = generate("boxes", tmp_path / "own", ideas=["a leaking bucket"], category="mechanics").waiting
    assert own[0].messages[1]["content"] == "Write this mechanics box: a leaking bucket"
    with pytest.raises(UnknownNameError, match="song"):
        generate("boxes", tmp_path / "other", category="song")


def test_a_pool_of_boxes_says_which_id_plays_them(tmp_path: Path) -> None:
    generate("boxes", tmp_path / "pool", category="cipher")
    files = {"box.toml": 'family = "cipher"'}
    assert look(tmp_path / "pool").kind.plays(files) == "ibench/BlackBox-cipher-v1"
