"""Games, boxes and query games by a model behind an endpoint: every way in which a reply goes wrong, and is mended."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from interactive_envs import generate
from interactive_envs.black_box import made as boxes
from interactive_envs.errors import CostLimitError
from interactive_envs.game_generation import page
from interactive_envs.game_generation.engine import Done
from interactive_envs.game_generation.making import look
from interactive_envs.game_generation.pool import Call, Ruling
from interactive_envs.game_generation.reading import INSTRUCTIONS, TRACES
from interactive_envs.query_games import made as query_games
from tests.game_generation import spaced
from tests.game_generation.folders import in_file, replies, reply
from tests.game_generation.test_bad_games import AT_IMPORT, listening
from tests.game_generation.test_making import broken
from tests.loopback import Loopback
from tests.query_games.fixtures import TIDE_MARKS

CIPHER = Path(__file__).parents[1] / "black_box" / "fixtures" / "stepped-shift"
WRONG = ("good", "broken", "no code", "refusal", "truncated", "prose", "wrong text", "wrong code", "hostile")
"""What the first reply to an idea of this name is; the repair is good."""
KNOWN, COPY, ILL_POSED = "a known one in other words", "the first one again", "ill-posed"
BEGIN = "code that begins with "
"""Of these ideas, and of a code's beginning, the repair is no better."""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IBENCH_CACHE", str(tmp_path / "calls.sqlite"))


