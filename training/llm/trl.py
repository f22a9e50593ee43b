"""TRL: environments for its GRPOTrainer, for models that call tools and for models that write tags.

Tools: ``environment_factory=environments(ids)`` with ``dataset(ids, n, actions="tools")``. Tags in plain text:
``rollout_func=PlainText()`` and ``reward_funcs=episode_reward`` with ``dataset(ids, n)``. Tested with TRL 1.16.0; both
ways are experimental there. TRL itself is not imported here.
"""

from __future__ import annotations

import copy
import importlib
import importlib.metadata
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from interactive_envs.errors import ConfigError, MissingExtraError
from interactive_envs.llm.base import Message
from interactive_envs.seeds import canonical_json
from interactive_envs.training.llm.chat import Chat
from interactive_envs.training.llm.dialogue import Actions
from interactive_envs.training.llm.rollout import Rollout, rollouts_together
from interactive_envs.training.llm.rows import Split, rows
from interactive_envs.training.llm.tools import Tools, tools_of

TESTED = "1.16.0"
"""The version of TRL that the long tests run."""
_OLDEST = (1, 16)
_EPISODE = "episode"
"""The field of a prompt's last message that holds the row; no chat template shows it."""
_ROW = ("env_id", "arguments", "seed", "case")


def environments(env_ids: str | Sequence[str], **arguments: Any) -> dict[str, type[Tools]]:
    """Make the ``environment_factory`` of a GRPOTrainer: a class with the tools of each id, by the id.

    The class pays by ``get_reward``, so the trainer needs no reward function. An episode that was broken pays None: the
    trainer leaves its rollout out.

    Args:
        env_ids: registered ids.
        arguments: of every environment, as ``gym.make`` takes them; those of a row come on top.

    Raises:
        MissingExtraError: TRL is not installed.
        ConfigError: an environment has no tools, or TRL is too old.
    """
    check_installed()
    return {env_id: tools_of(env_id, arguments) for env_id in _listed(env_ids)}


def dataset(
    env_ids: str | Sequence[str],
    n: int,
    seed: int = 0,
    split: Split = "train",
    *,
    by: Literal["episode", "id"] = "episode",
    actions: Actions = "text",
    **arguments: Any,
) -> Any:
    """Make a data set of episodes, see :func:`interactive_envs.training.llm.rows.rows`.

    Besides the columns of a row it has ``environment``, by which the trainer chooses among several. With
    ``actions="text"`` the last message of each prompt also has the field ``episode``, which holds the row: that is how
    :class:`PlainText` finds it, for a trainer hands over nothing but prompts, and many episodes have equal ones.

    Args:
        env_ids: registered ids.
        n: how many rows.
        seed: of the run whose episodes they are.
        split: ``train`` or ``held-out``.
        by: what is in one split only: an episode, or an id.
        actions: ``text`` for :class:`PlainText`, ``tools`` for :func:`environments`.
        arguments: of every environment, as ``gym.make`` takes them.

    Returns:
        A ``datasets.Dataset``.

    Raises:
        MissingExtraError: TRL is not installed.
    """
    check_installed()
    chosen = rows(env_ids, n, seed, split, by=by, actions=actions, **arguments)
    return importlib.import_module("datasets").Dataset.from_list([with_row(row, actions) for row in chosen])


def with_row(row: Mapping[str, Any], actions: Actions = "text") -> dict[str, Any]:
    """A row as the trainer takes it: with ``environment``, and for plain text with itself in its prompt."""
    prompt = [dict(message) for message in row["prompt"]]
    if actions == "text":
        prompt[-1][_EPISODE] = canonical_json({name: row[name] for name in _ROW})
    return {**row, "prompt": prompt, "environment": row["env_id"]}


def row_of(prompt: Any) -> dict[str, Any]:
    """The row that stands in a prompt.

    Raises:
        ConfigError: there is none.
    """
    try:
        row: dict[str, Any] = json.loads(prompt[-1][_EPISODE])
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise ConfigError(
            "a prompt does not say which episode it opens; "
            "make the trainer's data set with interactive_envs.training.llm.trl.dataset(ids, n)"
        ) from error
    return row


