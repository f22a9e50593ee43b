"""Seeded runs of every family and command, as files to compare before and after a change of the code.

    python tools/goldens.py plan > plan.json            # what to run: ids of every class, variants, views, probes
    python tools/goldens.py write plan.json FOLDER      # run it all; what is done already is left
    python tools/goldens.py compare BEFORE AFTER        # byte for byte, but for times and versions

Everything goes through the command line and ``gym.make``, so one plan fits both sides of a change. The code under test
is the one in the current folder.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Times, and what the machine says of itself.
VOLATILE = {"seconds", "ended", "started", "versions", "median_seconds", "total_seconds", "created", "games_per_second"}
UNCOMPARED = (".png", ".svg", ".log", ".lock", "timing.json", "done", "accuracy_seconds.csv", "latency.csv")
TIMES = re.compile(
    r"\[?\d[\d.]*(, \d[\d.]*)? ?(s|ms|min|seconds)\b\]?"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\+00:00)?)?"
    r'|"seconds": [\d.]+'
)
PLAYERS = {
    "generated": ["generated/minimax?nodes=200"],
    "trust": ["trust/tft"],
    "holdem": ["holdem/tag"],
    "math": ["math/bisect"],
    "ui2html": ["ui2html/template"],
}
PROBES = ["noise?seed=3", "isomorphic?domain=transportation", "necessity", "boundary", "revision", "delay", "lies"]
SUITES = {
    "query": (["--per-cell", "1", "--difficulty", "1-2"], "query-games/reference"),
    "black-box": (["--per-cell", "1"], "reference"),
    "games": (["--per-cell", "1"], "generated/mcts?simulations=20"),
}
LEAGUES = {
    "trust": """id = "ibench/TrustGame-v1"
format = "round-robin"
players = ["grim", "tft", "pavlov", {name = "Random", spec = "coin?p=0.5"}]
repeats = 3
seed = 5
[arguments]
max_rounds = 12
""",
    "holdem": """id = "ibench/Holdem-v1"
format = "round-robin"
players = ["tag", "call-station", "all-in", "fold"]
repeats = 4
seed = 5
[arguments]
players = 2
""",
    "six": """id = "ibench/Holdem-v1"
format = "tables"
players = ["tag", "call-station", "all-in", "fold", {name = "r", spec = "holdem/random"}, "tag?bluff=0.3"]
tables = 1
hands = 12
duplicate = true
seed = 5
[arguments]
players = 6
""",
    "game": """id = "ibench/Game-sum-shy-v1"
format = "round-robin"
players = ["generated/minimax?nodes=200", "random"]
repeats = 3
seed = 5
""",
}
CLI = """import sys
try:
    from interactive_envs.cli.main import main
except ImportError:
    from interactive_envs.cli import main
main()
"""


def main() -> None:
    """Run the subcommand that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, dest="command")
    commands.add_parser("plan")
    write = commands.add_parser("write")
    write.add_argument("plan", type=Path)
    write.add_argument("folder", type=Path)
    write.add_argument("--only", default="", help="only the entries whose name contains this")
    views = commands.add_parser("views", help="print seeded random play through gym.make and pettingzoo.make")
    views.add_argument("env_id")
    views.add_argument("unit", type=json.loads)
    compare = commands.add_parser("compare")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    given = parser.parse_args()
    if given.command == "plan":
        print(json.dumps(list(planned()), indent=1))
    elif given.command == "write":
        write_all(json.loads(given.plan.read_text()), given.folder.resolve(), given.only)
    elif given.command == "views":
        print_views(given.env_id, given.unit)
    else:
        sys.exit(compare_all(given.before, given.after))


# --------------------------------------------------------------------------------------------------------- planning


