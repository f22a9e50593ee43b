"""The SituationPuzzle environment: arguments in, the right task plugged into the dialogue."""

from __future__ import annotations

from typing import Any, Literal, Unpack

from interactive_envs.catalog.unit import Unit
from interactive_envs.dialogue.arguments import JudgedArguments
from interactive_envs.dialogue.env import DialogueEnv
from interactive_envs.dialogue.task import DialogueTask
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.situation_puzzle import budgets, puzzles
from interactive_envs.situation_puzzle.rules import FreeTask, MenuTask

DIFFICULTIES = (1, 2, 3, 4, 5)
MODES = ("menu", "free")
SPLITS = ("own", "generated")


class SituationPuzzleEnv(DialogueEnv[Any, Any]):
    """Find the hidden explanation of an odd story by asking yes/no questions.

    Observation: at reset the story, the rules and, in menu mode, candidate explanations A, B, … and questions 1, 2, …;
        afterwards ``Yes.``, ``No.``, ``Both.`` or ``Irrelevant.`` and the rounds left.
    Action: ``<ask>7</ask>`` or ``<ask>Was it dark?</ask>``; ``<answer>C</answer>`` or, in free text,
        ``<answer>the explanation</answer>``. Short forms: ``ask 7``, ``Q: …``, ``FINAL: …``,
        in menu mode a lone ``7`` or ``C``, in free text one line that ends with a question mark.
    Reward: 1.0 for the right explanation, else 0.0.
    Ends: terminated by the right answer, in menu mode by any answer, and when the rounds are spent (``timeout``).
    Info: as in :class:`interactive_envs.dialogue.env.DialogueEnv`.

    Source: Interactive Benchmarks v2, section 2.1; the forced final is v1's.

    Args:
        mode: ``menu`` (exact truth, no judge) or ``free`` (any words, a judge decides).
        split: ``own``, the package's hand-written puzzles; ``generated``, puzzles without end, see
            :func:`interactive_envs.situation_puzzle.generator.generate`.
        difficulty: 1 to 5; None for all, with ``generated`` drawn for each episode.
        dataset: a user's own puzzles instead, see :func:`interactive_envs.situation_puzzle.puzzles.load`.
        case: play this puzzle always.
        judge: spec or instance; free text only.
        finals: free text only: how many wrong answers end the episode, None for no other limit than the rounds.
        approximate: score free text that a judge decided whose verdicts are estimates, as the offline one's are.
        budget: rounds in all, the answer included; ``standard``: 20 in free text, by menu 1.5 times what the reference
            player needs in 95 % of the cases, see :mod:`interactive_envs.situation_puzzle.budgets`.
        forced_final: one more answer after the last round.
        no_interaction: no questions, one answer.
        retries: unreadable messages a round that cost nothing.
        strict: the first unreadable message ends the episode.
        render_mode: None or ``ansi``.

    Version history: v0, first release; v1, the menu's budget is what its questions need, generated levels differ in
        the questions needed, and free text says what it does not understand and is scored by exact judges only.

    >>> env = SituationPuzzleEnv(case="the-beet-manual")
    >>> observation, info = env.reset(seed=1)
    >>> env.step("<ask>1</ask>")[0].splitlines()[-1]
    'Rounds left: 7.'
    """

    unit = Unit(
        id="ibench/SituationPuzzle-v1",
        family="situation-puzzle",
        variants=(
            {"mode": "menu"},
            {"mode": "free"},
            {"mode": "menu", "no_interaction": True},
            {"mode": "menu", "retries": 2, "forced_final": True, "budget": 4},
            {"mode": "free", "forced_final": True, "budget": 4},
            {"mode": "free", "strict": True},
            {"mode": "menu", "split": "generated"},
            {"mode": "free", "split": "generated", "difficulty": 1},
        ),
        views=("text", "numeric"),
        numeric_variants=(0, 2, 3, 6),
        references=("reference", None, None, None, None, None, "reference", None),
        presets={"paper": {"mode": "free", "budget": 20, "forced_final": True, "finals": None}},
        sources=("Interactive Benchmarks v1", "Interactive Benchmarks v2, section 2.1"),
    )

    def __init__(
        self,
        *,
        mode: Literal["menu", "free"] = "menu",
        split: str = "own",
        difficulty: int | None = None,
        dataset: str | None = None,
        finals: int | None = 3,
        budget: int | Literal["standard"] = "standard",
        **arguments: Unpack[JudgedArguments],
    ) -> None:
        if mode not in MODES:
            raise UnknownNameError("mode", str(mode), MODES)
        if split not in SPLITS:
            raise UnknownNameError("split", str(split), SPLITS)
        if dataset is not None and not isinstance(dataset, str):
            raise ConfigError(f"dataset must be a path as text, got {dataset!r}")
        source = _source(split, difficulty, dataset)
        task: DialogueTask[Any, Any] = MenuTask(source) if mode == "menu" else FreeTask(source)
        if isinstance(budget, str) and budget != "standard":
            raise ConfigError(f"budget must be a whole number or 'standard', got {budget!r}")
        if isinstance(budget, str):
            budget = budgets.FREE if mode == "free" else _menu_budget(source, split, difficulty, dataset)
        super().__init__(task, finals=finals, budget=budget, **arguments)


def _menu_budget(source: puzzles.Source, split: str, difficulty: int | None, dataset: str | None) -> int:
    if dataset is not None and isinstance(source, puzzles.Listed):
        return budgets.of_dataset(source.cases)
    return budgets.standard(split, difficulty)


def _source(split: str, difficulty: int | None, dataset: str | None) -> puzzles.Source:
    if difficulty is not None and (type(difficulty) is not int or difficulty not in DIFFICULTIES):
        raise ConfigError(f"difficulty must be a whole number from 1 to 5, or None, got {difficulty!r}")
    if split == "generated":
        if dataset is not None:
            raise ConfigError("give split='generated' or a dataset, not both")
        from interactive_envs.situation_puzzle.generator import Generated

        return Generated(DIFFICULTIES if difficulty is None else (difficulty,))
    found = puzzles.load(dataset)
    if difficulty is not None:
        found = tuple(puzzle for puzzle in found if puzzle.difficulty == difficulty)
        if not found:
            raise ConfigError(f"no puzzle of {dataset or 'the package'} has difficulty {difficulty}")
    return puzzles.Listed(found)
