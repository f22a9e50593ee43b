"""The query-game environment: the name of a game and a level in, its task plugged into the dialogue."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Literal, Unpack

from interactive_envs.catalog.unit import Unit
from interactive_envs.dialogue.arguments import RoundsArguments
from interactive_envs.dialogue.env import DialogueEnv
from interactive_envs.errors import ConfigError
from interactive_envs.query_games import games, proofs
from interactive_envs.query_games.base import LEVELS
from interactive_envs.query_games.proofs import Proof
from interactive_envs.query_games.rules import QueryCase, QueryState, QueryTask

BUDGETS: Mapping[str, Callable[[Proof], int]] = {
    "standard": lambda proof: proof.budget,
    "generous": lambda proof: 3 * proof.budget,
    "tight": lambda proof: math.ceil(proof.turns),
}
"""Rounds by the name of a budget, from what was proved of the game at its level."""


class QueryGameEnv(DialogueEnv[QueryCase, QueryState]):
    """Find out one thing about a hidden set, sequence, tree, graph or rule by asking queries.

    Observation: at reset what may be hidden, what is known of it, which queries there are, what is to be found out;
        afterwards the reply and the turns left.
    Action: one query such as ``<query_contains>3</query_contains>`` or the answer, ``<answer>1 4 5</answer>``, each as
        the rules show it. Short forms: ``contains 3``, ``answer: 1 4 5``.
    Reward: 1.0 for the right answer, else 0.0.
    Ends: terminated by the first answer, and when the turns are spent (``timeout``).
    Info: as in :class:`interactive_envs.dialogue.env.DialogueEnv`.

    The right answer is the hidden state's own, which the queries decide; in an abductive game that of the most probable
    state that no query tells from the hidden one, even when a less probable one was drawn.

    Source: the paper on executable games, sections 3.1, 3.2 and 4.1; it released no games, these are our own.

    Args:
        game: ``structure/mode/name``; each id fixes it.
        difficulty: 1 to 5: the number of hidden states grows.
        budget: rounds, the answer included; ``standard``, 1.5 times what the reference player needs in 95 % of the
            cases; ``generous``, 3 times that; ``tight``, what the reference player needs on average, rounded up, so
            that it sometimes has to guess and its score falls with the level.
        no_interaction: no queries, one answer.
        retries: unreadable messages a turn that cost nothing.
        strict: the first unreadable message ends the episode, as in the paper.
        case: the number of a hidden state, to play it always.
        render_mode: None or ``ansi``.

    Version history: v0, first release; v1, rules in plain English with an example answer that is a poor guess, and
    the probes of necessity, boundary, noise and revision as docs/protocols.md says.
    """

    def __init__(
        self,
        *,
        game: str,
        difficulty: int = 1,
        budget: int | Literal["standard", "generous", "tight"] = "standard",
        **arguments: Unpack[RoundsArguments],
    ) -> None:
        task = QueryTask(game, difficulty)
        if "unit" not in vars(type(self)):  # which an environment of the user's own declares
            self.unit = unit_of(game)
        if isinstance(budget, str):
            if budget not in BUDGETS:
                names = "'standard', 'generous' or 'tight'"
                raise ConfigError(f"budget must be a whole number, {names}, got {budget!r}")
            budget = BUDGETS[budget](proofs.of_game(game, difficulty))
        super().__init__(task, budget=budget, **arguments)

    @classmethod
    def units(cls) -> Iterator[Unit]:
        """One id a game."""
        return map(unit_of, games.every())


def unit_of(game: str) -> Unit:
    """What the catalog holds of a game ``structure/mode/name``."""
    structure, mode, short = game.split("/")
    kinds = ", ".join(kind.name for kind in games.find(game).kinds)
    return Unit(
        id=f"ibench/Query-{structure}-{mode}-{short}-v1",
        family="query-games",
        arguments={"game": game},
        variants=tuple({"difficulty": difficulty} for difficulty in LEVELS),
        views=("text", "numeric"),
        numeric_variants=tuple(range(len(LEVELS))),
        presets={"paper": {"strict": True}},
        references=("reference",) * len(LEVELS),
        tags={"structure": structure, "mode": mode},
        summary=f"{mode.capitalize()}, {structure}: find {games.find(game).target.name} by asking {kinds}.",
        sources=("Executable games, sections 3.1 and 3.2",),
    )
