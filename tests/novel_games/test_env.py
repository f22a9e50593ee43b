"""Generated games as environments: texts, ends, presets, and code nobody vetted behind the sandbox."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pettingzoo
import pytest
from stable_baselines3.common.env_checker import check_env

from interactive_envs import catalog
from interactive_envs.agent import resolve_agent
from interactive_envs.errors import ConfigError, FaultError, UnknownNameError
from interactive_envs.novel_games import folder as folders
from interactive_envs.novel_games.folder import own_names, read_folder
from interactive_envs.novel_games.host.adapter import GameError
from interactive_envs.novel_games.host.sandboxed import RemoteProgram, checked
from interactive_envs.novel_games.rules import GeneratedGame
from tests.novel_games import small_games

TOML = 'title = "T"\ncategory = "number"\norigin = "a test"\nlicence = "MIT"\nmax_turns = 20\n'


def folder(path: Path, source: str, toml: str = TOML, name: str = "some-game") -> str:
    made = path / name
    made.mkdir()
    for file, text in (
        ("game.py", source),
        ("game.toml", toml),
        ("rules.md", "# Rules\nTake stones."),
        ("actions.md", "0: one."),
    ):
        (made / file).write_text(text)
    return str(made)


def make(path: str, **arguments: Any) -> Any:
    return gym.make("ibench/Game-v1", path=path, unchecked=True, **arguments).unwrapped


def play(env: Any, *moves: str) -> tuple[str, float, bool, dict[str, Any]]:
    for move in moves:
        observation, reward, terminated, _, info = env.step(move)
    return observation, reward, terminated, info


def test_a_foreign_game_is_played_in_the_sandbox(tmp_path: Path) -> None:
    env = make(folder(tmp_path, small_games.TAKE), opponents="minimax")
    observation, info = env.reset(seed=0)
    assert observation == (
        "# Rules\nTake stones.\n\n0: one.\n\nAnswer <move>…</move> with one of the legal moves, exactly as "
        "written.\n\nYou are First. A win scores 1, a draw 0, a loss -1. A game that has not ended after 20 moves has "
        "no winner.\nIf a message of yours cannot be read, or is not legal, you may try again, once per turn. If that "
        "fails too, you lose the game.\n\nstones: 11\n\nYou are First. It is your move. Legal moves: 0, 1, 2"
    )
    assert type(env.game.program).__name__ == "RemoteProgram"
    observation, _, over, info = play(env, "<move>2</move>")
    assert not over
    assert observation.startswith("Moves so far:\n1. First: 2\n2. Second: ")
    while not over:
        left = int(env.view().board.removeprefix("stones: "))
        observation, reward, over, info = play(env, f"take care: <move>{left % 4 - 1}</move>")
    assert (reward, info["outcome"]) == (1.0, "success")
    assert observation.endswith("The game is over: you have won.")


@pytest.mark.parametrize("spec", ["mcts?simulations=2000", "minimax"])
def test_a_search_beside_a_foreign_game_wins_it(tmp_path: Path, spec: str) -> None:
    path = folder(tmp_path, small_games.TAKE)
    env = make(path, opponents="random")
    agent = resolve_agent(spec, "ibench/Game-v1")()
    for seed in range(2):
        observation, info = env.reset(seed=seed)
        agent.reset(seed=seed, info=info)
        over = False
        while not over:
            observation, reward, over, _, info = env.step(agent.act(observation, info))
        assert reward == 1


def test_bad_texts_cost_tries_and_then_the_game(tmp_path: Path) -> None:
    env = make(folder(tmp_path, small_games.TAKE))
    env.reset(seed=0)
    observation, _, over, info = play(env, "<move>seven</move>")
    assert not over
    assert observation.startswith("Not legal: 'seven' is not one of the legal moves. Try again; if that fails")
    observation, reward, over, info = play(env, "hm")
    assert (reward, over, info["outcome"], info["kind"]) == (-1.0, True, "forfeit", "punished")
    assert observation.endswith("you forfeited it.")
    assert env.record()["game"]["forfeited"] == 0


def test_the_papers_preset_numbers_moves_and_plays_forced_ones(tmp_path: Path) -> None:
    published = catalog.entry("ibench/Game-v1")["presets"]["paper"] | {"opponents": "random"}
    env = make(folder(tmp_path, small_games.TAKE), **published)
    observation, info = env.reset(seed=0)
    assert "0: one." in observation
    assert "Answer <move>N</move> with the number of a legal move." in observation
    assert info["history"] == "none"
    for _ in range(4):
        assert not play(env, "no idea")[2]
    assert play(env, "no idea")[3]["outcome"] == "forfeit"
    env.reset(seed=0)
    over = False
    while not over:
        assert len(env.view().legal) > 1
        over = play(env, "0")[2]
    names = [move["name"] for move in env.record()["game"]["moves"]]
    assert sum(int(name) + 1 for name in names) == 11


def test_a_game_without_end_is_nobodys(tmp_path: Path) -> None:
    env = make(folder(tmp_path, small_games.TAKE, TOML.replace("20", "3")))
    env.reset(seed=0)
    observation, reward, over, info = play(env, "0", "0")
    assert (reward, over, info["outcome"]) == (0.0, True, "timeout")
    assert "has reached the limit of 3 moves and has no winner" in observation


def test_a_game_that_breaks_is_a_fault_and_no_play(tmp_path: Path) -> None:
    source = small_games.TAKE.replace("self.stones -= action + 1", "self.stones -= action + 1; 1 / (self.stones - 8)")
    env = make(folder(tmp_path, source))
    env.reset(seed=0)
    with pytest.raises(FaultError, match="ZeroDivisionError"):
        play(env, "2")


@pytest.mark.parametrize(
    ("attack", "reason"),
    [
        ("open('/etc/hostname').read()", "cannot be loaded"),
        ("__import__('socket').create_connection(('127.0.0.1', 80))", "cannot be loaded"),
        ("__import__('os').fork()", "cannot be loaded"),
        ("bytearray(1 << 34)", "memory|Memory"),
    ],
)
def test_a_hostile_game_reaches_nothing(tmp_path: Path, attack: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        make(folder(tmp_path, small_games.TAKE + f"\nSTOLEN = {attack}\nassert STOLEN, 'nothing'\n"))


def test_equal_seeds_give_equal_episodes_in_the_sandbox(tmp_path: Path) -> None:
    told = []
    path = folder(tmp_path, small_games.COIN)
    for _ in range(2):
        env = make(path)
        env.reset(seed=4)
        over, lines = False, []
        while not over:
            observation, reward, over, _info = play(env, "toss")
            lines.append((observation, reward))
        told.append(lines)
    assert told[0] == told[1]


def test_a_view_can_be_drawn_from_and_is_json(tmp_path: Path) -> None:
    env = make(folder(tmp_path, small_games.GUESS), seat=1)
    env.reset(seed=1)
    view = env.view()
    assert view.as_json()["log"] == ["hides"]
    for seed in range(4):
        assert env.game.view(env.game.resample(view, np.random.default_rng(seed)), 1) == view
    env.resample(view, np.random.default_rng(0))
    assert env.step(env.legal_actions()[0])[2]


def test_copies_and_pickles_play_the_same(tmp_path: Path) -> None:
    game = GeneratedGame(folder(tmp_path, small_games.COIN), log=False)
    state = game.start(np.random.default_rng(0), {})
    copy = game.clone(state)
    game.play(state, 0, 0)
    assert copy.table.turns == 0
    again = pickle.loads(pickle.dumps(game))
    assert (again.path, again.log) == (game.path, False)


@pytest.mark.every(20)
@pytest.mark.parametrize("name", own_names())
def test_every_own_game_passes_stable_baselines_check(name: str) -> None:
    check_env(gym.make(f"ibench/Game-{name}-v1", view="numeric"), warn=False)


def test_both_seats_are_played_in_turn_with_pettingzoo() -> None:
    env = pettingzoo.make("aec", "ibench/Game-v1", view="numeric")
    env.reset(seed=2)
    total = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        _, reward, terminated, truncated, info = env.last()
        total[agent] += reward
        env.step(None if terminated or truncated else int(np.flatnonzero(info["action_mask"])[0]))
    assert sorted(total.values()) in ([-1.0, 1.0], [0.0, 0.0])


@pytest.mark.parametrize("answers", ["name", "number"])
@pytest.mark.parametrize("name", own_names()[::20])
def test_views_and_legal_moves_are_those_of_the_position(name: str, answers: str) -> None:
    game, rng = GeneratedGame(name, answers=answers), np.random.default_rng(0)
    state = game.start(rng, {})
    while (mover := game.to_move(state)) is not None:
        env = state.table.env
        for seat in (0, 1):
            legal = game.legal_actions(view := game.view(state, seat))
            assert (game.legal_now(state, seat), bool(legal)) == (legal, seat == mover)
            assert [game.read(state, seat, text) for text in legal] == [*view.legal]
            assert view.board == (env.view(seat)["board"] if game.program.views else env.render())
        assert [*game.view(state, mover).legal] == env.valid_moves()
        game.play(state, mover, int(rng.choice(env.valid_moves())))
    assert [game.legal_now(state, seat) for seat in (0, 1)] == [[], []]
    forfeited = game.start(rng, {})
    game.punish(forfeited, 0, "forfeit")
    assert [game.legal_now(forfeited, seat) for seat in (0, 1)] == [[], []]


def test_folders_and_names_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'sum-shy'"):
        make("sum-shi")
    with pytest.raises(ConfigError, match="there is no game folder"):
        make(str(tmp_path / "none"))
    with pytest.raises(ConfigError, match="preset of ibench/Game-v1: 'papre'; did you mean 'paper'"):
        gym.make("ibench/Game-v1", preset="papre")
    for number, (toml, reason) in enumerate(
        [
            ("title = 3", "lacks 'category'"),
            (TOML.replace("number", "nubmer"), "did you mean 'number'"),
            (TOML.replace("20", "200"), "max_turns must be 1 to 100, got 200"),
            (TOML.replace("20", '"20"'), "max_turns must be a int"),
            (TOML + 'zero_reward = "win"', "zero_reward"),
            ("title = ", "Invalid value"),
        ]
    ):
        path = folder(tmp_path, small_games.TAKE, toml, f"game-{number}")
        with pytest.raises(ConfigError, match=reason):
            read_folder(path)
    (tmp_path / "game-0" / "actions.md").unlink()
    with pytest.raises(ConfigError, match=r"no readable actions.md"):
        read_folder(tmp_path / "game-0")


def test_a_folder_beside_one_needs_no_slash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder(tmp_path, small_games.TAKE, name="take")
    monkeypatch.chdir(tmp_path)
    assert make("take").reset(seed=0)[1]["view"].board == "stones: 11"
    with pytest.raises(UnknownNameError, match="unknown game 'takes'"):
        make("takes")


def test_code_that_changed_is_played_anew(tmp_path: Path) -> None:
    path = folder(tmp_path, small_games.TAKE)
    before = make(path)
    assert before.reset(seed=0)[1]["view"].board == "stones: 11"
    file = Path(path) / "game.py"
    file.write_text(
        file.read_text().replace("self.stones, self.current_player = 11, 1", "self.stones, self.current_player = 9, 1")
    )
    assert make(path).reset(seed=0)[1]["view"].board == "stones: 9"


MANY = """
from gymnasium import Env
from gymnasium.spaces import Box, Discrete
import numpy as np

