"""Pages of environments: one for each family, one for each class that a family has, all made from the code.

A class's page has what its docstring says, the arguments with their defaults, the first message, an episode that a
player of known strength played, the table as the family draws it, scores of docs/scores.md and all ids. A family with
one class has one page.
"""

from __future__ import annotations

import functools
import inspect
import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import interactive_envs
from interactive_envs import catalog
from interactive_envs.errors import IbenchError
from interactive_envs.family import Yardstick
from interactive_envs.registration import environment_class
from interactive_envs.reporting.records import EpisodeRecord
from interactive_envs.web import looking_back

DOCS = Path(__file__).parents[2] / "docs"
MOST_STEPS, MOST_LINES = 12, 40
"""Of an episode that is shown, and of a message in it."""
HEADS = ("Observation", "Action", "Reward", "Ends", "Info", "Source", "Version history")
GUIDES = {
    "generated": ("generated-games.md", "games-v1.md"),
    "holdem": ("games.md",),
    "math": ("mathematics.md",),
    "query-games": ("query-games.md",),
    "situation-puzzle": ("puzzles.md", "puzzle-gates.md"),
    "trust": ("games.md",),
    "ui2html": ("ui2html.md",),
} | {family: ("black-boxes.md", f"black-boxes/{family}.md") for family in catalog.family("black-box").units}
"""Pages of ``docs`` about a family."""
HIDDEN = {unit: words for card in catalog.families().values() for unit, words in card.hidden.items()}
TITLES = {
    "generated": "Generated games",
    "holdem": "No-limit Texas hold'em",
    "math": "Mathematics",
    "query-games": "Query games",
    "situation-puzzle": "Situation puzzles",
    "trust": "Trust game",
    "ui2html": "UI2Html",
}


@functools.cache
def pages() -> Mapping[str, str]:
    """Markdown by the page's path in the site."""
    found = {"environments/index.md": "\n".join(_index())}
    for family, classes in _groups().items():
        found[f"environments/{family}.md"] = "\n".join(_family(family))
        for name, ids in classes.items():
            if len(classes) > 1:
                found[f"environments/{family}-{name}.md"] = "\n".join(
                    [f"# {_title(family)}: {name}", "", *_class(family, ids), *_ids(ids)]
                )
    return found


def families() -> list[str]:
    """Paths of the families' pages in the site."""
    return [f"environments/{family}.md" for family in _groups()]


def page_of(env_id: str) -> tuple[str, str]:
    """The page that has an id, and the id's anchor there."""
    entry = catalog.entry(env_id)
    name = entry["entry_point"].rpartition(":")[2]
    alone = len(_groups()[entry["family"]]) == 1
    return f"environments/{entry['family']}{'' if alone else f'-{name}'}.md", _anchor(env_id)


def gallery() -> str:
    """Tables as families draw them, each in the middle of an episode, for the front page; HTML in one line."""
    shown = []
    for family, classes in _groups().items():
        ids = [env_id for group in classes.values() for env_id in group]
        env_id = next((one for one in ids if catalog.entry(one)["references"][0]), _general(ids))
        picture = _picture(_played(env_id, _player(env_id))) if catalog.family(family).drawing else ""
        if picture:
            link = f'<a href="environments/{family}.html">{_title(family)}</a>'
            shown.append(f'<figure class="table">{picture}<figcaption>{link}</figcaption></figure>')
    return f'<div class="gallery">{"".join(shown)}</div>'


@functools.cache
def _groups() -> dict[str, dict[str, list[str]]]:
    """Ids by family and class."""
    groups: dict[str, dict[str, list[str]]] = {}
    for env_id in catalog.load()["units"]:
        entry = catalog.entry(env_id)
        groups.setdefault(entry["family"], {}).setdefault(entry["entry_point"].rpartition(":")[2], []).append(env_id)
    return dict(sorted(groups.items()))


def _title(family: str) -> str:
    return TITLES.get(family, f"Black boxes: {family}")


def _anchor(env_id: str) -> str:
    return env_id.rpartition("/")[2].lower()


def _index() -> Iterator[str]:
    count = sum(len(ids) for classes in _groups().values() for ids in classes.values())
    yield "# Environments"
    yield ""
    yield f"{count} ids in {len(_groups())} families. `ibench list --all` prints them; `ibench info ID` prints a page."
    yield ""
    yield "| family | hidden | ids | such as |"
    yield "|---|---|---|---|"
    for family, classes in _groups().items():
        ids = [env_id for group in classes.values() for env_id in group]
        yield f"| [{_title(family)}]({family}.md) | {HIDDEN.get(family, '')} | {len(ids)} | `{_general(ids)}` |"


def _general(ids: list[str]) -> str:
    return min(ids, key=lambda name: (len(name), name))


