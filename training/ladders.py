"""Which opponents a generated game comes with: the checkpoints of a training run, played against each other.

gg-bench keeps a game if one checkpoint beats another in most of six games, draws counted as wins, and lets the model
meet the loser. Here every pair plays enough seeded games in both seats, draws count for nobody, and the pair must be
apart beyond chance.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.agents.mcts import MCTSAgent
from interactive_envs.agents.policy import PPOAgent, load_network
from interactive_envs.agents.random import RandomAgent
from interactive_envs.agents.rung import placed
from interactive_envs.errors import ConfigError
from interactive_envs.multiplayer.match import Match
from interactive_envs.multiplayer.play import play_out, reset_info
from interactive_envs.novel_games.host.adapter import WON, Program
from interactive_envs.novel_games.ladder import BEATABLE, LADDER
from interactive_envs.novel_games.rules import GeneratedGame
from interactive_envs.novel_games.search.exact import solve
from interactive_envs.novel_games.search.network import checkpoints_in
from interactive_envs.novel_games.search.trees import fit
from interactive_envs.reporting.estimates import rounded, wilson
from interactive_envs.reporting.ratings import Result, bradley_terry
from interactive_envs.seeds import GameSeeds
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.files import make_private_folder, read_bytes, read_json

SIMULATIONS = 50
"""Of the searching rungs."""
STRONG = 400
"""Simulations of a search that shows who is beatable, where no rung does."""
SOLUTION = "solution"
"""The exact player, as a name in a ladder."""
GAMES = 200
"""A pair of rungs, half of them in each seat."""
SEARCHED = 0.4
"""Share of these games that a pair plays in which one searches: their moves take a hundred times longer."""
MORE = 5
"""How many times more games the longer search plays against ``random``, where those of a pair were too few to tell."""
WORK, SCORES = "ladder", "scores.json"
"""Beside the checkpoints of a run, while its ladder is being made: what is played, and the results so far."""
SEEDS = range(500)
"""Whose starts are solved; a game with starts that none of them deals has no exact player here."""

Player = Callable[[], Agent]


@dataclass(frozen=True)
class Score:
    """Games of one player against another.

    Attributes:
        games: played.
        wins: by the first player.
        draws: drawn or too long.
    """

    games: int
    wins: int
    draws: int

    @property
    def mean(self) -> float:
        """Wins and half the draws, a game; 0 before the first."""
        return (self.wins + self.draws / 2) / max(1, self.games)

    @property
    def reverse(self) -> Score:
        """The same games as the second player sees them."""
        return Score(self.games, self.games - self.wins - self.draws, self.draws)


def head_to_head(
    game: GeneratedGame, players: tuple[str, str], games: int, seed: int = 0, *, alternate: bool = True
) -> Score:
    """Play seeded games.

    Args:
        game: the rules.
        players: specs.
        games: how many, an even number.
        seed: decides everything.
        alternate: whether they change seats after each game; else the first of them always moves first.
    """
    left, right = (resolve_agent(spec, "ibench/Game-v1") for spec in players)
    return play_games(game, (left, right), games, seed, alternate=alternate)


def _contestant(player: Player) -> dict[str, Any] | None:
    """A player as a contest takes it; None where it can only play through views."""
    agent = player()
    if type(agent) is RandomAgent:
        return {"kind": "random"}
    if type(agent) is PPOAgent:
        return {"kind": "ppo", "network": agent.network, "temperature": agent.temperature}
    if type(agent) is MCTSAgent:
        return {"kind": "mcts", "network": agent.network, "settings": vars(agent.settings)}
    return None


def make_ladder(
    folder: Path,
    checkpoints: Sequence[Path],
    *,
    games: int = GAMES,
    seed: int = 0,
    any_opponent: bool = True,
    progress: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Choose rungs and the opponent that models meet, and write them into the game's folder.

    The rungs are ``random``, every checkpoint, and search with the last one; rated by Bradley-Terry on all pairs. The
    opponent is the strongest trained rung that some other rung beats with a win rate above :data:`BEATABLE`;
    where there is none, the strongest that a longer search beats so; where luck forbids that, too, the strongest that
    loses to the exact player; and after all these ``random``.

    Args:
        folder: of the game.
        checkpoints: of a training run, the earliest first; what has been played is kept beside them until the end, so
            that a call which was interrupted goes on.
        games: a pair, and :data:`SEARCHED` of it where one of them searches.
        seed: decides everything.
        any_opponent: whether also ``random`` will do, for which the longer search plays many games.
        progress: called with each pair's result.

    Returns:
        What ``ladder.json`` holds: ``recipe`` of the training (see :data:`interactive_envs.training.trainer.RECIPE`;
        1 where it is missing), ``sha256`` of the code, ``games``, ``seed``, ``rungs`` (``level``, ``agent``,
        ``steps`` of training, ``rating`` in log-odds with ``low`` and ``high``), ``scores`` of all pairs (``levels``,
        and ``games``, ``wins``, ``draws`` of the lower one), and ``opponent`` (``level``, or None where nobody is
        shown to be beatable; ``beaten_by``, a spec or ``solution``; ``win_rate``, ``low``, ``high``, ``games``).

    Raises:
        ConfigError: there are fewer than two checkpoints.
    """
    if len(checkpoints) < 2:
        raise ConfigError(
            f"a ladder needs two checkpoints or more, got {len(checkpoints)}; train longer or --set every=STEPS lower"
        )
    game = GeneratedGame(str(folder))
    work = checkpoints[0].parent / WORK
    make_private_folder(work)
    steps = _take(game, checkpoints, work)
    matches = Matches(game, work, games, seed, progress)
    recipe = load_network(str(checkpoints[-1])).about.get("recipe", 1)
    ladder = {"recipe": recipe} | _ladder(matches, steps, any_opponent=any_opponent)
    for old in checkpoints_in(folder):  # only now, for what the folder had could be played until here
        old.unlink()
    for new in checkpoints_in(work):
        shutil.copy(new, folder)
    write_atomically(folder / LADDER, _written(ladder))
    shutil.rmtree(work)
    return ladder


