"""What the documentation names is there: options of the command line, and files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from interactive_envs.cli.main import main

ROOT = Path(__file__).parents[1]
TEXTS = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "interactive_envs").rglob("data/**/*.toml"),
    ]
)
OTHERS = {
    *("--strict", "--with-deps", "--tag", "--rm", "--model", "--epochs", "--limit", "--log-dir", "--retry-on-error"),
    *("--no-push", "--client", "--env", "--skip-build", "--url"),
    *("--head", "--port", "--num-cpus", "--include-dashboard", "--block"),
    *("--nodes", "--ntasks", "--ntasks-per-node", "--cpus-per-task"),
}
"""Options of mypy, Playwright, Docker, inspect_ai, verifiers, OpenEnv, Ray and Slurm."""
OF_TOOLS = {
    option
    for folder in ("tools", "benchmarks")
    for tool in (ROOT / folder).rglob("*.py")
    for option in re.findall(r'add_argument\("(--[a-z-]+)"', tool.read_text(encoding="utf-8"))
}


def options(command: click.Command) -> Iterator[str]:
    for parameter in command.params:
        yield from (*parameter.opts, *parameter.secondary_opts)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from options(below)


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_options_and_files_that_a_text_names_exist(text: Path) -> None:
    words = text.read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", words))
    assert named - OTHERS - OF_TOOLS <= {*options(main)} | {"--help"}
    files = re.findall(r"`([\w.-]+/[\w./-]+\.(?:py|json|jsonl|toml|md|csv))`", words)
    places = (ROOT, ROOT / "interactive_envs", text.parent)
    assert [
        name
        for name in files
        if not name.startswith("runs/") and "NAME" not in name and not any((place / name).exists() for place in places)
    ] == []


def heads(text: str) -> set[str]:
    """Anchors of a page's headings, as GitHub makes them."""
    found = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", head)).lower() for head in found]
    return {head.replace(" ", "-") for head in plain}


@pytest.mark.parametrize("text", [path for path in TEXTS if path.suffix == ".md"], ids=lambda path: path.stem)
def test_links_lead_somewhere(text: Path) -> None:
    words = re.sub(r"^```.*?^```", "", text.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target, anchor in re.findall(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)", words):
        place = text.parent / target if target else text
        made = target.endswith((".html", "/index.md")) or target.startswith("environments/")  # by make site
        assert place.exists() or made, target
        assert not anchor or place.suffix != ".md" or anchor in heads(place.read_text(encoding="utf-8")), anchor


@pytest.mark.parametrize("command", ["vf-eval verifiers-ibench", "vf-eval verifiers-ibench-two"])
def test_no_example_uploads_results(command: str) -> None:
    """What verifiers does unless it is told not to."""
    texts = [*TEXTS, *(ROOT / "examples").rglob("*.py")]
    words = [re.sub(r"\\\n\s*", "", text.read_text(encoding="utf-8")) for text in texts]
    lines = [line for text in words for line in text.splitlines() if f"{command} " in line]
    assert lines
    assert [line for line in lines if "--no-push" not in line] == []
