"""The library of known games: its rules are OpenSpiel's, and no known game passes by another name or size."""

from __future__ import annotations

import inspect
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyspiel
import pytest

from interactive_envs.game_generation.diversity import fingerprints
from interactive_envs.novel_games.admission import find_known, own_traces
from interactive_envs.novel_games.folder import own, own_names
from interactive_envs.novel_games.known.library import LIBRARY, NAMES, sizes
from interactive_envs.novel_games.known.position import Known
from interactive_envs.novel_games.probing.shape import canonical, distance, played, trees


class Spiel:
    """A game of OpenSpiel, with the face that games are compared by."""

    def __init__(self, state: Any, rng: random.Random) -> None:
        self.state, self.rng = state, rng
        self._draw()

    def _draw(self) -> None:
        while self.state.is_chance_node():
            outcomes, shares = zip(*self.state.chance_outcomes(), strict=True)
            self.state.apply_action(self.rng.choices(outcomes, shares)[0])

    @property
    def seat(self) -> int:
        return max(0, int(self.state.current_player()))

    @property
    def result(self) -> str | None:
        if not self.state.is_terminal():
            return None
        worth = self.state.returns()[0]
        return "draw" if worth == 0 else "first" if worth > 0 else "second"

    def legal(self) -> list[int]:
        return list(self.state.legal_actions())

    def play(self, action: int) -> None:
        self.state.apply_action(action)
        self._draw()

    def key(self) -> str:
        return str(self.state.history_str())

    def branch(self, action: int) -> Spiel:
        other = Spiel(self.state.clone(), self.rng)
        other.play(action)
        return other


def spiel(text: str, *, at_once: bool = False) -> Callable[[int], Spiel]:
    load = pyspiel.load_game_as_turn_based if at_once else pyspiel.load_game
    game = load(text)
    return lambda seed: Spiel(game.new_initial_state(), random.Random(seed))


def of(name: str, **size: Any) -> Known:
    return Known(name, LIBRARY[name][0], size)


EXACT = {
    "tic_tac_toe": of("tic-tac-toe", rows=3, columns=3, row=3),
    "mnk(m=5,n=4,k=4)": of("tic-tac-toe", rows=4, columns=5, row=4),
    "connect_four": of("Connect Four", rows=6, columns=7, row=4),
    "connect_four(rows=5,columns=4,x_in_row=3)": of("Connect Four", rows=5, columns=4, row=3),
    "hex(num_cols=4,num_rows=4)": of("Hex", rows=4, columns=4),
    "y(board_size=5)": of("the Game of Y", side=5),
    "breakthrough(rows=6,columns=4)": of("Breakthrough", rows=6, columns=4),
    "clobber(rows=4,columns=5)": of("Clobber", rows=4, columns=5),
    "mancala": of("Kalah (Mancala)", pits=6, seeds=4, captures=True),
    "nim(pile_sizes=2;4;6,is_misere=False)": of("Nim", heaps=(2, 4, 6), misere=False),
    "nim(pile_sizes=1;3;5;7,is_misere=True)": of("Nim", heaps=(1, 3, 5, 7), misere=True),
    "dots_and_boxes(num_rows=2,num_cols=3)": of("Dots and Boxes", rows=2, columns=3),
    "amazons": of("Amazons", size="10", parts=3),
    "othello": of("Othello (Reversi)", rows=8, columns=8),
    "checkers": of("checkers (draughts)", rows=8, columns=8, ranks=3, most=400),
    "lines_of_action": of("Lines of Action", side=8, most=400),
    "oware": of("Oware (Awari)", pits=6, seeds=4, most=1000),
}
ENDS_OTHERWISE = {"checkers", "lines_of_action", "oware", "amazons"}
"""In OpenSpiel a repeated position ends the game, or a game is long."""


@pytest.mark.parametrize("text", EXACT)
def test_the_rules_are_those_of_openspiel_move_by_move(text: str) -> None:
    game = EXACT[text]
    theirs = [*trees(spiel(text)(0), 1000, 2500)]
    assert len(theirs) > 1
    # OpenSpiel does not say which positions are equal, so its trees end earlier
    assert [*trees(game.new(0), 1000, 2500)][: len(theirs)] == theirs
    if text not in ENDS_OTHERWISE:
        assert distance(played(spiel(text), 200, 100), played(game.new, 200, 100)) < 0.1