def _ladder(matches: Matches, steps: dict[str, int], *, any_opponent: bool) -> dict[str, Any]:
    """Let the players meet; ``steps`` of training by their specs."""
    trained = [spec for spec in steps if spec != "random"]
    matches.play(itertools.combinations(steps, 2))
    searching = _search(trained[-1], SIMULATIONS)
    matches.play((other, searching) for other in steps)
    steps[searching] = steps[trained[-1]]
    rated = bradley_terry(matches.results(), seed=matches.seed)
    ratings = {rating.player: rating.estimate for rating in rated}
    order = sorted(steps, key=lambda spec: ratings[spec].value or 0)
    level = {spec: number for number, spec in enumerate(order, 1)}
    return {
        "sha256": matches.game.folder.code_sha256,
        "games": matches.games,
        "seed": matches.seed,
        "rungs": [
            {
                "level": level[spec],
                "agent": spec,
                "steps": steps[spec],
                "rating": rounded(ratings[spec].value),
                "low": rounded(ratings[spec].low),
                "high": rounded(ratings[spec].high),
            }
            for spec in order
        ],
        "scores": [
            {"levels": [level[below], level[above]], **vars(matches.score(below, above))}
            for below, above in itertools.combinations(order, 2)
        ],
        "opponent": choose_opponent(matches, order, trained[-1], any_opponent=any_opponent),
    }


def _take(game: GeneratedGame, checkpoints: Sequence[Path], folder: Path) -> dict[str, int]:
    """Put the checkpoints into a folder as they are shipped; the steps of training of each spec.

    Raises:
        ConfigError: one is none, or was trained on another game.
    """
    for old in checkpoints_in(folder):
        old.unlink()
    steps = {"random": 0}
    for path in checkpoints:
        network = load_network(str(path))
        try:
            fit(game.program, network)
        except ValueError as error:
            raise ConfigError(f"{path}: {error}") from error
        network.save(folder / path.name, small=True)
        steps[f"ppo:{{folder}}/{path.name}"] = int(network.about.get("steps", 0))
    return steps


