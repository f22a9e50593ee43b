"""The trust game's rules: lengths, texts, reading, forfeits, what a view hides, and resampling."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.multiplayer.match import Match
from interactive_envs.multiplayer.play import seat_info
from interactive_envs.outcome import Outcome
from interactive_envs.parsing import Unreadable
from interactive_envs.seeds import GameSeeds
from interactive_envs.trust_game.reading import ACTIONS, MOVES, Move, read_move
from interactive_envs.trust_game.rules import TrustGame, TrustState, TrustView
from tests.timing import growth

ASK = "Reply with <move>COOPERATE</move> or <move>DEFECT</move>."
AGAIN = "Try again; if that fails too, you forfeit the game, and no further round is paid."


def begun(game: TrustGame, *rounds: str, length: int = 10) -> TrustState:
    """Matches of some length after these rounds, both moves each; a single letter is seat 0's choice under way."""
    state = game.start(np.random.default_rng(0), {"rounds": length})
    for moves in rounds:
        for seat, move in enumerate(moves):
            game.play(state, seat, cast(Move, move))
    return state


def read(text: str) -> Move | Unreadable:
    game = TrustGame()
    return game.read(begun(game), 0, text)


# Texts


def test_a_match_reads_like_this() -> None:
    match = Match(TrustGame(matches=1))
    match.begin(GameSeeds(0), {"rounds": 3})
    assert match.observe(0) == (
        "You play a match of several rounds with one other player. In every round, you both choose COOPERATE (C) or "
        "DEFECT (D) at the same time. Then both choices are shown, and the round is paid:\n"
        "- You COOPERATE, the other player COOPERATES: you get 2, the other player gets 2.\n"
        "- You COOPERATE, the other player DEFECTS: you get -1, the other player gets 3.\n"
        "- You DEFECT, the other player COOPERATES: you get 3, the other player gets -1.\n"
        "- You DEFECT, the other player DEFECTS: you get 0, the other player gets 0.\n"
        "After every round, the match continues with probability 0.8 and ends otherwise. Nobody knows in advance which "
        "round is the last. No match is longer than 35 rounds.\n"
        "Your goal is the highest expected total of your own payoffs.\n"
        f"{ASK}\n"
        "If a message of yours cannot be read, or is not legal, you may try again, once per turn. If that fails too, "
        "you forfeit the game, and no further round is paid.\n"
        "\n"
        "Round 1. After each round, the match continues with probability 0.8.\n"
        "Your payoffs, your move first: CC 2, CD -1, DC 3, DD 0.\n"
        f"{ASK}"
    )
    for text in ("COOPERATE", "DEFECT", "COOPERATE", "COOPERATE"):
        assert match.act(text).kind == "move"
    assert match.observe(0) == (
        "Round 3. After each round, the match continues with probability 0.8.\n"
        "Your payoffs, your move first: CC 2, CD -1, DC 3, DD 0.\n"
        "Last round: you C, the other player C.\n"
        "Your moves: CC\n"
        "The other player's moves: DC\n"
        "Totals: you 1, the other player 5.\n"
        "Cooperation rates: you 100%, the other player 50%.\n"
        f"{ASK}"
    )
    match.act("<move>DEFECT</move>")
    assert match.observe(0).endswith("You chose DEFECT. The other player has not chosen yet.")
    match.act("<move>DEFECT</move>")
    assert match.observe(1) == (
        "The match ended after round 3. The game is over.\n"
        "Last round: you D, the other player D.\n"
        "Your moves: DCD\n"
        "The other player's moves: CCD\n"
        "Totals: you 5, the other player 1.\n"
        "Cooperation rates: you 33%, the other player 67%."
    )
    assert match.game.outcomes(match.state) == (Outcome.SCORED, Outcome.SCORED)


