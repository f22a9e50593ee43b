"""The players that are no models: what they say, and how far that gets them."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.agents.human import HumanAgent
from interactive_envs.agents.random import RandomAgent
from interactive_envs.agents.situation_puzzle import Reference, RuleAgent
from interactive_envs.errors import ConfigError
from interactive_envs.seeds import episode_seed
from interactive_envs.situation_puzzle import puzzles
from interactive_envs.situation_puzzle.env import SituationPuzzleEnv

PUZZLE = "ibench/SituationPuzzle-v1"


def play(env: SituationPuzzleEnv, agent: Agent, seed: int = 1) -> tuple[list[str], str, int]:
    """Everything said, the outcome, and how many messages could not be read."""
    observation, info = env.reset(seed=seed)
    agent.reset(seed=seed, info=info)
    said, invalid, over, reward = [], 0, False, 0.0
    while not over:
        said.append(agent.act(observation, info))
        observation, reward, over, _, info = env.step(said[-1])
        invalid += not info["valid"]
    agent.finish(observation, reward, info)
    return said, info["outcome"], invalid


@pytest.mark.parametrize("seeds", [1, pytest.param(25, marks=pytest.mark.long)])
def test_the_reference_solves_every_own_puzzle_with_few_questions(seeds: int) -> None:
    lengths = []
    for puzzle in puzzles.load():
        env = SituationPuzzleEnv(case=puzzle.id)
        for seed in range(seeds):
            said, outcome, invalid = play(env, Reference(), seed)
            assert (outcome, invalid) == ("success", 0)
            lengths.append(len(said) - 1)
    # Eight or nine candidates and four labels: two questions at the very best, a handful at worst.
    assert max(lengths) <= 6
    assert sum(lengths) / len(lengths) < 4


def test_the_reference_asks_the_question_worth_most_and_says_exactly_this() -> None:
    env = SituationPuzzleEnv(case="bare-iron")
    first, second = play(env, Reference(), 3), play(SituationPuzzleEnv(case="bare-iron"), Reference(), 3)
    assert first == second
    view = (env.reset(seed=3), env.view())[1]
    rows = [len(set(row)) for row in view.shown.matrix]
    asked = int(first[0][0].removeprefix("<ask>").removesuffix("</ask>")) - 1
    assert rows[asked] >= 3


@pytest.mark.parametrize("arguments", [{"budget": 1}, {"no_interaction": True}, {"budget": 2, "forced_final": True}])
def test_the_reference_answers_in_time(arguments: dict[str, object]) -> None:
    said, outcome, invalid = play(SituationPuzzleEnv(**arguments), Reference())  # type: ignore[arg-type]
    assert said[-1].startswith("<answer>")
    assert outcome in ("success", "failure")
    assert invalid == 0


@pytest.mark.parametrize("info", [None, {}])
def test_the_reference_needs_a_menu(info: dict[str, object] | None) -> None:
    with pytest.raises(ConfigError, match="agent 'reference' needs mode='menu'"):
        Reference().reset(info=info)
    with pytest.raises(ConfigError, match="agent 'reference' needs mode='menu'"):
        Reference().reset(info=SituationPuzzleEnv(mode="free").reset(seed=1)[1])


def test_the_rule_player_never_reads_the_view() -> None:
    for puzzle in puzzles.load()[::10]:
        env = SituationPuzzleEnv(case=puzzle.id, budget=20)
        transcripts = []
        for hide in (False, True):
            agent = RuleAgent()
            observation, info = env.reset(seed=1)
            agent.reset(seed=1, info=info)
            said: list[str] = []
            over = False
            while not over:
                known = ("action_tags", "rounds_left") if hide else tuple(info)
                seen = {name: info[name] for name in known}
                said.append(agent.act(observation, seen))
                observation, _, over, _, info = env.step(said[-1])
                assert info["valid"]
            transcripts.append(said)
        assert transcripts[0] == transcripts[1]
        assert len(said) == 11
        assert len(set(said)) == 11


@pytest.mark.parametrize(("step", "seeds"), [(2, 1), pytest.param(1, 5, marks=pytest.mark.long)])
def test_the_rule_player_beats_chance_and_is_no_reference(step: int, seeds: int) -> None:
    wins = [
        play(SituationPuzzleEnv(case=puzzle.id), RuleAgent(), seed)[1] == "success"
        for puzzle in puzzles.load()[::step]
        for seed in range(seeds)
    ]
    assert 1.5 / 8 < sum(wins) / len(wins) < 0.9


@pytest.mark.parametrize(
    ("questions", "budget", "said"), [(0, 20, 1), (3, 20, 4), (10, 3, 3), (10, 1, 1), (99, 100, 41)]
)
def test_the_rule_player_asks_as_often_as_it_may(questions: int, budget: int, said: int) -> None:
    env = SituationPuzzleEnv(case="the-beet-manual", budget=budget)
    assert len(play(env, RuleAgent(questions=questions))[0]) == said


@pytest.mark.parametrize("questions", [-1, "3", 2.5, True])
def test_the_rule_player_refuses_a_wrong_number(questions: object) -> None:
    with pytest.raises(ConfigError, match="questions must be a whole number of at least 0, got "):
        RuleAgent(questions=questions)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="questions must be a whole number of at least 0, got 'x'"):
        resolve_agent("rule?questions=x", PUZZLE)()


def test_the_rule_player_in_free_text_says_exactly_this(small_env: object) -> None:
    build = small_env
    env = build(mode="free", budget=5, labels=("yes", "no", "yes", "incorrect", "correct"))  # type: ignore[operator]
    assert play(env, RuleAgent(questions=3)) == (
        [
            "<ask>Was it done on purpose?</ask>",
            "<ask>Was anybody deceived?</ask>",
            "<ask>Did somebody make a mistake?</ask>",
            "<answer>It done on purpose. Somebody make a mistake.</answer>",
            "<answer>It done on purpose. Somebody make a mistake.</answer>",
        ],
        "success",
        0,
    )
    nothing = build(mode="free", budget=1, labels=("incorrect",))  # type: ignore[operator]
    assert play(nothing, RuleAgent())[0] == [
        "<answer>Somebody made a mistake and another person misunderstood it.</answer>"
    ]


@pytest.mark.parametrize(("epochs", "apart"), [(5, 0.06), pytest.param(100, 0.03, marks=pytest.mark.long)])
def test_the_random_player_is_legal_seeded_and_at_chance(epochs: int, apart: float) -> None:
    wins, total = 0, 0
    for puzzle in puzzles.load():
        env = SituationPuzzleEnv(case=puzzle.id, no_interaction=True)
        for epoch in range(epochs):
            seed = episode_seed(1, PUZZLE, list(env.task.case_ids() or ()).index(puzzle.id), epoch)
            _, outcome, invalid = play(env, RandomAgent(), seed)
            assert invalid == 0
            wins, total = wins + (outcome == "success"), total + 1
    assert abs(wins / total - 1 / 8) < apart
    env = SituationPuzzleEnv(case="bare-iron")
    assert play(env, RandomAgent(), 5) == play(env, RandomAgent(), 5) != play(env, RandomAgent(), 6)


def test_the_random_player_uses_the_examples_where_actions_cannot_be_listed(small_env: object) -> None:
    env = small_env(mode="free", budget=3, forced_final=True, labels=())  # type: ignore[operator]
    observation, info = env.reset(seed=1)
    agent = RandomAgent()
    agent.reset(seed=1, info=info)
    assert {agent.act(observation, info) for _ in range(200)} == set(env.task.action_examples)
    for _ in range(3):
        info = env.step("mumble")[-1]
    assert {agent.act("", info) for _ in range(20)} == {env.task.action_examples[-1]}
    agent.reset()
    assert agent.act("", {}) == ""


def human(lines: str, *, solution: str = "") -> tuple[str, int]:
    @click.command()
    def command() -> None:
        agent = HumanAgent()
        agent.reset(seed=1, info={})
        click.echo(repr(agent.act("The story.", {})))
        click.echo(repr(agent.act("Yes.", {})))
        agent.finish("Correct.", 1.0, {"solution": solution})

    result = CliRunner().invoke(command, input=lines)
    return result.output, result.exit_code


def test_a_person_sees_the_observation_and_types_a_line() -> None:
    assert human("ask 7\n\n", solution="It rains.") == (
        "\nThe story.\n> ask 7\n'ask 7'\n\nYes.\n> \n''\n\nCorrect.\n\nThe solution: It rains.\n",
        0,
    )
    assert human("a\nb\n")[0].endswith("\n\nCorrect.\n")


def test_a_person_who_leaves_interrupts() -> None:
    output, code = human("ask 7\n")
    assert code == 1
    assert "Aborted!" in output
