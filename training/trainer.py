"""Train a network for a game by self-play: masked PPO, checkpoints, and a state from which a killed run goes on."""

from __future__ import annotations

import contextlib
import gc
import io
import json
import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import KVWriter, Logger

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.novel_games.search.network import Network, checkpoints_in
from interactive_envs.reporting.loggers.base import Loggers
from interactive_envs.system.disk import room, write_atomically
from interactive_envs.system.files import make_private_folder, read_bytes, read_json
from interactive_envs.training import RUN
from interactive_envs.training.arena import Source, generated_game, open_arena
from interactive_envs.training.policy import ACTIVATIONS, Rollouts, SharedPolicy
from interactive_envs.training.selfplay import SelfPlay

SAVE_SECONDS = 5.0
"""How much of a killed run is lost at most."""
RECENT = 1000
"""Games that the reported score averages over."""
STATE = "state.pt"
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
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("seed", *_COUNTS):
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
        """The steps at which a checkpoint is due; the last is :attr:`steps`."""
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
    ``state.pt`` and what loggers keep in it, such as ``tensorboard/``; nothing in it is ever unpickled as objects.

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
    paths = [folder / f"checkpoint-{mark}.npz" for mark in config.marks()]
    if paths[-1].exists():
        return paths
    loggers = Loggers(log, folder, on_note)
    with _undisturbed(), contextlib.closing(open_arena(source, config.games)) as arena:
        game = _identity(source)
        # a folder by its name alone: where it lies is nobody's business who is given the checkpoint
        about = {"source": game["name"], "game": game}
        env = SelfPlay(arena, seed=config.seed, prioritised=config.prioritised)
        run = TrainingRun(env, paths, config, progress, until, about)
        run.ppo.set_logger(Logger(None, [_Numbers(loggers)]))
        loggers.start({**about, **asdict(config)})
        try:
            run.finish()
        except _EnoughError:
            return [path for path in paths if path.exists()]
        finally:
            run.ppo.logger.close()
    return paths


_NUMBERS = (int, float, np.integer, np.floating)


class _Numbers(KVWriter):
    """Hands on what SB3 says of the training."""

    def __init__(self, loggers: Loggers) -> None:
        self._loggers = loggers

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0) -> None:
        """Log the numbers among the values after so many steps."""
        self._loggers.scalars(
            step, {name: float(value) for name, value in key_values.items() if isinstance(value, _NUMBERS)}
        )

    def close(self) -> None:
        """Wait for the loggers."""
        self._loggers.finish()


class _EnoughError(Exception):
    pass


