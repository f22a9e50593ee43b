"""Flat rows: one per episode of a run, one per seat of a tournament's match. Exports and Python read the same ones."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.tournament.plan import Tournament
from interactive_envs.multiplayer.match import TIME_LIMIT
from interactive_envs.outcome import Outcome
from interactive_envs.reporting.matches import MatchRow
from interactive_envs.reporting.records import EpisodeRow
from interactive_envs.reporting.store import RunStore
from interactive_envs.seeds import canonical_json, episode_seed
from interactive_envs.system.files import open_regular, parse_json

_TYPES: dict[str, type] = {"int": int, "float": float, "str": str, "bool": bool}
_PLACE = ("offset", "length", "crc")
"""Fields of a row that say where its record lies."""
_OF_ROW = {
    one.name: _TYPES[str(one.type).removesuffix(" | None")]
    for one in dataclasses.fields(EpisodeRow)
    if one.name not in _PLACE
}

EPISODE_COLUMNS: dict[str, type] = {
    "run": str,
    "cell": int,
    "env": str,
    "arguments": str,
    "player": str,
    "agent": str,
    "judge": str,
    "seed": int,
    "success": bool,
    "faults": int,
    "fault": str,
    **_OF_ROW,
}
"""Columns of :func:`of_run` with their types; any value may be None."""
SEAT_COLUMNS: dict[str, type] = {
    **dict.fromkeys(("run", "match", "deal", "cluster", "table", "env"), str),
    **{"setting": int, "arguments": str, "seat": int, "player": str, "agent": str, "opponents": str},
    **{"score": float, "outcome": str, "moves": int, "invalid": int, "illegal": int, "time_outs": int},
    **dict.fromkeys(("prompt_tokens", "completion_tokens", "reasoning_tokens"), int),
    **dict.fromkeys(("cost", "seconds", "match_seconds"), float),
}
"""Columns of a seat's row with their types; only the cost may be None."""


ANYTIME_COLUMNS: dict[str, type] = {
    **dict.fromkeys(("run", "env", "arguments", "player", "agent", "judge", "case"), str),
    **dict.fromkeys(("cell", "case_index", "epoch", "steps", "questions", "spent", "most"), int),
    **{"answer": str, "messages": int, "valid": bool, "outcome": str, "reward": float, "missing": str},
    **dict.fromkeys(("prompt_tokens", "completion_tokens", "reasoning_tokens", "judge_tokens"), int),
    **{"cost": float, "judge_cost": float},
}
"""Columns of :func:`of_answers` with their types; any value may be None."""


def of_answers(store: RunStore, rows: Iterable[EpisodeRow]) -> Iterator[dict[str, Any]]:
    """Yield a row for each answer between two turns, with the columns of :data:`ANYTIME_COLUMNS`.

    - ``steps``, ``questions``, ``spent``, ``most``: actions before it, readable questions among them, what was spent of
      the budget, and how much of that an episode allows, in questions;
    - ``answer``, ``messages``, ``valid``, ``outcome``, ``reward``: its last message and how many there were, whether it
      could be read, and how the episode would have ended; ``missing`` says why there is no answer;
    - tokens and costs are those of this answer.

    Args:
        store: the run. The records of its episodes are read one by one.
        rows: its rows, in any order.
    """
    name = store.folder.resolve().name
    for row in rows:
        record, cell = store.episode(row), store.config.cells[row.cell]
        if record.anytime is None:
            continue
        for answer in record.anytime.answers:
            tokens = {
                f"{kind}_tokens": sum(getattr(call.usage, kind) for call in answer.calls)
                for kind in ("prompt", "completion", "reasoning")
            }
            judged = sum(call.usage.prompt + call.usage.completion for call in answer.judge_calls)
            costs = [[call.cost for call in calls] for calls in (answer.calls, answer.judge_calls)]
            known = [sum(each) if None not in each else None for each in costs]  # type: ignore[arg-type]
            found = {
                **{"run": name, "cell": row.cell, "env": cell.env_id, "arguments": canonical_json(cell.arguments)},
                **{"player": cell.player, "agent": cell.agent, "judge": cell.judge, "case": row.case},
                **{"case_index": row.case_index, "epoch": row.epoch, "steps": answer.steps},
                **{"questions": answer.questions, "spent": answer.spent, "most": record.anytime.most},
                **{"answer": answer.said[-1] if answer.said else None, "messages": len(answer.said)},
                **{"valid": answer.valid, "outcome": answer.outcome, "reward": answer.reward},
                **{"missing": answer.missing or None, **tokens, "judge_tokens": judged},
                **{"cost": known[0], "judge_cost": known[1]},
            }
            yield {column: found[column] for column in ANYTIME_COLUMNS}


