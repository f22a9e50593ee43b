"""The commands that look at environments and at the folders of runs."""

from __future__ import annotations

import fnmatch
import inspect
import itertools
import json
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

from interactive_envs import catalog
from interactive_envs.cli.options import complete, env_arguments
from interactive_envs.cli.results import cell_labels, percent, report_folder
from interactive_envs.errors import ConfigError, IbenchError, MissingExtraError, UnknownNameError
from interactive_envs.system.terminal import echo, printable

MOST_LINES = 40
"""Of a message that is shown as an example."""
LONGEST_PATTERN = 500
"""Characters in a pattern of ids; matching takes time that grows with their square."""


@click.command("list")
@click.option("--agents", "kind", flag_value="agents", help="List players instead.")
@click.option("--judges", "kind", flag_value="judges", help="List judges instead.")
@click.option("--all", "every", is_flag=True, help="List every environment by its id.")
@click.option("--family", help="Only environments, or players, of a family, such as query-games or cipher.")
@click.option("--structure", help="Only query games about a set, sequence, tree or graph.")
@click.option("--mode", help="Only deductive, inductive or abductive query games.")
@click.option("--level", is_flag=True, help="Only environments with levels: -k difficulty=1 to 5.")
@click.option("--search", metavar="WORDS", help="Only what has these words in its name or summary.")
@click.option("--json", "as_json", is_flag=True, help="Print the catalog as JSON.")
def list_(
    kind: str | None,
    every: bool,
    family: str | None,
    structure: str | None,
    mode: str | None,
    level: bool,
    search: str | None,
    as_json: bool,
) -> None:
    """List families of environments, the environments that options name, players or judges."""
    of_environments = {"--all": every, "--structure": structure, "--mode": mode, "--level": level}
    of_environments |= {"--family": family} if kind == "judges" else {}
    if kind is not None and (given := [name for name, value in of_environments.items() if value]):
        raise ConfigError(f"--{kind} lists no environments; leave out {', '.join(given)}")
    chosen = family is not None or structure is not None or mode is not None or level or search is not None
    entries = dict(catalog.load()[kind or "units"])
    if kind is None:
        entries |= {env_id: catalog.entry(env_id) for env_id in catalog.ids() if env_id not in entries}
    else:  # of players and judges of other packages no summary is known
        entries |= {name: {"summary": cls} for name, cls in catalog.table(kind).items() if name not in entries}
    if family is not None:
        cards = {name: card.units for name, card in catalog.families().items()}
        found = {entry["family"] for entry in catalog.load()["units"].values()}
        if family not in found | cards.keys():
            raise UnknownNameError("family", family, found | cards.keys())
        wanted = {family, *cards.get(family, ())} | ({""} if kind else set())  # players without one play all
        entries = {name: one for name, one in entries.items() if one.get("family", _player_of(name)) in wanted}
    for tag, value in (("structure", structure), ("mode", mode)):
        if value is not None:
            known = {entry["tags"][tag] for entry in catalog.load()["units"].values() if tag in entry["tags"]}
            if value not in known:
                raise UnknownNameError(tag, value, known)
            entries = {name: entry for name, entry in entries.items() if entry.get("tags", {}).get(tag) == value}
    if level:
        entries = {name: entry for name, entry in entries.items() if "difficulty" in entry["defaults"]}
    if search is not None:
        words = search.lower().split()
        entries = {name: one for name, one in entries.items() if _holds(f"{name} {one['summary']}".lower(), words)}
    if as_json:
        echo(_dump(entries))
    elif kind is None and not (every or chosen):
        _echo_families(entries)
    else:
        width = max(map(len, entries), default=0)
        for name, entry in entries.items():
            echo(f"{name:<{width}}  {entry['summary'].replace('``', '')}")
        if not entries:
            echo("There is none.")


def _player_of(name: str) -> str:
    """The family of a player, "" for one that plays all."""
    return name.partition("/")[0] if "/" in name else ""


def _holds(text: str, words: Iterable[str]) -> bool:
    return all(word in text for word in words)


