"""Whether a game may be played for results: ``novel_games/probing`` finds out what it does, this file decides.

The game's code shares its process with the code that asks it, so a game that wants to can lie in its facts; it cannot
reach anything else. A verdict is about accidents, which is what generated code is full of.
"""

from __future__ import annotations

import contextlib
import functools
import json
import lzma
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from interactive_envs.errors import IbenchError
from interactive_envs.novel_games.folder import LONGEST, GameFolder, own, own_names, read_folder, read_text
from interactive_envs.novel_games.host import traces as reader
from interactive_envs.novel_games.host.adapter import DRAW, MOST_ACTIONS, MOST_OBSERVED, TOO_LONG, WON
from interactive_envs.novel_games.host.sandboxed import REQUESTS, sandbox
from interactive_envs.novel_games.known.likeness import LEAST_ENDS, likeness
from interactive_envs.novel_games.probing.common import DEFAULTS
from interactive_envs.novel_games.probing.shape import canonical, distance
from interactive_envs.novel_games.probing.stages import STAGES
from interactive_envs.sandbox import Limits, Reason, SandboxError
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.files import read_bytes

Verdict = Literal["admit", "flag", "refuse"]
Facts = Mapping[str, Any]
VERDICTS: tuple[Verdict, ...] = ("admit", "flag", "refuse")
"""From good to bad; ``flag`` asks a person to look."""

SLOW_STEP_US = 2000.0
"""A move that takes longer makes a million of them, as training plays, more than half an hour."""
PLAYED, PLAYED_FULL = 200, 1000
STATES, STATES_FULL = 20_000, 1_000_000
SECONDS, SECONDS_FULL = 4.0, 60.0
MOST_TOO_LONG = 0.05
"""Share of random games without an end; fewer are left to the limit of turns, and flagged."""
MOST_DRAWS, MANY_DRAWS = 0.9, 0.15
"""Share of random games: above the first hardly anything is decided; above the second a person looks."""
SEAT_WINS, SEAT_LEADS = 0.95, 0.7
"""One seat's share of decided random games: the seat decides, not the play; or it counts for much."""
SHORT = 4.0
"""Moves of a mean game below which there is little to reason about."""
RANDOM_WINS = 0.4
"""A random player that wins more often against the best play shows that play hardly matters."""
LEAST_PLAYED = 30
"""Games with the best player from which that share is judged."""
SAME_DISTANCE = 0.12
"""Of two games with equal trees, whose 600 random games still differ by chance."""
NEAR_DISTANCE = 0.08
"""Of two games without equal trees: the same game is about 0.03 from itself, two games of the package 0.13 or more."""
TREE_NODES = 100
"""A tree with fewer nodes is shared by games that only begin alike. So are larger ones in which hardly a game ends:
whenever squares are claimed until none is left, they are equal."""
TRACES = Path(__file__).parent / "data" / "traces.json.xz"
LEAST_EXAMPLES = 2
MOST_PLAYED = 1 << 20
"""Random games, and choices at a turn of them, that no honest answer reaches."""
MOST_SHOWN = 400
"""Characters of a reason in a report."""
STATES_FACTOR = 2.0
"""How far a count in game.toml may be off: ended games are counted in several ways."""

