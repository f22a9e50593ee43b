"""The episodes of a training set and of its held-out set, as rows."""

from __future__ import annotations

import itertools
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.registration import key_of
from interactive_envs.seeds import canonical_json, episode_seed
from interactive_envs.training.llm.dialogue import Actions, Dialogue

Split: TypeAlias = Literal["train", "held-out"]
SPLITS: tuple[Split, ...] = ("train", "held-out")
SHARE = 8
"""One of how many episodes, cases and ids is held out."""
_SEEDS = 2**32
"""Episode seeds lie below."""
_NOT_KEY = ("view", "reward")
"""What ``gym.make`` takes besides an environment's arguments, and which changes no game."""


def rows(
    env_ids: str | Sequence[str],
    n: int,
    seed: int = 0,
    split: Split = "train",
    *,
    by: Literal["episode", "id"] = "episode",
    actions: Actions = "text",
    **arguments: Any,
) -> list[dict[str, Any]]:
    """List episodes of a split, the ids by turns.

    The seeds are those of ``ibench run`` with the same seed and arguments. A row plays the same episode each time, so
    that a group of rollouts shares it. No episode is in both splits: where an environment has a list of cases, each
    case is in one; elsewhere each seed is, and the upper eighth of all seeds is held out. With ``by="id"`` each id is
    in one split, in all its versions, with all its episodes.

    Args:
        env_ids: registered ids.
        n: how many rows.
        seed: of the run whose episodes they are.
        split: ``train`` or ``held-out``.
        by: what is in one split only: an episode, or an id.
        actions: ``text`` for prompts of models that write tags, ``tools`` for those that call tools.
        arguments: of every environment, as ``gym.make`` takes them.

    Returns:
        Rows with ``prompt`` (the messages that open the episode), ``seed``, ``case`` (None where there are no cases),
        ``env_id`` and ``arguments`` (as JSON, since a column of a data set has one type).

    Raises:
        ConfigError: nothing of the ids is in the split.
        UnknownNameError: there is no such split.
    """
    return list(itertools.islice(endless_rows(env_ids, seed, split, by=by, actions=actions, **arguments), n))


def endless_rows(
    env_ids: str | Sequence[str],
    seed: int = 0,
    split: Split = "train",
    *,
    by: Literal["episode", "id"] = "episode",
    actions: Actions = "text",
    **arguments: Any,
) -> Iterator[dict[str, Any]]:
    """The rows of :func:`rows` one by one, without end; arguments and errors are the same."""
    ids = [env_ids] if isinstance(env_ids, str) else list(env_ids)
    if split not in SPLITS:
        raise UnknownNameError("split", str(split), SPLITS)
    if by == "id":
        ids = [env_id for env_id in ids if id_split(env_id) == split]
    if not ids:
        raise ConfigError(f"no environment to choose from: none of the ids is in the split {split!r}; name more ids")
    walks = [_episodes(env_id, arguments, seed, None if by == "id" else split, actions) for env_id in ids]
    return (next(walk) for walk in itertools.cycle(walks))


def read_row(row: Mapping[str, Any]) -> tuple[str, dict[str, Any], int, str | None]:
    """The id, arguments, seed and case of a row, also of one that went through a data set.

    Raises:
        ConfigError: something is missing.
    """
    try:
        arguments = row.get("arguments") or {}
        read = json.loads(arguments) if isinstance(arguments, str) else dict(arguments)
        case = row.get("case")
        return str(row["env_id"]), read, int(row["seed"]), None if case is None else str(case)
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigError(f"a row needs env_id, arguments, seed and case, as rows() gives them: {error!r}") from error


def split_of(seed: int, case: str | None, listed: bool) -> Split:
    """The split of an episode.

    Args:
        seed: its seed.
        case: its case.
        listed: whether the environment has a list of cases.
    """
    if listed and case is not None:
        return _split(zlib.crc32(case.encode()) % SHARE == 0)
    return _split(seed >= _SEEDS - _SEEDS // SHARE)


def id_split(env_id: str) -> Split:
    """The split of an id, the same for all its versions."""
    return _split(zlib.crc32(re.sub(r"-v\d+$", "", env_id).encode()) % SHARE == 0)


def _split(held_out: bool) -> Split:
    return "held-out" if held_out else "train"


def _episodes(
    env_id: str, arguments: Mapping[str, Any], run_seed: int, split: Split | None, actions: Actions
) -> Iterator[dict[str, Any]]:
    """The rows of an id, without end."""
    key = key_of(env_id, {name: value for name, value in arguments.items() if name not in _NOT_KEY})
    dialogue = Dialogue(env_id, arguments, actions=actions)
    cases: Sequence[str] | None = dialogue.env.get_wrapper_attr("cases")
    if cases and split and not any(split_of(0, case, True) == split for case in cases):
        raise ConfigError(f"none of the {len(cases)} cases of {env_id} is in the split {split!r}; split by='id'")
    for number in itertools.count():
        epoch, index = divmod(number, len(cases)) if cases else (0, number)
        case, seed = cases[index] if cases else None, episode_seed(run_seed, key, index, epoch)
        if split is None or split_of(seed, case, bool(cases)) == split:
            prompt = [dict(message) for message in dialogue.begin(seed, case)]
            yield {
                "prompt": prompt,
                "seed": seed,
                "case": case,
                "env_id": env_id,
                "arguments": canonical_json(dict(arguments)),
            }
