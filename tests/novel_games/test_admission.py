"""Admission of games: each fixture has one trap, and is judged for it."""

import json
import re
from pathlib import Path

import pytest

from interactive_envs.novel_games import admission
from interactive_envs.novel_games.admission import check, check_paths, describe, distance
from interactive_envs.novel_games.host.adapter import Program
from interactive_envs.novel_games.probing import random_games
from interactive_envs.novel_games.probing.shape import canonical
from interactive_envs.novel_games.probing.stages import STAGES, probe
from interactive_envs.sandbox import Limits
from tests.novel_games.variants import SHY, VARIANTS, below

FIXTURES = Path(__file__).parent / "fixtures"
LIMITS = Limits(cpu_s=60.0, wall_s=240.0, memory=512 << 20, output=4 << 20)
TRAPS = {
    "always-draws": ("refuse", "draws", "100%"),
    "builtin-opponent": ("refuse", "built-in opponent", "step() draws a move at random"),
    "carried-over": ("refuse", "not repeatable", "after reset()"),
    "counting-race": ("refuse", "formula", "count modulo 5"),
    "does-not-build": ("refuse", "does not build", "Discreet"),
    "eats-memory": ("refuse", "memory", "MemoryError"),
    "enormous-actions": ("refuse", "action space", "11881376"),
    "extra-turns-unnamed": ("refuse", "acting player", "whose_go"),
    "first-always-wins": ("refuse", "seat", "first seat wins 100%"),
    "global-random": ("refuse", "global randomness", "shared random"),
    "goes-on-for-ever": ("flag", "endless", "never ends"),
    "hidden-deck": ("refuse", "hidden state", "(deck)"),
    "heaps-apart": ("refuse", "known game", "Nim with heaps of 3, 4 and 5"),
    "illegal-accepted": ("refuse", "illegal accepted", "is not in valid_moves()"),
    "leaky-view": ("refuse", "view", "only one state"),
    "never-ends": ("refuse", "too long", "within 100 moves"),
    "nim-in-disguise": ("refuse", "formula", "Nim sum of caves"),
    "observation-outside": ("refuse", "observation", "entry 1 is"),
    "opens-network": ("refuse", "hostile", ""),
    "punished-move": ("refuse", "punished", "costs 10 and nothing happens"),
    "raising-move": ("refuse", "raises", "IndexError"),
    "reads-file": ("refuse", "hostile", "open() (line 11)"),
    "rebuilt-actions": ("refuse", "spaces", "reset changes"),
    "searchable-secret": ("refuse", "hidden choice", "search by copies"),
    "shown-secret": ("refuse", "secret shown", "'secretly'"),
    "trivial": ("refuse", "trivial", "against the best play"),
    "unrewarded-loss": ("refuse", "reward", "are a loss of the mover"),
    "unseeded": ("refuse", "not repeatable", "20 of 20 seeds"),
    "wrong-flags": ("refuse", "game.toml", "chance = false"),
    "wrong-trace": ("refuse", "example", "'flat b3' is not legal"),
}
GOOD = ("extra-turns", "good-foreign", "good-own")
ELSEWHERE = ("hangs", "near-duplicate")
"""Fixtures that the tests below ask in other ways."""


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Search fewer states than a check by hand does."""
    monkeypatch.setattr(admission, "_QUICK", {"games": 200, "states": 1000, "seconds": 0.1})


def test_every_fixture_is_asked():
    assert sorted({*TRAPS, *GOOD, *ELSEWHERE}) == sorted(path.name for path in FIXTURES.iterdir())


@pytest.mark.every(2)
@pytest.mark.parametrize("name", TRAPS)
def test_trap(name):
    verdict, kind, words = TRAPS[name]
    found = check(FIXTURES / name, limits=LIMITS)
    assert found.verdict == verdict, describe(found)
    texts = [reason.text for reason in found.reasons if (reason.kind, reason.verdict) == (kind, verdict)]
    assert any(words in text for text in texts), describe(found)


@pytest.mark.parametrize("name", GOOD)
def test_good(name):
    found = check(FIXTURES / name, limits=LIMITS)
    assert found.verdict == "admit", describe(found)
    assert found.facts["fuzz"]["games"] >= 200


def test_code_is_parsed_within_the_limits_of_the_sandbox(tmp_path):
    (tmp_path / "game.py").write_text("LONG = [" + "1," * 150_000 + "]\n", encoding="utf-8")
    found = check(tmp_path, limits=Limits(cpu_s=60.0, wall_s=240.0, memory=32 << 20, output=4 << 20))
    assert [*found.facts] == ["read"]
    assert [(reason.verdict, "MemoryError" in reason.text) for reason in found.reasons] == [("refuse", True)]


def test_endless_loop():
    (reason,) = check(FIXTURES / "hangs", limits=Limits(cpu_s=1.0, wall_s=60.0, memory=512 << 20)).reasons
    assert (reason.kind, reason.verdict) == ("hangs", "refuse")


def test_extra_turns_are_credited_to_who_moves():
    source = (FIXTURES / "extra-turns" / "game.py").read_text()
    fuzz = random_games.fuzz(source, {})
    assert fuzz["again"] > 0
    program = Program(source)
    table = program.new(0)
    for action in (0, 5, 2, 1):
        table.play(action)
    # lamp 1 lies between the lit 0 and 2: two points, and the second player, who lit it, moves again
    assert table.seat == 1
    assert table.env.points == [0, 2]


def test_unnamed_player_is_right_once_it_is_named():
    source = (FIXTURES / "extra-turns-unnamed" / "game.py").read_text()
    named = random_games.fuzz(source, {"player": "whose_go"})
    known = random_games.fuzz((FIXTURES / "extra-turns" / "game.py").read_text(), {})
    assert named["results"] == known["results"]
    assert named["unclear_player"] == []


def test_opponent_that_draws_nothing(tmp_path):
    source = (FIXTURES / "builtin-opponent" / "game.py").read_text()
    game = tmp_path / "game.py"
    game.write_text(source.replace("self.np_random.choice(self.valid_moves())", "self.valid_moves()[-1]"))
    texts = [reason.text for reason in check(game, limits=LIMITS).reasons if reason.verdict == "refuse"]
    assert texts == [
        "the game seems to move for a player itself: current_player never changes, one step puts marks of two kinds on "
        "board, and whoever moves puts the same one where the move is"
    ]


@pytest.mark.parametrize(
    ("rules", "verdicts"),
    [
        ("Both players secretly pick a card.", ["refuse"]),
        ("Reveal both cards at the same time.", ["refuse"]),
        ("Two pieces can never move at the same time.", ["flag"]),
        ("The players take turns.", []),
    ],
)
def test_words_of_secrecy(rules, verdicts):
    given = admission.Given(Path("game"), "", rules)
    found = [finding.verdict for finding in admission.find_shown_secret(given, {"boards": 3, "observations": 3})]
    assert found == verdicts
    assert not list(admission.find_shown_secret(given, {"boards": 1, "observations": 1}))


@pytest.mark.every(5)
@pytest.mark.parametrize("name", VARIANTS)
def test_variant_of_a_good_game(name, tmp_path):
    source, verdict, kind = VARIANTS[name]
    game = tmp_path / "game.py"
    game.write_text(source)
    found = check(game, limits=LIMITS)
    assert found.verdict == verdict, describe(found)
    assert [kind] == ([reason.kind for reason in found.reasons if reason.verdict == verdict][:1] or [""])


def foreign(path: Path, source: str, toml: str = "", rules: str = "Who cannot move loses.") -> Path:
    """A stranger's folder around this code."""
    path.mkdir()
    head = 'title = "T"\ncategory = "board"\norigin = "a test"\nlicence = "MIT"\n'
    for name, text in (
        ("game.toml", head + toml),
        ("rules.md", rules),
        ("actions.md", "N: a field."),
        ("game.py", source),
    ):
        (path / name).write_text(text)
    return path


