"""Tree search over games: PUCT with a network's priors, the paper's rollouts, and minimax for small games.

A search starts from a view, never from the game itself. Where a view leaves something open (hidden cards, dice to
come), each simulation runs in another state drawn from it, and one tree over what the searcher can see collects
them all (information-set Monte Carlo tree search; Cowling, Powley and Whitehouse, 2012).
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from interactive_envs.generated.host import EXTRAS, Program, Table
from interactive_envs.generated.network import Network, masked_softmax, sample_masked

MODES = ("puct", "rollout")
UCB = 1.4
"""The paper's constant, for values from 0 to 1."""
PUCT = 1.5
"""Weight of the priors, for values from -1 to 1; the best of 0.5 to 3 against itself on own games."""
UNSEEN_LOSS = 0.2
"""How much worse than its parent an action counts that was never tried."""
LOOK_AHEAD = 4
"""Moves after which a tree of the last turn is looked through for the present state."""
CERTAIN = "minimax needs a game without chance and hidden information; use mcts"
CLOCK_EVERY = 8
"""Simulations between looks at the clock."""


@dataclass(frozen=True)
class Settings:
    """How to search.

    Attributes:
        simulations: a move.
        mode: ``puct``: priors and values of the network, or equal priors and a random playout without one.
            ``rollout``: UCB1 and games played to the end by the network's policy, as in gg-bench.
        time: CPU seconds a move, after which no further simulation begins; None for no limit.
        lockstep: rollouts that are played together, in ``rollout`` mode.
        temperature: 0 plays the move with most visits, 1 draws by visits.
    """

    simulations: int = 200
    mode: str = "puct"
    time: float | None = None
    lockstep: int = 16
    temperature: float = 0.0


class _Node:
    """A state, or all states that look the same to the searcher."""

    __slots__ = (
        "actions",
        "children",
        "logits",
        "places",
        "priors",
        "proven",
        "seat",
        "table",
        "totals",
        "value",
        "visits",
    )

    def __init__(self, table: Table | None, seat: int) -> None:
        self.table = table
        self.seat = seat
        self.actions: list[int] = []
        self.places: dict[int, int] = {}
        self.priors: list[float] = []
        self.visits: list[int] = []
        self.totals: list[float] = []
        self.children: dict[Any, _Node] = {}
        self.logits: Any = None
        self.value = 0.0
        self.proven: float | None = None
        """What the seat to move gets for certain, once that is known."""


_Path = list[tuple[_Node, int]]


