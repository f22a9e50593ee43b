"""What the player of a dialogue may know, and functions of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from interactive_envs.view import View

Stage: TypeAlias = str
"""``rounds``, ``forced_final``, ``over``, or one that a protocol adds."""
Kind: TypeAlias = Literal["query", "final", "invalid"]


@dataclass(frozen=True)
class Exchange:
    """One action of a dialogue and what came back.

    Attributes:
        kind: ``query``, ``final`` or ``invalid``.
        text: the action's text as the player gave it.
        key: the query or answer as the task read it (an index, a string), None for an invalid action.
        reply: the words that went back.
        fact: what the words say of a query, as the task's own value.
    """

    kind: Kind
    text: str
    key: Any
    reply: str
    fact: Any = None


@dataclass(frozen=True)
class DialogueView(View):
    """The View of a dialogue.

    Attributes:
        shown: what the task shows of its case, a frozen record of the task's own.
        exchanges: all messages so far.
        budget: rounds in all.
        rounds_left: rounds not yet spent.
        retries_left: unreadable messages still free of charge in this round.
        stage: ``rounds``, ``forced_final`` (only a final is allowed, outside the budget), ``over``, or one that the
            protocol adds, such as the test of a black box.
        queries_allowed: whether queries are allowed at this moment.
    """

    shown: Any
    exchanges: tuple[Exchange, ...]
    budget: int
    rounds_left: int
    retries_left: int
    stage: Stage
    queries_allowed: bool


@dataclass(frozen=True)
class DelayedReply:
    """A reply that says something of several queries, where a probe puts off or corrects replies.

    Attributes:
        fact: of the query just asked; None where its reply is still to come.
        others: of earlier queries, pairs of a query's index among the queries and its fact, which replaces any
            earlier one.
    """

    fact: Any
    others: tuple[tuple[int, Any], ...] = ()


def facts_of(view: DialogueView) -> list[tuple[Any, Any]]:
    """The facts of the queries so far, corrections made: pairs of a query's key and its fact."""
    queries = [exchange for exchange in view.exchanges if exchange.kind == "query"]
    facts: dict[int, Any] = {}
    for index, exchange in enumerate(queries):
        reply = exchange.fact if isinstance(exchange.fact, DelayedReply) else DelayedReply(exchange.fact)
        facts |= dict(reply.others)
        if reply.fact is not None:
            facts[index] = reply.fact
    return [(queries[index].key, fact) for index, fact in sorted(facts.items())]


def progress_features(view: DialogueView) -> tuple[float, ...]:
    """How far an episode is, as six numbers from 0 to 1 for arrays.

    Share of rounds left, rounds left / 100, retries left / 10, whether queries are allowed, whether the episode is
    over, whether this is a forced final.
    """
    return (
        view.rounds_left / view.budget,
        min(1.0, view.rounds_left / 100),
        min(1.0, view.retries_left / 10),
        float(view.queries_allowed),
        float(view.stage == "over"),
        float(view.stage == "forced_final"),
    )
