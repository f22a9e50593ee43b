"""No-limit Texas hold'em on PokerKit: seats, hands of an episode, and what an action's text means."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pokerkit import Automation, Card, NoLimitTexasHoldem, State

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.holdem import numeric
from interactive_envs.holdem import text as texts
from interactive_envs.holdem.hands.evaluator import CARDS, DECK, NUMBER, BestHand
from interactive_envs.holdem.reading import TextAction, read_text
from interactive_envs.holdem.view import FORCED, Act, HandAction, HandResult, HoldemView, Pot, Status, Street
from interactive_envs.multiplayer.game import Game, read_legal
from interactive_envs.outcome import Outcome
from interactive_envs.parsing import Illegal, Unreadable

MAX_SEATS = 10
MAX_CHIPS = 10**9
"""Most chips a seat, a blind or an ante may have."""
ANTE_BY = ("all", "big-blind")
"""Who posts the ante: every seat, or the big blind alone."""

# What comes before them is left to us, so that the deck is put in place before anything is dealt and nothing shuffles
# it; what comes after, because an automation asks twice whether it may.
_AUTOMATIONS = (Automation.BET_COLLECTION, Automation.CARD_BURNING, Automation.BOARD_DEALING, Automation.CHIPS_PULLING)
_MUTABLE = (list, deque, set)


class _State(State):
    """PokerKit's state; its own look at the cards that could be dealt shuffles by the global random state."""

    def get_dealable_cards(self, deal_count: int | None = 0, warning_status: bool = True) -> Iterator[Card]:
        yield from (*self.deck_cards, *self.reserved_cards)


class _Table(NoLimitTexasHoldem):
    deck = ()  # type: ignore[assignment]
    hand_types = (BestHand,)


class Move(NamedTuple):
    """A legal move: fold, pass (check or call) or raise (bet or raise), ``to`` the seat's chips on this street."""

    kind: Literal["fold", "pass", "raise"]
    to: int = 0


@dataclass
class HoldemState:
    """One episode: the hand being played and what came of the finished ones.

    Attributes:
        decks: the deck of every hand, card numbers in the order of dealing.
        buy_in: chips that each seat sits down with, and again when it rebuys.
        button: the seat of the current hand's button.
        starting: chips of each seat at the beginning of the current hand.
        table: PokerKit's state of the current hand; its players are counted from the button's left.
        hole: hole cards of the current hand, a seat each.
        statuses: a seat each.
        actions: of the current hand.
        pots: the chips of its finished streets, None when they must be counted again.
        won: chips each seat has won in the finished hands.
        past: the finished hands as everybody saw them.
        hands: the finished hands with every secret, for records.
        over: whether the last hand is finished.
    """

    decks: list[tuple[int, ...]]
    buy_in: tuple[int, ...]
    button: int
    starting: tuple[int, ...]
    won: list[int]
    table: State = field(init=False)
    hole: tuple[tuple[str, ...], ...] = ()
    statuses: list[Status] = field(default_factory=list)
    actions: list[HandAction] = field(default_factory=list)
    pots: tuple[Pot, ...] | None = None
    past: list[HandResult] = field(default_factory=list)
    hands: list[dict[str, Any]] = field(default_factory=list)
    over: bool = False


