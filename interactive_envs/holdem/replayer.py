"""Pages that replay hands: what their script is given, and the pages of a run's episodes."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from interactive_envs.holdem.hands.evaluator import NUMBER, strength
from interactive_envs.holdem.statistics import contributions, read_hand
from interactive_envs.reporting import summary
from interactive_envs.reporting.matches import TextRecord, texts_until_move
from interactive_envs.reporting.page import as_bytes, file_name, glyph, source, templates, visible
from interactive_envs.reporting.records import EpisodeRecord, EpisodeRow
from interactive_envs.reporting.store import RunStore
from interactive_envs.reporting.tables import fill_arguments
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.files import make_subfolder

FOLDER = "hands"
EPISODES, HANDS = 200, 10_000
"""Of a run that get pages at most; the first episode has one however long it is."""
PAGE_HANDS, PAGE_BYTES = 500, 3_000_000
"""Of a page at most."""


def replayer_content(players: Sequence[str], hands: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the template of a page of hands needs.

    Args:
        players: names, to which the hands point.
        hands: as :func:`replayed` yields them.
    """
    script = source(__package__, "hand_replayer.js")
    return {
        "hands": {"names": list(map(visible, players)), "hands": hands},
        "script": script,
        # The one script that the page's policy lets run; jinja writes it with a line end less than the file.
        "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    }


def replayed(
    title: str, players: Sequence[int], hands: Sequence[Mapping[str, Any]], texts: Iterable[TextRecord]
) -> Iterator[dict[str, Any]]:
    """Yield the hands of a match as the replayer wants them, every action with the texts that led to it.

    Args:
        title: of the match.
        players: places of the players' names, a seat each.
        hands: as the game's record has them.
        texts: of all seats, in order.
    """
    left = iter(texts)
    for record in hands:
        hand, hole = read_hand(record)
        said = [
            None if action.act in ("ante", "small blind", "big blind") else texts_until_move(left)
            for action in hand.actions
        ]
        yield {
            "match": visible(title) + (f", hand {record['number'] + 1}" if len(hands) > 1 else ""),
            "players": players,
            "button": hand.button,
            "stacks": record["stacks"],
            "hole": hole,
            "board": hand.board,
            "actions": [(one.street, one.seat, one.act, one.to, one.all_in) for one in hand.actions],
            "said": said,
            "shown": hand.shown,
            "net": hand.net,
            "pot": sum(contributions(hand)),
            "end": hand.actions[-1].street,
            "ranks": [call_hand(cards, hand.board) for cards in hand.shown],
        }


_RANKS = (
    (1277, "high card"),
    (4137, "a pair"),
    (4995, "two pair"),
    (5853, "three of a kind"),
    (5863, "a straight"),
    (7140, "a flush"),
    (7296, "a full house"),
    (7452, "four of a kind"),
    (7462, "a straight flush"),
)
"""The strongest hand of each kind."""


def call_hand(hole: Sequence[str], board: Sequence[str]) -> str:
    """Return what a hand that was shown down is called, '' for one that was not."""
    if not hole or len(board) < 5:
        return ""
    worth = strength([NUMBER[card] for card in (*hole, *board)])
    return next(name for most, name in _RANKS if worth <= most)


def write_pages(store: RunStore, rows: Iterable[EpisodeRow]) -> None:
    """Write a page for each of the first episodes, the cells in turn, into the run's folder.

    Args:
        store: the run.
        rows: its episodes of hold'em.
    """
    order = sorted(rows, key=lambda row: (row.epoch, row.case_index, row.cell))
    chosen = sorted(_fitting(store, order), key=lambda row: row.key)
    if not chosen:
        return
    folder, names = make_subfolder(store.folder, FOLDER), summary.names(store.config)
    template = templates(__package__).get_template("episode_hands.html.j2")
    files = [None, *map(file_name, chosen), None]
    for place, row in enumerate(chosen):
        record = store.episode(row)
        content = {
            "row": row,
            "name": names[row.cell],
            "glyph": glyph(row),
            "around": (files[place], files[place + 2]),
            "number": place + 1,
            "shown": len(chosen),
            "episodes": len(order),
            "records": "episodes.jsonl",
            **episode_content(record, names[row.cell].player, fill_arguments(store.config.cells[row.cell])),
        }
        write_atomically(folder / file_name(row), as_bytes(template.render(**content)))


def _fitting(store: RunStore, rows: Sequence[EpisodeRow]) -> Iterator[EpisodeRow]:
    """Yield as many of the episodes as get pages."""
    lengths = {cell: fill_arguments(store.config.cells[cell])["match"] for cell in {row.cell for row in rows}}
    room = HANDS
    for place, row in enumerate(rows[:EPISODES]):
        room -= lengths[row.cell]
        if place and room < 0:
            return
        yield row


def episode_content(record: EpisodeRecord, player: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the template needs of an episode.

    Args:
        record: the episode's.
        player: what the report calls the player.
        arguments: all those of the environment.
    """
    game = record.game or {}
    seats, seat, spec = arguments["players"], game["seat"], arguments["opponents"]
    players = [player] * seats
    for place, one in enumerate([spec] * (seats - 1) if isinstance(spec, str) else spec):
        other = (seat + 1 + place) % seats
        players[other] = f"Seat {other} ({one})"
    # The record has no clock of the others' texts.
    seconds = iter([step.seconds for step in record.steps])
    texts = (
        TextRecord(**{"illegal": False, **text}, seconds=next(seconds, 0.0) if text["seat"] == seat else 0.0)
        for text in game["texts"]
    )
    hands: list[dict[str, Any]] = []
    size = 0
    for hand in replayed(record.case, list(range(seats)), game["game"]["hands"], texts):
        size += len(json.dumps(hand))
        if hands and (size > PAGE_BYTES or len(hands) == PAGE_HANDS):
            break
        hands.append(hand)
    return {
        "page": {"players": players},
        "opponents": list(dict.fromkeys([spec] if isinstance(spec, str) else spec)),
        "of": len(game["game"]["hands"]),
        **replayer_content(players, hands),
    }