def test_every_finished_match_is_told() -> None:
    """The three matches of one episode: the second message of a match has those before it, the last one all."""
    match = Match(TrustGame(matches=3))
    match.begin(GameSeeds(0), {"rounds": [2, 1, 1]})
    rules = match.observe(0).partition("\n\n")[0]
    assert rules.startswith(
        "You play 3 matches of several rounds, all with the same other player. Both of you can see the finished "
        "matches. In every round,"
    )
    assert "highest expected total of your own payoffs over all matches.\n" in rules
    for moves in ("CD", "DD"):
        for move in moves:
            match.act(move)
    assert match.observe(0) == (
        "Match 2 of 3, round 1. After each round, the match continues with probability 0.8.\n"
        "Your payoffs, your move first: CC 2, CD -1, DC 3, DD 0.\n"
        "Match 1 ended after round 2: you CD, total -1; the other player DD, total 3.\n"
        f"{ASK}"
    )
    for move in "CCC":
        match.act(move)
    assert match.observe(1).startswith("Match 3 of 3, round 1.")
    match.act("D")
    assert match.observe(1) == (
        "Match 3 of 3 ended after round 1. The game is over.\n"
        "Match 1 ended after round 2: you DD, total 3; the other player CD, total -1.\n"
        "Match 2 ended after round 1: you C, total 2; the other player C, total 2.\n"
        "Last round: you D, the other player C.\n"
        "Your moves: D\n"
        "The other player's moves: C\n"
        "Totals in this match: you 3, the other player -1.\n"
        "Cooperation rates in this match: you 0%, the other player 100%."
    )
    assert match.game.returns(match.state) == (0, 8)
    assert match.game.view(match.state, 0).past == (("CD", "DD"), ("C", "C"))


def test_without_memory_every_match_is_a_fresh_dialogue() -> None:
    match = Match(TrustGame(matches=2, memory=False))
    match.begin(GameSeeds(0), {"rounds": 1})
    first, info = match.observe(0), seat_info(match, 0, None)
    assert "remember" not in info
    match.act("DEFECT")
    match.act("COOPERATE")
    assert match.observe(0) == first
    assert match.view(0) == info["view"]
    assert seat_info(match, 0, None)["remember"] == 0
    match.act("no idea")
    assert match.observe(0) == f"Not read: I found no move. {ASK} {AGAIN}\n\n{first}"
    for text in ("DEFECT", "DEFECT"):
        match.act(text)
    assert match.to_move is None
    assert match.game.returns(match.state) == (3, -1)
    assert "remember" not in seat_info(match, 0, None)


def test_the_papers_screen_has_twenty_moves_both_rates_and_the_own_total() -> None:
    game = TrustGame(matches=5, memory=False, screen="paper")
    text = game.situation(game.view(begun(game, *["CC"] * 5, *["DC"] * 20, length=30), 0))
    assert text == (
        "Round 26. After each round, the match continues with probability 0.8.\n"
        "Your payoffs, your move first: CC 2, CD -1, DC 3, DD 0.\n"
        "Last round: you D, the other player C.\n"
        f"Your last moves: {'D' * 20}\n"
        f"The other player's last moves: {'C' * 20}\n"
        "Your total: 70.\n"
        "Cooperation rates: you 20%, the other player 100%.\n"
        f"{ASK}"
    )


def test_odd_payoffs_are_told_without_the_noise_of_binary_fractions() -> None:
    game = TrustGame(payoffs=(0.1, -2, 1_000_000, 0))
    text = game.situation(game.view(begun(game, "CC", "CC", "CC"), 0))
    assert "CC 0.1, CD -2, DC 1000000, DD 0" in text
    assert "Totals in this match: you 0.3, the other player 0.3." in text


# Reading


