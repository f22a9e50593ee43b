"""Search: simulations a second and strength at equal time, gg-bench's way against ours, with the same network.

Theirs: UCB1, for each simulation a ``copy.deepcopy`` of the environment and a game played to its end by
``model.predict``. Ours: ``mode=puct`` with ``leaves=16``, which is what the ratio and the time of 100 simulations are
of, with one leaf at a time, and ``mode=rollout``. Checkpoints are the games' own. Times are CPU seconds of
one thread; both see the same games.

    python benchmarks/mcts.py [--games NAME …] [--matches 40] [--seconds 0.25] [--json]
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import statistics
import time
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from gymnasium.spaces import Box, Discrete
from sb3_contrib import MaskablePPO

from interactive_envs.novel_games.host.adapter import Program, Table
from interactive_envs.novel_games.rules import find_folder, program_of
from interactive_envs.novel_games.search.network import Network, checkpoints_in, masked_softmax
from interactive_envs.novel_games.search.trees import UCB, Search, Settings
from interactive_envs.reporting.estimates import wilson

LEAVES = 16
ROUNDS = 7
"""Of measuring speed; medians are told."""


class Spaces(gym.Env[Any, Any]):
    """What a model needs to be built."""

    def __init__(self, inputs: int, actions: int) -> None:
        self.observation_space = Box(0, 1, (inputs,), np.float32)
        self.action_space = Discrete(actions)

    def action_masks(self) -> Any:
        """Nothing is ever played here."""
        return np.ones(int(self.action_space.n), bool)  # type: ignore[attr-defined]


def model_of(network: Network) -> MaskablePPO:
    """Stable-Baselines3's standard model, computing what the network computes."""
    model = MaskablePPO("MlpPolicy", Spaces(network.inputs, network.actions), device="cpu")
    policy: Any = model.policy
    for hidden, head, part in (
        (policy.mlp_extractor.policy_net, policy.action_net, "policy"),
        (policy.mlp_extractor.value_net, policy.value_net, "value"),
    ):
        linear = [layer for layer in hidden if isinstance(layer, torch.nn.Linear)] + [head]
        arrays = network.parts["trunk"] + network.parts[part]
        for layer, (weights, biases) in zip(linear, arrays, strict=True):
            layer.weight.data, layer.bias.data = torch.from_numpy(weights.T.copy()), torch.from_numpy(biases.copy())
    return model


class Theirs:
    """Monte Carlo tree search as gg-bench does it."""

    def __init__(self, program: Program, model: MaskablePPO) -> None:
        self.program, self.model = program, model

    def choose(self, table: Table, *, simulations: int | None = None, seconds: float = math.inf) -> tuple[int, int]:
        """A move, and how many simulations it took."""
        root: dict[str, Any] = {"table": table, "visits": 0, "wins": 0.0, "children": {}, "seat": None}
        stop, done = time.thread_time() + seconds, 0
        while done < (simulations or math.inf) and (done == 0 or time.thread_time() < stop):
            node, path = root, [root]
            while node["table"].result is None and len(node["children"]) == len(node["table"].legal()):
                node = max(node["children"].values(), key=lambda child, at=node: self._ucb(child, at))
                path.append(node)
            if node["table"].result is None:
                action = next(action for action in node["table"].legal() if action not in node["children"])
                after = self._copy(node["table"])
                after.play(action)
                child = {"table": after, "visits": 0, "wins": 0.0, "children": {}, "seat": node["table"].seat}
                node["children"][action] = child
                path.append(child)
            end = self._playout(path[-1]["table"])
            for node in path:
                node["visits"] += 1
                if node["seat"] is not None:
                    node["wins"] += (end.score(node["seat"]) + 1) / 2
            done += 1
        return max(root["children"], key=lambda action: root["children"][action]["visits"]), done

    def _playout(self, table: Table) -> Table:
        table = self._copy(table)
        while table.result is None:
            mask = np.zeros(self.program.actions, bool)
            mask[table.legal()] = True
            table.play(int(self.model.predict(table.encoded(), action_masks=mask)[0]))
        return table

    def _copy(self, table: Table) -> Table:
        made = table.clone()
        made.env = copy.deepcopy(table.env)
        return made

    @staticmethod
    def _ucb(child: dict[str, Any], parent: dict[str, Any]) -> float:
        return float(child["wins"] / child["visits"] + UCB * math.sqrt(math.log(parent["visits"]) / child["visits"]))


