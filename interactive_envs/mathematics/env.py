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
from interactive_envs.mathematics.protocol import MathRounds
from interactive_envs.mathematics.rules import MathTask
from interactive_envs.seeds import NOT_KEY

SPLITS = ("own", "generated")


class MathEnv(DialogueEnv[Problem, Problem]):
    """Solve a mathematical problem: ask for its hidden numbers, and test claims against a judge with a derivation.

    Observation: at reset the problem, its hidden numbers and the rules; afterwards a value (``f(3) = 17.``), ``Yes.``,
        ``No.``, ``Both.`` or ``Irrelevant.``, ``Incorrect.`` to a wrong answer, and the rounds left. A sentence that is
        not understood, and a claim about the answer itself, are told so and cost no round, ``budget`` times an episode.
    Action: ``<ask>f(3) = ?</ask>``, ``<ask>f(1) + f(2) < 40</ask>``, ``<ask>The total probability is below
        1/2.</ask>``; ``<answer>42</answer>``. Short forms: ``Q: …``, ``FINAL: …``, one line that ends with a question
        mark, a formal message alone.
    Reward: 1.0 for the right answer, else 0.0.
    Ends: terminated by the right answer and when the rounds are spent (``timeout``).
    Info: as in :class:`interactive_envs.dialogue.env.DialogueEnv`.

    Formal messages (:mod:`interactive_envs.mathematics.formal`) are decided by fractions, whichever judge there is. The
    offline judge decides sentences by symbols, where it reads them. Finals are compared for equality in value.

    Source: Interactive Benchmarks v2, sections 2.3 and 3.3 (v1, sections 2.2, 2.3 and 3.2.2).

    Args:
        split: ``own``, the package's fixed problems; ``generated``, problems without end.
        difficulty: 1 to 5; None for all, with ``generated`` drawn for each episode.
        hidden: problems with hidden numbers, of the generators that have them; else problems that are told in full.
        dataset: a user's own problems instead, see :func:`interactive_envs.mathematics.problems.load`.
        answer_claims: decide claims about the answer itself, as the paper does; else they are refused.
        case: play this problem always.
        judge: spec or instance.
        budget: rounds in all.
        forced_final: one more answer after the last round.
        no_interaction: no claims, one answer.
        retries: unreadable messages a round that cost nothing.
        strict: the first unreadable message ends the episode.
        finals: how many wrong answers end the episode; None for no other limit than the rounds.
        approximate: score episodes that a judge decided whose verdicts are estimates.
        render_mode: None or ``ansi``.

    Version history: v0, first release; v1, problems have hidden numbers, formal claims are decided by fractions, claims
    about the answer are refused, and a sentence that is not understood costs no round.

    >>> env = MathEnv(case="algebra-hidden-interpolation-3")
    >>> observation, info = env.reset(seed=1)
    >>> env.step("<ask>f(2) = ?</ask>")[0].splitlines()
    ['f(2) = 20.', 'Rounds left: 19.']
    """

    unit = Unit(
        id="ibench/Math-v1",
        family="math",
        text_only="A claim is any sentence about numbers, with its derivation, and of such there is no end.",
        variants=(
            {},
            {"no_interaction": True},
            {"hidden": False, "retries": 2, "forced_final": True, "budget": 4},
            {"strict": True},
            {"split": "generated"},
            {"split": "generated", "difficulty": 1, "forced_final": True, "budget": 4},
            {"split": "generated", "hidden": False, "answer_claims": True},
        ),
        references=(None,) * 7,
        presets={"paper": {"hidden": False, "answer_claims": True, "budget": 20, "forced_final": True}},
        not_key=(*NOT_KEY, "answer_claims"),
        sources=("Interactive Benchmarks v1, section 2.3", "Interactive Benchmarks v2, section 2.3"),
    )

    def __init__(
        self,
        *,
        split: Literal["own", "generated"] = "own",
        difficulty: int | None = None,
        hidden: bool = True,
        dataset: str | None = None,
        answer_claims: bool = False,
        **arguments: Unpack[TermsArguments],
    ) -> None:
        if split not in SPLITS:
            raise UnknownNameError("split", str(split), SPLITS)
        for name, switch in (("hidden", hidden), ("answer_claims", answer_claims)):
            if not isinstance(switch, bool):
                raise ConfigError(f"{name} must be true or false, got {switch!r}")
        source = _source(split, difficulty, dataset, hidden)
        if arguments.get("judge", "offline") == "offline" and isinstance(source, Listed):
            prose = problems.without_value(source.cases)
            if prose is not None:
                raise ConfigError(
                    f"problem {prose.id!r}: the offline judge cannot compare with the answer {prose.answer!r}; write a "
                    "value, or choose judge='llm:…'"
                )
        super().__init__(MathTask(source, answer_claims=answer_claims), protocol=MathRounds, **arguments)


def _source(split: str, difficulty: int | None, dataset: str | None, hidden: bool) -> Source[Problem]:
    if dataset is not None and not isinstance(dataset, str):
        raise ConfigError(f"dataset must be a path as text, got {dataset!r}")
    if difficulty is not None and (type(difficulty) is not int or difficulty not in LEVELS):
        raise ConfigError(f"difficulty must be a whole number from 1 to 5, or None, got {difficulty!r}")
    if split == "generated":
        if dataset is not None:
            raise ConfigError("give split='generated' or a dataset, not both")
        return problems.Generated(LEVELS if difficulty is None else (difficulty,), hidden=hidden)
    found = problems.load(dataset, hidden=hidden)
    if difficulty is not None:
        found = tuple(problem for problem in found if problem.difficulty == difficulty)
        if not found:
            raise ConfigError(f"no problem of {dataset or 'the package'} has difficulty {difficulty}")
    return Listed(found)
