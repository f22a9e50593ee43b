"""Whole games between programs, played where the game's code runs: what a ladder needs thousands of.

A contest gives the same games as agents that play through their views, without the views, the texts and a process a
player; a test compares the two.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from interactive_envs.novel_games.host.adapter import Program
from interactive_envs.novel_games.search.chances import search_of
from interactive_envs.novel_games.search.network import Network, draw
from interactive_envs.novel_games.search.trees import Settings, fit

STREAMS = {"random": b"random agent", "ppo": b"ppo", "mcts": b"mcts"}
"""What a player's seed is mixed with, so that two players with one seed draw different numbers."""


class Contest:
    """Two players of one game.

    Args:
        program: the game.
        players: of each one ``kind`` (one of :data:`STREAMS`); of ``ppo`` and ``mcts`` also ``network``, as JSON or
            None; of ``ppo`` ``temperature``; of ``mcts`` ``settings``.

    Raises:
        ValueError: a network was trained on another game.
    """

    def __init__(self, program: Program, players: Sequence[Mapping[str, Any]]) -> None:
        self._program = program
        self._players = [_Player(program, player) for player in players]

    def play(self, luck: int, seeds: Sequence[int], seats: Sequence[int]) -> str:
        """Play a game to its end.

        Args:
            luck: seed of the game.
            seeds: of who sits on each seat.
            seats: the player on each seat.

        Returns:
            The table's result.
        """
        table = self._program.new(luck)
        movers = [self._players[player].begin(seed) for player, seed in zip(seats, seeds, strict=True)]
        while table.result is None:
            table.say(movers[table.seat](table))
        return table.result


class _Player:
    def __init__(self, program: Program, told: Mapping[str, Any]) -> None:
        self._program, self._kind = program, told["kind"]
        network = told.get("network")
        self._network = Network.from_json(network) if isinstance(network, Mapping) else network
        if self._network is not None:
            fit(program, self._network)
        self._temperature = told.get("temperature", 1.0)
        self._settings = Settings(**told["settings"]) if "settings" in told else None

    def begin(self, seed: int) -> Any:
        """What chooses a move at a table, in one game."""
        rng = np.random.default_rng([seed, zlib.crc32(STREAMS[self._kind])])
        if self._kind == "random":
            return lambda table: table.legal()[int(rng.integers(len(table.legal())))]
        network = self._network
        if self._kind == "ppo" and network is not None:
            return lambda table: draw(network.logits(table.encoded()), sorted(table.legal()), self._temperature, rng)
        search = search_of(self._program, self._settings or Settings(), network)
        return lambda table: search.choose(table.view(table.seat), int(rng.integers(2**31)))["action"]
