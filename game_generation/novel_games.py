"""Two-player games: what a model is asked for, and the stages of their check.

Source: gg-bench, section 3: a description, an environment and names of actions, filtered by keywords, by execution and
by time. Ours asks for all in one reply, and the check's reasons are the prompt of a repair.
"""

from __future__ import annotations

import dataclasses
import random
import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar

from interactive_envs.errors import ConfigError, ForeignCodeError
from interactive_envs.game_generation import certifying, opponents, reading
from interactive_envs.game_generation.answers import setting_of
from interactive_envs.game_generation.engine import Kind, Part
from interactive_envs.game_generation.pool import Candidate, Ruling, in_folder, write_files
from interactive_envs.novel_games import admission
from interactive_envs.novel_games.folder import CATEGORIES, own_names
from interactive_envs.novel_games.ladder import LADDER
from interactive_envs.novel_games.probing.shape import distance
from interactive_envs.sandbox import SandboxError
from interactive_envs.system.files import read_bytes

FILTERS: Mapping[str, Sequence[str]] = {
    "keyword": ("action space",),
    "execution": ("does not build", "breaks", "hostile", "memory", "reward", "view", "spaces", "observation space"),
    "time-out": ("hangs", "too long"),
}
"""The paper's three filters, and the findings of ours that they would have made; all others are ours alone."""
LENGTHS = (10, 16, 24, 32, 40)
HIDDEN = 0.2
"""Numbers of moves that a varied wish draws from, and its share of games with secrets."""
UNTRAINED = "not trained"
"""Kind of the reason for which a game without a clear record gets no opponents."""
REMEDY = "If the code is right, say it more clearly in the rules: a second model read them. Else mend the code"
_BREAKS = (ForeignCodeError, SandboxError)
"""What a game's own code is to blame for; any other fault is of the machine, and ends the run."""
MOST_REASONS = 6
"""Differences that a repair is told of; more of them rarely have more causes."""