def _echo_families(entries: Mapping[str, Mapping[str, Any]]) -> None:
    """A line a family: how many environments it has, one that needs no folder of yours, and what is hidden."""
    families: dict[str, list[str]] = {}
    for name, entry in entries.items():
        families.setdefault(entry["family"], []).append(name)
    hidden = {unit: words for card in catalog.families().values() for unit, words in card.hidden.items()}

    def general(name: str) -> tuple[bool, int, str]:
        return entries[name]["defaults"].get("path", "") is None, len(name), name

    chosen = {family: min(ids, key=general) for family, ids in families.items()}
    widths = max(map(len, families)), max(map(len, chosen.values()))
    echo(f"{'FAMILY':<{widths[0]}}   IDS  {'SUCH AS':<{widths[1]}}  WHAT IS HIDDEN", bold=True)
    for family, ids in sorted(families.items()):
        words = hidden.get(family) or entries[chosen[family]]["summary"].replace("``", "")
        echo(f"{family:<{widths[0]}}  {len(ids):>4}  {chosen[family]:<{widths[1]}}  {words}")
    echo(f"\n{len(entries)} environments. Their ids: ibench list --all, or with --family, --mode, --search …")


def _dump(entries: Mapping[str, Mapping[str, Any]]) -> str:
    """JSON with one line per field of an entry."""

    def line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    texts = []
    for name, entry in entries.items():
        fields = ",\n".join(f"  {line(key)}: {line(value)}" for key, value in entry.items())
        texts.append(f" {line(name)}: {{\n{fields}\n }}")
    return "{\n" + ",\n".join(texts) + "\n}"


@click.command()
@click.argument("env_id", shell_complete=complete("ids"))
@env_arguments
def info(env_id: str, arguments: dict[str, Any]) -> None:
    """Show an environment's rules, arguments, variants and players."""
    from interactive_envs.making import VIEWS
    from interactive_envs.registration import environment_class

    entry = catalog.entry(env_id)
    doc = re.sub(r":\w+:`~?([^`]*)`", r"\1", inspect.getdoc(environment_class(env_id)) or "").replace("``", "")
    echo(env_id, bold=True)
    echo(f"\n{doc.partition('>>>')[0].rstrip()}\n")
    fixed = "".join(f" {name}={value!r}" for name, value in entry["arguments"].items())
    echo(f"Arguments and defaults{', fixed:' + fixed if fixed else ''}", bold=True)
    for name, value in entry["defaults"].items():
        echo(f"  -k {name}={json.dumps(value)}")
    for name, values in entry["presets"].items():
        given = " ".join(f"{key}={json.dumps(value)}" for key, value in values.items())
        echo(f"  -k preset={name} stands for {given}")
    echo("Variants that are checked:", bold=True)
    for variant in entry["variants"]:
        echo(f"  {json.dumps(variant)}")
    echo("Views (gym.make(…, view=…)): " + ", ".join(view for view in entry["views"] if view in VIEWS))
    if entry["text_only"]:
        echo(f"No numeric view: {entry['text_only']}")
    apis = [view for view in entry["views"] if view not in VIEWS]
    if apis:
        echo("PettingZoo (pettingzoo.make(…, id)): " + ", ".join(apis))
    own = [name for name in catalog.table("agents") if "/" not in name or name.startswith(entry["family"] + "/")]
    echo("Players: " + ", ".join(own))
    if "judge" in entry["defaults"]:
        echo("Judges: " + ", ".join(catalog.table("judges")))
    echo("Sources: " + "; ".join(entry["sources"]))
    echo("\nThe first message of seed 0:", bold=True)
    echo(f"\n{_first_message(env_id, arguments)}")


def _first_message(env_id: str, arguments: Mapping[str, Any]) -> str:
    """What a player reads first; where it cannot be had here, why."""
    from interactive_envs.making import make

    env = make(env_id, **arguments)
    try:
        text = str(env.reset(seed=0)[0])
    except IbenchError as error:  # web pages need Chromium
        return f"(not shown: {error})"
    finally:
        env.close()
    lines = text.splitlines()
    more = [f"[{len(lines) - MOST_LINES} more lines]"] if len(lines) > MOST_LINES else []
    return printable("\n".join(f"    {line}" for line in [*lines[:MOST_LINES], *more]))


