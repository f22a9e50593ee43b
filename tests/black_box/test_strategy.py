"""Strategies: every optimum a second time, scores without luck, what is read, what is told, what is generated."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from interactive_envs.black_box.base import LEVELS, Trial
from interactive_envs.black_box.strategy.boxes import BOXES, Match, earned, fitting, generate
from interactive_envs.black_box.strategy.games import REVERSED_3, ROCK_3, ROCK_7, Cards, Duel, Throws, of
from interactive_envs.black_box.strategy.guesses import Past, Shape, Table
from interactive_envs.black_box.strategy.opponents import Cycle, Echo, Machine, Uniform, cycle
from interactive_envs.black_box.strategy.plan import Plan, optimum, plan
from interactive_envs.black_box.strategy.solver import Solver
from interactive_envs.parsing import Unreadable
from tests.black_box import second_strategy as second
from tests.black_box.showing import shown_of
from tools import strategy_proofs

NAMES = list(BOXES)
TABLE = {
    "load-shoot-defend-defender": [3, 4, 6, 7],
    "load-shoot-defend-attacker": [3, 4, 5, 6],
    "load-shoot-defend-balance": [3, 5, 5, 7],
}
"""The exact optima of ORACLE's boxes where shots need bullets."""


def fixed(name: str) -> Match:
    return BOXES[name].make()


def some_boxes(count: int) -> list[Match]:
    return [generate(np.random.default_rng([seed, level]), level) for level in LEVELS for seed in range(count)]


def play(box: Match, length: int, rng: np.random.Generator, player=None):
    """The memory of a game and its points; without a player any legal move is made."""
    trial = Trial(public=length)
    memory, points = box.begin(trial), 0
    while not box.over(trial, memory):
        legal = box.game.legal(memory.left)
        mine = player(memory) if player else legal[int(rng.integers(len(legal)))]
        fact, memory = box.reply(trial, memory, mine, rng)
        points += fact[0]
    return memory, points


def optimal(box: Match, length: int):
    exact = plan(box.game, box.opponent)
    return lambda memory: exact.best(length - len(memory.history), memory.state, memory.left)


# The truth, a second time.


@pytest.mark.parametrize("name", NAMES)
def test_opponents_move_as_their_sentences_say(name: str) -> None:
    box, rng = fixed(name), np.random.default_rng(5)
    follows, kind = second.FOLLOWS[name], second.kind_of(name)
    for length in box.game.lengths:
        trial = Trial(public=length)
        for _ in range(12):
            memory = box.begin(trial)
            while not box.over(trial, memory):
                history = list(memory.history)
                assert sorted(map(str, follows(history, length))) == sorted(
                    str(move) for move, _ in box.opponent.odds(memory.state)
                )
                assert list(box.game.legal(memory.left)) == second.options(kind, history, length)
                mine = box.game.legal(memory.left)[int(rng.integers(len(box.game.legal(memory.left))))]
                fact, memory = box.reply(trial, memory, mine, rng)
                assert fact[0] == second.gains(kind, mine, memory.history[-1][1])
                if kind == "duel":
                    assert memory.left == second.bullets_of(list(memory.history))


@pytest.mark.parametrize("name", NAMES)
def test_exhaustive_search_of_short_games_finds_the_optimum(name: str) -> None:
    box, kind = fixed(name), second.kind_of(name)
    for length in {"seven": (1, 2, 3), "reversed": (1, 3, 6), "duel": (1, 3, 5, 6), "cards": (4, 5)}[kind]:
        found = second.search(kind, second.FOLLOWS[name], length, length)
        assert found == optimum(box.game, box.opponent, length), length


def test_exhaustive_search_of_random_opponents_finds_the_optimum() -> None:
    for box in some_boxes(5):
        kind = "duel" if isinstance(box.game, Duel) else "three" if box.game == ROCK_3 else "seven"
        length = 3 if kind == "seven" else 5
        assert second.search(kind, as_history(box.opponent), length, length) == optimum(box.game, box.opponent, length)