def spoiled(messages: Sequence[Any], good: str, idea: str, **others: str) -> str:
    """A reply that first goes wrong in the way that the idea says; the repair is good."""
    if len(messages) > 2:
        return good
    match idea:
        case "no code":
            return "What a nice idea. It would have many moves."
        case "refusal":
            return "I'm sorry, I cannot help with that."
        case "truncated":
            return good[: len(good) // 2].rpartition("````")[0] + "````" + "box.py\ngame.py\ndef half("
        case "prose":
            return f"Let me think about it first.\n\n{good}\n\nI hope that you like it!"
    return others.get(idea.replace(" ", "_"), good)


def place(idea: str) -> int:
    """Where an idea stands among those that are mended; 0, as for the first, for another one."""
    return WRONG.index(idea) if idea in WRONG else 0


ESCAPE = "import os\nos.system('touch escaped')\nopen('escaped', 'w')\n"


def box(messages: Sequence[Any]) -> str:
    """A model that writes ciphers: letters go so many places on as its idea has a number."""
    text = messages[1]["content"]
    if "second.py" in messages[0]["content"]:
        (places,) = re.findall(r"letter (\w+) places later", text)
        code = (CIPHER / "box.py").read_text("utf-8").replace("+ 3", f"+ {places}")
        return f"```second.py\n{code}```"
    idea = text.partition(": ")[2]
    number = 8 if idea == KNOWN else 14 + place(idea)  # 8 places are a cipher of the package

    def written(in_text: int = number, in_code: int = number) -> str:
        def own(name: str, content: str) -> str:
            content = content.replace("+ 3", f"+ {in_code}").replace("letter three places", f"letter {in_text} places")
            return content.replace("Stepped Shift", f"Shift Number {number}")

        return reply(CIPHER, boxes.FILES, own)

    good = written()
    return spoiled(
        messages,
        good,
        idea,
        broken=good.replace("return result", "return resul"),
        wrong_text=written(in_text=number + 1),
        wrong_code=written(in_code=number + 1),
        hostile=good.replace("def encipher", f"{ESCAPE}def encipher"),
    )


def query_game(messages: Sequence[Any]) -> str:
    """A model that writes games about sets, the larger the later its idea."""
    text = messages[1]["content"]
    if "work out by hand" in messages[0]["content"].lower():
        return json.dumps(read(text))
    idea = text.partition(": ")[2].removesuffix("\nIts structure is set.")
    number = place(idea)

    def own(name: str, content: str) -> str:
        for n, k in ((11, 4), (10, 3), (8, 3), (8, 2), (6, 2)):
            content = content.replace(f"n = {n}, k = {k}", f"n = {n + number}, k = {k}")
        return content.replace("Tide Marks", f"Tide Marks {number}")

    good = reply(TIDE_MARKS, query_games.FILES, own)
    if idea == ILL_POSED:
        return good.replace("min(abs(argument[0] - x) for x in state)", "len(state)")
    return spoiled(
        messages,
        good,
        idea,
        broken=good.replace("return sum", "return su"),
        wrong_text=good.replace("the sum of the squares", "the sum of the cubes"),
        wrong_code=good.replace("abs(argument[0] - x)", "abs(argument[0] - x) + 1"),
        hostile=good.replace("def states", f"{ESCAPE}def states"),
    )


def read(question: str) -> dict[str, str]:
    """What the rules of the fixture say, computed here."""
    found = {}
    for number, numbers, asked in re.findall(r"^(\d+)\. Hidden: the set is ([\d, ]+)\. (.*)$", question, re.MULTILINE):
        state = [int(one) for one in numbers.split(", ")]
        if queried := re.search(r"<query_(\w+)>([\d ]+)<", asked):
            given = [int(one) for one in queried[2].split()]
            if queried[1] == "distance":
                found[number] = str(min(abs(given[0] - one) for one in state))
            else:
                found[number] = "yes" if any(given[0] < one < given[1] for one in state) else "no"
        else:
            found[number] = str(sum(one ** (3 if "cubes" in asked else 2) for one in state))
    return found


def game(messages: Sequence[Any]) -> str:
    """A model that writes games about numbers, and reads them; an idea may say what their code begins with."""
    text = messages[1]["content"]
    if messages[0]["content"] in (INSTRUCTIONS, TRACES):
        return spaced.read(text)
    idea = text.partition(": ")[2].removesuffix("\nIts category is number.")
    rules = spaced.Rules(8 + place(idea) // 3, gap=1 + place(idea) % 3)
    if idea == KNOWN:
        rules = spaced.Rules(total=15)  # three of nine numbers: tic-tac-toe on a magic square
    good = spaced.spaced(rules, title=f"Even Steps {len(idea)}")
    if idea.startswith(BEGIN):
        return good.replace("import gymnasium", f"{idea.removeprefix(BEGIN)}\nimport gymnasium")
    other = dataclasses.replace(rules, gap=rules.gap % 3 + 1)
    return spoiled(
        messages,
        good,
        idea,
        broken=broken("", good),
        wrong_text=spaced.spaced(other, rules),
        wrong_code=spaced.spaced(rules, other),
        hostile=good.replace("import gymnasium", f"{ESCAPE}import gymnasium"),
    )


UNREADABLE = {"no code": ["no code"], "refusal": ["refusal"], "truncated": ["truncated"]}
FIRST = {
    "games": UNREADABLE
    | {
        "broken": ["raises", "breaks"],
        "wrong text": ["rules and code"],
        "wrong code": ["rules and code"],
        "hostile": ["hostile"],
    },
    "boxes": UNREADABLE
    | {
        "broken": ["does not build"],
        "wrong text": ["versions"],
        "wrong code": ["versions"],
        "hostile": ["does not build"],
    },
    "query-games": UNREADABLE
    | {
        "broken": ["no tables"],
        "wrong text": ["texts and code"],
        "wrong code": ["texts and code"],
        "hostile": ["no tables"],
    },
}
"""The kinds of reasons of the first ruling that refuses, of ideas that are refused at first."""


NEVER: dict[str, dict[str, tuple[str, ...]]] = {
    "games": {COPY: ("novelty", "near-duplicate"), KNOWN: ("novelty", "known game")},
    "boxes": {COPY: ("novelty", "duplicate"), KNOWN: ("novelty", "known box")},
    "query-games": {COPY: ("novelty", "duplicate"), ILL_POSED: ("proof", "ill-posed", "useless")},
}
"""The stage and the kinds of reasons that refuse an idea again and again."""
STATED = {"changes NumPy": "does not build", "eats memory": "memory"}
"""Hostile code that the sandbox stops; all other kinds are seen in the source before they run."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "said", "category"),
    [("games", game, "number"), ("boxes", box, "cipher"), ("query-games", query_game, "set")],
    ids=["game", "box", "query"],
)
def test_whatever_goes_wrong_has_a_reason_and_is_mended(
    tmp_path: Path, kind: str, said: Any, category: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Loopback(said) as server, listening() as port:
        never = dict(NEVER[kind])
        for name, line in AT_IMPORT.items() if kind == "games" else ():
            code = line.format(proof=tmp_path / "escaped", port=port)
            never[f"{BEGIN}{code}"] = ("admission", STATED.get(name, "hostile"))
        ideas = [*WRONG, *never]
        model = f"llm:openai/fake?base_url={server.url}&backoff=0.005&temperature=0.5"
        with pytest.raises(CostLimitError):
            generate(kind, tmp_path / "pool", ideas=ideas, category=category, model=model, repairs=1, limit_cost=1)
        assert not server.served
        made = generate(kind, tmp_path / "pool", model=model, workers=2)
    assert not list(tmp_path.rglob("escaped"))
    for (candidate, end), idea in zip(made.ends(), ideas, strict=True):
        rulings = [one for one in candidate.entries if isinstance(one, Ruling)]
        refused = [(one.stage, {kind for kind, _ in one.reasons}) for one in rulings if one.verdict == "fail"]
        flags = {kind for one in rulings if one.verdict == "flag" for kind, _ in one.reasons}
        if idea in never:
            stage, *reasons = never[idea]
            assert end == Done(False, stage), (idea, candidate.entries[-1])
            assert refused == [(stage, set(reasons))] * 2, idea
            continue
        assert end == Done(admitted=True), (idea, candidate.entries[-1])
        expected = FIRST[kind].get(idea, [])
        assert [kinds for _, kinds in refused] == [set(expected)] * bool(expected), (idea, refused)
        assert candidate.rounds == bool(expected)
        assert flags == set(), (idea, flags)
        calls = [entry for entry in candidate.entries if isinstance(entry, Call)]
        assert all(call.reply.usage.completion for call in calls)


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.every(7)) for name in AT_IMPORT])
@pytest.mark.parametrize("kind", ["boxes", "query-games"])
def test_hostile_code_reaches_nothing(tmp_path: Path, kind: str, name: str) -> None:
    """It is refused, or what it tries has no effect: a mechanism may well work without it."""
    proof = tmp_path / "escaped"
    folder, files, file, start = (
        (CIPHER, boxes.FILES, "box.py", "def encipher")
        if kind == "boxes"
        else (TIDE_MARKS, query_games.FILES, "game.py", "def states")
    )
    key = f"{'box' if kind == 'boxes' else 'query_game'}_0001_write_0"
    category = "cipher" if kind == "boxes" else "set"
    with listening() as port:
        line = AT_IMPORT[name].format(proof=proof, port=port)
        hostile = reply(folder, files, in_file(file, start, f"{line}\n{start}"))
        answers = replies(tmp_path / "replies.jsonl", **{key: hostile})
        generate(kind, tmp_path / "pool", repairs=0, replies=[answers], category=category)
    assert not proof.exists()
    (candidate,) = look(tmp_path / "pool").pool.candidates()
    stages = [entry.stage for entry in candidate.entries if isinstance(entry, Ruling)]
    assert stages[1:2] == ["builds" if kind == "boxes" else "tables"]


@pytest.mark.parametrize("kind", ["games", "boxes", "query-games"])
def test_calls_end_where_the_money_is_spent_and_go_on_with_more(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each reply costs a dollar here."""
    prices = {"openai/fake": {"input_cost_per_token": 0, "output_cost_per_token": 1}}
    (tmp_path / "prices.json").write_text(json.dumps(prices), encoding="utf-8")
    monkeypatch.setenv("IBENCH_PRICES", str(tmp_path / "prices.json"))
    pool = tmp_path / "pool"
    with Loopback(lambda messages: "No.") as server:
        model = f"llm:openai/fake?base_url={server.url}&temperature=0.5"
        made = generate(kind, pool, model=model, count=2, repairs=2, limit_cost=2.5, workers=1)
        assert len(server.bodies) == 3
        assert [end for _, end in made.ends()] == [Done(False, "parse"), None]
        assert [ask.custom_id for ask in made.waiting] == [f"{made.kind.name}-0002-write-0"]
        made = generate(kind, pool, model=model, limit_cost=2.5, workers=1)
        assert len(server.bodies) == 3
        made = generate(kind, pool, model=model, limit_cost=99, workers=1)
        assert len(server.bodies) == 6
    assert [end for _, end in made.ends()] == [Done(False, "parse")] * 2
    (row,) = page.as_json(made)["models"]
    assert (row["model"], row["candidates"], row["cost"], row["each"]) == ("openai/fake", 2, 6, None)


@pytest.mark.long
@pytest.mark.parametrize(("kind", "said", "category"), [("boxes", box, "cipher"), ("query-games", query_game, "set")])
def test_a_pool_that_was_killed_at_any_entry_goes_on_to_the_same_bytes(
    tmp_path: Path, kind: str, said: Any, category: str
) -> None:
    with Loopback(said) as server:
        model = f"llm:openai/fake?base_url={server.url}&backoff=0.005"
        ideas = ["good", "wrong code"]
        whole = generate(kind, tmp_path / "whole", ideas=ideas, category=category, model=model, workers=1)
        logs = {file.name: file.read_bytes() for file in (tmp_path / "whole" / "candidates").iterdir()}
        entries = sum(len(candidate.entries) for candidate in whole.pool.candidates())
        assert entries >= 10
        for cut in range(entries):
            pool = tmp_path / f"cut-{cut}"
            generate(kind, pool, ideas=ideas, category=category, requests=tmp_path / "unused.jsonl")
            left = cut
            for name, log in sorted(logs.items()):
                lines = log.splitlines(keepends=True)[:left]
                left -= len(lines)
                torn = log[len(b"".join(lines)) :][:20] if lines else b""  # the line that was being written
                (pool / "candidates" / name).write_bytes(b"".join(lines) + torn)
            generate(kind, pool, model=model, workers=1)
            assert {file.name: file.read_bytes() for file in (pool / "candidates").iterdir()} == logs, cut