LIMITS = Limits(cpu_s=30.0, wall_s=180.0, memory=512 << 20, output=4 << 20)
LIMITS_EXACT = Limits(cpu_s=120.0, wall_s=600.0, memory=1 << 30, output=4 << 20)
LIMITS_FULL = Limits(cpu_s=3600.0, wall_s=14_400.0, memory=8 << 30, output=4 << 20)
"""Of each stage; of the exact solution; and of the latter in full."""
_SECRET = re.compile(
    r"secretly|in secret|without (showing|revealing|seeing)"
    r"|(bid|choose|pick|play|reveal|select)\w*\W+(\w+\W+){0,4}(simultaneously|at the same time)"
    r"|simultaneous(ly)?\W+(bid|choice|choose|pick|reveal|select)",
    re.I,
)
_MAYBE_SECRET = re.compile(r"simultaneous|at the same time|hidden (choice|bid|move)", re.I)
_NO_DRAW = re.compile(
    r"\b(no|without)\W+((a|any)\W+)?(draw|tie)s?\b(?!\W+(pile|deck|card|phase|step))|\bnever\W+(a|any)\W+(draw|tie)\b"
    r"|\b(cannot|can't|can not|never)\W+(be|ends? (in|as|with))\W+(a\W+)?(draw|tie|tied|drawn)\b"
    r"|\b(draw|tie)s?\W+((is|are)\W+)?(impossible|not (possible|allowed)|cannot|can't|can not|never)\b",
    re.I,
)
"""Never what only may not be drawn, such as a card."""
_DRAW = re.compile(
    r"\b(tie|ties|tied|stalemate|drawn game|draws? (are|count|counts|happens?|occurs?))\b|\b(a|as|be|in|is|or) draw\b",
    re.I,
)
"""Not the drawing of cards."""
_FATAL = {
    "raises": "valid_moves() offers a move that raises",
    "punished": "a listed move is refused: it costs 10 and nothing happens",
    "result": "the end of a game is told in a way that cannot be right",
    "no moves": "a position before the end has no legal move",
    "moves": "valid_moves() is no list of different actions",
    "render": "the position cannot be shown",
    "observation": "an observation is outside its space",
    "spaces": "the spaces change size during play or in reset",
    "names": "a player cannot name every move",
    "copy": "the game cannot be copied, so no opponent can search",
    "illegal accepted": "a move that valid_moves() leaves out is played",
    "key": "key() fails, or is the same for positions with more and with fewer legal moves",
}
_MILD = {
    "lost by -10": "reward -10 after a listed move ends the game, scored as the mover's loss (game.toml: minus_ten)",
    "goes on after -10": "reward -10 after a listed move, and the game goes on: counted as 0 (game.toml: minus_ten)",
    "illegal raises": "an illegal move raises",
    "illegal mild": "an illegal move does not cost 10 and end the game",
}
_AT = re.compile(r"line \d{1,4}: ")
"""How a trace's fault begins."""
_OPTIONAL = ("secrets", "follow", "exact", "canonical")
"""Stages that a slow game may fail without being broken."""
_DEAR = ("exact", "canonical")
"""Stages that a game which is refused anyway is spared."""


@dataclass(frozen=True)
class Finding:
    """One reason against a game.

    Attributes:
        kind: a word or two.
        verdict: ``flag`` or ``refuse``.
        text: what was seen, and where.
    """

    kind: str
    verdict: Verdict
    text: str


@dataclass(frozen=True)
class Admission:
    """What the check of one game came to.

    Attributes:
        path: of the folder or file.
        reasons: what speaks against the game.
        facts: what each stage found.
    """

    path: Path
    reasons: tuple[Finding, ...]
    facts: Mapping[str, Any] = field(repr=False)

    @property
    def verdict(self) -> Verdict:
        """The worst of the reasons, ``admit`` without any."""
        return max((reason.verdict for reason in self.reasons), key=VERDICTS.index, default="admit")

    def as_json(self) -> dict[str, Any]:
        """For a report."""
        reasons = [vars(reason) for reason in self.reasons]
        return {"path": str(self.path), "verdict": self.verdict, "reasons": reasons, "facts": dict(self.facts)}


@dataclass(frozen=True)
class Given:
    """A game as it was handed in: a folder of ours, or code with less around it."""

    path: Path
    source: str
    rules: str = ""
    actions: str = ""
    manifest: Mapping[str, Any] | None = None
    """What ``game.toml`` says; None without one."""
    vetted: bool = False

    def settings(self, *, full: bool) -> dict[str, Any]:
        """What the stages are asked with."""
        manifest = self.manifest or {}
        options = {
            name: manifest[name]
            for name in ("max_turns", "zero_reward", "player", "hidden", "minus_ten")
            if name in manifest
        }
        sizes = {"games": PLAYED_FULL, "states": STATES_FULL, "seconds": SECONDS_FULL} if full else _QUICK
        return {
            **DEFAULTS,
            **sizes,
            **options,
            "traces": [[at.line, at.text] for at in reader.traces(self.rules)],
        }