def as_history(opponent) -> second.Follows:
    """The moves of a generated opponent, from its declared fields and the whole history."""

    def follows(history: second.History, length: int):
        turn = len(history)
        if isinstance(opponent, Cycle):
            return list((opponent.places * 15)[turn])
        if isinstance(opponent, Echo):
            lag = len(opponent.first)
            return [opponent.first[turn] if turn < lag else dict(opponent.answers)[history[turn - lag][0]]]
        assert isinstance(opponent, Machine)
        state = functools.reduce(lambda at, pair: opponent.steps[at][dict(opponent.classes)[pair[0]]], history, 0)
        return list(opponent.outputs[state])

    return follows


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("load")])
def test_forward_search_of_whole_duels_finds_the_optimum(name: str) -> None:
    box = fixed(name)
    for length in box.game.lengths:
        assert second.duel_forward(second.FOLLOWS[name], length) == optimum(box.game, box.opponent, length)


def test_a_matching_of_cards_finds_the_optimum() -> None:
    """Once the first card is played, the order of the others is known."""
    box, follows = fixed("comparing-cards-smart"), second.median_first
    for length in box.game.lengths:
        best = 0
        for first in range(1, length + 1):
            order = [follows([(first, 0)] * turn, length)[0] for turn in range(length)]
            rest = [card for card in range(1, length + 1) if card != first]
            # Places among the cards left keep who beats whom.
            wins = second.most_wins([sum(card <= theirs for card in rest) for theirs in order[1:]])
            best = max(best, (first > order[0]) + wins)
        assert optimum(box.game, box.opponent, length) == best == length - 1


def test_sets_of_cards_find_the_optimum_against_piles() -> None:
    box = fixed("comparing-cards-slice")
    for length in (7, 8):
        assert second.piles_by_sets(length) == optimum(box.game, box.opponent, length)


def test_whole_games_of_throws_are_won_as_the_sentences_say() -> None:
    for name in ("rps7-cycle", "rps7-beat-last", "rps7-imitate-last", "rps7-mapping"):
        box = fixed(name)
        assert [optimum(box.game, box.opponent, length) for length in box.game.lengths] == [10, 11, 13, 15]
    # Each move is worth the same on its own: no memory, nothing left to save.
    for name, draws in (("anti-rps-random", 2), ("rps7-random-3", 3)):
        box, kind = fixed(name), second.kind_of(name)
        best = max(
            sum(second.gains(kind, mine, theirs) for theirs in second.FOLLOWS[name]([], 9))
            for mine in second.options(kind, [], 9)
        )
        for length in box.game.lengths:
            assert optimum(box.game, box.opponent, length) == Fraction(length * best, draws)


def test_the_committed_optima_are_recomputed() -> None:
    committed = json.loads(strategy_proofs.FILE.read_text(encoding="utf-8"))
    assert strategy_proofs.proofs(slice(2)) == {
        name: dict(list(by_length.items())[:2]) for name, by_length in committed.items()
    }


@pytest.mark.long
def test_all_committed_optima_are_recomputed() -> None:
    assert strategy_proofs.proofs() == json.loads(strategy_proofs.FILE.read_text(encoding="utf-8"))


# Scores.


@pytest.mark.parametrize("name", NAMES)
def test_best_play_scores_one(name: str) -> None:
    box, rng = fixed(name), np.random.default_rng(0)
    for length in box.game.lengths:
        memory, _ = play(box, length, rng, optimal(box, length))
        assert box.score(Trial(public=length), memory) == 1.0


@pytest.mark.parametrize("name", NAMES)
def test_scores_are_the_points_without_luck(name: str) -> None:
    """The mean score times the optimum is the mean of the points, for a player without a plan."""
    box, rng = fixed(name), np.random.default_rng(11)
    length = box.game.lengths[0]
    best = float(optimum(box.game, box.opponent, length))
    gaps, scores = [], []
    for _ in range(100):
        memory, points = play(box, length, rng)
        scores.append(box.score(Trial(public=length), memory))
        gaps.append(points - best * scores[-1])
    assert all(0 <= score <= 1 for score in scores)
    assert abs(np.mean(gaps)) <= 4 * np.std(gaps) / len(gaps) ** 0.5 + 1e-9
    assert np.mean(scores) == pytest.approx(
        strategy_proofs.by_chance(box.game, box.opponent, length) / best, abs=4 * np.std(scores) / 10 + 1e-9
    )