def _family(family: str) -> Iterator[str]:
    classes = _groups()[family]
    yield f"# {_title(family)}"
    yield ""
    yield f"**Hidden:** {HIDDEN.get(family, 'see below')}."
    yield ""
    guides = [f"[{_heading(DOCS / guide)}](../{guide})" for guide in GUIDES.get(family, ())]
    if guides:
        yield f"**Guide:** {', '.join(guides)}."
    yield ""
    if len(classes) == 1:
        (ids,) = classes.values()
        yield from _class(family, ids)
        yield from _scores(family)
        yield from _players(family)
        yield from _ids(ids)
        return
    yield from _classes(family)
    yield from _scores(family)
    yield from _players(family)


def _heading(page: Path) -> str:
    return page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def _classes(family: str) -> Iterator[str]:
    yield "## Classes"
    yield ""
    yield "| class | ids | about it |"
    yield "|---|---|---|"
    for name, ids in _groups()[family].items():
        summary = _plain(inspect.getdoc(environment_class(ids[0])) or "").partition("\n")[0]
        yield f"| [{name}]({family}-{name}.md) | {len(ids)} | {summary} |"
    yield ""


@functools.cache
def _yardsticks(family: str) -> tuple[Yardstick, ...]:
    card = catalog.family(family)
    known = catalog.attribute(card.scores) if card.scores else ()
    return tuple(
        one for one in known if any(catalog.entry(env_id)["family"] == family for env_id, _ in one.environments)
    )


def _scores(family: str) -> Iterator[str]:
    """The family's lines of the tables in docs/scores.md, the one by level after the other."""
    titles = {one.title for one in _yardsticks(family)}
    lines = (DOCS / "scores.md").read_text(encoding="utf-8").splitlines()
    tables: list[list[str]] = []
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith("|") and after.startswith("|---"):
            tables.append([line, after])
        elif line.startswith("|") and any(line.startswith(f"| {title} |") for title in titles):
            tables[-1].append(line)
    tables = [table for table in tables if len(table) > 2]
    if not tables:
        return
    yield "## What players of known strength score"
    yield ""
    yield "Means with 95 % intervals, as [measured](../scores.md)."
    yield ""
    for table in tables:
        yield from (*table, "")


def _players(family: str) -> Iterator[str]:
    players = {
        name: entry["summary"] for name, entry in catalog.load()["agents"].items() if name.partition("/")[0] == family
    }
    yield "## Players"
    yield ""
    yield "Language models (`llm:…`), `local`, `random` and `human` play every environment. These play this family:"
    yield ""
    yield "| player | what it does |"
    yield "|---|---|"
    for name, summary in sorted(players.items()):
        yield f"| `{name}` | {_plain(summary)} |"
    yield ""


def _class(family: str, ids: list[str]) -> Iterator[str]:
    env_id = _general(ids)
    entry = catalog.entry(env_id)
    cls = environment_class(env_id)
    doc = _plain(inspect.getdoc(cls) or "").partition(">>>")[0]
    summary, _, rest = doc.partition("\n")
    heads = _sections(rest)
    yield f"**{summary}**"
    yield ""
    yield from _free_text(rest)
    yield "```python"
    yield "import gymnasium as gym\nimport interactive_envs\n"
    yield f'env = gym.make("{env_id}")\nobservation, info = env.reset(seed=0)'
    yield "```"
    yield ""
    yield "## What it is"
    yield ""
    yield "| | |"
    yield "|---|---|"
    for head in HEADS[:6]:
        if head in heads:
            yield f"| **{head}** | {_inherited(head, heads[head])} |"
    yield f"| **Reward range** | {entry['reward_range'][0]:g} to {entry['reward_range'][1]:g} |"
    yield f"| **Views** | {', '.join(entry['views'])} |"
    yield f"| **Levels** | {'1 to 5: `difficulty`' if 'difficulty' in entry['defaults'] else 'none'} |"
    yield f"| **Papers** | {'; '.join(entry['sources'])} |"
    if "Version history" in heads:
        yield f"| **Versions** | {heads['Version history']} |"
    yield ""
    yield from _arguments(doc, entry)
    yield from _episode(env_id)


def _sections(rest: str) -> dict[str, str]:
    """A docstring's paragraphs that begin with a word of :data:`HEADS`, each in one line."""
    found = re.findall(rf"^({'|'.join(HEADS)}): (.*?)(?=^\S|\Z|\n\n)", rest, re.MULTILINE | re.DOTALL)
    return {head: " ".join(text.split()).replace("|", "\\|") for head, text in found}


def _free_text(rest: str) -> Iterator[str]:
    """Paragraphs of a docstring that no head and no list of arguments begins."""
    for paragraph in rest.partition("\nArgs:")[0].strip().split("\n\n"):
        if not re.match(rf"(?:{'|'.join(HEADS)}):", paragraph):
            yield from (paragraph, "")