@click.command()
@click.argument(
    "folders", nargs=-1, required=True, metavar="FOLDER...", type=click.Path(file_okay=False, path_type=Path)
)
@click.option(
    "--judge-errors",
    "errors",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Correct a run's accuracy for a judge's errors, as `ibench judge-check --out` wrote them. Kept with the run.",
)
@click.option(
    "--site",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a site of several runs into this folder instead: leaderboards, reports, transcripts.",
)
def report(folders: tuple[Path, ...], errors: tuple[Path, ...], site: Path | None) -> None:
    """Write a report again from its records.

    FOLDER holds a run, a tournament, a pass@k comparison, what ibench train wrote, or a game with its ladder.
    """
    if site is not None:
        from interactive_envs.evaluation import site as pages

        if errors:
            raise ConfigError("--judge-errors corrects one run; report it first, then write the site")
        echo(f"Site: {pages.write(folders, site, progress=lambda name: echo(name, err=True))}")
        return
    for folder in folders:
        report_folder(folder, errors)


@click.command()
@click.argument("folder", metavar="RUN", type=click.Path(file_okay=False, path_type=Path))
@click.argument("other", metavar="[RUN]", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--agent",
    "agents",
    multiple=True,
    shell_complete=complete("agents"),
    help="Whom of the first run, then whom of the second.",
)
def compare(folder: Path, other: Path | None, agents: tuple[str, ...]) -> None:
    """Compare two runs, or two players of one, on the cases that both met.

    \b
    ibench compare runs/before runs/after
    ibench compare runs/mine --agent rule --agent llm:openai/gpt-5-mini
    """  # noqa: D301 - click reads the backspace
    from interactive_envs.evaluation.compare import compare as comparing
    from interactive_envs.reporting.store import RunStore

    if len(agents) > 2 or (other is None and len(agents) != 2):
        raise ConfigError("two are compared: name two runs, or a run and two players: --agent A --agent B")
    left = RunStore.read_only(folder)
    right = left if other is None else RunStore.read_only(other)
    one, two = (*agents, None, None)[:2]
    for line in comparing(left, right, (one, two if two is not None or other is None else one)).lines():
        echo(printable(line))


@click.command("tables")
@click.argument("folder", metavar="RUN", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--against",
    metavar="RUN",
    type=click.Path(file_okay=False, path_type=Path),
    help="A second run of the same episodes, with another probe, setting or feedback mode.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON instead.")
def tables_(folder: Path, against: Path | None, as_json: bool) -> None:
    """Print a run's tables of query games, black boxes, generated games or trust games.

    The tables are also written into its folder: query.json and query.html, boxes.json and boxes.html, games.json and
    games.html, trust.json and trust.html.
    """
    from interactive_envs.reporting.run_tables import all_tables
    from interactive_envs.reporting.store import RunStore
    from interactive_envs.reporting.tables import dump

    store, other = RunStore.read_only(folder), RunStore.read_only(against) if against else None
    known = all_tables()
    parts = [part for part in known if part.is_played(store.config)]
    if not parts:
        *others, last = [part.one for part in known]
        raise ConfigError(f"{folder} holds no episode of {', '.join(others)} or {last}")
    compared = [part for part in parts if other and part.is_played(other.config)]
    if other and not compared:
        raise ConfigError(f"{against} holds nothing to compare {folder} with")
    written = {part.name: part.write(store, other if part in compared else None) for part in parts}
    if as_json:
        contents = {name: content for name, (_, content) in written.items()}
        # Of several, which is rare, the files under their names.
        echo(dump(contents if len(contents) > 1 else next(iter(contents.values()))).rstrip())
        return
    for part in parts:
        echo(part.render(written[part.name][0]))
        echo(f"Tables: {folder / part.file}")


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--case", default=None, help="Replay only this case, or this match of a tournament.")
def replay(folder: Path, case: str | None) -> None:
    """Replay records and check that every message and reward is the same.

    FOLDER holds a run, a tournament or a pass@k comparison.
    """
    from interactive_envs.evaluation.replay import replayer

    found = replayer(folder, case)
    count = wrong = 0
    for one in found.replays:
        count += 1
        if one.problem:
            wrong += 1
            echo(f"{one.name}: {one.problem}")
    if not count:
        raise ConfigError(f"{folder} has no {found.nouns}" + (f" of {case!r}" if case else ""))
    echo(f"{count - wrong} of {count} {found.nouns} replay exactly.")
    if wrong:
        sys.exit(1)