class NovelGames(Kind):
    """Games in folders of ``rules.md``, ``actions.md``, ``game.py`` and ``game.toml``."""

    name = "game"
    categories = CATEGORIES
    rules = "rules.md"
    lasts = trains = compares = True
    files: ClassVar[tuple[str, ...]] = ("game.toml", "game.py", "rules.md", "actions.md")
    stages: tuple[str, ...] = ("admission", "reading", "traces", "certification", "novelty")
    filters = FILTERS
    ordered: ClassVar[frozenset[str]] = frozenset({"novelty"})
    version = 4
    three: ClassVar[tuple[Part, ...]] = (
        Part("describe", ("game.toml", "rules.md"), "Send game.toml and rules.md now, and nothing else yet."),
        Part("write", ("game.py",), "Now send game.py for these rules."),
        Part("name", ("actions.md",), "Now send actions.md."),
    )

    def __init__(self, calls: str = "one", steps: int = 0, home: Path = Path(), against: str | None = None) -> None:
        super().__init__(calls, steps, home, against)
        own_names(against)  # refuses a set that is none
        if steps:
            self.stages = (*type(self).stages, "opponents")

    def folder(self, candidate: Candidate) -> Path:
        """Where a candidate's game is kept with its opponents."""
        return self.home / "games" / f"candidate-{candidate.number:04d}"

    def first(self, wish: Mapping[str, Any]) -> tuple[str, str]:
        """The instructions, and what this game is to be."""
        system = resources.files(__package__).joinpath("data", "game.md").read_text("utf-8")
        wished = []
        if category := wish.get("category"):
            wished.append(f"Its category is {category}.")
        if turns := wish.get("turns"):
            wished.append(f"A game lasts about {turns} moves of both players together.")
        if wish.get("hidden"):
            wished.append("The players see different things, or choose at the same time.")
        if parts := wish.get("parts"):
            listed = "\n".join(f"- {part}" for part in parts)
            wished.append(f"Make it of these parts, or leave one out where it does not fit:\n{listed}")
        if idea := wish.get("idea"):
            return system, "\n".join([f"Write this game: {idea}", *wished])
        return system, " ".join(["Write a new game.", *wished])

    @classmethod
    def varied(cls, number: int, wish: Mapping[str, Any]) -> dict[str, Any]:
        """A wish with parts drawn for the candidate of a number, and a category and a length where none is given."""
        rng = random.Random(f"candidate {number}")  # noqa: S311  variety, not secrets
        choices = tomllib.loads(resources.files(__package__).joinpath("data", "parts.toml").read_text("utf-8"))
        drawn = {"category": rng.choice(CATEGORIES), "turns": rng.choice(LENGTHS), "hidden": rng.random() < HIDDEN}
        drawn["parts"] = [rng.choice(choice) for choice in choices.values()]
        return {name: value for name, value in {**drawn, **wish}.items() if value}

    def title(self, files: Mapping[str, str]) -> str:
        """As ``game.toml`` has it."""
        return setting_of(files, "game.toml", "title")

    def plays(self, files: Mapping[str, str]) -> str:
        """The id of all games that are in no package."""
        return "ibench/Game-v1"

    def played(self, candidate: Candidate) -> Mapping[str, Any]:
        """Results, lengths and numbers of legal moves of random games."""
        return _traces(candidate)

    def alike(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
        """1 for games that go alike."""
        return 1.0 - distance(one, other)

    def more_files(self, candidate: Candidate) -> dict[str, bytes]:
        """The ladder and its checkpoints."""
        folder = self.folder(candidate)
        return {file.name: read_bytes(file) for file in (*folder.glob(LADDER), *folder.glob("*.npz"))}

    def question(self, stage: str, candidate: Candidate, files: Mapping[str, str]) -> tuple[str, str] | None:
        """The reader is asked what holds in positions of play, and for plays, by the rules alone."""
        match stage:
            case "reading":
                asked = candidate.facts("admission")["positions"]
                return reading.INSTRUCTIONS, reading.question(files["rules.md"], asked)
            case "traces" if not _has_chance(files):
                return reading.TRACES, reading.asked_for_traces(files["rules.md"], files["actions.md"])
            case _:
                return None

    def unread(self, stage: str, candidate: Candidate) -> str:
        """The reader is asked again for answers, or plays, in the form that it was asked for."""
        said = candidate.replies(stage)[-1].reply.text
        if stage == "traces":
            return reading.TRACES_AGAIN if reading.plays_of(said) is None else ""
        found = reading.differences(candidate.facts("admission")["positions"], said)
        return reading.AGAIN if found is None else ""

    def check(self, stage: str, candidate: Candidate, files: Mapping[str, str], earlier: Sequence[Candidate]) -> Ruling:
        """The battery of ``ibench games check``, the reader, good play, the likeness to known games and the pool's."""
        match stage:
            case "admission":
                return _admit(candidate, files)
            case "reading":
                return _agree(candidate)
            case "traces":
                return _follow(candidate, files)
            case "certification":
                return _certify(candidate, files)
            case "opponents":
                return self._train(candidate, files)
            case _:
                return _compare(candidate, earlier, self.against)

    def _train(self, candidate: Candidate, files: Mapping[str, str]) -> Ruling:
        rulings = (one for one in candidate.since_written() if isinstance(one, Ruling))
        if flags := [one.stage for one in rulings if one.verdict == "flag"]:
            words = f"its {flags[0]} is flagged, and opponents are trained for games without a flag"
            return Ruling("opponents", candidate.rounds, "flag", ((UNTRAINED, words),))
        folder = self.folder(candidate)
        write_files(folder, files)
        work = self.home / "training" / f"{folder.name}-{candidate.rounds}"
        try:
            try:
                found = opponents.train_and_rank(folder, work, self.steps)
            except _BREAKS:  # a machine that slept runs into a limit of the clock; code that breaks does so again
                found = opponents.train_and_rank(folder, work, self.steps)
        except _BREAKS as error:
            return Ruling("opponents", candidate.rounds, "flag", (("breaks", str(error)),))
        reasons = tuple(opponents.faults(found))
        return Ruling("opponents", candidate.rounds, "flag" if reasons else "pass", reasons, found)


def _admit(candidate: Candidate, files: Mapping[str, str]) -> Ruling:
    wished, category = candidate.wish.get("category"), setting_of(files, "game.toml", "category")
    if wished and category and category != wished:
        other = ("not as asked", f"its category is {category!r}, and {wished!r} was asked for")
        return Ruling("admission", candidate.rounds, "fail", (other,))
    with in_folder(candidate, files) as folder:
        found = admission.check(folder)
        asked: list[dict[str, Any]] = []
        if found.verdict != "refuse":
            try:
                asked = reading.positions(folder)
            except (ConfigError, *_BREAKS) as error:
                broken = admission.Finding("breaks", "refuse", str(error))
                found = dataclasses.replace(found, reasons=(*found.reasons, broken))
    reasons = tuple((reason.kind, reason.text.replace(str(folder), folder.name)) for reason in found.reasons)
    verdict = {"admit": "pass", "flag": "flag", "refuse": "fail"}[found.verdict]
    solution = found.facts.get("exact", {})
    kept = {name: solution[name] for name in ("solved", "states", "value") if name in solution}
    facts = {"canonical": found.facts.get("canonical", {}), "positions": asked, "exact": kept}
    facts = facts if verdict != "fail" else {}
    return Ruling("admission", candidate.rounds, verdict, reasons, facts)


def _agree(candidate: Candidate) -> Ruling:
    """Whether the reader and the code say the same; a reader that gives no answer leaves it open."""
    asked = candidate.facts("admission")["positions"]
    found = reading.differences(asked, candidate.replies("reading")[-1].reply.text)
    if found is None:
        unread = (("not read", "the second model gave no answer to the positions"),)
        return Ruling("reading", candidate.rounds, "flag", unread)
    reasons = tuple(("rules and code", f"{text}. {REMEDY}") for text in found[:MOST_REASONS])
    return Ruling("reading", candidate.rounds, "fail" if reasons else "pass", reasons)


def _has_chance(files: Mapping[str, str]) -> bool:
    """Nobody can write a play where chance decides: what it brings does not follow from the rules."""
    return bool(tomllib.loads(files["game.toml"]).get("chance"))


def _follow(candidate: Candidate, files: Mapping[str, str]) -> Ruling:
    """Whether the code follows the plays that the reader wrote."""
    if _has_chance(files):
        return Ruling("traces", candidate.rounds, "pass")
    with in_folder(candidate, files) as folder:
        try:
            found = reading.disagreements(folder, candidate.replies("traces")[-1].reply.text)
        except _BREAKS as error:
            return Ruling("traces", candidate.rounds, "fail", (("breaks", str(error)),))
    if found is None:
        unread = (("not read", "the second model wrote no two plays, one to its end, with moves that are forbidden"),)
        return Ruling("traces", candidate.rounds, "flag", unread)
    reasons = tuple(("rules and code", f"{text}. {REMEDY}") for text in found)
    return Ruling("traces", candidate.rounds, "fail" if reasons else "pass", reasons)


def _certify(candidate: Candidate, files: Mapping[str, str]) -> Ruling:
    """Whether play matters and both seats can win; what luck or a seat decides is for a person to look at."""
    with in_folder(candidate, files) as folder:
        try:
            found = certifying.probe(folder, candidate.facts("admission")["exact"])
        except (ConfigError, *_BREAKS) as error:
            return Ruling("certification", candidate.rounds, "fail", (("breaks", str(error)),))
    reasons = tuple(certifying.faults(found))
    return Ruling("certification", candidate.rounds, "flag" if reasons else "pass", reasons, found)


def _compare(candidate: Candidate, earlier: Sequence[Candidate], against: str | None) -> Ruling:
    own = _traces(candidate)
    others = {f"candidate {one.number}": traces for one in earlier if (traces := _traces(one))}
    others |= {f"the game {name}": traces for name, traces in admission.own_traces(own_names(against)).items()}
    found = admission.compare(own, others) if own else ()
    verdict = "fail" if any(one.verdict == "refuse" for one in found) else "flag" if found else "pass"
    return Ruling("novelty", candidate.rounds, verdict, tuple((one.kind, one.text) for one in found))


def _traces(candidate: Candidate) -> Mapping[str, Any]:
    """How random games of a candidate go, empty where it did not pass its check."""
    traces: Mapping[str, Any] = candidate.facts("admission").get("canonical", {})
    return traces if "turns" in traces else {}