class HoldemGame(Game[HoldemState]):
    """No-limit Texas hold'em for 2 to 10 seats.

    The button's seat is drawn in :meth:`start` and moves one seat on after every hand. Reset options, all of them for
    the whole episode:

    - ``deck``: 52 cards, ``["Ah", "Td", …]`` or ``"AhTd…"``, in the order of dealing: one card to each seat from the
      small blind's on (heads-up: from the big blind's), a second one to each, a burnt card and the flop, a burnt card
      and the turn, a burnt card and the river. For several hands a list of such decks.
    - ``stacks``: chips, one number or a list with one a seat.
    - ``button``: the seat of the first hand's button.

    Args:
        players: seats, 2 to 10.
        match: hands in an episode, all against the same opponents.
        carry: whether seats keep their chips from hand to hand, and a seat without chips gets its first stack again;
            otherwise every hand begins with the first stacks.
        memory: whether seats know the earlier hands of the episode; otherwise every hand begins a fresh dialogue.
        stack: chips at the beginning, one number or a list with one per seat.
        small_blind: chips, at most the big blind.
        big_blind: chips, at least 1.
        ante: chips.
        ante_by: ``all``: every seat posts the ante; ``big-blind``: the big blind alone posts it, before its blind. It
            is then dead money: it goes into the main pot and counts towards no bet.
        bet_sizes: the numeric twin's bets, as shares of the pot after a call; :mod:`interactive_envs.holdem.numeric`
            describes its arrays and actions.
        legal: ``listed``, each turn says what may be done, or ``hidden``, it leaves that to the rules.

    Raises:
        ConfigError: an argument has a value that cannot work.
        UnknownNameError: ``ante_by`` names nobody.
    """

    invalid_policies: ClassVar[Mapping[str, str]] = {"fold": "you check if that is free, and fold otherwise"}
    reset_options: ClassVar[tuple[str, ...]] = ("deck", "stacks", "button")
    numeric_actions: int

    def __init__(
        self,
        *,
        players: int = 6,
        match: int = 1,
        carry: bool = False,
        memory: bool = True,
        stack: int | Sequence[int] = 10_000,
        small_blind: int = 50,
        big_blind: int = 100,
        ante: int = 0,
        ante_by: str = "all",
        bet_sizes: Sequence[float] = (0.5, 1.0),
        legal: str = "listed",
    ) -> None:
        self.legal = read_legal(legal)
        self.seats = _whole("players", players, 2, MAX_SEATS)
        self.match = _whole("match", match, 1)
        for name, given in (("carry", carry), ("memory", memory)):
            if not isinstance(given, bool):
                raise ConfigError(f"{name} must be true or false, got {given!r}")
        self.carry, self.memory = carry, memory
        self.big_blind = _whole("big_blind", big_blind, 1, MAX_CHIPS)
        self.small_blind = _whole("small_blind", small_blind, 1, self.big_blind)
        self.ante = _whole("ante", ante, 0, MAX_CHIPS)
        self.stacks = self._read_stacks("stack", stack)
        if ante_by not in ANTE_BY:
            raise UnknownNameError("ante_by", ante_by, ANTE_BY)
        self.ante_by = ante_by
        self.bet_sizes = _read_sizes(bet_sizes)
        self.numeric_actions = numeric.FIXED_ACTIONS + len(self.bet_sizes)
        self.numeric_shape = numeric.shape(self.seats)
        raise_to = f"<move>raise to {3 * self.big_blind}</move>"
        self.action_examples = ("<move>call</move>", "<move>fold</move>", raise_to, "<move>all-in</move>")
        blinds = self.small_blind, self.big_blind
        self._tables = _Table(_AUTOMATIONS, ante_by == "all", self.antes, blinds, self.big_blind)
        self._positions = [_positions(self.seats, button) for button in range(self.seats)]

    @property
    def antes(self) -> tuple[int, ...]:
        """Chips that each seat posts as an ante, counted as PokerKit does: small blind, big blind, the others."""
        return (self.ante,) * self.seats if self.ante_by == "all" else (0, self.ante, *[0] * (self.seats - 2))

    def start(self, rng: np.random.Generator, options: Mapping[str, Any]) -> HoldemState:
        """Draw button and decks, deal the first hand; see the class for the options.

        A hand in which blinds and antes put everybody all-in is played out at once.
        """
        buy_in = self._read_stacks("stacks", options["stacks"]) if "stacks" in options else self.stacks
        # Drawn even when given, so that giving one option changes nothing else.
        button = int(rng.integers(self.seats))
        decks = _shuffled(rng, self.match)
        if "button" in options:
            button = _whole("button", options["button"], 0, self.seats - 1)
        if "deck" in options:
            decks = _read_decks(options["deck"], self.match)
        state = HoldemState(decks, buy_in, button, buy_in, [0] * self.seats)
        self._deal(state)
        self._go_on(state)
        return state

    def clone(self, state: HoldemState) -> HoldemState:
        """An independent copy; what never changes is shared."""
        copy = object.__new__(HoldemState)
        copy.__dict__.update(state.__dict__)
        for name in ("won", "statuses", "actions", "past", "hands"):
            setattr(copy, name, getattr(state, name).copy())
        copy.table = _copy_table(state.table)
        return copy

    def to_move(self, state: HoldemState) -> int | None:
        """The seat that acts."""
        actors = state.table.actor_indices
        return (actors[0] + 1 + state.button) % self.seats if actors else None

    def read(self, state: HoldemState, seat: int, text: str) -> Move | Unreadable:
        """Read JSON or a short form, and check it against the table.

        ``{"action": …, "amount": …, "reasoning": …}`` or ``fold``, ``check``, ``call``, ``bet 200``, ``raise to 300``,
        ``raise 300``, ``all-in``: the amount is always the seat's total for this street. Either may stand in
        ``<move>…</move>``; a JSON object may have any text around it.
        """
        wanted = read_text(text)
        if isinstance(wanted, Unreadable):
            return wanted
        table = state.table
        player = table.actor_indices[0]
        bet, stack, highest = table.bets[player], table.stacks[player], max(table.bets)
        to_call = min(highest - bet, stack)
        if wanted.act == "call" or (wanted.act == "check" and not to_call):
            return Move("pass")
        if wanted.act == "fold" and to_call:
            return Move("fold")
        if wanted.act == "check":
            return Illegal(f"You cannot check: a call costs {to_call}.")
        if wanted.act == "fold":
            return Illegal("There is no bet to fold to; checking is free.")
        return self._read_raise(state, wanted, bet + stack, highest)

    def _read_raise(self, state: HoldemState, wanted: TextAction, most: int, highest: int) -> Move | Unreadable:
        table, hidden = state.table, self.legal == "hidden"
        least = table.min_completion_betting_or_raising_to_amount
        chips = zip(table.statuses, table.stacks, table.bets, strict=True)
        # A seat with more than the highest bet is among those counted, and cannot answer itself.
        can_answer = sum(active and stack + bet > highest for active, stack, bet in chips) > (most > highest)
        if wanted.act == "all-in" and (most <= highest or not can_answer):
            return Move("pass")
        if least is None:
            why = "you have acted and nobody made a full raise since" if can_answer else "nobody could answer it"
            if most <= highest:
                why = "a call takes all your chips"
            return Illegal(f"You cannot bet or raise now: {why}.{'' if hidden else ' You may call or fold.'}")
        amount = most if wanted.act == "all-in" else wanted.amount
        if amount is not None and least <= amount <= most:
            return Move("raise", amount)
        verb = "raise" if highest else "bet"
        total = "your total for this street" if hidden else f"your total for this street, from {least} to {most}"
        if amount is None:
            return Unreadable(f"A {verb} needs an amount: {total}.")
        return Illegal(f"That amount is not allowed: {texts.SIZES if hidden else total + '.'}")

    def play(self, state: HoldemState, seat: int, move: Move) -> None:
        """Play a move; after the last one of a hand the next hand is dealt."""
        table = state.table
        player = table.actor_indices[0]
        bet, stack, highest = table.bets[player], table.stacks[player], max(table.bets)
        board = len(table.board_cards)
        if move.kind == "fold":
            state.statuses[seat] = "folded"
            self._note(state, seat, "fold", bet)
            table.fold()
        elif move.kind == "pass":
            to = min(bet + stack, highest)
            self._note(state, seat, "call" if to > bet else "check", to, to == bet + stack)
            table.check_or_call()
        else:
            self._note(state, seat, "raise" if highest else "bet", move.to, move.to == bet + stack)
            table.complete_bet_or_raise_to(move.to)
        if move.kind == "fold" or len(table.board_cards) != board:
            state.pots = None
        self._go_on(state, board)

    def punish(self, state: HoldemState, seat: int, policy: str) -> None:
        """Check when that is free, else fold."""
        table = state.table
        free = table.bets[table.actor_indices[0]] >= max(table.bets)
        self.play(state, seat, Move("pass" if free else "fold"))

    def returns(self, state: HoldemState) -> tuple[float, ...]:
        """Big blinds won in the finished hands; a rebuy is no win."""
        return tuple(won / self.big_blind for won in state.won)

    def outcomes(self, state: HoldemState) -> tuple[Outcome, ...]:
        """Every seat has its winnings."""
        return (Outcome.SCORED,) * self.seats

    def view(self, state: HoldemState, seat: int) -> HoldemView:
        """The hand as the seat sees it."""
        table, button = state.table, state.button
        bets, stacks = _by_seat(table.bets, button), _by_seat(table.stacks, button)
        to_move = self.to_move(state)
        to_call, least, most = 0, None, None
        if to_move == seat:
            to_call = min(max(bets) - bets[seat], stacks[seat])
            least = table.min_completion_betting_or_raising_to_amount
            most = None if least is None else bets[seat] + stacks[seat]
        if state.pots is None:
            state.pots = self._pots(table, button)
        return HoldemView(
            seat=seat,
            seats=self.seats,
            hand=min(len(state.past), self.match - 1),
            hands=self.match,
            small_blind=self.small_blind,
            big_blind=self.big_blind,
            ante=self.ante,
            ante_by=self.ante_by,
            carry=self.carry,
            memory=self.memory,
            button=button,
            positions=self._positions[button],
            street=_STREET_AT[len(table.board_cards)],
            hole=state.hole[seat],
            board=tuple(card.name for (card,) in table.board_cards),  # type: ignore[attr-defined]
            stacks=stacks,
            starting_stacks=state.starting,
            bets=bets,
            statuses=tuple(state.statuses),
            pots=state.pots,
            to_move=to_move,
            to_call=to_call,
            min_raise_to=least,
            max_raise_to=most,
            actions=tuple(state.actions),
            past=tuple(state.past if self.memory else state.past[-1:] if state.over else ()),
            over=state.over,
            buy_in=state.buy_in,
        )

    def rules(self, view: HoldemView) -> str:
        """The rules of the table and how to answer."""
        return texts.rules(view, self.legal)

    def situation(self, view: HoldemView) -> str:
        """The View in words."""
        return texts.situation(view, self.legal)

    def begins_anew(self, view: HoldemView) -> bool:
        """Whether the View's seat, which remembers no earlier hand, has its first decision of this one."""
        return not (self.memory or view.over or view.has_acted)

    def legal_actions(self, view: HoldemView) -> list[str] | None:
        """None for the seat that acts: raises are too many to list."""
        return None if view.to_move == view.seat else []

    def resample(self, view: HoldemView, rng: np.random.Generator) -> HoldemState:
        """A state with this view: unseen cards are drawn, the hand's actions played again."""
        moves = [_move(action) for action in view.actions if action.act not in FORCED]
        for _ in range(_MAX_DRAWS):
            state = self._redeal(view, rng)
            for move in moves:
                seat = self.to_move(state)
                if seat is None:
                    break
                self.play(state, seat, move)
            # Only where cards were mucked at the end can another outcome come of the same actions.
            if not view.over or state.past[-1] == view.past[-1]:
                return state
        raise ConfigError("resample found no deal that ends like this view; was it made by another game?")

    def _redeal(self, view: HoldemView, rng: np.random.Generator) -> HoldemState:
        """The beginning of the view's hand, with other unseen cards."""
        seats, played = self.seats, view.hand
        deck: list[int | None] = [None] * len(DECK)
        hole = dict(enumerate(view.past[-1].shown)) if view.over else {}
        hole[view.seat] = view.hole
        for seat, cards in hole.items():
            for row, card in enumerate(cards):
                deck[row * seats + (seat - view.button - 1) % seats] = NUMBER[card]
        for card, place in zip(view.board, _BOARD, strict=False):
            deck[2 * seats + place] = NUMBER[card]
        unseen = iter(rng.permutation([card for card in range(len(DECK)) if card not in deck]).tolist())
        dealt = tuple(next(unseen) if card is None else card for card in deck)
        state = HoldemState(
            [()] * played + [dealt, *_shuffled(rng, self.match - played - 1)],
            view.buy_in,
            view.button,
            view.starting_stacks,
            [sum(hand.net[seat] for hand in view.past if hand.number < played) for seat in range(seats)],
            past=list(view.past[:played]) if self.memory else [_UNSEEN] * played,
        )
        self._deal(state)
        self._go_on(state)
        return state

    def encode(self, view: HoldemView) -> NDArray[np.float32]:
        """The View as an array, see :mod:`interactive_envs.holdem.numeric`."""
        return numeric.encode(view)

    def decode(self, view: HoldemView, index: int) -> str:
        """Fold, check or call, all-in, then the bet sizes.

        Raises:
            ConfigError: there is no such action.
        """
        choices = numeric.choices(view, self.bet_sizes)
        if not 0 <= index < len(choices):  # a negative one would count from the end
            raise ConfigError(f"a numeric action is a whole number from 0 to {len(choices) - 1}, got {index}")
        return choices[index]

    def secrets(self, state: HoldemState, seat: int) -> Sequence[str]:
        """The other seats' cards, as a text would have them."""
        if state.over:
            return ()
        shown = " ".join(card for hand in state.past for cards in (hand.board, *hand.shown) for card in cards)
        others = (" ".join(hole) for owner, hole in enumerate(state.hole) if owner != seat)
        return [pair for pair in others if pair not in shown]

    def record(self, state: HoldemState) -> dict[str, Any]:
        """Every finished hand with every card."""
        return {"hands": state.hands}

    def _deal(self, state: HoldemState) -> None:
        """Begin the next hand: antes, blinds, hole cards."""
        seats, button = self.seats, state.button
        deck = state.decks[len(state.past)]
        order = [(position + 1 + button) % seats for position in range(seats)]
        state.table = table = self._tables(tuple(state.starting[seat] for seat in order), seats)
        table.__class__ = _State  # the factory knows no other class than PokerKit's
        table.deck_cards.extend(CARDS[number] for number in deck[: 2 * seats + 8])
        state.statuses, state.actions, state.pots = ["in"] * seats, [], None
        while any(table.ante_posting_statuses):
            ante = table.post_ante()
            self._note(state, order[ante.player_index], "ante", ante.amount, not table.stacks[ante.player_index])
        blinds: tuple[tuple[int, Act], ...] = ((seats == 2, "small blind"), (seats != 2, "big blind"))
        for player, act in blinds:
            if table.blind_or_straddle_posting_statuses[player]:
                all_in = table.get_effective_blind_or_straddle(player) == table.stacks[player]
                blind = table.post_blind_or_straddle(int(player))
                self._note(state, order[player], act, blind.amount, all_in)
        hole: list[tuple[str, ...]] = [()] * seats
        for position, seat in enumerate(order):
            first, second = deck[position], deck[seats + position]
            hole[seat] = (DECK[first], DECK[second])
            table.deal_hole((CARDS[first], CARDS[second]), position)
        state.hole = tuple(hole)

    @staticmethod
    def _note(state: HoldemState, seat: int, act: Act, to: int, all_in: bool = False) -> None:
        if all_in:
            state.statuses[seat] = "all-in"
        street = _STREET_AT[len(state.table.board_cards)]
        state.actions.append(HandAction(street, seat, act, to, all_in))

    def _go_on(self, state: HoldemState, board: int = 0) -> None:
        """Finish every hand in which nobody is left to act."""
        while not state.over and not state.table.actor_indices:
            self._finish(state, board)
            if len(state.past) == self.match:
                state.over, state.pots = True, ()
                return
            state.starting = state.buy_in
            if self.carry:
                stacks = _by_seat(state.table.stacks, state.button)
                state.starting = tuple(left or bought for left, bought in zip(stacks, state.buy_in, strict=True))
            state.button = (state.button + 1) % self.seats
            board = 0
            self._deal(state)

    def _finish(self, state: HoldemState, board: int) -> None:
        """Push the pots and note the hand; ``board`` cards lay there at the last decision."""
        table, button = state.table, state.button
        pots = self._pots(table, button)
        shown: list[tuple[str, ...]] = [()] * self.seats
        while table.status:
            if table.showdown_indices:
                showing = table.show_or_muck_hole_cards()
                seat = (showing.player_index + 1 + button) % self.seats
                shown[seat] = state.hole[seat] if showing.hole_cards else ()
            elif any(table.hand_killing_statuses):
                table.kill_hand()
            else:
                table.push_chips()
        net = _by_seat(table.payoffs, button)
        cards = tuple(card.name for (card,) in table.board_cards)  # type: ignore[attr-defined]
        number = len(state.past)
        state.past.append(HandResult(number, button, net, cards, tuple(shown), tuple(state.actions)))
        state.won = [before + now for before, now in zip(state.won, net, strict=True)]
        state.hands.append(
            {
                "number": number,
                "button": button,
                "stacks": list(state.starting),
                "deck": [DECK[card] for card in state.decks[number]],
                "hole": [list(hole) for hole in state.hole],
                "board": list(cards),
                "actions": [action.__dict__.copy() for action in state.actions],
                "pots": [{"amount": pot.amount, "seats": list(pot.seats)} for pot in pots],
                "shown": [list(hole) for hole in shown],
                "net": list(net),
                # Where chance alone was left: what all-in-adjusted winnings average over.
                "all_in_board": list(cards[:board]) if board < len(cards) and any(shown) else None,
            }
        )

    @staticmethod
    def _pots(table: State, button: int) -> tuple[Pot, ...]:
        seats = table.player_count
        return tuple(
            Pot(pot.amount, tuple(sorted((player + 1 + button) % seats for player in pot.player_indices)))
            for pot in table.pots
        )

    def _read_stacks(self, name: str, value: object) -> tuple[int, ...]:
        if not isinstance(value, list | tuple):
            value = (value,) * self.seats
        if len(value) != self.seats:
            raise ConfigError(f"{name} has {len(value)} numbers for {self.seats} seats; give one a seat")
        return tuple(_whole(name, chips, 1, MAX_CHIPS) for chips in value)


