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

from interactive_envs.novel_games.host.adapter import EXTRAS, TOO_LONG, Program, Table, encoded
from interactive_envs.novel_games.search.network import Network, masked_softmax, sample_masked

MODES = ("puct", "rollout")
CHANCES = ("drawn", "listed")
SIMULATIONS = 200
"""Simulations per move by default."""
NODES, NODES_COPIED = 100_000, 5_000
"""States that minimax looks at for a move; fewer where a game has no clone() and is copied deeply."""
KEPT = 20_000
"""Positions of a game without clone() that minimax keeps from move to move."""
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


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


@dataclass(frozen=True)
class Settings:
    """How to search.

    Attributes:
        simulations: a move; None for 200, or for as many as the time allows.
        mode: ``puct``: priors and values of the network, or equal priors and a random playout without one.
            ``rollout``: UCB1 and games played to the end by the network's policy, as in gg-bench.
        time: CPU seconds a move, after which no further simulation begins; None for no limit.
        lockstep: rollouts that are played together, in ``rollout`` mode.
        leaves: states that the network judges together, in ``puct`` mode. More are faster; until they are judged, a
            state on the way counts as a loss, so that the next simulation goes elsewhere.
        temperature: 0 plays the move with most visits, 1 draws by visits.
        explore: share of the priors of the moves at hand that is spread evenly, in ``puct`` mode; else a network that
            is sure of a bad move keeps the search from ever trying a good one.
        chance: ``drawn`` anew for each simulation, or ``listed``: a move is worth the mean over all its outcomes (see
            ``search/chances.py``).

    Raises:
        ValueError: a setting is out of range.
    """

    simulations: int | None = None
    mode: str = "puct"
    time: float | None = None
    lockstep: int = 16
    leaves: int = 1
    temperature: float = 0.0
    explore: float = 0.0
    chance: str = "drawn"

    def __post_init__(self) -> None:
        for name, known in (("mode", MODES), ("chance", CHANCES)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} must be one of {', '.join(known)}, got {getattr(self, name)!r}")
        for name in ("simulations", "lockstep", "leaves"):
            value = getattr(self, name)
            if (type(value) is not int or value < 1) and not (value is None and name == "simulations"):
                raise ValueError(f"{name} must be a whole number, at least 1, got {value!r}")
        if not _is_number(self.temperature) or self.temperature < 0:
            raise ValueError(f"temperature must be at least 0, got {self.temperature!r}")
        if not _is_number(self.explore) or not 0 <= self.explore <= 1:
            raise ValueError(f"explore must be a number from 0 to 1, got {self.explore!r}")
        if self.simulations is None and self.time is None:
            object.__setattr__(self, "simulations", SIMULATIONS)
        if self.time is not None and not (_is_number(self.time) and self.time > 0):
            raise ValueError(f"time must be CPU seconds, more than 0, got {self.time!r}")


class _Node:
    """A state, or all states that look the same to the searcher."""

    __slots__ = (
        "actions",
        "children",
        "counts",
        "logits",
        "means",
        "places",
        "priors",
        "proven",
        "seat",
        "settled",
        "table",
        "totals",
        "tried",
        "value",
    )

    def __init__(self, table: Table | None, seat: int) -> None:
        self.table = table
        self.seat = seat
        self.logits: Any = None
        self.value = 0.0
        self.proven: float | None = None
        """What the seat to move gets for certain, once that is known."""
        # shared by all that are never passed again, which are most
        self.actions: list[int] = _NO_ACTIONS
        self.children: dict[Any, _Node] = _NO_CHILDREN

    def begin(self) -> None:
        """Get ready for moves."""
        self.actions, self.children = [], {}
        self.places: dict[int, int] = {}
        self.tried = 0
        """All visits."""
        # an entry a move, by its place
        self.priors: list[float] = []
        self.counts: list[float] = []
        """Visits and one more."""
        self.totals: list[float] = []
        self.means: list[float] = []
        """What to expect."""
        self.settled: dict[int, float] = {}
        """What the seat to move gets for certain by single moves, by their places."""

    def add(self, actions: Sequence[int], priors: Sequence[float]) -> None:
        """Take moves in that were not there."""
        self.places.update((action, place) for place, action in enumerate(actions, len(self.actions)))
        self.actions += actions
        self.priors += priors
        self.counts += [1.0] * len(actions)
        self.totals += [0.0] * len(actions)
        self.means += [self.value - UNSEEN_LOSS] * len(actions)

    def settle(self, place: int, worth: float) -> None:
        """Note what a move gets for certain: nothing is left to be learnt there, and a loss is not chosen again."""
        self.settled[place] = worth
        self.means[place], self.priors[place] = worth if worth > -1 else -math.inf, 0.0

    def visits(self, place: int) -> int:
        """How often a move was tried."""
        return int(self.counts[place]) - 1

    def mean(self, place: int) -> float:
        """What a move has come out at so far."""
        return self.totals[place] / max(self.visits(place), 1)


