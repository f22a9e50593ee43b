"""Plays a tournament's matches again, bit for bit: the seed, the options and the recorded texts decide everything."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Sequence
from typing import Any

from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.tournament.plan import Planned, Tournament
from interactive_envs.evaluation.tournament.play import TournamentStore, chips_after, options_of, result_of
from interactive_envs.making import make_aec
from interactive_envs.multiplayer.match import Match
from interactive_envs.reporting.matches import MatchRecord
from interactive_envs.reporting.store import differences_of


def replays(store: TournamentStore, only: str | None = None) -> Iterator[tuple[MatchRecord, str | None]]:
    """Replay every match of a tournament, table by table.

    Where chips are carried, those of a match must be what the match before it left, as far as that one is there.

    Args:
        store: the tournament.
        only: id of the match to replay, None for all.

    Yields:
        A record, and the first difference, None where all is equal.

    Raises:
        ConfigError: a line is damaged, or the game's data is not this version's.
    """
    tournament, matches = store.tournament, functools.cache(functools.partial(_open_match, store.tournament))
    records: dict[str, MatchRecord] = {}
    for record in store.matches():
        records.setdefault(record.match, record)
    stacks: dict[tuple[int, str], list[int] | None] = {}
    for name, planned in store.plan.items():
        if name in records:
            record, table = records[name], (planned.setting, planned.table)
            if only in (None, name):
                yield record, mismatch(tournament, planned, record, matches(planned.setting), stacks.get(table))
            stacks[table] = chips_after(tournament, record)


def mismatch(
    tournament: Tournament,
    planned: Planned,
    record: MatchRecord,
    match: Match[Any],
    stacks: Sequence[int] | None = None,
) -> str | None:
    """Replay a match and compare all that its texts decide; None where all is equal.

    Times, cost and model calls cannot come out again and are not compared.

    Args:
        tournament: what was played.
        planned: which match of it.
        record: what is replayed.
        match: of the setting's rules; it is started again.
        stacks: chips a seat where they are carried, None to begin with the game's own.
    """
    specs = [tournament.players[place].spec for place in planned.order]
    options = options_of(planned, match.game, stacks)
    if record.options != options:
        return f"the options were {dict(record.options)!r}, now {options!r}"
    if (seated := [agent.get("spec") for agent in record.agents]) != specs:
        return f"the players were {seated!r}, now {specs!r}"
    match.begin(record.seed, options)
    for count, text in enumerate(record.texts, 1):
        if match.to_move is None:
            return f"text {count}: the match was over before it"
        if not isinstance(text.text, str):
            return f"text {count}: it is no text but {text.text!r}"
        played = match.act(text.text)
        for name in ("seat", "kind", "reason"):
            if getattr(text, name) != getattr(played, name):
                return f"text {count}: the {name} was {getattr(text, name)!r}, now {getattr(played, name)!r}"
        if text.illegal and not played.illegal:
            return f"text {count}: it was not legal, and now is not read"
    if match.to_move is not None:
        return f"after {len(record.texts)} texts: the match was over, now seat {match.to_move} is to move"
    result = result_of(match)
    now = {
        "scores": list(result.scores),
        "outcomes": list(result.outcomes),
        "game": result.game,
        "luck": tournament.report.luck(result.game, record.seed),
    }
    then = {"scores": list(record.scores), "outcomes": list(record.outcomes), "game": record.game, "luck": record.luck}
    difference = next(differences_of(then, json.loads(json.dumps(now))), None)
    return f"at the end: {difference}" if difference else None


def _open_match(tournament: Tournament, setting: int) -> Match[Any]:
    """Return a match by a setting's rules.

    Raises:
        ConfigError: their data is not this version's.
    """
    match: Match[Any] = make_aec(tournament.id, **tournament.settings[setting]).match
    if tournament.content:
        then = tournament.content[setting * len(tournament.players)].get("data_sha256")
        if then != match.game.data_sha256():
            raise ConfigError(
                f"the matches were played with other data (sha256 {str(then)[:12]}…); "
                "install the version they were recorded with"
            )
    return match