@pytest.mark.parametrize(
    ("name", "meaning"), [("a move that loses by the rules", "loss"), ("every valid move costs 10", "move")]
)
def test_game_toml_may_say_what_minus_ten_means(name, meaning, tmp_path):
    found = check(foreign(tmp_path / "game", VARIANTS[name][0], f'minus_ten = "{meaning}"'), limits=LIMITS)
    assert found.verdict == "admit", describe(found)


def test_minus_ten_after_a_listed_move_is_scored():
    source = VARIANTS["a move that loses by the rules"][0]
    losing, costing = Program(source), Program(VARIANTS["every valid move costs 10"][0])
    table = losing.new(0)
    table.play(5)
    assert table.result == "second"
    table = costing.new(0)
    table.play(5)
    assert (table.result, table.seat) == (None, 1)
    goes_on = VARIANTS["punished and going on"][0]
    table = Program(goes_on, minus_ten="loss").new(0)
    table.play(5)
    assert table.result == "second"
    table = Program(source, minus_ten="move", zero_reward="loss").new(0)
    table.play(5)  # then -10 is no reward, and the end speaks for itself
    assert table.result == "second"
    assert Program(source, minus_ten="move").new(0).branch(5).result == "draw"


def test_why_a_variant_is_refused_is_said_in_the_words_of_the_format(tmp_path):
    game, told = tmp_path / "game.py", {}
    for name in ("an observation in parts", "positions without a move"):
        game.write_text(VARIANTS[name][0])
        told[name] = check(game, limits=LIMITS).reasons[0].text
    assert told["an observation in parts"].endswith(
        "observation_space must be a Box, MultiBinary, MultiDiscrete or Discrete, got Dict"
    )
    assert "a position before the end has no legal move" in told["positions without a move"]