class Matches:
    """All games played for a ladder; those of an earlier call that was interrupted are not played again."""

    def __init__(
        self, game: GeneratedGame, folder: Path, games: int, seed: int, progress: Callable[[str], None] | None
    ) -> None:
        self.game, self.games, self.seed = game, games, seed
        self._folder, self._progress = folder, progress
        self.scores: dict[tuple[str, str], Score] = {}
        """Of the pairs of rungs that have met."""
        digests = {path.name: hashlib.sha256(read_bytes(path)).hexdigest() for path in checkpoints_in(folder)}
        claim = {"game": game.folder.code_sha256, "games": games, "seed": seed, "checkpoints": digests}
        self._done: dict[str, Any] = {"claim": claim, "scores": {}}
        with contextlib.suppress(OSError, KeyError, TypeError, ValueError):
            done = read_json(folder / SCORES)
            self._done = done if done["claim"] == claim else self._done

    def play(self, pairs: Iterator[tuple[str, str]]) -> None:
        """Let the rungs of each pair meet."""
        for left, right in pairs:
            self.scores[left, right] = self.challenge(left, right, f"{_short(left)} against")

    def challenge(
        self, player: Player | str, rung: str, words: str, *, times: int = 1, least: float | None = None
    ) -> Score:
        """Let a player meet a rung, in so many times the games of a pair.

        With ``least``, no further game is played once the rest cannot bring the win rate's lower bound above it.
        """
        searches = any(str(one).startswith("mcts") for one in (player, rung))
        planned = times * max(2, 2 * round(self.games * SEARCHED / 2) if searches else self.games)
        key = f"{player if isinstance(player, str) else SOLUTION} {rung} {times}" + f" {least}" * (least is not None)
        if key in self._done["scores"]:
            score = Score(**self._done["scores"][key])
        else:
            left = self._player(player) if isinstance(player, str) else player
            players = left, self._player(rung)
            score = play_games(self.game, players, planned, self.seed, least=least)
            self._done["scores"][key] = vars(score)
            write_atomically(self._folder / SCORES, json.dumps(self._done))
        if self._progress is not None:
            cut = f", stopped after {score.games} of {planned} games" if score.games < planned else ""
            self._progress(f"{self.game.folder.name}: {words} {_short(rung)}: {score.mean:.2f}{cut}")
        return score

    def score(self, left: str, right: str) -> Score:
        """Of two rungs that have met."""
        found = self.scores.get((left, right))
        return self.scores[right, left].reverse if found is None else found

    def results(self) -> list[Result]:
        """A result a game."""
        results = []
        for (left, right), score in self.scores.items():
            for number in range(score.games):
                won = 1.0 if number < score.wins else 0.5 if number < score.wins + score.draws else 0.0
                results.append(Result(f"{left} {right} {number}", (left, right), (won, 1 - won)))
        return results

    def _player(self, spec: str) -> Player:
        return resolve_agent(placed(spec, self._folder), "ibench/Game-v1")


def choose_opponent(matches: Matches, order: Sequence[str], last: str, *, any_opponent: bool = True) -> dict[str, Any]:
    """The strongest rung of which it is shown that it can be beaten."""

    def shown(rung: str, winner: str, score: Score, least: float = BEATABLE) -> dict[str, Any]:
        rate = wilson(score.wins, score.games)
        return (
            {}
            if (rate.low or 0) <= least
            else {
                "level": order.index(rung) + 1,
                "beaten_by": winner,
                "win_rate": round(rate.value or 0, 4),
                "low": round(rate.low or 0, 4),
                "high": round(rate.high or 0, 4),
                "games": score.games,
            }
        )

    def by_rungs(rung: str) -> dict[str, Any]:
        scores = {spec: matches.score(spec, rung) for spec in order if spec != rung}
        # pairs with a search play fewer games, so wins alone would pass them over
        best = max(scores, key=lambda spec: wilson(scores[spec].wins, scores[spec].games).low or 0)
        return shown(rung, best, scores[best])

    trained = [spec for spec in reversed(order) if spec != "random"]
    for rung in trained:
        if found := by_rungs(rung):
            return found
    search = _search(last, STRONG)
    for rung in trained:
        score = matches.challenge(search, rung, "longer search against", least=BEATABLE)
        if found := shown(rung, search, score):
            return found
    exact = exact_player(matches.game)
    for rung in trained:
        if exact is not None and (
            found := shown(rung, SOLUTION, matches.challenge(exact, rung, "the exact player against"), 0.5)
        ):
            return found
    if not any_opponent:
        return {"level": None}
    if found := by_rungs("random"):
        return found
    more = matches.challenge(search, "random", "longer search against", times=MORE, least=BEATABLE)
    return shown("random", search, more) or {"level": None}


