"""Let the players of known strength play the suite core, and keep their results: ``python -m tools.core``."""

from __future__ import annotations

import argparse
from pathlib import Path

from interactive_envs.cli.progress import RunBars
from interactive_envs.evaluation.core import results, suite
from interactive_envs.evaluation.run import pool
from interactive_envs.family import ROLES
from interactive_envs.system.terminal import echo


def main() -> None:
    """Play, or go on where an earlier call stopped, and write the results into the package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", choices=[*suite.SIZES], default="standard")
    parser.add_argument("--out", type=Path, default=Path("runs/core-known"))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--agent", action="append", default=[], help="NAME=SPEC of a player beside the roles.")
    options = parser.parse_args()
    config = suite.plan(options.size, [*ROLES, *options.agent])
    bars = RunBars(config)
    try:
        store = pool.run(
            config,
            options.out,
            workers=options.workers,
            backend="process",
            resume=(options.out / "config.json").exists(),
            progress=bars.advance,
            begin=bars.begin,
            on_fault=bars.fault,
        )
    finally:
        bars.close()
    if missing := config.total - len(store.rows()):
        raise SystemExit(f"{missing} episodes are missing; the same command goes on")
    results.write_baselines(options.size, results.played(store))
    echo(f"Results: {results.FILE}")


if __name__ == "__main__":
    main()