SAMPLED = {
    "kuhn_poker": of("Kuhn poker", cards=3),
    "leduc_poker": of("Leduc poker", ranks=3, raises=2),
    "liars_dice(numdice=2,dice_sides=4)": of("liar's dice", dice=2, sides=4, wild=True),
    "pig(winscore=30)": of("Pig", target=30, sides=6, holds_at_zero=True),
    "einstein_wurfelt_nicht": of("EinStein würfelt nicht", side=5, rank=3),
    "goofspiel(num_cards=5)": of("Goofspiel", cards=5, shuffled=True, kept=False, last=False),
    "blotto(coins=6,fields=3)": of("Colonel Blotto", soldiers=6, fields=3, ordered=False),
    "matrix_rps": of("rock paper scissors", to=1, most=1, signs=3),
}


@pytest.mark.parametrize("text", SAMPLED)
def test_games_of_chance_go_as_openspiels(text: str) -> None:
    theirs = spiel(text, at_once=text.startswith(("goofspiel", "blotto", "matrix")))
    assert distance(played(theirs, 600, 200), played(SAMPLED[text].new, 600, 200)) < 0.075


SOLVED = [
    (of("tic-tac-toe", rows=3, columns=3, row=3), "draw"),
    (of("misère tic-tac-toe", rows=3, columns=3, row=3), "draw"),
    (of("wild tic-tac-toe", rows=3, columns=3, row=3), "first"),
    (of("Notakto", boards=1, side=3), "first"),
    pytest.param(of("Notakto", boards=2, side=3), "second", marks=pytest.mark.long),  # Plambeck and Whitehead 2013
    (of("Hexapawn", rows=3, columns=3), "second"),
    (of("Chomp", rows=3, columns=4), "first"),
    (of("Fibonacci Nim", heap=13), "second"),
    (of("Fibonacci Nim", heap=14), "first"),
    (of("Wythoff's game", one=4, other=7), "second"),
    (of("Grundy's game", heap=10), "second"),
    (of("Grundy's game", heap=11), "first"),
    (of("Kayles", pins=8), "first"),
    (of("Dawson's Kayles", pins=9), "second"),
    (of("Euclid's game", larger=8, smaller=5), "second"),  # less than 1.618 to 1
    (of("Cram", rows=2, columns=4), "second"),
    (of("Domineering", rows=4, columns=4), "first"),
    (of("Hex", rows=3, columns=3), "first"),
    (of("Bridg-It (Gale)", size=2), "first"),
    (of("Othello (Reversi)", rows=4, columns=4), "second"),
    (of("Mū Tōrere", most=12), "draw"),
    (of("Pong Hau K'i", most=16), "draw"),
    pytest.param(of("Dodgem", side=3, most=30, stuck_wins=True), "first", marks=pytest.mark.long),
]
FIXED = ("lines", "joined", "dominoes", "edges", "rng")


@pytest.mark.parametrize(("game", "winner"), SOLVED, ids=str)
def test_perfect_play_ends_as_the_literature_says(game: Known, winner: str) -> None:
    seen: dict[str, int] = {}

    def worth(position: Any) -> int:
        """To First."""
        if position.result:
            return {"first": 1, "second": -1}.get(position.result, 0)
        key = repr([value for name, value in vars(position).items() if name not in FIXED])
        if key not in seen:
            best = max if position.seat == 0 else min
            seen[key] = best(worth(position.branch(move)) for move in position.legal())
        return seen[key]

    assert {1: "first", 0: "draw", -1: "second"}[worth(game.new(0))] == winner


def test_number_scrabble_is_tic_tac_toe_on_a_magic_square() -> None:
    scrabble = of("number scrabble", most=9, total=15).new(0)
    assert [*trees(scrabble, 9)] == [*trees(of("tic-tac-toe", rows=3, columns=3, row=3).new(0), 9)]