def test_scores_are_exactly_unbiased_and_never_cut_off() -> None:
    """Over all games of a player without a plan, each as probable as it is; no sum of regrets exceeds the optimum."""
    for box, length in [(fixed("comparing-cards-slice"), 6), (fixed("rps7-random-3"), 3), *((b, 4) for b in duels(4))]:
        game, opponent = box.game, box.opponent
        exact = Plan(game, opponent, Fraction)

        def walk(to_go, state, left, exact=exact, game=game, opponent=opponent):
            """Expected points, expected regrets, and the greatest sum of regrets."""
            if not to_go:
                return Fraction(0), Fraction(0), Fraction(0)
            points = regrets = most = Fraction(0)
            legal, odds = game.legal(left), opponent.odds(state)
            for mine in legal:
                regret = exact.value(to_go, state, left) - exact.worth(to_go, state, left, mine)
                noticed = opponent.notices(state, mine)
                for theirs, weight in odds:
                    part = Fraction(weight, sum(weight for _, weight in odds) * len(legal))
                    after = walk(to_go - 1, opponent.after(state, noticed, theirs), game.after(left, mine, theirs))
                    points += part * (game.points(mine, theirs) + after[0])
                    regrets += part * (regret + after[1])
                    most = max(most, regret + after[2])
            return points, regrets, most

        start = opponent.begin(length), game.start(length)
        points, regrets, most = walk(length, *start)
        assert points == exact.value(length, *start) - regrets
        assert most <= exact.value(length, *start)


def duels(count: int) -> list[Match]:
    return [box for box in some_boxes(8) if isinstance(box.game, Duel)][:count]


def test_a_game_given_up_counts_what_it_has() -> None:
    box, trial = fixed("rps7-cycle"), Trial(public=10)
    memory = box.begin(trial)
    assert box.score(trial, memory) == 0.0
    for mine in ("water", "scissors", "paper"):  # rock loses to water, paper to scissors, scissors not to paper
        _, memory = box.reply(trial, memory, mine, np.random.default_rng(0))
    assert box.score(trial, memory) == pytest.approx(0.2)


def test_pruning_keeps_the_value() -> None:
    """Values that look at every legal move are the same."""

    class Whole(Plan):
        def _choice(self, state, left):
            return list(self._game.legal(left))

    cases = [(fixed(name), 6) for name in NAMES] + [(box, 7) for box in some_boxes(4)]
    for box, length in cases:
        start = box.opponent.begin(length), box.game.start(length)
        assert Whole(box.game, box.opponent, Fraction).value(length, *start) == optimum(box.game, box.opponent, length)


# What is wrong in ORACLE is right here.


def test_shots_and_defences_of_nothing_are_refused() -> None:
    game = Duel()
    assert game.legal(0) == ("load",)
    for text in ("shoot 0", "defend 0", "shoot 1", "defend 1", "shoot", "load 1", "shoot -1"):
        assert isinstance(game.read(text, 0), Unreadable), text
    for text in ("shoot 0", "defend 0", "shoot 3", "defend 3"):
        assert isinstance(game.read(text, 2), Unreadable), text
    assert [game.read(text, 2) for text in ("shoot 2", "Defend(1)", " LOAD ")] == ["shoot 2", "defend 1", "load"]


@pytest.mark.parametrize("name", list(TABLE))
def test_declared_optima_are_exact_and_cannot_be_beaten(name: str) -> None:
    box = fixed(name)
    assert [optimum(box.game, box.opponent, length) for length in (8, 10, 12, 15)] == TABLE[name]


def test_the_optimum_against_the_emptier_is_computed_not_declared() -> None:
    box = fixed("load-shoot-defend-smart")
    assert [optimum(box.game, box.opponent, length) for length in (8, 10, 12, 15)] == [3, 3, 4, 6]


def test_a_loss_at_cards_costs_nothing_so_all_but_one_point_can_be_had() -> None:
    """ORACLE counts a lost card as minus one, which puts its declared optimum n - 1 out of reach: n - 2 is the most."""

    class Net(Cards):
        def points(self, mine, theirs):
            return (mine > theirs) - (mine < theirs)

    box = fixed("comparing-cards-smart")
    for length in (8, 9, 10):
        assert optimum(Net(), box.opponent, length) == length - 2
        assert optimum(Cards(), box.opponent, length) == length - 1
    for length in (8, 9, 10):
        assert optimum(Cards(), fixed("comparing-cards-slice").opponent, length) < length - 1