def test_a_slow_game_is_played_less_often(monkeypatch):
    monkeypatch.setattr(random_games, "FUZZ_SECONDS", 0.0)
    assert random_games.fuzz(SHY, {})["games"] == random_games.LEAST_FUZZED


def test_a_board_that_counts_wins_tells_no_result(tmp_path):
    score = '"\\nPlayer X wins: 0"'
    game = tmp_path / "game.py"
    game.write_text(below("render(self)", f"return super().render() + {score}").replace("(), 1, True", "(), 0, True"))
    assert [reason.kind for reason in check(game, limits=LIMITS).reasons if reason.verdict == "refuse"] == ["draws"]


def test_a_game_that_lies_stops_no_other(monkeypatch):
    ask = admission.ask

    def lying(given, stage, *rest):
        facts = ask(given, stage, *rest)
        return facts | {"lengths": [["x", 1]]} if stage == "canonical" and "foreign" in str(given.path) else facts

    monkeypatch.setattr(admission, "ask", lying)
    paths = [FIXTURES / name for name in ("good-foreign", "good-own")]
    found = [[reason.kind for reason in one.reasons] for one in check_paths(paths, against=(), limits=LIMITS)]
    assert found == [["hostile"], ["known game"]]


def test_near_duplicate_is_found_whatever_its_numbers():
    first, second = check_paths([FIXTURES / "good-foreign", FIXTURES / "near-duplicate"], against=(), limits=LIMITS)
    (known,) = first.reasons
    assert "plays as Snort (rows 3, columns 4)" in known.text
    duplicate, also_known = second.reasons
    assert (duplicate.kind, duplicate.verdict) == ("near-duplicate", "refuse")
    assert "good-foreign" in duplicate.text
    assert "plays as Snort" in also_known.text


def test_other_games_are_no_near_duplicates():
    one, other = (canonical((FIXTURES / name / "game.py").read_text(), {}) for name in ("good-own", "good-foreign"))
    assert distance(one, one) == 0
    assert distance(one, other) > 2 * admission.NEAR_DISTANCE


def test_a_game_that_only_plays_alike_does_not_hide_one_with_the_same_positions():
    own = canonical((FIXTURES / "good-own" / "game.py").read_text(), {})
    own["trees"] = [[nodes, digest, 10] for nodes, digest, _ in own["trees"]]
    (length, count), *others = own["lengths"]
    same = {**own, "lengths": [[length, count + 5], *others]}
    assert distance(own, same) > 0
    (found,) = admission.alike(own, {"alike": {**own, "trees": []}, "same": same})
    assert (found.verdict, "those of same" in found.text) == ("refuse", True)
    (found,) = admission.alike(own, {"alike": {**own, "trees": []}})
    assert (found.verdict, "as in alike" in found.text) == ("flag", True)


def test_games_that_fill_one_board_and_count_it_otherwise_are_no_duplicates():
    """Their trees are equal as far as they are followed, for no game ends there."""
    template = Path("interactive_envs/cli/data/new/game/game.py.tmpl").read_text().replace("N = 9", "N = 16")
    line = "any(line <= mine for line in LINES)"
    assert line in template
    full = "sum(map(len, self.held)) == N and sum({0} for n in mine) > sum({0} for n in self.held[1 - mover])"
    over = ("0, False, False, {}", "-(sum(map(len, self.held)) == N), sum(map(len, self.held)) == N, False, {}")
    weighed, squared = (
        canonical(template.replace(line, full.format(worth)).replace(*over), {})
        for worth in ("(n * n * 7 + 3 * n) % 11", "n % 4 * (n // 4)")
    )
    assert [level[:2] for level in weighed["trees"]] == [level[:2] for level in squared["trees"]]
    assert distance(weighed, squared) < admission.NEAR_DISTANCE
    assert [found.verdict for found in admission.alike(weighed, {"other": squared})] == ["flag"]
    assert [found.verdict for found in admission.alike(weighed, {"copy": weighed})] == ["refuse"]


def test_games_are_compared_with_those_of_the_package(tmp_path):
    game = admission.own("sum-shy")
    copy = tmp_path / "taken-over.py"
    copy.write_text(game.source)
    (found,) = check_paths([copy], against=["sum-shy"], limits=LIMITS)
    assert [reason.kind for reason in found.reasons if reason.verdict == "refuse"] == ["near-duplicate"]
    assert "sum-shy" in found.reasons[-1].text
    (itself,) = check_paths([game.path], against=["sum-shy"], limits=LIMITS)
    assert "near-duplicate" not in [reason.kind for reason in itself.reasons]


