"""The query-game environment: the name of a game and a level in, its task plugged into the dialogue."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, Unpack

from interactive_envs.catalog.unit import Unit
from interactive_envs.dialogue.arguments import RoundsArguments
from interactive_envs.dialogue.env import DialogueEnv
from interactive_envs.errors import ConfigError
from interactive_envs.query_games import games, made, proofs
from interactive_envs.query_games.base import LEVELS, Game
from interactive_envs.query_games.proving import Proof
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
        if "unit" not in {**vars(type(self)), **vars(self)}:  # which an environment of the user's own declares
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


class MadeQueryGameEnv(QueryGameEnv):
    """A query game that somebody wrote as a folder: one that a model made, or your own.

    Observation: as of :class:`QueryGameEnv`: what may be hidden, which queries there are, what is to be found out; then
        the reply and the turns left.
    Action: one query such as ``<query_distance>3</query_distance>`` or the answer, ``<answer>12</answer>``.
    Reward: 1.0 for the right answer, else 0.0.
    Ends: terminated by the first answer, and when the turns are spent (``timeout``).
    Info: as in :class:`interactive_envs.dialogue.env.DialogueEnv`.

    Source: the paper on executable games, section 3, has a model write such games; how ours are checked is in
    docs/generation.md.

    Args:
        path: name of a made game of the package, or path of a folder, whose code then runs in the sandbox; fixed by the
            ids of the package's games, elsewhere the first of them by default.
        difficulty: 1 to 5: the number of hidden states grows.
        budget: rounds, the answer included: ``standard``, ``generous`` or ``tight``, as in :class:`QueryGameEnv`.
        no_interaction: no queries, one answer.
        retries: unreadable messages a turn that cost nothing.
        strict: the first unreadable message ends the episode, as in the paper.
        case: the number of a hidden state, to play it always.
        render_mode: None or ``ansi``.

    Version history: v1, first release.
    """

    def __init__(
        self,
        *,
        path: str | None = None,
        difficulty: int = 1,
        budget: int | Literal["standard", "generous", "tight"] = "standard",
        **arguments: Unpack[RoundsArguments],
    ) -> None:
        game = games.name_of_path(path)
        self.unit = _of_made(path) if path in made.names() else _ANY
        super().__init__(game=game, difficulty=difficulty, budget=budget, **arguments)

    @classmethod
    def units(cls) -> Iterator[Unit]:
        """One id for any folder, and one a game of the package."""
        yield _ANY
        yield from map(_of_made, made.names())


_COMMON: dict[str, Any] = {
    "family": "query-games",
    "variants": tuple({"difficulty": difficulty} for difficulty in LEVELS),
    "views": ("text", "numeric"),
    "numeric_variants": tuple(range(len(LEVELS))),
    "presets": {"paper": {"strict": True}},
    "references": ("reference",) * len(LEVELS),
}


def unit_of(game: str) -> Unit:
    """What the catalog holds of a game ``structure/mode/name``."""
    structure, mode, short = game.split("/")
    return Unit(
        id=f"ibench/Query-{structure}-{mode}-{short}-v1",
        arguments={"game": game},
        tags={"structure": structure, "mode": mode},
        summary=_summary(games.find(game)),
        sources=("Executable games, sections 3.1 and 3.2",),
        **_COMMON,
    )


_ANY = Unit(
    id="ibench/Query-v1",
    summary="A query game from any folder.",
    sources=("Executable games, section 3",),
    **_COMMON,
)


def _of_made(name: str) -> Unit:
    game = made.find(name)
    return Unit(
        id=f"ibench/Query-made-{name}-v1",
        arguments={"path": name},
        tags={"made": f"{game.structure} {game.mode}"},
        summary=_summary(game),
        sources=("Executable games, section 3",),
        **_COMMON,
    )


def _summary(game: Game) -> str:
    kinds = ", ".join(kind.name for kind in game.kinds)
    return f"{game.mode.capitalize()}, {game.structure}: find {game.target.name} by asking {kinds}."