class CustomEnv(Env):
    def __init__(self):
        self.action_space = Discrete(300)
        self.observation_space = Box(0, 4, (1,), np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.turn = 0
        return np.array([0], np.float32), {}

    def step(self, action):
        self.turn += 1
        over = self.turn == 4
        return np.array([self.turn], np.float32), int(over), over, False, {}

    def valid_moves(self):
        return list(range(300))

    def move_name(self, action):
        return ("a", "A", "b  C", f"move {action}")[min(action, 3)]

    def render(self):
        return str(self.turn)
"""


@pytest.mark.parametrize("answers", ["name", "number"])
@pytest.mark.parametrize("spec", ["mcts?simulations=20", "minimax?nodes=500"])
def test_players_need_no_list_of_legal_actions(tmp_path: Path, spec: str, answers: str) -> None:
    env = make(folder(tmp_path, MANY), opponents=spec, answers=answers)
    _, info = env.reset(seed=0)
    assert "legal_actions" not in info
    _, _, over, info = play(env, env.legal_actions()[7], env.legal_actions()[1])
    assert over
    assert info["outcome"] == "failure", "the other seat makes the last move"


@pytest.mark.parametrize("name", ["", " ", "<move>b", "a\nb", "b  C", "\x1b[31mred"])
def test_a_move_that_cannot_be_named_is_a_fault_of_the_game(tmp_path: Path, name: str) -> None:
    game = GeneratedGame(folder(tmp_path, MANY.replace('"a", "A"', f"{name!r}, 'b C'")))
    with pytest.raises(
        FaultError, match=r"game some-game: (the name of a move is empty|two legal moves have one name)"
    ):
        game.start(np.random.default_rng(0), {}) and game.view(game.start(np.random.default_rng(0), {}), 0)


@pytest.mark.parametrize("name", ["a > b", "x & y", "&lt;b&gt;", "move: 3", "```", "' \" ,", "最", "]]>"])
def test_any_other_name_is_read_as_it_is_given(tmp_path: Path, name: str) -> None:
    game = GeneratedGame(folder(tmp_path, MANY.replace('"a", "A"', f"{name!r}, 'A'")))
    state = game.start(np.random.default_rng(0), {})
    text, *_ = game.legal_actions(game.view(state, 0))
    assert [game.read(state, 0, said) for said in (text, f"I play {text}", name)] == [0, 0, 0]


def test_names_that_differ_in_capitals_are_taken_word_for_word(tmp_path: Path) -> None:
    game = GeneratedGame(folder(tmp_path, MANY))
    state = game.start(np.random.default_rng(0), {})
    assert [game.read(state, 0, text) for text in ("a", "<move>A</move>", "B c", "<move> MOVE  7</move>")] == [
        0,
        1,
        2,
        7,
    ]


MINIMAL = (
    small_games.TAKE
    + """
    def view(self, player):
        return {"player": player, "board": self.render(), "observation": [self.stones]}

    def resample(self, view, rng):
        self.stones = int(view["observation"][0])
        self.current_player = 1 + (11 - self.stones) % 2
"""
)


def test_a_view_of_board_and_observation_alone_is_enough_to_search(tmp_path: Path) -> None:
    env = make(folder(tmp_path, MINIMAL), opponents="mcts?simulations=20")
    env.reset(seed=0)
    _, _, _, info = play(env, "<move>0</move>")
    assert info["view"].turns == 2


def test_a_game_with_secrets_and_no_log_tells_no_moves(tmp_path: Path) -> None:
    for hidden, log in (("true", ()), ("false", ("First: 1",))):
        toml = TOML + f"hidden = {hidden}\n"
        game = GeneratedGame(folder(tmp_path, small_games.STOP_OR_GUESS, toml, f"hidden-{hidden}"))
        state = game.start(np.random.default_rng(0), {})
        game.play(state, 0, 1)
        assert game.view(state, 1).log == log


@pytest.mark.parametrize("name", ["title", "licence"])
def test_a_folder_cannot_write_to_the_terminal(tmp_path: Path, name: str) -> None:
    toml = TOML.replace(f'{name} = "', f'{name} = "\\u001b[31m')
    with pytest.raises(ConfigError, match=f"game.toml: {name} must be a line of text"):
        GeneratedGame(folder(tmp_path, small_games.TAKE, toml))


def test_what_the_sandbox_answers_is_checked() -> None:
    program = RemoteProgram(small_games.TAKE)
    table = program.new(0)
    good = table.view(0)
    assert checked(good, 0, program) == good
    for change in (
        {"result": ["first"]},
        {"result": "third"},
        {"legal": [-1, 1, 2]},
        {"legal": [0, 1, 3]},
        {"legal": [1, 1, 2]},
        {"observation": [1.0, 2.0]},
        {"to_move": True},
        {"seat": 1},
        {"names": ["1"]},
        {"board": None},
        {"observation": [10**400]},
        {"observation": [float("nan")]},
        {"turns": 10**400},
        {"turns": -1},
        {"turns": True},
        {"legal": [], "names": []},
        {"result": "first"},
        {"to_move": 1},
    ):
        with pytest.raises(FaultError, match="a view of another form"):
            checked(good | change, 0, program)
    with pytest.raises(GameError, match="1000000000000 actions and 1 observed numbers; at most 4096 and 4096"):
        RemoteProgram(small_games.TAKE.replace("Discrete(3)", "Discrete(10**12)"))


def test_a_package_behind_a_link_is_vetted_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "link").symlink_to(folders.SETS["games-v0"])
    monkeypatch.setitem(folders.SETS, "games-v0", tmp_path / "link")
    assert read_folder(tmp_path / "link" / "sum-shy").vetted


def test_a_game_is_copied_with_the_search_of_its_opponent() -> None:
    env = gym.make("ibench/Game-lane-levy-v1", seat=1, preset="paper")
    _, info = env.reset(seed=0)
    twin = copy.deepcopy(env)
    said = info["legal_actions"][0]
    assert env.step(said)[0] == twin.step(said)[0]
