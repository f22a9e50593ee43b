"""What is installed on this machine, what is missing for which purpose, and how to get it: ``ibench doctor``."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import subprocess
from collections.abc import Callable, Iterable
from typing import NamedTuple

import interactive_envs
from interactive_envs import sandbox
from interactive_envs.errors import ConfigError
from interactive_envs.llm import cache, weights
from interactive_envs.llm.http import PROVIDERS
from interactive_envs.ui2html.rendering import browser

EXTRAS = (
    ("litellm", "llm", "providers without an OpenAI-compatible endpoint"),
    ("matplotlib", "report", "charts of the report"),
    ("pyarrow", "parquet", "ibench export parquet"),
    ("sympy", "math", "the judge of mathematics"),
    ("axelrod", "axelrod", "the Axelrod library's players"),
    ("playwright", "ui", "pages as pictures"),
    ("uvicorn", "web", "ibench serve"),
    ("PIL", "ui", "likeness of pictures"),
    ("torch", "train", "training"),
    ("stable_baselines3", "train", "training on numeric twins"),
    ("sb3_contrib", "train", "training with masked actions"),
    ("ray", "ray", "runs and training on several machines"),
    ("mcp", "mcp", "ibench mcp"),
    ("inspect_ai", "inspect", "our tasks and players in inspect_ai"),
    ("openenv", "openenv", "ibench openenv"),
    ("trl", "trl", "training of language models with TRL"),
    ("verifiers", "verifiers", "the same with verifiers"),
    ("skyrl_gym", "skyrl", "the same with SkyRL"),
    ("verl", "verl", "the same with verl"),
    ("tensorboard", "tensorboard", "--log tensorboard"),
    ("wandb", "wandb", "--log wandb"),
    ("mlflow", "mlflow", "--log mlflow"),
)
"""Optional packages: the module, the extra that brings it, what it is for."""


class Finding(NamedTuple):
    """One line of the table.

    Attributes:
        area: what it belongs to.
        name: what was looked for.
        found: its version or place; empty if it is missing.
        purpose: what it is for.
        remedy: how to get it, if it is missing.
    """

    area: str
    name: str
    found: str
    purpose: str = ""
    remedy: str = ""


def findings() -> list[Finding]:
    """Look at everything."""
    return [*_sandbox(), *_models(), *_extras(), *_tools()]


def render(found: Iterable[Finding]) -> str:
    """The table, an area after the other."""
    rows = list(found)
    lines, area = [f"interactive-envs {interactive_envs.__version__}, Python {platform.python_version()}"], ""
    width = max(len(row.name) for row in rows)
    for row in rows:
        if row.area != area:
            area = row.area
            lines += ["", area]
        lines.append(f"  {row.name:<{width}}  {row.found or 'missing':<16}  {row.purpose}".rstrip())
        if row.remedy:
            lines.append(f"  {'':<{width}}  -> {row.remedy}")
    return "\n".join(lines)


def _sandbox() -> list[Finding]:
    area = "Sandbox for code that is not trusted"
    try:
        used = sandbox.level_in_use()
        weak = "foreign code may delete your files at this level" if used < sandbox.Level.SECCOMP else ""
        message = f"{used.name.lower()}; docs/sandbox.md says what it leaves"
        level = Finding(area, "level", f"{int(used)} of 3", message, weak)
    except ConfigError as error:
        level = Finding(area, "level", "", "", str(error))
    parts = [
        Finding(
            area, part.name, part.found, f"for level {int(part.level)}" + ", optional" * (not part.needed), part.remedy
        )
        for part in sandbox.parts()
    ]
    return [level, *parts]


def _models() -> list[Finding]:
    area = "Local models"
    return [Finding(area, part.name, part.version or "", part.purpose, part.problem or "") for part in weights.status()]


def _extras() -> list[Finding]:
    rows = []
    for module, extra, purpose in EXTRAS:
        found = importlib.util.find_spec(module) is not None
        remedy = "" if found else f"pip install 'interactive-envs[{extra}]'"
        rows.append(Finding("Extras", module, "installed" if found else "", purpose, remedy))
    return rows


def _tools() -> list[Finding]:
    area = "Tools, keys and folders"
    keys = sorted({provider.key for provider in PROVIDERS.values() if os.environ.get(provider.key)})
    return [
        _found(area, "chromium", lambda: _version(browser.find_chromium()), "UI2Html, tests of the report page"),
        _found(area, "page fonts", browser.find_fonts, "UI2Html sets its pages in Liberation"),
        Finding(area, "model cache", str(cache.default_path())),
        Finding(area, "keys set", ", ".join(keys) or "none", "" if keys else "local and rule players can play"),
    ]


def _found(area: str, name: str, look: Callable[[], str], purpose: str) -> Finding:
    """A line for what is looked for with a function that raises a remedy."""
    try:
        return Finding(area, name, look(), purpose)
    except ConfigError as error:
        return Finding(area, name, "", purpose, str(error))


def _version(program: str) -> str:
    """A program's own words about its version, and where it is."""
    try:
        output = subprocess.run(  # noqa: S603
            [program, "--version"], capture_output=True, text=True, timeout=20, check=False
        ).stdout
    except (OSError, subprocess.SubprocessError):
        output = ""
    number = re.search(r"\d+(?:\.\d+)+", output)
    return f"{number[0]}, {program}" if number else f"{program}, which tells no version"
