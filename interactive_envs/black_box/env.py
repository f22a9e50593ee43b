"""The black-box environment: the name of a box and the terms in, its task plugged into the dialogue."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Iterator
from typing import Any, Literal, Unpack

from interactive_envs.black_box import families as boxes
from interactive_envs.black_box import made
from interactive_envs.black_box.base import FAMILIES, LEVELS, Entry, Family
from interactive_envs.black_box.protocol import ExploreThenTest
from interactive_envs.black_box.rules import BlackBoxTask, BoxCase, Mode, Session, read_case
from interactive_envs.catalog.unit import Unit
from interactive_envs.dialogue.arguments import CaseArguments
from interactive_envs.dialogue.env import DialogueEnv
from interactive_envs.errors import ConfigError

SETTING = re.compile(r"([0-9]{1,3})@([1-9][0-9]?)")
TERMS = (
    *("setting", "turns", "turn_cost", "feedback", "test_feedback", "marks", "answer_as", "observability", "retries"),
    *("view", "render_mode", "no_interaction", "probes"),
)
"""Arguments that leave the box and its items as they are, so that runs under other terms meet the same cases."""


class BlackBoxEnv(DialogueEnv[BoxCase, Session]):
    """Explore a hidden mechanism by queries, then be tested on what was not asked.

    Observation: at reset what kind of box it is, what may be asked, how long, and what the test asks; afterwards the
        reply and the turns left. In the test each item comes with the exploration's last reply, for the player is to
        forget the items before (``info["remember"]``); each part of several begins the dialogue anew.
    Action: while exploring a query such as ``<query>1 0 1</query>``, each as the rules show it, or ``<ready></ready>``
        to be tested now; in the test ``<answer>…</answer>``, or a move such as ``<move>rock</move>`` of a box that is
        played. Short forms: ``query 1 0 1``, ``answer: …``.
    Reward: at the end the score, the mean of the items' marks (0 to 1), less ``turn_cost`` a turn; 0 before.
    Ends: terminated after the last test item, outcome ``scored``.
    Info: as in :class:`interactive_envs.dialogue.env.DialogueEnv`; ``turns`` counts the turns of the exploration,
        ``marks`` are, at the end, those of the items.

    A turn is lost, or an attempt at an item, when its retries are spent on messages that cannot be read.

    Source: ORACLE, sections 2.2 and 3.1; each family's file says where its boxes differ from the original.

    Args:
        family: ``circuit``, ``program``, ``cipher``, ``mechanics``, ``puzzle`` or ``strategy``; each id fixes it.
        box: the box's name, ``random`` for generated ones; each id fixes it.
        difficulty: 1 to 5, of generated boxes.
        setting: turns of the exploration @ attempts at each test item: ``10@1``, ``20@2``, ``12@1``, or for games
            ``1@1`` and ``2@1``; None for the box's own, of generated boxes that of the level.
        turns: ``all``, or ``dynamic``: as many as the player wants, up to the setting's, each at a cost.
        turn_cost: what a turn takes off the score, with ``turns="dynamic"``.
        items: test items; None for the box's number.
        feedback: ``instant``, or ``delayed``: all replies come after the last turn.
        test_feedback: whether each item's mark is shown at once; then the items are one dialogue, and an item is
            attempted again only after a wrong answer. By default no item's text depends on an earlier answer. Of boxes
            that are played: whether the replies of a game that counts are shown.
        marks: ``partial``, or ``exact``: what is not wholly right is wrong.
        answer_as: ``value``, or ``code``: one Python function instead of items, run on 1,000 arguments in the sandbox.
        observability: ``full`` or ``partial``; docs/black-boxes.md says what each family hides then.
        no_interaction: no exploration.
        retries: messages per turn, attempt, or move of a game that cannot be read and cost nothing.
        case: the number of a case, to play it always.
        render_mode: None or ``ansi``.

    Version history: v0, first release; v1, items are asked as if those before had not been, parts are dialogues of
        their own, circuits and ships have partial marks, replies of games that count are not shown, generated boxes
        have settings by level.
    """

    scored = True

    def __init__(
        self,
        *,
        family: str,
        box: str,
        difficulty: int = 1,
        setting: str | None = None,
        turns: Literal["all", "dynamic"] = "all",
        turn_cost: float = 0.01,
        items: int | None = None,
        feedback: Literal["instant", "delayed"] = "instant",
        test_feedback: bool = False,
        marks: Literal["partial", "exact"] = "partial",
        answer_as: Literal["value", "code"] = "value",
        observability: Literal["full", "partial"] = "full",
        no_interaction: bool = False,
        retries: int = 2,
        **arguments: Unpack[CaseArguments],
    ) -> None:
        for name, value, known in (
            ("turns", turns, ("all", "dynamic")),
            ("feedback", feedback, ("instant", "delayed")),
            ("test_feedback", test_feedback, (True, False)),
            ("marks", marks, ("partial", "exact")),
            ("answer_as", answer_as, ("value", "code")),
            ("observability", observability, ("full", "partial")),
            ("no_interaction", no_interaction, (True, False)),
        ):
            if not any(value is one or (isinstance(one, str) and value == one) for one in known):
                words = " or ".join(repr(one) if isinstance(one, str) else str(one).lower() for one in known)
                raise ConfigError(f"{name} must be {words}, got {value!r}")
        found = boxes.family(family)
        if box != boxes.RANDOM and difficulty != 1:
            raise ConfigError(f"difficulty is for generated boxes; {family} box {box!r} has none, got {difficulty!r}")
        limit, shots = read_setting(_own_setting(found, box, difficulty) if setting is None else setting)
        if limit == 0 or no_interaction:
            limit, no_interaction = 0, True
        if items is not None and (type(items) is not int or not 1 <= items <= 1000):
            raise ConfigError(f"items must be a whole number from 1 to 1000, got {items!r}")
        dynamic = turns == "dynamic"
        if dynamic and not (isinstance(turn_cost, int | float) and 0 <= turn_cost <= 1 / max(1, limit)):
            raise ConfigError(
                f"turn_cost must be from 0 to 1/{max(1, limit)}, so that all turns cost at most 1; got {turn_cost!r}"
            )
        mode = Mode(
            turns=limit,
            shots=shots,
            items=items or (None if box == boxes.RANDOM else boxes.entry(family, box).items) or found.items,
            delayed=feedback == "delayed",
            test_feedback=test_feedback,
            exact=marks == "exact",
            code=answer_as == "code",
            turn_cost=float(turn_cost) if dynamic else 0.0,
        )
        task = BlackBoxTask(family, box, mode, partial=observability == "partial", difficulty=difficulty)
        if "unit" not in {**vars(type(self)), **vars(self)}:  # which an environment of the user's own declares
            self.unit = unit_of(found, box)
        if arguments.get("case") is not None:
            arguments["case"] = str(read_case(arguments["case"]))
        super().__init__(
            task,
            protocol=ExploreThenTest,
            budget=max(1, limit),
            no_interaction=no_interaction,
            retries=retries,
            **arguments,
        )

    @classmethod
    def units(cls) -> Iterator[Unit]:
        """One id a box, and one a family for generated ones."""
        for family, box in boxes.every():
            yield unit_of(family, box)


def read_setting(setting: Any) -> tuple[int, int]:
    """Turns and tries of ``turn@shot``.

    Raises:
        ConfigError: it is written otherwise.

    >>> read_setting("10@1")
    (10, 1)
    """
    found = SETTING.fullmatch(setting) if isinstance(setting, str) else None
    if not found:
        raise ConfigError(f"setting must be written like 10@1 (turns@tries, at least 1 try), got {setting!r}")
    return int(found[1]), int(found[2])


def _own_setting(family: Family, box: str, difficulty: Any) -> str:
    """The setting of a box where none is given; an unknown box, or a level there is not, is named by the task."""
    known = box == boxes.RANDOM or made.is_made(box) or box in family.boxes
    level = difficulty if type(difficulty) is int and difficulty in LEVELS else LEVELS[0]
    return boxes.setting_of(family, box, level) if known else family.setting


def _summary(family: Family, grade: str | None) -> str:
    """What may be read beside a box's id, also by who plays it: never what its mechanism is."""
    if grade is None:
        return f"Generated {family.name} boxes, five levels."
    return f"A fixed {family.name} box, {grade}."


