"""Same seed, same story: alone, in company, in threads, processes, vectors, copies and records; one function each."""

from __future__ import annotations

import contextlib
import copy
import itertools
import multiprocessing
import pickle
import random
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.error import CustomSpaceError
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

from interactive_envs.evaluation.run import replay
from interactive_envs.evaluation.run.episode import Job, play_episode
from interactive_envs.evaluation.validate.probing import (
    PATIENCE,
    Dice,
    DiceAgent,
    Moment,
    PropertyError,
    SkippedError,
    Subject,
    again,
    episode,
    need,
    no_warnings,
    same,
    story,
    vector_story,
)
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.store import RunStore


def same_seed_same_story(subject: Subject) -> None:
    """The seed decides everything, in a fresh environment and in a used one."""
    with subject.open() as env:
        for seed in range(subject.seeds):
            first = subject.alone(seed)
            same(f"two environments with seed {seed}", first, subject.alone(seed))
            same(f"a fresh environment and a used one with seed {seed}", first, list(story(env, seed)))


def interleaved(subject: Subject) -> None:
    """Two environments that are stepped in turn know nothing of each other."""
    with subject.open() as one, subject.open() as other:
        pairs = list(itertools.zip_longest(story(one, 1), story(other, 2)))
    for seed, stories in enumerate(zip(*pairs, strict=True), 1):
        same("alone and interleaved", subject.alone(seed), [line for line in stories if line is not None])


def threaded(subject: Subject) -> None:
    """Episodes in threads, in environments made elsewhere, go as they go alone."""
    with contextlib.ExitStack() as stack, ThreadPoolExecutor(4) as pool:
        envs = [stack.enter_context(subject.open()) for _ in range(4)]
        stories = list(pool.map(lambda env, seed: list(story(env, seed, 4)), envs, range(4)))
    for seed, lines in enumerate(stories):
        same("alone and in a thread", subject.alone(seed, 4), lines)


def forked(subject: Subject) -> None:
    """An episode that a forked process takes over goes on there as it does here."""
    if "fork" not in multiprocessing.get_all_start_methods():
        raise SkippedError("this system cannot fork")
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    with subject.open() as env, receiver, no_warnings():
        teller = story(env, 0)
        head = [next(teller), next(teller)]
        process = context.Process(target=_send, args=(sender, teller), daemon=True)
        process.start()
        sender.close()
        try:
            there = receiver.recv() if receiver.poll(PATIENCE) else [f"nothing in {PATIENCE} seconds"]
        except EOFError:
            there = ["the forked process died"]
        process.join(1)
        process.kill()
        here = list(teller)
    same("an episode and its forked twin", head + here, head + there)


def fresh_process(subject: Subject) -> None:
    """Another interpreter with another hash seed tells the same story."""
    same("this process and a fresh one", subject.alone(0), subject.fresh["story"])


def no_network(subject: Subject) -> None:
    """Making, resetting and stepping opens no connection but to this machine."""
    need(not subject.fresh["network"], f"it used the network: {subject.fresh['network'][:3]}")


def no_heavy_imports(subject: Subject) -> None:
    """Making and resetting imports no deep-learning, provider, browser or chart package."""
    need(not subject.fresh["heavy"], f"make and reset import {', '.join(subject.fresh['heavy'])}")


def reset_after_100_episodes(subject: Subject) -> None:
    """``reset(seed=s)`` after a hundred other episodes is a fresh environment's."""
    with subject.open() as env:
        for _ in story(env, 99, 100):
            pass
        same("a fresh environment and one after 100 episodes", subject.alone(0), list(story(env, 0)))


def global_randomness_is_left_alone(subject: Subject) -> None:
    """The global random states are neither read nor changed."""
    saved, stories = (random.getstate(), np.random.get_state()), []
    try:
        for seed in (1, 2):
            random.seed(seed)
            np.random.seed(seed)
            before = _global_state()
            stories.append(subject.alone(0))
            need(before == _global_state(), "a global random state changed")
    finally:
        random.setstate(saved[0])
        np.random.set_state(saved[1])
    same("two global random states", *stories)


def copies_continue_identically(subject: Subject) -> None:
    """An environment pickled or copied in the middle of an episode goes on as the original does."""
    ways: tuple[Callable[[Any], Any], ...] = (_pickled, copy.deepcopy)
    for seed, copied in enumerate(ways):
        with subject.open() as env:
            actions = [moment.action for moment in episode(env, Dice(seed, odd=0.0), seed)][1:]
            half, stories = len(actions) // 2, []
            again(env, seed, actions[:half])
            with contextlib.closing(copied(env)) as twin:
                for each in (env, twin):
                    rest = [Moment(action, *each.step(action)) for action in actions[half:]]
                    stories.append([moment.line for moment in (*rest, *episode(each, Dice(9)))])
        same(f"an environment and its {('pickled', 'deep')[seed]} copy", *stories)


def record_replays(subject: Subject) -> None:
    """An episode's record, written and read back, replays without a difference."""
    cell = Cell(subject.env_id, subject.arguments, "random")
    with subject.open() as env, tempfile.TemporaryDirectory() as folder:
        case = (env.unwrapped.cases or (None,))[0]
        with RunStore.create(Path(folder), RunConfig((cell,), 1)) as store:
            for seed in range(2 * subject.seeds):
                record = play_episode(env, DiceAgent(env), Job(0, cell, case, 0, seed, seed))
                difference = replay.mismatch(store.episode(store.append(record.to_json())))
                need(difference is None, f"the replay differs: {difference}")


def vector_environments(subject: Subject) -> None:
    """Synchronous and asynchronous vectors step alike; shared memory, which cannot carry text, is refused."""
    makers = [subject.make] * 2
    with no_warnings():
        stories = vector_story(SyncVectorEnv(makers)), vector_story(AsyncVectorEnv(makers, shared_memory=False))
        same("a SyncVectorEnv and an AsyncVectorEnv", *stories)
        with contextlib.suppress(CustomSpaceError, ValueError):
            AsyncVectorEnv(makers, shared_memory=True).close()
            raise PropertyError("AsyncVectorEnv(shared_memory=True) takes the space, and would lose text silently")


def numeric_vector_environments(subject: Subject) -> None:
    """The numeric twin steps alike in a synchronous vector and in one with shared memory."""
    makers = [subject.twin] * 2
    with no_warnings():
        stories = vector_story(SyncVectorEnv(makers)), vector_story(AsyncVectorEnv(makers))
    same("a SyncVectorEnv and one with shared memory", *stories)


def _pickled(env: Any) -> Any:
    return pickle.loads(pickle.dumps(env))  # noqa: S301


def _global_state() -> tuple[str, Any]:
    state: Any = np.random.get_state()
    return repr(random.getstate()), (bytes(state[1]), *state[2:])


def _send(sender: Any, teller: Iterator[str]) -> None:
    try:
        sender.send(list(teller))
    except Exception as error:  # sent to the other side
        sender.send([f"raised {error!r}"])
