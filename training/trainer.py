"""Train a network for a game by self-play: masked PPO, checkpoints, and a state from which a killed run goes on."""

from __future__ import annotations

import contextlib
import gc
import io
import json
import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import threadpoolctl

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.novel_games.host.adapter import Program
from interactive_envs.novel_games.search.network import ACTIVATIONS, Network, checkpoints_in
from interactive_envs.reporting.loggers.base import Loggers
from interactive_envs.system.disk import room, write_atomically
from interactive_envs.system.files import make_private_folder, read_bytes, read_json
from interactive_envs.training import RUN
from interactive_envs.training.arena import Source, generated_game, open_arena
from interactive_envs.training.polish import polish
from interactive_envs.training.ppo import Learner, Steps, advantages_of
from interactive_envs.training.selfplay import SelfPlay

RECIPE = 2
"""Raised when the same settings and seed give other checkpoints than before. Files that name none have recipe 1, which
computed with torch."""
SAVE_SECONDS = 5.0
"""How much of a killed run is lost at most."""
RECENT = 1000
"""Games that the reported score averages over."""
STATE = "state.npz"
MOST_BYTES = 1 << 30
"""Of the state: weights, the optimizer's two copies of them, and the games in play."""


_COUNTS = ("steps", "every", "games", "rollout", "batch", "epochs")
_RANGES: dict[str, tuple[float, float]] = {
    "growth": (1, 100),
    "gamma": (0, 1),
    "trace": (0, 1),
    "clip": (0.001, 10),
    "entropy": (0, 10),
}


def _within(value: Any, least: float, most: float) -> bool:
    return type(value) in (int, float) and least <= value <= most and math.isfinite(value)


@dataclass(frozen=True)
class TrainConfig:
    """What a training run does; defaults are tuned on the generated games that come with the package.

    Attributes:
        steps: decisions of the learner, rounded up to whole rollouts.
        every: steps until the first checkpoint; opponents are random so long.
        growth: how many times longer each interval between checkpoints is than the one before.
        games: stepped together.
        rollout: steps between two updates, over all games.
        batch: steps a gradient.
        epochs: passes over a rollout.
        rate: learning rate, at the beginning and at the end; linear between.
        gamma: discount a step.
        trace: λ of the generalised advantage estimate.
        clip: of the probability ratio.
        entropy: weight of the policy's entropy.
        epsilon: probability that an opponent's move is random, at the beginning and at the end; linear between.
        trunk: units of the layers that policy and value share.
        heads: units of each head's hidden layers.
        activation: ``tanh`` or ``relu``.
        prioritised: draw opponents that are rarely beaten more often.
        polish: positions that a search decides after the last step; what it found makes one more checkpoint (see
            :mod:`interactive_envs.training.polish`). For games of the package alone.
        seed: decides everything random.

    Raises:
        ConfigError: a value cannot work.
    """

    steps: int = 600_000
    every: int = 20_000
    growth: float = 2.0
    games: int = 128
    rollout: int = 2048
    batch: int = 512
    epochs: int = 4
    rate: tuple[float, float] = (2e-3, 5e-4)
    gamma: float = 0.99
    trace: float = 0.95
    clip: float = 0.2
    entropy: float = 0.003
    epsilon: tuple[float, float] = (0.2, 0.05)
    trunk: tuple[int, ...] = (64, 64)
    heads: tuple[int, ...] = ()
    activation: str = "tanh"
    prioritised: bool = False
    polish: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("seed", "polish", *_COUNTS):
            lowest = int(name in _COUNTS)
            if type(getattr(self, name)) is not int or getattr(self, name) < lowest:
                raise ConfigError(f"{name} must be a whole number, at least {lowest}, got {getattr(self, name)!r}")
        for name, (least, most) in _RANGES.items():
            if not _within(getattr(self, name), least, most):
                raise ConfigError(f"{name} must be a number from {least} to {most}, got {getattr(self, name)!r}")
        for name, top in (("rate", math.inf), ("epsilon", 1.0)):
            ends = getattr(self, name)
            if not (isinstance(ends, tuple) and len(ends) == 2 and all(_within(end, 0, top) for end in ends)):
                raise ConfigError(f"{name} must be two numbers, at the beginning and at the end, got {ends!r}")
        for name in ("trunk", "heads"):
            units = getattr(self, name)
            if not (isinstance(units, tuple) and all(type(unit) is int and unit > 0 for unit in units)):
                raise ConfigError(f"{name} must be a list of numbers of units, such as [64, 64], got {units!r}")
        if type(self.prioritised) is not bool:
            raise ConfigError(f"prioritised must be true or false, got {self.prioritised!r}")
        if self.rollout % self.games:
            raise ConfigError(f"rollout must be a multiple of games, got {self.rollout} and {self.games}")
        if self.activation not in ACTIVATIONS:
            raise UnknownNameError("activation", self.activation, ACTIVATIONS)

    @classmethod
    def preset(cls, name: str, **changes: Any) -> TrainConfig:
        """A named configuration, with changes: ``default``, or ``paper`` for gg-bench's.

        Raises:
            UnknownNameError: there is no such preset.
        """
        if name not in PRESETS:
            raise UnknownNameError("preset", name, PRESETS)
        return replace(PRESETS[name], **changes)

    def marks(self) -> list[int]:
        """The steps at which a checkpoint of self-play is due; the last is :attr:`steps`."""
        marks, interval, mark = [], float(self.every), float(self.every)
        while round(mark) < self.steps:
            marks.append(round(mark))
            interval *= self.growth
            mark += interval
        return [*marks, self.steps]


