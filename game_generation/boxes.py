"""Black boxes: what a model is asked for, and the stages of their check.

Source: ORACLE, section 4 and appendix: a coding model writes a box, a test model plays it, a refinement model repairs
it. Here no model decides what is true: a second one writes the mechanism again from the description alone, and both
must agree on the whole domain.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import json
import random
import re
import string
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.black_box import made
from interactive_envs.black_box.base import FAMILIES
from interactive_envs.black_box.env import MadeBoxEnv
from interactive_envs.black_box.made import MadeFolder, Maker
from interactive_envs.errors import ConfigError
from interactive_envs.game_generation.answers import Answer, read_files, setting_of
from interactive_envs.game_generation.engine import Kind
from interactive_envs.game_generation.pool import Candidate, Ruling, in_folder
from interactive_envs.sandbox import Limits

COMPARED, MORE = 300, 1_500
"""Inputs for which two versions are compared, and those that show whether these could tell mutants apart."""
MUTANTS = 24
MUTANT_LIMITS = Limits(cpu_s=4.0, wall_s=30.0, output=16 << 20, input=8 << 20)
"""A change may make a loop that never ends."""
MOST_MISSED = 0.1
"""Share of the mutants that differ somewhere, but on none of the inputs that are compared."""
EPISODES = 3
EASY, LUCK = 0.6, 0.5
"""The least score of the reference player on an easy box, and the greatest of one that answers at random."""
MOST_REASONS = 4
COMMON = frozenset(
    "a all and any are as at by each every for from goes has in into is it its last next no not of on one or other so "
    "stays sum than that the then there they this to two up what when which with word x y z first letter letters "
    "number numbers value values list text place places move moves throw throws gate gates input inputs object "
    "time".split()
)
"""Words that give nothing away."""
INSTRUCTIONS = """\
You are given the description of a mechanism, and the signatures of functions. Write these functions from the
description alone, in plain Python with the standard library, without randomness, files or printing. Apply the text as
it stands. Send one file in a fenced block that opens with its name, ```second.py."""


class Boxes(Kind):
    """Black boxes in folders of ``box.toml``, ``box.py`` and ``description.md``."""

    name = "box"
    files: ClassVar[tuple[str, ...]] = made.FILES
    stages: tuple[str, ...] = ("builds", "second", "mutants", "leaks", "reference", "novelty")
    ordered: ClassVar[frozenset[str]] = frozenset({"novelty"})
    categories: ClassVar[tuple[str, ...]] = FAMILIES

    def first(self, wish: Mapping[str, Any]) -> tuple[str, str]:
        """The instructions for the wish's family, and what this box is to be."""
        family = str(wish.get("category", FAMILIES[0]))
        told = _families()[family]
        text = _text("system.md")
        system = string.Template(text).substitute(family=family, **{name: told[name] for name in _PARTS})
        if idea := wish.get("idea"):
            return system, f"Write this {family} box: {idea}"
        graded = f", {wish['grade']} to find out" if wish.get("grade") else ""
        about = f" Its idea: {wish['about']}, or something like it." if wish.get("about") else ""
        return system, f"Write a new {family} box{graded}.{about}"

    @classmethod
    def varied(cls, number: int, wish: Mapping[str, Any]) -> dict[str, Any]:
        """A wish with an idea, and a family and a grade where none is given, for the candidate of a number."""
        family = str(wish.get("category", FAMILIES[(number - 1) % len(FAMILIES)]))
        ideas = _families()[family]["ideas"]
        round_ = (number - 1) // len(FAMILIES)
        drawn = random.Random(f"boxes {family}").sample(ideas, len(ideas))  # noqa: S311  variety, not secrets
        return {
            "category": family,
            "grade": "hard" if round_ % 3 == 2 else "easy",
            "about": drawn[round_ % len(ideas)],
            **wish,
        }

    def plays(self, files: Mapping[str, str]) -> str:
        """The id of the family's boxes."""
        return f"ibench/BlackBox-{setting_of(files, 'box.toml', 'family')}-v1"

    def title(self, files: Mapping[str, str]) -> str:
        """As ``box.toml`` has it."""
        return setting_of(files, "box.toml", "title")

    def more_files(self, candidate: Candidate) -> dict[str, bytes]:
        """The second version."""
        return {name: text.encode() for name, text in _second(candidate).files}

    def question(self, stage: str, candidate: Candidate, files: Mapping[str, str]) -> tuple[str, str] | None:
        """The second writer is given the description, the settings that players may know, and the signatures."""
        if stage != "second":
            return None
        settings = tomllib.loads(files["box.toml"])
        told = _families()[settings["family"]]
        known = {name: value for name, value in settings.items() if name not in _OWN}
        listed = "\n".join(f"{name} = {value!r}" for name, value in known.items())
        parts = [files["description.md"].strip(), f"## Settings\n\n{listed}" if listed else ""]
        parts.append(f"## Functions\n\n{told['functions'].strip(chr(10))}")
        return INSTRUCTIONS, "\n\n".join(filter(None, parts))

    def unread(self, stage: str, candidate: Candidate) -> str:
        """The second writer is told what its reply lacks."""
        return _second(candidate).problem

    def check(self, stage: str, candidate: Candidate, files: Mapping[str, str], earlier: Sequence[Candidate]) -> Ruling:
        """Whether it can be played, whether the two versions agree, and whether it measures anything."""
        with in_folder(candidate, files) as path:
            try:
                folder = made.read(path)
                maker = made.maker(folder.family)
                match stage:
                    case "builds":
                        return _build(candidate, folder, maker)
                    case "second":
                        return _agree(candidate, folder, maker)
                    case "mutants":
                        return _mutate(candidate, folder, maker)
                    case "leaks":
                        return _ruling(stage, candidate, _leaks(folder, maker))
                    case "reference":
                        return _play(candidate, folder, path)
                    case _:
                        return _compare(candidate, folder, earlier)
            except ConfigError as error:
                return _ruling(stage, candidate, [("does not build", str(error).replace(str(path), path.name))])


_PARTS = ("settings", "functions", "known")
_OWN = ("title", "family", "grade", "summary", "rules", "question", "gates", "outputs", "game")


def _text(name: str) -> str:
    return resources.files(__package__).joinpath("data", "boxes", name).read_text("utf-8")


def _families() -> Mapping[str, Any]:
    return tomllib.loads(_text("families.toml"))


def _ruling(stage: str, candidate: Candidate, reasons: Sequence[tuple[str, str]], **facts: Any) -> Ruling:
    verdict = "fail" if reasons else "pass"
    return Ruling(stage, candidate.rounds, verdict, tuple(reasons[:MOST_REASONS]), {} if reasons else facts)


def _inputs(folder: MadeFolder, maker: Maker, count: int) -> list[Any]:
    """Inputs over the whole domain, the same for everybody."""
    return maker.inputs(folder, np.random.default_rng(count), count)


def _build(candidate: Candidate, folder: MadeFolder, maker: Maker) -> Ruling:
    """Whether a box can be made of it, which gives the same results when it is run again."""
    wished = candidate.wish.get("category", folder.family)
    if folder.family != wished:
        return _ruling("builds", candidate, [("family", f"family must be {wished!r}, got {folder.family!r}")])
    maker.box(folder)
    inputs = _inputs(folder, maker, COMPARED)
    twice = folder.results([*inputs, *inputs])
    if twice[: len(inputs)] != twice[len(inputs) :]:
        return _ruling("builds", candidate, [("chance", "box.py gives other results when it is run again")])
    return _ruling("builds", candidate, [], inputs=len(inputs))


def _second(candidate: Candidate) -> Answer:
    """The second version, or why there is none."""
    replies = candidate.replies("second")
    if not replies:
        return Answer(problem="Nobody was asked for one.")
    found = read_files(replies[-1].reply.text, [made.SECOND], cut=replies[-1].reply.finish == "length")
    if not found.problem and not _is_code(found.files[0][1]):
        return Answer(problem=f"{made.SECOND} is no Python. Send it again.")
    return found


def _agree(candidate: Candidate, folder: MadeFolder, maker: Maker) -> Ruling:
    """Whether the code that was written from the description alone does the same for every input."""
    said = _second(candidate)
    if said.problem:
        unwritten = ("not written", f"there is no second version. {said.problem}")
        return Ruling("second", candidate.rounds, "flag", (unwritten,))
    ((_, source),) = said.files
    inputs = _inputs(folder, maker, COMPARED)
    first = folder.results(inputs)
    try:
        second = folder.results(inputs, source)
    except ConfigError as error:
        return _ruling("second", candidate, [("versions", f"the second programmer's code: {error}. {_REMEDY}")])
    differing = [
        (given, one, other)
        for given, one, other in zip(inputs, first, second, strict=True)
        if _differ(maker, folder, one, other)
    ]
    reasons = [
        (
            "versions",
            f"for {given!s:.200} your code gives {one!s:.300}, the second programmer's {other!s:.300}. {_REMEDY}",
        )
        for given, one, other in differing[:2]
    ]
    if differing:
        reasons.append(("versions", f"they differ for {len(differing)} of {len(inputs)} inputs"))
    return _ruling("second", candidate, reasons, compared=len(inputs))


def _is_code(source: str) -> bool:
    try:
        return bool(ast.parse(source).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


_REMEDY = "Mend the description where it can be misread, or the code"


def _differ(maker: Maker, folder: MadeFolder, one: Any, other: Any) -> bool:
    """Whether two results differ; what cannot even be compared does."""
    try:
        return maker.differ(folder, one, other)
    except (TypeError, ValueError, KeyError, IndexError):
        return True


def _mutate(candidate: Candidate, folder: MadeFolder, maker: Maker) -> Ruling:
    """Whether the inputs that are compared could have told a wrong version apart."""
    inputs = _inputs(folder, maker, COMPARED)
    more = _inputs(folder, maker, MORE)
    begun = time.monotonic()
    truth, truth_of_more = folder.results(inputs), folder.results(more)
    limits = _room(time.monotonic() - begun)
    told = missed = 0
    try:
        changed = mutants(folder.source, MUTANTS)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:  # it is nested too deeply, for example
        return _ruling("mutants", candidate, [("mutants", f"box.py cannot be taken apart: {type(error).__name__}")])
    for source in changed:
        if _differs_on(folder, maker, source, inputs, truth, limits):
            told += 1
        elif _differs_on(folder, maker, source, more, truth_of_more, limits):
            missed += 1
    if not told:
        return _ruling("mutants", candidate, [("mutants", "no change of the code changes what it does")])
    share = missed / (told + missed)
    if share > MOST_MISSED:
        return Ruling(
            "mutants",
            candidate.rounds,
            "flag",
            (("mutants", f"{missed} of {told + missed} changed versions agree on all inputs that are compared"),),
        )
    return _ruling("mutants", candidate, [], told=told, missed=missed)


def _room(seconds: float) -> Limits:
    """The limits of a mutant: several times what the code itself takes, in few sizes, for each has its own sandbox."""
    factor = next(size for size in (1, 4, 16, 64) if size == 64 or 4 * seconds <= size * MUTANT_LIMITS.cpu_s)
    return replace(MUTANT_LIMITS, cpu_s=factor * MUTANT_LIMITS.cpu_s, wall_s=factor * MUTANT_LIMITS.wall_s)


def _differs_on(
    folder: MadeFolder, maker: Maker, source: str, inputs: Sequence[Any], truth: Sequence[Any], limits: Limits
) -> bool:
    try:
        found = folder.results(inputs, source, limits)
    except ConfigError:
        return True
    return any(_differ(maker, folder, one, other) for one, other in zip(truth, found, strict=True))


def mutants(source: str, most: int) -> list[str]:
    """Versions of a text of Python with one small change each, drawn from all there are.

    A number is one more, a text another one of the source, a comparison or an operation another one, a condition is
    turned around.

    >>> mutants("x = a + 1", 9)
    ['x = a - 1', 'x = a + 2']
    """
    tree = ast.parse(source)
    texts = sorted(
        {str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant) and _is_text(node.value)}
    )
    places = [place for place, node in enumerate(ast.walk(tree)) if _change(node, texts)]
    if len(places) > most:
        places = sorted(random.Random(0).sample(places, most))  # noqa: S311  a sample, not secrets
    found = []
    for place in places:
        changed = copy.deepcopy(tree)
        node = list(ast.walk(changed))[place]
        for name, value in _change(node, texts).items():
            setattr(node, name, value)
        found.append(ast.unparse(ast.fix_missing_locations(changed)))
    return found


def _is_text(value: Any) -> bool:
    """Whether it is a text that is no documentation."""
    return isinstance(value, str) and len(value) <= 40


_OPERATIONS: Mapping[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Mod: ast.FloorDiv,
    ast.FloorDiv: ast.Mod,
    ast.Div: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
_COMPARISONS: Mapping[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


def _change(node: ast.AST, texts: Sequence[str]) -> dict[str, Any]:
    """The small change of a node, as attributes with their new values; empty where there is none."""
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in _OPERATIONS:
        return {"op": _OPERATIONS[type(node.op)]()}
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARISONS:
        return {"ops": [_COMPARISONS[type(node.ops[0])](), *node.ops[1:]]}
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return {"value": node.value + 1}
    if isinstance(node, ast.Constant) and _is_text(node.value) and len(texts) > 1:
        return {"value": texts[(texts.index(str(node.value)) + 1) % len(texts)]}
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        return {"test": ast.UnaryOp(ast.Not(), node.test)}
    if isinstance(node, ast.BoolOp):
        return {"op": ast.Or() if isinstance(node.op, ast.And) else ast.And()}
    return {}


def _leaks(folder: MadeFolder, maker: Maker) -> list[tuple[str, str]]:
    """Where what players read gives the mechanism away: the title, or for programs also words of the summary."""
    told = {word for word in _words(folder.title) if word not in COMMON and len(word) > 3}
    if folder.family == "program":
        told |= {word for word in _words(folder.summary) if word not in COMMON and len(word) > 3}
    found = []
    for text in maker.texts(folder):
        shown = sorted(told & set(_words(text)))
        if shown and folder.family == "puzzle" and folder.title.lower() not in text.lower():
            continue  # its rules are told anyway: only the title as a whole gives more away
        if shown:
            found.append(("leak", f"players read {text!r:.120}, which says {', '.join(map(repr, shown))}; rename it"))
    return found


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower())


def _play(candidate: Candidate, folder: MadeFolder, path: Path) -> Ruling:
    """The scores of the reference player and of one that acts at random."""
    scores = {}
    for name in ("reference", "random"):
        env = MadeBoxEnv(family=folder.family, path=str(path))
        rewards = []
        for seed in range(EPISODES):
            player: Agent = resolve_agent(f"{folder.family}/{name}")()
            rewards.append(episode(env, player, seed))
        scores[name] = round(sum(rewards) / EPISODES, 3)
    reasons = []
    if folder.grade == "easy" and scores["reference"] < EASY:
        reasons.append(
            (
                "not easy",
                f"the reference player scores {scores['reference']:.2f}, less than {EASY}; make it simpler, or call "
                "it hard",
            )
        )
    if scores["random"] > LUCK:
        reasons.append(("luck", f"a player that acts at random scores {scores['random']:.2f}, more than {LUCK}"))
    return _ruling("reference", candidate, reasons, **scores)


def episode(env: Any, player: Agent, seed: int) -> float:
    """The reward of one episode."""
    observation, info = env.reset(seed=seed)
    player.reset(seed=seed, info=info)
    total, over = 0.0, False
    while not over:
        observation, reward, terminated, truncated, info = env.step(player.act(observation, info))
        total, over = total + float(reward), terminated or truncated
    return total


def _compare(candidate: Candidate, folder: MadeFolder, earlier: Sequence[Candidate]) -> Ruling:
    """Whether it does the same as an earlier candidate, or a made box of the package that it is not itself."""
    own = fingerprint(folder)
    released = {name: made.find(name) for name in made.names(folder.family)}
    others = {fingerprint(one): f"the box {name}" for name, one in released.items() if not _is_same(one, folder)}
    for one in reversed(earlier):
        facts = one.facts("novelty")
        others |= {facts["fingerprint"]: f"candidate {one.number}"} if facts else {}
    reasons = [("duplicate", f"it gives the same results as {others[own]}")] if own in others else []
    if name := made.maker(folder.family).known(folder):
        reasons.append(("known box", f"it gives the same results as the box {name} of the package"))
    return _ruling("novelty", candidate, reasons, fingerprint=own)


def _is_same(one: MadeFolder, other: MadeFolder) -> bool:
    """Whether two folders hold one box: a released candidate that is made again."""
    return (one.settings, one.source, one.description) == (other.settings, other.source, other.description)


def fingerprint(folder: MadeFolder) -> str:
    """Equal for two boxes of a family that give the same results."""
    maker = made.maker(folder.family)
    inputs = _inputs(folder, maker, 100)
    content = json.dumps([folder.family, inputs, folder.results(inputs)], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:16]