def test_the_score_of_a_stochastic_opponent_has_no_luck_in_it() -> None:
    for name, best in (("anti-rps-random", "paper"), ("rps7-random-3", "scissors")):
        box = fixed(name)
        length = box.game.lengths[0]
        games = [play(box, length, np.random.default_rng(seed), lambda _, best=best: best)[0] for seed in range(20)]
        assert len(set(games)) > 10
        assert {box.score(Trial(public=length), game) for game in games} == {1.0}
    box = fixed("rps7-random-3")
    assert optimum(box.game, box.opponent, 10) == Fraction(20, 3)  # not 3 in 7


def test_the_same_draws_give_the_same_game() -> None:
    for name in ("anti-rps-random", "comparing-cards-slice"):
        box = fixed(name)
        games = [play(box, box.game.lengths[0], np.random.default_rng(4))[0] for _ in range(2)]
        assert games[0] == games[1]


# Rules and texts.


def test_each_throw_beats_the_half_that_the_tables_say() -> None:
    for game, table in ((ROCK_7, second.BEATS_7), (ROCK_3, second.BEATS_3), (REVERSED_3, second.REVERSED)):
        for mine in game.circle:
            assert {other for other in game.circle if game.points(mine, other)} == set(table[mine].split())


@pytest.mark.parametrize("name", NAMES)
def test_odd_texts_are_refused_in_a_sentence(name: str) -> None:
    box = fixed(name)
    trial = Trial(public=box.game.lengths[0])
    seen = box.seen(trial, box.begin(trial))
    odd = ["", " ", "nan", "inf", "-1", "1.5", "9" * 30, "٣", "²", "x" * 20_000, "shoot " * 4000, "roc\u212a", "\0"]
    for body in odd:
        read = box.read_query("move", body, seen)
        assert isinstance(read, Unreadable), body[:40]
        assert "legal now" in read.reason
        assert len(read.reason) < 250


def test_moves_are_read_tolerantly() -> None:
    assert ROCK_7.read(" 'Rock'. ", None) == "rock"
    assert Duel().read("Shoot: 02", 5) == "shoot 2"
    assert Duel().read("[defend, 3]", 5) == "defend 3"
    assert Cards().read("card 7", (3, 7)) == Cards().read("(7)", (3, 7)) == 7
    assert isinstance(Cards().read("4", (3, 7)), Unreadable)


@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_texts_tell_the_rules_and_not_the_rule(name: str, partial: bool) -> None:
    box = dataclasses.replace(fixed(name), partial=partial)
    trial = Trial(public=box.game.lengths[0])
    told = f"{box.introduction()} {box.examination()}"
    assert len(told) <= 1500
    read = box.read_query("move", "load" if isinstance(box.game, Duel) else "7x", box.seen(trial, box.begin(trial)))
    told += f" {box.brief(trial)} {read} {box.public}"
    for word in ("anti", "cycle", "cyclic", "imitate", "mapping", "attack", "balance", "smart", "slice", "random"):
        assert word not in told.lower(), word


def test_a_game_in_full() -> None:
    box, trial, rng = fixed("load-shoot-defend-attacker"), Trial(public=8), np.random.default_rng(0)
    memory, lines = box.begin(trial), [box.brief(trial)]
    for text in ("load", "shoot 1", "load", "load", "defend 1"):
        query = box.read_query("move", text, box.seen(trial, memory))
        fact, memory = box.reply(trial, memory, query, rng)
        lines.append(box.tell(query, fact))
    assert lines == [
        "Each game has 8 moves.",
        "Move 1: you played load, the opponent load: 0 points. You have 1 bullet.",
        "Move 2: you played shoot 1, the opponent load: 1 point. You have no bullets.",
        "Move 3: you played load, the opponent shoot 2: 0 points. You have no bullets.",
        "Move 4: you played load, the opponent load: 0 points. You have 1 bullet.",
        "Move 5: you played defend 1, the opponent shoot 1: 1 point. You have no bullets.",
    ]
    assert box.score(trial, memory) < 1.0