def test_random_games_of_the_smallest_size_end() -> None:
    """One test for all: the time for which a test is traced for coverage is shared by its cases."""
    for name in NAMES:
        results = played(next(sizes(name)).new, 2, 2000)["results"]
        assert sum(results.values()) == 2
        assert "too long" not in results, name


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.every(9)) for name in NAMES])
def test_random_games_of_every_size_end(name: str) -> None:
    every = [*sizes(name)]
    for game in random.Random(3).sample(every, min(2, len(every))):
        assert "too long" not in played(game.new, 3, 5000)["results"], game


RENAMED = sorted((Path(__file__).parent / "renamed").glob("*.py"))
"""Known games under other names and in unusual sizes, written by others from the rules alone."""
CALLED = {
    "atari-go": "Atari Go (first capture wins)",
    "battleship-again": "Battleship",
    "blackjack-duel": "a Blackjack duel",
    "blackjack-turns": "a Blackjack duel",
    "blotto": "Colonel Blotto",
    "bridg-it": "Bridg-It (Gale)",
    "bulls-and-cows": "bulls and cows (Mastermind)",
    "checkers": "checkers (draughts)",
    "dawsons-kayles": "Dawson's Kayles",
    "einstein": "EinStein würfelt nicht",
    "euclid": "Euclid's game",
    "game-of-y": "the Game of Y",
    "grundy": "Grundy's game",
    "joust": "Joust (knights on a board that burns)",
    "kalah": "Kalah (Mancala)",
    "liars-dice": "liar's dice",
    "m-n-k": "tic-tac-toe",
    "memory": "Memory (Concentration)",
    "misere-nim": "Nim",
    "misere-tic-tac-toe": "misère tic-tac-toe",
    "mu-torere": "Mū Tōrere",
    "nogo": "NoGo",
    "odds-and-evens": "odds and evens (matching pennies, morra)",
    "oware": "Oware (Awari)",
    "othello": "Othello (Reversi)",
    "pong-hau-ki": "Pong Hau K'i",
    "prisoners-dilemma": "the repeated prisoner's dilemma",
    "qubic": "three-dimensional tic-tac-toe (Qubic)",
    "silver-dollar": "the silver dollar game",
    "subtraction": "the subtraction game (race to a number)",
    "three-mens-morris": "Three Men's Morris",
    "numerical-tic-tac-toe": "numerical tic-tac-toe",
    "treblecross": "one-dimensional tic-tac-toe (Treblecross)",
    "tron": "Tron (light cycles)",
    "tug-of-war": "a bidding tug of war",
    "ultimate-tic-tac-toe": "ultimate tic-tac-toe",
    "wild-tic-tac-toe": "wild tic-tac-toe",
    "wythoff": "Wythoff's game",
}


DISGUISES = {
    "": "",
    "the second seat begins": """
class CustomEnv(Known):
    @property
    def current_player(self):
        return 1 - self.known_player

    def step(self, action):
        observation, reward, terminated, truncated, info = super().step(action)
        if info.get("winner") is not None:
            info = {"winner": 1 - info["winner"]}
        return observation, reward, terminated, truncated, info
""",
    "every turn is handed over": """
class CustomEnv(Known):
    chooses = True

    @property
    def current_player(self):
        return self.known_player if self.chooses else self.mover

    def reset(self, seed=None, options=None):
        self.chooses = True
        return super().reset(seed=seed, options=options)

    def valid_moves(self):
        return super().valid_moves() if self.chooses else [0]

    def step(self, action):
        if self.chooses:
            self.mover = self.known_player
            self.told = super().step(action)
            self.chooses = self.told[2]
            return self.told if self.chooses else (self.told[0], 0, False, False, {})
        self.chooses = True
        return self.told
""",
}
"""Ways to hide a game: another class around it."""


def disguised(source: str, disguise: str) -> str:
    if not disguise:
        return source
    inner = source.replace("class CustomEnv", "class Known").replace("current_player", "known_player")
    return f"{inner}\n{DISGUISES[disguise]}"


DAILY = {("cram", ""), ("hexapawn", "the second seat begins"), ("nim", "every turn is handed over")}


