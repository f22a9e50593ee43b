"""Inductive games: a hidden rule gives every instance an output; ask for outputs, then predict unseen instances.

The rules of a family are all known to the player, which of them holds is not. Instances are dealt once a level into a
numbered pool, some of it shown with its outputs, and new instances N1, N2, … that can never be asked about.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from interactive_envs.dialogue.task import Vocabulary
from interactive_envs.query_games.base import Codes, Family, Opening, Values, World, component_name

NEW = 8
"""Instances to predict."""
SPARE = 48
"""Instances drawn beyond the pool, from which the new ones are taken."""


@dataclass(frozen=True)
class RuleWorld(World):
    """All rules of a family at one level.

    Attributes:
        outputs: of the pool's instances, shape (rules, instances).
        predictions: outputs of the new instances, shape (rules, ``NEW``).
        pool: the instances as texts.
        new: the new instances as texts.
        shown: how many of the pool are shown with their outputs at the start: the first.
    """

    outputs: Codes
    predictions: Codes
    pool: tuple[str, ...]
    new: tuple[str, ...]
    shown: int
    per_state: ClassVar[tuple[str, ...]] = ("outputs", "predictions")


@dataclass(frozen=True)
class Instances:
    """What the rules of a structure are applied to.

    Attributes:
        draw: draws so many different instances from a generator, as a world, given the level's parameters.
        write: the instances as texts, templates like all.
    """

    draw: Callable[..., Any]
    write: Callable[[Any], Sequence[str]]


def inductive(
    hides: str, levels: tuple[Mapping[str, int], ...], instances: Instances
) -> Callable[[Callable[..., Values]], Family]:
    """Make a family of rules, named like the function, of the function that computes what the rules give.

    The function takes the instances and the level's parameters and returns the outputs of every rule, whole numbers
    from 0 on, shape (rules, instances); rules that agree everywhere are one.

    Args:
        hides: which rules there are: ``a rule that gives a {set} 1 if …, otherwise 0``.
        levels: parameters of levels 1 to 5: ``pool``, ``shown``, and those of the instances and the rules.
        instances: what the rules are applied to.
    """

    def make(rules: Callable[..., Values]) -> Family:
        name = component_name(rules)

        def build(pool: int, shown: int, **parameters: int) -> RuleWorld:
            # Always the same instances: which of them are asked about is part of the game, not of the episode.
            rng = np.random.default_rng([zlib.crc32(name.encode()), pool])
            made = instances.draw(rng, pool + SPARE, **parameters)
            outputs = _distinct(np.asarray(rules(made, **parameters)).astype(np.uint8))
            new = _decided(outputs, pool)
            dealt = _distinct(outputs[:, [*range(pool), *new]]).astype(np.int64)
            texts = instances.write(made)
            facts = parameters | {"pool": pool, "shown": shown, "new": NEW}
            unseen = tuple(texts[index] for index in new)
            return RuleWorld(facts, dealt[:, :pool], dealt[:, pool:], tuple(texts[:pool]), unseen, shown)

        return Family(name, "inductive", hides, levels, build, opening=Opening(_seen_first, _tell))

    return make


def _distinct(rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The different rows, sorted; as strings of bytes, which NumPy sorts much sooner than rows."""
    found = np.unique(_as_bytes(rows))
    return found.view(np.uint8).reshape(len(found), rows.shape[1])


def _as_bytes(rows: NDArray[np.uint8]) -> NDArray[np.void]:
    return np.ascontiguousarray(rows).view(f"V{rows.shape[1]}").reshape(-1)


def _decided(outputs: NDArray[np.uint8], pool: int) -> list[int]:
    """The instances beyond the pool that the pool decides whatever the rule, those first on which rules differ most."""
    _, first, group = np.unique(_as_bytes(outputs[:, :pool]), return_index=True, return_inverse=True)
    decided = (outputs == outputs[first[group]]).all(axis=0)
    decided[:pool] = False
    found = np.flatnonzero(decided)
    if len(found) < NEW:
        raise ValueError(f"the pool decides {len(found)} other instances, and {NEW} are needed; make it larger")
    spread = np.round(outputs[:, found].var(axis=0), 9)
    return sorted(found[np.argsort(-spread, kind="stable")[:NEW]].tolist())


def _seen_first(world: RuleWorld) -> Codes:
    return np.unique(_as_bytes(world.outputs[:, : world.shown].astype(np.uint8)), return_inverse=True)[1].reshape(-1)


def _tell(world: RuleWorld, words: Vocabulary) -> str:
    outputs = world.outputs[0].tolist()
    pool = [
        f"{number}. {text.format_map(words)}" + (f": output {outputs[number - 1]}" if number <= world.shown else "")
        for number, text in enumerate(world.pool, 1)
    ]
    new = [f"N{number}. {text.format_map(words)}" for number, text in enumerate(world.new, 1)]
    return "\n".join(["Instances:", *pool, "New instances, which you cannot query:", *new])
