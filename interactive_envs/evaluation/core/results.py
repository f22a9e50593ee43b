"""What players earned in the suite ``core``: read from a run, and of players of known strength from the package."""

from __future__ import annotations

import functools
import json
import lzma
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from interactive_envs import catalog
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.core import scoring
from interactive_envs.evaluation.core.scoring import Case, Results, Score
from interactive_envs.evaluation.core.suite import SIZES, VERSION, Setting, settings, size_of
from interactive_envs.llm.base import kept
from interactive_envs.making import make
from interactive_envs.outcome import Outcome
from interactive_envs.reporting.records import EpisodeRecord, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.seeds import canonical_json
from interactive_envs.system.disk import write_atomically

FILE = Path(__file__).parent / "data" / f"{VERSION}.json.xz"
"""Results of the players of known strength, written by ``python -m tools.scores --core SIZE``."""


_COUNTS = ("episodes", "planned", "turns", "unreadable")


@dataclass
class Played:
    """What a player did in a run.

    Attributes:
        results: what it earned, by title and case.
        notes: ``episodes`` and ``planned``, ``turns`` and ``unreadable`` messages, ``tokens`` read and written, and
            ``cost`` in US dollars, None where a price is unknown.
    """

    results: dict[str, dict[Case, float]] = field(default_factory=lambda: defaultdict(dict))
    notes: dict[str, Any] = field(default_factory=lambda: {**dict.fromkeys(_COUNTS, 0), "tokens": [0, 0], "cost": 0.0})


def played(store: RunStore) -> dict[str, Played]:
    """What the players of a run did, by their names.

    Raises:
        ConfigError: the run does not play the suite as this version of the package has it.
    """
    size = size_of(store.config)
    if size is None:
        raise ConfigError(f"{store.folder} holds no run of {VERSION}; play one: ibench run --suite core")
    known = settings(size)
    places = {
        (env_id, canonical_json(arguments)): (setting, place)
        for setting in known
        for place, (env_id, arguments, _) in enumerate(setting.plays)
    }
    found: dict[str, Played] = defaultdict(Played)
    at: list[tuple[str, Setting, int]] = []
    for cell in store.config.cells:
        own = {name: value for name, value in cell.arguments.items() if name != "no_interaction"}
        where = places.get((cell.env_id, canonical_json(own)))
        if where is None:
            raise ConfigError(f"{store.folder} plays {cell.env_id} with {own}, which {VERSION} does not")
        at.append((cell.player, *where))
        found[cell.player].notes["planned"] += cell.episodes or 0
    for row in store.rows():
        name, setting, place = at[row.cell]
        one, notes = found[name], found[name].notes
        notes["episodes"] += 1
        notes["turns"] += row.turns
        notes["unreadable"] += row.invalid
        notes["tokens"] = [notes["tokens"][0] + row.prompt_tokens, notes["tokens"][1] + row.completion_tokens]
        notes["cost"] = None if row.cost is None or notes["cost"] is None else notes["cost"] + row.cost
        if row.outcome == Outcome.UNSCORED:
            continue
        worth = setting.yardstick.worth
        value = float(row.reward) if worth is None else worth(store.episode(row).game or {})
        one.results[setting.title][Case(place, row.case_index, row.epoch)] = value
    return dict(found)


class Effort(NamedTuple):
    """What a language model does that is sent what the environment has it sent, and writes its actions alone.

    Attributes:
        calls: model calls.
        read: tokens, those of earlier turns again in each call; four characters are taken for one.
        written: tokens.
    """

    calls: float
    read: float
    written: float

    @classmethod
    def of(cls, record: EpisodeRecord, history: str) -> Effort:
        """That of an episode, if a model had said what its player said; ``history`` is the environment's."""
        pairs: list[int] = []
        read = 0
        for step in record.steps:
            if step.remember is not None:
                del pairs[step.remember :]
            read += sum(kept(pairs, history)) + len(step.observation)
            pairs.append(len(step.observation) + len(step.action))
        return cls(len(record.steps), read / _CHARACTERS, sum(len(step.action) for step in record.steps) / _CHARACTERS)


_CHARACTERS = 4


@dataclass(frozen=True)
class Baselines:
    """Results of the players of known strength.

    Attributes:
        size: the largest size that all of them played.
        players: what each did, by role or name.
        effort: of the reference's episodes, means by title of the setting.
    """

    size: str
    players: Mapping[str, Played]
    effort: Mapping[str, Effort]


def effort_of(store: RunStore, player: str) -> dict[str, Effort]:
    """Means over a player's episodes in a run of the suite, by title of the setting."""
    size = size_of(store.config)
    titles = {(env_id, canonical_json(own)): one.title for one in settings(size or "") for env_id, own, _ in one.plays}
    found: dict[str, list[Effort]] = defaultdict(list)
    for row in store.rows():
        cell = store.config.cells[row.cell]
        if cell.player == player:
            effort = Effort.of(store.episode(row), _history(cell.env_id, canonical_json(cell.arguments)))
            found[titles[cell.env_id, canonical_json(cell.arguments)]].append(effort)
    return {
        title: Effort(*(sum(part) / len(part) for part in zip(*all_, strict=True))) for title, all_ in found.items()
    }


