"""The players that come with generated games: policies, searches, rungs, and how the rungs are chosen."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from interactive_envs import catalog
from interactive_envs.agent import resolve_agent
from interactive_envs.agents.rung import RungAgent, rung_spec, searching
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.novel_games import rules
from interactive_envs.novel_games.folder import own, own_names
from interactive_envs.novel_games.host.adapter import EXTRAS, Program
from interactive_envs.novel_games.ladder import BEATABLE, LADDER, read_ladder
from interactive_envs.novel_games.rules import GeneratedGame
from interactive_envs.novel_games.search.network import Network, checkpoints_in
from interactive_envs.reporting.estimates import wilson
from interactive_envs.training import ladders
from interactive_envs.training.ladders import SOLUTION, Score, head_to_head, make_ladder
from interactive_envs.training.trainer import TrainConfig, train
from tests.novel_games import small_games
from tests.novel_games.test_env import folder

GAME = "residue-fold"


def knowing(inputs: int, stones: int) -> Network:
    """A network for TAKE that leaves a multiple of four, out of the share of the stones that it sees."""
    rng = np.random.default_rng(0)
    wanted = np.array([(count - 1) % 4 if count % 4 else 0 for count in range(stones + 1)])
    hidden = np.zeros((inputs, stones + 1), np.float32)
    hidden[0] = 40.0 * stones
    steps = -40.0 * (np.arange(stones + 1) - 0.5)
    heads = np.zeros((stones + 1, 3), np.float32)
    for count in range(stones + 1):  # tanh units that switch on one stone after another
        heads[count, wanted[count]] += 5
        if count:
            heads[count, wanted[count - 1]] -= 5
    layer = (hidden, steps.astype(np.float32))
    return Network(
        [layer],
        [(heads, np.zeros(3, np.float32))],
        [(rng.normal(size=(stones + 1, 1)).astype(np.float32) * 0, np.zeros(1, np.float32))],
        about={"steps": 10},
    )


def poor(inputs: int, actions: int) -> Network:
    """A network that knows nothing."""
    rng = np.random.default_rng(0)
    return Network(
        [],
        [(rng.normal(size=(inputs, actions)).astype(np.float32), np.zeros(actions, np.float32))],
        [(np.zeros((inputs, 1), np.float32), np.zeros(1, np.float32))],
        about={"steps": 5},
    )


@pytest.fixture
def game(tmp_path: Path) -> str:
    return folder(tmp_path, small_games.TAKE)


def test_a_policy_plays_what_it_knows(game: str, tmp_path: Path) -> None:
    knowing(1 + EXTRAS, 11).save(tmp_path / "knows.npz")
    rules = GeneratedGame(game)
    best = f"ppo:{tmp_path}/knows.npz?temperature=0"
    assert head_to_head(rules, (best, "minimax"), 4) == Score(games=4, wins=2, draws=0)
    assert head_to_head(rules, (best, "random"), 6).wins >= 4


def test_a_policy_for_another_game_is_refused(game: str, tmp_path: Path) -> None:
    knowing(7, 11).save(tmp_path / "other.npz")
    for spec, reason in (
        (f"ppo:{tmp_path}/other.npz", "the checkpoint has 7 inputs and 3 actions, the game 4 and 3"),
        (f"mcts:{tmp_path}/other.npz", "the checkpoint has 7 inputs .* train one for this game"),
    ):
        with pytest.raises(ConfigError, match=reason):
            head_to_head(GeneratedGame(game), (spec, "random"), 2)
    with pytest.raises(ConfigError, match=r"there is no checkpoint 'none.npz'; ibench train makes one"):
        resolve_agent("ppo:none.npz")()
    for value in ("-1", "abc", "null", "[1]", "true", "1e999"):
        with pytest.raises(ConfigError, match="temperature must be a number, at least 0"):
            resolve_agent(f"ppo:{tmp_path}/other.npz?temperature={value}")()
    for option in ("time=0", "time=x", "temperature=-3", "simulations=0", "simulations=2.5"):
        with pytest.raises(ConfigError, match=option.partition("=")[0] + " must be"):
            resolve_agent(f"mcts?{option}", "ibench/Game-v1")()
    with pytest.raises(ConfigError, match="mode must be one of"):
        resolve_agent("mcts?mode=fast", "ibench/Game-v1")()
    with pytest.raises(UnknownNameError, match="did you mean 'simulations'"):
        resolve_agent("mcts?simulation=3", "ibench/Game-v1")()
    with pytest.raises(ConfigError, match=r"minimax cannot play this game: .*use mcts"):
        head_to_head(GeneratedGame("sealed-freight"), ("minimax", "random"), 2)


def test_a_policy_plays_the_trust_game_it_was_trained_on(tmp_path: Path) -> None:
    config = TrainConfig(steps=512, every=256, games=8, rollout=256, batch=64, trunk=(8,))
    paths = train("ibench/TrustGame-v1", tmp_path, config, log=())
    env = gym.make("ibench/TrustGame-v1", disable_env_checker=True)
    agent = resolve_agent(f"ppo:{paths[-1]}", "ibench/TrustGame-v1")()
    observation, info = env.reset(seed=0)
    agent.reset(seed=0, info=info)
    over = False
    while not over:
        observation, _, over, _, info = env.step(agent.act(observation, info))
        assert info["valid"]


def test_head_to_head_is_fair_and_the_same_again() -> None:
    rules = GeneratedGame(GAME)
    first = head_to_head(rules, ("random", "random"), 60, seed=3)
    assert first == head_to_head(rules, ("random", "random"), 60, seed=3)
    assert first.draws == 0
    assert 15 < first.wins < 45
    assert head_to_head(rules, ("minimax?nodes=300", "random"), 4).mean > 0.7


@pytest.mark.parametrize("name", ["crossed-dials", "sealed-freight", "a folder's"])
def test_games_inside_the_sandbox_go_as_games_through_views(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = GeneratedGame(folder(tmp_path, small_games.TAKE) if "folder" in name else name)
    poor(rules.numeric_shape[0], rules.numeric_actions).save(tmp_path / "net.npz")
    follows, searches = (
        f"ppo:{tmp_path}/net.npz?temperature=0.7",
        f"mcts:{tmp_path}/net.npz?simulations=9&temperature=1",
    )
    pairs = [("random", follows), (follows, searches), (searches, "mcts?simulations=5&mode=rollout")]
    inside = [head_to_head(rules, pair, 12, seed=2) for pair in pairs]
    monkeypatch.setattr(ladders, "_contestant", lambda player: None)
    assert inside == [head_to_head(rules, pair, 12, seed=2) for pair in pairs]
    assert len({score.wins for score in inside} - {0, 12}) > 0


def test_a_ladder_is_chosen_from_checkpoints(game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladders, "STRONG", 20)
    monkeypatch.setattr(ladders, "MORE", 1)
    paths = [tmp_path / "checkpoint-5.npz", tmp_path / "checkpoint-10.npz"]
    poor(4, 3).save(paths[0])
    knowing(4, 11).save(paths[1])
    poor(4, 3).save(Path(game) / "checkpoint-3.npz")
    told: list[str] = []
    ladder = make_ladder(Path(game), paths, games=4, progress=told.append)
    assert ladder == read_ladder(Path(game))
    assert ladder == make_ladder(Path(game), paths, games=4)
    assert [rung["level"] for rung in ladder["rungs"]] == [1, 2, 3, 4]
    ratings = [rung["rating"] for rung in ladder["rungs"]]
    assert ratings == sorted(ratings)
    assert len(ladder["scores"]) == 6
    assert told[0] == "some-game: random against 5: " + told[0][-4:]
    assert ladder["rungs"][0]["agent"] in ("random", "ppo:{folder}/checkpoint-5.npz")
    assert [path.name for path in checkpoints_in(Path(game))] == ["checkpoint-5.npz", "checkpoint-10.npz"]
    with pytest.raises(ConfigError, match="needs two checkpoints or more, got 1; train longer"):
        make_ladder(Path(game), paths[:1])


def test_what_a_folder_has_stays_until_all_games_are_played(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladders, "STRONG", 20)
    knowing(4, 11).save(Path(game) / "checkpoint-5.npz")
    (Path(game) / LADDER).write_text("{}")
    before = {path: path.read_bytes() for path in Path(game).iterdir()}
    paths = [tmp_path / "checkpoint-5.npz", tmp_path / "checkpoint-10.npz"]
    knowing(4, 11).save(paths[0])
    knowing(7, 11).save(paths[1])
    with pytest.raises(ConfigError, match=r"checkpoint-10.npz: the checkpoint has 7 inputs"):
        make_ladder(Path(game), paths)

    knowing(4, 10).save(paths[1])
    told: list[str] = []

    def stop(line: str) -> None:
        told.append(line)
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_ladder(Path(game), paths, games=2, progress=stop)
    assert {path: path.read_bytes() for path in Path(game).iterdir()} == before
    played = []
    play_for_real = ladders.play_games
    monkeypatch.setattr(
        ladders, "play_games", lambda *given, **more: played.append(given) or play_for_real(*given, **more)
    )
    ladder = make_ladder(Path(game), paths, games=2, progress=told.append)
    assert told[2:4] == told[:2]
    assert len(played) == len(told) - 4
    assert not (tmp_path / ladders.WORK).exists()
    assert make_ladder(Path(game), paths, games=2) == ladder


def matches(folder: Path, scores: dict[tuple[str, str], Score], game: str = GAME, games: int = 60) -> ladders.Matches:
    """Rungs that have met already; others play for real."""
    made = ladders.Matches(GeneratedGame(game), folder, games, 0, None)
    made.scores.update(scores)
    return made


def test_models_meet_the_strongest_rung_that_some_rung_beats_clearly(tmp_path: Path) -> None:
    clear, close = Score(200, 180, 0), Score(200, 165, 0)
    met = matches(tmp_path, {("c", "b"): clear, ("a", "b"): Score(200, 20, 0), ("c", "a"): clear})
    found = ladders.choose_opponent(met, ["a", "b", "c"], "c")
    assert found == {"level": 2, "beaten_by": "c", "win_rate": 0.9, "low": 0.8506, "high": 0.9343, "games": 200}
    draws = Score(200, 0, 200)
    met = matches(tmp_path, {("c", "b"): close, ("a", "b"): draws, ("c", "a"): clear})
    assert ladders.choose_opponent(met, ["a", "b", "c"], "c")["level"] == 1, "0.825 of 200 games may be luck"


def test_a_rung_that_searches_is_not_passed_over_because_it_plays_fewer_games(tmp_path: Path) -> None:
    met = matches(
        tmp_path,
        {("c", "b"): Score(80, 80, 0), ("a", "b"): Score(200, 156, 0), ("c", "a"): Score(80, 40, 0)},
    )
    found = ladders.choose_opponent(met, ["a", "b", "c"], "c")
    assert (found["level"], found["beaten_by"], found["low"]) == (2, "c", 0.9542)


def test_a_longer_search_shows_who_is_beatable_where_no_rung_does(game: str, tmp_path: Path) -> None:
    knowing(1 + EXTRAS, 11).save(tmp_path / "checkpoint-1.npz")
    weak, last = f"ppo:{tmp_path}/checkpoint-1.npz?temperature=50", f"ppo:{tmp_path}/checkpoint-1.npz"
    found = ladders.choose_opponent(
        matches(tmp_path, {("random", weak): Score(60, 30, 0)}, game, games=150), ["random", weak], last
    )
    assert (found["level"], found["games"]) == (2, 60)
    assert found["beaten_by"] == f"mcts:{tmp_path}/checkpoint-1.npz?simulations=400&temperature=0.5"
    assert found["low"] > BEATABLE


def test_no_game_is_played_that_cannot_show_anything_any_more(game: str) -> None:
    rules = GeneratedGame(game)
    players = tuple(resolve_agent(spec, "ibench/Game-v1") for spec in ("random", "minimax?nodes=300"))
    cut = ladders.play_games(rules, players, 40, 0, least=BEATABLE)
    assert cut.games < 10, "of 40 games it takes 37 to show it, so that three may be lost"
    assert ladders.play_games(rules, players[::-1], 40, 0, least=BEATABLE).games == 40


def test_best_play_shows_who_is_beatable_where_no_search_does(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladders, "STRONG", 1)
    monkeypatch.setattr(rules, "RemoteProgram", Program)  # none but the package's own games are solved
    poor(4, 3).save(tmp_path / "checkpoint-1.npz")
    rung = f"ppo:{tmp_path}/checkpoint-1.npz?temperature=50"
    met = matches(tmp_path, {("random", rung): Score(24, 12, 0)}, game, games=24)
    found = ladders.choose_opponent(met, ["random", rung], f"ppo:{tmp_path}/checkpoint-1.npz")
    assert (found["level"], found["beaten_by"], found["games"]) == (2, "solution", 24)
    assert found["low"] > 0.5


@pytest.mark.long
def test_best_play_shows_who_is_beatable_where_luck_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladders, "STRONG", 1)
    rung = f"ppo:{checkpoints_in(own(GAME).path)[0]}"
    found = ladders.choose_opponent(matches(tmp_path, {("random", rung): Score(60, 30, 0)}), ["random", rung], rung)
    assert (found["level"], found["beaten_by"], found["games"]) == (2, "solution", 60)
    assert found["low"] > 0.5


def test_a_game_with_secrets_has_no_exact_player() -> None:
    assert ladders.exact_player(GeneratedGame("sealed-freight")) is None


def test_rungs_play_and_bad_ones_are_refused(game: str) -> None:
    env: Any = gym.make("ibench/Game-v1", path=game, unchecked=True, opponents="rung", disable_env_checker=True)
    with pytest.raises(ConfigError, match="has no ladder yet; ibench train, then ibench games ladder make one"):
        env.reset(seed=0)

    def write(**changes: Any) -> None:
        sha256 = GeneratedGame(game).folder.code_sha256
        ladder = {"sha256": sha256, "rungs": [{"agent": "random"}], "opponent": {"level": 1}} | changes
        (Path(game) / LADDER).write_text(json.dumps(ladder))

    write()
    env.reset(seed=0)
    assert rung_spec(game, None) == "random"
    with pytest.raises(ConfigError, match="has rungs 1 to 1, got 2"):
        rung_spec(game, 2)
    write(sha256="0" * 64)
    with pytest.raises(ConfigError, match=r"the ladder of some-game was made for other code of the game; ibench train"):
        rung_spec(game, None)
    write(opponent={"level": None})
    with pytest.raises(ConfigError, match=r"no rung of some-game is beaten clearly, so none was chosen; name one"):
        rung_spec(game, None)
    with pytest.raises(ConfigError, match="a rung is a whole number from 1, got 'top'"):
        resolve_agent("rung:top", "ibench/Game-v1")()
    for text in ("{", "[" * 100_000):
        (Path(game) / LADDER).write_text(text)
        with pytest.raises(ConfigError, match=r"ladder.json cannot be read"):
            env.reset(seed=0)


@pytest.mark.parametrize(
    "agent",
    [
        'subprocess:Popen?args=["touch","MARK"]',
        "llm:openai/gpt?api_base=http://127.0.0.1:9",
        "human",
        "ppo:/etc/passwd",
        "mcts:{folder}/../other/x.npz",
        "ppo:{folder}/last.npz?x=/",
    ],
)
def test_a_ladder_names_players_of_games_alone(game: str, tmp_path: Path, agent: str) -> None:
    mark = tmp_path / "mark"
    rungs = {"rungs": [{"agent": agent.replace("MARK", str(mark))}], "opponent": {"level": 1}}
    (Path(game) / LADDER).write_text(json.dumps(rungs))
    env: Any = gym.make("ibench/Game-v1", path=game, unchecked=True, opponents="rung", disable_env_checker=True)
    with pytest.raises(ConfigError, match=r"a rung is random, minimax, or ppo or mcts with a checkpoint"):
        env.reset(seed=0)
    assert not mark.exists()


@pytest.mark.parametrize("text", ["{}", "[]", '{"rungs": []}', '{"rungs": [], "opponent": {"level": "top"}}', "3"])
def test_a_ladder_of_another_form_is_refused(game: str, text: str) -> None:
    (Path(game) / LADDER).write_text(text)
    with pytest.raises(ConfigError, match=r"ladder.json cannot be read: .*; ibench games ladder writes one"):
        rung_spec(game, 1)


@pytest.mark.every(10)
@pytest.mark.parametrize("name", own_names())
def test_every_own_game_has_a_ladder_of_its_present_code(name: str) -> None:
    found = own(name)
    ladder = read_ladder(found.path)
    assert ladder["sha256"] == found.code_sha256
    assert len(ladder["rungs"]) >= 4
    assert ladder["games"] >= 100
    opponent = ladder["opponent"]
    assert 1 <= opponent["level"] <= len(ladder["rungs"])
    if opponent["beaten_by"] == SOLUTION:  # too much luck for anybody to win four games of five
        assert opponent["low"] > 0.5
    else:
        assert opponent["low"] > BEATABLE
    wins = round(opponent["win_rate"] * opponent["games"])
    assert wilson(wins, opponent["games"]).low == pytest.approx(opponent["low"], abs=1e-3)
    level = {rung["agent"]: rung["level"] for rung in ladder["rungs"]}
    assert sorted(one["levels"] for one in ladder["scores"]) == [
        [*pair] for pair in itertools.combinations(sorted(level.values()), 2)
    ]
    if opponent["beaten_by"] in level:
        pair = sorted((opponent["level"], level[opponent["beaten_by"]]))
        score = next(one for one in ladder["scores"] if one["levels"] == pair)
        below = level[opponent["beaten_by"]] == pair[0]
        assert wins == (score["wins"] if below else score["games"] - score["wins"] - score["draws"])
    checkpoints = checkpoints_in(found.path)
    assert len(checkpoints) >= 4
    trained = {f"ppo:{{folder}}/{path.name}" for path in checkpoints}
    assert trained <= set(level), "every checkpoint is a rung"
    searches = {agent for agent in level if agent.startswith("mcts")}
    assert searches, "a search with the last checkpoint is a rung"
    assert set(level) == {*trained, *searches, "random"}
    assert sum(path.stat().st_size for path in checkpoints) <= 300_000
    for path in checkpoints:
        assert Network.load(path).about["game"]["sha256"] == found.code_sha256


def test_with_the_papers_preset_the_checkpoint_that_lost_searches_by_rollouts() -> None:
    assert catalog.entry("ibench/Game-v1")["presets"]["paper"]["opponents"] == "rung:rollout"
    for name in ("toll-stairs", "undertow-tricks"):
        ladder = read_ladder(own(name).path)
        lost = ladder["rungs"][ladder["opponent"]["level"] - 1]["agent"].partition("?")[0].rpartition("/")[2]
        player = RungAgent("rollout")
        env = gym.make(f"ibench/Game-{name}-v1", preset="paper", opponents="random", disable_env_checker=True)
        _, info = env.reset(seed=1)
        player.reset(seed=1, info=info)
        inner = player._player  # noqa: SLF001  which search it plays is not shown elsewhere
        assert (inner.settings.mode, inner.settings.simulations) == ("rollout", 100)
        assert searching(rung_spec(name, None)) == f"mcts:{own(name).path / lost}?mode=rollout&simulations=100"
        over = False
        env = gym.make(f"ibench/Game-{name}-v1", preset="paper", disable_env_checker=True)
        _, info = env.reset(seed=1)
        while not over:
            _, _, over, _, info = env.step(info["legal_actions"][0])
        assert info["outcome"] in ("success", "failure", "draw")
    assert searching(rung_spec("fen-causeway", None)) == "random"


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_every_rung_can_be_met(level: int) -> None:
    for name in (GAME, "undertow-tricks"):
        env = gym.make(f"ibench/Game-{name}-v1", opponents=f"rung:{level}", disable_env_checker=True)
        _, info = env.reset(seed=level)
        over = False
        while not over:
            _, _, over, _, info = env.step(info["legal_actions"][0])
        assert info["outcome"] in ("success", "failure", "draw")
