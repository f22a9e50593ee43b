"""Episodes that are played by calling tools: ordinary ones, whose player waits for the next call."""

from __future__ import annotations

import dataclasses
import functools
import queue
import re
import shutil
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from interactive_envs.agent import resolve_agent
from interactive_envs.agents.mcp import McpClient
from interactive_envs.errors import ConfigError, FaultError, IbenchError
from interactive_envs.evaluation.run import pool
from interactive_envs.evaluation.run.episode import Job, StoppedError, play_episode
from interactive_envs.evaluation.run.live import Live
from interactive_envs.evaluation.run.stepping import Stack
from interactive_envs.making import make
from interactive_envs.outcome import Fault
from interactive_envs.reporting.records import Cell, EpisodeRecord, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.training.llm.tools import Action, actions_of

RULES, NEXT = "rules", "new_episode"
"""Tools that are no actions."""
LONGEST = 200_000
"""Characters of an argument at most."""
LONGEST_NAME = 80
"""Characters of a client's name at most."""
FORGETS = "a probe begins the dialogue anew, and a client cannot be made to forget; leave -k probes out"


@dataclass(frozen=True)
class Tool:
    """A tool as the protocol lists it.

    Attributes:
        name: what a client calls it.
        about: what it does.
        schema: JSON schema of its arguments.
    """

    name: str
    about: str
    schema: Mapping[str, Any]


@dataclass(frozen=True)
class Reply:
    """What a tool replies.

    Attributes:
        text: for the client.
        is_error: whether nothing was played: a call that no tool takes, or infrastructure that failed.
    """

    text: str
    is_error: bool = False


class Run:
    """The run that the clients of a server play; thread-safe.

    Its folder is made when the first episode begins. A folder that is there already is played on, if it is of the same
    run.

    Args:
        env_id: a registered id.
        arguments: of the environment.
        judge: its spec, None for the environment's own.
        seed: of the run; the episodes are those of ``ibench run`` with this seed.
        episodes: in all; each is played once.
        folder: of the run.
        player: what reports call the player, "" for what the client calls itself.

    Attributes:
        actions: the environment's, as tools.

    Raises:
        ConfigError: it cannot be played so.
    """

    def __init__(
        self,
        env_id: str,
        arguments: Mapping[str, Any],
        *,
        judge: str | None = None,
        seed: int = 0,
        episodes: int = 1,
        folder: Path,
        player: str = "",
    ) -> None:
        if "view" in arguments:
            raise ConfigError("clients play the text view; leave -k view out")
        self.actions: tuple[Action, ...] = actions_of(env_id, arguments)
        self.folder = folder
        self._player = player
        self._config = RunConfig((Cell(env_id, dict(arguments), spec_of(player), judge),), episodes, seed)
        pool.check(self._config)
        self._lock = threading.RLock()
        self._store: RunStore | None = None
        self._is_new = False
        self._live: Live | None = None
        self._taken: set[tuple[int, int, int]] = set()

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools, those of the environment's actions last."""
        episodes = self._config.episodes
        rules = Tool(RULES, "Read the rules. The first call begins an episode. It costs nothing.", _schema({}))
        following = Tool(
            NEXT,
            f"Begin the next episode and read its rules; {episodes} can be played. It costs nothing once an episode is "
            "over. An episode that is not over is played on as silence first, and counts.",
            _schema({}),
        )
        return (rules, following, *map(_tool_of, self.actions))

    def instructions(self, *, opening: bool) -> str:
        """What the server says of itself.

        Args:
            opening: whether the rules of the next episode are a part of it.
        """
        text = (files("interactive_envs.integrations.mcp") / "data" / "mcp-v1.txt").read_text(encoding="utf-8").strip()
        shown = self._opening() if opening else ""
        return f"{text}\n\nThe rules of the first episode:\n\n{shown}" if shown else text

    def take(self, client: str) -> Job:
        """Take the next episode that nobody has played or is playing.

        Args:
            client: what the client calls itself.

        Raises:
            ConfigError: there is none left, or the folder holds another run.
        """
        with self._lock:
            store = self._opened(client)
            done = {row.key for row in store.iterate()}
            job = next(pool.jobs_of(store.config, done | self._taken), None)
            if job is None:
                others = f"; {len(self._taken)} are being played" if self._taken else ""
                raise ConfigError(f"no episode is left: {len(done)} of {self._config.episodes} are over{others}")
            self._taken.add(_key(job))
            return job

    def play(self, job: Job, player: McpClient) -> EpisodeRecord:
        """Play an episode that was taken, and keep its record; one that infrastructure breaks is given back.

        Raises:
            FaultError: infrastructure failed.
            StoppedError: the client left before it did anything.
        """
        store, live = self._store, self._live
        if store is None or live is None:
            raise ConfigError("no episode was taken")
        cell = job.cell
        live.begin(job)
        try:
            env = make(cell.env_id, **{**cell.arguments, **({"judge": cell.judge} if cell.judge else {})})
            try:
                record = play_episode(env, player, job, on_step=functools.partial(live.step, job))
            finally:
                env.close()
            # what the client pays for its model is not known here
            record = dataclasses.replace(record, cost=None)
            with self._lock:
                store.append(record.to_json())
                pool.finish(store)
        except FaultError as error:
            with self._lock:
                place = {"cell": job.cell_index, "case": job.case, "case_index": job.case_index, "epoch": job.epoch}
                store.append_fault(place | {"fault": Fault(error.fault).value, "message": str(error), "attempt": 1})
            raise
        finally:
            live.end(job)
            with self._lock:
                self._taken.discard(_key(job))
        return record

    def left(self) -> int:
        """How many episodes nobody has played or is playing."""
        with self._lock:
            done = sum(1 for _ in self._store.iterate()) if self._store else 0
            return self._config.episodes - done - len(self._taken)

    def close(self) -> None:
        """Release the folder; one in which nothing happened goes."""
        with self._lock:
            if self._store is None or self._live is None:
                return
            self._live.close()
            unused = self._is_new and not self._store.faults() and next(self._store.iterate(), None) is None
            self._store.close()
            self._store = self._live = None
            if unused:
                shutil.rmtree(self.folder, ignore_errors=True)

    def _opened(self, client: str) -> RunStore:
        spec = spec_of(self._player or client)
        if self._store is not None:
            agent = self._store.config.cells[0].agent
            if agent != spec:
                raise ConfigError(
                    f"the run in {self.folder} is played by {agent}, and this client is {spec}; "
                    "give it a folder of its own by --out, or a name for both by --player"
                )
            return self._store
        cell = dataclasses.replace(self._config.cells[0], agent=spec)
        config = pool.check(dataclasses.replace(self._config, cells=(cell,), content=()))
        self._is_new = not (self.folder / "config.json").exists()
        self._store = RunStore.create(self.folder, config) if self._is_new else RunStore.open(self.folder, config)
        self._live = Live(self.folder)
        return self._store

    def _opening(self) -> str:
        """How the next episode begins; "" where somebody at the table may begin it otherwise each time."""
        done = set()
        if (self.folder / "config.json").exists():
            done = {row.key for row in RunStore.read_only(self.folder).iterate()}
        job = next(pool.jobs_of(self._config, done), None)
        if job is None:
            return ""
        cell = job.cell
        env: Any = make(cell.env_id, **cell.arguments)
        try:
            others = [resolve_agent(spec, cell.env_id)() for spec in env.unwrapped.opponents]
            repeats = all(other.repeats for other in others)
            for other in others:
                other.close()
            return _opening(*Stack(env).reset(job.seed, job.case)) if repeats else ""
        finally:
            env.close()