_NO_ACTIONS: Any = ()
_NO_CHILDREN: Any = {}  # never written to; no read-only view of it, for a player is copied with its tree
_Path = list[tuple[_Node, int]]


class Search:
    """Chooses moves of one seat in one game, keeping its tree from move to move.

    Args:
        program: the game.
        settings: how to search.
        network: policy and value; None for none.

    Raises:
        ValueError: the network has other inputs or actions than the game.
    """

    def __init__(self, program: Program, settings: Settings = Settings(), network: Network | None = None) -> None:
        if network is not None:
            fit(program, network)
        self._program, self._settings, self._network = program, settings, network
        self._certain = not program.views
        self.root: _Node | None = None
        self._moves: list[int] = []

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
        most = math.inf if settings.simulations is None else settings.simulations
        together = settings.lockstep if settings.mode == "rollout" else settings.leaves
        stop = math.inf if settings.time is None else time.thread_time() + settings.time
        while done < most and root.proven is None:
            done += self._simulate(root, int(min(together, most - done)))
            if settings.time is not None and done % CLOCK_EVERY < together and time.thread_time() >= stop:
                break
        place = self.best_place(root, rng)
        visits = {str(action): root.visits(root.places[action]) for action in view["legal"] if action in root.places}
        proven = root.proven is not None
        value = root.proven if root.proven is not None else root.mean(place)
        return {
            "action": root.actions[place],
            "visits": visits,
            "value": float(value),
            "simulations": done,
            "proven": proven,
        }

    # -- the tree ---------------------------------------------------------------------------------------------------

    def _begin(self, table: Table) -> _Node:
        """The node of the present state: one of the last tree, if it is there."""
        found = self._find(table) if self.root is not None else None
        root = self.root = found or _Node(table if self._certain else None, table.seat)
        if root.logits is None:
            self._open(root, table)
        elif not self._certain:
            self._admit(root, table.legal())
        if not root.actions:
            self._list(root, table.legal())
        if self._certain and self._settings.explore and self._network is not None:
            priors = spread(masked_softmax(root.logits, root.actions).tolist(), self._settings.explore)
            root.priors = [0.0 if place in root.settled else prior for place, prior in enumerate(priors)]
        self._moves = [*self._view["moves"]]
        return root

    def _find(self, table: Table) -> _Node | None:
        node = self.root
        if self._certain:
            moves, before = self._view["moves"], len(self._moves)
            if moves[:before] != self._moves:
                return None
            for action in moves[before:]:
                node = node.children.get(action) if node is not None else None
            return node
        wanted = table.seen(self._seat)
        level = [self.root] if self.root is not None else []
        for _ in range(LOOK_AHEAD):
            reached = [item for parent in level for item in parent.children.items()]
            for (_, seen), child in reached:
                if seen == wanted and child.seat == table.seat and child.logits is not None:
                    return child
            level = [child for _, child in reached]
        return None

    def _open(self, node: _Node, table: Table) -> float:
        """What the seat to move expects; without secrets and chance, moves wait until the node is passed again."""
        if self._network is not None:
            node.logits, value = self._network.forward(table.encoded())
            node.value = float(value)
        else:
            node.logits = _NOTHING
            node.value = 0.0 if self._settings.mode == "rollout" else self._playout(table, node.seat)
        if not self._certain:
            self._admit(node, table.legal())
        return node.value

    def _list(self, node: _Node, legal: Sequence[int]) -> None:
        """Give a node its moves, the likeliest first."""
        node.begin()
        if self._network is None:
            node.add(legal, [1 / len(legal)] * len(legal))
        else:
            likely = masked_softmax(node.logits, legal)
            order = (-likely).argsort(kind="stable")
            node.add([legal[place] for place in order.tolist()], likely[order].tolist())

    def _admit(self, node: _Node, legal: Sequence[int]) -> list[int]:
        """The places of the moves that are legal in this state, new ones added."""
        if not node.actions:
            node.begin()
        known = self._network is not None
        priors = masked_softmax(node.logits, legal).tolist() if known else [1 / len(legal)] * len(legal)
        if self._settings.explore and node is self.root:
            priors = spread(priors, self._settings.explore)
        if new := [action for action in legal if action not in node.places]:
            node.add(new, [0.0] * len(new))
        places = [node.places[action] for action in legal]
        for place, prior in zip(places, priors, strict=True):
            node.priors[place] = prior
        return places

    # -- simulations ------------------------------------------------------------------------------------------------

    def _simulate(self, root: _Node, count: int) -> int:
        """Run some simulations from a node; how many."""
        if self._settings.mode == "puct" and count > 1 and self._network is not None:
            return self._simulate_together(root, count)
        if self._settings.mode == "puct":
            path, node, table = self._descend(root)
            if table.result is not None:
                self._end(path, table.score(0))
            elif node.proven is not None:
                _add(path, node.proven if node.seat == 0 else -node.proven)
            else:
                value = self._open(node, table)
                _add(path, value if node.seat == 0 else -value)
            return 1
        leaves = []
        for _ in range(count):
            path, node, table = self._descend(root)
            if node.logits is None and table.result is None:
                self._open(node, table)
            _add(path, more=-1)  # counted as a loss until its rollout is over, so that the next goes elsewhere
            leaves.append((path, table))
        ended = self._playouts([table for _, table in leaves])
        for (path, _), score in zip(leaves, ended, strict=True):
            _add(path, score, more=1, visits=0)
        return count

    def _simulate_together(self, root: _Node, count: int) -> int:
        """Run up to so many simulations and judge the states where they end in one pass of the network; how many."""
        leaves: list[tuple[_Path, _Node, Table]] = []
        waiting: set[int] = set()
        done = 0
        while done < count and root.proven is None:
            path, node, table = self._descend(root)
            if table.result is not None:
                self._end(path, table.score(0))
            elif node.proven is not None:
                _add(path, node.proven if node.seat == 0 else -node.proven)
            elif id(node) in waiting:  # nothing else is worth a look before this one has been judged
                break
            else:
                waiting.add(id(node))
                leaves.append((path, node, table))
                _add(path, more=-1)  # counted as a loss until then
            done += 1
        if not leaves:
            return done
        logits, values = self._network.forward(encoded([table for *_, table in leaves]))  # type: ignore[union-attr]
        for (path, node, table), own, value in zip(leaves, logits, values.tolist(), strict=True):
            node.logits, node.value = own, value
            if not self._certain:
                self._admit(node, table.legal())
            _add(path, value if node.seat == 0 else -value, more=1, visits=0)
        return done

    def _descend(self, node: _Node) -> tuple[_Path, _Node, Table]:
        """Walk down to a state that was never opened, or an end."""
        path: _Path = []
        puct = self._settings.mode == "puct"
        if self._certain:
            while node.logits is not None and node.proven is None:
                if not node.actions:
                    self._list(node, node.table.legal())  # type: ignore[union-attr]
                if puct:  # the likeliest come first, so only the first of the untried can be next
                    place = _likeliest(node, len(node.children) + 1)
                else:
                    place = _by_confidence(node, range(len(node.actions)))
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
            places = self._admit(node, table.legal())
            place = _likeliest_of(node, places) if puct else _by_confidence(node, places)
            path.append((node, place))
            action = node.actions[place]
            table.play(action)
            # the searcher does not see what the other seat chose, only what it then knows; the other seat's own nodes
            # are distinguished by that, too, as if it knew the searcher's secrets, which is cautious
            key = (action if node.seat == self._seat else None, table.result or table.seen(self._seat))
            child = node.children.get(key)
            if child is None:
                child = node.children[key] = _Node(None, table.seat)
            node = child
        return path, node, table

    def _end(self, path: _Path, score: float) -> None:
        """Add the result of a game that is over; pass on what is certain."""
        _add(path, score)
        for node, place in reversed(path) if self._certain else ():
            mine = score if node.seat == 0 else -score
            node.settle(place, mine)
            if mine < 1:
                if len(node.settled) < len(node.actions):
                    return
                mine = max(node.settled.values())
            node.proven = mine
            score = mine if node.seat == 0 else -mine

    def best_place(self, root: _Node, rng: np.random.Generator) -> int:
        """The place of the move to play."""
        places = [root.places[action] for action in self._view["legal"]]
        if self._certain:
            sure = root.settled
            if root.proven is not None:
                places = [place for place in places if sure.get(place) == root.proven]
            else:
                # a certain draw is better than what has come out worse so far
                least = max(sure.values(), default=-1.0)
                places = [p for p in places if sure.get(p, root.mean(p)) >= least and sure.get(p) != -1]
        visits = np.array([root.visits(place) for place in places], float)
        if self._settings.temperature > 0 and visits.sum() > 0:
            weights = (visits / visits.max()) ** (1 / self._settings.temperature)
            return places[int(rng.choice(len(places), p=weights / weights.sum()))]
        return max(places, key=lambda place: (root.visits(place), root.mean(place), -place))

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
                logits = self._network.logits(encoded(running))
                moves = sample_masked(logits, masks, self._rng.random(len(running))).tolist()
            for table, move in zip(running, moves, strict=True):
                table.play(move)
            running = [table for table in running if table.result is None]
        return [table.score(0) for table in tables]