_STREET_AT: dict[int, Street] = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}
_UNSEEN = HandResult(0, 0, (), (), (), ())
"""A finished hand that a view does not show."""
_BOARD = (1, 2, 3, 5, 7)
"""Where the board's cards lie in the deck, counted from the last hole card: a card is burnt before each street."""
_MAX_DRAWS = 10_000


def _move(action: HandAction) -> Move:
    if action.act == "fold":
        return Move("fold")
    return Move("pass") if action.act in ("check", "call") else Move("raise", action.to)


def _by_seat(players: Sequence[int], button: int) -> tuple[int, ...]:
    """PokerKit counts from the button's left, we count seats."""
    first = len(players) - 1 - button
    return (*players[first:], *players[:first])


def _positions(seats: int, button: int) -> tuple[str, ...]:
    """Usual names, seat by seat."""
    if seats == 2:
        order = ["BB", "BTN"]
    else:
        late = ["LJ", "HJ", "CO"][3 - min(3, max(0, seats - 4)) :]
        early = ["UTG", "UTG+1", "UTG+2", "UTG+3"][: seats - 3 - len(late)]
        order = ["SB", "BB", *early, *late, "BTN"]
    return tuple(order[(seat - button - 1) % seats] for seat in range(seats))


def _copy_table(table: State) -> State:
    """A copy of a PokerKit state: what is mutable in it are lists, lists of lists, deques and sets."""
    copy = object.__new__(type(table))
    copied = copy.__dict__
    for name, value in table.__dict__.items():
        kind = type(value)
        if kind is list:
            value = [item.copy() if type(item) in _MUTABLE else item for item in value]
        elif kind in _MUTABLE:
            value = value.copy()
        copied[name] = value
    return copy