@click.command()
@click.argument("folder", metavar="RUN", type=click.Path(file_okay=False, path_type=Path))
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes that check.")
@click.option("--sample", type=click.IntRange(1), help="Replay so many episodes, drawn at random. No stamp.")
def verify(folder: Path, workers: int, sample: int | None) -> None:
    """Check that a run is what it says, and stamp it.

    Every episode is replayed. Data, prompts, seeds, arguments, judges and sums are compared with this version's.
    Players and judges that ask no model are asked again. A model's replies cannot be checked.
    """
    from interactive_envs.cli.progress import counting
    from interactive_envs.evaluation.verify import verify as verifying
    from interactive_envs.reporting.store import RunStore

    total = len(RunStore.read_only(folder).rows())
    with counting("episode", min(total, sample or total)) as advance:
        verified = verifying(folder, sample=sample, workers=workers, progress=advance)
    for finding in verified.findings[:MOST_LINES]:
        echo(printable(f"{finding.check}: {finding.where}: {finding.problem}"))
    if len(verified.findings) > MOST_LINES:
        echo(f"and {len(verified.findings) - MOST_LINES} more")
    for note in verified.notes:
        echo(printable(f"note: {note}"), err=True)
    if verified.findings:
        echo(f"{folder} is not what it says: {len(verified.findings)} findings.", colour="red")
        sys.exit(1)
    if verified.episodes < total:
        echo(f"Nothing is wrong with {verified.episodes:,} of {total:,} episodes of {folder}. No stamp: a sample.")
    else:
        echo(f"Verified: {verified.episodes:,} episodes of {folder}.", colour="green")