def test_partial_observability_hides_the_opponents_moves_and_nothing_else() -> None:
    box = fixed("rps7-cycle")
    hidden, trial = dataclasses.replace(box, partial=True), Trial(public=10)
    full, _ = box.reply(trial, box.begin(trial), "water", np.random.default_rng(0))
    part, _ = hidden.reply(trial, hidden.begin(trial), "water", np.random.default_rng(0))
    assert (full, part) == ((1, "rock", None, 1), (1, None, None, 1))
    assert hidden.tell("water", part) == "Move 1: you played water: 1 point."
    assert set(hidden.encode_turn("water", part)[7:14]) == {0.0}


# Numeric twins, trials, hypotheses.


@pytest.mark.parametrize("name", NAMES)
def test_numbers_have_their_sizes_and_range(name: str) -> None:
    box, rng = fixed(name), np.random.default_rng(1)
    assert len(box.queries) == len(set(box.queries)) <= 40
    for length in box.game.lengths:
        trial = Trial(public=length)
        memory = box.begin(trial)
        while not box.over(trial, memory):
            seen = box.seen(trial, memory)
            legal = box.legal(seen)
            assert set(legal) <= set(box.queries)
            numbers = box.encode_state(length, seen, None)
            assert len(numbers) == box.state_size
            query = box.read_query("move", legal[int(rng.integers(len(legal)))][6:-7], seen)
            assert not isinstance(query, Unreadable)
            fact, memory = box.reply(trial, memory, query, rng)
            assert json.loads(json.dumps([query, fact, seen])) is not None
            turn = box.encode_turn(query, fact)
            assert len(turn) == box.turn_size
            assert all(0 <= number <= 1 for number in (*turn, *numbers))


@pytest.mark.parametrize("name", NAMES)
def test_examples_are_moves(name: str) -> None:
    box = fixed(name)
    trial = Trial(public=max(box.game.lengths))
    for text in box.examples:
        assert not isinstance(box.read_query("move", text[6:-7], box.seen(trial, box.begin(trial))), Unreadable)


def test_there_is_one_trial_for_each_length() -> None:
    box = fixed("anti-rps-random")
    assert [trial.public for trial in box.trials(np.random.default_rng(0), 4)] == [8, 9, 11, 12]
    assert [trial.public for trial in box.trials(np.random.default_rng(0), 5)] == [8, 9, 11, 12, 8]
    assert of(box.public[0]) == box.game