def _whole(name: str, value: object, least: int, most: int | None = None) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least or (most and value > most):
        allowed = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise ConfigError(f"{name} must be a whole number {allowed}, got {value!r}")
    return int(value)


def shuffled_decks(rng: np.random.Generator, hands: int) -> NDArray[np.int8]:
    """A deck for each hand, cards as places in ``DECK`` in the order of dealing, shape (hands, 52)."""
    return rng.permuted(np.tile(np.arange(len(DECK), dtype=np.int8), (hands, 1)), axis=1)


def _shuffled(rng: np.random.Generator, hands: int) -> list[tuple[int, ...]]:
    return [tuple(deck) for deck in shuffled_decks(rng, hands).tolist()]


def _read_decks(value: object, hands: int) -> list[tuple[int, ...]]:
    one = isinstance(value, str) or (isinstance(value, list | tuple) and all(_is_card(card) for card in value))
    decks = [value] if one else value
    if not isinstance(decks, list | tuple) or len(decks) != hands:
        raise ConfigError(f"deck must be {hands} deck(s), one a hand, in a list; got {_short(value)}")
    return [_read_deck(deck) for deck in decks]


def _read_deck(value: object) -> tuple[int, ...]:
    if isinstance(value, str):
        text = "".join(value.split())
        value = [text[place : place + 2] for place in range(0, len(text), 2)]
    cards = value if isinstance(value, list | tuple) else ()
    unknown = [card for card in cards if not _is_card(card)]
    if unknown:
        raise ConfigError(f"deck has no such card: {_short(unknown[0])}; write cards like Ah, Td, 2c")
    if len(cards) != len(DECK) or len(set(cards)) != len(DECK):
        raise ConfigError(f"deck must be all 52 cards in the order of dealing, got {len(set(cards))} different ones")
    return tuple(NUMBER[card] for card in cards)


def _is_card(value: object) -> bool:
    return isinstance(value, str) and value in NUMBER


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}…"


def _read_sizes(value: object) -> tuple[float, ...]:
    sizes = tuple(value) if isinstance(value, list | tuple) else ()
    if not sizes or any(
        isinstance(size, bool) or not isinstance(size, int | float) or not 0 < size <= 1000 for size in sizes
    ):
        raise ConfigError(f"bet_sizes must be shares of the pot, each above 0 and at most 1000, got {_short(value)}")
    return tuple(float(size) for size in sizes)
