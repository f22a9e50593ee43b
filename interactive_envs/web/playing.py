"""A person's games in the browser: ordinary episodes, whose player waits for what the page sends."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import re
import secrets
import shutil
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from interactive_envs import catalog
from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.agents.human import HELP, QUIT, by_number, help_text
from interactive_envs.errors import ConfigError, IbenchError
from interactive_envs.evaluation.run import pool
from interactive_envs.evaluation.run.episode import Job, StoppedError, play_episode
from interactive_envs.making import make
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.store import RunStore

PLAYER = "human"
MOST = 32
"""Games under way at most."""
ENDED = 2.0
"""Seconds that a game may take to break off when the server ends: the others at its table may be slow."""
LONGEST = 200_000
"""Characters of a message at most."""
_TAGGED = re.compile(r"\s*<(\w+)>(.*?)(?:</\1>\s*)?\Z", re.DOTALL)


@dataclass(frozen=True)
class Line:
    """One message of a game.

    Attributes:
        who: ``environment``, ``you`` or ``note``.
        text: what it says.
        reason: why a message of the person could not be read, or was not legal.
        illegal: whether it could be read, and was not legal.
    """

    who: str
    text: str
    reason: str | None = None
    illegal: bool = False


@dataclass(frozen=True)
class Turn:
    """What the person may do now.

    Attributes:
        info: of the environment.
        tags: actions that may be used.
        menu: by tag the legal actions: pairs of what a button says and what it sends; empty where they are not listed.
    """

    info: Mapping[str, Any]
    tags: tuple[str, ...]
    menu: Mapping[str, Sequence[tuple[str, str]]]


class PersonAgent(Agent):
    """Sits between an episode and the page of its game."""

    name = PLAYER
    interactive = True

    def __init__(self, game: Game) -> None:
        self._game = game

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Show what precedes the episode, where something does."""
        self._game.begin(seed, info or {})

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Show the observation and wait for the person's message."""
        return self._game.ask(observation, info)

    def finish(self, observation: str, reward: float, info: Mapping[str, Any]) -> None:
        """Show the end."""
        self._game.finish(observation, reward, info)

    def describe(self) -> dict[str, Any]:
        """How the person played: in the browser, and with how many hints."""
        return {"name": self.name, "interface": "browser", "hints": self._game.hints}