def _inherited(head: str, text: str) -> str:
    """A section; one that says "as in module.Class" is followed by what that class says."""
    named = re.search(r"as (?:in|of|interactive_envs\S* says|) ?`?(interactive_envs[\w.]+)", text)
    if named is None or head != "Info":
        return text
    module, _, name = named[1].rpartition(".")
    other = _sections(_plain(inspect.getdoc(catalog.attribute(f"{module}:{name}")) or ""))
    return f"{text} There: {other[head]}" if head in other else text


def _arguments(doc: str, entry: Mapping[str, Any]) -> Iterator[str]:
    given = doc.partition("\nArgs:\n")[2]
    listed = re.findall(r"^    (\w+): (.*?)(?=^    \w+: |\n\n|\Z|^\S)", given, re.MULTILINE | re.DOTALL)
    about = {name: " ".join(text.split()).replace("|", "\\|") for name, text in listed}
    yield "## Arguments"
    yield ""
    yield "Of `gym.make(id, …)`; at the command line `-k NAME=JSON`."
    yield ""
    yield "| argument | default | meaning |"
    yield "|---|---|---|"
    for name, default in entry["defaults"].items():
        yield f"| `{name}` | `{json.dumps(default)}` | {about.get(name, '')} |"
    yield ""
    for name, values in entry["presets"].items():
        given = ", ".join(f"`{key}={json.dumps(value)}`" for key, value in values.items())
        yield f'`preset="{name}"` sets {given}.'
        yield ""


def _episode(env_id: str) -> Iterator[str]:
    """The first message, an episode and a picture of its middle."""
    player = _player(env_id)
    try:
        record = _played(env_id, player)
    except IbenchError as error:  # web pages, where there is no browser
        yield f"No episode is shown: {error}"
        yield ""
        return
    yield "## The first message"
    yield ""
    yield "With seed 0:"
    yield ""
    yield from _block(record.steps[0].observation, 400)
    picture = _picture(record)
    if picture:
        yield "## The table"
        yield ""
        yield f'<figure class="table">{picture}</figure>'
        yield ""
    yield "## An episode"
    yield ""
    yield f"Played by `{player}`; outcome *{record.outcome}*, reward {record.reward:g}."
    yield ""
    for number, step in enumerate(record.steps[:MOST_STEPS]):
        if number:
            yield "*Environment*"
            yield ""
            yield from _block(step.observation, MOST_LINES)
        yield "*Player*"
        yield ""
        yield from _block(step.action, MOST_LINES)
    left = len(record.steps) - MOST_STEPS
    if left > 0:
        yield f"… {left} more messages, and at the end:"
        yield ""
    yield "*Environment*"
    yield ""
    yield from _block(record.final_observation, MOST_LINES)


def _player(env_id: str) -> str:
    """A player that knows how to play an id."""
    entry = catalog.entry(env_id)
    known = (one.players.get("reference") for one in _yardsticks(entry["family"]))
    return entry["references"][0] or next(filter(None, known), "random")


@functools.cache
def _played(env_id: str, player: str) -> EpisodeRecord:
    with tempfile.TemporaryDirectory() as folder:
        run = interactive_envs.evaluate(env_id, [player], episodes=1, out=Path(folder) / "run")
        (record,) = run.episodes
    return record


def _picture(record: EpisodeRecord) -> str:
    """The table in the middle of an episode as SVG in one line; "" where none is drawn."""
    drawn = [str(frame.drawing) for frame in looking_back.frames(record)]
    return drawn[len(drawn) // 2].replace("\n", " ")


def _block(text: str, most: int) -> Iterator[str]:
    """A text as it is, cut where it is long."""
    lines = text.splitlines()
    if len(lines) > most:
        lines = [*lines[:most], "…"]
    fence = "`" * max(3, *(len(found) + 1 for found in re.findall(r"`+", text)), 3)
    yield f"{fence}text"
    yield from (line[:1000] for line in lines)
    yield fence
    yield ""


def _ids(ids: list[str]) -> Iterator[str]:
    yield "## Ids"
    yield ""
    yield "| id | about it |"
    yield "|---|---|"
    for env_id in ids:
        summary = _plain(catalog.entry(env_id)["summary"]).replace("|", "\\|")
        yield f'| <span id="{_anchor(env_id)}">`{env_id}`</span> | {summary} |'


def _plain(text: str) -> str:
    """A docstring with names as Markdown has them, the modules of classes left out where a class is enough."""
    text = re.sub(r":\w+:`~[\w.]*?(\w+)`", r"`\1`", text)
    return re.sub(r":\w+:`([^`]*)`", r"`\1`", text).replace("``", "`")