_QUICK = {"games": PLAYED, "states": STATES, "seconds": SECONDS}


def check_paths(
    paths: Iterable[str | Path], *, full: bool = False, against: Sequence[str] | None = None, limits: Limits = LIMITS
) -> Iterator[Admission]:
    """Check games one by one, each for being a near-duplicate of one before it or of a game of the package, too.

    Args:
        paths: game folders, or files of code.
        full: solve games up to a million states, and play more.
        against: games of the package that none may be like; all by default.
        limits: of each stage.
    """
    known: dict[str, Mapping[str, Any]] = {}
    for path in paths:
        admission = check(path, full=full, limits=limits)
        canonical = admission.facts.get("canonical", {})
        if "turns" in canonical:
            if not known:  # playing the games of the package takes seconds, which a game that is refused is spared
                known = {str(own(name).path): traces for name, traces in own_traces(against).items()}
            itself = str(admission.path.resolve())
            others = {name: theirs for name, theirs in known.items() if name != itself}
            admission = replace(admission, reasons=(*admission.reasons, *compare(canonical, others)))
            known[itself] = canonical
        yield admission


def check(path: str | Path, *, full: bool = False, limits: Limits = LIMITS) -> Admission:
    """Check one game, in the sandbox unless it is of the package.

    Args:
        path: of a game folder, or of a file of code.
        full: solve games up to a million states, and play more.
        limits: of each stage but the exact solution.
    """
    try:
        given = _given(Path(path))
    except IbenchError as error:
        return Admission(Path(path), (Finding("folder", "refuse", str(error)),), {})
    facts: dict[str, Any] = {}
    settings = given.settings(full=full)
    reasons: list[Finding] = []
    for name in STAGES:
        refused = any(reason.verdict == "refuse" for reason in reasons)
        if refused and (name in _DEAR or any(kind in _FATAL for kind in facts.get("fuzz", {}).get("faults", ()))):
            break
        wide = (LIMITS_FULL if full else LIMITS_EXACT) if name == "exact" else limits
        try:
            facts[name] = ask(given, name, settings, wide)
        except SandboxError as error:
            facts[name] = {"failed": str(error)}
            if name not in _OPTIONAL:
                reasons.append(_failure(name, error))
                break
            if not refused:
                reasons.append(Finding("not examined", "flag", f"{name}: {error}"))
            continue
        try:
            reasons += _JUDGES[name](given, facts)
            describe(Admission(given.path, tuple(reasons), facts))
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            if given.vetted:
                raise
            facts[name] = {"failed": "unreadable facts"}
            reasons.append(Finding("hostile", "refuse", f"the answer to {name} is none of the check's own"))
            break
        if name in ("read", "build") and reasons:
            break
    return Admission(given.path, tuple(reasons), facts)


def describe(admission: Admission) -> str:
    """Verdict, reasons and the main numbers as text."""
    lines = [f"{admission.verdict:<7} {admission.path}"]
    lines += [f"        {reason.verdict}: {reason.kind}: {printable(reason.text)}" for reason in admission.reasons]
    build, fuzz, exact = (admission.facts.get(stage, {}) for stage in ("build", "fuzz", "exact"))
    if "actions" in build and "lengths" in fuzz:
        shares = ", ".join(f"{name} {share:.0%}" for name, share in _shares(fuzz).items() if share)
        lengths = fuzz["lengths"]
        lines.append(
            f"        {build['actions']} actions, {build['observed']} observed, "
            f"{lengths['least']} to {lengths['most']} moves (mean {lengths['mean']:.1f}), random play: {shares}"
        )
    if exact.get("solved"):
        won = f", decided in {exact['plies']} moves" if exact.get("plies") else ""
        lines.append(f"        {exact['states']} states, worth {exact['value']:+.2f} to the first seat{won}")
    if exact.get("played"):
        player = "the best play" if exact.get("solved") else "a player that looks a move ahead"
        lines.append(f"        a random player wins {exact['random_wins']} of {exact['played']} against {player}")
    return "\n".join(lines)


def printable(text: str) -> str:
    """A line that may come from the game."""
    return "".join(char if char.isprintable() else "·" for char in text[:MOST_SHOWN])


