"""The page of a pool: how far the candidates came and why others did not, and how much they differ.

Source: gg-bench, figure 2 (the filters), table 1 (lengths), table 5 (similarity of code) and appendix E (by model).
"""

from __future__ import annotations

import json
import re
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interactive_envs.errors import MissingExtraError
from interactive_envs.game_generation import categories
from interactive_envs.game_generation.diversity import Neighbour, correlation, fingerprints, nearest, similarity
from interactive_envs.game_generation.engine import Done
from interactive_envs.game_generation.making import Made
from interactive_envs.game_generation.pool import Call, Candidate, Ruling
from interactive_envs.reporting.page import as_bytes, templates
from interactive_envs.reporting.store import RunStore
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.files import make_private_folder

LEAST_GROUPED = 8
"""Candidates below which themes mean nothing."""
PAPER_CANDIDATES, PAPER_ADMITTED = 1000, 126
PAPER_SIMILARITY = {"mean": 0.436, "least": 0.222, "lower": 0.351, "median": 0.408, "upper": 0.536, "greatest": 0.836}
"""Of gg-bench, table 5, by Dolos."""


@dataclass(frozen=True)
class Row:
    """What the page says of a candidate.

    Attributes:
        number: its place in the pool.
        title: what it is called, empty where nothing was parsed.
        wish: what it was asked to be, in short.
        end: ``admitted``, ``flagged``, ``under way``, or the stage that refused it.
        reason: why, the first of several.
        rounds: repairs.
        code: the candidate whose code is most alike.
        play: the candidate that plays most alike.
    """

    number: int
    title: str
    wish: str
    end: str
    reason: str
    rounds: int
    code: Neighbour | None = None
    play: Neighbour | None = None


def write(made: Made, path: Path, run: Path | None = None) -> None:
    """Write the page.

    Args:
        made: a pool as far as it came.
        path: of the file; one that ends in ``.md`` gets the same as Markdown, to put under a heading, and one in
            ``.json`` the verdict on each candidate alone.
        run: a run in which players met its games under the names of a release: then the page says how their scores
            go with novelty and length.
    """
    make_private_folder(path.parent)
    if path.suffix == ".json":
        lines = [f"{json.dumps(number)}: {json.dumps(found)}" for number, found in verdicts(made).items()]
        write_atomically(path, as_bytes("{\n" + ",\n".join(lines) + "\n}\n"))
        return
    environment = templates(__package__).overlay()
    environment.filters = {**environment.filters, "as_words": as_words}
    template = environment.get_template("pool.md.j2" if path.suffix == ".md" else "pool.html.j2")
    write_atomically(path, as_bytes(template.render(**as_json(made, run))))


def as_words(text: str) -> str:
    """A text of a model as a cell of Markdown: no column, no link, no picture, no emphasis."""
    return re.sub(r"([\\`*_\[\]!~])", r"\\\1", text.replace("|", "/")).replace("://", ":\\//")


def verdicts(made: Made) -> dict[str, list[list[str]]]:
    """By the number of a candidate, each verdict on its files in turn: stage, verdict, and the kinds of reasons."""
    return {
        str(one.number): [
            [entry.stage, entry.verdict, *sorted({kind for kind, _ in entry.reasons})]
            for entry in one.entries
            if isinstance(entry, Ruling)
        ]
        for one, _ in made.ends()
    }