class Game:
    """One episode of a person; its own thread plays it, requests of the page read it and add to it.

    Attributes:
        number: by which its page is found.
        cell: what is played.
        folder: of the run that will hold its record.
        lines: all messages so far.
        turn: what the person may do; None while others act, and after the end.
        result: the outcome and the reward, once it is over.
        solution: what was hidden, once it is over and where there is something.
        problem: why it broke off; "" while nothing is wrong.
        hints: given so far.
    """

    def __init__(self, number: str, config: RunConfig, folder: Path) -> None:
        self.number, self.folder = number, folder
        self.cell = config.cells[0]
        self.lines: list[Line] = []
        self.turn: Turn | None = None
        self.result: tuple[str, float] | None = None
        self.solution: str = ""
        self.problem = ""
        self.hints = 0
        self._config, self._seed, self._opening = config, 0, dict[str, Any]()
        self._said: str | None = None
        self._left = False
        self._advisers: list[tuple[Agent, bool]] | None = None
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._play, name=f"game {number}", daemon=True)

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self.result is not None or bool(self.problem)

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()
        self.wait(20)

    def wait(self, seconds: float) -> None:
        """Wait until the person may act or it is over."""
        with self._changed:
            self._changed.wait_for(lambda: self.turn is not None or self.is_over, timeout=seconds)

    def say(self, text: str, tag: str = "") -> None:
        """Take a message of the person.

        Args:
            text: the message, or what is inside a tag.
            tag: the tag to put around it; "" for a message that is sent as it is.

        Raises:
            ConfigError: it is not the person's turn, or the message is too long.
        """
        if len(text) > LONGEST:
            raise ConfigError(f"a message has at most {LONGEST:,} characters, this one has {len(text):,}")
        with self._changed:
            turn = self.turn
            if turn is None:
                raise ConfigError("the game is over" if self.is_over else "the others are still acting")
            word = text.strip().lower()
            if word in HELP:
                self._note(help_text(turn.info))
            elif word in QUIT:
                self._leave()
            else:
                self._said = "" if tag else by_number(text.strip(), turn.info)
                self._said = self._said or worded(text, tag, turn.tags)
                self.turn = None
                self.lines.append(Line("you", self._said))
                self._changed.notify_all()

    def hint(self) -> str:
        """What a player of known strength would say now; it is marked in the record.

        Raises:
            ConfigError: there is no such player here, or it is not the person's turn.
        """
        with self._changed:
            turn = self.turn
            if turn is None:
                raise ConfigError("a hint is given when it is your turn")
            observation = next(line.text for line in reversed(self.lines) if line.who == "environment")
            text = self._advice(observation, turn)
            if text is None:
                raise ConfigError("nobody can give a hint here")
            self.hints += 1
            self._note(f"Hint: {text}")
            return text

    def _advice(self, observation: str, turn: Turn) -> str | None:
        """What the strongest player says that is at home here; one that is not, fails in its own way."""
        if self._advisers is None:
            self._advisers = advisers(self.cell.env_id)
        while self._advisers:
            adviser, opened = self._advisers[0]
            with contextlib.suppress(Exception):
                if not opened:
                    adviser.reset(seed=self._seed, info=self._opening)
                    self._advisers[0] = (adviser, True)
                return adviser.act(observation, turn.info)
            self._advisers.pop(0)
        return None

    def leave(self) -> None:
        """Break off; nothing of it is recorded."""
        with self._changed:
            self._leave()

    # -- what the episode's thread calls ------------------------------------------------------------------------------

    def begin(self, seed: int | None, info: Mapping[str, Any]) -> None:
        """Hear how the episode begins."""
        self._seed, self._opening = seed or 0, dict(info)
        for message in info.get("preface", ()):
            self.lines.append(Line("environment" if message["role"] == "user" else "you", message["content"]))

    def ask(self, observation: str, info: Mapping[str, Any]) -> str:
        """Show an observation and wait for the person.

        Raises:
            StoppedError: the person has left.
        """
        with self._changed:
            self._mark(info)
            if "remember" in info:
                self.lines.append(Line("note", "From here on, only what follows counts."))
            self.lines.append(Line("environment", str(observation)))
            listed = () if info.get("legal") == "hidden" else info.get("legal_actions") or ()
            self.turn = Turn(info, tuple(info.get("action_tags", ())), menu_of(listed))
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._said is not None or self._left)
            if self._said is None:
                raise StoppedError("the person has left the game")
            said, self._said = self._said, None
            return said

    def finish(self, observation: str, reward: float, info: Mapping[str, Any]) -> None:
        """Show the end; the record is still to be written."""
        with self._changed:
            self._mark(info)
            self.lines.append(Line("environment", str(observation)))
            self.solution = str(info.get("solution") or "")

    def _mark(self, info: Mapping[str, Any]) -> None:
        """Note at the person's last message why it could not be read."""
        if info.get("reason") and self.lines and self.lines[-1].who == "you":
            self.lines[-1] = dataclasses.replace(
                self.lines[-1], reason=str(info["reason"]), illegal=info.get("illegal", False)
            )

    def _play(self) -> None:
        cell = self.cell
        agent = PersonAgent(self)
        try:
            with RunStore.create(self.folder, self._config) as store:
                env = make(cell.env_id, **{**cell.arguments, **({"judge": cell.judge} if cell.judge else {})})
                try:
                    job: Job = next(pool.jobs_of(self._config, set()))
                    record = play_episode(env, agent, job)
                finally:
                    env.close()
                store.append(record.to_json())
                pool.finish(store)
            with self._changed:
                self.result = (str(record.outcome), float(record.reward))
                self._changed.notify_all()
        except StoppedError:
            shutil.rmtree(self.folder, ignore_errors=True)
            self._break_off("You left the game; it is not recorded.")
        except IbenchError as error:
            self._break_off(str(error))
        except Exception as error:  # the page must hear of it, whatever it was
            self._break_off(f"the game failed: {error!r}")

    def _break_off(self, why: str) -> None:
        with self._changed:
            self.problem, self.turn = why, None
            self._changed.notify_all()

    def _leave(self) -> None:
        self._left, self.turn = True, None
        self._changed.notify_all()

    def _note(self, text: str) -> None:
        self.lines.append(Line("note", text))