def _given(path: Path) -> Given:
    folder = path if path.is_dir() else path.parent
    if path.is_dir() and (path / "game.toml").exists():
        return _from_folder(path, read_folder(path))
    file = path / "game.py" if path.is_dir() else path
    if not file.exists():
        lacks = "the folder has no game.py" if path.is_dir() else "there is no such file or folder"
        raise IbenchError(f"no game can be read at {path}: {lacks}")
    try:
        source = read_text(file)
    except (OSError, ValueError) as error:
        raise IbenchError(f"no game can be read at {path}: {error}") from error
    texts = {}
    for name in ("rules.md", "actions.md"):
        with contextlib.suppress(OSError, ValueError):
            texts[name] = read_text(folder / name) if path.is_dir() else ""
    return Given(path, source, texts.get("rules.md", ""), texts.get("actions.md", ""))


def _from_folder(path: Path, folder: GameFolder) -> Given:
    manifest = tomllib.loads(read_text(path / "game.toml"))
    return Given(path, folder.source, folder.rules, folder.actions, manifest, folder.vetted)


def own_traces(names: Iterable[str] | None = None) -> dict[str, Mapping[str, Any]]:
    """Canonical traces of games of the package, all by default, by their names."""
    return {name: _own_traces(name) for name in (own_names() if names is None else names)}


@functools.cache
def _own_traces(name: str) -> Mapping[str, Any]:
    """Canonical traces of a game of the package, which is trusted: as they were kept, or else played."""
    kept: Mapping[str, Any] | None = kept_traces().get(own(name).code_sha256)
    return play_traces(name) if kept is None else kept


def play_traces(name: str) -> Mapping[str, Any]:
    """Play a game of the package for its canonical traces, about a second."""
    given = _from_folder(own(name).path, own(name))
    return canonical(given.source, given.settings(full=False))


@functools.cache
def kept_traces() -> Mapping[str, Any]:
    """Traces by hash of the code, as ``make catalog`` played them once: to play all games again takes minutes."""
    try:
        kept: Mapping[str, Any] = json.loads(lzma.decompress(read_bytes(TRACES)))
    except FileNotFoundError:
        return {}
    return kept


def keep_traces() -> None:
    """Write the traces of all games of the package; those of unchanged code are not played again."""
    found = {own(name).code_sha256: _own_traces(name) for name in own_names()}
    text = json.dumps(found, sort_keys=True, separators=(",", ":"))
    write_atomically(TRACES, lzma.compress(text.encode()))


def ask(given: Given, stage: str, settings: Facts, limits: Limits) -> dict[str, Any]:
    """The facts of one stage.

    Raises:
        SandboxError: there are none.
    """
    if not given.vetted:
        facts: dict[str, Any] = sandbox(limits).call(REQUESTS, stage, [given.source, settings])
        return facts
    try:
        return STAGES[stage](given.source, settings)
    except Exception as error:
        raise SandboxError(Reason.EXCEPTION, f"{type(error).__name__}: {error}") from error


def follow(path: Path, trace: str) -> list[str]:
    """Play a trace, in the form of the examples of ``rules.md``, in a game that passed its check.

    Args:
        path: of the game's folder.
        trace: its lines.

    Returns:
        Where the code goes another way, a sentence that begins with the number of the line.

    Raises:
        SandboxError: the code breaks, or the answer is not the check's own.
    """
    given = _given(path)
    told = ask(given, "follow", {**given.settings(full=False), "traces": [[1, trace]]}, LIMITS)
    faults = told.get("faults") if isinstance(told, dict) else None
    if not isinstance(faults, list) or not all(isinstance(one, str) and _AT.match(one) for one in faults):
        raise SandboxError(Reason.FORGED, "the answer is none of the check's own")  # code that lies may tell anything
    return [printable(fault) for fault in faults]


