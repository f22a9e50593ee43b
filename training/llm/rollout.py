"""Rollouts: an episode as token ids, with a mask that tells the model's tokens from the environment's."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from interactive_envs.errors import FaultError
from interactive_envs.training.llm.chat import Chat
from interactive_envs.training.llm.dialogue import Dialogue
from interactive_envs.training.llm.rows import read_row

Generate: TypeAlias = Callable[[Sequence[int]], Sequence[int]]
"""Token ids of all so far to the ids of the model's next message, with the token that ends it if it wrote one."""
GenerateAll: TypeAlias = Callable[[Mapping[int, Sequence[int]]], Mapping[int, Sequence[int]]]
"""The same for several episodes at once, by the row's index."""


@dataclass(frozen=True)
class Rollout:
    """One episode on tokens.

    Attributes:
        prompt_ids: of the messages before the model's first.
        completion_ids: everything after them; the last ones are the model's.
        mask: as long as ``completion_ids``: 1 for a token that the model wrote, 0 for one of the environment.
        reward: what the episode paid.
        outcome: how it ended; ``unfinished`` where it was left because it grew too long.
        turns: messages of the model.
        metrics: numbers beside the reward, see :attr:`Dialogue.metrics`.
    """

    prompt_ids: tuple[int, ...]
    completion_ids: tuple[int, ...]
    mask: tuple[int, ...]
    reward: float
    outcome: str
    turns: int
    metrics: Mapping[str, float] = field(default_factory=dict)


def rollout(
    generate: Generate,
    env_id: str,
    arguments: Mapping[str, Any] | None = None,
    seed: int = 0,
    *,
    chat: Chat,
    case: str | None = None,
    max_tokens: int = 16_384,
    max_turns: int | None = None,
) -> Rollout:
    """Play one episode.

    The text only grows: observations are appended, and no token is written twice. Where an environment has a player
    forget, as black boxes do between two test items, the earlier messages stay readable.

    Args:
        generate: the model.
        env_id: a registered id.
        arguments: of the environment, as ``gym.make`` takes them; ``reward="information"`` is a dense reward.
        seed: decides everything but the model's choices.
        chat: how the model's tokenizer writes a dialogue.
        case: the case to play, where the environment has a list of cases.
        max_tokens: of prompt and completion; an episode that would grow longer is left. Its outcome is ``unfinished``,
            and its reward that of silence to the end.
        max_turns: messages of the model after which an episode is left, None for no limit.

    Raises:
        FaultError: infrastructure failed; there is no reward, and nothing to learn from.
        ConfigError: the environment cannot be made.
    """
    play = episode(env_id, arguments, seed, chat=chat, case=case, max_tokens=max_tokens, max_turns=max_turns)
    try:
        got = _resume(play, None)
        while not isinstance(got, Rollout):
            got = _resume(play, generate(got))
        return got
    finally:
        play.close()


@dataclass(frozen=True)
class Batch:
    """Rollouts of several rows.

    Attributes:
        rollouts: those that came to an end, by the row's index.
        faults: what broke the others, by the row's index.
    """

    rollouts: Mapping[int, Rollout]
    faults: Mapping[int, str]


def rollouts(generate: Generate, rows: Iterable[Mapping[str, Any]], *, chat: Chat, max_tokens: int = 16_384) -> Batch:
    """Play the episodes of rows, see :func:`interactive_envs.training.llm.rows.rows`; faults are left out and counted.

    Args:
        generate: the model.
        rows: with ``env_id``, ``arguments``, ``seed`` and ``case``.
        chat: how the model's tokenizer writes a dialogue.
        max_tokens: see :func:`rollout`.
    """
    played: dict[int, Rollout] = {}
    faults: dict[int, str] = {}
    for index, row in enumerate(rows):
        env_id, arguments, seed, case = read_row(row)
        try:
            played[index] = rollout(generate, env_id, arguments, seed, chat=chat, case=case, max_tokens=max_tokens)
        except FaultError as error:
            faults[index] = str(error)
    return Batch(played, faults)


