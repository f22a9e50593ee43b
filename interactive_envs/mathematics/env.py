"""The Math environment: arguments in, the task plugged into the dialogue."""

from __future__ import annotations

from typing import Literal, Unpack

from interactive_envs.catalog.unit import Unit
from interactive_envs.dialogue.arguments import TermsArguments
from interactive_envs.dialogue.env import DialogueEnv
from interactive_envs.dialogue.free_text import Listed, Source
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.mathematics import problems
from interactive_envs.mathematics.generators.base import LEVELS, Problem
from interactive_envs.mathematics.rules import MathTask

SPLITS = ("own", "generated")


class MathEnv(DialogueEnv[Problem, Problem]):
    """Solve a mathematical problem, testing claims against a judge that knows a derivation.

    Observation: at reset the problem and the rules; afterwards ``Yes.``, ``No.``, ``Both.`` or ``Irrelevant.`` to a
        claim, ``Incorrect.`` to a wrong answer, and the rounds left.
    Action: ``<ask>Is the answer at least 5000?</ask>``, ``<ask>27^2100 <= 7^10000</ask>``; ``<answer>42</answer>``.
        Short forms: ``Q: …``, ``FINAL: …``, one line that ends with a question mark.
    Reward: 1.0 for the right answer, else 0.0.
    Ends: terminated by the right answer and when the rounds are spent (``timeout``).
    Info: as in :class:`interactive_envs.dialogue.env.DialogueEnv`.

    The offline judge decides by symbols: it reads claims about what the problem and its derivation name, and says
    irrelevant to what it cannot read. Finals are compared for equality in value.

    Source: Interactive Benchmarks v2, sections 2.3 and 3.3 (v1, sections 2.2, 2.3 and 3.2.2).

    Args:
        split: ``own``, the package's fixed problems; ``generated``, problems without end.
        difficulty: 1 to 5; None for all, with ``generated`` drawn for each episode.
        dataset: a user's own problems instead, see :func:`interactive_envs.mathematics.problems.load`.
        case: play this problem always.
        judge: spec or instance.
        budget: rounds in all.
        forced_final: one more answer after the last round.
        no_interaction: no claims, one answer.
        retries: unreadable messages a round that cost nothing.
        strict: the first unreadable message ends the episode.
        render_mode: None or ``ansi``.

    Version history: v0, first release; v1, see the changelog.

    >>> env = MathEnv(case="number-theory-dancers")
    >>> observation, info = env.reset(seed=1)
    >>> env.step("<ask>Is the answer at least 300?</ask>")[0].splitlines()
    ['Yes.', 'Rounds left: 19.']
    """

    unit = Unit(
        id="ibench/Math-v1",
        family="math",
        variants=(
            {},
            {"no_interaction": True},
            {"retries": 2, "forced_final": True, "budget": 4},
            {"strict": True},
            {"split": "generated"},
            {"split": "generated", "difficulty": 1, "forced_final": True, "budget": 4},
        ),
        references=(None,) * 6,
        sources=("Interactive Benchmarks v1, section 2.3", "Interactive Benchmarks v2, section 2.3"),
    )

    def __init__(
        self,
        *,
        split: Literal["own", "generated"] = "own",
        difficulty: int | None = None,
        dataset: str | None = None,
        **arguments: Unpack[TermsArguments],
    ) -> None:
        if split not in SPLITS:
            raise UnknownNameError("split", str(split), SPLITS)
        source = _source(split, difficulty, dataset)
        if arguments.get("judge", "offline") == "offline" and isinstance(source, Listed):
            prose = problems.without_value(source.cases)
            if prose is not None:
                raise ConfigError(
                    f"problem {prose.id!r}: the offline judge cannot compare with the answer {prose.answer!r}; write a "
                    "value, or choose judge='llm:…'"
                )
        super().__init__(MathTask(source), **arguments)


def _source(split: str, difficulty: int | None, dataset: str | None) -> Source[Problem]:
    if dataset is not None and not isinstance(dataset, str):
        raise ConfigError(f"dataset must be a path as text, got {dataset!r}")
    if difficulty is not None and (type(difficulty) is not int or difficulty not in LEVELS):
        raise ConfigError(f"difficulty must be a whole number from 1 to 5, or None, got {difficulty!r}")
    if split == "generated":
        if dataset is not None:
            raise ConfigError("give split='generated' or a dataset, not both")
        return problems.Generated(LEVELS if difficulty is None else (difficulty,))
    found = problems.load(dataset)
    if difficulty is not None:
        found = tuple(problem for problem in found if problem.difficulty == difficulty)
        if not found:
            raise ConfigError(f"no problem of {dataset or 'the package'} has difficulty {difficulty}")
    return Listed(found)