def planned() -> Iterator[dict[str, Any]]:
    """Yield each entry: its name, its line (FOLDER stands for the output folder) and whether output is compared."""
    sys.path.insert(0, os.getcwd())
    from interactive_envs import catalog

    units, agents = catalog.read()["units"], catalog.read()["agents"]
    for env_id in chosen(units):
        unit = units[env_id]
        short = env_id.removeprefix("ibench/").rpartition("-v")[0]
        players = [f"{unit['family']}/{name}" for name in ("reference", "random")]
        players = [name for name in players if name in agents] + PLAYERS.get(unit["family"], []) + ["random"]
        if unit["family"] == "situation-puzzle":
            players = ["situation-puzzle/rule", "random"]
        for number, variant in enumerate(unit["variants"]):
            options = [x for key, value in variant.items() for x in ("-k", f"{key}={json.dumps(value)}")]
            seats = [x for player in players for x in ("--agent", player)]
            fixed = ["--episodes", "2", "--workers", "1", "--seed", "7"]
            yield run(f"run-{short}-{number}", ["run", env_id, *options, *seats, *fixed])
        facts = {key: unit[key] for key in ("variants", "views", "numeric_variants")}
        yield {"name": f"views-{short}", "python": ["views", env_id, json.dumps(facts)], "output": True}
        yield {"name": f"info-{short}", "cli": ["info", env_id], "output": True}
    for number, env_id in enumerate([name for name in units if "/Query-" in name][::120]):
        for probe in PROBES:
            line = ["run", env_id, "--agent", "query-games/reference", "--episodes", "3"]
            yield run(f"probe-{number}-{probe.partition('?')[0]}", [*line, "--probe", probe, "--workers", "1"])
    for suite, (options, player) in SUITES.items():
        line = ["run", "--suite", suite, *options, "--agent", player, "--agent", "random", "--episodes", "1"]
        yield run(f"suite-{suite}", [*line, "--workers", "1"])
        for command in (["tables", "--json"], ["replay"], ["report"]):
            name = f"suite-{suite}-{command[0]}"
            yield {"name": name, "cli": [*command, f"FOLDER/suite-{suite}/run"], "output": True}
    for name, config in LEAGUES.items():
        yield {
            **run(f"tournament-{name}", ["tournament", f"FOLDER/tournament-{name}/league.toml"], output=True),
            "files": {"league.toml": config},
        }
    passk = ["passk", "ibench/SituationPuzzle-v1", "--agent", "situation-puzzle/rule", "--problems", "3"]
    yield run("passk", [*passk, "--samples", "3", "--workers", "1"], output=True)
    for suite in ("--paraphrases", "--explanations", "--adversarial", "--claims", "--answers", "--page-questions"):
        yield {"name": f"judge{suite}", "cli": ["judge-check", suite, "--json", "--workers", "1"], "output": True}
    yield run("train", ["train", "ibench/Game-sum-shy-v1", "--seed", "1", "--steps", "2000"])
    for what in ([], ["--agents"], ["--judges"], ["--json"]):
        yield {"name": "list" + "".join(what), "cli": ["list", *what], "output": True}
    yield {"name": "games-list", "cli": ["games", "list"], "output": True}


def run(name: str, line: list[str], *, output: bool = False) -> dict[str, Any]:
    """Return the entry of a command that writes a run folder."""
    return {"name": name, "cli": [*line, "--out", f"FOLDER/{name}/run"], "output": output}


def chosen(units: dict[str, Any]) -> list[str]:
    """Return the ids to play: the first and the last of each family, kind and set of views."""
    groups: dict[str, list[str]] = {}
    for env_id, unit in units.items():
        kind = {key: value for key, value in unit["tags"].items() if key in ("structure", "mode", "grade")}
        groups.setdefault(json.dumps([unit["family"], kind, unit["views"]]), []).append(env_id)
    return sorted({env_id for ids in groups.values() for env_id in (ids[0], ids[-1])})


# ---------------------------------------------------------------------------------------------------------- writing


def write_all(plan: list[dict[str, Any]], folder: Path, only: str) -> None:
    """Run every entry of the plan whose name contains `only`; one that is done already is left."""
    for entry in plan:
        place = folder / entry["name"]
        if only not in entry["name"] or (place / "done").exists():
            continue
        place.mkdir(parents=True, exist_ok=True)
        for name, text in entry.get("files", {}).items():
            (place / name).write_text(text)
        start = ["-c", CLI] if "cli" in entry else [__file__]
        line = [part.replace("FOLDER", str(folder)) for part in entry.get("cli") or entry["python"]]
        environment = {**os.environ, "COLUMNS": "100", "PYTHONPATH": os.getcwd(), "OMP_NUM_THREADS": "1"}
        result = subprocess.run([sys.executable, *start, *line], capture_output=True, text=True, env=environment)  # noqa: S603
        (place / "output.txt").write_text(f"exit {result.returncode}\n" + result.stdout * entry["output"])
        (place / "errors.log").write_text(result.stderr)
        (place / "done").write_text("")
        print(result.returncode, entry["name"], flush=True)