class Session:
    """What one client does, an episode after another; calls that come at once are played in turn.

    Args:
        run: what is played.
        client: what the client calls itself.
    """

    def __init__(self, run: Run, client: str) -> None:
        self._run, self._client = run, client
        self._lock = threading.Lock()
        self._episode: _Episode | None = None

    def call(self, name: str, given: Mapping[str, Any]) -> Reply:
        """Call a tool.

        Args:
            name: the tool's.
            given: its arguments.
        """
        with self._lock:
            try:
                return self._call(name, given)
            except FaultError as error:
                return Reply(
                    f"The environment failed. This episode is not counted; {NEXT} plays it again. {error}", True
                )
            except (IbenchError, OSError) as error:  # a folder that cannot be written is said, too
                return Reply(str(error), True)

    def close(self) -> None:
        """End: an episode in which the client has acted is played on as silence, any other is left to others."""
        with self._lock:
            if self._episode is not None:
                self._episode.leave()

    def _call(self, name: str, given: Mapping[str, Any]) -> Reply:
        action = next((action for action in self._run.actions if action.name == name), None)
        if action is None and name not in (RULES, NEXT):
            known = ", ".join(tool.name for tool in self._run.tools)
            raise ConfigError(f"there is no tool {name!r}; the tools are {known}")
        fields = _read(name, action.fields if action else (), given)
        if name == NEXT and self._episode is not None:
            self._episode.leave()
            self._episode = None
        if self._episode is None:
            self._episode = _Episode(self._run, self._client)
        if action is None:
            return Reply(self._episode.opening)
        reply = self._episode.say(action.text(fields))
        if self._episode.result is None:
            return Reply(reply)
        outcome, reward = self._episode.result
        more = f" Call {NEXT} for the next one." if self._run.left() > 0 else ""
        return Reply(f"{reply}\n\nThe episode is over. Outcome: {outcome}. Reward: {reward:g}.{more}")


