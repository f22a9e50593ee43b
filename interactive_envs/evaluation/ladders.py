"""Which opponents a generated game comes with: the checkpoints of a training run, played against each other.

gg-bench keeps a game if one checkpoint beats another in most of six games, draws counted as wins, and lets the model
meet the loser. Here every pair plays enough seeded games in both seats, draws count for nobody, and the pair must be
apart beyond chance.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.agents.rung import LADDER
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.metrics import rounded, wilson
from interactive_envs.evaluation.ratings import Result, bradley_terry
from interactive_envs.game import Match
from interactive_envs.generated.host import Program
from interactive_envs.generated.network import Network
from interactive_envs.generated.rules import GeneratedGame
from interactive_envs.generated.solve import Solution, solve
from interactive_envs.multiplayer import info_of
from interactive_envs.outcome import Outcome

BEATABLE = 0.8
"""Win rate whose 95 % lower bound some player must exceed against the opponent that models meet."""
SIMULATIONS = 50
"""Of the searching rungs."""
GAMES = 200
"""A pair of rungs, half of them in each seat."""
STARTS = 500
"""Seeds whose starts are solved; a game with more starts than these may meet has no exact player here."""
MORE = 1000
"""Games of the best pair, where none of the first was enough."""


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
        """Wins and half the draws, a game."""
        return (self.wins + self.draws / 2) / self.games


def head_to_head(game: GeneratedGame, players: tuple[str, str], games: int, seed: int = 0) -> Score:
    """Play seeded games, seats alternated.

    Args:
        game: the rules.
        players: specs.
        games: how many, an even number.
        seed: decides everything.
    """
    left, right = (resolve_agent(spec, "ibench/Game-v0") for spec in players)
    return _play(game, (left, right), games, seed)


def _play(
    game: GeneratedGame, players: tuple[Callable[[], Agent], Callable[[], Agent]], games: int, seed: int
) -> Score:
    wins = draws = 0
    for number in range(games):
        seats = (number % 2, 1 - number % 2)
        match: Match[Any] = Match(game, retries=0)
        seeds = np.random.SeedSequence([seed, number // 2]).generate_state(3).tolist()
        match.start(np.random.default_rng(seeds[0]))
        agents = [players[player]() for player in seats]
        for seat, agent in enumerate(agents):
            agent.reset(seed=seeds[1 + seat], info=info_of(match, seat, None))
        while (mover := match.to_move) is not None:
            match.act(agents[mover].act(match.observe(mover), info_of(match, mover, None)))
        for agent in agents:
            agent.close()
        outcome = game.outcomes(match.state)[seats.index(0)]
        wins += outcome == Outcome.SUCCESS
        draws += outcome in (Outcome.DRAW, Outcome.TIMEOUT)
    return Score(games, wins, draws)


def make_ladder(
    folder: Path,
    checkpoints: Sequence[Path],
    *,
    games: int = GAMES,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Choose rungs and the opponent that models meet, and write them into the game's folder.

    The rungs are ``random``, an early and the last checkpoint, and the last one with search; rated by Bradley-Terry on
    all pairs. The opponent is the strongest rung that some other rung beats with a win rate above :data:`BEATABLE`.

    Args:
        folder: of the game.
        checkpoints: of a training run, the earliest first.
        games: a pair.
        seed: decides everything.
        progress: told each pair's result.

    Returns:
        What ``ladder.json`` holds: ``sha256`` of the code, ``rungs`` (``level``, ``agent``, ``steps`` of training,
        ``rating`` in log-odds with ``low`` and ``high``), ``scores`` of all pairs, and ``opponent`` (``level``,
        ``beaten_by``, ``win_rate``, ``low``, ``high``, ``games``). Where luck keeps everybody from winning so clearly,
        it is the strongest rung that the exact solution beats more often than not (``beaten_by`` is ``solution``), and
        ``level`` is None where there is no solution.

    Raises:
        ConfigError: there are fewer than two checkpoints.
    """
    if len(checkpoints) < 2:
        raise ConfigError(f"a ladder needs two checkpoints or more, got {len(checkpoints)}; train longer")
    game = GeneratedGame(str(folder))
    early, last = _apart(game, checkpoints, games, seed)
    networks = {}
    for name, path in (("early", early), ("last", last)):
        networks[name] = Network.load(path)
        networks[name].save(folder / f"{name}.npz", half=True)
    players = [
        ("random", 0),
        ("ppo:{folder}/early.npz", networks["early"].about.get("steps", 0)),
        ("ppo:{folder}/last.npz", networks["last"].about.get("steps", 0)),
        (
            f"mcts:{{folder}}/early.npz?simulations={SIMULATIONS}&temperature=0.5",
            networks["early"].about.get("steps", 0),
        ),
        (f"mcts:{{folder}}/last.npz?simulations={SIMULATIONS}&temperature=0.5", networks["last"].about.get("steps", 0)),
    ]
    played = {}
    for left, right in itertools.combinations(range(len(players)), 2):
        specs = (_spec(players[left][0], folder), _spec(players[right][0], folder))
        played[left, right] = score = head_to_head(game, specs, games, seed)
        if progress is not None:
            left_name, right_name = (_short(players[place][0]) for place in (left, right))
            progress(f"{folder.name}: {left_name} {score.mean:.2f} against {right_name}")
    rated = bradley_terry(_results(played, players), seed=seed)
    ratings = {rating.player: rating.estimate for rating in rated}
    order = sorted(range(len(players)), key=lambda place: ratings[players[place][0]].value or 0)
    rungs = [
        {
            "level": level,
            "agent": players[place][0],
            "steps": players[place][1],
            "rating": rounded(ratings[players[place][0]].value),
            "low": rounded(ratings[players[place][0]].low),
            "high": rounded(ratings[players[place][0]].high),
        }
        for level, place in enumerate(order, 1)
    ]
    levels = {place: level for level, place in enumerate(order, 1)}
    scores = [
        {"levels": sorted((levels[left], levels[right])), **_from_below(score, levels[left] < levels[right])}
        for (left, right), score in played.items()
    ]
    opponent = _opponent(scores)
    if opponent["level"] is None:  # near the limit, more games decide; fresh ones, for the best of many pairs is lucky
        below, above = max(played, key=lambda pair: _gap(played[pair]))
        again = head_to_head(game, (_spec(players[below][0], folder), _spec(players[above][0], folder)), MORE, seed + 1)
        last_word = {
            "levels": sorted((levels[below], levels[above])),
            **_from_below(again, levels[below] < levels[above]),
        }
        opponent = _opponent([last_word])
    ladder = {
        "sha256": game.folder.code_sha256,
        "games": games,
        "seed": seed,
        "rungs": rungs,
        "scores": sorted(scores, key=lambda one: one["levels"]),
        "opponent": opponent,
    }
    (folder / LADDER).write_text(_written(ladder), encoding="utf-8")
    return ladder


