"""Writes run folders that look like real ones, through the store itself, for the tests of reports and metrics."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.seeds import episode_seed

ENV = "ibench/SituationPuzzle-v1"
SKILL = {"local": 0.7, "rule": 0.45, "random": 0.15, "reference": 1.0}
STORIES = (
    (
        "the-quiet-bell",
        "A man hears a bell, smiles, and throws his dinner away.",
        "He was ice fishing; the bell meant a bite.",
    ),
    (
        "the-wet-letter",
        "A woman reads a dry letter only after pouring water on it.",
        "The ink shows only when it is wet.",
    ),
    (
        "two-left-shoes",
        "A shop sells one left shoe a day and is never robbed again.",
        "Single display shoes are of no use to thieves.",
    ),
    (
        "the-last-floor",
        "He rides to the tenth floor in rain and to the seventh in sun.",
        "He reaches high buttons with an umbrella.",
    ),
    ("a-silent-choir", "The choir wins although nobody hears a note.", "They sing in sign language."),
    (
        "the-blue-candle",
        "She blows out a candle and her neighbour stays alive.",
        "The flame ate the air of a closed mine.",
    ),
)
QUESTIONS = (
    "Was anybody hurt?",
    "Did it happen indoors?",
    "Is the weather important?",
    "Was it on purpose?",
    "Did he know her?",
)


def configuration(
    agents: Sequence[str] = ("local", "rule", "random"),
    modes: Sequence[str] = ("menu", "free"),
    judges: Sequence[str | None] = (None,),
    budgets: Sequence[int] = (),
    twins: bool = True,
    episodes: int = 12,
    env: str = ENV,
    extra: Mapping[str, Any] | None = None,
) -> RunConfig:
    """A grid of cells, each with its twin without interaction."""
    cells = []
    for mode, judge, budget, agent in itertools.product(modes, judges, budgets or (None,), agents):
        arguments: dict[str, Any] = {"mode": mode} | ({} if budget is None else {"budget": budget}) | dict(extra or {})
        axes: dict[str, Any] = {} if budget is None else {"budget": budget}
        for without in (False, True) if twins else (False,):
            cells.append(Cell(env, arguments | ({"no_interaction": True} if without else {}), agent, judge, axes))
    return RunConfig(tuple(cells), episodes)


def build(
    folder: Path,
    config: RunConfig,
    *,
    skip: Iterable[tuple[int, int]] = (),
    hostile: str = "",
    filler: int = 0,
    cases: int = 6,
    faults: int = 0,
    forced: bool = False,
    priced: bool = True,
) -> RunStore:
    """Write a run and open it for reading.

    Args:
        folder: where.
        config: what was asked for.
        skip: (cell, episode) pairs that are missing.
        hostile: put into every text a stranger could write.
        filler: extra characters in every message.
        cases: puzzles before the next epoch begins.
        faults: broken attempts in ``faults.jsonl``.
        forced: some episodes are won by a forced final answer.
        priced: whether the language model's price is known.
    """
    missing = set(skip)
    with RunStore.create(folder, config) as store:
        for index, episode in itertools.product(range(len(config.cells)), range(config.episodes)):
            if (index, episode) not in missing:
                made = record(config, index, episode % cases, episode // cases, hostile, filler, forced, priced)
                store.append(made)
        for number in range(faults):
            store.append_fault(
                {"cell": 0, "fault": "provider_error", "message": f"HTTP 500 {hostile}", "attempt": number}
            )
    return RunStore.read_only(folder)


def record(
    config: RunConfig, index: int, case: int, epoch: int, hostile: str, filler: int, forced: bool, priced: bool
) -> dict[str, Any]:
    """One finished episode, as a runner writes it."""
    cell = config.cells[index]
    rng = np.random.default_rng([index, case, epoch])
    interactive = not cell.arguments.get("no_interaction")
    budget = int(cell.arguments.get("budget", 20)) if interactive else 1
    free = cell.arguments.get("mode") == "free"
    model = cell.agent.startswith(("local", "llm"))
    skill = SKILL.get(cell.agent, 0.85) * (1.0 if interactive else 0.35) * (1 - 0.3 * free) * min(1.0, budget / 12)
    right = bool(rng.random() < skill)
    asked = 0 if not interactive else int(rng.integers(1, budget)) if budget > 1 else 0
    name, setup, solution = STORIES[case % len(STORIES)]
    name = (name if case < len(STORIES) else f"{name}-{case // len(STORIES) + 1}") + hostile
    padding = (" The corridor was long and nobody spoke." * (filler // 40 + 1))[:filler]
    steps = [
        _step(
            f"{setup}{padding} {hostile}\n\nBudget: {budget} rounds. Ask, or answer.",
            rng,
            asked,
            free,
            model,
            hostile,
            padding,
            0,
            priced,
        )
    ]
    if asked:
        for turn in range(1, asked):
            steps.append(
                _step(
                    f"{steps[-1]['reply']} Rounds left: {budget - turn}.",
                    rng,
                    asked,
                    free,
                    model,
                    hostile,
                    padding,
                    turn,
                    priced,
                )
            )
    else:
        steps = []
    out_of_rounds = interactive and not right and rng.random() < 0.3
    last = (
        f"{steps[-1]['reply']} Rounds left: {budget - asked}."
        if steps
        else f"{setup} {hostile}\n\nOne answer, no questions."
    )
    if not out_of_rounds:
        final = _call_step(
            last,
            f"<answer>{solution if right else 'It was only a dream.'} {hostile}</answer>",
            "final",
            "correct" if right else "incorrect",
            free,
            model,
            hostile,
            priced,
        )
        steps.append(final | {"reward": float(right)})
    late = forced and right and interactive and bool(rng.random() < 0.4)
    invalid = sum(step["kind"] == "invalid" for step in steps)
    finals = sum(step["kind"] == "final" for step in steps)
    tokens = {
        part: sum(call["usage"][part] for step in steps for call in step["calls"])
        for part in ("prompt", "completion", "reasoning", "cached")
    }
    judge_tokens = {
        part: sum(call["usage"][part] for step in steps for call in step["judge_calls"])
        for part in ("prompt", "completion", "reasoning", "cached")
    }
    return {
        "schema": 1,
        "cell": index,
        "case": name,
        "case_index": case,
        "epoch": epoch,
        "seed": episode_seed(config.seed, cell.env_id, case, epoch),
        "env": {"id": cell.env_id, "arguments": dict(cell.arguments), "key": cell.env_id, "data_sha256": "5f" * 32},
        "wrappers": [],
        "agent": {
            "spec": cell.agent,
            "name": cell.agent,
            "model": "tiny-instruct-0.6b" if model else None,
            "prompt_sha256": "ab" * 32 if model else None,
            "parameters": {"temperature": 0.0} if model else {},
        },
        "judge": {"spec": cell.judge or "offline", "name": cell.judge or "offline", "approximate": True}
        if free
        else None,
        "steps": steps,
        "final_observation": f"{'Correct.' if right else 'The rounds are spent.' if out_of_rounds else 'Incorrect.'}",
        "solution": f"{solution} {hostile}",
        "game": None,
        "outcome": "success" if right else "timeout" if out_of_rounds else "failure",
        "reward": float(right),
        "turns": budget if late or out_of_rounds else max(1, len(steps)),
        "won_by": None if not right else "forced" if late else "round",
        "first_final": right if finals else None,
        "queries": len(steps) - invalid - finals,
        "finals": finals,
        "invalid": invalid,
        "abstained": sum(bool(step["verdict"] and step["verdict"]["abstained"]) for step in steps),
        "tokens": tokens,
        "judge_tokens": judge_tokens,
        "cost": None if model and not priced else 2e-7 * tokens["prompt"] if model else 0.0,
        "judge_cost": 0.0,
        "paid": 0.0,
        "seconds": round(float(rng.gamma(3.0, 1.5 if model else 0.01)), 3),
        "models": ["tiny-instruct-0.6b (build 11549)"] if model else [],
        "versions": {"interactive_envs": "0.1.0", "python": "3.11.2", "gymnasium": "1.2.0"},
        "ended": "2031-05-06T07:08:09+00:00",
    }


def _step(
    observation: str,
    rng: np.random.Generator,
    asked: int,
    free: bool,
    model: bool,
    hostile: str,
    padding: str,
    turn: int,
    priced: bool,
) -> dict[str, Any]:
    if rng.random() < 0.08:
        text = f"I would rather talk about something else. {hostile}{padding}"
        step = _call_step(observation, text, "invalid", None, free, model, hostile, priced)
        return step | {
            "valid": False,
            "reason": f"no <ask> or <answer> found {hostile}",
            "reply": "That could not be read.",
        }
    question = QUESTIONS[int(rng.integers(len(QUESTIONS)))]
    label = ("yes", "no", "irrelevant", "both")[int(rng.choice(4, p=(0.3, 0.4, 0.25, 0.05)))]
    thought = f"Let me narrow it down.{padding} {hostile}\n" if model else ""
    return _call_step(
        observation,
        f"{thought}<ask>{question if free else turn + 1}</ask>",
        "query",
        label,
        free,
        model,
        hostile,
        priced,
    )


def _call_step(
    observation: str, text: str, kind: str, label: str | None, free: bool, model: bool, hostile: str, priced: bool
) -> dict[str, Any]:
    usage = {"prompt": 180 + len(observation) // 4, "completion": 12 + len(text) // 4, "reasoning": 0, "cached": 0}
    call = {
        "model": "local",
        "messages": [{"role": "user", "content": observation}],
        "messages_before": 0,
        "text": text,
        "finish_reason": "stop",
        "usage": usage,
        "cost": 0.0001 if priced else None,
        "latency": 0.8,
        "model_version": "tiny-instruct-0.6b",
        "refused_parameters": [],
        "attempts": 1,
        "from_cache": False,
    }
    verdict = None
    if free and label is not None:
        verdict = {
            "label": label,
            "detail": f"nearest fact: cosine 0.61 {hostile}",
            "confidence": 0.61,
            "source": f"offline{hostile}",
            "abstained": label == "irrelevant",
        }
    judge_call = call | {"text": f'{{"verdict": "{label}"}} {hostile}', "model": f"judge{hostile}"}
    return {
        "observation": observation,
        "action": text,
        "kind": kind,
        "valid": True,
        "reason": None,
        "reply": f"{(label or '').capitalize()}.",
        "reward": 0.0,
        "seconds": 0.8 if model else 0.001,
        "verdict": verdict,
        "calls": [call] if model else [],
        "judge_calls": [judge_call] if verdict else [],
    }