def as_json(made: Made, run: Path | None = None) -> dict[str, Any]:
    """All that the page shows, see :func:`write`."""
    ends = made.ends()
    candidates = [candidate for candidate, _ in ends]
    parsed = [one for one in candidates if {*dict(made.kind.answer_of(one).files)} == {*made.kind.files}]
    released = made.released()
    codes = nearest([fingerprints(_code(made, one)) for one in parsed], similarity)
    plays = _plays(made, parsed)
    rows = [_row(made, one, end, _at(parsed, codes, one), _at(parsed, plays, one)) for one, end in ends]
    return {
        "things": str(made.pool.settings["kind"]).replace("-", " "),
        "plays": made.kind.plays,
        "funnel": made.stages(),
        "paper": {"candidates": PAPER_CANDIDATES, "admitted": PAPER_ADMITTED} if made.kind.name == "game" else None,
        "reasons": made.refusals(),
        "flags": made.flags(),
        "mended": made.mended(),
        "lengths": _lengths(made, {"parsed": parsed, "released": released}),
        "similarity": {
            name: _spread([one.similarity for one in found if one is not None])
            for name, found in (("code", codes), ("play", plays))
        },
        "paper_similarity": PAPER_SIMILARITY,
        "trends": [] if run is None else trends(made, rows, run),
        "least": LEAST_GROUPED if run is not None else 0,
        "themes": _themes(made, parsed, released),
        "models": _models(made, ends),
        "rows": rows,
    }


def trends(made: Made, rows: Sequence[Row], run: Path) -> list[dict[str, Any]]:
    """How scores go with novelty and length (gg-bench, section 5): Spearman's correlation over the games.

    Returns:
        For each player and each measure ``agent``, ``against``, ``rho`` with ``low`` and ``high``, and ``n`` games.
        Novelty is 1 minus the similarity to the nearest candidate; length is the mean of random games.
    """
    store = RunStore.read_only(run)
    scores: dict[tuple[str, str], list[float]] = {}
    for played in store.rows():
        cell = store.config.cells[played.cell]
        name = Path(str(cell.arguments["path"])).name if "path" in cell.arguments else cell.env_id
        scores.setdefault((cell.agent, name), []).append(played.reward)
    measured, names = {row.number: row for row in rows}, made.names()
    measures: dict[str, dict[str, float]] = {}
    for one in made.released():
        row, lengths = measured[one.number], made.kind.played(one).get("lengths", ())
        games = sum(count for _, count in lengths)
        found = {"length": sum(length * count for length, count in lengths) / games} if games else {}
        if row.code is not None:
            found["novelty of the code"] = 1 - row.code.similarity
        if row.play is not None:
            found["novelty of play"] = 1 - row.play.similarity
        measures[names[one.number]] = measures[f"ibench/Game-{names[one.number]}-v1"] = found
    result = []
    for agent in dict.fromkeys(agent for agent, _ in scores):
        for what in ("novelty of the code", "novelty of play", "length"):
            pairs = [
                (measures[name][what], statistics.fmean(rewards))
                for (player, name), rewards in scores.items()
                if player == agent and what in measures.get(name, {})
            ]
            if len(pairs) >= LEAST_GROUPED:
                result.append({"agent": agent, "against": what, "n": len(pairs), **correlation(pairs)})
    return result


def _row(made: Made, one: Candidate, end: Done | None, code: Neighbour | None, play: Neighbour | None) -> Row:
    files = dict(made.kind.answer_of(one).files)
    rulings = [entry for entry in one.since_written() if isinstance(entry, Ruling) and entry.verdict != "pass"]
    why = next((f"{kind}: {text}" for entry in rulings for kind, text in entry.reasons), "")
    if end is None:
        how = "under way"
    elif end.admitted:
        how = "flagged" if rulings else "admitted"
    else:
        how = end.stage
    wish = ", ".join(str(one.wish[name]) for name in ("idea", "category", "mode", "grade", "about") if name in one.wish)
    return Row(one.number, made.kind.title(files) if files else "", wish, how, why, one.rounds, code, play)


def _code(made: Made, one: Candidate) -> str:
    files = made.kind.answer_of(one).files
    return "\n".join(text for name, text in files if name.endswith(".py"))


def _plays(made: Made, parsed: Sequence[Candidate]) -> list[Neighbour | None]:
    """The most similar in play, among those of which games were played."""
    places = [place for place, one in enumerate(parsed) if made.kind.played(one)]
    found = nearest([made.kind.played(parsed[place]) for place in places], made.kind.alike)
    by_place: list[Neighbour | None] = [None] * len(parsed)
    for place, neighbour in zip(places, found, strict=True):
        by_place[place] = neighbour and Neighbour(places[neighbour.place], neighbour.similarity)
    return by_place