class _Exact(Agent):
    """Plays one of the best moves, for a game that is solved."""

    def __init__(self, game: GeneratedGame, solution: Solution) -> None:
        self._game, self._solution = game, solution

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        self._random = np.random.default_rng(seed)

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        view = info["view"]
        table = self._game.resample(view, self._random).table
        best = self._solution.best(table)  # type: ignore[arg-type]
        return str(info["legal_actions"][view.legal.index(int(self._random.choice(best)))])


def _by_solution(game: GeneratedGame, rungs: Sequence[str], games: int, seed: int) -> dict[str, Any]:
    """The strongest rung that loses to the best play, in a game with so much luck that nobody wins clearly."""
    found: dict[str, Any] = {"level": None}
    solution = solve(game.program, seeds=range(STARTS)) if isinstance(game.program, Program) else None
    if solution is None:
        return found
    for level, rung in enumerate(rungs, 1):
        score = _play(game, (lambda: _Exact(game, solution), resolve_agent(rung, "ibench/Game-v0")), games, seed)
        rate = wilson(score.wins, score.games)
        if (rate.low or 0) > 0.5:
            found = {
                "level": level, "beaten_by": "solution", "win_rate": round(rate.value or 0, 4),
                "low": round(rate.low or 0, 4), "high": round(rate.high or 0, 4), "games": games,
            }  # fmt: skip
    return found


def _written(ladder: Mapping[str, Any]) -> str:
    """JSON, a rung and a pair a line."""
    parts = []
    for name, value in ladder.items():
        rows = [f"  {json.dumps(row)}" for row in value] if isinstance(value, list) else []
        parts.append(f" {json.dumps(name)}: " + ("[\n" + ",\n".join(rows) + "\n ]" if rows else json.dumps(value)))
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _short(agent: str) -> str:
    """A rung in a word or two: ``early``, ``last with search``."""
    file = re.search(r"(\w+)\.npz", agent)
    return agent if file is None else file[1] + " with search" * agent.startswith("mcts")


def _apart(game: GeneratedGame, checkpoints: Sequence[Path], games: int, seed: int) -> tuple[Path, Path]:
    """The last checkpoint, and the latest earlier one that it beats clearly; else the one it beats best."""
    last = checkpoints[-1]
    beaten = {}
    for early in checkpoints[:-1]:
        score = head_to_head(game, (f"ppo:{last}", f"ppo:{early}"), games, seed)
        beaten[early] = wilson(score.wins, score.games)
    clearly = [early for early, rate in beaten.items() if (rate.low or 0) > BEATABLE]
    return (clearly[-1] if clearly else max(beaten, key=lambda early: beaten[early].value or 0)), last


def _opponent(scores: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The strongest rung that some rung beats clearly."""
    found: dict[str, Any] = {"level": None}
    for one in scores:
        for level, other, wins in (
            (one["levels"][0], one["levels"][1], one["games"] - one["wins"] - one["draws"]),
            (one["levels"][1], one["levels"][0], one["wins"]),
        ):
            rate = wilson(wins, one["games"])
            if (rate.low or 0) > BEATABLE and level > (found["level"] or 0):
                found = {
                    "level": level, "beaten_by": other, "win_rate": round(rate.value or 0, 4),
                    "low": round(rate.low or 0, 4), "high": round(rate.high or 0, 4), "games": one["games"],
                }  # fmt: skip
    return found


def _gap(score: Score) -> int:
    """How many games the better of the two won."""
    return max(score.wins, score.games - score.wins - score.draws)


def _from_below(score: Score, same: bool) -> dict[str, Any]:
    """The score as the lower rung sees it."""
    wins = score.wins if same else score.games - score.wins - score.draws
    return asdict(Score(score.games, wins, score.draws))


def _results(played: dict[tuple[int, int], Score], players: Sequence[tuple[str, int]]) -> list[Result]:
    results = []
    for (left, right), score in played.items():
        pair = (players[left][0], players[right][0])
        for number in range(score.games):
            won = 1.0 if number < score.wins else 0.5 if number < score.wins + score.draws else 0.0
            results.append(Result(f"{left} {right} {number}", pair, (won, 1 - won)))
    return results


def _spec(agent: str, folder: Path) -> str:
    return agent.replace("{folder}", str(folder))