def print_views(env_id: str, unit: dict[str, Any]) -> None:
    """Print what seeded random players see, text and numbers, one seat and every seat."""
    sys.path.insert(0, os.getcwd())
    import gymnasium as gym
    import pettingzoo

    import interactive_envs  # noqa: F401  registers the ids

    for number, variant in enumerate(unit["variants"]):
        if "numeric" in unit["views"] and number in unit["numeric_variants"]:
            env = gym.make(env_id, view="numeric", **variant)
            print("numeric", variant, env.observation_space, env.action_space)
            for seed in (1, 2):
                print_walk(env, seed)
        for api in ("aec", "parallel"):
            if api in unit["views"]:
                given = {key: value for key, value in variant.items() if key not in ("opponents", "seat")}
                players = pettingzoo.make(api, env_id, view="numeric", **given)
                print(api, given, players.possible_agents)
                (print_turns if api == "aec" else print_rounds)(players)


def print_walk(env: Any, seed: int) -> None:
    """Print one seeded episode of a numeric view, with actions drawn among the legal ones."""
    import numpy as np

    draw = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    for _ in range(60):
        mask = np.asarray(info.get("action_mask", np.ones(env.action_space.n)))
        action = int(draw.choice(np.flatnonzero(mask)))
        print(shown(observation), action, shown(info))
        observation, reward, terminated, truncated, info = env.step(action)
        print(reward, terminated, truncated)
        if terminated or truncated:
            break
    print(shown(observation), shown(info))


def print_turns(env: Any) -> None:
    """Print one seeded game with all seats acting in turn."""
    import numpy as np

    draw = np.random.default_rng(3)
    env.reset(seed=3)
    for seat in env.agent_iter(max_iter=80):
        observation, reward, terminated, truncated, info = env.last()
        mask = np.asarray(info.get("action_mask", np.ones(env.action_space(seat).n)))
        action = None if terminated or truncated else int(draw.choice(np.flatnonzero(mask)))
        print(seat, shown(observation), reward, terminated, truncated, shown(info), action)
        env.step(action)


def print_rounds(env: Any) -> None:
    """Print one seeded game with all seats acting at once."""
    import numpy as np

    draw = np.random.default_rng(3)
    observations, infos = env.reset(seed=3)
    while env.agents:
        masks = {seat: infos[seat].get("action_mask", np.ones(env.action_space(seat).n)) for seat in env.agents}
        actions = {seat: int(draw.choice(np.flatnonzero(np.asarray(mask)))) for seat, mask in masks.items()}
        print(shown(observations), actions)
        observations, rewards, ended, cut, infos = env.step(actions)
        print(rewards, ended, cut, shown(infos))


def shown(value: Any) -> str:
    """Return a value as one line of text, arrays with all their numbers."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {shown(value[key])}" for key in sorted(value)) + "}"
    return repr(value.tolist() if hasattr(value, "tolist") else value)


# -------------------------------------------------------------------------------------------------------- comparing


def compare_all(before: Path, after: Path) -> int:
    """Print each file that differs or stands on one side alone, and return how many do (at most 99)."""
    files = sorted({path.relative_to(root) for root in (before, after) for path in root.rglob("*") if path.is_file()})
    compared = [
        file for file in files if file.name not in ("timing.json", "done") and not file.name.endswith(UNCOMPARED)
    ]
    differing = [file for file in compared if normal(before / file, before) != normal(after / file, after)]
    for file in differing:
        print("differs:", file)
    print(f"{len(compared)} files compared, {len(differing)} differ")
    return min(99, len(differing))


def normal(file: Path, root: Path) -> str | None:
    """Return the file's content without times, versions and its folder's name; None where there is no file."""
    if not file.exists():
        return None
    data = file.read_bytes()
    if file.suffix not in (".json", ".jsonl", ".html", ".txt", ".toml", ".csv"):
        return hashlib.sha256(data).hexdigest()
    text = data.decode(errors="surrogateescape").replace(str(root.resolve()), "FOLDER")
    if file.suffix == ".jsonl":
        return "\n".join(sorted(json.dumps(without_times(json.loads(line))) for line in text.splitlines()))
    if file.suffix == ".json":
        return json.dumps(without_times(json.loads(text)))
    if file.suffix == ".html":  # of pages, the charts are files too: those of times are not compared
        text = re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL)
    return re.sub(r"<small>(TIME[, ]*)+</small>\s*", "", TIMES.sub("TIME", text))


def without_times(value: Any) -> Any:
    """Return the value without its volatile keys; an index line (a list) without seconds, place and checksums."""
    if isinstance(value, dict):
        return {key: without_times(inner) for key, inner in value.items() if key not in VOLATILE}
    if isinstance(value, list):
        if len(value) == 24 and isinstance(value[0], int) and isinstance(value[1], str):
            return value[:19]
        return [without_times(inner) for inner in value]
    return value


if __name__ == "__main__":
    main()
