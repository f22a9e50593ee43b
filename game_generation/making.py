"""Making things with a model: from the options of a user to a pool, its funnel and its release."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interactive_envs.errors import ConfigError, CostLimitError, UnknownNameError
from interactive_envs.game_generation.batch import Reply, read_replies, request_line, write_requests
from interactive_envs.game_generation.boxes import Boxes
from interactive_envs.game_generation.engine import PARSE, Answerer, Ask, Done, Kind, advance, asking, call_id, step
from interactive_envs.game_generation.novel_games import UNTRAINED, NovelGames
from interactive_envs.game_generation.pool import Call, Candidate, Pool, Ruling, held
from interactive_envs.game_generation.query_games import QueryGames
from interactive_envs.sandbox.levels import level_in_use
from interactive_envs.specs import parse_spec
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.files import make_private_folder, read_bytes

KINDS: Mapping[str, type[Kind]] = {"games": NovelGames, "boxes": Boxes, "query-games": QueryGames}
REPAIRS = 3
"""How often a candidate may be mended where nothing else is said."""


@dataclass(frozen=True)
class Made:
    """A pool as far as it came.

    Attributes:
        kind: what is made.
        pool: the folder.
        waiting: what is still to be asked.
        faults: why calls failed, one each; they are made again in the next run.
        unused: ids of replies that were given and that nobody has asked for.
        kept: ids of replies that were given and are other than those the pool has, which stay.
    """

    kind: Kind
    pool: Pool
    waiting: tuple[Ask, ...] = ()
    faults: tuple[str, ...] = field(default=(), repr=False)
    unused: tuple[str, ...] = field(default=(), repr=False)
    kept: tuple[str, ...] = field(default=(), repr=False)

    def ends(self) -> list[tuple[Candidate, Done | None]]:
        """Each candidate, and how it ended; None where it has not."""
        repairs = self.pool.settings["repairs"]
        found = []
        for candidate in self.pool.candidates():
            todo = step(self.kind, candidate, repairs)
            found.append((candidate, todo if isinstance(todo, Done) else None))
        return found

    def stages(self) -> list[dict[str, Any]]:
        """How many candidates there are, are left after each stage and each of the paper's filters, and were admitted.

        Returns:
            Rows with ``name``, ``count``, and ``unflagged``: how many of them no stage until here has flagged.
        """
        ends = self.ends()
        rows = [{"name": "candidates", "count": len(ends), "unflagged": len(ends)}]
        over: set[str] = set()
        for stage in (PARSE, *self.kind.stages):
            over.add(stage)
            left = [candidate for candidate, _ in ends if _passed(candidate, stage)]
            clear = sum(not _flags(candidate, over) for candidate in left)
            rows.append({"name": stage, "count": len(left), "unflagged": clear})
            if stage == PARSE:
                rows += self._filtered(left)
        admitted = [candidate for candidate, end in ends if end is not None and end.admitted]
        clear = sum(not _flags(candidate) for candidate in admitted)
        return [*rows, {"name": "admitted", "count": len(admitted), "unflagged": clear}]

    def _filtered(self, parsed: Sequence[Candidate]) -> list[dict[str, Any]]:
        """How many are left after each of the paper's filters, which are parts of the first stage."""
        entries = (entry for one in parsed for entry in one.since_written())
        left = [one for one in entries if isinstance(one, Ruling) and one.stage == self.kind.stages[0]]
        rows = []
        for name, kinds in self.kind.filters.items():
            left = [one for one in left if one.verdict != "fail" or not {kind for kind, _ in one.reasons} & {*kinds}]
            rows.append({"name": name, "count": len(left), "unflagged": len(left)})
        return rows

    def refusals(self) -> list[dict[str, Any]]:
        """Why candidates were refused: ``name``, ``count`` and the paper's ``filter``, the commonest first."""
        return self._counted(_kinds(candidate, "fail") for candidate, end in self.ends() if end and not end.admitted)

    def flags(self) -> list[dict[str, Any]]:
        """Why a person should look at what was admitted, in the same form; what only follows from a flag left out."""
        admitted = (candidate for candidate, end in self.ends() if end and end.admitted)
        return self._counted(_kinds(candidate, "flag") - {UNTRAINED} for candidate in admitted)

    def mended(self) -> list[dict[str, Any]]:
        """Why what was admitted had been refused before it was mended, in the same form."""
        admitted = (candidate for candidate, end in self.ends() if end and end.admitted)
        return self._counted(_kinds(candidate, "fail", ever=True) for candidate in admitted)

    def _counted(self, kinds: Iterable[set[str]]) -> list[dict[str, Any]]:
        found = Counter(kind for one in kinds for kind in sorted(one))
        return [
            {"name": name, "count": count, "filter": self.kind.filter_of(name)} for name, count in found.most_common()
        ]

    def funnel(self) -> str:
        """How many candidates passed each stage, and why the others failed, as text."""
        ends = self.ends()
        lines = [
            f"{row['name']:<13} {row['count']:>5}"
            + f", {row['unflagged']} without a flag" * (row["unflagged"] < row["count"])
            for row in self.stages()
        ]
        admitted = [candidate for candidate, end in ends if end is not None and end.admitted]
        flagged = sum(bool(_flags(candidate)) for candidate in admitted)
        if flagged:
            why = ", ".join(f"{row['name']} {row['count']}" for row in self.flags())
            lines.append(f"A person should look at {flagged} of the admitted: {why}.")
        refused = sum(end is not None and not end.admitted for _, end in ends)
        if refused:
            lines.append(f"{'refused':<13} {refused:>5}, each for one or more of:")
        for row in self.refusals():
            paper = f" (the paper's filter {row['filter']!r})" if row["filter"] else ""
            lines.append(f"  {row['count']:>3} {row['name']}{paper}")
        open_ = sum(end is None for _, end in ends)
        if open_:
            lines.append(f"{'under way':<13} {open_:>5}")
        repaired = sum(candidate.rounds > 0 for candidate in admitted)
        if repaired:
            lines.append(f"{repaired} of the admitted were mended first.")
        spent = sum(candidate.spent for candidate, _ in ends)
        if spent:
            each = f", {spent / len(admitted):.3f} an admitted one" if admitted else ""
            free = any(candidate.cost is None for candidate, _ in ends)
            lines.append(f"Cost: {spent:.3f} US dollars{each}{', without replies whose price is unknown' * free}.")
        return "\n".join(lines)

    def released(self, *, flagged: bool = False) -> list[Candidate]:
        """What was admitted without a flag, or all of it."""
        admitted = [candidate for candidate, end in self.ends() if end is not None and end.admitted]
        return [candidate for candidate in admitted if flagged or not _flags(candidate)]

    def left(self, *, flagged: bool = False) -> dict[str, int]:
        """How many candidates a release leaves out, by why."""
        released, found = {one.number for one in self.released(flagged=flagged)}, Counter[str]()
        for one, end in self.ends():
            if one.number not in released:
                ended = "refused" if end is not None and not end.admitted else "flagged (see --flagged)"
                found["under way" if end is None else ended] += 1
        return dict(found)

    def names(self, *, flagged: bool = False) -> dict[int, str]:
        """The name that a release gives to each candidate, by its number."""
        found: dict[int, str] = {}
        for one in self.released(flagged=flagged):
            title = name = _folder_name(self.kind.title(dict(self.kind.answer_of(one).files)), one.number)
            for more in itertools.chain([one.number], itertools.count(2)):  # two of one title
                if name not in found.values():
                    break
                name = f"{title}-{more}"
            found[one.number] = name
        return found

    def release(self, out: Path, *, flagged: bool = False) -> list[Path]:
        """Write the files of what was admitted, a folder each; one that is there with the same files stays.

        Args:
            out: is made where there is none.
            flagged: also what a person should look at.

        Raises:
            ConfigError: a folder of that name is there already, and has other files.
        """
        names = self.names(flagged=flagged)
        folders: dict[Path, dict[str, bytes]] = {}
        for candidate in self.released(flagged=flagged):
            folder = out / names[candidate.number]
            texts = {name: text.encode() for name, text in self.kind.answer_of(candidate).files}
            folders[folder] = {**texts, **self.kind.more_files(candidate)}
            if folder.exists() and not _holds(folder, folders[folder]):
                raise ConfigError(f"{folder} is there already, with other files; give --out a new folder")
        make_private_folder(out)
        for folder, files in folders.items():
            make_private_folder(folder)
            for name, content in files.items():
                write_atomically(folder / name, content)
        return list(folders)