def _likeliest(node: _Node, first: int) -> int:
    """The best place to go on with, of so many."""
    best, chosen, weight = -math.inf, 0, PUCT * math.sqrt(node.tried + 1)
    for place, mean, prior, count in zip(range(first), node.means, node.priors, node.counts):  # noqa: B905
        score = mean + weight * prior / count
        if score > best:
            best, chosen = score, place
    return chosen


def _likeliest_of(node: _Node, places: Sequence[int]) -> int:
    """The same, of any places."""
    means, priors, counts = node.means, node.priors, node.counts
    weight = PUCT * math.sqrt(sum([counts[place] for place in places]) - len(places) + 1)
    best, chosen = -math.inf, places[0]
    for place in places:
        score = means[place] + weight * priors[place] / counts[place]
        if score > best:
            best, chosen = score, place
    return chosen


def _by_confidence(node: _Node, places: Sequence[int]) -> int:
    """UCB1, for values from 0 to 1."""
    totals, visits = node.totals, {place: node.visits(place) for place in places}
    log = math.log(max(sum(visits.values()), 1))
    best, chosen = -math.inf, places[0]
    for place, count in visits.items():
        if not count:
            return place
        score = (totals[place] / count + 1) / 2 + UCB * math.sqrt(log / count)
        if score > best:
            best, chosen = score, place
    return chosen