def test_rules_left_are_counted() -> None:
    game, trial = ROCK_3, Trial(public=10)
    box = Match(game=game, opponent=cycle("rock", "paper"))
    cycles = {moves * (840 // len(moves)) for size in range(1, 9) for moves in words(game.circle, size)}
    assert box.left(trial, ()) == len(cycles) + 3 * 27 + 9 * 27 + 4
    rng, observations, memory = np.random.default_rng(0), [], box.begin(trial)
    counts = []
    for _ in range(10):
        mine = game.circle[int(rng.integers(3))]
        fact, memory = box.reply(trial, memory, mine, rng)
        observations.append((mine, fact))
        counts.append(box.left(trial, tuple(observations)))
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] >= 1
    agree = sum(moves[:10] == ("rock", "paper") * 5 for moves in cycles)
    sets = 2  # that hold both
    lag_1 = [second_table(observations, 1)]
    assert counts[-1] == agree + sets + sum(lag_1) + second_table(observations, 2)
    assert Match(game=game, opponent=Uniform(("rock", "paper"))).left(trial, tuple(observations)) == counts[-1]
    assert fixed("comparing-cards-smart").left(trial, ()) is None
    assert fixed("load-shoot-defend-smart").left(trial, ()) is None


def words(letters, size: int):
    return [()] if not size else [(*word, letter) for word in words(letters, size - 1) for letter in letters]


def second_table(observations, lag: int) -> int:
    """Tables over the move of so many turns ago that agree, one by one."""
    count = 0
    for first in words(ROCK_3.circle, lag):
        for answers in words(ROCK_3.circle, 3):
            table = dict(zip(ROCK_3.circle, answers, strict=True))
            said = [
                first[turn] if turn < lag else table[observations[turn - lag][0]] for turn in range(len(observations))
            ]
            count += said == [fact[1] for _, fact in observations]
    return count


def test_hidden_moves_leave_more_rules() -> None:
    full = fixed("rps7-cycle")
    part, trial = dataclasses.replace(full, partial=True), Trial(public=10)
    counts = []
    for box in (full, part):
        memory, observations = box.begin(trial), []
        for _ in range(10):
            fact, memory = box.reply(trial, memory, "rock", np.random.default_rng(0))
            observations.append(("rock", fact))
        counts.append(fitting(box.game, box.opponent, tuple(observations)))
    assert 1 <= counts[0] < counts[1]


# The generator.


@pytest.mark.parametrize("count", [12, pytest.param(30, marks=pytest.mark.long)])
def test_random_opponents_are_sound(count: int) -> None:
    kinds = set()
    for level in LEVELS:
        for seed in range(count):
            box = generate(np.random.default_rng([seed, level]), level)
            assert box == generate(np.random.default_rng([seed, level]), level)
            kinds.add((level, type(box.opponent).__name__, type(box.game).__name__))
            length = max(box.game.lengths)
            solved = seed < count / 3
            best = float(optimum(box.game, box.opponent, length)) if solved else 1.0
            assert best >= length / 4 or not solved
            for mine in box.game.menu if isinstance(box.game, Throws) and solved else ():
                assert earned(box.game, box.opponent, length, [mine]) <= 0.8 * best + 1e-9
            if isinstance(box.opponent, Machine):
                assert len(box.opponent.outputs) in ((3,), (4,), (5, 6))[level - 3]
                assert len(set(dict(box.opponent.classes).values())) == (3 if level == 5 else 2)
                assert all(len(moves) == 1 for moves in box.opponent.outputs) or level > 3
    assert len(kinds) >= 12


@pytest.mark.parametrize("seeds", [(0, 2), pytest.param(range(8), marks=pytest.mark.long)])
def test_higher_levels_leave_a_quick_learner_less(seeds: Sequence[int]) -> None:
    means = []
    for level in (1, 3, 5):
        scores = [episode(generate(np.random.default_rng([seed, level, 7]), level), seed) for seed in seeds]
        means.append(float(np.mean(scores)))
    assert means == sorted(means, reverse=True)
    assert means[0] >= 0.9
    assert means[2] >= 0.5


# The reference player.


def episode(box: Match, seed: int, turns: int = 1) -> float:
    """An episode of the reference player, by hand."""
    player, rng, scores = Solver(), np.random.default_rng([seed, 1]), []
    player.start(np.random.default_rng(seed))
    trials = box.trials(rng, 4)
    for number, trial in enumerate(trials):
        observations: tuple = ()
        for game in range(turns + 1):
            memory = box.begin(trial)
            while not box.over(trial, memory):
                seen = box.seen(trial, memory)
                shown = shown_of(
                    "strategy",
                    box,
                    trial=trial.public,
                    trial_number=number,
                    trials=4,
                    observations=observations,
                    seen=seen,
                    item_number=number,
                    items=4,
                    exploring=game < turns,
                )
                query = box.read_query("move", player.act(shown, turns - game)[6:-7], seen)
                assert not isinstance(query, Unreadable)
                fact, memory = box.reply(trial, memory, query, rng)
                observations = (*observations, (query, fact))
        scores.append(box.score(trial, memory))
    return float(np.mean(scores))


@pytest.mark.every(3)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seeds", [range(1), pytest.param(range(2), marks=pytest.mark.long)])
def test_the_reference_player_finds_the_rule(name: str, seeds: range) -> None:
    assert np.mean([episode(fixed(name), seed) for seed in seeds]) >= (0.95 if BOXES[name].grade == "easy" else 0.75)


def test_the_reference_player_learns_from_points_alone() -> None:
    scores = [episode(dataclasses.replace(fixed(name), partial=True), 1, turns=6) for name in ("rps7-cycle", NAMES[6])]
    assert min(scores) >= 0.5


def test_the_reference_player_learns_for_long() -> None:
    table = Table(ROCK_7, 0.0, Shape(cycle=1))
    rng, past = np.random.default_rng(0), Past()
    for _ in range(3000):
        table.learn(past, "rock", None, (ROCK_7.circle[int(rng.integers(3))],), 10)
    assert -3500 < table.weight < -3200  # the logarithm of 3 to the power of 3000, and a little for not knowing
    assert {move for move, _ in table.odds(table.begin(10))} == set(ROCK_7.circle[:3])