@pytest.mark.parametrize(
    "text",
    [
        "COOPERATE",
        "cooperate.",
        "  **Cooperate!**\n",
        "```\nCOOPERATE\n```",
        "_COOPERATE_",
        "C",
        "(c)",
        "<move>COOPERATE</move>",
        "<MOVE> cooperate. </move>",
        "<move>C</move>",
        "<move>COOPERATE",
        "COOPERATE</move>",
        '{"action": "COOPERATE"}',
        "<answer>COOPERATE</answer>",
        "My move: COOPERATE",
        "Round 3: COOPERATE",
        "I'll cooperate.",
        "Since they cooperated last round, I will COOPERATE.",
        "COOPERATE\n\nI will not be the first to betray.",
        "I choose to COOPERATE because trust pays in the long run.",
        "The last round went well. Therefore, I will COOPERATE again.",
        "Let's cooperate!",
        "COOPERATE COOPERATE",
        "<think>They will DEFECT. Not good.</think>COOPERATE",
        "DEFECT was tempting, and not a bad idea.</think>COOPERATE",
        "I will not DEFECT: <move>COOPERATE</move>",
        "<move>COOPERATE</move> Again: <move>COOPERATE</move>",
        "I do not give <move> lightly. <move>COOPERATE</move>",
    ],
)
def test_a_text_that_plainly_says_cooperate_is_read(text: str) -> None:
    assert read(text) == "C"


def test_the_answers_that_the_rules_ask_for_are_read_as_others_are() -> None:
    for move, text in ACTIONS.items():
        assert read_move(text) == read_move(f" {text}") == move


@pytest.mark.parametrize("text", ["DEFECT", "I will defect this round.", "<move>Defect</move>", "d", "Action: DEFECT"])
def test_a_text_that_plainly_says_defect_is_read(text: str) -> None:
    assert read(text) == "D"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I will not DEFECT, COOPERATE", "names both"),  # the originals' code reads this as a defection
        ("COOPERATE or DEFECT", "names both"),
        ("They defected, so I cooperate.", "names both"),
        ("I will not cooperate", "cannot tell"),
        ("I won't cooperate.", "cannot tell"),
        ("I\u2019d never DEFECT", "cannot tell"),
        ("COOPERATE? No.", "cannot tell"),
        ("COOPERATE?", "cannot tell"),
        ("Shall I\nCOOPERATE?\nI might.", "cannot tell"),
        ("COOPERATE is what I refuse", "cannot tell"),
        ("I cooperate only if they do", "cannot tell"),
        ("They will probably defect", "cannot tell"),
        ("The other player: will defect", "cannot tell"),
        ("They will be nasty, i.e. defect.", "cannot tell"),
        ("He defected last round", "cannot tell"),
        ("Cooperation is best.", "cannot tell"),
        ("uncooperative", "cannot tell"),
        ("我不会COOPERATE", "cannot tell"),
        ("COOPERATEしない", "cannot tell"),
        ("<move>not COOPERATE</move>", "cannot tell"),
        ("<move>COOPERATE or DEFECT</move>", "names both"),
        ("<move>COOPERATE</move><move>DEFECT</move>", "2 different actions"),
        ("<move></move>", "empty"),
        ("<move>wait</move>", "no move"),
        ("", "no move"),
        ("ok", "no move"),
        ("E", "no move"),
        ("C D", "no move"),
        ("\uff23OOPERATE", "no move"),
        ("DEF\u200bECT", "no move"),
        ("<think>COOPERATE", "no move"),
    ],
)
def test_a_text_that_leaves_doubt_is_unreadable_and_says_why(text: str, reason: str) -> None:
    answer = read(text)
    assert isinstance(answer, Unreadable)
    assert reason in answer.reason


@given(st.text(max_size=200) | st.text(alphabet="<>/moveCOPRATDF ?.\n", max_size=200))
def test_no_text_raises(text: str) -> None:
    assert read(text) in MOVES or isinstance(read(text), Unreadable)


