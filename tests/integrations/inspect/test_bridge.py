"""What another harness plays through: the same episodes and messages as ``ibench run``, whoever completes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.api import evaluate
from interactive_envs.errors import ConfigError, JudgeError, ProviderError
from interactive_envs.integrations.inspect.bridge import CarriedError, HarnessAgent, Seat, Table, play, taken_seat
from interactive_envs.llm.base import CompletionRequest
from interactive_envs.llm.calls import ModelCall
from interactive_envs.llm.http import ContextOverflowError
from interactive_envs.reporting.records import EpisodeRecord
from tests.integrations.inspect.judges import Failing
from tests.loopback import Loopback

PUZZLE = "ibench/SituationPuzzle-v1"
MENU = {"mode": "menu", "budget": 5}
Complete = Callable[[CompletionRequest], ModelCall]


def at_the_seat(spec: str) -> Complete:
    """Complete as the provider does: the player at the seat says the turn's action; twice, as a retry does."""

    def complete(request: CompletionRequest) -> ModelCall:
        reply = taken_seat(spec).play(spec)
        assert taken_seat(spec).play(spec) is reply
        return ModelCall(f"ibench/{spec}", tuple(request.messages), reply.text)

    return complete


def played(table: Table, complete: Complete, **options: Any) -> list[EpisodeRecord]:
    return [
        play(table.job(index, 0), HarnessAgent("m", complete, table.cell.env_id, **options))
        for index in range(len(table.cases))
    ]


@pytest.mark.parametrize(
    ("env_id", "arguments", "player"),
    [
        (PUZZLE, MENU, "reference"),
        (PUZZLE, MENU, "random"),
        (PUZZLE, {"mode": "menu", "split": "generated", "difficulty": 2}, "rule"),
        ("ibench/Query-graph-abductive-likely-chords-busiest-by-smallest-farthest-most-v1", {}, "reference"),
        ("ibench/TrustGame-v1", {"delta": 0.6}, "tft"),
    ],
)
def test_players_at_the_seat_play_what_a_run_plays(
    tmp_path: Path, env_id: str, arguments: dict[str, Any], player: str
) -> None:
    run = evaluate((env_id, arguments), [player], episodes=3, seed=5, out=tmp_path / "run").episodes
    table = Table.lay(env_id, arguments, judge=None, episodes=3, seed=5)
    for ours, theirs in zip(run, played(table, at_the_seat(player)), strict=True):
        assert (ours.seed, ours.case, ours.env) == (theirs.seed, theirs.case, theirs.env)
        assert [step.action for step in ours.steps] == [step.action for step in theirs.steps]
        assert (ours.reward, ours.outcome, ours.turns) == (theirs.reward, theirs.outcome, theirs.turns)


@pytest.mark.parametrize("history", [None, "last:1", "none"])
def test_a_model_is_sent_what_our_own_player_sends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, history: str | None
) -> None:
    def reply(messages: Any) -> str:
        return f"<ask>{len(str(messages)) % 5 + 1}</ask>"

    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with Loopback(reply) as server:
        spec = f"llm:openai/x?base_url={server.url}&cache=false" + (f"&history={history}" if history else "")
        evaluate((PUZZLE, MENU), [spec], episodes=2, out=tmp_path / "run")
        sent = [body["messages"] for body in server.bodies]
    seen: list[list[dict[str, Any]]] = []

    def complete(request: CompletionRequest) -> ModelCall:
        seen.append([dict(message) for message in request.messages])
        return ModelCall("m", tuple(request.messages), reply(seen[-1]))

    played(Table.lay(PUZZLE, MENU, judge=None, episodes=2, seed=0), complete, history=history)
    assert seen == sent
    assert len(seen) > 8


def test_what_the_harness_raises_is_carried_back(tmp_path: Path) -> None:
    class LimitError(Exception):
        """The harness's own."""

    def complete(request: CompletionRequest) -> ModelCall:
        raise LimitError("100 tokens")

    table = Table.lay(PUZZLE, MENU, judge=None, episodes=1, seed=0)
    with pytest.raises(CarriedError) as caught:
        played(table, complete)
    assert isinstance(caught.value.__cause__, LimitError)

    def filtered(request: CompletionRequest) -> ModelCall:
        raise ProviderError("filtered")

    with pytest.raises(ProviderError, match="filtered"):
        played(table, filtered)


def test_a_dialogue_that_does_not_fit_loses_its_oldest_exchange() -> None:
    sizes = []

    def complete(request: CompletionRequest) -> ModelCall:
        sizes.append(len(request.messages))
        if len(request.messages) > 4:
            raise ContextOverflowError("too long")
        return ModelCall("m", tuple(request.messages), "<ask>1</ask>")

    (record,) = played(Table.lay(PUZZLE, MENU, judge=None, episodes=1, seed=0), complete)
    assert max(sizes) > 4
    assert record.agent["trimmed"] > 0


def test_a_judge_that_fails_is_a_fault() -> None:
    table = Table.lay(PUZZLE, {"mode": "free"}, judge="offline", episodes=1, seed=0)
    agent = HarnessAgent("m", lambda request: ModelCall("m", (), "<ask>Was it night?</ask>"), PUZZLE)
    with pytest.raises(JudgeError):
        play(table.job(0, 0), agent, Failing())


def test_epochs_are_those_of_a_run(tmp_path: Path) -> None:
    arguments = {"mode": "menu"}
    table = Table.lay(PUZZLE, arguments, judge=None, episodes=None, seed=2)
    cases = len(table.cases)
    run = evaluate((PUZZLE, arguments), ["random"], episodes=cases + 2, seed=2, out=tmp_path / "run").episodes
    again = {(one.case_index, one.epoch): (one.case, one.seed) for one in run}
    for (index, epoch), (case, seed) in again.items():
        job = table.job(index, epoch)
        assert (job.case, job.seed) == (case, seed)
    assert max(epoch for _, epoch in again) == 1


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"arguments": {"view": "numeric"}}, "models play the text view"),
        ({"episodes": 0}, "episodes must be a whole number from 1, got 0"),
        ({"episodes": "5"}, "episodes must be a whole number from 1, got '5'"),
        ({"seed": -1}, "seed must be a whole number from 0, got -1"),
        ({"arguments": {"mode": "menu"}, "episodes": 10_000}, "play them again with other seeds as epochs: --epochs 2"),
        ({"arguments": {"mod": "menu"}}, "mode"),
        ({"env_id": "ibench/SituationPuzle-v1"}, "did you mean 'ibench/SituationPuzzle-v1'"),
        ({"judge": "offlin"}, "offline"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is(options: dict[str, Any], reason: str) -> None:
    given = {"env_id": PUZZLE, "arguments": {}, "judge": None, "episodes": None, "seed": 0} | options
    with pytest.raises(ConfigError, match=reason):
        Table.lay(**given)


def test_a_player_is_no_language_model_and_a_person_no_player_here() -> None:
    with pytest.raises(ConfigError, match="plays the task interactive_envs/ibench, and nothing else"):
        taken_seat("rule")
    with pytest.raises(ConfigError, match="is a person"):
        Seat(PUZZLE, 0, {}).play("human")
    with pytest.raises(ConfigError, match="did you mean 'random'"):
        Seat(PUZZLE, 0, {}).play("randon")
