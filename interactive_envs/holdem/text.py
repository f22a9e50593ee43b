"""What a seat of a hold'em table reads: words and numbers of a HoldemView, nothing else."""

from __future__ import annotations

from interactive_envs.holdem.view import HandAction, HandResult, HoldemView

_DEALT = {"preflop": slice(0), "flop": slice(3), "turn": slice(3, 4), "river": slice(4, 5)}
"""The board's cards that came with each street."""
_VERBS = {
    "ante": "posts ante {}",
    "small blind": "posts small blind {}",
    "big blind": "posts big blind {}",
    "fold": "folds",
    "check": "checks",
    "call": "calls to {}",
    "bet": "bets {}",
    "raise": "raises to {}",
}


def rules(view: HoldemView) -> str:
    """The rules of the table and how to answer, for the seat's first message."""
    ante = f" Everybody posts an ante of {view.ante}." if view.ante else ""
    many = view.hands > 1
    length = f"{view.hands} hands; the button moves one seat on after each" if many else "one hand"
    again = " A seat without chips sits down again with its first stack; only winnings count." if many else ""
    return "\n".join(
        (
            f"No-limit Texas hold'em, {view.seats} seats numbered from 0, {length}. You are seat {view.seat}.",
            f"Blinds {view.small_blind}/{view.big_blind}.{ante} Win as many chips as you can.{again}",
            "Cards are a rank, 2 to 9 or T J Q K A, and a suit, c d h s. The best five of your two cards and the board "
            "count. Ties split a pot; its odd chips go to the first winner left of the button.",
            "A raise is at least as large as the bet or raise before it; only all-in may be less, and those who have "
            "acted cannot always raise again after it: every turn says what you may do.",
            "",
            "Answer with one JSON object:",
            '{"action": "fold" | "check" | "call" | "bet" | "raise" | "all_in", "amount": number, "reasoning": text}',
            "amount is needed for bet and raise: your total for this street after the action, not what you add to it. "
            "reasoning is yours, at most 20 words.",
            "Short forms do as well: fold, check, call, bet 200, raise to 600, all-in.",
            "An answer that cannot be read or is not legal becomes a check where that is free, else a fold.",
        )
    )


def situation(view: HoldemView, recap: int = 1) -> str:
    """Everything the seat sees, and what it may do now.

    Args:
        view: the seat's view.
        recap: how many finished hands before this one the text repeats, a line each.
    """
    if view.over:
        return _ending(view)
    seat = view.seat
    lines = [_hand_line(hand) for hand in view.past[-recap:]] if recap else []
    lines.append(
        f"Hand {view.hand + 1} of {view.hands}, {view.street}. You are seat {seat} ({view.positions[seat]}). "
        f"Your cards: {' '.join(view.hole)}. Board: {' '.join(view.board) or 'none yet'}."
    )
    for other in range(view.seats):
        you = " (you)" if other == seat else ""
        lines.append(
            f"Seat {other}{you}, {view.positions[other]}: {view.stacks[other]} behind, bet {view.bets[other]}, "
            f"{view.statuses[other]}"
        )
    lines += _played(view.actions, view.board)
    lines.append(_pot_line(view))
    lines.append(_choice(view))
    return "\n".join(lines)


def _pot_line(view: HoldemView) -> str:
    parts = [f"{pot.amount} for seats {_listed(pot.seats)}" for pot in view.pots]
    parts.append(f"{sum(view.bets)} bet on this street")
    return f"Pot: {view.pot} ({'; '.join(parts)})."


def _choice(view: HoldemView) -> str:
    if view.to_move != view.seat:
        return f"Seat {view.to_move} is to act."
    odds = f" (pot odds {view.pot_odds:.3f})" if view.to_call else ""
    passing = "fold or call" if view.to_call else "check"
    verb = "raise to" if max(view.bets) else "bet"
    if view.min_raise_to is None:
        more = "; no raise is possible now"
    elif view.min_raise_to == view.max_raise_to:
        more = f", or {verb} {view.max_raise_to}, which is all-in"
    else:
        more = f", or {verb} {view.min_raise_to} at least and {view.max_raise_to} (all-in) at most"
    return f"To call: {view.to_call}{odds}. You may {passing}{more}."


def _played(actions: tuple[HandAction, ...], board: tuple[str, ...]) -> list[str]:
    """The hand so far, a line a street."""
    streets: dict[str, list[str]] = {}
    antes = {action.to for action in actions if action.act == "ante"}
    if len(antes) == 1:
        streets["preflop"] = [f"everybody posts ante {antes.pop()}"]
        actions = tuple(action for action in actions if action.act != "ante")
    for action in actions:
        words = f"seat {action.seat} {_VERBS[action.act].format(action.to)}"
        streets.setdefault(action.street, []).append(f"{words} all-in" if action.all_in else words)
    return [f"{_headed(street, board)}: {', '.join(words)}." for street, words in streets.items()]


def _headed(street: str, board: tuple[str, ...]) -> str:
    return " ".join((street.capitalize(), *board[_DEALT[street]]))


def _hand_line(hand: HandResult) -> str:
    """A finished hand in one line."""
    return f"Hand {hand.number + 1}: {_result(hand)}"


def _result(hand: HandResult) -> str:
    shown = [f"seat {seat} shows {' '.join(cards)}" for seat, cards in enumerate(hand.shown) if cards]
    board = " ".join(hand.board) or "none"
    return f"board {board}; {'; '.join(shown) or 'no cards shown'}; won: {_chips(hand.net)}."


def _ending(view: HoldemView) -> str:
    last = view.past[-1]
    total = tuple(map(sum, zip(*(hand.net for hand in view.past), strict=True)))
    lines = [
        f"Hand {view.hand + 1} of {view.hands} is over. You were seat {view.seat} ({view.positions[view.seat]}) with "
        f"{' '.join(view.hole)}.",
        *_played(view.actions, view.board),
        f"Result: {_result(last)}",
    ]
    if view.hands > 1:
        lines.append(f"All {view.hands} hands: {_chips(total)}.")
    return "\n".join(lines)


def _chips(net: tuple[int, ...]) -> str:
    return ", ".join(f"seat {seat} {chips:+}" for seat, chips in enumerate(net) if chips) or "nobody anything"


def _listed(seats: tuple[int, ...]) -> str:
    return ", ".join(map(str, seats))
