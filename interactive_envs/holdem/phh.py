"""Hand histories in the PHH format (Kim 2023, arXiv 2312.11753): our hands written, any no-limit hold'em ones checked.

A history is replayed through :class:`HoldemGame`, every action as the text a player would write, and its finishing
stacks are compared with ours to the chip. Amounts are counted in the history's own unit: the largest in which its
blinds, antes, bets, stacks and results are whole numbers, so a pot that the history halves is halved here too. A chip
that cannot be split goes to the first winner left of the button.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from pokerkit import HandHistory

from interactive_envs.errors import ConfigError
from interactive_envs.holdem.hands.evaluator import DECK, NUMBER, strength
from interactive_envs.holdem.rules import MAX_SEATS, HoldemGame
from interactive_envs.holdem.view import STREETS, HandResult
from interactive_envs.parsing import Unreadable
from interactive_envs.system.files import read_bytes

Status: TypeAlias = Literal["ok", "difference", "unsupported"]

MOST_BYTES = 256 << 20
"""Of a file."""
_BOARD = (1, 2, 3, 5, 7)
"""Where the board lies in a deck after the hole cards; the other places are burnt cards."""
_BOARD_SIZE = {"preflop": 0, "flop": 3, "turn": 4, "river": 5}
_FINEST = 100
"""Results may be given in halves, quarters or cents; finer ones are rounded thirds, which no unit makes whole."""
_LARGEST_RAKE = Fraction(1, 4)
"""Most that a house can have kept of the pots."""
_CARD = re.compile(r"[2-9TJQKA][cdhs]|\?\?")


@dataclass(frozen=True)
class HandCheck:
    """What became of one history.

    Attributes:
        name: the file, and the hand's key where it holds several.
        status: ``ok``: our stacks are the history's; ``difference``: they are not, or it breaks the rules;
            ``unsupported``: our table cannot play it, or it leaves open who won.
        reason: why not, or what was made allowance for: odd chips that lie elsewhere, a rake.
        against: what our stacks were compared with: ``finishing stacks`` or ``winnings`` of the history, ``PokerKit``
            replaying it where it gives neither; '' where it did not come to that.
        stacks: our finishing stacks in the history's amounts, a player each from p1 on; () without a replay.
    """

    name: str
    status: Status
    reason: str = ""
    against: str = ""
    stacks: tuple[Fraction, ...] = ()

    def __str__(self) -> str:
        against = f" (against {self.against})" if self.against else ""
        return f"{self.name}: {self.status}{against}{': ' if self.reason else ''}{self.reason}"


def check_files(paths: Iterable[str | Path], *, rake: bool = False) -> Iterator[HandCheck]:
    """Check the hands of ``.phh`` and ``.phhs`` files, in order.

    Args:
        paths: the files.
        rake: whether a house may have kept up to a quarter of the pots; without it every missing chip is a difference.

    Raises:
        ConfigError: a file cannot be opened, is a link, no regular one or too large.
    """
    for path in paths:
        try:
            text = read_bytes(path, largest=MOST_BYTES).decode()
        except OSError as error:
            raise ConfigError(f"cannot read {path}: {error.strerror or error}") from error
        except UnicodeDecodeError:
            yield HandCheck(str(path), "unsupported", "the file is no UTF-8 text")
            continue
        yield from check_text(text, str(path), rake=rake)


def check_text(text: str, name: str = "hand", *, rake: bool = False) -> Iterator[HandCheck]:
    """Check one history, or several in tables of their own."""
    try:
        fields = tomllib.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        yield HandCheck(name, "unsupported", f"the text is no TOML: {error}")
        return
    if fields and all(isinstance(value, dict) for value in fields.values()):
        for key, hand in fields.items():
            yield check_hand(hand, f"{name} [{key}]", rake=rake)
    else:
        yield check_hand(fields, name, rake=rake)


def check_hand(fields: Mapping[str, Any], name: str = "hand", *, rake: bool = False) -> HandCheck:
    """Replay one history and compare.

    Args:
        fields: what TOML gives.
        name: of the hand, for the result.
        rake: see :func:`check_files`.
    """
    try:
        history = _read(fields)
        hand = _replay(history)
        against, expected = _expected(history, hand)
        status, reason = _compare(history, hand, expected, rake)
    except _UnsupportedError as stop:
        return HandCheck(name, "unsupported", str(stop))
    except _DifferenceError as stop:
        return HandCheck(name, "difference", str(stop))
    return HandCheck(name, status, reason, against, tuple(Fraction(chips, history.scale) for chips in hand.finishing))


def summary(checks: Sequence[HandCheck]) -> str:
    """One line of counts."""
    count = Counter(check.status for check in checks)
    notes = sum(check.status == "ok" and check.reason != "" for check in checks)
    ok = f"{count['ok']} ok" + (f" ({notes} with a note)" if notes else "")
    return f"{len(checks)} hands: {ok}, {count['difference']} differ, {count['unsupported']} unsupported"


def exit_status(checks: Sequence[HandCheck]) -> int:
    """0 where a hand was compared and none differs, else 1."""
    status = {check.status for check in checks}
    return 0 if "ok" in status and "difference" not in status else 1


def export_hand(
    game: HoldemGame,
    hand: Mapping[str, Any] | HandResult,
    *,
    stacks: Sequence[int] | None = None,
    players: Sequence[str] | None = None,
) -> str:
    """A finished hand as one PHH table.

    Args:
        game: the table it was played at.
        hand: one of ``game.record(state)["hands"]``, or what everybody saw, where cards not shown stay unknown.
        stacks: chips of each seat before the hand; a record has them, a HandResult has not.
        players: a name a seat; ``seat 0`` and so on where not given.

    Raises:
        ConfigError: stacks are missing, or stacks or players are not one a seat.
    """
    if isinstance(hand, HandResult):
        record: Mapping[str, Any] = {**hand.__dict__, "hole": hand.shown, "actions": [a.__dict__ for a in hand.actions]}
    else:
        record = hand
    chips: Sequence[int] = stacks or record.get("stacks", ())
    names = players or [f"seat {seat}" for seat in range(game.seats)]
    for what, given in (("stacks", chips), ("players", names)):
        if len(given) != game.seats:
            raise ConfigError(f"{what} must be {game.seats}, one a seat, got {given!r}")
    order = [(record["button"] + 1 + place) % game.seats for place in range(game.seats)]
    fields: dict[str, Any] = {
        "variant": "NT",
        "ante_trimming_status": game.ante_by == "all",
        "antes": list(game.antes),
        "blinds_or_straddles": [game.small_blind, game.big_blind] + [0] * (game.seats - 2),
        "min_bet": game.big_blind,
        "starting_stacks": [int(chips[seat]) for seat in order],
        "actions": _actions(record, order),
        "hand": record["number"] + 1,
        "players": [names[seat] for seat in order],
        "finishing_stacks": [int(chips[seat]) + record["net"][seat] for seat in order],
    }
    # What JSON writes for these types is TOML, too.
    return "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in fields.items())


def export_hands(game: HoldemGame, hands: Iterable[Mapping[str, Any]], players: Sequence[str] | None = None) -> str:
    """Several hands of one table as ``.phhs``."""
    tables = (export_hand(game, hand, players=players) for hand in hands)
    return "\n".join(f"[{number}]\n{table}" for number, table in enumerate(tables, 1))


def _actions(hand: Mapping[str, Any], order: Sequence[int]) -> list[str]:
    """Deals, actions, then who showed what."""
    player = {seat: f"p{place}" for place, seat in enumerate(order, 1)}
    lines = [f"d dh {player[seat]} {''.join(hand['hole'][seat]) or '????'}" for seat in order]
    dealt = 0

    def deal(upto: int) -> None:
        nonlocal dealt
        for last in _BOARD_SIZE.values():
            if dealt < last <= upto:
                lines.append(f"d db {''.join(hand['board'][dealt:last])}")
                dealt = last

    folded = set()
    for action in hand["actions"]:
        deal(_BOARD_SIZE[action["street"]])
        match action["act"]:
            case "fold":
                folded.add(action["seat"])
                lines.append(f"{player[action['seat']]} f")
            case "check" | "call":
                lines.append(f"{player[action['seat']]} cc")
            case "bet" | "raise":
                lines.append(f"{player[action['seat']]} cbr {action['to']}")
    # Where all are all-in the cards are turned up before the rest of the board is dealt.
    left = [seat for seat in order if seat not in folded]
    if len(left) > 1:
        lines += [f"{player[seat]} sm {''.join(hand['shown'][seat])}".strip() for seat in left]
    deal(len(hand["board"]))
    return lines


class _UnsupportedError(Exception):
    """Why this table cannot play a history."""


class _DifferenceError(Exception):
    """Where a history breaks the rules."""


@dataclass
class _History:
    """One history, amounts in its unit unless stated otherwise.

    Attributes:
        fields: as TOML gives them.
        scale: units in one of the history's amounts.
        antes: a player each: all the same, or of the big blind alone.
        blinds: small and big.
        stacks: a player each, from p1 on; the last player has the button.
        results: finishing stacks or winnings where the history gives them, in its own amounts.
        moves: actions in order.
        hole: known hole cards a player, ``??`` for unknown ones.
        mucked: players that gave up their cards at the showdown.
        board: cards in the order of dealing.
    """

    fields: Mapping[str, Any]
    scale: int
    antes: list[int]
    blinds: tuple[int, int]
    stacks: list[int]
    results: dict[str, list[Fraction]]
    moves: list[_Move] = field(default_factory=list)
    hole: list[list[str]] = field(default_factory=list)
    mucked: set[int] = field(default_factory=set)
    board: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Move:
    player: int
    kind: Literal["f", "cc", "cbr"]
    to: int
    board: int
    """How many board cards lay there."""
    words: str


@dataclass(frozen=True)
class _Hand:
    """What our table made of a history, amounts in its unit, a player each.

    Attributes:
        finishing: stacks after the hand.
        winnings: what the pots paid.
        returned: bets that nobody called.
        odd: most chips that another way to hand out odd ones can move, 0 where the player has no share of a split pot.
    """

    finishing: list[int]
    winnings: list[int]
    returned: list[int]
    odd: list[int]


def _read(fields: Mapping[str, Any]) -> _History:
    """Amounts as whole numbers, cards and actions apart."""
    if fields.get("variant") != "NT":
        raise _UnsupportedError(f"the variant is {fields.get('variant')!r}, not 'NT' for no-limit Texas hold'em")
    stacks = _amounts(fields, "starting_stacks")
    count = len(stacks)
    if not 2 <= count <= MAX_SEATS:
        raise _UnsupportedError(f"{count} players; the table has 2 to {MAX_SEATS} seats")
    antes, blinds = (_padded(_amounts(fields, name), count) for name in ("antes", "blinds_or_straddles"))
    big_blind_ante = antes[1] > 0 and not any(antes[:1] + antes[2:])
    if len(set(antes)) > 1 and not big_blind_ante:
        raise _UnsupportedError(f"the antes differ: {_listed(antes)}")
    if any(blinds[2:]):
        raise _UnsupportedError(f"a straddle or a blind besides small and big: {_listed(blinds)}")
    if not 0 < blinds[0] <= blinds[1]:
        raise _UnsupportedError(f"the blinds are no small and big blind: {_listed(blinds)}")
    least = _amount(fields.get("min_bet"), "min_bet")
    if least != blinds[1]:
        raise _UnsupportedError(f"the smallest bet is {_plain(least)}, not the big blind of {_plain(blinds[1])}")
    trimmed = bool(fields.get("ante_trimming_status", False))
    if big_blind_ante and trimmed:
        raise _UnsupportedError("the big blind alone posts an ante, and antes are trimmed to one another")
    if min(stacks) < antes[0] and not trimmed:
        raise _UnsupportedError("a stack is smaller than the ante, and antes are not trimmed to it")
    results = {name: _amounts(fields, name) for name in ("finishing_stacks", "winnings") if name in fields}
    for name, given in results.items():
        if len(given) != count:
            raise _UnsupportedError(f"{name} has {len(given)} numbers for {count} players")
    lines = fields.get("actions")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise _UnsupportedError("actions must be a list of texts")
    statements = [words for words in (line.split("#")[0].split() for line in lines) if words]
    raises = [_amount(words[2], " ".join(words)) for words in statements if len(words) == 3 and words[1] == "cbr"]
    shares = [amount for given in results.values() for amount in given if amount.denominator <= _FINEST]
    scale = math.lcm(*(amount.denominator for amount in (*stacks, *antes, *blinds, *raises, *shares)))
    small, big = (int(blind * scale) for blind in blinds[:2])
    history = _History(
        fields,
        scale,
        [int(ante * scale) for ante in antes],
        (small, big),
        [int(stack * scale) for stack in stacks],
        results,
    )
    history.hole = [[] for _ in stacks]
    for words in statements:
        _take(history, words)
    known = [card for cards in (*history.hole, history.board) for card in cards if card != "??"]
    twice = [card for card, times in Counter(known).items() if times > 1]
    if twice:
        raise _DifferenceError(f"{twice[0]} is dealt twice")
    return history


def _take(history: _History, words: Sequence[str]) -> None:
    """Note one line of the actions."""
    match words:
        case "d", "dh", player, cards:
            hole = history.hole[_player(history, player)]
            hole += _cards(cards)
            if len(hole) > 2:
                raise _UnsupportedError(f"{player} is dealt {len(hole)} cards")
        case "d", "db", cards:
            history.board += _cards(cards)
            if len(history.board) > 5:
                raise _UnsupportedError(f"{len(history.board)} board cards: the board was dealt more than once")
        case player, "f" | "cc" as kind:
            history.moves.append(_Move(_player(history, player), kind, 0, len(history.board), " ".join(words)))
        case player, "cbr", amount:
            to = int(_amount(amount, " ".join(words)) * history.scale)
            history.moves.append(_Move(_player(history, player), "cbr", to, len(history.board), " ".join(words)))
        case player, "sm":
            history.mucked.add(_player(history, player))
        case player, "sm", "-":
            _player(history, player)
        case player, "sm", cards:
            _show(history, player, _cards(cards))
        case _:
            raise _UnsupportedError(f"{' '.join(words)!r} is no action of no-limit hold'em")


def _show(history: _History, player: str, cards: list[str]) -> None:
    """Cards that are shown are the cards that were dealt."""
    number = _player(history, player)
    shown = {card for card in cards if card != "??"}
    if not shown:
        history.mucked.add(number)
        return
    dealt = history.hole[number]
    known = {card for card in dealt if card != "??"}
    if len(known | shown) > 2:
        raise _DifferenceError(f"{player} shows {''.join(cards)} and was dealt {''.join(dealt)}")
    history.hole[number] = _padded(sorted(known | shown), 2, "??")


def _replay(history: _History) -> _Hand:
    """Play the history at our table."""
    seats = len(history.stacks)
    small, big = history.blinds
    hole = _complete(history)
    try:
        game = HoldemGame(
            players=seats,
            stack=history.stacks,
            small_blind=small,
            big_blind=big,
            ante=history.antes[1],
            ante_by="all" if history.antes[0] else "big-blind",
        )
    except ConfigError as error:
        raise _UnsupportedError(f"{error} (in units of {_plain(Fraction(1, history.scale))})") from error
    options = {"deck": _deck(hole, history.board), "button": seats - 1}
    state = game.start(np.random.default_rng(0), options)
    for move in history.moves:
        seat = game.to_move(state)
        if seat is None:
            raise _DifferenceError(f"{move.words!r}: the hand is over")
        if seat != move.player:
            raise _DifferenceError(f"{move.words!r}: it is p{seat + 1}'s turn")
        view = game.view(state, seat)
        if move.board != len(view.board):
            raise _DifferenceError(f"{move.words!r}: {move.board} board cards are dealt on the {view.street}")
        if move.kind == "f" and not view.to_call:
            raise _UnsupportedError(f"{move.words!r}: a fold where checking is free, which this table does not know")
        texts = {"f": "fold", "cc": "call", "cbr": f"raise to {move.to}"}
        played = game.read(state, seat, texts[move.kind])
        if isinstance(played, Unreadable):
            raise _DifferenceError(f"{move.words!r}: {played.reason}")
        game.play(state, seat, played)
    seat = game.to_move(state)
    if seat is not None:
        raise _UnsupportedError(f"the history ends where p{seat + 1} is to act")
    (record,) = game.record(state)["hands"]
    paid, returned = _put_in(record["actions"], seats)
    winnings = [net + chips - back for net, chips, back in zip(record["net"], paid, returned, strict=True)]
    for player in _assumed(history):
        if winnings[player]:
            raise _UnsupportedError(f"p{player + 1}'s cards are not shown, and no two cards lose for sure")
    finishing = [stack + net for stack, net in zip(history.stacks, record["net"], strict=True)]
    return _Hand(finishing, winnings, returned, _odd_chips(record))


def _assumed(history: _History) -> list[int]:
    """Players at the showdown whose cards count for nothing: unknown ones, and those given up."""
    folded = {move.player for move in history.moves if move.kind == "f"}
    left = [player for player in range(len(history.stacks)) if player not in folded]
    if len(left) == 1:
        return []
    return [player for player in left if player in history.mucked or not _is_known(history.hole[player])]


def _complete(history: _History) -> list[list[str]]:
    """Hole cards with unknown ones filled in, at a showdown by the weakest: what is not shown wins nothing."""
    hole = [_padded(list(cards), 2, "??") for cards in history.hole]
    assumed = _assumed(history)
    folded = {move.player for move in history.moves if move.kind == "f"}
    if len(hole) - len(folded) > 1:
        if not _is_known(history.board) or len(history.board) < 5:
            raise _UnsupportedError("there is a showdown, and the board's five cards are not all known")
        if len(assumed) == len(hole) - len(folded):
            raise _UnsupportedError("nobody's cards at the showdown are known")
    used = {card for cards in (*hole, history.board) for card in cards}
    for player in assumed:
        board = [NUMBER[card] for card in history.board]
        unseen = [number for number, card in enumerate(DECK) if card not in used]
        weakest = min(combinations(unseen, 2), key=lambda pair: strength([*board, *pair]))
        hole[player] = [DECK[number] for number in weakest]
        used.update(hole[player])
    return hole


def _deck(hole: Sequence[Sequence[str]], board: Sequence[str]) -> list[str]:
    """A deck that deals these cards, and others where they are unknown."""
    seats = len(hole)
    deck = ["??"] * len(DECK)
    for player, cards in enumerate(hole):
        deck[player], deck[seats + player] = cards
    for place, card in zip(_BOARD, board, strict=False):
        deck[2 * seats + place] = card
    rest = iter([card for card in DECK if card not in deck])
    return [next(rest) if card == "??" else card for card in deck]


def _odd_chips(record: Mapping[str, Any]) -> list[int]:
    """For each seat the odd chips that the split pots it has a share in can have at most."""
    odd = [0] * len(record["stacks"])
    for pot in record["pots"] if len(record["board"]) == 5 else ():
        hands = {
            seat: strength([NUMBER[card] for card in record["hole"][seat] + record["board"]]) for seat in pot["seats"]
        }
        winners = [seat for seat, hand in hands.items() if hand == max(hands.values())]
        for seat in winners:
            odd[seat] += len(winners) - 1
    return odd


def _put_in(actions: Sequence[Mapping[str, Any]], seats: int) -> tuple[list[int], list[int]]:
    """Chips that each seat put in, and those of them that nobody called."""
    put, returned = [0] * seats, [0] * seats
    for street in ("ante", *STREETS):
        bets = [0] * seats
        for action in actions:
            if ("ante" if action["act"] == "ante" else action["street"]) == street:
                bets[action["seat"]] = action["to"]
        second, highest = sorted(bets)[-2:]
        if street == "ante" and not second:  # one for the whole table, which counts as no bet
            second = highest
        returned[bets.index(highest)] += highest - second
        put = [before + bet for before, bet in zip(put, bets, strict=True)]
    return put, returned


def _expected(history: _History, hand: _Hand) -> tuple[str, list[Fraction]]:
    """With what to compare, and the finishing stacks it gives, in units."""
    if "finishing_stacks" in history.results:
        return "finishing stacks", [amount * history.scale for amount in history.results["finishing_stacks"]]
    if "winnings" in history.results:
        stacks = []
        for player, amount in enumerate(history.results["winnings"]):
            won, own = amount * history.scale, hand.winnings[player]
            # Some histories count a bet that nobody called as won.
            back = hand.returned[player] if won > own else 0
            stacks.append(hand.finishing[player] - own - back + won)
        return "winnings", stacks
    return "PokerKit", [Fraction(chips) for chips in _by_pokerkit(history)]


def _by_pokerkit(history: _History) -> list[int]:
    """Finishing stacks by PokerKit's own reader of histories, which settles showdowns as they are written."""
    seats = len(history.stacks)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            read = HandHistory(
                variant="NT",
                ante_trimming_status=bool(history.fields.get("ante_trimming_status", False)),
                antes=history.antes,
                blinds_or_straddles=_padded(list(history.blinds), seats),
                min_bet=history.blinds[1],
                starting_stacks=history.stacks,
                actions=history.fields["actions"],
                parse_value=lambda text: int(_amount(text, text) * history.scale),
            )
            *_, last = read
        except ValueError as error:
            raise _UnsupportedError(f"it gives no result, and PokerKit cannot replay it: {error}") from error
    return list(last.stacks)