def _at(parsed: Sequence[Candidate], found: Sequence[Neighbour | None], one: Candidate) -> Neighbour | None:
    """A candidate's neighbour, by its number in the pool."""
    if one not in parsed:
        return None
    neighbour = found[parsed.index(one)]
    return neighbour and Neighbour(parsed[neighbour.place].number, neighbour.similarity)


def _lengths(made: Made, groups: Mapping[str, Sequence[Candidate]]) -> list[dict[str, Any]]:
    """Sizes of the files, before and after the filters."""
    rows = []
    for name in made.kind.files:
        row: dict[str, Any] = {"file": name, "unit": "lines" if name.endswith(".py") else "words"}
        for group, candidates in groups.items():
            texts = [dict(made.kind.answer_of(one).files)[name] for one in candidates]
            sizes = [len(text.splitlines()) if row["unit"] == "lines" else len(text.split()) for text in texts]
            row[group] = _summary(sizes)
        rows.append(row)
    return rows


def _themes(
    made: Made, parsed: Sequence[Candidate], released: Sequence[Candidate]
) -> list[dict[str, Any]] | str | None:
    """How many candidates have each theme, before and after the filters; a text says why that is not known."""
    if not made.kind.rules or len(parsed) < LEAST_GROUPED:
        return None
    texts = [dict(made.kind.answer_of(one).files)[made.kind.rules] for one in parsed]
    try:
        found = categories.group(texts)
    except MissingExtraError as error:
        return str(error)
    numbers = {one.number for one in released}
    before = Counter(name or "" for name in found)
    after = Counter(name or "" for one, name in zip(parsed, found, strict=True) if one.number in numbers)
    broad = categories.categories()
    return [
        {"theme": name or "none of these", "category": broad.get(name, ""), "parsed": count, "released": after[name]}
        for name, count in sorted(before.items(), key=lambda item: (item[0] == "", -item[1], item[0]))
    ]


def _summary(sizes: Sequence[int]) -> dict[str, float] | None:
    if not sizes:
        return None
    mean, deviation = statistics.fmean(sizes), statistics.pstdev(sizes)
    return {"n": len(sizes), "mean": mean, "deviation": deviation, "least": min(sizes), "greatest": max(sizes)}


def _spread(values: Sequence[float]) -> dict[str, float] | None:
    """Mean, extremes and quartiles."""
    if len(values) < 2:
        return None
    lower, median, upper = statistics.quantiles(values, n=4, method="inclusive")
    return {
        "n": len(values),
        "mean": statistics.fmean(values),
        "least": min(values),
        "lower": lower,
        "median": median,
        "upper": upper,
        "greatest": max(values),
    }


def _models(made: Made, ends: Sequence[tuple[Candidate, Done | None]]) -> list[dict[str, Any]]:
    """By the model that wrote: candidates, those admitted, repairs, tokens and cost."""
    groups: dict[str, list[tuple[Candidate, Done | None]]] = {}
    for one, end in ends:
        for call in one.written[:1]:
            groups.setdefault(call.reply.model or "not named", []).append((one, end))
    rows = []
    for model, found in sorted(groups.items()):
        calls = [entry for one, _ in found for entry in one.entries if isinstance(entry, Call)]
        admitted = sum(end is not None and end.admitted for _, end in found)
        costs = [call.reply.cost for call in calls]
        cost = sum(value for value in costs if value is not None) if any(value is not None for value in costs) else None
        rows.append(
            {
                "model": model,
                "candidates": len(found),
                "admitted": admitted,
                "repairs": sum(one.rounds for one, _ in found),
                "by_rounds": sorted(Counter(one.rounds for one, end in found if end and end.admitted).items()),
                "tokens": sum(call.reply.usage.prompt + call.reply.usage.completion for call in calls),
                "cost": cost,
                "each": cost / admitted if cost is not None and admitted else None,
            }
        )
    return rows