class BoxArguments(CaseArguments, total=False):
    """What every black box takes; :class:`BlackBoxEnv` says what they mean, and has the defaults."""

    setting: str | None
    turns: Literal["all", "dynamic"]
    turn_cost: float
    items: int | None
    feedback: Literal["instant", "delayed"]
    test_feedback: bool
    marks: Literal["partial", "exact"]
    answer_as: Literal["value", "code"]
    observability: Literal["full", "partial"]
    no_interaction: bool
    retries: int


class MadeBoxEnv(BlackBoxEnv):
    """A black box that somebody wrote as a folder: one that a model made, or your own.

    Observation: as of :class:`BlackBoxEnv`: what kind of box it is, what may be asked, and what the test asks; then the
        reply and the turns left; in the test the next item.
    Action: a query as the rules show it, ``<ready></ready>``, and in the test ``<answer>…</answer>`` or a move.
    Reward: at the end the score, the mean of the items' marks (0 to 1), less ``turn_cost`` a turn; 0 before.
    Ends: terminated after the last test item, outcome ``scored``.
    Info: as in :class:`BlackBoxEnv`.

    Source: ORACLE, section 4 and appendix, has models write boxes; how ours are checked is in docs/generation.md.

    Args:
        family: ``circuit``, ``program``, ``cipher``, ``mechanics``, ``puzzle`` or ``strategy``; each id fixes it.
        path: name of a made box of the package, or path of a folder, whose code then runs in the sandbox; fixed by the
            ids of the package's boxes, elsewhere the family's first by default.
        setting: turns of the exploration @ attempts at each test item; None for the family's own.
        turns: ``all``, or ``dynamic``: as many as the player wants, up to the setting's, each at a cost.
        turn_cost: what a turn takes off the score, with ``turns="dynamic"``.
        items: test items; None for the family's number.
        feedback: ``instant``, or ``delayed``: all replies come after the last turn.
        test_feedback: whether each item's mark is shown at once.
        marks: ``partial``, or ``exact``: what is not wholly right is wrong.
        answer_as: ``value``, or ``code``: one Python function instead of items.
        observability: ``full`` or ``partial``.
        no_interaction: no exploration.
        retries: messages per turn, attempt, or move of a game that cannot be read and cost nothing.
        case: the number of a case, to play it always.
        render_mode: None or ``ansi``.

    Version history: v1, first release.
    """

    def __init__(self, *, family: str, path: str | None = None, **arguments: Unpack[BoxArguments]) -> None:
        own = made.names(family)
        self.unit = _of_made(family, path) if path in own else _any(family)
        path = own[0] if path is None and own else path
        if not isinstance(path, str):
            raise ConfigError(f"path must be the name of a made box or of a folder, got {path!r}")
        box = f"{made.MADE}{path}" if path in own else os.path.abspath(path)
        super().__init__(family=family, box=box, **arguments)

    @classmethod
    def units(cls) -> Iterator[Unit]:
        """One id a family for any folder, and one a box of the package."""
        for family in FAMILIES:
            if own := made.names(family):
                yield _any(family)
            for name in own:
                yield _of_made(family, name)