def _compare(history: _History, hand: _Hand, expected: Sequence[Fraction], rake: bool) -> tuple[Status, str]:
    """Equal to the chip, or equal but for odd chips or, where one is allowed, a rake among the winners."""
    more: list[Fraction] = [ours - theirs for ours, theirs in zip(hand.finishing, expected, strict=True)]
    if not any(more):
        return "ok", ""
    gaps = ", ".join(f"p{player} {_plain(extra / history.scale, '+')}" for player, extra in enumerate(more, 1) if extra)
    total = sum(more, Fraction())
    # Thirds that the history rounds add up to less than a chip too many or too few.
    if abs(total) < 1 and all(abs(extra) <= odd for extra, odd in zip(more, hand.odd, strict=True)):
        return "ok", f"odd chips of a split pot lie elsewhere, ours less the history's: {gaps}"
    from_winnings = all(0 <= extra <= won for extra, won in zip(more, hand.winnings, strict=True))
    if from_winnings and total <= _LARGEST_RAKE * sum(hand.winnings):
        if rake:
            return "ok", f"the house kept a rake, ours less the history's: {gaps}"
        return "difference", f"ours less the history's: {gaps}; a rake would explain it: allow one (rake)"
    return "difference", f"ours less the history's: {gaps}"


def _player(history: _History, label: str) -> int:
    number = re.fullmatch(r"p([1-9][0-9]?)", label)
    if not number or int(number[1]) > len(history.stacks):
        raise _UnsupportedError(f"there is no player {label!r} among {len(history.stacks)}")
    return int(number[1]) - 1