class TrainingRun(BaseCallback):
    """One run: what happens between two rollouts."""

    def __init__(
        self,
        env: SelfPlay,
        paths: list[Path],
        config: TrainConfig,
        progress: Callable[[Progress], None] | None,
        until: Callable[[int, Network], bool] | None,
        about: dict[str, Any],
    ) -> None:
        super().__init__()
        self.env, self.config, self.paths, self.about = env, config, paths, about
        self.progress, self.until = progress, until
        self.state_path = paths[0].parent / STATE
        self._saved = self._begun = time.monotonic()
        rng = np.random.default_rng([config.seed, 1])
        with torch.random.fork_rng(devices=[]):  # the first weights are drawn by torch's global generator
            torch.manual_seed(config.seed)
            self.ppo: Any = _ResumablePPO(
                SharedPolicy,
                env,
                learning_rate=lambda left: _between(config.rate, 1 - left),
                n_steps=config.rollout // config.games,
                batch_size=config.batch,
                n_epochs=config.epochs,
                gamma=config.gamma,
                gae_lambda=config.trace,
                clip_range=config.clip,
                ent_coef=config.entropy,
                rollout_buffer_class=Rollouts,
                rollout_buffer_kwargs={"rng": rng},
                stats_window_size=RECENT,
                policy_kwargs={
                    "trunk": config.trunk,
                    "heads": config.heads,
                    "activation": config.activation,
                    "seed": config.seed,
                    "optimizer_kwargs": {"eps": 1e-5, "fused": True},  # SB3's epsilon
                },
                device="cpu",
            )
        if self.state_path.exists():
            self._restore()
        self._at_start = self.ppo.num_timesteps

    def finish(self) -> None:
        """Train what is left."""
        left = self.config.steps - self.ppo.num_timesteps
        if left > 0:
            self.ppo.learn(left, callback=self, reset_num_timesteps=False)
        self._pause()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        self._pause()

    def _pause(self) -> None:
        """Write what is due; runs before each rollout and after the last update."""
        steps, marks = self.ppo.num_timesteps, self.config.marks()
        due = [index for index in range(len(self.env.pool), len(marks)) if marks[index] <= steps]
        for index in due:
            network = self.ppo.policy.network({**self.about, "steps": steps, "run": asdict(self.config)})
            with room(self.paths[index].parent):
                network.save(self.paths[index])
            self.env.pool.append(network)
        self.env.epsilon = _between(self.config.epsilon, steps / self.config.steps)
        if due or time.monotonic() - self._saved >= SAVE_SECONDS:
            self._save()
        if self.progress is not None:
            seconds = max(time.monotonic() - self._begun, 1e-9)
            recent = [game["r"] for game in self.ppo.ep_info_buffer or ()]
            score = (sum(recent) / len(recent) + 1) / 2 if recent else None
            rate = (steps - self._at_start) / seconds
            self.progress(Progress(steps, self.config.steps, rate, score, len(self.env.pool)))
        if self.until is not None and self.until(steps, self.ppo.policy.network(self.about)):
            raise _EnoughError

    def _save(self) -> None:
        ppo = self.ppo
        state = {
            "steps": ppo.num_timesteps,
            "updates": ppo.updates,
            "pool": len(self.env.pool),
            "policy": ppo.policy.state_dict(),
            "optimizer": ppo.policy.optimizer.state_dict(),
            "draws": ppo.policy.draws.get_state(),
            "shuffles": json.dumps(ppo.rollout_buffer.rng.bit_generator.state),
            "starts": torch.from_numpy(ppo.starts),
            "games": {
                name: value if isinstance(value, str) else torch.from_numpy(np.ascontiguousarray(value))
                for name, value in self.env.state().items()
            },
        }
        content = io.BytesIO()
        torch.save(state, content)
        write_atomically(self.state_path, content.getvalue())
        self._saved = time.monotonic()

    def _restore(self) -> None:
        ppo = self.ppo
        try:
            state = torch.load(io.BytesIO(read_bytes(self.state_path, largest=MOST_BYTES)), weights_only=True)
            ppo.policy.load_state_dict(state["policy"])
            ppo.policy.optimizer.load_state_dict(state["optimizer"])
            ppo.policy.draws.set_state(state["draws"])
            ppo.rollout_buffer.rng.bit_generator.state = json.loads(state["shuffles"])
            self.env.pool = [Network.load(path) for path in self.paths[: state["pool"]]]
            games = {n: value if isinstance(value, str) else value.numpy() for n, value in state["games"].items()}
            ppo.go_on(state["steps"], state["updates"], state["starts"].numpy(), self.env.restore(games))
        except Exception as error:  # whatever torch and NumPy say of files that are none of ours
            raise ConfigError(f"{self.state_path} cannot be resumed: {error}; use another folder") from error


class _ResumablePPO(MaskablePPO):
    """MaskablePPO with the part of its state that its own files leave out."""

    @property
    def updates(self) -> int:
        """How often the policy was updated."""
        return int(self._n_updates)

    @property
    def starts(self) -> Any:
        """Which games begin with the next step, (games,) bool."""
        return self._last_episode_starts

    def go_on(self, steps: int, updates: int, starts: Any, observations: Any) -> None:
        """Go on from where another one stopped."""
        self.num_timesteps, self._n_updates = steps, updates
        self._last_episode_starts, self._last_obs = starts, observations


def _claim(folder: Path, source: Source, config: TrainConfig) -> None:
    """Make the folder this run's, or see that it is.

    Raises:
        ConfigError: it is another's.
    """
    wanted = json.loads(json.dumps({"schema": 1, "game": _identity(source), "config": asdict(config)}))
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
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        torch.set_num_threads(threads)