@pytest.mark.parametrize("piece", ["<move>", "cooperate ", "cooperate?", ". ", "_", "cooperat", "</move>", "I will "])
def test_long_texts_are_read_in_linear_time(piece: str) -> None:
    texts = {size: piece * (size // len(piece)) for size in (20_000, 320_000)}
    answer = read(texts[20_000])
    assert answer == "C" if piece == "cooperate " else isinstance(answer, Unreadable)
    assert growth(lambda size: read(texts[size]), *texts) < 64  # 16 times the text; quadratic: 256 times


# Length


def test_lengths_follow_the_paper_and_are_cut_off() -> None:
    """Pr(T = t) = (1 - delta) * delta ** (t - 1), eq. 2.3; chi-squared with 9 degrees of freedom, 1 % level 21.7."""
    rng, game = np.random.default_rng(1), TrustGame(delta=0.8, max_rounds=10)
    drawn = Counter(horizon for _ in range(4_000) for horizon in game.start(rng, {}).horizons)
    expected = [0.2 * 0.8 ** (t - 1) for t in range(1, 10)] + [0.8**9]
    assert sum((drawn[t] - 20_000 * p) ** 2 / (20_000 * p) for t, p in enumerate(expected, 1)) < 21.7


def test_equal_seeds_give_equal_lengths_and_a_larger_delta_never_a_shorter_match() -> None:
    for seed in range(50):
        lengths = [
            TrustGame(delta=delta, max_rounds=500).start(np.random.default_rng(seed), {}).horizon
            for delta in (0, 0.5, 0.8, 0.8, 0.95)
        ]
        assert lengths == sorted(lengths)
        assert lengths[0] == 1
        assert lengths[2] == lengths[3]


def test_the_option_rounds_fixes_the_length_and_is_checked() -> None:
    game = TrustGame()
    assert game.start(np.random.default_rng(0), {"rounds": 35}).horizon == 35
    assert game.start(np.random.default_rng(0), {"rounds": [3, 1, 4, 1, 5]}).horizons == (3, 1, 4, 1, 5)
    for wrong in (0, 36, 2.5, "3", True, None, [1, 2, 3, 4], [1, 2, 3, 4, 0]):
        with pytest.raises(ConfigError, match="rounds must be a whole number from 1 to max_rounds=35"):
            game.start(np.random.default_rng(0), {"rounds": wrong})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"delta": 1}, "delta must be a probability of at least 0 and below 1, got 1"),
        ({"delta": -0.1}, "delta must be"),
        ({"delta": float("nan")}, "delta must be"),
        ({"delta": "0.8"}, "delta must be"),
        ({"max_rounds": 0}, "max_rounds must be a whole number of at least 1, got 0"),
        ({"max_rounds": 2.0}, "max_rounds must be"),
        ({"payoffs": (2, -1, 3)}, "payoffs must be four numbers, for CC, CD, DC and DD"),
        ({"payoffs": (2, -1, 3, float("inf"))}, "payoffs must be four numbers"),
        ({"payoffs": (2, -1, 3, 2e6)}, "payoffs must be four numbers"),
        ({"payoffs": "CCDD"}, "payoffs must be four numbers"),
        ({"payoffs": (2, -1, 3, True)}, "payoffs must be four numbers"),
        ({"matches": 0}, "matches must be a whole number from 1 to 100, got 0"),
        ({"matches": 101}, "matches must be"),
        ({"memory": 1}, "memory must be true or false, got 1"),
    ],
)
def test_arguments_that_cannot_work_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        TrustGame(**arguments)


# Invalid answers


def test_a_forfeit_ends_the_match_and_keeps_the_finished_rounds() -> None:
    match = Match(TrustGame())
    match.begin(GameSeeds(0), {"rounds": 9})
    for text in ("COOPERATE", "DEFECT", "COOPERATE"):
        match.act(text)
    assert match.act("no idea").kind == "retry"
    assert match.observe(1).startswith(f"Not read: I found no move. {ASK} {AGAIN}\n\nMatch 1 of 5, round 2.")
    assert match.act("no idea").kind == "punished"
    assert match.to_move is None
    assert match.game.returns(match.state) == (-1, 3)
    assert match.game.outcomes(match.state) == (Outcome.SCORED, Outcome.FORFEIT)
    ending = "The game is over: {} forfeited it in match 1 of 5, round 2. Neither that round nor any later one is paid."
    ending += "\nLast round:"
    assert match.observe(0).startswith(ending.format("the other player"))
    assert match.observe(1).startswith(ending.format("you"))
    record = match.game.record(match.state)
    (told,) = record["matches"]
    assert (told["histories"], told["payments"], record["forfeited"]) == (["C", "D"], [[-1, 3]], 1)


