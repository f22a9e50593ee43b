"""What a seat of a hold'em table reads: words and numbers of a HoldemView, nothing else."""

from __future__ import annotations

from interactive_envs.holdem.view import HandAction, HandResult, HoldemView

_DEALT = {"preflop": slice(0), "flop": slice(3), "turn": slice(3, 4), "river": slice(4, 5)}
"""The board's cards that came with each street."""
MOST_TOLD = 20
"""Finished hands that one message tells in full."""
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


SIZES = (
    "a bet is at least the big blind, a raise at least as large as the last bet or raise, and neither is more than all "
    "your chips; only all-in may be less."
)
"""What bets and raises may be, where no turn says it."""


def rules(view: HoldemView, legal: str = "listed") -> str:
    """The rules of the table and how to answer, for the seat's first message.

    Args:
        view: the seat's.
        legal: ``hidden`` where no turn says what may be done.
    """
    last = view.seats - 1
    turns = "Each turn says what you may do."
    if legal == "hidden":
        turns = f"No turn says what you may do: {SIZES}"
    return "\n".join(
        (
            f"No-limit Texas hold'em with {view.seats} seats, numbered 0 to {last}. You are seat {view.seat}.",
            *_match(view),
            f"Blinds {view.small_blind}/{view.big_blind}.{_ante(view)} Win as many chips as you can.",
            "A card is a rank (2 to 9, T, J, Q, K, A) and a suit (c, d, h, s). A player's hand is the best five cards "
            "among its own two and the five on the board. Equal hands split the pot; an odd chip goes to the first "
            "winner left of the button.",
            "A raise must be at least as large as the last bet or raise, unless you go all-in for less. Players who "
            f"have already acted cannot raise again after such an all-in, unless somebody makes a full raise. {turns}",
            "Behind are the chips that a seat has not bet yet. Pot odds are the call divided by the pot after it.",
            "",
            "Answer with one JSON object:",
            '{"action": "fold" | "check" | "call" | "bet" | "raise" | "all_in", "amount": number, "reasoning": text}',
            '"amount" is needed for bet and raise. It is your total for this street after the action, not the chips '
            'you add. "reasoning" is for yourself, at most 20 words.',
            "Short forms are read too: fold, check, call, bet 200, raise to 600, all-in.",
        )
    )


def _match(view: HoldemView) -> list[str]:
    """What goes on from hand to hand."""
    if view.hands == 1:
        return ["You play one hand."]
    stacks = "Every seat has its first stack again in every hand."
    if view.carry:
        stacks = "You keep your chips from hand to hand; a seat without chips gets its first stack again."
    seen = "After each hand you see all its actions and the cards that were shown."
    if not view.memory:
        seen = "Each hand stands alone: nobody at the table remembers earlier hands."
    return [
        f"You play {view.hands} hands against the same opponents. "
        f"The button moves one seat on after each hand. {stacks}",
        f"{seen} Your score is what you win or lose in all hands together, in big blinds.",
    ]


def _ante(view: HoldemView) -> str:
    if not view.ante:
        return ""
    if view.ante_by == "all":
        return f" Every seat posts an ante of {view.ante}."
    return f" The big blind also posts an ante of {view.ante}, which goes into the pot and does not count as a bet."


def situation(view: HoldemView, legal: str = "listed") -> str:
    """Everything the seat sees, what ended since its last choice, and, unless hidden, what it may do now."""
    lines = _ended(view)
    if view.over:
        if len(view.past) == view.hands > 1:
            lines.append(f"The match is over. Chips won or lost in all {view.hands} hands: {_chips(_total(view))}.")
        return "\n".join(lines).rstrip()
    seat = view.seat
    so_far = f" Your total so far: {_total(view)[seat]:+} chips." if view.past else ""
    lines.append(
        f"Hand {view.hand + 1} of {view.hands}, {view.street}. You are seat {seat} ({view.positions[seat]}). "
        f"Your cards: {' '.join(view.hole)}. Board: {' '.join(view.board) or 'none yet'}.{so_far}"
    )
    for other in range(view.seats):
        you = " (you)" if other == seat else ""
        lines.append(
            f"Seat {other}{you}, {view.positions[other]}: {view.stacks[other]} behind, bet {view.bets[other]}, "
            f"{view.statuses[other]}"
        )
    lines += _played(view.actions, view.board)
    lines.append(_pot_line(view))
    lines.append(_choice(view, legal))
    return "\n".join(lines)


def _ended(view: HoldemView) -> list[str]:
    """The hands that ended since the seat's last choice; of very many the earliest in one line."""
    news = view.news
    early, late = news[:-MOST_TOLD], news[-MOST_TOLD:]
    lines = []
    if early:
        won = tuple(map(sum, zip(*(hand.net for hand in early), strict=True)))
        lines += [
            f"Hands {early[0].number + 1} to {early[-1].number + 1} are over. Chips won or lost: {_chips(won)}.",
            "",
        ]
    for hand in late:
        own = view.over and hand is view.past[-1]
        lines += [*_hand_lines(hand, f" You were seat {view.seat} with {' '.join(view.hole)}." if own else ""), ""]
    return lines


def _hand_lines(hand: HandResult, own: str) -> list[str]:
    """A finished hand as everybody saw it."""
    folded = {action.seat for action in hand.actions if action.act == "fold"}
    left = [seat for seat in range(len(hand.net)) if seat not in folded]
    shown = [
        f"seat {seat} {'shows ' + ' '.join(hand.shown[seat]) if hand.shown[seat] else 'does not show'}" for seat in left
    ]
    lines = [f"Hand {hand.number + 1} is over.{own}", *_played(hand.actions, hand.board)]
    if any(hand.shown):
        lines.append(f"Showdown, board {' '.join(hand.board)}: {', '.join(shown)}.")
    else:
        lines.append(f"All but seat {left[0]} folded. No cards were shown.")
    return [*lines, f"Chips won or lost: {_chips(hand.net)}."]


def _total(view: HoldemView) -> tuple[int, ...]:
    return tuple(map(sum, zip(*(hand.net for hand in view.past), strict=True)))


def _pot_line(view: HoldemView) -> str:
    parts = [f"{pot.amount} for seats {_listed(pot.seats)}" for pot in view.pots]
    parts.append(f"{sum(view.bets)} bet on this street")
    return f"Pot: {view.pot} ({'; '.join(parts)})."


def _choice(view: HoldemView, legal: str) -> str:
    if view.to_move != view.seat:
        return f"Seat {view.to_move} is to act."
    odds = f" (pot odds {view.pot_odds:.3f})" if view.to_call else ""
    if legal == "hidden":
        return f"You are to act. To call: {view.to_call}{odds}."
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
    antes = [action.to for action in actions if action.act == "ante"]
    if len(antes) > 1 and len(set(antes)) == 1:
        streets["preflop"] = [f"everybody posts ante {antes[0]}"]
        actions = tuple(action for action in actions if action.act != "ante")
    for action in actions:
        words = f"seat {action.seat} {_VERBS[action.act].format(action.to)}"
        streets.setdefault(action.street, []).append(f"{words} all-in" if action.all_in else words)
    return [f"{_headed(street, board)}: {', '.join(words)}." for street, words in streets.items()]


def _headed(street: str, board: tuple[str, ...]) -> str:
    return " ".join((street.capitalize(), *board[_DEALT[street]]))


def _chips(net: tuple[int, ...]) -> str:
    return ", ".join(f"seat {seat} {chips:+}" for seat, chips in enumerate(net) if chips) or "none"


def _listed(seats: tuple[int, ...]) -> str:
    return ", ".join(map(str, seats))