PRESETS = {
    "default": TrainConfig(),
    "paper": TrainConfig(
        steps=1_000_000,
        every=250_000,
        growth=1.0,
        games=16,
        rollout=2048,
        batch=64,
        epochs=10,
        rate=(3e-4, 3e-4),
        entropy=0.0,
        epsilon=(1.0, 0.1),
        trunk=(),
        heads=(64, 64),
    ),
}
"""``paper``: gg-bench's settings, where it gives none SB3's; sixteen games share the rollout."""


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    Attributes:
        steps: done.
        total: to do in all.
        rate: steps a second since the run began or was resumed.
        score: the learner's mean score in its latest games, 0 to 1, a draw ½; None before the first.
        checkpoints: written so far.
    """

    steps: int
    total: int
    rate: float
    score: float | None
    checkpoints: int


def train(
    source: Source,
    folder: str | os.PathLike[str],
    config: TrainConfig | None = None,
    *,
    progress: Callable[[Progress], None] | None = None,
    until: Callable[[int, Network], bool] | None = None,
    log: Sequence[str] = ("tensorboard",),
    on_note: Callable[[str], None] | None = None,
) -> list[Path]:
    """Train until the last checkpoint is written; go on where an earlier run of this folder stopped.

    Interrupted or not, the same game, configuration and seed give the same checkpoints on the same machine. A folder
    holds ``run.json``, ``checkpoint-<steps>.npz`` (see :class:`~interactive_envs.novel_games.search.network.Network`),
    ``state.npz`` and what loggers keep in it, such as ``tensorboard/``; nothing in it is ever unpickled as objects.

    Args:
        source: the game, see :func:`interactive_envs.training.arena.open_arena`.
        folder: of this run; created.
        config: what is done; None takes the default.
        progress: called after every rollout. What it raises ends the run, which can be resumed.
        until: called with the steps done and the network so far before every rollout; where it returns true the run
            ends, and can be resumed.
        log: specs of loggers, see :class:`interactive_envs.reporting.loggers.base.Loggers`.
        on_note: called with a line for each logger that failed; by default it is a warning.

    Returns:
        The checkpoints, the earliest first; those that there are, where ``until`` ended the run.

    Raises:
        ConfigError: the folder belongs to another run, or a checkpoint or state in it is none.
        MissingExtraError: the package of a logger is not installed.
    """
    config, folder = config or TrainConfig(), Path(folder)
    _claim(folder, source, config)
    program = polishable(source) if config.polish else None
    paths = [folder / f"checkpoint-{mark}.npz" for mark in config.marks()]
    polished = [folder / f"checkpoint-{config.steps + config.polish}.npz"] if program else []
    if (paths + polished)[-1].exists():
        return paths + polished
    loggers = Loggers(log, folder, on_note)
    with _undisturbed(), contextlib.closing(open_arena(source, config.games)) as arena:
        game = _identity(source)
        # a folder by its name alone: where it lies is nobody's business who is given the checkpoint
        about = {"source": game["name"], "game": game, "recipe": RECIPE}
        env = SelfPlay(arena, seed=config.seed, prioritised=config.prioritised)
        loggers.start({**about, **asdict(config)})
        try:
            TrainingRun(env, paths, config, progress, until, about, loggers.scalars).finish()
        except _EnoughError:
            return [path for path in paths if path.exists()]
        finally:
            loggers.finish()
        if program:
            network = polish(program, Network.load(paths[-1]), config.polish, config.seed)
            network.about["steps"] += config.polish
            with room(folder):
                network.save(polished[0])
    return paths + polished


def polishable(source: Source) -> Program:
    """The code of a game that a search can play here.

    Raises:
        ConfigError: it is no game of the package.
    """
    generated = generated_game(source) if isinstance(source, str | Path) else None
    if generated is None or not isinstance(generated.program, Program):
        raise ConfigError("polish is for two-player games of the package; for others leave it 0")
    return generated.program


class _EnoughError(Exception):
    pass


class TrainingRun:
    """One run: rollouts and updates by turns, and what happens between them."""

    def __init__(
        self,
        env: SelfPlay,
        paths: list[Path],
        config: TrainConfig,
        progress: Callable[[Progress], None] | None,
        until: Callable[[int, Network], bool] | None,
        about: dict[str, Any],
        tell: Callable[[int, dict[str, float]], None],
    ) -> None:
        self.env, self.config, self.paths, self.about = env, config, paths, about
        self.progress, self.until, self.tell = progress, until, tell
        self.state_path = paths[0].parent / STATE
        self.steps = 0
        self._saved = self._begun = time.monotonic()
        self._rng = np.random.default_rng([config.seed, 1])
        self._recent: deque[dict[str, Any]] = deque(maxlen=RECENT)
        self.learner = Learner(
            env.arena.observations.shape[1],
            env.arena.masks.shape[1],
            trunk=config.trunk,
            heads=config.heads,
            activation=config.activation,
            rng=self._rng,
        )
        self._starts = np.ones(config.games, np.bool_)
        """Which games begin with the next step."""
        if self.state_path.exists():
            self._restore()
        else:
            self._observations = env.reset()
        self._at_start = self.steps

    def finish(self) -> None:
        """Train what is left."""
        while self.steps < self.config.steps:
            self._pause()
            self._learn(*self._play())
        self._pause()

    def _play(self) -> tuple[Steps, Any]:
        """A rollout; what it consists of, and the values that were expected."""
        config, env, learner = self.config, self.env, self.learner
        shape = config.rollout // config.games, config.games
        observations = np.empty((*shape, self._observations.shape[1]), np.float32)
        masks = np.empty((*shape, env.arena.masks.shape[1]), np.bool_)
        actions, starts = np.empty(shape, np.int64), np.empty(shape, np.bool_)
        rewards = np.empty(shape, np.float32)
        for step, uniforms in enumerate(self._rng.random(shape)):
            observations[step], masks[step], starts[step] = self._observations, env.action_masks(), self._starts
            actions[step] = learner.choose(observations[step], masks[step], uniforms)
            self._observations, rewards[step], self._starts, infos = env.advance(actions[step])
            self._recent += [infos[row]["episode"] for row in np.flatnonzero(self._starts).tolist()]
        self.steps += config.rollout
        nothing = np.zeros(config.rollout, np.float32)
        steps = Steps(
            observations.reshape(config.rollout, -1),
            masks.reshape(config.rollout, -1),
            actions.ravel(),
            *(nothing,) * 3,
        )
        values, logs = learner.judge(steps)
        after = learner.values(self._observations)
        estimate = values.reshape(shape), starts, after, self._starts, config.gamma, config.trace
        advantages = advantages_of(rewards, *estimate).ravel()
        return replace(steps, logs=logs, advantages=advantages, returns=advantages + values), values

    def _learn(self, steps: Steps, values: Any) -> None:
        """Several passes over a rollout."""
        config, count = self.config, self.config.rollout
        # as of the rollout's last step but the next one's first, like Stable-Baselines3
        rate = _between(config.rate, self.steps / config.steps)
        told: list[dict[str, float]] = []
        for _ in range(config.epochs):
            shuffled = steps.take(self._rng.permutation(count))
            for begin in range(0, count, config.batch):
                rows = slice(begin, begin + config.batch)
                told.append(
                    self.learner.update(shuffled.take(rows), rate=rate, clip=config.clip, entropy=config.entropy)
                )
        spread = float(steps.returns.var())
        numbers = {f"train/{name}": sum(one[name] for one in told) / len(told) for name in told[0]}
        numbers |= {"train/learning_rate": rate, "train/n_updates": float(self.learner.updates)}
        if spread:
            numbers["train/explained_variance"] = 1 - float((steps.returns - values).var()) / spread
        if self._recent:
            for name, key in (("rollout/ep_rew_mean", "r"), ("rollout/ep_len_mean", "l")):
                numbers[name] = float(np.mean([game[key] for game in self._recent]))
        self.tell(self.steps, numbers)

    def _pause(self) -> None:
        """Write what is due; runs before each rollout and after the last update."""
        steps, marks = self.steps, self.config.marks()
        due = [index for index in range(len(self.env.pool), len(marks)) if marks[index] <= steps]
        for index in due:
            network = self.learner.network({**self.about, "steps": steps, "run": asdict(self.config)})
            with room(self.paths[index].parent):
                network.save(self.paths[index])
            self.env.pool.append(network)
        self.env.epsilon = _between(self.config.epsilon, steps / self.config.steps)
        if due or time.monotonic() - self._saved >= SAVE_SECONDS:
            self._save()
        if self.progress is not None:
            seconds = max(time.monotonic() - self._begun, 1e-9)
            recent = [game["r"] for game in self._recent]
            score = (sum(recent) / len(recent) + 1) / 2 if recent else None
            rate = (steps - self._at_start) / seconds
            self.progress(Progress(steps, self.config.steps, rate, score, len(self.env.pool)))
        if self.until is not None and self.until(steps, self.learner.network(self.about)):
            raise _EnoughError

    def _save(self) -> None:
        learner, games = self.learner, self.env.state()
        told: dict[str, Any] = {"steps": self.steps, "updates": learner.updates, "pool": len(self.env.pool)}
        told |= {"rng": self._rng.bit_generator.state, "games": {n: v for n, v in games.items() if isinstance(v, str)}}
        arrays: dict[str, Any] = {"weights": learner.weights, "memory": learner.memory, "starts": self._starts}
        arrays |= {f"games_{name}": value for name, value in games.items() if not isinstance(value, str)}
        content = io.BytesIO()
        np.savez(content, told=np.frombuffer(json.dumps(told).encode(), np.uint8), **arrays)
        write_atomically(self.state_path, content.getvalue())
        self._saved = time.monotonic()

    def _restore(self) -> None:
        learner = self.learner
        try:
            with np.load(io.BytesIO(read_bytes(self.state_path, largest=MOST_BYTES)), allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            told = json.loads(bytes(arrays.pop("told")))
            learner.weights[:], learner.memory[:] = arrays.pop("weights"), arrays.pop("memory")
            self.steps, learner.updates, self._starts = told["steps"], told["updates"], arrays.pop("starts")
            self._rng.bit_generator.state = told["rng"]
            self.env.pool = [Network.load(path) for path in self.paths[: told["pool"]]]
            games = {name.removeprefix("games_"): value for name, value in arrays.items()}
            self._observations = self.env.restore(games | told["games"])
        except Exception as error:  # whatever NumPy says of files that are none of ours
            raise ConfigError(f"{self.state_path} cannot be resumed: {error}; use another folder") from error


def _claim(folder: Path, source: Source, config: TrainConfig) -> None:
    """Make the folder this run's, or see that it is.

    Raises:
        ConfigError: it is another's.
    """
    wanted = json.loads(
        json.dumps({"schema": 1, "recipe": RECIPE, "game": _identity(source), "config": asdict(config)})
    )
    path = folder / RUN
    if path.exists():
        try:
            found = read_json(path)
        except ValueError as error:
            raise ConfigError(f"{path} is no record of a run: {error}") from error
        if not (isinstance(found, dict) and all(isinstance(found.get(name), dict) for name in ("game", "config"))):
            raise ConfigError(f"{path} is no record of a run; use another folder, or remove this one")
        if found == wanted:
            return
        if (folder / STATE).exists() or checkpoints_in(folder):
            raise ConfigError(f"{folder} holds {_other(found, wanted)}; use another folder, or remove this one")
    make_private_folder(folder)
    write_atomically(path, json.dumps(wanted, indent=1) + "\n")


def _other(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """What tells a recorded run from the wanted one."""
    game, config = found.get("game", {}), found.get("config", {})
    if game.get("name") != wanted["game"]["name"]:
        return f"a run for {game.get('name')}"
    if game != wanted["game"]:
        return "a run with other code of the game"
    if found.get("recipe") != RECIPE:
        return "a run of another version of the training"
    differs = [f"{name}={config.get(name)!r}" for name, value in wanted["config"].items() if config.get(name) != value]
    return f"a run with {', '.join(differs) or 'another format'}"


def _between(ends: tuple[float, float], share: float) -> float:
    begin, end = ends
    return begin + (end - begin) * min(max(share, 0.0), 1.0)


def _identity(source: Source) -> dict[str, str]:
    if not isinstance(source, str | Path):
        return {"name": getattr(source, "__name__", "")}
    generated = generated_game(source)
    if generated is None:
        return {"name": str(source)}
    return {"name": generated.folder.name, "sha256": generated.folder.code_sha256}


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """One thread, for these networks are too small for more, and no look for garbage in what was there before."""
    gc.freeze()
    try:
        with threadpoolctl.threadpool_limits(1):
            yield
    finally:
        gc.unfreeze()