def _failure(stage: str, error: SandboxError) -> Finding:
    where = {"read": "when it is read", "build": "when it is built and tried"}.get(stage, "during play")
    if error.reason is Reason.TIMEOUT:
        return Finding("hangs", "refuse", f"the game does not come to an end {where}: {error}")
    if error.reason is Reason.MEMORY:
        return Finding("memory", "refuse", f"the game takes too much memory {where}: {error}")
    if error.reason in (Reason.FORBIDDEN, Reason.PROCESSES):
        return Finding("hostile", "refuse", f"the game tries what it may not {where}: {error}")
    return Finding("breaks", "refuse", f"the game breaks {where}: {error}")


def _read(given: Given, facts: Facts) -> Iterator[Finding]:
    read = facts["read"]
    if "error" in read:
        yield Finding("does not build", "refuse", read["error"])
    elif read["reaches"]:
        yield Finding("hostile", "refuse", "the code reaches out of the game: " + ", ".join(read["reaches"]))


def _build(given: Given, facts: Facts) -> Iterator[Finding]:
    build = facts["build"]
    if "error" in build:
        kind = {"OSError": "hostile", "MemoryError": "memory"}.get(build["why"], "does not build")
        yield Finding(kind, "refuse", build["error"])
        return
    if build["actions"] > MOST_ACTIONS:
        yield Finding("action space", "refuse", f"{build['actions']} actions, at most {MOST_ACTIONS} are useful")
    if build["observed"] > MOST_OBSERVED:
        yield Finding("observation space", "refuse", f"{build['observed']} numbers, at most {MOST_OBSERVED} are useful")
    if len(build["sizes"]) > 1:
        yield Finding("spaces", "refuse", f"reset changes (actions, observed): {build['sizes']}")


def _seeds(given: Given, facts: Facts) -> Iterator[Finding]:
    repeat = facts["repeat"]
    if repeat["shared"]:
        yield Finding("global randomness", "refuse", f"the game draws from the shared {' and '.join(repeat['shared'])}")
    if repeat["again"]:
        yield Finding(
            "not repeatable", "refuse", f"{repeat['again']} of {repeat['games']} seeds give another game again"
        )
    elif repeat["reused"]:
        text = (
            f"{repeat['reused']} of {repeat['games']} seeds give another game after reset() than in a new environment"
        )
        yield Finding("not repeatable", "refuse", text)
    elif repeat["beside"]:
        text = f"{repeat['beside']} of {repeat['games']} games change when another is played beside them"
        yield Finding("shared state", "refuse", text)


def _play(given: Given, facts: Facts) -> Iterator[Finding]:
    fuzz = facts["fuzz"]
    yield from _seats(given, facts)
    for kinds, verdict in ((_FATAL, VERDICTS[2]), (_MILD, VERDICTS[1])):
        for kind, text in kinds.items():
            if kind in fuzz["faults"]:
                fault = fuzz["faults"][kind]
                yield Finding(kind, verdict, f"{text}, {fault['count']} times: {fault['example']}")
    if "replay" in fuzz["faults"] and not facts["repeat"]["seed_matters"]:  # else the finding on chance covers it
        example = fuzz["faults"]["replay"]["example"]
        yield Finding("replay", "flag", f"a search cannot get at a position by its moves: {example}")
    shares = _shares(fuzz)
    if not shares:
        yield Finding("breaks", "refuse", f"none of {fuzz['games']} random games came to an end")
        return
    if shares[TOO_LONG] > 0:
        verdict = VERDICTS[2 if shares[TOO_LONG] > MOST_TOO_LONG else 1]
        limit = (given.manifest or {}).get("max_turns", LONGEST)
        yield Finding("too long", verdict, f"{shares[TOO_LONG]:.0%} of random games do not end within {limit} moves")
    decided = shares[WON[0]] + shares[WON[1]]
    if shares[DRAW] > MANY_DRAWS:
        verdict = VERDICTS[2 if shares[DRAW] > MOST_DRAWS else 1]
        yield Finding("draws", verdict, f"{shares[DRAW]:.0%} of random games are drawn")
    if decided and (lead := max(shares[seat] for seat in WON) / decided) >= SEAT_LEADS:
        seat = max(WON, key=lambda name: shares[name])
        verdict = VERDICTS[2 if lead >= SEAT_WINS else 1]
        yield Finding("seat", verdict, f"the {seat} seat wins {lead:.0%} of decided random games")
    if fuzz["forced"] == 1:
        yield Finding("no choice", "refuse", "there is never more than one legal move")
    if fuzz["lengths"]["mean"] < SHORT:
        yield Finding("short", "flag", f"a random game has {fuzz['lengths']['mean']:.1f} moves")
    if fuzz["step_us"] > SLOW_STEP_US:
        yield Finding("slow", "flag", f"a move takes more than {SLOW_STEP_US / 1000:g} ms")
    yield from find_rewards(fuzz["ends"], given)


