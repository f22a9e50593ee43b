"""The command that measures judges."""

from __future__ import annotations

import json
from pathlib import Path

import click

from interactive_envs.system.terminal import echo, printable


@click.command("judge-check")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@click.option("--paraphrases", "suites", flag_value="paraphrases", multiple=True, help="Own questions in other words.")
@click.option(
    "--explanations", "suites", flag_value="explanations", multiple=True, help="Own explanations, each unseen."
)
@click.option("--fresh", "suites", flag_value="fresh", multiple=True, help="Questions unlike any labelled one.")
@click.option("--adversarial", "suites", flag_value="adversarial", multiple=True, help="Texts that try to fool it.")
@click.option("--claims", "suites", flag_value="claims", multiple=True, help="Claims about the mathematics problems.")
@click.option("--answers", "suites", flag_value="answers", multiple=True, help="Answers to them.")
@click.option(
    "--math-adversarial", "suites", flag_value="math-adversarial", multiple=True, help="The same that try to fool it."
)
@click.option("--page-questions", "suites", flag_value="page-questions", multiple=True, help="Questions about pages.")
@click.option(
    "--page-adversarial", "suites", flag_value="page-adversarial", multiple=True, help="The same that try to fool it."
)
@click.option("--judge", "spec", default="offline", show_default=True, help="The judge to measure.")
@click.option("--workers", type=click.IntRange(1), default=4, show_default=True, help="Requests at once.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def judge_check(file: Path | None, suites: tuple[str, ...], spec: str, workers: int, as_json: bool) -> None:
    """Measure a judge on labelled questions and final answers: a file's (one JSON object a line), or the package's."""
    from tqdm import tqdm

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
        with tqdm(total=len(items), desc=printable(name), unit="text", disable=None, leave=False) as bar:
            reports[name] = checking.check(judge, items, workers=workers, on_verdict=bar.update)
    judge.close()
    if as_json:
        echo(json.dumps({name: report.as_json() for name, report in reports.items()}, indent=1))
        return
    for name, report in reports.items():
        echo(f"{name}\n{'-' * len(name)}\n{checking.render(report)}\n")
