"""Self-play: steps a second and time to strength, plain Stable-Baselines3 with gg-bench's settings against ours.

For each game and seed: a frozen agent is trained for 50,000 steps with the preset ``paper`` from another seed. Then
(a) plain SB3, one game at a time with opponents asked by ``model.predict``, capped at 300,000 steps, and (b) the
default preset train until they score 0.6 against it, a draw ½, both seats. Times are CPU seconds of one thread, which
a busy machine stretches least; matches against the frozen agent are not timed. Both play the same games, (b) from
``batch.py`` where a game has one. A step is a decision of the learner; the moves of the other seat are not counted.

    python benchmarks/selfplay.py [--games NAME …] [--seeds 0 1 2] [--cap 300000] [--json]

    python benchmarks/selfplay.py --sandbox [--games NAME …] [--seeds 0 1 2]

trains the default preset on the same ``game.py`` in this process and in the sandbox, without ``batch.py``; the CPU time
of the sandbox's process counts (not at its level 3, which hides it).

Whoever has not scored 0.6 after ``--cap`` steps is stopped. Where (a) has not, the ratio of times is a lower bound;
where (b) has not, there is none.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from gymnasium.spaces import Box, Discrete
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from interactive_envs.novel_games.host.adapter import EXTRAS, Program
from interactive_envs.novel_games.host.sandboxed import LIMITS, RemoteProgram, sandbox
from interactive_envs.novel_games.rules import find_folder, program_of
from interactive_envs.novel_games.search.batch import Batch
from interactive_envs.novel_games.search.network import Layer, Network
from interactive_envs.training.arena import Arena, open_arena
from interactive_envs.training.selfplay import duel
from interactive_envs.training.trainer import TrainConfig, train

ENOUGH = 0.6
MATCH = 1024
"""Games against the frozen agent."""
LOOK = 8192
"""Steps between two matches."""
WARM, MEASURED = 4096, 16_384
"""Steps of a training whose speed is compared: those before the clock starts, and those that count."""


class OneGame(gym.Env[Any, Any]):
    """One seat of one game; the others' moves by ``model.predict``, as gg-bench does."""

    def __init__(self, program: Program, seed: int) -> None:
        self.program, self.rng = program, np.random.default_rng(seed)
        self.observation_space = Box(0, 1, (program.size + EXTRAS,), np.float32)
        self.action_space = Discrete(program.actions)
        self.pool: list[MaskablePPO] = []
        self.epsilon = 1.0

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        """Begin a game in a drawn seat."""
        while True:
            self.table = self.program.new(int(self.rng.integers(2**31)))
            self.me = int(self.rng.integers(2))
            self.opponent = self.pool[self.rng.integers(len(self.pool))] if self.pool else None
            self.others()
            if self.table.result is None:
                return self.table.encoded(), {}

    def step(self, action: Any) -> Any:
        """Play, and let the opponent answer."""
        self.table.play(int(action))
        self.others()
        return self.table.encoded(), self.table.score(self.me), self.table.result is not None, False, {}

    def action_masks(self) -> Any:
        """True where an action is legal."""
        mask = np.zeros(self.program.actions, bool)
        mask[self.table.legal()] = True
        return mask

    def others(self) -> None:
        """Let the opponent move until it is the learner's turn."""
        while self.table.result is None and self.table.seat != self.me:
            if self.opponent is None or self.rng.random() < self.epsilon:
                action = self.rng.choice(self.table.legal())
            else:
                action, _ = self.opponent.predict(self.table.encoded(), action_masks=self.action_masks())
            self.table.play(int(action))


class Timed(BaseCallback):
    """Gg-bench's schedule, and the clock, which stands still during matches."""

    def __init__(self, env: OneGame, enough: Callable[[Network], bool], folder: Path, every: int) -> None:
        super().__init__()
        self.env, self.enough, self.folder, self.every = env, enough, folder, every
        self.seconds, self.resumed, self.reached = 0.0, 0.0, False

    def _on_training_start(self) -> None:
        self.resumed = time.process_time()

    def _on_step(self) -> bool:
        steps = self.num_timesteps
        self.env.epsilon = max(0.1, 1 - 0.9 * steps / 1_000_000)
        if steps % 250_000 == 0:
            self.model.save(self.folder / f"{steps}")
            self.env.pool.append(MaskablePPO.load(self.folder / f"{steps}"))
        if steps % self.every == 0:
            self.seconds += time.process_time() - self.resumed
            policy: Any = self.model.policy
            network = Network(
                [],
                layers(policy.mlp_extractor.policy_net) + layers(policy.action_net),
                layers(policy.mlp_extractor.value_net) + layers(policy.value_net),
            )
            self.reached = self.enough(network)
            self.resumed = time.process_time()
        return not self.reached


def layers(module: torch.nn.Module) -> list[Layer]:
    """The linear layers of a module, in their order, as arrays of their own."""
    linear = [part for part in module.modules() if isinstance(part, torch.nn.Linear)]
    return [(part.weight.detach().numpy().T.copy(), part.bias.detach().numpy().copy()) for part in linear]