def _cards(text: str) -> list[str]:
    cards = _CARD.findall(text)
    if "".join(cards) != text:
        raise _UnsupportedError(f"{text!r} are no cards")
    return cards


def _is_known(cards: Sequence[str]) -> bool:
    return len(cards) > 0 and "??" not in cards


def _amounts(fields: Mapping[str, Any], name: str) -> list[Fraction]:
    values = fields.get(name)
    if not isinstance(values, list):
        raise _UnsupportedError(f"{name} must be a list of amounts, got {values!r}")
    return [_amount(value, name) for value in values]


def _amount(value: object, where: str) -> Fraction:
    """An exact amount of at most 15 digits before the point and 9 after it."""
    try:
        number = Decimal(value.replace(",", "") if isinstance(value, str) else value)  # type: ignore[arg-type]
    except (InvalidOperation, TypeError, ValueError):
        raise _UnsupportedError(f"{where}: {value!r} is no amount") from None
    exponent = number.as_tuple().exponent
    if (
        isinstance(value, bool)
        or not isinstance(exponent, int)
        or exponent < -9
        or number.adjusted() > 15
        or number < 0
    ):
        raise _UnsupportedError(f"{where}: {value!r} is no amount that chips can make up")
    return Fraction(number)


def _plain(amount: Fraction, sign: str = "") -> str:
    return f"{float(amount):{sign}.10g}"


def _listed(amounts: Iterable[Fraction]) -> str:
    return ", ".join(map(_plain, amounts))


def _padded(values: list[Any], count: int, filler: Any = 0) -> list[Any]:
    return [*values, *[filler] * (count - len(values))][:count]