@pytest.mark.parametrize(
    ("path", "disguise"),
    [
        pytest.param(
            path,
            disguise,
            marks=() if (path.stem, disguise) in DAILY else pytest.mark.long,
            id=f"{path.stem}-{disguise or 'as it is'}",
        )
        for path in RENAMED
        for disguise in DISGUISES
    ],
)
def test_a_known_game_of_another_name_and_size_is_told_by_its_name(path: Path, disguise: str) -> None:
    (finding,) = find_known(canonical(disguised(path.read_text("utf-8"), disguise), {"max_turns": 400}))
    called = CALLED.get(path.stem, path.stem.replace("-", " "))
    assert re.search(rf"as (in )?{re.escape(called)} ", f"{finding.text} ", re.IGNORECASE), finding


@pytest.mark.long
def test_code_would_not_tell_them() -> None:
    """Why code isn't compared with that of known games: a limit that lets new games pass tells hardly one of them."""
    known = [fingerprints(inspect.getsource(rules)) for rules, _ in LIBRARY.values()]

    def shared(code: str) -> float:
        found = fingerprints(code)
        return max(len(found & theirs) / len(theirs) for theirs in known if len(theirs) >= 4)

    renamed = [shared(path.read_text("utf-8")) for path in RENAMED]
    new = max(shared(own(name).source) for name in own_names())
    assert sum(one > new for one in renamed) <= 0.02 * len(renamed)


def test_every_known_game_is_among_the_renamed_ones() -> None:
    called = [CALLED.get(path.stem, path.stem.replace("-", " ")).lower() for path in RENAMED]
    assert len(NAMES) >= 60
    assert [name for name in NAMES if not any(name.lower() in (one, f"the {one}") for one in called)] == []


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.every(25)) for name in own_names()])
def test_no_game_of_the_package_is_a_known_one(name: str) -> None:
    assert not [*find_known(own_traces([name])[name])]


def test_games_that_only_begin_as_a_known_one_are_not_taken_for_it() -> None:
    """Marks on nine free squares, of which other sets win: all such games have equal trees for four moves."""
    source = Path("interactive_envs/cli/data/new/game/game.py.tmpl").read_text("utf-8")
    assert not [*find_known(canonical(source, {"max_turns": 60}))]


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=pytest.mark.every(7)) for seed in range(14)])
def test_games_about_other_sets_of_squares_are_not_taken_for_marks_in_a_row(seed: int) -> None:
    source = Path("interactive_envs/cli/data/new/game/game.py.tmpl").read_text("utf-8")
    rng = random.Random(seed)
    squares, size = rng.randint(9, 13), rng.choice((3, 3, 4))
    sets = [{*rng.sample(range(1, squares + 1), size)} for _ in range(rng.randint(6, 12))]
    source = re.sub("^N = 9$", f"N = {squares}", source, flags=re.M)
    source = re.sub("^LINES = .*$", f"LINES = {sets}", source, flags=re.M)
    source = source.replace("0, False, False, {}", "0, not self.valid_moves(), False, {}")
    assert not [*find_known(canonical(source, {"max_turns": 60}))]


@pytest.mark.parametrize(("size", "parts"), [("5", 2), pytest.param("6", 1, marks=pytest.mark.long)])
def test_a_game_with_very_different_numbers_of_moves_is_known(size: str, parts: int) -> None:
    """A single play meets numbers that 600 others do not."""
    game = of("Amazons", size=size, parts=parts)
    facts = {**played(game.new, 600, 200), "trees": [*map(list, trees(game.new(0), 200))], "most": 200, "open": True}
    (finding,) = find_known(facts)
    assert str(game) in finding.text


def test_the_other_ends_of_misere_chomp_are_no_chomp() -> None:
    chomp = of("Chomp", rows=3, columns=5)
    misere = played(chomp.new, 600, 100)
    swapped = {"first": "second", "second": "first"}
    misere["results"] = {swapped.get(name, name): count for name, count in misere["results"].items()}
    levels = [[nodes, f"another {digest}", ends] for nodes, digest, ends in trees(chomp.new(0), 100)]
    found = find_known({**misere, "trees": levels, "most": 100, "open": True})
    assert not [one for one in found if "Chomp" in one.text]


def test_who_sees_the_other_s_choice_does_not_play_at_once() -> None:
    source = (Path(__file__).parent / "renamed" / "undercut.py").read_text("utf-8")
    assert not [*find_known(canonical(source.replace("self.named + [", "[self.whisper, 0] + ["), {}))]
