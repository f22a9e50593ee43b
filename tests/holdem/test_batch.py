"""The lockstep engine against PokerKit and OpenSpiel: who acts, what is legal, what is won, chip by chip."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
import pytest

from interactive_envs.errors import ConfigError
from interactive_envs.holdem.batch.engine import FOLD, PASS, RAISE, Legal, Tables, random_actions, shuffled
from interactive_envs.holdem.hands.evaluator import DECK
from interactive_envs.holdem.rules import HoldemGame, Move

KINDS = ("fold", "pass", "raise")


@dataclasses.dataclass(frozen=True)
class Rules:
    """A table's rules; ``deep`` is the greatest stack."""

    players: int
    small: int = 50
    big: int = 100
    ante: int = 0
    ante_by: str = "all"
    deep: int = 20_000
    equal: bool = False

    def tables(self, count: int) -> Tables:
        return Tables(
            count,
            players=self.players,
            small_blind=self.small,
            big_blind=self.big,
            ante=self.ante,
            ante_by_all=self.ante_by == "all",
        )

    def game(self) -> HoldemGame:
        return HoldemGame(
            players=self.players,
            small_blind=self.small,
            big_blind=self.big,
            ante=self.ante,
            ante_by=self.ante_by,
        )

    def stacks(self, rng: np.random.Generator, count: int) -> Any:
        if self.equal:
            return np.full((count, self.players), self.deep)
        shallow = rng.integers(1, max(3, self.deep // 20), (count, self.players))
        return np.where(rng.random((count, self.players)) < 0.6, shallow, rng.integers(1, self.deep, shallow.shape))


def several() -> Iterator[Rules]:
    for players in range(2, 11):
        yield Rules(players)
        yield Rules(players, small=1, big=2, ante=1, deep=60)
        yield Rules(players, small=3, big=7, ante=5, ante_by="big-blind", deep=90)
        yield Rules(players, small=5, big=5, ante=9, deep=40)
        yield Rules(players, deep=10_000, equal=True)


def eager(rng: np.random.Generator, legal: Legal) -> Any:
    """Random actions with many smallest and greatest raises, so that all-ins meet each other."""
    kinds, totals = random_actions(rng, legal)
    draw = rng.random(len(kinds))
    totals = np.where(draw < 0.35, legal.min_to, np.where(draw > 0.75, legal.max_to, totals))
    return kinds, totals


def compare(rules: Rules, hands: int, seed: int) -> None:
    """Play hands on both sides, and compare all that a player sees and gets."""
    rng = np.random.default_rng(seed)
    tables, game = rules.tables(hands), rules.game()
    decks, stacks = shuffled(rng, hands, rules.players), rules.stacks(rng, hands)
    tables.deal(decks, stacks)
    states = []
    for deck, chips in zip(decks.tolist(), stacks.tolist(), strict=True):
        rest = [card for card in range(52) if card not in deck]
        options = {"deck": [DECK[card] for card in [*deck, *rest]], "button": rules.players - 1, "stacks": chips}
        states.append(
            game.start(np.random.default_rng(0), options)
        )  # with the last seat on the button, places are seats
    while (tables.actor >= 0).any():
        legal = tables.legal()
        kinds, totals = eager(rng, legal)
        for row, state in enumerate(states):
            seat = game.to_move(state)
            assert tables.actor[row] == (-1 if seat is None else seat), (row, state.actions)
            if seat is None:
                continue
            view = game.view(state, seat)
            found = (view.to_call, view.min_raise_to or 0, view.max_raise_to or 0)
            assert (legal.to_call[row], legal.min_to[row], legal.max_to[row]) == found, (row, state.actions)
            assert (tables.stacks[row].tolist(), tables.bets[row].tolist()) == ([*view.stacks], [*view.bets])
            assert tables.paid[row].sum() + tables.dead[row] == view.pot - sum(view.bets)
            move = Move("raise", int(totals[row])) if kinds[row] == RAISE else Move(KINDS[kinds[row]])  # type: ignore[arg-type]
            game.play(state, seat, move)
        tables.act(kinds, totals)
    for row, state in enumerate(states):
        assert game.to_move(state) is None
        assert tables.net[row].tolist() == [*state.past[0].net], (row, state.actions)
    assert not tables.net.sum()


@pytest.mark.every(9)
@pytest.mark.parametrize("rules", list(several()), ids=str)
def test_hands_are_those_of_pokerkit(rules: Rules) -> None:
    compare(rules, hands=40, seed=rules.players)


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("rules", list(several()), ids=str)
def test_a_hundred_thousand_hands_are_those_of_pokerkit(rules: Rules) -> None:
    for seed in range(9):
        compare(rules, hands=250, seed=1000 + seed)


# OpenSpiel's universal_poker, the core of the Annual Computer Poker Competition. It knows no antes and no blinds of who
# cannot pay them. It lets seats raise again after a short all-in, so that it allows all that we do and more. It pays
# split pots in halves of a chip.


def open_spiel_state(rules: Rules, stacks: list[int], deck: list[int]) -> Any:
    players = rules.players
    blinds = [rules.big, rules.small] if players == 2 else [rules.small, rules.big, *[0] * (players - 2)]
    given = {
        "betting": "nolimit",
        "bettingAbstraction": "fullgame",
        "numPlayers": players,
        "numRounds": 4,
        "blind": " ".join(map(str, blinds)),
        "firstPlayer": "2 1 1 1" if players == 2 else "3 1 1 1",
        "numSuits": 4,
        "numRanks": 13,
        "numHoleCards": 2,
        "numBoardCards": "0 3 1 1",
        "stack": " ".join(map(str, stacks)),
    }
    text = ",".join(f"{name}={value}" for name, value in given.items())
    state = pyspiel.load_game(f"universal_poker({text})").new_initial_state()
    for place in range(players):
        state.apply_action(deck[place])
        state.apply_action(deck[players + place])
    return state


def compare_with_open_spiel(rules: Rules, hands: int, seed: int) -> int:
    """Play hands on both sides; return in how many a pot was split that could not be split evenly."""
    rng = np.random.default_rng(seed)
    tables, players = rules.tables(hands), rules.players
    decks = shuffled(rng, hands, players)
    stacks = np.maximum(rules.stacks(rng, hands), rules.big + 1)
    tables.deal(decks, stacks)
    boards = decks[:, [2 * players + place for place in (1, 2, 3, 5, 7)]].tolist()
    states = [open_spiel_state(rules, *both) for both in zip(stacks.tolist(), decks.tolist(), strict=True)]
    lying = [0] * hands

    def deal(row: int) -> None:
        while states[row].is_chance_node():
            states[row].apply_action(boards[row][lying[row]])
            lying[row] += 1

    while (tables.actor >= 0).any():
        kinds, totals = eager(rng, tables.legal())
        for row, state in enumerate(states):
            actor = int(tables.actor[row])
            assert state.is_terminal() == (actor < 0), (row, str(state))
            if actor < 0:
                continue
            assert state.current_player() == actor, (row, str(state))
            spent = int(tables.paid[row, actor] + totals[row])
            state.apply_action((0, 1, spent)[kinds[row]])
            deal(row)
        tables.act(kinds, totals)
    odd = 0
    for row, state in enumerate(states):
        theirs, ours = np.array(state.returns()), tables.net[row]
        split = bool((theirs % 1).any())
        odd += split
        assert np.abs(theirs - ours).max() < (players if split else 1e-9), (row, str(state), ours)
    return odd


@pytest.mark.parametrize("rules", [Rules(2), Rules(6), Rules(9, small=1, big=2, deep=90)], ids=str)
def test_hands_are_those_of_open_spiel(rules: Rules) -> None:
    assert compare_with_open_spiel(rules, hands=60, seed=rules.players) < 20


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("players", range(2, 11))
def test_a_hundred_thousand_hands_are_those_of_open_spiel(players: int) -> None:
    for seed in range(4):
        for rules in (Rules(players), Rules(players, small=1, big=2, deep=70), Rules(players, deep=10_000, equal=True)):
            assert compare_with_open_spiel(rules, hands=1_000, seed=seed) < 100


@pytest.mark.parametrize("flaw", ["small raises", "odd chips"])
def test_the_comparisons_can_fail(monkeypatch: pytest.MonkeyPatch, flaw: str) -> None:
    legal = Tables.legal

    def any_raise(self: Tables) -> Legal:
        self._full[:] = 0
        return legal(self)

    def share(won: Any, value: Any, pot: Any, of_pot: Any) -> None:
        best = np.where(of_pot, value, -1)
        winners = of_pot & (best == best.max(axis=1, keepdims=True))
        won += winners * (pot // np.maximum(winners.sum(axis=1), 1))[:, None]

    changed: Any = ("legal", any_raise) if flaw == "small raises" else ("_pay_pot", staticmethod(share))
    monkeypatch.setattr(Tables, *changed)
    with pytest.raises(AssertionError):
        compare(Rules(6, small=1, big=2, deep=60), hands=120, seed=3)


def test_tables_are_dealt_one_by_one_and_bad_numbers_refused() -> None:
    tables, rng = Tables(3, players=3), np.random.default_rng(1)
    tables.deal(shuffled(rng, 3, 3), np.array([1_000, 1_000, 1_000]))
    before = tables.cards.copy()
    tables.act(np.full(3, FOLD), np.zeros(3, np.int64))
    tables.act(np.array([FOLD, PASS, PASS]), np.zeros(3, np.int64))
    assert tables.actor.tolist() == [-1, 1, 1]
    assert tables.net[0].tolist() == [-50, 50, 0]
    tables.deal(shuffled(rng, 1, 3), np.array([5, 5, 5]), np.array([0]))
    assert (tables.cards[1:] == before[1:]).all()
    assert tables.actor[0] == 2  # the blinds put two of them all-in
    with pytest.raises(ConfigError, match="every seat needs a chip, got stacks of 0"):
        tables.deal(shuffled(rng, 3, 3), np.array([0, 5, 5]))
    for wrong in ({"players": 1}, {"players": 11}, {"small_blind": 200}, {"ante": -1}):
        with pytest.raises(ConfigError, match="2 to 10 players"):
            Tables(1, **wrong)