def speed(name: str, program: Program, network: Network) -> dict[str, float]:
    """Simulations a second on the first two thirds of a game between trained players, and the milliseconds of 100."""
    rng, table, positions = np.random.default_rng(0), program.new(0), []
    while table.result is None:
        positions.append(table.clone())
        chances = masked_softmax(network.logits(table.encoded()), table.legal())
        table.say(int(rng.choice(table.legal(), p=chances.astype(float) / chances.sum(dtype=float))))
    positions = positions[: max(1, 2 * len(positions) // 3)]
    theirs = Theirs(program, model_of(network))
    ours = {
        "puct": Settings(simulations=100, leaves=LEAVES),
        "single": Settings(simulations=100),
        "rollout": Settings(simulations=100, mode="rollout"),
    }
    found: dict[str, list[float]] = {name: [] for name in ("theirs", *ours)}
    for _ in range(ROUNDS):  # by turns, for the machine is not equally fast all the time
        spent = time.thread_time()
        done = sum(theirs.choose(position, simulations=10)[1] for position in positions)
        found["theirs"].append(done / (time.thread_time() - spent))
        for mode, settings in ours.items():
            done, spent = 0, time.thread_time()
            for position in positions:
                search = Search(program, settings, network)
                done += search.choose(position.view(position.seat), 0)["simulations"]
            found[mode].append(done / (time.thread_time() - spent))
    ratio = statistics.median(own / other for own, other in zip(found["puct"], found["theirs"], strict=True))
    figures = {name: statistics.median(rates) for name, rates in found.items()}
    return {"game": name, **figures, "ratio": ratio, "ms": 100_000 / figures["puct"]}


def match(program: Program, network: Network, number: int, seconds: float) -> float:
    """Our score in one game against theirs, both with so many CPU seconds a move."""
    table, theirs = program.new(number // 2), Theirs(program, model_of(network))
    search = Search(program, Settings(time=seconds, leaves=LEAVES), network)
    seat = number % 2
    rng = np.random.default_rng(number // 2)
    for _ in range(2):  # one random move each: games without chance would all be alike
        if table.result is None:
            table.say(int(rng.choice(table.legal())))
    while table.result is None:
        if table.seat == seat:
            table.say(search.choose(table.view(seat), number)["action"])
        else:
            table.say(theirs.choose(table, seconds=seconds)[0])
    return (table.score(seat) + 1) / 2


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=["odd-lanterns", "melting-shove", "unequal-heirs"])
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=0.25)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows: list[dict[str, Any]] = []
    total = 0.0
    print("game                 theirs/s  rollout/s  single/s   puct/s    ratio  ms for 100   score at equal time")
    for name in options.games:
        program = program_of(name)
        if not isinstance(program, Program):
            raise SystemExit(f"{name} is no game of the package")
        network = Network.load(checkpoints_in(find_folder(name).path)[-1])
        row: dict[str, Any] = speed(name, program, network)
        row["score"] = sum(match(program, network, number, options.seconds) for number in range(options.matches))
        total += row["score"]
        rows.append(row)
        print(
            f"{name:<20} {row['theirs']:>8,.0f} {row['rollout']:>10,.0f} {row['single']:>9,.0f} {row['puct']:>8,.0f} "
            f"{row['ratio']:>7.0f}x "
            f"{row['ms']:>11.1f}   {row['score']:g} of {options.matches}",
            flush=True,
        )
    print(f"simulations a second: median {statistics.median(row['ratio'] for row in rows):.0f} times theirs")
    games = options.matches * len(rows)
    if games:
        score = wilson(total, games)
        print(f"pooled: {score.value:.2f} [{score.low:.2f}, {score.high:.2f}], n = {games}")
    if options.json:
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