def test_the_papers_policy_cooperates_for_who_cannot_be_read() -> None:
    match = Match(TrustGame(matches=1), retries=0, on_invalid="cooperate")
    match.begin(GameSeeds(0), {"rounds": 1})
    match.act("DEFECT")
    match.act("no idea")
    assert match.game.returns(match.state) == (3, -1)
    assert match.game.outcomes(match.state) == (Outcome.SCORED, Outcome.SCORED)


def test_an_unknown_screen_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'paper'"):
        TrustGame(screen="papers")


def test_an_unknown_policy_is_refused() -> None:
    game = TrustGame()
    with pytest.raises(UnknownNameError, match="did you mean 'forfeit'"):
        game.punish(begun(game), 0, "forfiet")


def test_a_record_says_everything_in_json() -> None:
    game = TrustGame()
    record = game.record(begun(game, "CC", "CD", "DD", length=2))
    assert json.loads(json.dumps(record)) == {
        "matches": [
            {"histories": ["CC", "CD"], "payments": [[2, 2], [-1, 3]], "totals": [1, 5], "horizon": 2},
            {"histories": ["D", "D"], "payments": [[0, 0]], "totals": [0, 0], "horizon": 2},
        ],
        "totals": [1, 5],
        "forfeited": None,
        "delta": 0.8,
        "max_rounds": 35,
        "payoffs": [2, -1, 3, 0],
    }


# What a seat may know


def matches() -> st.SearchStrategy[tuple[TrustGame, TrustState]]:
    """Any state of any match: in mid-round, over or forfeited, at any length."""

    def build(
        delta: float,
        max_rounds: int,
        length: int,
        moves: str,
        payoffs: tuple[float, ...],
        forfeited: bool,
        matches: int,
        memory: bool,
    ) -> tuple[TrustGame, TrustState]:
        game = TrustGame(delta=delta, max_rounds=max_rounds, payoffs=payoffs, matches=matches, memory=memory)
        state = game.start(np.random.default_rng(0), {"rounds": min(length, max_rounds)})
        for move in moves:
            seat = game.to_move(state)
            if seat is None:
                break
            game.play(state, seat, cast(Move, move))
        seat = game.to_move(state)
        if forfeited and seat is not None:
            game.punish(state, seat, "forfeit")
        return game, state

    numbers = st.integers(-5, 5) | st.floats(-1e6, 1e6)
    return st.builds(
        build,
        st.sampled_from([0, 0.5, 0.8, 0.99]),
        st.integers(1, 12),
        st.integers(1, 12),
        st.text(alphabet="CD", max_size=24),
        st.tuples(numbers, numbers, numbers, numbers),
        st.booleans(),
        st.integers(1, 4),
        st.booleans(),
    )


@given(matches(), st.integers(0, 1), st.integers(0, 2**32))
def test_a_resampled_state_looks_the_same_and_can_be_played_on(
    match: tuple[TrustGame, TrustState], seat: int, seed: int
) -> None:
    game, state = match
    view = game.view(state, seat)
    drawn = game.resample(view, np.random.default_rng(seed))
    assert game.view(drawn, seat) == view
    assert len(view.own) <= drawn.horizon <= game.max_rounds
    if view.over:
        assert game.to_move(drawn) is None
    else:
        assert game.to_move(drawn) == (1 - seat if view.chosen else seat)


