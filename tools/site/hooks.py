"""What MkDocs calls while it builds the site: ``make site``.

Pages of environments are made from the catalogue, the classes' docstrings and docs/scores.md. The repository's files
outside ``docs`` that readers look for become pages. A link to any other file of the repository becomes its name, for
the site holds documentation and no code.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page

from tools.site import environments

ROOT = Path(__file__).parents[2]
FROM_ROOT = {
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "code-of-conduct.md": "CODE_OF_CONDUCT.md",
    "reporting-faults.md": "SECURITY.md",
}
"""Pages of the site, and the files that they are."""
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in ``docs``."""
    for name, text in environments.pages().items():
        files.append(File.generated(config, name, content=text))
    for name, source in FROM_ROOT.items():
        files.append(File.generated(config, name, content=(ROOT / source).read_text(encoding="utf-8")))
    styles = (ROOT / "interactive_envs/web/data/app.css").read_text(encoding="utf-8").splitlines()
    drawings = "\n".join(line for line in styles if line.startswith("svg "))
    files.append(File.generated(config, "drawings.css", content=drawings))
    return files


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
    """List the families' pages; they lead to those of their classes."""
    place = next(item for item in nav.items if isinstance(item, Section) and item.title == "Environments")
    for name in environments.families():
        file = files.get_file_from_path(name)
        assert file is not None  # noqa: S101  on_files added it
        page = file.page if isinstance(file.page, Page) else Page(None, file, config)
        page.parent = place
        place.children.append(page)
        nav.pages.append(page)
    for before, after in zip(nav.pages, nav.pages[1:], strict=False):
        before.next_page, after.previous_page = after, before
    return nav


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links that leave the site into the names of what they lead to; set off lists as Markdown's library wants."""
    markdown = (
        markdown.replace("<!-- gallery -->", environments.gallery()) if "<!-- gallery -->" in markdown else markdown
    )
    here = page.file.src_uri
    inside = {file.src_uri for file in files}
    origin = FROM_ROOT.get(here, f"docs/{here}")

    def link(found: re.Match[str]) -> str:
        mark, text, target, anchor = found.groups()
        if "://" in target or target.startswith("mailto:"):
            return found[0]
        leads = posixpath.normpath(posixpath.join(posixpath.dirname(origin), target))
        as_page = next((name for name, source in FROM_ROOT.items() if source == leads), leads.removeprefix("docs/"))
        if as_page in inside and (leads.startswith("docs/") or leads in FROM_ROOT.values()):
            return f"{mark}[{text}]({posixpath.relpath(as_page, posixpath.dirname(here) or '.')}{anchor or ''})"
        if leads == "README.md":
            return f"{mark}[{text}]({posixpath.relpath('index.md', posixpath.dirname(here) or '.')})"
        return text if not mark else found[0]

    return "\n".join(_spaced(_outside_code(markdown, lambda line: _LINK.sub(link, line))))


def _outside_code(markdown: str, change: Any) -> Iterator[str]:
    """The lines, changed where they are no code; text between two links may run over a line's end."""
    fenced = False
    block: list[str] = []
    for line in markdown.splitlines():
        if line.lstrip().startswith("```"):
            yield from change("\n".join(block)).splitlines() if block else ()
            block = []
            fenced = not fenced
            yield line
        elif fenced:
            yield line
        else:
            block.append(line)
    yield from change("\n".join(block)).splitlines()


_ITEM = re.compile(r"(?:[-*+]|\d+\.) ")


def _spaced(lines: Iterator[str]) -> Iterator[str]:
    """An empty line before each list, which GitHub does not need and Markdown's library does."""
    before, fenced = "", False
    for line in lines:
        if line.lstrip().startswith("```"):
            fenced = not fenced
        starts = _ITEM.match(line) and before and not _ITEM.match(before) and not before.startswith((" ", "\t"))
        if starts and not fenced:
            yield ""
        yield line
        before = line