class Search:
    """Chooses moves of one seat in one game, keeping its tree from move to move.

    Args:
        program: the game.
        settings: how to search.
        network: policy and value; None for none.

    Raises:
        ValueError: a setting is out of range, or the network has other inputs or actions than the game.
    """

    def __init__(self, program: Program, settings: Settings = Settings(), network: Network | None = None) -> None:
        if settings.mode not in MODES:
            raise ValueError(f"mode must be one of {', '.join(MODES)}, got {settings.mode!r}")
        if settings.simulations < 1 or settings.lockstep < 1:
            raise ValueError(f"simulations and lockstep must be at least 1, got {settings}")
        if network is not None:
            fit(program, network)
        self._program, self._settings, self._network = program, settings, network
        self._certain = not program.views
        self._root: _Node | None = None
        self._moves = 0

    def choose(self, view: Mapping[str, Any], seed: int) -> dict[str, Any]:
        """A move for the seat whose view this is.

        Returns:
            ``action``; ``visits`` by action; ``value`` that the seat expects, -1 to 1; ``simulations`` that were run;
            ``proven``, whether the value is certain.
        """
        rng = np.random.default_rng(seed)
        self._view, self._rng, self._seat = view, rng, int(view["seat"])
        root = self._begin(self._program.resample(view, rng))
        settings, done = self._settings, 0
        together = settings.lockstep if settings.mode == "rollout" else 1
        stop = math.inf if settings.time is None else time.thread_time() + settings.time
        while done < settings.simulations and root.proven is None:
            done += self._simulate(min(together, settings.simulations - done))
            if done % CLOCK_EVERY < together and time.thread_time() >= stop:
                break
        place = self._best(root, rng)
        visits = {str(action): root.visits[root.places[action]] for action in view["legal"] if action in root.places}
        proven = root.proven is not None
        value = root.proven if root.proven is not None else root.totals[place] / max(root.visits[place], 1)
        return {
            "action": root.actions[place], "visits": visits, "value": float(value), "simulations": done,
            "proven": proven,
        }  # fmt: skip

    # -- the tree ---------------------------------------------------------------------------------------------------

    def _begin(self, table: Table) -> _Node:
        """The node of the present state: one of the last tree, if it is there."""
        found = self._find(table) if self._root is not None else None
        root = self._root = found or _Node(table if self._certain else None, table.seat)
        if root.logits is None:
            self._open(root, table)
        elif not self._certain:
            self._admit(root, table.legal())
        self._moves = len(self._view["moves"])
        return root

    def _find(self, table: Table) -> _Node | None:
        node = self._root
        if self._certain:
            for action in self._view["moves"][self._moves :]:
                node = node.children.get(action) if node is not None else None
            return node
        wanted = table.seen(self._seat)
        level = [self._root] if self._root is not None else []
        for _ in range(LOOK_AHEAD):
            reached = [item for parent in level for item in parent.children.items()]
            for (_, seen), child in reached:
                if seen == wanted and child.seat == table.seat and child.logits is not None:
                    return child
            level = [child for _, child in reached]
        return None

    def _open(self, node: _Node, table: Table) -> float:
        """Give a node its moves and priors; what its seat expects."""
        network = self._network
        if network is None:
            node.logits = _NOTHING
            legal = table.legal()
            priors = [1 / len(legal)] * len(legal)
            node.value = 0.0 if self._settings.mode == "rollout" else self._playout(table, node.seat)
        else:
            logits, value = network.forward(table.encoded())
            node.logits, node.value = logits, float(value)
            legal = table.legal()
            priors = masked_softmax(logits, legal).tolist()
        node.actions, node.priors = [*legal], priors
        node.places = {action: place for place, action in enumerate(legal)}
        node.visits, node.totals = [0] * len(legal), [0.0] * len(legal)
        return node.value

    def _admit(self, node: _Node, legal: Sequence[int]) -> list[int]:
        """The places of the moves that are legal in this state, new ones added."""
        places = node.places
        for action in legal:
            if action not in places:
                places[action] = len(node.actions)
                node.actions.append(action)
                node.visits.append(0)
                node.totals.append(0.0)
                node.priors.append(0.0)
        if self._network is not None:
            for action, prior in zip(legal, masked_softmax(node.logits, legal).tolist(), strict=True):
                node.priors[places[action]] = prior
        else:
            for action in legal:
                node.priors[places[action]] = 1 / len(legal)
        return [places[action] for action in legal]

    # -- simulations ------------------------------------------------------------------------------------------------

    def _simulate(self, count: int) -> int:
        """Run some simulations; how many."""
        if self._settings.mode == "puct":
            path, node, table = self._descend()
            if table.result is not None:
                self._back_up(path, table.score(0), proven=self._certain)
            else:
                value = self._open(node, table)
                self._back_up(path, value if node.seat == 0 else -value)
            return 1
        leaves = []
        for _ in range(count):
            path, node, table = self._descend()
            if node.logits is None and table.result is None:
                self._open(node, table)
            for parent, place in path:  # counted as a loss until its rollout is over, so that the next goes elsewhere
                parent.visits[place] += 1
                parent.totals[place] -= 1
            leaves.append((path, table))
        ended = self._playouts([table for _, table in leaves])
        for (path, _), score in zip(leaves, ended, strict=True):
            for parent, place in path:
                parent.totals[place] += 1 + (score if parent.seat == 0 else -score)
        return count

    def _descend(self) -> tuple[_Path, _Node, Table]:
        """Walk down to a state that was never opened, or an end."""
        node = self._root
        assert node is not None
        path: _Path = []
        if self._certain:
            while node.logits is not None:
                place = self._select(node, range(len(node.actions)))
                path.append((node, place))
                action = node.actions[place]
                child = node.children.get(action)
                if child is None:
                    table = node.table.branch(action)  # type: ignore[union-attr]
                    child = node.children[action] = _Node(table, table.seat)
                node = child
            return path, node, node.table  # type: ignore[return-value]
        table = self._program.resample(self._view, self._rng)
        while node.logits is not None and table.result is None:
            place = self._select(node, self._admit(node, table.legal()))
            path.append((node, place))
            action = node.actions[place]
            table.play(action)
            key = (action, table.result or table.seen(self._seat))
            child = node.children.get(key)
            if child is None:
                child = node.children[key] = _Node(None, table.seat)
            node = child
        return path, node, table

    def _select(self, node: _Node, places: Sequence[int]) -> int:
        visits, totals = node.visits, node.totals
        tried = 0
        for place in places:
            tried += visits[place]
        best, chosen = -math.inf, places[0]
        if self._settings.mode == "rollout":
            log = math.log(max(tried, 1))
            for place in places:
                count = visits[place]
                if not count:
                    return place
                score = (totals[place] / count + 1) / 2 + UCB * math.sqrt(log / count)
                if score > best:
                    best, chosen = score, place
            return chosen
        priors, unseen = node.priors, node.value - UNSEEN_LOSS
        weight = PUCT * math.sqrt(tried + 1)
        children, actions = node.children, node.actions
        for place in places:
            count = visits[place]
            if count:
                if self._certain:
                    child = children[actions[place]]
                    if child.proven is not None and child.seat != node.seat and child.proven == 1:
                        continue  # a proven loss is not looked at again
                score = totals[place] / count + weight * priors[place] / (1 + count)
            else:
                score = unseen + weight * priors[place]
            if score > best:
                best, chosen = score, place
        return chosen

    def _back_up(self, path: _Path, score: float, *, proven: bool = False) -> None:
        """Add a result, as the first seat sees it, along a path; pass on what is certain."""
        for node, place in path:
            node.visits[place] += 1
            node.totals[place] += score if node.seat == 0 else -score
        if not proven:
            return
        if path:
            last, place = path[-1]
            ended = last.children[last.actions[place]]
            ended.proven = score if ended.seat == 0 else -score
        for node, _ in reversed(path):
            best = self._certainty(node)
            if best is None:
                return
            node.proven = best

    def _certainty(self, node: _Node) -> float | None:
        """What the seat to move gets for certain: a win that is proven, or the best where all moves are."""
        best, whole = -math.inf, True
        for action in node.actions:
            child = node.children.get(action)
            if child is None or child.proven is None:
                whole = False
                continue
            best = max(best, child.proven if child.seat == node.seat else -child.proven)
        return best if whole or best == 1 else None

    def _best(self, root: _Node, rng: np.random.Generator) -> int:
        """The place of the move to play."""
        places = [root.places[action] for action in self._view["legal"]]
        if self._certain:
            sure = {place: self._proven(root, place) for place in places}
            best = max((worth for worth in sure.values() if worth is not None), default=-1.0)
            if best == 1 or root.proven is not None:
                places = [place for place in places if sure[place] == best]
            else:
                places = [place for place in places if sure[place] != -1] or places
        visits = np.array([root.visits[place] for place in places], float)
        if self._settings.temperature > 0 and visits.sum() > 0:
            weights = visits ** (1 / self._settings.temperature)
            return places[int(rng.choice(len(places), p=weights / weights.sum()))]
        means = [root.totals[place] / max(root.visits[place], 1) for place in places]
        return max(zip(visits, means, places, strict=True), key=lambda one: (one[0], one[1], -one[2]))[2]

    def _proven(self, root: _Node, place: int) -> float | None:
        child = root.children.get(root.actions[place])
        if child is None or child.proven is None:
            return None
        return child.proven if child.seat == root.seat else -child.proven

    # -- playouts ---------------------------------------------------------------------------------------------------

    def _playout(self, table: Table, seat: int) -> float:
        """What a seat gets from a game played to its end by chance."""
        table = table.clone()
        while table.result is None:
            legal = table.legal()
            table.play(legal[int(self._rng.random() * len(legal))])
        return table.score(seat)

    def _playouts(self, tables: Sequence[Table]) -> list[float]:
        """What the first seat gets from games played to their ends by the policy, all a move at a time."""
        tables = [table.clone() if table.result is None else table for table in tables]
        running = [table for table in tables if table.result is None]
        while running:
            if self._network is None:
                moves = [legal[int(self._rng.random() * len(legal))] for legal in (table.legal() for table in running)]
            else:
                masks = np.zeros((len(running), self._program.actions), bool)
                for row, table in enumerate(running):
                    masks[row, table.legal()] = True
                logits = self._network.logits(np.stack([table.encoded() for table in running]))
                moves = sample_masked(logits, masks, self._rng.random(len(running))).tolist()
            for table, move in zip(running, moves, strict=True):
                table.play(move)
            running = [table for table in running if table.result is None]
        return [table.score(0) for table in tables]


