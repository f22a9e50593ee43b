"""Tree search that weighs what chance may bring by its probabilities, in games that list the outcomes of a move.

A search that draws chance anew for each simulation knows a move by the outcomes that it happened to meet: of 100 of
them the mean is off by more than good moves differ. Here a move is worth the mean over all its outcomes, each with its
probability, and nothing is drawn. So of the moves that were tried the one that is worth most is played, not the one
that was looked at most often: visits follow the priors where moves differ by little.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from interactive_envs.novel_games.host.adapter import TOO_LONG, Program, Table, encoded
from interactive_envs.novel_games.search.exact import outcomes
from interactive_envs.novel_games.search.network import Network, masked_softmax
from interactive_envs.novel_games.search.trees import LOOK_AHEAD, PUCT, UNSEEN_LOSS, Search, Settings, fit, spread

UNLISTED = "chance=listed needs a game without secrets that lists what chance may bring, and a checkpoint"


def lists(program: Program) -> bool:
    """Whether a game can be searched so."""
    return program.chances and program.views and not program.hidden


def search_of(program: Program, settings: Settings, network: Network | None) -> Search | ListedSearch:
    """The search that the settings ask for.

    Raises:
        ValueError: it is none for this game, or the network has other inputs or actions.
    """
    if settings.chance == "drawn":
        return Search(program, settings, network)
    return ListedSearch(program, settings, network)


class _Node:
    """A state. All values are those of the seat to move."""

    __slots__ = ("actions", "after", "judged", "logits", "priors", "table", "value", "visits", "worths")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.actions: list[int] = []
        self.logits: Any = None
        self.priors: list[float] = []
        self.visits: list[int] = []
        self.worths: list[float] = []
        self.after: list[list[tuple[float, _Node]]] = []
        """Of each move, what it may lead to; [] where it was never tried."""
        self.judged = self.value = 0.0 if table.result is None else table.score(table.seat)
        """By the network, and with what was found below."""


class ListedSearch:
    """Chooses moves as :class:`Search` does; arguments are the same.

    Raises:
        ValueError: the game has secrets or does not list outcomes, or there is no network that fits it.
    """

    def __init__(self, program: Program, settings: Settings, network: Network | None) -> None:
        if network is None or not lists(program):
            raise ValueError(UNLISTED)
        fit(program, network)
        self._program, self._settings, self._network = program, settings, network
        self._root: _Node | None = None

    def choose(self, view: Mapping[str, Any], seed: int) -> dict[str, Any]:
        """A move for the seat whose view this is; entries are those of :meth:`Search.choose`."""
        rng, settings = np.random.default_rng(seed), self._settings
        root = self._root = self._begin(self._program.resample(view, rng))
        if settings.explore:
            likely = masked_softmax(root.logits, root.actions).tolist()
            root.priors = spread(likely, settings.explore)
        most, done = settings.simulations or math.inf, 0
        stop = math.inf if settings.time is None else time.thread_time() + settings.time
        while done < most and time.thread_time() < stop:
            self._simulate(root)
            done += 1
        visits = np.array(root.visits, float)
        if settings.temperature > 0 and visits.any():
            weights = (visits / visits.max()) ** (1 / settings.temperature)
            place = int(rng.choice(len(weights), p=weights / weights.sum()))
        else:
            tried = [place for place, count in enumerate(root.visits) if count]
            place = max(tried or [0], key=lambda place: (root.worths[place], visits[place], -place))
        return {
            "action": root.actions[place],
            "visits": {str(action): count for action, count in zip(root.actions, root.visits, strict=True)},
            "value": float(root.worths[place]),
            "simulations": done,
            "proven": False,
        }

    def _begin(self, table: Table) -> _Node:
        """The node of the present state: one of the last tree, if it is there."""
        level = [] if self._root is None else [self._root]
        for _ in range(LOOK_AHEAD):
            level = [node for parent in level for reached in parent.after for _, node in reached]
            for node in level:
                if (node.table.seat, node.table.turns) == (table.seat, table.turns) and node.table.key() == table.key():
                    return node
        root = _Node(table)
        self._judge([root])
        return root

    def _judge(self, nodes: Sequence[_Node]) -> None:
        """Ask the network about states that are not over."""
        if not nodes:
            return
        logits, values = self._network.forward(encoded([node.table for node in nodes]))
        for node, own, value in zip(nodes, logits, values.tolist(), strict=True):
            legal = node.table.legal()
            likely = masked_softmax(own, legal)
            order = (-likely).argsort(kind="stable")
            node.actions, node.priors = [legal[place] for place in order.tolist()], likely[order].tolist()
            node.visits, node.worths = [0] * len(legal), [0.0] * len(legal)
            node.after = [[] for _ in legal]
            node.logits, node.judged, node.value = own, value, value

    def _simulate(self, node: _Node) -> None:
        """Try a move that was never tried, at the root or further down, and tell those above what it is worth."""
        path = []
        while node.actions:
            place = self._select(node)
            path.append((node, place))
            if not node.after[place]:
                self._try(node, place)
                break
            # the outcome that was looked at least often for its probability
            node = max(node.after[place], key=lambda one: one[0] / (1 + sum(one[1].visits)) * bool(one[1].actions))[1]
        for parent, place in reversed(path):
            worth = 0.0
            for chance, child in parent.after[place]:
                worth += chance * (child.value if child.table.seat == parent.table.seat else -child.value)
            parent.worths[place] = worth
            parent.visits[place] += 1
            # not the mean over the moves: worse ones are looked at, too, and would not be played
            best = max([known for count, known in zip(parent.visits, parent.worths, strict=True) if count])
            tried = sum(parent.visits)
            parent.value = (parent.judged + tried * best) / (1 + tried)

    def _try(self, node: _Node, place: int) -> None:
        """List what a move may lead to, and judge all of it."""
        for chance, table in outcomes(node.table, node.actions[place]):
            table.turns = node.table.turns + 1
            if table.result is None and table.turns >= self._program.max_turns:
                table.result = TOO_LONG
            node.after[place].append((chance, _Node(table)))
        open_ = [child for _, child in node.after[place] if child.table.result is None]
        for child in open_:
            seen = child.table.env.view(child.table.seat)["observation"]
            child.table.observation = np.asarray(seen, np.float32)
        self._judge(open_)

    @staticmethod
    def _select(node: _Node) -> int:
        """The move to go on with."""
        weight, unseen = PUCT * math.sqrt(sum(node.visits) + 1), node.judged - UNSEEN_LOSS
        scores = [
            (worth if count else unseen) + weight * prior / (1 + count)
            for count, worth, prior in zip(node.visits, node.worths, node.priors, strict=True)
        ]
        return scores.index(max(scores))