def _of_made(family: str, name: str) -> Unit:
    """What the catalog holds of a made box of the package."""
    unit = unit_of(boxes.family(family), f"{made.MADE}{name}")
    return dataclasses.replace(unit, arguments={"family": family, "path": name})


def _any(family: str) -> Unit:
    """What the catalog holds of the id that plays any folder of a family."""
    unit = unit_of(boxes.family(family), boxes.RANDOM)
    return dataclasses.replace(
        unit,
        id=f"ibench/BlackBox-{family}-v1",
        arguments={"family": family},
        variants=unit.variants[:1],
        numeric_variants=(0,),
        references=(None,),
        tags={"family": family, "grade": "made"} | (_WITH_CODE if _takes_code(boxes.family(family)) else {}),
        summary=f"A {family} box from any folder.",
    )


_WITH_CODE = {"tools": "with code"}


def _takes_code(family: Family) -> bool:
    """Whether it is the nature of the family that a player needs a computer, so of boxes that are made too."""
    return set(family.boxes) <= set(family.with_code)


def _grade(box: str, entry: Entry | None) -> str:
    """By which lists, suites and reports tell boxes apart."""
    return "generated" if entry is None else f"made {entry.grade}" if made.is_made(box) else entry.grade


def unit_of(family: Family, box: str) -> Unit:
    """What the catalog holds of a box."""
    generated = box == boxes.RANDOM
    entry = None if generated else boxes.entry(family.name, box) if made.is_made(box) else family.boxes[box]
    variants: list[dict[str, Any]] = [{}]
    if box in family.listed:
        variants.append(dict(family.listed[box]))
    if generated:
        variants += [{"difficulty": level} for level in LEVELS[1:]]
    variants.append({"setting": "2@2"})
    if not family.no_delay:
        variants.append({"feedback": "delayed"})
    if not family.no_code:
        variants.append({"answer_as": "code", "setting": "3@2"})
    variants += [{"observability": "partial", "test_feedback": True, "marks": "exact"}, {"turns": "dynamic"}]
    tools = _WITH_CODE if box in family.with_code or (made.is_made(box) and _takes_code(family)) else {}
    published = boxes.BASELINE if entry is not None and entry.grade == "baseline" else family.setting
    paper: dict[str, Any] = {"setting": published, "test_feedback": True, "marks": "exact", "retries": 2}
    # Of programs there is no end, and of the boxes of other families nobody knows whether they have a menu.
    own = family.name in FAMILIES
    twins = tuple(n for n, given in enumerate(variants) if own and given.get("answer_as") != "code")
    return Unit(
        id=f"ibench/BlackBox-{family.name}-{box}-v1",
        family=family.name,
        arguments={"family": family.name, "box": box},
        variants=tuple(variants),
        views=("text", "numeric") if 0 in twins else ("text",),
        numeric_variants=twins,
        references=(None,) * len(variants),
        reward_range=(-1.0, 1.0),
        not_key=TERMS,
        sources=(f"ORACLE, {family.section}",),
        presets={"paper": {**paper, **family.paper.get(box, {})}},
        tags={"family": family.name, "grade": _grade(box, entry)} | tools,
        summary=_summary(family, None if entry is None else entry.grade),
    )