def generate(
    kind: str,
    out: str | Path,
    *,
    model: str | None = None,
    reader: str | None = None,
    count: int | None = None,
    ideas: Sequence[str] = (),
    category: str | None = None,
    turns: int | None = None,
    vary: bool = False,
    calls: str | None = None,
    opponents: int | None = None,
    against: str | None = None,
    repairs: int | None = None,
    requests: str | Path | None = None,
    replies: Sequence[str | Path] = (),
    workers: int = 4,
    limit_cost: float | None = None,
    report: Callable[[str], None] = lambda line: None,
) -> Made:
    """Have a model make candidates, check them, and have it mend what the check refuses.

    The same call goes on where it was interrupted.

    Args:
        kind: ``games``, ``boxes`` or ``query-games``.
        out: the pool's folder.
        model: who writes, such as ``llm:openai/gpt-5-mini``; None to go on with replies alone.
        reader: who reads the rules and says what holds in positions of play; None for the model that writes.
        count: how many candidates; None for one an idea, else 1. A pool that goes on keeps its own, or gets more.
        ideas: what candidates are to be, given out in turn.
        category: of every candidate.
        turns: about how many moves a game is to last.
        vary: whether parts are drawn for each candidate, and a category and a length where none is given: a model that
            is asked for any new game gives the same few again and again. Not with ideas.
        calls: ``one`` for all files in one reply, ``three`` for rules, code and names of moves one after the other, as
            in the paper; None for one, or for what the pool was begun with.
        opponents: steps of self-play training for each game that passed all else, and a ladder of its checkpoints; None
            for none, or for what the pool was begun with. Takes minutes a game.
        against: the set of the package's games that a game may not be like, such as ``games-v0``; None for all, or for
            what the pool was begun with.
        repairs: how often a candidate may be mended; None for 3, or for what the pool was begun with.
        requests: a file for what is still to be asked.
        replies: files with answers to such requests.
        workers: candidates at the same time.
        limit_cost: US dollars after which no call is made any more; calls under way end.
        report: is given a line for each step.

    Returns:
        The pool as far as it came: ``funnel()`` as text, ``release(folder)`` for what was admitted, ``waiting``.

    Raises:
        ConfigError: an option cannot work, the pool was begun with another one, or another run goes on with it.
        CostLimitError: there is a limit, and the price of a model is unknown.
        UnknownNameError: there is no such kind or category.
    """
    if kind not in KINDS:
        raise UnknownNameError("kind", kind, KINDS)
    made = KINDS[kind]
    if category is not None and category not in made.categories:
        raise UnknownNameError("category", category, made.categories)
    if turns is not None and not made.lasts:
        raise ConfigError(f"turns is for games; {kind} are of no length that can be asked for")
    if vary and ideas:
        raise ConfigError("vary draws parts for candidates without an idea; leave out vary, or the ideas")
    level_in_use()  # a machine without a sandbox would refuse every candidate
    path = Path(out)
    settings: dict[str, Any] = {"kind": kind, "prompts": made.version}
    begins = not (path / "pool.json").exists()
    if begins or calls is not None:
        settings["calls"] = made(calls or "one").calls
    if begins or repairs is not None:
        settings["repairs"] = REPAIRS if repairs is None else repairs
    if begins or count is not None or ideas or vary or category is not None or turns is not None:
        settings["wishes"] = _wishes(made, count, ideas, category, turns, vary)
    if begins or opponents is not None:
        settings["opponents"] = made(steps=opponents or 0).steps
    if begins or against is not None:
        settings["against"] = made(against=against).against
    if requests is not None and any(Path(file).resolve() == Path(requests).resolve() for file in replies):
        raise ConfigError(f"the requests would be written over the replies in {requests}; give them another file")
    known = read_replies(map(Path, replies))
    faults: list[str] = []
    models = (model, reader or model)
    with held(path):
        pool = Pool(path, settings)
        what = _kind(pool)
        answer = _answerer(pool, known, models if requests is None else (None, None), limit_cost, faults)
        try:
            waiting = advance(
                what,
                pool,
                answer,
                repairs=pool.settings["repairs"],
                workers=workers,
                report=lambda one, news: report(_line(one, news)),
            )
        finally:
            pool.close()
    if requests is not None:
        write_requests(Path(requests), (_request(ask, models[ask.reader]) for ask in waiting))
    calls_made = ((one, entry) for one in pool.candidates() for entry in one.entries if isinstance(entry, Call))
    have = {call_id(what, one, call): call.reply.text for one, call in calls_made}
    unused = sorted({*known} - {*have} - {ask.custom_id for ask in waiting})
    kept = sorted(name for name, text in have.items() if name in known and known[name].text not in ("", text))
    return Made(what, pool, tuple(waiting), tuple(faults), tuple(unused), tuple(kept))


