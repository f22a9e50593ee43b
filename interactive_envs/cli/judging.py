"""The commands that measure judges, and check the puzzles that they judge."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from interactive_envs import catalog
from interactive_envs.cli.options import combine
from interactive_envs.system.terminal import echo, printable

_suites = combine(
    *(
        click.option(f"--{suite}", "suites", flag_value=suite, multiple=True, help=f"A labelled suite of {card.name}.")
        for card in catalog.families().values()
        for suite in card.labelled
    )
)


@click.command("judge-check")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@_suites
@click.option("--judge", "spec", default="offline", show_default=True, help="The judge to measure.")
@click.option("--workers", type=click.IntRange(1), default=4, show_default=True, help="Requests at the same time.")
@click.option("--curve", is_flag=True, help="Print what share is wrong if only the surest verdicts are answered.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write how often its verdicts on final answers are right, for `ibench report RUN --judge-errors FILE`.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def judge_check(
    file: Path | None, suites: tuple[str, ...], spec: str, workers: int, curve: bool, out: Path | None, as_json: bool
) -> None:
    """Measure a judge's accuracy on labelled requests.

    FILE holds your own, one JSON object per line. The other options choose suites of the package.
    """
    from interactive_envs.cli.progress import counting
    from interactive_envs.evaluation.judging import check as checking
    from interactive_envs.evaluation.judging import suites as judge_suites
    from interactive_envs.judges.base import resolve_judge

    if file is None and not suites:
        raise click.UsageError("give a FILE, or one of --paraphrases, --claims, --page-questions and so on; see --help")
    judge = resolve_judge(spec)()
    parts = {str(file): judge_suites.read_items(file)} if file else {}
    parts |= {suite: judge_suites.items(suite, without=judge.tuned_on) for suite in suites}
    left = {item.case for suite in suites for item in judge_suites.items(suite)} & judge.tuned_on
    if left:
        echo(f"Left out: the {len(left)} cases this judge was tuned on.", err=True)
    reports = {}
    for name, items in parts.items():
        with counting("text", len(items), printable(name)) as advance:
            reports[name] = checking.check(judge, items, workers=workers, on_verdict=advance)
    judge.close()
    if out is not None:
        _write_errors(
            out, spec, judge.describe(), {name: (parts[name], report.rows) for name, report in reports.items()}
        )
    if as_json:
        echo(json.dumps({name: report.as_json() for name, report in reports.items()}, indent=1))
        return
    for name, report in reports.items():
        echo(f"{name}\n{'-' * len(name)}\n{checking.render(report)}\n")
        for kind in checking.KINDS:
            points = checking.curve([row for row in report.rows if row.kind == kind]) if curve else []
            if points:
                echo(f"{kind}s, by how sure the judge is\n{checking.render_curve(points)}\n")


def _write_errors(out: Path, spec: str, described: dict[str, Any], parts: dict[str, Any]) -> None:
    from interactive_envs.errors import ConfigError
    from interactive_envs.evaluation.judging import check as checking
    from interactive_envs.reporting.correction import estimates as corrected
    from interactive_envs.system.disk import write_atomically

    rows = [row for _, found in parts.values() for row in found]
    tasks = {item.request.task for items, _ in parts.values() for item in items if item.request.kind == "final"}
    if len(tasks) != 1:
        raise ConfigError(f"--out needs final answers of one family, got {', '.join(sorted(tasks)) or 'none'}")
    write_atomically(out, json.dumps(checking.errors_of(spec, rows, tasks.pop(), described)) + "\n")
    found = corrected.read(out)
    echo(
        f"Written to {out}: accepts {found.sensitivity.value:.1%} of right final answers and refuses "
        f"{found.specificity.value:.1%} of wrong ones, of those that it answers.",
        err=True,
    )


@click.group()
def puzzles() -> None:
    """Check a set of situation puzzles of your own."""


@puzzles.command("check")
@click.argument("dataset", metavar="FILE", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print all findings as JSON.")
def check_puzzles(dataset: str, as_json: bool) -> None:
    """Say what is wrong with each puzzle, else sum them up.

    FILE is what -k dataset=FILE takes: a .jsonl file with a puzzle per line, or a folder of .json files with a puzzle
    each. An error means that a puzzle cannot be read, or that no question tells a wrong explanation from the right one.
    The exit status is 1 if there is any.
    """
    from interactive_envs.situation_puzzle.checking import check

    report = check(dataset)
    if as_json:
        findings = [vars(finding) for finding in report.findings]
        echo(json.dumps({"puzzles": len(report.puzzles), "findings": findings}, indent=1, ensure_ascii=False))
        sys.exit(report.errors > 0)
    for finding in report.findings:
        where = f"{finding.where}: " if finding.where else ""
        echo(printable(f"{'error' if finding.fatal else 'note'}: {where}{finding.problem}"))
    menus = [puzzle for puzzle in report.puzzles if puzzle.has_menu]
    questions = sum(len(puzzle.questions) for puzzle in menus)
    echo(
        f"{_many(len(report.puzzles), 'puzzle')} read, {len(menus)} with a menu ({_many(questions, 'question')}); "
        f"{_many(report.errors, 'error')}, {_many(len(report.findings) - report.errors, 'note')}."
    )
    sys.exit(report.errors > 0)


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