def find_rewards(ends: Mapping[str, int], given: Given) -> Iterator[Finding]:
    """Findings on rewards that contradict the results."""
    if ends.get("contradicted"):
        text = f"in {ends['contradicted']} games the environment's winner is not the one that the reward names"
        yield Finding("reward", "refuse", text)
    if not ends.get("zero") or "zero_reward" in (given.manifest or {}):
        return
    if ends.get("zero but won"):
        text = f"{ends['zero but won']} of {ends['zero']} ends with reward 0 are a loss of the mover, not a draw"
        yield Finding("reward", "refuse", f"{text}: set zero_reward in game.toml")
    elif _NO_DRAW.search(given.rules):
        text = f"{ends['zero']} games end with reward 0, but the rules know no draw: set zero_reward in game.toml"
        yield Finding("reward", "refuse", text)
    elif not _DRAW.search(given.rules):
        text = f"{ends['zero']} games end with reward 0, which the rules do not explain: set zero_reward in game.toml"
        yield Finding("reward", "flag", text)


def _seats(given: Given, facts: Facts) -> Iterator[Finding]:
    signs, both_act = [*facts["read"]["opponent"]], bool(facts["build"]["player"])
    played, sure = find_answers(facts["fuzz"])
    if not both_act:
        signs += [f"{name} never changes" for name in facts["fuzz"]["constant_player"]]
    if signs or (played and sure):
        verdict = VERDICTS[1 if both_act and not sure else 2]
        signs += [played] * bool(played)
        yield Finding("built-in opponent", verdict, "the game seems to move for a player itself: " + ", ".join(signs))
    elif played:
        yield Finding("built-in opponent", "flag", f"the game may move for a player itself: {played}")
    for name, verdict, what in (
        ("unclear_player", VERDICTS[2], "turns seem to be kept in {} and not to alternate"),
        ("maybe_player", VERDICTS[1], "seats are taken to alternate, but {} may keep the turn"),
    ):
        if (found := facts["fuzz"][name]) and "player" not in (given.manifest or {}):
            remedy = 'set player in game.toml, "" where they do alternate'
            yield Finding("acting player", verdict, f"{what.format(' or '.join(found))}: {remedy}")


def find_answers(fuzz: Facts) -> tuple[str, bool]:
    """What random play says of an opponent inside the game, and whether that is sure; ``""`` for nothing."""
    both = fuzz["ends"].get("plus", 0) and fuzz["ends"].get("minus", 0)
    alone = "nothing tells whose turn it is, and moves both win and lose"
    marks = f"one step puts marks of two kinds on {' and '.join(fuzz['answered'])}"
    if fuzz["one_mark"]:
        return f"{marks}, and whoever moves puts the same one where the move is", True
    if fuzz["answered"] and fuzz["turnless"] and both:
        return f"{marks}, {alone}", True
    if fuzz["sides"] and fuzz["turnless"] and both:
        return f"there is {' and '.join(fuzz['sides'])}, {alone}", True
    if fuzz["answered"]:
        return f"{marks}, one of which may be an answer", False
    return (f"{alone}, so one of the moves may be an answer", False) if fuzz["turnless"] and both else ("", False)