class PlainText:
    """The ``rollout_func`` of a GRPOTrainer, for actions in plain text such as ``<ask>7</ask>``.

    The trainer's own generation writes the messages: the model's ``generate``, or vLLM where the trainer has it. All
    episodes of a batch are played side by side, message by message. A message may be as long as the completion; a
    dialogue that would grow beyond ``max_completion_length`` is left and pays what silence pays.

    The mask goes to the trainer as ``env_mask``. That it arrives there, and that the loss heeds it, is checked while
    training: a trainer that drops it would train on the environment's words and say nothing.

    Args:
        max_turns: messages of the model after which an episode is left, None for no limit.
        template: arguments of the chat template, e.g. ``enable_thinking=False``.

    Raises:
        MissingExtraError: TRL is not installed.
        ConfigError: TRL is too old.
    """

    def __init__(self, max_turns: int | None = None, **template: Any) -> None:
        check_installed()
        self._max_turns, self._template = max_turns, template
        self._watch: MaskWatch | None = None
        self._chat: Chat | None = None

    def __call__(self, prompts: Sequence[Sequence[Message]], trainer: Any) -> dict[str, Any]:
        """Play the episodes of a batch.

        Args:
            prompts: of rows of :func:`dataset`, each as often as its group is large.
            trainer: who generates.

        Returns:
            ``prompt_ids``, ``completion_ids``, ``env_mask`` (1 for tokens of the model) and ``logprobs`` (0 for tokens
            of the environment; None where the generation gives none), a list each; and for reward functions ``paid``
            (None for a broken episode), ``outcome``, ``fault`` (a text, or None) and ``metrics``.

        Raises:
            ConfigError: a prompt is of no row, or does not fit; or the model would not stop where its message ends.
        """
        if self._watch is None or self._chat is None:
            self._chat = Chat(trainer.processing_class, **self._template)
            self._watch = MaskWatch(trainer)
        chat = self._chat
        stops = [token for token in (chat.end,) if token is not None]
        if not set(stops) <= set(trainer.eos_token_ids):
            raise ConfigError(
                f"a message ends with token {chat.end}, on which the model does not stop (it stops on "
                f"{sorted(trainer.eos_token_ids)}); set model.generation_config.eos_token_id to both"
            )
        wrote: list[list[float]] = [[] for _ in prompts]

        def generate(waiting: Mapping[int, Sequence[int]]) -> dict[int, Sequence[int]]:
            written, logprobs = _generate(trainer, [list(ids) for ids in waiting.values()])
            for index, one in zip(waiting, logprobs or (), strict=False):
                wrote[index] += one
            return dict(zip(waiting, written, strict=True))

        batch = rollouts_together(
            generate,
            [row_of(prompt) for prompt in prompts],
            chat=chat,
            max_tokens=getattr(trainer.model.config, "max_position_embeddings", None) or 2**31,
            max_completion=trainer.max_completion_length,
            max_turns=self._max_turns,
        )
        played = [batch.rollouts.get(index) or self._broken(prompt, stops) for index, prompt in enumerate(prompts)]
        if not all(one.completion_ids for one in played):
            longest = max(len(one.prompt_ids) for one in played if not one.completion_ids)
            raise ConfigError(f"a prompt of {longest} tokens leaves the model no room to write; take a shorter game")
        self._watch.expect(played, training=bool(trainer.model.training))
        return {
            "prompt_ids": [list(one.prompt_ids) for one in played],
            "completion_ids": [list(one.completion_ids) for one in played],
            "env_mask": [list(one.mask) for one in played],
            "logprobs": [_spread(*both) for both in zip(played, wrote, strict=True)] if any(wrote) else None,
            "paid": [one.reward if index in batch.rollouts else None for index, one in enumerate(played)],
            "outcome": [one.outcome for one in played],
            "fault": [batch.faults.get(index) for index in range(len(played))],
            "metrics": [dict(one.metrics) for one in played],
        }

    def _broken(self, prompt: Sequence[Message], stops: Sequence[int]) -> Rollout:
        """What stands for an episode that was broken: one token, which nobody learns."""
        assert self._chat is not None  # noqa: S101
        ids = self._chat.open([{"role": one["role"], "content": one["content"]} for one in prompt])
        return Rollout(tuple(ids), (stops[0] if stops else ids[-1],), (0,), 0.0, "fault", 0)


def episode_reward(
    paid: Iterable[float | None],
    metrics: Iterable[Mapping[str, float]],
    fault: Iterable[str | None],
    log_metric: Any = None,
    **_: Any,
) -> list[float | None]:
    """The reward function for :class:`PlainText`: what each episode paid, None for a broken one.

    The trainer's log also gets ``episode/faults``, the share of broken ones, and means of the metrics of the others.

    Args:
        paid: of each episode.
        metrics: of each episode.
        fault: of each episode.
        log_metric: of the trainer.
    """
    for counted, broken in zip(metrics, fault, strict=True):
        if log_metric is not None:
            log_metric("episode/faults", float(broken is not None))
            for name, value in counted.items():
                log_metric(f"episode/{name}", value)
    return list(paid)