@given(matches(), st.integers(0, 1))
def test_arrays_lie_in_their_box_and_texts_and_actions_are_functions_of_the_view(
    match: tuple[TrustGame, TrustState], seat: int
) -> None:
    game, state = match
    view = game.view(state, seat)
    array = game.encode(view)
    assert array.dtype == np.float32
    assert array.shape == game.numeric_shape
    assert ((array >= 0) & (array <= 1)).all()
    legal = game.legal_actions(view)
    assert bool(legal) == (not view.over and not view.chosen)
    assert [game.decode(view, index) for index in (0, 1)] == (legal or ["", ""])
    assert json.loads(json.dumps(view.as_json())) == view.as_json()
    assert game.rules(view)
    assert not any(secret in game.situation(view) for secret in game.secrets(state, seat))


def test_neither_the_length_nor_the_others_choice_changes_what_a_seat_is_told() -> None:
    game = TrustGame()
    states = [begun(game, "CD", "DD", choice, length=length) for choice in MOVES for length in (3, 20)]
    views = [game.view(state, 1) for state in states]
    assert len(set(views)) == 1
    assert len({game.encode(view).tobytes() for view in views}) == 1
    assert game.view(states[0], 0).choice == "C"
    assert game.view(states[2], 0).choice == "D"


def test_resampling_draws_lengths_and_choices_like_the_game_itself() -> None:
    game = TrustGame(delta=0.5, max_rounds=8)
    view = game.view(begun(game, "CC", "CC", "D", length=6), 1)
    rng = np.random.default_rng(0)
    drawn = [game.resample(view, rng) for _ in range(4_000)]
    left = Counter(state.horizon - 2 for state in drawn)
    assert left[1] / 4_000 == pytest.approx(0.5, abs=0.03)
    assert left[2] / 4_000 == pytest.approx(0.25, abs=0.03)
    assert max(left) == 6
    assert sum(state.choices[0] == "C" for state in drawn) / 4_000 == pytest.approx(0.5, abs=0.03)


def test_the_array_of_a_round_under_way() -> None:
    game = TrustGame(max_rounds=4, matches=1)
    array = game.encode(game.view(begun(game, "CD", "DD", "C", length=4), 0))
    assert array[:16].reshape(4, 4).tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [1, 1, 0, 0]]
    payoffs = [1 / 2 + 2 / 6, 1 / 2 - 1 / 4, 1 / 2 + 3 / 8, 1 / 2]
    totals = [(-1 + 4) / 16, (3 + 4) / 16]
    rest = [1, 3 / 4, 0.8, *payoffs, *totals, 0.5, 0, 0, 1, 0, 0, 0, 0]
    assert array[16:].tolist() == pytest.approx(rest)


def test_the_array_has_every_match_that_is_seen() -> None:
    game = TrustGame(max_rounds=2, matches=3)
    array = game.encode(game.view(begun(game, "CD", "DD", "DC", length=2), 1))
    assert array[:24].reshape(3, 4, 2).tolist() == [
        [[0, 0], [1, 1], [1, 0], [0, 1]],
        [[1, 0], [0, 0], [0, 0], [1, 0]],
        [[0, 0], [0, 0], [0, 0], [0, 0]],
    ]
    assert array[24:26].tolist() == pytest.approx([2 / 3, 2 / 2])


def test_a_clone_is_independent() -> None:
    game = TrustGame()
    state = begun(game, "CC", "D")
    copy = game.clone(state)
    assert copy == state
    game.play(copy, 1, "C")
    assert (state.moves, state.choices, state.totals) == (["C", "C"], ["D", None], [2, 2])


def test_a_view_keeps_the_seats_apart() -> None:
    game = TrustGame()
    state = begun(game, "CD", "CC", "D")
    assert game.view(state, 1) == TrustView(
        seat=1,
        match=1,
        matches=5,
        past=(),
        own="DC",
        other="CC",
        round=3,
        delta=0.8,
        payoffs=game.payoffs,
        choice=None,
        over=False,
        forfeited=None,
    )
