"""Let players of known strength play: every family for docs/scores.md, or the suite core for its leaderboard.

``make scores`` runs the first, ``python -m tools.scores --core standard`` the second, which also packs its run folder
into ``releases/core-v1``.
"""

from __future__ import annotations

import argparse
import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

from interactive_envs import catalog
from interactive_envs.cli.progress import RunBars
from interactive_envs.evaluation.core import results, suite
from interactive_envs.evaluation.core.agreement import agreement
from interactive_envs.evaluation.run import pool
from interactive_envs.evaluation.validate import scores
from interactive_envs.evaluation.validate.scores import Measured
from interactive_envs.family import ROLES
from interactive_envs.system import parts
from interactive_envs.system.terminal import echo

_HEAD = """\
# What a score is worth

Mean reward of players of known strength, with 95 % intervals; all players of a line meet the same cases. *No
interaction* plays as the reference does and may not ask: where asking is the point it is near chance. *Exact* plays
perfectly. Of web pages, whose reference knows how targets are drawn, the player that asks nothing is the template.
`make scores` writes this page; `ibench validate --long` checks that the reference is within reach at every
level and falls with it, that the players are in order, and that asking pays.
"""


def page(measured: list[Measured]) -> str:
    """The page's text."""
    lines = [_HEAD, f"| setting | {' | '.join(ROLES)} | n |", f"|---|{'---|' * len(ROLES)}---|"]
    lines += [_line(one.yardstick.title, one, None) for one in measured]
    lines += [
        "",
        "## By level",
        "",
        f"| setting | level | {' | '.join(ROLES)} | n |",
        f"|---|---|{'---|' * len(ROLES)}---|",
    ]
    for one in measured:
        lines += [_line(f"{one.yardstick.title} | {level}", one, level) for level in one.yardstick.levels]
    findings = [f"- {one.yardstick.title}: {problem}." for one in measured for problem in _problems(one)]
    if findings:
        lines += ["", "## What is not yet as it should be", "", *findings]
    return "\n".join(lines) + "\n"


def _line(head: str, measured: Measured, level: int | None) -> str:
    found = [measured.score(role, level) for role in ROLES]
    shown = ["" if score.value is None else scores.text(score) for score in found]
    return f"| {head} | {' | '.join(shown)} | {max(score.n for score in found)} |"


def _problems(measured: Measured) -> Iterator[str]:
    for holds in scores.PROPERTIES:
        yield from holds(measured)


def play_core(size: str, out: Path, workers: int) -> None:
    """Let every role play the suite core, or go on where an earlier call stopped; the package keeps the results."""
    config = suite.plan(size, ROLES)
    bars = RunBars(config)
    resume = (out / "config.json").exists()
    try:
        store = pool.run(
            config, out, workers=workers, backend="process", resume=resume, progress=bars.advance, begin=bars.begin
        )
    finally:
        bars.close()
    if missing := config.total - len(store.rows()):
        raise SystemExit(f"{missing} episodes are missing; the same command goes on")
    results.write_baselines(size, results.played(store), results.effort_of(store, "reference"))
    pack(out, Path("releases") / suite.VERSION / f"{size}.tar.xz", f"{suite.VERSION}-{size}")


def pack(run: Path, archive: Path, name: str) -> None:
    """Compress a run folder; who packed it and when stays out, and so does its stamp: others verify it themselves."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    episodes = parts.Lines(run / "episodes.jsonl")  # plain text gets far smaller here than parts that are compressed
    with tarfile.open(archive, "w:xz", preset=9) as out, episodes.open() as lines:
        for file in ("config.json", "index.jsonl", "summary.json", "timing.json"):
            content = (run / file).read_bytes()
            out.addfile(_entry(f"{name}/{file}", len(content)), io.BytesIO(content))
        size = lines.seek(0, io.SEEK_END)
        lines.seek(0)
        out.addfile(_entry(f"{name}/episodes.jsonl", size), lines)


def _entry(name: str, size: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.size = size
    return entry


def agreement_table(size: str) -> str:
    """How a size ranks players, as docs/core.md has it."""
    found = agreement(size)
    rows = [
        f"| {low:.0f} to {high:.0f} points | {share:.0%} |" if high else f"| more than {low:.0f} points | {share:.0%} |"
        for (low, (share, _)), high in zip(found.alike.items(), [*list(found.alike)[1:], None], strict=True)
    ]
    head = f"| apart on `{results.baselines().size}` | in the same order on `{size}` |\n|---|---|\n"
    taus = f"Kendall's tau: {found.known:.2f} for the players below, {found.ladder:.2f} for the mixtures."
    return head + "\n".join(rows) + "\n\n" + taus


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", help="Default: all; the page is then written.")
    parser.add_argument("--episodes", type=int, help="In place of each setting's own number.")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--core", choices=[*suite.SIZES], help="Play a size of the suite core instead.")
    parser.add_argument("--out", type=Path, default=Path("runs/core-known"), help="The folder of that run.")
    parser.add_argument("--agreement", choices=[*suite.SIZES], help="Print how a smaller size ranks players.")
    options = parser.parse_args()
    if options.agreement:
        echo(agreement_table(options.agreement))
        return
    if options.core:
        play_core(options.core, options.out, options.workers)
        return
    found: list[Measured] = []
    for family in options.families or catalog.families():
        for yardstick in scores.yardsticks(family):
            one = scores.measure(yardstick, episodes=options.episodes, workers=options.workers, backend="process")
            found.append(one)
            shown = {role: scores.text(one.score(role)) for role in one.results}
            echo(f"{yardstick.title}: {shown}")
            for problem in _problems(one):
                echo(f"  {problem}")
    if not options.families:
        Path("docs/scores.md").write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