def _secrets(given: Given, facts: Facts) -> Iterator[Finding]:
    secrets, manifest = facts["secrets"], given.manifest
    choice = secrets["choice"]
    drawn = facts["repeat"]["seed_matters"] or secrets["late"]
    unseen = choice.get("states", 1) > 1 == choice["boards"] == choice["observations"]
    if secrets["views"]:
        yield from (Finding("view", "refuse", fault) for fault in secrets["view_faults"])
        if manifest and manifest.get("hidden") and secrets["variety"] < 2:
            yield Finding("view", "refuse", "the game has secrets, but a view leaves only one state possible")
    else:
        if secrets["hidden"]:
            text = f"search by copies sees what the board hides ({', '.join(secrets['hidden'])}): add view and resample"
            yield Finding("hidden state", "refuse", text)
        elif drawn and not (facts["read"]["opponent"] or find_answers(facts["fuzz"])[0]):  # else that is who draws
            text = "a copy of the game holds the chance to come: add view and resample, so that search draws its own"
            yield Finding("chance", "flag", text)
        if unseen:
            text = "search by copies sees the first move, which the board keeps secret: add view and resample"
            yield Finding("hidden choice", "refuse", text)
        yield from find_shown_secret(given, choice)
    if manifest is None:
        return
    if drawn and not manifest.get("chance"):
        yield Finding("game.toml", "refuse", "it says chance = false, but the seed decides what happens")
    if manifest.get("chance") and not drawn:
        yield Finding("game.toml", "flag", "it says chance = true, but the seed never matters")
    if not manifest.get("hidden") and (unseen or secrets.get("variety", 1) > 1):
        yield Finding("game.toml", "refuse", "it says hidden = false, but a seat does not see everything")


def find_shown_secret(given: Given, choice: Mapping[str, int]) -> Iterator[Finding]:
    """A finding where the rules speak of a secret choice and the board shows it."""
    shown = [where for where in ("boards", "observations") if choice.get(where, 1) > 1]
    text = f"{given.rules}\n{given.actions}\n{given.source}"
    if not shown or not (words := _SECRET.search(text) or _MAYBE_SECRET.search(text)):
        return
    message = f"the text speaks of secret choices ({words[0]!r}), but the first shows in the {' and '.join(shown)}"
    yield Finding("secret shown", "refuse" if _SECRET.search(text) else "flag", message)


def _worth(given: Given, facts: Facts) -> Iterator[Finding]:
    exact = facts["exact"]
    manifest = given.manifest or {}
    if exact["played"] >= LEAST_PLAYED and exact["random_wins"] > RANDOM_WINS * exact["played"]:
        share = (
            f"a random player wins more than {RANDOM_WINS:.0%} of its games against"  # how many are played takes time
        )
        if exact["solved"]:
            yield Finding("trivial", "refuse", f"{share} the best play")
        else:
            yield Finding("trivial", "flag", f"{share} one that looks a move ahead")
    yield from _opening(exact)
    verdict = VERDICTS[1 if manifest.get("solved") else 2]
    if exact.get("formulas"):
        yield Finding("formula", verdict, "; ".join(exact["formulas"]))
    if exact.get("known"):
        yield Finding("known game", verdict, f"it plays as {' or '.join(exact['known'])}, whatever it calls its parts")
    if exact.get("endings"):
        yield Finding("known game", verdict, f"its later positions play as {'; '.join(sorted({*exact['endings']}))}")
    claimed = str(manifest.get("states", ""))
    if exact["solved"] and claimed:
        number = int(claimed) if claimed.isdecimal() else STATES_FULL
        if not exact["states"] / STATES_FACTOR <= number <= exact["states"] * STATES_FACTOR:
            yield Finding("game.toml", "flag", f"it says states = {claimed!r}, search finds {exact['states']}")


def _opening(exact: Facts) -> Iterator[Finding]:
    """Findings on games that are decided from the start, or never."""
    opening = exact["opening"]
    winner, plies = WON[opening["seat"]].capitalize(), opening["plies"]
    if plies:
        how = f"by {opening['move']}" if opening["move"] else "whatever the first move is"
        text = f"{winner} wins {'at once' if plies == 1 else f'in {plies} moves'} from the start, {how}"
        yield Finding("decided", VERDICTS[2 if plies == 1 else 1], text)
    if exact.get("endless"):
        text = "the best play of both never ends: positions come again until the game is too long, and nobody wins"
        yield Finding("endless", "flag", text)