def look(pool: str | Path) -> Made:
    """A pool as it is, nothing asked and nothing checked.

    Raises:
        ConfigError: there is none.
    """
    found = Pool(pool)
    kind = str(found.settings.get("kind"))
    if kind not in KINDS:
        raise UnknownNameError("kind", kind, KINDS)
    return Made(_kind(found), found)


def _kind(pool: Pool) -> Kind:
    """What a pool makes, as it was begun."""
    settings = pool.settings
    return KINDS[settings["kind"]](settings["calls"], settings["opponents"], pool.path, settings.get("against"))


def _wishes(
    kind: type[Kind], count: int | None, ideas: Sequence[str], category: str | None, turns: int | None, vary: bool
) -> list[dict[str, Any]]:
    wish = {name: value for name, value in (("category", category), ("turns", turns)) if value is not None}
    given: list[dict[str, Any]] = [{**wish, "idea": idea} for idea in ideas] or [wish]
    wishes = [given[number % len(given)] for number in range(count or len(given))]
    return [kind.varied(number, one) for number, one in enumerate(wishes, 1)] if vary else wishes


def _answerer(
    pool: Pool,
    known: Mapping[str, Reply],
    models: tuple[str | None, str | None],
    limit_cost: float | None,
    faults: list[str],
) -> Answerer:
    """Look a reply up, else call the model that writes or the one that reads, while there is money."""
    writer, reader = (None if model is None else _calling(model, limited=limit_cost is not None) for model in models)

    lost: list[float] = []

    def answer(ask: Ask) -> Reply | None:
        reply = known.get(ask.custom_id)
        call = reader if ask.reader else writer
        if reply is None and call is not None:
            spent = sum(candidate.spent for candidate in pool.candidates()) + sum(lost)
            if limit_cost is not None and spent >= limit_cost:
                return None
            reply = call(ask)
        if reply is not None and reply.fault:
            faults.append(reply.fault)
            lost.append(reply.cost or 0.0)
        return reply

    return answer