def plain(name: str, seed: int, enough: Callable[[Network], bool], cap: int) -> dict[str, Any]:
    """Train as gg-bench does."""
    torch.set_num_threads(1)
    program = program_of(name)
    if not isinstance(program, Program):
        raise SystemExit(f"{name} is no game of the package")
    env = OneGame(program, seed)
    model = MaskablePPO("MlpPolicy", env, n_steps=2048, batch_size=64, seed=seed, device="cpu")
    with tempfile.TemporaryDirectory() as folder:
        clock = Timed(env, enough, Path(folder), LOOK)
        model.learn(cap, callback=clock)
    return told(model.num_timesteps, clock.seconds, clock.reached)


def ours(name: str, seed: int, enough: Callable[[Network], bool], cap: int) -> dict[str, Any]:
    """Train with the default preset."""
    config = TrainConfig.preset("default", seed=seed, steps=cap)
    seconds, done, reached = 0.0, 0, False
    resumed = time.process_time()

    def until(steps: int, network: Network) -> bool:
        nonlocal seconds, done, reached, resumed
        if steps // LOOK == done // LOOK:
            return False
        seconds += time.process_time() - resumed
        done, reached = steps, enough(network)
        resumed = time.process_time()
        return reached

    with tempfile.TemporaryDirectory() as folder:
        train(name, folder, config, until=until)
    return told(done, seconds, reached)


def told(steps: int, seconds: float, reached: bool) -> dict[str, Any]:
    """What a run came to."""
    return {"steps": steps, "seconds": round(seconds, 1), "rate": round(steps / seconds), "reached": reached}


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=["heron-and-minnows", "turnstile-runs", "undertow-tricks"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--cap", type=int, default=300_000)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--sandbox", action="store_true")
    options = parser.parse_args()
    if options.sandbox:
        for name in options.games:
            rates = [in_and_out(name, seed) for seed in options.seeds]
            shares = [inside / outside for outside, inside in rates]
            print(
                f"{name:<20} {statistics.median(rate for rate, _ in rates):>8,.0f} steps a CPU s, in the sandbox "
                f"{statistics.median(shares):.2f} [{min(shares):.2f}, {max(shares):.2f}] of that, n = {len(shares)}",
                flush=True,
            )
        return
    rows: list[dict[str, Any]] = []
    print("game                 seed  plain: steps   CPU s     /s  ours: steps  CPU s       /s  times /s  less time")
    for name in options.games:
        for seed in options.seeds:
            row = {"game": name, "seed": seed, **pair(name, seed, options.cap)}
            rows.append(row)
            a, b = row["plain"], row["ours"]
            more = "" if a["reached"] else ">"
            sooner = f"{more}{row['sooner']:.1f}" if b["reached"] else "-"
            print(
                f"{name:<20} {seed:>4}  {more + format(a['steps'], ','):>13} {a['seconds']:>7} {a['rate']:>6,}  "
                f"{b['steps']:>11,} {b['seconds']:>6} {b['rate']:>8,} "
                f"{row['faster']:>9.1f}  {sooner}",
                flush=True,
            )
    rates = [2 * row["ours"]["rate"] for row in rows]
    print(f"steps in a second of two cores: median {statistics.median(rates):,.0f}, least {min(rates):,}")
    reached = [row for row in rows if row["ours"]["reached"]]
    for what, told in (("faster", rows), ("sooner", reached)):
        if told:
            found = [row[what] for row in told]
            print(f"{what}: median {statistics.median(found):.1f}, least {min(found):.1f}, n = {len(found)}")
    if options.json:
        print(json.dumps(rows))


def in_and_out(name: str, seed: int) -> tuple[float, float]:
    """Steps a CPU second in this process, and in the sandbox."""
    program = program_of(name)
    if not isinstance(program, Program):
        raise SystemExit(f"{name} is no game of the package")
    source = (find_folder(name).path / "game.py").read_text(encoding="utf-8")
    remote = RemoteProgram(source, max_turns=program.max_turns, hidden=program.hidden)

    def rate(make: Callable[[int], Arena]) -> float:
        clock: list[float] = []

        def until(steps: int, network: Network) -> bool:
            if steps in (WARM, WARM + MEASURED):
                clock.append(time.process_time() + sandboxed_time())
            return len(clock) == 2

        with tempfile.TemporaryDirectory() as folder:
            train(make, folder, TrainConfig(seed=seed), until=until, log=())
        return MEASURED / (clock[1] - clock[0])

    return rate(lambda games: Batch(program, games)), rate(remote.batch)


def sandboxed_time() -> float:
    """CPU seconds of the sandbox's processes that live."""
    zygote = sandbox(LIMITS).zygote
    children = Path(f"/proc/{zygote.process.pid}/task/{zygote.process.pid}/children") if zygote else None
    pids = children.read_text().split() if children else []
    return sum(time.clock_gettime((~int(pid) << 3) | 2) for pid in pids)


def pair(name: str, seed: int, cap: int) -> dict[str, Any]:
    """Both ways of training, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        paper = TrainConfig.preset("paper", steps=50_000, seed=1000 + seed)
        (path,) = train(name, folder, paper, log=())
        frozen = Network.load(path)
    arena = open_arena(name, 128)

    def enough(network: Network) -> bool:
        return duel(arena, network, frozen, MATCH, seed) >= ENOUGH

    a, b = plain(name, seed, enough, cap), ours(name, seed, enough, cap)
    return {"plain": a, "ours": b, "faster": b["rate"] / a["rate"], "sooner": a["seconds"] / b["seconds"]}


if __name__ == "__main__":
    main()
