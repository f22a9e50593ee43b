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
from interactive_envs.query_games.base import (
    NOTHING,
    NUMBER,
    NUMBER_OR_NONE,
    ORDER,
    Codes,
    Family,
    Form,
    Kind,
    Opening,
    Row,
    Target,
    World,
    chosen,
    compare,
)

NEW = 8
"""Instances to predict."""
APART = 4
"""How far apart in the pool two instances of one query may be."""
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


def inductive(
    name: str,
    hides: str,
    levels: Sequence[Mapping[str, int]],
    instances: Callable[..., Any],
    write: Callable[[Any], Sequence[str]],
    rules: Callable[..., NDArray[Any]],
) -> Family:
    """A family of rules.

    Args:
        name: of the family.
        hides: which rules there are: ``a rule that gives a {set} 1 if …, otherwise 0``.
        levels: parameters of levels 1 to 5: ``pool``, ``shown``, and those of ``instances`` and ``rules``.
        instances: draws so many different instances from a generator, as a world, given the parameters.
        write: the instances as texts, templates like all.
        rules: the outputs of every rule, whole numbers from 0 on, shape (rules, instances), from the instances and the
            parameters; rules that agree everywhere are one.
    """

    def build(pool: int, shown: int, **parameters: int) -> RuleWorld:
        # Always the same instances: which of them are asked about is part of the game, not of the episode.
        rng = np.random.default_rng([zlib.crc32(name.encode()), pool])
        made = instances(rng, pool + SPARE, **parameters)
        outputs = _distinct(np.asarray(rules(made, **parameters)).astype(np.uint8))
        new = _decided(outputs, pool)
        dealt = _distinct(outputs[:, [*range(pool), *new]]).astype(np.int64)
        texts = write(made)
        facts = parameters | {"pool": pool, "shown": shown, "new": NEW}
        return RuleWorld(
            facts, dealt[:, :pool], dealt[:, pool:], tuple(texts[:pool]), tuple(texts[index] for index in new), shown
        )

    return Family(name, "inductive", hides, tuple(levels), build, opening=Opening(_seen_first, _tell))


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
        f"{number}. {text.format_map(words)}" + (f" gives {outputs[number - 1]}" if number <= world.shown else "")
        for number, text in enumerate(world.pool, 1)
    ]
    new = [f"N{number}. {text.format_map(words)}" for number, text in enumerate(world.new, 1)]
    return "\n".join(["Instances:", *pool, "New instances, about which nothing can be asked:", *new])


def _one(world: RuleWorld) -> list[Row]:
    return [(number,) for number in range(1, len(world.pool) + 1)]


def _two(world: RuleWorld) -> list[Row]:
    return [(i, j) for i in range(1, len(world.pool)) for j in range(i + 1, min(i + APART, len(world.pool)) + 1)]


def _gives(world: RuleWorld, number: int) -> Codes:
    return world.outputs[:, number - 1]


def _range(world: RuleWorld, first: int, last: int) -> Codes:
    return world.outputs[:, first - 1 : last]


def _first_greatest(outputs: Codes) -> Codes:
    """The number, from 1 on, of the first instance with the greatest output; 0 where all give 0."""
    return np.where(outputs.any(axis=1), outputs.argmax(axis=1) + 1, 0)


def _last_greatest(outputs: Codes) -> Codes:
    found = outputs.shape[1] - outputs[:, ::-1].argmax(axis=1)
    return np.where(outputs.any(axis=1), found, 0)


_ONE_OF = "any instance's number, 1 to {pool}"
_PAIR_OF = f"any two different instances' numbers, 1 to {{pool}}, at most {APART} apart, in any order"
_RANGE_OF = f"any two different instances' numbers, 1 to {{pool}}, at most {APART} apart, the smaller first"