@click.command()
@click.argument("folder", metavar="RUN", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--examples", type=click.IntRange(0, 100), default=3, show_default=True, help="Messages shown of every pattern."
)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON instead.")
def audit(folder: Path, examples: int, as_json: bool) -> None:
    """Group the messages that were no actions by what they look like.

    It also says what a stricter and a looser reader would have read. Nobody is asked again.
    """
    from interactive_envs.cli.progress import counting
    from interactive_envs.evaluation.audit import audit as auditing
    from interactive_envs.reporting.store import RunStore

    with counting("episode", len(RunStore.read_only(folder).rows())) as advance:
        found = auditing(folder, examples=examples, progress=advance)
    if as_json:
        echo(json.dumps(found.to_json(), indent=1, ensure_ascii=False))
        return
    for line in found.lines():
        echo(printable(line))


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--judge", "spec", shell_complete=complete("judges"), required=True, help="The judge to ask.")
@click.option(
    "--workers", type=click.IntRange(1), default=4, show_default=True, help="Episodes judged at the same time."
)
def rescore(folder: Path, spec: str, workers: int) -> None:
    """Judge a run again with another judge.

    Players are not asked again.
    """
    from interactive_envs.cli.progress import counting
    from interactive_envs.evaluation.run import rescore as rescoring
    from interactive_envs.judges.base import resolve_judge
    from interactive_envs.reporting.store import RunStore
    from interactive_envs.system.disk import write_atomically

    store = RunStore.read_only(folder)
    judge = resolve_judge(spec)()
    with counting("episode", len(store.rows()), printable(spec)) as advance:
        result = rescoring.rescore(store, judge, workers=workers, progress=advance)
    judge.close()
    path = folder / f"rescore-{quote(spec, safe='')}.json"
    write_atomically(path, json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    labels = cell_labels(store.config)
    for cell in result["cells"]:
        before, now = (percent(cell[name]) for name in ("before", "now"))
        agreement = cell["same_verdicts"] / max(1, cell["verdicts"])
        figure = "score" if cell["scored"] else "accuracy"
        echo(
            f"{labels[cell['cell']]}: {figure} {before} with {cell['old_judge']}, {now} with {spec} (n={cell['n']}); "
            f"{agreement:.0%} of {cell['verdicts']} verdicts agree"
        )
    echo(f"Written: {path}")


@click.command()
@click.argument("env_ids", shell_complete=complete("ids"), nargs=-1, metavar="[ENV_ID...]")
@click.option(
    "--long",
    "thorough",
    is_flag=True,
    help="Check every property on every variant, with more seeds, and what the scores of their families mean.",
)
@click.option("-v", "--verbose", is_flag=True, help="Print a line per property.")
@click.option(
    "--workers", type=click.IntRange(1), default=1, show_default=True, help="Environments checked at the same time."
)
def validate(env_ids: tuple[str, ...], thorough: bool, verbose: bool, workers: int) -> None:
    """Check that environments keep their promises.

    Without an id, all environments are checked. An id may be a pattern, such as 'ibench/Query-tree-*'.
    """
    from interactive_envs.evaluation.validate import check as validation

    chosen: dict[str, None] = {}
    for pattern in env_ids or ("*",):
        found = fnmatch.filter(catalog.ids(), pattern) if len(pattern) <= LONGEST_PATTERN else []
        chosen |= dict.fromkeys(found or [pattern])  # what matches nothing is named as unknown
    failed = 0
    for env_id, findings in validation.validate_all(list(chosen), thorough=thorough, workers=workers):
        for variant, group in itertools.groupby(findings, key=lambda finding: finding.variant):
            held = skipped = 0
            for finding in group:
                held += finding.ok and not finding.skipped
                skipped += finding.skipped
                failed += not finding.ok
                if verbose or not finding.ok:
                    why = f": {finding.problem}" if finding.problem else ""
                    mark = "skip" if finding.skipped else "ok  " if finding.ok else "FAIL"
                    echo(f"{mark} {env_id} {variant} {finding.check}{why}")
            echo(f"{env_id} {variant}: {held} properties hold, {skipped} do not apply")
    if thorough:
        failed += sum(_failing_scores(family, workers) for family in _families(chosen))
    echo("All properties hold." if not failed else f"{failed} properties fail.")
    if failed:
        sys.exit(1)


def _families(env_ids: Iterable[str]) -> list[str]:
    """The names of the families' cards, in order; ids of other packages have none."""
    known = catalog.load()["units"]
    return list(dict.fromkeys(catalog.family(known[one]["family"]).name for one in env_ids if one in known))


def _failing_scores(family: str, workers: int) -> int:
    """Measure what a family's scores mean, print it, and count the properties that fail."""
    from interactive_envs.evaluation.validate import scores

    failed = 0
    for yardstick in scores.yardsticks(family):
        measured = scores.measure(yardstick, workers=workers, backend="process")
        for holds in scores.PROPERTIES:
            problems = list(holds(measured))
            failed += bool(problems)
            for problem in problems:
                echo(f"FAIL {yardstick.title} {holds.__name__}: {problem}")
        echo(
            f"{yardstick.title}: "
            + ", ".join(f"{role} {scores.text(measured.score(role))}" for role in yardstick.players)
        )
    return failed


@click.command()
@click.argument("folders", nargs=-1, metavar="[RUNS...]", type=click.Path(file_okay=False, path_type=Path))
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 for any that is free.")
@click.option("--open", "opens", is_flag=True, help="Open the browser.")
def serve(folders: tuple[Path, ...], port: int, opens: bool) -> None:
    """Play, watch and read runs in the browser.

    RUNS are run folders, or folders that hold some; runs by default. Only this machine is served, and only who has the
    address that is printed. Games that you play are kept in a folder people beside the runs.
    """
    try:
        from interactive_envs.web import serving
    except ModuleNotFoundError as error:
        raise MissingExtraError("ibench serve", "web") from error
    if not folders:
        folders = (Path("runs"),)
        folders[0].mkdir(exist_ok=True)
    with serving.serving(folders, port=port) as server:
        echo(f"Serving {', '.join(map(str, folders))} at\n\n    {server.address}\n\nCtrl-C ends it.")
        if opens:
            click.launch(server.address)
        server.serve()
