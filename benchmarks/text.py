"""What a step in text costs: steps a CPU second of query games, puzzle menus and games.

Each round plays this checkout and another one, each in a process of its own; printed are medians and the ratio's range.
Before that both play the same episodes of every class with the same texts, readable and odd ones, and every message,
info, reward and record must be equal byte by byte.

    python benchmarks/text.py [--against CHECKOUT] [--rounds 3] [--seconds 1] [--every 8]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "query game, level 1": ("ibench/Query-set-deductive-choice-total-by-next-residue-span-v1", {}),
    "query game, level 5": ("ibench/Query-set-deductive-choice-total-by-next-residue-span-v1", {"difficulty": 5}),
    "situation puzzles by hand": ("ibench/SituationPuzzle-v1", {}),
    "generated situation puzzles": ("ibench/SituationPuzzle-v1", {"split": "generated"}),
    "generated game, one seat": ("ibench/Game-sum-shy-v1", {"opponents": "random"}),
}
AEC = {"generated game": "ibench/Game-sum-shy-v1", "trust game": "ibench/TrustGame-v1"}
ODD = (
    "",
    "hello",
    "<answer>",
    "<ask>1</ask><ask>2</ask>",
    "<think>x</think>",
    "<timeout/>",
    "3",
    "A",
    "<move>x</move>",
)


def speeds(seconds: float) -> dict[str, float]:
    """Steps a CPU second, the steps alone counted, of a player that draws any legal action."""
    import numpy as np

    from interactive_envs.making import make

    found = {}
    for name, (env_id, arguments) in CASES.items():
        env: Any = make(env_id, **arguments)
        rng, steps, spent, seed, clock = np.random.default_rng(0), 0, 0.0, 0, time.process_time
        while spent < seconds:
            info, over = env.reset(seed=seed)[1], False
            seed += 1
            while not over:
                legal = info.get("legal_actions") or env.legal_actions()
                action = legal[int(rng.integers(len(legal)))]
                start = clock()
                _, _, over, _, info = env.step(action)
                spent += clock() - start
                steps += 1
        found[name] = steps / spent
    for name, env_id in AEC.items():
        found[f"{name}, every seat (AEC)"] = aec_speed(env_id, seconds)
    return found


def aec_speed(env_id: str, seconds: float) -> float:
    """The same of a game all of whose seats are played."""
    import numpy as np

    from interactive_envs.making import make_aec

    env: Any = make_aec(env_id)
    rng, steps, spent, seed, clock = np.random.default_rng(0), 0, 0.0, 0, time.process_time
    while spent < seconds:
        env.reset(seed=seed)
        seed += 1
        while env.agents:
            start = clock()
            _, _, over, _, info = env.last()
            spent += clock() - start
            legal = [] if over else info["legal_actions"]
            action = legal[int(rng.integers(len(legal)))] if legal else None
            start = clock()
            env.step(action)
            spent += clock() - start
            steps += action is not None
    return steps / spent


def transcripts(every: int) -> Iterator[tuple[str, str]]:
    """A name and a hash of all that is said, of episodes of every class, family and kind."""
    import numpy as np

    from interactive_envs import catalog
    from interactive_envs.making import make

    kinds: dict[str, list[str]] = {}
    for env_id, unit in catalog.load()["units"].items():
        kinds.setdefault(f"{unit['entry_point']} {sorted(unit['tags'].items())}", []).append(env_id)
    for env_id in [env_id for ids in kinds.values() for env_id in ids[::every]]:
        for number, variant in enumerate(catalog.entry(env_id)["variants"]):
            if variant.get("answer_as") == "code" or "judge" in variant:
                continue
            env: Any = make(env_id, **variant)
            rng, said = np.random.default_rng(number), hashlib.sha256()
            for seed in range(2):
                words, info = env.reset(seed=seed)
                over, steps = False, 0
                while True:
                    told = {name: value for name, value in info.items() if name not in ("view", "parts")}
                    view = info["view"].as_json() if "view" in info else None
                    said.update(json.dumps([words, told, view], sort_keys=True, default=repr).encode())
                    if over or steps > 80:
                        break
                    action = any_action(env, info, rng)
                    words, reward, over, _, info = env.step(action)
                    said.update(f"{action!r} {reward!r}".encode())
                    steps += 1
                said.update(json.dumps([env.record(), env.view_text()], sort_keys=True, default=repr).encode())
            env.close()
            yield f"{env_id} {json.dumps(variant)}", said.hexdigest()


def any_action(env: Any, info: dict[str, Any], rng: Any) -> str:
    """Mostly a legal action, sometimes with words around it, sometimes an odd text."""
    tags = tuple(f"<{tag}>" for tag in info.get("action_tags", ()))
    examples = [text for text in env.action_space.examples if text.startswith(tags)]
    legal = info.get("legal_actions") or env.legal_actions() or examples or ["<ask>Is it so?</ask>"]
    action, draw = str(legal[int(rng.integers(len(legal)))]), rng.random()
    if draw < 0.1:
        return ODD[int(rng.integers(len(ODD)))]
    if draw < 0.2:
        return (f"I think: {action} .", f" {action.upper()}\n", f"```\n{action}\n```", f"I will not play {action}")[
            int(rng.integers(4))
        ]
    return action


def worker(root: Path, what: str, number: float) -> Any:
    """What another process prints that plays one checkout."""
    line = [sys.executable, __file__, "--worker", what, str(root), "--number", str(number)]
    return json.loads(subprocess.run(line, capture_output=True, text=True, check=True, cwd=root).stdout)


def main() -> None:
    """Compare, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--every", type=int, default=8, help="compare only every Nth id of a kind")
    parser.add_argument("--worker", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--number", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        what, root = options.worker
        sys.path.insert(0, root)
        import interactive_envs

        assert interactive_envs.__file__.startswith(root), interactive_envs.__file__
        done = speeds(options.number) if what == "speeds" else dict(transcripts(int(options.number)))
        print(json.dumps(done))
        return
    roots = [ROOT] if options.against is None else [options.against.resolve(), ROOT]
    if len(roots) > 1:
        before, after = (worker(root, "transcripts", options.every) for root in roots)
        differing = [name for name in before if before[name] != after.get(name)]
        print(f"{len(before)} transcripts, {len(differing)} differ {differing[:10]}")
    found: dict[str, list[list[float]]] = {}
    for _ in range(options.rounds):
        for root in roots:
            for name, speed in worker(root, "speeds", options.seconds).items():
                found.setdefault(name, [[] for _ in roots])[roots.index(root)].append(speed)
    for name, speeds_of in found.items():
        medians = [f"{statistics.median(one):,.0f}" for one in speeds_of]
        ratios = [new / old for old, new in zip(speeds_of[0], speeds_of[-1], strict=True)]
        print(f"{name}: {' -> '.join(medians)} steps a CPU second, {min(ratios):.2f} to {max(ratios):.2f} times")


if __name__ == "__main__":
    main()