KINDS = (
    Kind("test", "what the rule gives for instance {0}", _ONE_OF, _one, lambda w, i: w.outputs[:, i - 1], NUMBER),
    Kind(
        "same", "whether the rule gives the same for instances {0} and {1}", _PAIR_OF, _two,
        lambda w, i, j: compare(_gives(w, i), _gives(w, j)) == 1, unordered=True,
    ),
    Kind(
        "more", "whether what the rule gives for instance {0} is less than, equal to or greater than what it gives for "
        "instance {1}", _RANGE_OF, _two,
        lambda w, i, j: compare(w.outputs[:, i - 1], w.outputs[:, j - 1]), ORDER,
    ),
    Kind(
        "sum", "the sum of what the rule gives for instances {0} to {1}, both included", _RANGE_OF, _two,
        lambda w, i, j: _range(w, i, j).sum(axis=1), NUMBER,
    ),
    Kind(
        "any", "whether the rule gives more than 0 for at least one of the instances {0} to {1}, both included",
        _RANGE_OF, _two,
        lambda w, i, j: _range(w, i, j).max(axis=1) > 0,
    ),
    Kind(
        "odd", "whether the sum of what the rule gives for instances {0} to {1}, both included, is odd", _RANGE_OF,
        _two, lambda w, i, j: _range(w, i, j).sum(axis=1) % 2,
    ),
    Kind(
        "both", "whether the rule gives more than 0 for both of instances {0} and {1}", _PAIR_OF, _two,
        lambda w, i, j: np.minimum(_gives(w, i), _gives(w, j)) > 0, unordered=True,
    ),
    Kind(
        "first", "the number of the first instance from {0} on, {0} included, for which the rule gives more than 0, or "
        "none if there is none", _ONE_OF, _one, lambda w, i: _first_from(w.outputs, i), NUMBER_OR_NONE,
    ),
)  # fmt: skip
"""Kinds of queries about the pool, for every structure."""

TARGETS = (
    Target(
        "five", "what the rule gives for N1, N2, N3, N4 and N5", lambda w: w.predictions[:, :5],
        Form("five numbers in this order"),
    ),
    Target(
        "even-ones", "what the rule gives for N2, N4, N6 and N8", lambda w: w.predictions[:, 1::2],
        Form("four numbers in this order"),
    ),
    Target(
        "all-eight", "what the rule gives for N1 to N8", lambda w: w.predictions, Form("eight numbers in this order"),
    ),
    Target(
        "thirds", "three sums of what the rule gives: that for N1 and N2, that for N3 to N5, and that for N6 to N8",
        lambda w: np.stack([w.predictions[:, a:b].sum(axis=1) for a, b in ((0, 2), (2, 5), (5, 8))], axis=1),
        Form("three numbers in this order"),
    ),
    Target(
        "first-and-sum",
        "the number of the new instance that gets the most, of the first one if several do (1 for N1, 2 for N2 and so "
        "on; 0 if all get 0), and the sum of what N1 to N8 get",
        lambda w: np.stack([_first_greatest(w.predictions), w.predictions.sum(axis=1)], axis=1),
        Form("two numbers in this order"),
    ),
    Target(
        "first-and-last",
        "the numbers of the first and of the last of the new instances that get the most (1 for N1, 2 for N2 and so "
        "on; the same number twice if only one does; 0 and 0 if all get 0)",
        lambda w: np.stack([_first_greatest(w.predictions), _last_greatest(w.predictions)], axis=1),
        Form("two numbers in this order"),
    ),
    Target(
        "equal-neighbours",
        "the numbers of those among N1 to N7 that get the same as the new instance just after them (1 for N1, 2 for N2 "
        "and so on)",
        lambda w: chosen(w.predictions[:, 1:] == w.predictions[:, :-1], range(1, NEW)),
        Form("the numbers in any order", ordered=False),
    ),
    Target(
        "some-that-get-more",
        "the numbers of those among N3 to N8 that get more than 0 (3 for N3 and so on)",
        lambda w: chosen(w.predictions[:, 2:] > 0, range(3, NEW + 1)),
        Form("the numbers in any order", ordered=False),
    ),
)  # fmt: skip
"""Targets, for every structure: all of them about instances that cannot be asked about."""


def _first_from(outputs: Codes, start: int) -> Codes:
    found = outputs[:, start - 1 :] > 0
    return np.where(found.any(axis=1), found.argmax(axis=1) + start, NOTHING)