def _examples(given: Given, facts: Facts) -> Iterator[Finding]:
    if given.manifest is None:
        return
    for fault in facts["follow"]["faults"]:
        yield Finding("example", "refuse", f"rules.md and game.py do not agree: {fault}")
    # examples name their moves, which games from elsewhere cannot
    if facts["follow"]["traces"] < LEAST_EXAMPLES and "move_name" in facts["build"]["extensions"]:
        yield Finding("example", "flag", f"rules.md has fewer than {LEAST_EXAMPLES} examples")


def _comparable(given: Given, facts: Facts) -> Iterator[Finding]:
    """Likeness needs other games, so :func:`compare` judges it; here the traces must be some.

    Raises:
        ValueError: they are none; a game that lies may tell anything.
    """
    told = facts["canonical"]
    pairs = [*told["lengths"], *(row for turn in told["turns"] for row in turn)]
    typed = (
        all(type(name) is str and type(count) is int and count > 0 for name, count in told["results"].items())
        and all(type(value) is int and type(count) is int and count > 0 for value, count in pairs)
        and all(count < MOST_PLAYED for count in (*told["results"].values(), *(count for _, count in pairs)))
        and all([*map(type, level)] == [int, str, int] for level in told["trees"])
        and type(told["open"]) is bool
    )
    if (
        not typed
        or not told["results"]
        or not told["lengths"]
        or not all(told["turns"])
        or told["most"] not in range(1, LONGEST + 1)
    ):
        raise ValueError("these are no traces")
    return iter(())


_JUDGES: dict[str, Callable[[Given, Facts], Iterator[Finding]]] = {
    "read": _read,
    "build": _build,
    "repeat": _seeds,
    "fuzz": _play,
    "secrets": _secrets,
    "follow": _examples,
    "exact": _worth,
    "canonical": _comparable,
}
"""What decides on the facts of a stage."""


def alike(canonical: Mapping[str, Any], known: Mapping[str, Mapping[str, Any]]) -> Iterator[Finding]:
    """The nearest game, if it is too near.

    Args:
        canonical: facts of the stage of this name.
        known: those of other games by their names or paths.
    """
    near = sorted((distance(canonical, theirs), name) for name, theirs in known.items())
    for apart, name in near:
        shared = [*zip(canonical["trees"], known[name]["trees"], strict=False)]
        if not shared or any(one[1] != other[1] for one, other in shared):
            continue
        nodes, _, ends = shared[-1][0]
        told = min(ends, shared[-1][1][2]) >= LEAST_ENDS or apart == 0  # a copy has the same random games
        if told and nodes >= TREE_NODES and apart < SAME_DISTANCE:
            text = f"{nodes:,} ways to begin are those of {Path(name).name}, whatever the numbers of the moves"
            yield Finding("near-duplicate", "refuse", text)
            return
    for apart, name in near[:1]:
        if apart < NEAR_DISTANCE:
            yield Finding("near-duplicate", "flag", f"random games go as in {Path(name).name} (distance {apart:.3f})")


def compare(canonical: Mapping[str, Any], known: Mapping[str, Mapping[str, Any]]) -> tuple[Finding, ...]:
    """Findings on likeness, to some games and to those that everybody knows; takes seconds.

    Args:
        canonical: facts of the stage of this name.
        known: those of other games by their names or paths.
    """
    return (*alike(canonical, known), *find_known(canonical))


def find_known(canonical: Mapping[str, Any]) -> Iterator[Finding]:
    """A finding where a game plays as one that everybody knows, of any size.

    Args:
        canonical: facts of the stage of this name.
    """
    found = likeness(canonical)
    if found is None:
        return
    if found.nodes:
        text = f"it plays as {found.game}, whatever it calls its parts: {found.nodes:,} ways to begin are the same"
        yield Finding("known game", "refuse", text)
    else:
        yield Finding("known game", "flag", f"random games go as in {found.game} (distance {found.distance:.3f})")


def _shares(fuzz: Mapping[str, Any]) -> dict[str, float]:
    played = sum(fuzz["results"].values())
    return {name: fuzz["results"].get(name, 0) / played for name in (*WON, DRAW, TOO_LONG)} if played else {}