class Games:
    """The games of one server.

    Args:
        home: folder in which each game gets a run of its own.
    """

    def __init__(self, home: Path) -> None:
        self._home = home
        self._games: dict[str, Game] = {}
        self._lock = threading.Lock()

    def begin(self, env_id: str, arguments: Mapping[str, Any], *, judge: str = "", seed: int | None = None) -> Game:
        """Start a game.

        Args:
            env_id: what to play.
            arguments: its arguments; without ``case`` the seed chooses one.
            judge: its spec, "" for the environment's own.
            seed: decides everything that is not a choice of players; None for any.

        Raises:
            ConfigError: it cannot be played so, or too many games are under way.
        """
        seed = secrets.randbelow(2**31) if seed is None else seed
        cell = Cell(env_id, dict(arguments), PLAYER, judge or None)
        cases = pool.case_ids(cell)
        if cases:
            cell = dataclasses.replace(cell, arguments={**arguments, "case": cases[seed % len(cases)]})
        config = pool.check(RunConfig((cell,), 1, seed))
        with self._lock:
            if sum(not game.is_over for game in self._games.values()) >= MOST:
                raise ConfigError(f"{MOST} games are under way; end one first")
            number = secrets.token_urlsafe(8)
            stamp = datetime.datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
            game = self._games[number] = Game(number, config, self._home / f"{stamp}-{number}")
        game.start()
        return game

    def find(self, number: str) -> Game:
        """The game of a page.

        Raises:
            ConfigError: there is none.
        """
        if number not in self._games:
            raise ConfigError("there is no such game; it may have been played before the server was started")
        return self._games[number]

    def under_way(self) -> list[Game]:
        """The games that are not over."""
        return [game for game in self._games.values() if not game.is_over]

    def close(self) -> None:
        """Break off what is under way, and wait until it has left nothing behind."""
        games = self.under_way()
        for game in games:
            game.leave()
        for game in games:
            game.wait(ENDED)


def worded(text: str, tag: str, tags: Sequence[str]) -> str:
    """A message with the tag around it, unless it has one already or the tag is none that may be used."""
    found = _TAGGED.match(text)
    if tag not in tags or (found and found[1] in tags):
        return text
    return f"<{tag}>{text.strip()}</{tag}>"


def menu_of(actions: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """Legal actions by tag: what a button says, and what it sends."""
    menu: dict[str, list[tuple[str, str]]] = {}
    for action in actions:
        found = _TAGGED.match(action)
        tag, label = (found[1], found[2].strip()) if found else ("", action)
        menu.setdefault(tag, []).append((label or tag, action))
    return menu


def advisers(env_id: str) -> list[tuple[Agent, bool]]:
    """Players of known strength that may be able to play an environment, the strongest first.

    Returns:
        Each with whether it has been reset.
    """
    card = catalog.family(catalog.entry(env_id)["family"])
    yardsticks = catalog.attribute(card.scores) if card.scores else ()
    near = sorted(yardsticks, key=lambda one: env_id not in [there for there, _ in one.environments])
    specs = [yardstick.players.get(role) for yardstick in near for role in ("exact", "reference", "rule")]
    found = []
    for spec in dict.fromkeys(spec for spec in specs if spec):
        with contextlib.suppress(ConfigError):  # those of another kind of box do not know this one
            found.append((resolve_agent(spec, env_id)(), False))
    return found