class _Player(McpClient):
    """Sits between an episode and the calls of a client, each in a thread of its own."""

    def __init__(self, client: str, probed: bool) -> None:
        super().__init__(client)
        self._probed = probed
        self.heard: queue.SimpleQueue[str | BaseException] = queue.SimpleQueue()
        self.said: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.acted = 0
        self._preface: Mapping[str, Any] = {}
        self._left: int | None = None

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Keep what precedes the episode for its first message."""
        self._preface = info or {}

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Hand on the observation and wait for the client; one that has left is silent.

        Raises:
            StoppedError: the client left before it did anything.
            ConfigError: the client would have to forget, which it cannot.
        """
        if info.get("remember") == 0 and self._probed:
            raise ConfigError(FORGETS)
        if self._left is not None:
            return ""
        self.heard.put(_opening(observation, self._preface) if not self.acted else str(observation))
        said = self.said.get()
        if said is None:
            if not self.acted:
                raise StoppedError("the client has left")
            self._left, said = self.acted, ""
        self.acted += 1
        return said

    def finish(self, observation: str, reward: float, info: Mapping[str, Any]) -> None:
        """Keep the last message until the record is written."""
        self.last = str(observation)

    def describe(self) -> dict[str, Any]:
        """The client's name, and after how many actions it left, if it did."""
        return super().describe() | ({} if self._left is None else {"left": self._left})


class _Episode:
    """One episode; its own thread plays it.

    Attributes:
        opening: what precedes it, the rules and the case.
        result: the outcome and the reward, once it is over and recorded.

    Raises:
        ConfigError: no episode is left.
        FaultError: infrastructure failed.
    """

    def __init__(self, run: Run, client: str) -> None:
        self.result: tuple[str, float] | None = None
        self._run, self._job = run, run.take(client)
        self._player = _Player(self._job.cell.agent.partition(":")[2], bool(self._job.cell.arguments.get("probes")))
        self._broken: BaseException | None = None
        self._thread = threading.Thread(target=self._play, name="episode", daemon=True)
        self._thread.start()
        self.opening = self._hear()

    def say(self, text: str) -> str:
        """Send a message and return the reply.

        Raises:
            ConfigError: the episode is over, or was broken.
            FaultError: infrastructure failed.
        """
        if self.result is not None or self._broken is not None:
            raise ConfigError(f"the episode is over; call {NEXT} for the next one, if one is left")
        self._player.said.put(text)
        return self._hear()

    def leave(self) -> None:
        """Play on as silence, if the client has acted."""
        if self._thread.is_alive():
            self._player.said.put(None)
            self._thread.join()

    def _hear(self) -> str:
        heard = self._player.heard.get()
        if isinstance(heard, str):
            return heard
        self._broken = heard
        raise heard

    def _play(self) -> None:
        try:
            record = self._run.play(self._job, self._player)
            self.result = (str(record.outcome), float(record.reward))
            self._player.heard.put(self._player.last)
        except IbenchError as error:
            self._player.heard.put(error)
        except BaseException as error:  # the client must hear of it, whatever it was
            self._player.heard.put(FaultError(f"the episode failed: {error!r}"))


def spec_of(client: str) -> str:
    """The spec by which records name a client.

    >>> spec_of("Claude Code?x"), spec_of("")
    ('mcp:Claude-Code-x', 'mcp:client')
    """
    named = re.sub(r"[^\w.@/+-]+", "-", client).strip("-")[:LONGEST_NAME]
    return f"{McpClient.name}:{named or 'client'}"


def _opening(observation: str, info: Mapping[str, Any]) -> str:
    """The first message: what precedes the episode, where something does, the rules and the case."""
    preface = [f"{message['role']}: {message['content']}" for message in info.get("preface", ())]
    return "\n\n".join([*preface, str(observation)])


def _tool_of(action: Action) -> Tool:
    return Tool(action.name, action.about, _schema(dict.fromkeys(action.fields, action.about_fields)))


def _schema(fields: Mapping[str, str]) -> dict[str, Any]:
    """The JSON schema of texts that must all be given.

    Args:
        fields: name to description.
    """
    return {
        "type": "object",
        "properties": {name: {"type": "string", "description": about} for name, about in fields.items()},
        "required": list(fields),
        "additionalProperties": False,
    }


def _read(tool: str, fields: tuple[str, ...], given: Mapping[str, Any]) -> dict[str, str]:
    """The arguments of a call as texts; numbers are taken, too.

    Raises:
        ConfigError: one is missing, unknown, too long, or neither text nor number.
    """
    wanted = f"{tool}({', '.join(fields)})"
    for name in fields:
        if name not in given:
            raise ConfigError(f"the argument {name!r} is missing; call {wanted}. Nothing was played.")
    read = {}
    for name, value in given.items():
        if name not in fields:
            raise ConfigError(f"there is no argument {name!r}; call {wanted}. Nothing was played.")
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ConfigError(f"the argument {name!r} must be a text. Nothing was played.")
        if len(str(value)) > LONGEST:
            raise ConfigError(f"an argument has at most {LONGEST:,} characters. Nothing was played.")
        read[name] = str(value)
    return read


def _key(job: Job) -> tuple[int, int, int]:
    return job.cell_index, job.case_index, job.epoch