_NOTHING: Any = np.zeros(0, np.float32)
"""In place of logits, where there is no network."""


class Minimax:
    """Search of all moves with a table of states, one ply deeper each time, for games without chance and secrets.

    Args:
        program: the game.
        nodes: states looked at for one move; the best move so far is played after them.

    Raises:
        ValueError: the game has chance or secrets.
    """

    def __init__(self, program: Program, nodes: int = 100_000) -> None:
        if program.views:
            raise ValueError(CERTAIN)
        self._program, self._nodes = program, nodes

    def choose(self, view: Mapping[str, Any], seed: int) -> dict[str, Any]:
        """A move for the seat whose view this is, with the same entries as :meth:`Search.choose`."""
        rng = np.random.default_rng(seed)
        root = self._program.resample(view, rng)
        legal = [int(action) for action in rng.permutation(root.legal())]  # equal moves are played equally often
        best, value, proven = legal[0], 0.0, False
        self._left = self._nodes
        for depth in range(self._program.max_turns - root.turns):
            self._known: dict[Any, tuple[float, bool]] = {}
            try:
                found = [(*self._after(root, action, depth), action) for action in legal]
            except _TiredError:
                break
            value, _, best = max(found, key=lambda one: one[0])
            proven = any(sure and worth == 1 for worth, sure, _ in found) or all(sure for _, sure, _ in found)
            if proven:
                break
        done = self._nodes - max(self._left, 0)
        return {"action": best, "visits": {}, "value": value, "simulations": done, "proven": proven}

    def _after(self, table: Table, action: int, depth: int) -> tuple[float, bool]:
        """What a move is worth to its mover by a search of so many plies more, and whether it is certain."""
        child = table.branch(action)
        if child.result is not None:
            return child.score(table.seat), True
        if depth == 0:
            return 0.0, False
        worth, sure = self._value(child, depth)
        return (worth if child.seat == table.seat else -worth), sure

    def _value(self, table: Table, depth: int) -> tuple[float, bool]:
        key = (table.seat, depth, table.key())
        if key in self._known:
            return self._known[key]
        self._left -= 1
        if self._left < 0:
            raise _TiredError
        best, sure = -2.0, True
        for action in table.legal():
            worth, certain = self._after(table, action, depth - 1)
            if worth == 1:  # never a guess: what is not known counts 0
                best, sure = 1.0, True
                break
            best, sure = max(best, worth), sure and certain
        self._known[key] = best, sure
        return best, sure


class _TiredError(Exception):
    pass


class _Shape(Protocol):
    size: int
    actions: int


def fit(program: _Shape, network: Network) -> None:
    """Make sure that a network was trained on a game of this shape.

    Raises:
        ValueError: it has other inputs or actions.
    """
    if (network.inputs, network.actions) != (program.size + EXTRAS, program.actions):
        raise ValueError(
            f"the checkpoint has {network.inputs} inputs and {network.actions} actions, the game "
            f"{program.size + EXTRAS} and {program.actions}; train one for this game with ibench train"
        )