def _add(path: _Path, score: float = 0.0, *, more: int = 0, visits: int = 1) -> None:
    """Add a score, as the first seat sees it, and something that is as good for either seat, along a path."""
    for node, place in path:
        node.tried += visits
        node.counts[place] = count = node.counts[place] + visits
        node.totals[place] = total = node.totals[place] + (more + score if node.seat == 0 else more - score)
        if place not in node.settled:
            node.means[place] = total / (count - 1)


def spread(priors: Sequence[float], explore: float) -> list[float]:
    """Priors of which a share has been spread evenly."""
    return [(1 - explore) * prior + explore / len(priors) for prior in priors]


_NOTHING: Any = np.zeros(0, np.float32)
"""In place of logits, where there is no network."""


class Minimax:
    """Search of all moves with a table of states, one ply deeper each time, for games without chance and secrets.

    Args:
        program: the game.
        nodes: states looked at for one move; the best move so far is played after them. None for 100,000, or 5,000
            where the game has no ``clone()``; then only new states count, for those of earlier moves are kept.
        seconds: CPU seconds a move, after which the best move so far is played; None for no limit.

    Raises:
        ValueError: the game has chance or secrets.
    """

    def __init__(self, program: Program, nodes: int | None = None, seconds: float | None = None) -> None:
        if program.views:
            raise ValueError(CERTAIN)
        if seconds is not None and not (_is_number(seconds) and seconds > 0):
            raise ValueError(f"time must be CPU seconds, more than 0, got {seconds!r}")
        self._program, self._nodes = program, nodes or (NODES if program.clones else NODES_COPIED)
        self._seconds, self._stop = seconds, math.inf
        self._reached: dict[Any, Table] = {}

    def choose(self, view: Mapping[str, Any], seed: int) -> dict[str, Any]:
        """A move for the seat whose view this is, with the same entries as :meth:`Search.choose`."""
        rng = np.random.default_rng(seed)
        root = self._program.resample(view, rng)
        legal = [int(action) for action in rng.permutation(root.legal())]  # equal moves are played equally often
        best, value, proven = legal[0], 0.0, False
        self._left = self._nodes
        self._stop = math.inf if self._seconds is None else time.thread_time() + self._seconds
        if len(self._reached) > KEPT:
            self._reached = {}
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
        if self._seconds is not None and time.thread_time() > self._stop:
            raise _TiredError
        child = table.branch(action) if self._program.clones else self._branch(table, action)
        if child.result is not None:
            return child.score(table.seat), True
        if depth == 0:
            return 0.0, False
        worth, sure = self._value(child, depth)
        return (worth if child.seat == table.seat else -worth), sure

    def _branch(self, table: Table, action: int) -> Table:
        """The position after a move, made once: without ``clone()`` a copy takes longer than all else."""
        way = (table.seat, table.kept_key(), action)
        child = self._reached.get(way)
        if child is None:
            self._spend()
            child = table.branch(action)
            if child.result != TOO_LONG:
                self._reached[way] = child
        return child.at(table.turns + 1)

    def _spend(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise _TiredError

    def _value(self, table: Table, depth: int) -> tuple[float, bool]:
        key = (table.seat, depth, table.kept_key())
        if key in self._known:
            return self._known[key]
        if self._program.clones:
            self._spend()
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