def rollouts_together(
    generate: GenerateAll,
    rows: Sequence[Mapping[str, Any]],
    *,
    chat: Chat,
    max_tokens: int = 16_384,
    max_completion: int | None = None,
    max_turns: int | None = None,
) -> Batch:
    """Play the episodes of rows side by side, so that the model writes the messages of a turn in one batch.

    Args:
        generate: the model; it is called once per turn, with the episodes that are not over.
        rows: with ``env_id``, ``arguments``, ``seed`` and ``case``.
        chat: how the model's tokenizer writes a dialogue.
        max_tokens: see :func:`rollout`.
        max_completion: see :func:`episode`.
        max_turns: see :func:`rollout`.
    """
    played: dict[int, Rollout] = {}
    faults: dict[int, str] = {}
    plays: list[Play] = []
    for row in rows:
        env_id, arguments, seed, case = read_row(row)
        plays.append(
            episode(
                env_id,
                arguments,
                seed,
                chat=chat,
                case=case,
                max_tokens=max_tokens,
                max_completion=max_completion,
                max_turns=max_turns,
            )
        )
    messages: Mapping[int, Sequence[int] | None] = dict.fromkeys(range(len(plays)))
    try:
        while messages:
            waiting: dict[int, Sequence[int]] = {}
            for index, written in messages.items():
                try:
                    got = _resume(plays[index], written)
                except FaultError as error:
                    faults[index] = str(error)
                    continue
                if isinstance(got, Rollout):
                    played[index] = got
                else:
                    waiting[index] = got
            messages = generate(waiting) if waiting else {}
    finally:
        for play in plays:
            play.close()
    return Batch(played, faults)


Play: TypeAlias = Generator[Sequence[int], Sequence[int] | None, Rollout]
"""An episode that waits for the model: it yields the ids of all so far, and is sent those of the next message."""


def episode(
    env_id: str,
    arguments: Mapping[str, Any] | None = None,
    seed: int = 0,
    *,
    chat: Chat,
    case: str | None = None,
    max_tokens: int = 16_384,
    max_completion: int | None = None,
    max_turns: int | None = None,
) -> Play:
    """Play one episode as a generator, for callers that have their own loop; see :func:`rollout`.

    Args:
        env_id: a registered id.
        arguments: of the environment.
        seed: decides everything but the model's choices.
        chat: how the model's tokenizer writes a dialogue.
        case: the case to play, where the environment has a list of cases.
        max_tokens: of prompt and completion.
        max_completion: of the completion alone, None for no limit but ``max_tokens``.
        max_turns: messages of the model, None for no limit.

    Returns:
        What yields the ids of all so far, is sent the ids of the model's next message, and returns the rollout.
    """
    dialogue = Dialogue(env_id, arguments)
    try:
        prompt = chat.open(dialogue.begin(seed, case))
        limit = max_tokens - len(prompt)
        limit = limit if max_completion is None else min(limit, max_completion)
        return (yield from _play(dialogue, chat, prompt, limit, max_turns))
    finally:
        dialogue.close()


def _resume(play: Play, written: Sequence[int] | None) -> Sequence[int] | Rollout:
    """Send a message to an episode, None to begin it; the ids of all so far, or the rollout at its end."""
    try:
        return play.send(written)
    except StopIteration as end:
        rollout: Rollout = end.value
        return rollout


def _play(dialogue: Dialogue, chat: Chat, prompt: list[int], limit: int, max_turns: int | None) -> Play:
    completion: list[int] = []
    mask: list[int] = []
    between: list[int] = []
    while not dialogue.over:
        room = limit - len(completion) - len(between)
        if room <= 0 or dialogue.turns == max_turns:
            dialogue.leave()
            break
        completion += between
        mask += [0] * len(between)
        written = list((yield [*prompt, *completion]) or ())
        completion += written[:room]
        mask += [1] * len(written[:room])
        if len(written) > room:  # a message that was cut is not played
            dialogue.leave()
            break
        between = chat.between(written, dialogue.step(chat.text(written)))
    return Rollout(
        tuple(prompt),
        tuple(completion),
        tuple(mask),
        dialogue.paid,
        str(dialogue.outcome),
        dialogue.turns,
        dialogue.metrics,
    )