@functools.cache
def _history(env_id: str, arguments: str) -> str:
    """How much of the dialogue an environment has models sent."""
    env = make(env_id, **json.loads(arguments))
    _, info = env.reset(seed=0)
    env.close()
    return str(info["history"])


def expected_effort(size: str) -> Effort:
    """What a language model has to do in a size, at least."""
    known = baselines().effort
    parts = [[count * setting.episodes for count in known[setting.title]] for setting in settings(size)]
    return Effort(*map(sum, zip(*parts, strict=True)))


def likely_effort(config: RunConfig, player: str) -> Effort | None:
    """What a language model has to do in any run, if it takes as much an episode as the reference in the suite.

    A cell counts as the suite's settings with its environment do, else as all those of its family; None where a family
    is not in the suite.
    """
    known = baselines().effort
    by_id, by_family = defaultdict(list), defaultdict(list)
    for setting in settings(baselines().size):
        by_family[setting.family].append(known[setting.title])
        for env_id in dict.fromkeys(env_id for env_id, _, _ in setting.plays):
            by_id[env_id].append(known[setting.title])
    parts = []
    for index, cell in enumerate(config.cells):
        if cell.player == player:
            family = catalog.family(catalog.entry(cell.env_id)["family"]).name
            found = by_id.get(cell.env_id) or by_family.get(family)
            if not found:
                return None
            parts.append([config.planned(index) * sum(part) / len(found) for part in zip(*found, strict=True)])
    return Effort(*map(sum, zip(*parts, strict=True)))


@functools.cache
def baselines() -> Baselines:
    """Those of the package.

    Raises:
        ConfigError: the package has none of this version.
    """
    try:
        content = json.loads(lzma.decompress(FILE.read_bytes()))
    except FileNotFoundError:
        raise ConfigError(
            f"there are no results of {VERSION} yet; write them with: python -m tools.scores --core standard"
        ) from None
    cases, found = content["cases"], {}
    for name, one in content["players"].items():
        results = {
            title: {Case(*case): value for case, value in zip(cases[title], values, strict=True) if value is not None}
            for title, values in one["results"].items()
        }
        found[name] = Played(results, one["notes"])
    return Baselines(content["size"], found, {title: Effort(*one) for title, one in content["effort"].items()})


def write_baselines(size: str, players: Mapping[str, Played], effort: Mapping[str, Effort]) -> None:
    """Keep the results of players of known strength in the package."""
    cases: dict[str, list[Case]] = {}
    for one in players.values():
        for title, values in one.results.items():
            cases[title] = sorted({*cases.get(title, ()), *values})
    content = {
        "version": VERSION,
        "size": size,
        "effort": {title: [round(part, 1) for part in one] for title, one in sorted(effort.items())},
        "cases": {title: [list(case) for case in found] for title, found in sorted(cases.items())},
        "players": {
            name: {
                "notes": one.notes,
                "results": {
                    title: [None if case not in values else round(values[case], 6) for case in cases[title]]
                    for title, values in sorted(one.results.items())
                },
            }
            for name, one in players.items()
        },
    }
    FILE.parent.mkdir(exist_ok=True)
    write_atomically(FILE, lzma.compress(json.dumps(content, sort_keys=True).encode(), preset=9))


def unscored(size: str) -> str:
    """Why a size has no scores; "" where it has."""
    reached = baselines().size
    if list(SIZES).index(size) <= list(SIZES).index(reached):
        return ""
    return f"the results of known players reach to the size {reached}; {size!r} is not scored"


def table(size: str, players: Mapping[str, Played]) -> tuple[list[Score], list[Score]]:
    """The scores of players, and beside them of the players of known strength on the cases of this size.

    Raises:
        ConfigError: no known player played as large a size.
    """
    if why := unscored(size):
        raise ConfigError(why)
    known, chosen = baselines(), settings(size)
    scales = scoring.scales({name: one.results for name, one in known.players.items()}, [s.yardstick for s in chosen])
    ours, theirs = (
        [scoring.score(name, within(one.results, chosen), chosen, scales, one.notes) for name, one in group.items()]
        for group in (players, known.players)
    )
    return ours, theirs


def within(results: Results, chosen: Sequence[Setting]) -> Results:
    """The results on the cases of a size's settings: a smaller has the first episodes of the first environments."""
    found: dict[str, dict[Case, float]] = {}
    for setting in chosen:
        met: dict[int, int] = defaultdict(int)
        for case, value in sorted(results.get(setting.title, {}).items(), key=_in_order):
            if case.place < len(setting.plays) and met[case.place] < setting.plays[case.place][2]:
                met[case.place] += 1
                found.setdefault(setting.title, {})[case] = value
    return found


def _in_order(item: tuple[Case, float]) -> tuple[int, int, int]:
    """As a run meets them: all cases once, then all again."""
    case, _ = item
    return case.place, case.epoch, case.case