def _calling(spec: str, *, limited: bool) -> Answerer:
    from interactive_envs.llm.clients import client, split_options

    name, given = _model(spec)
    own, parameters = split_options(name, given)
    called = client(name, **own)
    if limited and not called.priced:
        raise CostLimitError(
            f"limit_cost cannot be kept: the price of {spec!r} is unknown; give it in a price file (see "
            "IBENCH_PRICES), or leave the limit out"
        )
    return asking(called, parameters)


def _model(spec: str) -> tuple[str, dict[str, Any]]:
    """The model of a spec ``llm:provider/name?option=value`` or ``local``, and its options."""
    found = parse_spec(spec)
    if found.name == "local" or (found.name == "llm" and found.target):
        return found.target or "local", dict(found.options)
    raise ConfigError(f"a model must be llm:PROVIDER/NAME or local, got {spec!r}")


def _request(ask: Ask, spec: str | None) -> dict[str, Any]:
    """A line of a batch; where nobody is named, whoever sends it names the model."""
    if spec is None:
        return request_line(ask.custom_id, "MODEL", ask.messages, {})
    from interactive_envs.llm.clients import split_options

    name, given = _model(spec)
    return request_line(ask.custom_id, name, ask.messages, split_options(name, given)[1])


def _line(candidate: Candidate, news: str) -> str:
    last = candidate.entries[-1]
    if isinstance(last, Ruling):
        why = f": {last.reasons[0][0]}" if last.reasons else ""
        return f"candidate {candidate.number}: {news} {last.verdict}{why}"
    return f"candidate {candidate.number}: {news}, {len(last.reply.text):,} characters"


def _passed(candidate: Candidate, stage: str) -> bool:
    return any(
        isinstance(entry, Ruling) and entry.stage == stage and entry.verdict != "fail"
        for entry in candidate.since_written()
    )


def _flags(candidate: Candidate, stages: Container[str] | None = None) -> list[Ruling]:
    """What says that a person should look at a candidate, of some stages or of all."""
    rulings = (entry for entry in candidate.since_written() if isinstance(entry, Ruling))
    return [one for one in rulings if one.verdict == "flag" and (stages is None or one.stage in stages)]


def _kinds(candidate: Candidate, verdict: str, *, ever: bool = False) -> set[str]:
    """The kinds of reasons behind such verdicts on the present files, or on any."""
    entries = candidate.entries if ever else candidate.since_written()
    rulings = [entry for entry in entries if isinstance(entry, Ruling) and entry.verdict == verdict]
    return {kind for ruling in rulings for kind, _ in ruling.reasons}


def _holds(folder: Path, files: Mapping[str, bytes]) -> bool:
    """Whether a folder has these files, and no others."""
    if not folder.is_dir() or {one.name for one in folder.iterdir()} != {*files}:
        return False
    return all((folder / name).is_file() and read_bytes(folder / name) == content for name, content in files.items())


def _folder_name(title: str, number: int) -> str:
    """A folder's name, of a title."""
    words = re.findall(r"[a-z0-9]+", re.sub(r"['\u2019]", "", title.lower()))
    return "-".join(words[:6]) or f"candidate-{number}"