def of_run(store: RunStore, rows: Iterable[EpisodeRow]) -> Iterator[dict[str, Any]]:
    """Yield a row for each episode, with the columns of :data:`EPISODE_COLUMNS`.

    - ``run``, ``cell``, ``env``, ``arguments``, ``player``, ``agent``, ``judge``: the folder's name, the position of
      the cell in the configuration and what it holds; the arguments as JSON, the agent as its spec;
    - ``seed``: what the environment and the player were reset with;
    - ``success``: whether it was solved within its rounds;
    - ``faults``, ``fault``: how many attempts infrastructure broke before, and how it broke the last one;
    - the others are those of :class:`~interactive_envs.reporting.records.EpisodeRow`.

    Args:
        store: the run. Of each cell one record is read, for the name that its seeds follow from.
        rows: its rows, in any order.
    """
    name, faults = store.folder.resolve().name, _faults(store)
    keys: dict[int, str] = {}
    for row in rows:
        if row.cell not in keys:
            keys[row.cell] = store.record(row)["env"]["key"]
        cell, broken = store.config.cells[row.cell], faults.get(row.key, [])
        yield {
            "run": name,
            "cell": row.cell,
            "env": cell.env_id,
            "arguments": canonical_json(cell.arguments),
            "player": cell.player,
            "agent": cell.agent,
            "judge": cell.judge,
            "seed": episode_seed(store.config.seed, keys[row.cell], row.case_index, row.epoch),
            "success": is_success(row),
            "faults": len(broken),
            "fault": broken[-1] if broken else None,
            **{field: getattr(row, field) for field in _OF_ROW},
        }


def of_match(name: str, played: Tournament, row: MatchRow) -> Iterator[dict[str, Any]]:
    """Yield a row for each seat of a match, with the columns of :data:`SEAT_COLUMNS`; ``name`` is the folder's."""
    return ({"run": name, **of_seat(played, row, seat)} for seat in range(len(row.players)))


def of_seat(played: Tournament, row: MatchRow, seat: int) -> dict[str, Any]:
    """Return what one player did in a match."""
    own = [text for text in row.texts if text.seat == seat]
    late = sum(text.reason == TIME_LIMIT.reason for text in own)
    moves = sum(text.kind == "move" for text in own)
    costs = [text.cost for text in own]
    known = [cost for cost in costs if cost is not None]
    player = row.players[seat]
    return {
        "match": row.match,
        "deal": row.deal,
        "cluster": row.cluster,
        "table": row.table,
        "env": played.id,
        "setting": row.setting,
        "arguments": canonical_json(played.settings[row.setting]),
        "seat": seat,
        "player": player,
        "agent": next(one.spec for one in played.players if one.name == player),
        "opponents": json.dumps([*row.players[:seat], *row.players[seat + 1 :]], ensure_ascii=False),
        "score": row.scores[seat],
        "outcome": row.outcomes[seat],
        "moves": moves,
        "invalid": len(own) - moves - late,
        "illegal": sum(text.illegal for text in own),
        "time_outs": late,
        **{
            f"{kind}_tokens": sum(text.tokens[place] for text in own)
            for place, kind in enumerate(("prompt", "completion", "reasoning"))
        },
        "cost": sum(known) if len(known) == len(costs) else None,
        "seconds": sum(text.seconds for text in own),
        "match_seconds": row.seconds,
    }


def is_success(row: EpisodeRow) -> bool:
    """Whether an episode was solved within its rounds."""
    return row.outcome == Outcome.SUCCESS and row.won_by != "forced"


def _faults(store: RunStore) -> dict[tuple[int, int, int], list[str]]:
    """The kinds of the broken attempts by episode; a line that cannot be read says nothing."""
    found: dict[tuple[int, int, int], list[str]] = defaultdict(list)
    with contextlib.suppress(FileNotFoundError), open_regular(store.folder / "faults.jsonl") as file:
        for line in file:
            with contextlib.suppress(ConfigError, KeyError, TypeError):
                fault = parse_json(line, "")
                found[fault["cell"], fault["case_index"], fault["epoch"]].append(str(fault["fault"]))
    return found