def test_one_seat_that_leads_is_flagged(tmp_path):
    source = (FIXTURES / "good-foreign" / "game.py").read_text()
    game = tmp_path / "game.py"
    game.write_text(source.replace("-self.current_player for", "self.current_player for"))
    found = check(game, limits=LIMITS)
    assert (found.verdict, [reason.kind for reason in found.reasons]) == ("flag", ["seat"])


@pytest.mark.parametrize(
    ("rules", "verdict"),
    [
        ("A draw is impossible.", "refuse"),
        ("There are no ties.", "refuse"),
        ("The game can never end in a draw.", "refuse"),
        ("Ties cannot happen.", "refuse"),
        ("If there is no winner, it is a draw.", "admit"),
        ("If you cannot move, it is a draw.", "admit"),
        ("You may not draw more than one card. Equal scores are a tie.", "admit"),
        ("Nobody sees the draw pile. There is no draw pile for Second. Equal scores: a tie.", "admit"),
        ("Draw a card, play a card.", "flag"),
        ("With equal points the game is a draw.", "admit"),
    ],
)
def test_ends_without_reward_are_read_by_the_rules(rules, verdict):
    given = admission.Given(Path("game"), "", rules)
    kinds = [reason.verdict for reason in admission.find_rewards({"zero": 3, "plus": 9}, given)]
    assert kinds == ([] if verdict == "admit" else [verdict])


def test_settled_reward_is_not_asked_about():
    given = admission.Given(Path("game"), "", "", manifest={"zero_reward": "loss"})
    assert not list(admission.find_rewards({"zero": 3, "zero but won": 3}, given))


def test_winner_against_the_reward_is_seen(tmp_path):
    source = (FIXTURES / "good-own" / "game.py").read_text()
    game = tmp_path / "game.py"
    game.write_text(
        source.replace('{"winner": 1 - self.current_player}', "{}").replace(
            "        self.current_player ^= 1\n",
            "        self.winner = self.current_player = 1 - self.current_player\n",
        )
    )
    assert "reward" in [reason.kind for reason in check(game, limits=LIMITS).reasons if reason.verdict == "refuse"]


@pytest.mark.parametrize("stage", ["build", "repeat", "fuzz", "secrets", "follow", "exact", "canonical"])
def test_forged_facts_are_refused(stage, monkeypatch):
    ask = admission.ask
    monkeypatch.setattr(
        admission, "ask", lambda given, name, *rest: {"games": "\x1b[2J"} if name == stage else ask(given, name, *rest)
    )
    found = check(FIXTURES / "good-own", limits=LIMITS)
    assert found.verdict == "refuse"
    assert found.reasons[-1].kind == "hostile"
    assert "\x1b" not in describe(found)


def test_what_a_game_says_is_printed_as_one_line(tmp_path):
    game = tmp_path / "game.py"
    game.write_text("class CustomEnv:\n    def __init__(self):\n        raise ValueError('a\\n\\x1b[31mb')\n")
    assert len(describe(check(game, limits=LIMITS)).splitlines()) == 2
    assert "\x1b" not in describe(check(game, limits=LIMITS))


def test_syntax_error(tmp_path):
    game = tmp_path / "game.py"
    game.write_text("class CustomEnv(:\n")
    (reason,) = check(game).reasons
    assert (reason.kind, reason.verdict) == ("does not build", "refuse")


def test_missing_game(tmp_path):
    (reason,) = check(tmp_path / "nothing").reasons
    assert (reason.kind, reason.verdict) == ("folder", "refuse")


def test_wrong_table(tmp_path):
    for file in (FIXTURES / "good-own").iterdir():
        (tmp_path / file.name).write_text(re.sub(r"max_turns = \d+", "max_turns = 400", file.read_text()))
    (reason,) = check(tmp_path).reasons
    assert reason.kind == "folder"


def test_report_is_text_and_json():
    found = check(FIXTURES / "nim-in-disguise", limits=LIMITS)
    told = json.loads(json.dumps(found.as_json()))
    assert told["verdict"] == "refuse"
    assert told["facts"]["exact"]["solved"]
    text = describe(found)
    assert text.startswith("refuse")
    assert "412 states, worth +1.00 to the first seat" in text


def test_probe_runs_all_stages_here():
    facts = probe((FIXTURES / "nim-in-disguise" / "game.py").read_text(), {"games": 60, "states": 1000, "seconds": 0.1})
    assert list(facts) == list(STAGES)
    assert facts["exact"]["best"] == [0, 8, 16]


def test_probe_stops_where_there_is_no_game():
    facts = probe((FIXTURES / "does-not-build" / "game.py").read_text(), {})
    assert list(facts) == ["read", "build"]