class MaskWatch:
    """Looks at what a trainer learns from, and raises where that is not what was masked.

    Args:
        trainer: whose ``compute_loss`` is watched from now on.
    """

    def __init__(self, trainer: Any) -> None:
        self._trainer = trainer
        self._given: dict[bool, set[tuple[tuple[int, ...], ...]]] = {}
        self._heeded = False
        self._loss = trainer.compute_loss

        def watched(model: Any, inputs: Mapping[str, Any], *more: Any, **named: Any) -> Any:
            self._check_arrived(inputs)
            if not self._heeded:
                self._check_heeded(model, inputs)
                self._heeded = True
            return self._loss(model, inputs, *more, **named)

        trainer.compute_loss = watched

    def expect(self, played: Iterable[Rollout], *, training: bool) -> None:
        """Note the rollouts that the trainer was given; those of training and of evaluation are kept apart."""
        self._given[training] = {(one.prompt_ids, one.completion_ids, one.mask) for one in played}

    def _check_arrived(self, inputs: Mapping[str, Any]) -> None:
        if "tool_mask" not in inputs:
            raise ConfigError(f"the trainer dropped env_mask: {_REMEDY}")
        given = set().union(*self._given.values())
        columns = ("prompt_ids", "prompt_mask", "completion_ids", "completion_mask", "tool_mask")
        for prompt, there, completion, kept, mask in zip(*(inputs[name].tolist() for name in columns), strict=True):
            found = _kept(prompt, there), _kept(completion, kept), _kept(mask, kept)
            if any(kept) and found not in given:  # nothing is kept of a completion that the trainer leaves out
                raise ConfigError(f"the trainer's mask is not the one that it was given: {_REMEDY}")

    def _check_heeded(self, model: Any, inputs: Mapping[str, Any]) -> None:
        """Where everything is masked, advantages must not matter."""
        torch = importlib.import_module("torch")
        metrics = copy.deepcopy(getattr(self._trainer, "_metrics", None))
        nothing = torch.zeros_like(inputs["tool_mask"])
        with torch.no_grad():
            losses = [
                float(self._loss(model, {**inputs, "tool_mask": nothing, "advantages": advantages}))
                for advantages in (torch.zeros_like(inputs["advantages"]), torch.ones_like(inputs["advantages"]))
            ]
        if metrics is not None:
            self._trainer._metrics = metrics  # noqa: SLF001 - these two losses are no part of training
        if losses[0] != losses[1]:
            raise ConfigError(f"the trainer's loss does not heed env_mask: {_REMEDY}")


_REMEDY = (
    "it would train on the environment's words as if the model had written them. "
    f"Use the GRPOTrainer of TRL {TESTED} as it is, or a version of what patches it that heeds env_mask"
)


def check_installed() -> None:
    """See that TRL is there, and new enough.

    Raises:
        MissingExtraError: it is not installed.
        ConfigError: it is so old that a broken episode would count as reward 0.
    """
    try:
        found = importlib.metadata.version("trl")
    except importlib.metadata.PackageNotFoundError as error:
        raise MissingExtraError("training with TRL", "trl") from error
    if tuple(int(part) for part in found.split(".")[:2]) < _OLDEST:
        raise ConfigError(
            f"TRL {found} is too old: it may learn from broken episodes; pip install 'interactive-envs[trl]'"
        )


def _generate(trainer: Any, ids: list[list[int]]) -> tuple[list[list[int]], list[list[float]] | None]:
    """The model's next messages by the trainer's own generation, and the log-probabilities where it gives them."""
    written, logprobs = trainer._generate_single_turn(ids, None, {}, num_generations=1)  # noqa: SLF001 - TRL has no public one
    return written, logprobs


def _spread(one: Rollout, logprobs: Iterable[float]) -> list[float]:
    """Log-probabilities of the model's tokens, and 0 for those of the environment."""
    given = iter(logprobs)
    return [next(given, 0.0) if mask else 0.0 for mask in one.mask]


def _kept(ids: Sequence[int], mask: Sequence[int]) -> tuple[int, ...]:
    return tuple(token for token, kept in zip(ids, mask, strict=True) if kept)


def _listed(env_ids: str | Sequence[str]) -> list[str]:
    return [env_ids] if isinstance(env_ids, str) else list(env_ids)