class _Exact(Agent):
    """Plays one of the best moves, for a game that is solved."""

    def __init__(self, game: GeneratedGame, best: Callable[[Any], Sequence[int]]) -> None:
        self._game, self._best = game, best

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        self._random = np.random.default_rng(seed)

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        view = info["view"]
        best = self._best(self._game.resample(view, self._random).table)
        return str(view.text(int(self._random.choice(best))))


def exact_player(game: GeneratedGame) -> Player | None:
    """The exact player; None where the game is too large."""
    solution = solve(game.program, seeds=SEEDS) if isinstance(game.program, Program) else None
    return None if solution is None else lambda: _Exact(game, solution.best)


def play_games(
    game: GeneratedGame,
    players: tuple[Player, Player],
    games: int,
    seed: int,
    *,
    alternate: bool = True,
    least: float | None = None,
) -> Score:
    """Play seeded games; see :func:`head_to_head` and :meth:`Matches.challenge`."""
    known = [_contestant(player) for player in players]
    inside = game.contest([player for player in known if player]) if all(known) else None
    enough = (
        range(games + 1) if least is None else [won for won in range(games) if (wilson(won, games).low or 0) > least]
    )
    wins = draws = 0
    for number in range(games):
        if wins + games - number < min(enough, default=games + 1):
            return Score(number, wins, draws)
        seats = (number % 2, 1 - number % 2) if alternate else (0, 1)
        pair = number // 2 if alternate else number  # the same deal from both seats
        luck, *own = np.random.SeedSequence([seed, pair]).generate_state(3).tolist()
        result = inside(luck, own, seats) if inside else _through_views(game, players, luck, own, seats)
        wins += result == WON[seats.index(0)]
        draws += result not in WON
    return Score(games, wins, draws)


def _through_views(
    game: GeneratedGame, players: tuple[Player, Player], luck: int, own: Sequence[int], seats: Sequence[int]
) -> str | None:
    """The result of one game between agents."""
    match: Match[Any] = Match(game, retries=0)
    match.begin(GameSeeds(luck, tuple(own)))
    agents = {seat: players[player]() for seat, player in enumerate(seats)}
    for seat, agent in agents.items():
        agent.reset(seed=own[seat], info=reset_info(match, seat))
    play_out(match, agents)
    for agent in agents.values():
        agent.close()
    loser = match.state.forfeited
    return str(match.state.table.result) if loser is None else WON[1 - loser]


def _search(checkpoint: str, simulations: int) -> str:
    """The spec of a search with a checkpoint; drawn moves, for games that begin alike should not go on alike."""
    return f"mcts:{checkpoint.removeprefix('ppo:')}?simulations={simulations}&temperature=0.5"


def _short(agent: str) -> str:
    """A rung in a word or two: ``140000``, ``600000 with search``."""
    steps = re.search(r"-(\d+)\.npz", agent)
    return agent if steps is None else steps[1] + " with search" * agent.startswith("mcts")


def _written(ladder: Mapping[str, Any]) -> str:
    """JSON, a rung and a pair a line."""
    parts = []
    for name, value in ladder.items():
        rows = [f"  {json.dumps(row)}" for row in value] if isinstance(value, list) else []
        parts.append(f" {json.dumps(name)}: " + ("[\n" + ",\n".join(rows) + "\n ]" if rows else json.dumps(value)))
    return "{\n" + ",\n".join(parts) + "\n}\n"
