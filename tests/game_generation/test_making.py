"""Games made by a model that answers from a file: the whole way from the first request to a folder that is played."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from interactive_envs import evaluate, generate
from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError, CostLimitError, ProviderError, UnknownNameError
from interactive_envs.game_generation.engine import Done
from interactive_envs.game_generation.making import look
from interactive_envs.game_generation.novel_games import NovelGames
from interactive_envs.game_generation.pool import Call, Ruling, held
from interactive_envs.game_generation.reading import AGAIN, INSTRUCTIONS, TRACES
from interactive_envs.llm.calls import ModelCall
from interactive_envs.novel_games import admission
from interactive_envs.novel_games.folder import SETS
from interactive_envs.sandbox import Limits
from tests.game_generation.plays import plays
from tests.loopback import Loopback
from tests.scripted import ScriptedClient

FILES = ("game.toml", "game.py", "rules.md", "actions.md")
TEMPLATE = Path(__file__).parents[2] / "interactive_envs" / "cli" / "data" / "new" / "game"


def own(change: Callable[[str, str], str] = lambda name, text: text) -> str:
    """A reply with a game that passes: three equally spaced of eleven numbers, which no game of the package is."""
    texts = {}
    for name in FILES:
        text = (TEMPLATE / f"{name}.tmpl").read_text("utf-8").replace("${title}", "Even Steps")
        texts[name] = change(name, text)
    return reply(texts)


def reply(texts: Mapping[str, str]) -> str:
    return "Here is the game.\n\n" + "\n\n".join(f"{name}\n````\n{text}````" for name, text in texts.items())


def replies(path: Path, **texts: str) -> Path:
    lines = [json.dumps({"custom_id": name.replace("_", "-"), "text": text}) for name, text in texts.items()]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def broken(name: str, text: str) -> str:
    return text.replace("self.current_player = 1 - mover", "self.current_player = 1 - movre")


def read(pool: Path, change: Callable[[dict[str, Any]], None] = lambda truth: None) -> Path:
    """A file with what a perfect reader says of all candidates that wait for one, but for a change of one position."""
    answers: dict[str, str] = {}
    made = look(pool)
    for candidate in made.pool.candidates():
        for entry in candidate.since_written():
            if isinstance(entry, Ruling) and "positions" in entry.facts:
                truths = {str(number): dict(one["truth"]) for number, one in enumerate(entry.facts["positions"], 1)}
                change(truths["1"])
                name = f"game_{candidate.number:04d}_reading_{candidate.rounds}"
                answers[name] = f"As I read it:\n```json\n{json.dumps(truths)}\n```"
                answers[name.replace("reading", "traces")] = plays(dict(made.kind.answer_of(candidate).files))
    return replies(pool.parent / "read.jsonl", **answers)


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def copied() -> str:
    return reply({name: (SETS["games-v0"] / "sum-shy" / name).read_text("utf-8") for name in FILES})


def test_a_game_is_made_mended_and_released_and_then_played(tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    waiting = generate("games", pool, ideas=["A game about equal steps"], requests=tmp_path / "requests.jsonl").waiting
    assert [ask.custom_id for ask in waiting] == ["game-0001-write-0"]
    (line,) = (tmp_path / "requests.jsonl").read_text("utf-8").splitlines()
    assert json.loads(line)["body"]["messages"][1]["content"] == "Write this game: A game about equal steps"

    made = generate("games", pool, replies=[replies(tmp_path / "a.jsonl", game_0001_write_0=own(broken))])
    (mend,) = made.waiting
    assert mend.custom_id == "game-0001-repair-1"
    assert "movre" in mend.messages[3]["content"]

    made = generate("games", pool, replies=[replies(tmp_path / "b.jsonl", game_0001_repair_1=own())])
    (reading,) = made.waiting
    assert (reading.custom_id, reading.reader) == ("game-0001-reading-1", True)
    asked = reading.messages[1]["content"]
    assert asked.startswith("# Even Steps")
    assert "## Position 8" in asked
    assert "CustomEnv" not in asked
    answers = read(pool)
    positions, played = answers.read_text("utf-8").splitlines()
    (traces,) = generate("games", pool, replies=[written(answers, positions)]).waiting
    assert (traces.custom_id, traces.reader) == ("game-0001-traces-1", True)
    assert traces.messages[1]["content"].startswith("# Even Steps")
    assert "CustomEnv" not in traces.messages[1]["content"]
    made = generate("games", pool, replies=[written(answers, played)])
    ((candidate, end),) = made.ends()
    assert end == Done(admitted=True), candidate.entries[-1]
    assert made.funnel().splitlines()[:10] == [
        "candidates        1",
        "parse             1",
        "keyword           1",
        "execution         1",
        "time-out          1",
        "admission         1",
        "reading           1",
        "traces            1",
        "certification     1",
        "novelty           1",
    ]
    assert "1 of the admitted were mended first." in made.funnel()
    (folder,) = look(pool).release(tmp_path / "suite", flagged=True)
    assert folder.name == "even-steps"
    assert {file.name for file in folder.iterdir()} == set(FILES)
    run = evaluate(("ibench/Game-v1", {"path": str(folder)}), "random", episodes=2, seed=1, out=tmp_path / "run")
    assert len(run.episodes) == 2
    assert look(pool).release(tmp_path / "suite", flagged=True) == [folder], "nothing has changed"
    (folder / "rules.md").write_text("Other rules.", encoding="utf-8")
    with pytest.raises(ConfigError, match="is there already, with other files; give --out a new folder"):
        look(pool).release(tmp_path / "suite", flagged=True)


@pytest.fixture
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IBENCH_CACHE", str(tmp_path / "calls.sqlite"))


@pytest.mark.usefixtures("_own_cache")
def test_a_model_behind_an_endpoint_writes_mends_and_reads(tmp_path: Path) -> None:
    pool = tmp_path / "pool"

    def said(messages: Sequence[Any]) -> str:
        if messages[0]["content"] in (INSTRUCTIONS, TRACES):
            answers = [json.loads(line)["text"] for line in read(pool).read_text("utf-8").splitlines()]
            return answers[messages[0]["content"] == TRACES]  # type: ignore[no-any-return]
        if len(messages) == 2:
            return "A game about steps would be nice. Shall I write it?"
        return own(broken) if "no code" in messages[3]["content"] else own()

    with Loopback(said) as server:
        model = f"llm:openai/fake?base_url={server.url}&backoff=0.005&temperature=0.5"
        with pytest.raises(CostLimitError, match="limit_cost cannot be kept: the price of"):
            generate("games", pool, model=model, limit_cost=1)
        assert not server.served
        server.fault_rate = 1.0
        stopped = generate("games", pool, model=f"{model}&max_wait=0.1")
        assert stopped.faults
        assert look(pool).pool.candidate(1).entries == ()
        server.fault_rate = 0.0
        made = generate("games", pool, model=model)
    ((candidate, end),) = made.ends()
    assert end == Done(admitted=True), candidate.entries[-1]
    assert [entry.stage for entry in candidate.entries if isinstance(entry, Call)] == [
        "write",
        "repair",
        "repair",
        "reading",
        "traces",
    ]
    assert candidate.written
    assert candidate.written[-1].reply.usage.completion > 0


def test_no_call_is_made_when_the_money_is_spent(
    tmp_path: Path, scripted: Callable[..., dict[str, ScriptedClient]]
) -> None:
    clients = scripted(m=["No."])
    made = generate("games", tmp_path / "pool", model="llm:m", limit_cost=0)
    assert [ask.custom_id for ask in made.waiting] == ["game-0001-write-0"]
    assert clients["m"].requests == []


def test_replies_without_a_price_do_not_hide_what_the_others_cost(
    tmp_path: Path, scripted: Callable[..., dict[str, ScriptedClient]], monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = ProviderError("no reply")
    failed.calls = (ModelCall("m", (), "", cost=0.3),)
    clients = scripted(m=["No.", failed, "No.", "No."])
    complete = ScriptedClient.complete
    monkeypatch.setattr(
        ScriptedClient, "complete", lambda self, request: dataclasses.replace(complete(self, request), cost=0.3)
    )
    answers = [replies(tmp_path / "a.jsonl", game_0001_write_0="No.", game_0002_write_0="No.")]
    made = generate("games", tmp_path, count=2, replies=answers, model="llm:m", limit_cost=0.5, repairs=5, workers=1)
    assert len(clients["m"].requests) == 2, "a call that failed cost, too"
    assert made.funnel().endswith("Cost: 0.300 US dollars, without replies whose price is unknown.")


def test_the_funnel_names_the_papers_filters(tmp_path: Path) -> None:
    """One has the action space that the paper's keyword finds, one breaks, one is no game, one no reply; one waits."""
    changes = [
        lambda name, text: text.replace("spaces.Discrete(N)", "spaces.Discrete(N**9)"),
        broken,
        lambda name, text: text.partition("import numpy")[0] if name == "game.py" else text,
    ]
    texts = {f"game_{number:04d}_write_0": own(change) for number, change in enumerate(changes, 1)}
    answers = replies(tmp_path / "a.jsonl", **texts, game_0004_write_0="No.")
    made = generate("games", tmp_path / "pool", count=5, repairs=0, replies=[answers])
    assert {row["name"]: row["count"] for row in made.stages()[:6]} == {
        "candidates": 5,
        "parse": 3,
        "keyword": 2,
        "execution": 0,
        "time-out": 0,
        "admission": 0,
    }
    assert "  1 action space (the paper's filter 'keyword')" in made.funnel()
    assert "(the paper's filter 'execution')" in made.funnel()
    assert "  1 no code\n" in made.funnel()


def test_a_copy_of_a_known_game_and_one_of_the_pool_are_refused(tmp_path: Path) -> None:
    same = own(lambda name, text: text.replace("Even Steps", "Other Title"))
    answers = replies(
        tmp_path / "replies.jsonl", game_0001_write_0=copied(), game_0002_write_0=own(), game_0003_write_0=same
    )
    generate("games", tmp_path / "pool", count=3, repairs=0, replies=[answers])
    made = generate("games", tmp_path / "pool", replies=[read(tmp_path / "pool")])
    assert [end for _, end in made.ends()] == [Done(False, "novelty"), Done(True), Done(False, "novelty")]
    reasons = [candidate.entries[-1].reasons for candidate, _ in made.ends()]  # type: ignore[union-attr]
    assert "sum-shy" in reasons[0][0][1]
    assert "candidate 2" in reasons[2][0][1]
    assert "  2 near-duplicate" in made.funnel()


def test_a_game_of_another_category_than_asked_for_is_refused(tmp_path: Path) -> None:
    answers = replies(tmp_path / "r.jsonl", game_0001_write_0=own())
    made = generate("games", tmp_path / "pool", category="chance", repairs=0, replies=[answers])
    ((candidate, end),) = made.ends()
    assert end == Done(False, "admission")
    assert candidate.entries[-1].reasons == (  # type: ignore[union-attr]
        ("not as asked", "its category is 'number', and 'chance' was asked for"),
    )


def test_what_the_pool_was_told_stays_and_no_reply_is_written_over(tmp_path: Path) -> None:
    first = replies(tmp_path / "a.jsonl", game_0001_write_0="No.")
    generate("games", tmp_path / "pool", replies=[first])
    other = replies(tmp_path / "b.jsonl", game_0001_write_0="No!")
    done = ibench("generate", "games", "--out", str(tmp_path / "pool"), "--replies", str(other))
    assert "1 reply differs from what the pool was told before, which stays: game-0001-write-0\n" in done.output
    done = ibench(
        "generate", "games", "--out", str(tmp_path / "pool"), "--replies", str(other), "--requests", str(other)
    )
    assert "the requests would be written over the replies in" in done.output
    assert "No!" in other.read_text("utf-8")


def test_a_reader_that_differs_from_the_code_is_a_reason_to_mend_both(tmp_path: Path) -> None:
    def other(truth: dict[str, Any]) -> None:
        truth["legal"] = truth["legal"][1:]

    pool = tmp_path / "pool"
    generate("games", pool, replies=[replies(tmp_path / "a.jsonl", game_0001_write_0=own())])
    (mend,) = generate("games", pool, replies=[read(pool, other)]).waiting
    assert mend.custom_id == "game-0001-repair-1"
    assert re.search(
        r"- rules and code: position 1, .*: by the rules take \d+ is not legal", mend.messages[3]["content"]
    )


def test_a_play_of_the_reader_that_the_code_does_not_follow_is_a_reason_to_mend_both(tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    generate("games", pool, replies=[replies(tmp_path / "a.jsonl", game_0001_write_0=own())])
    answers = read(pool)
    answers.write_text(re.sub(r"winner: \w+", "winner: draw", answers.read_text("utf-8")), encoding="utf-8")
    made = generate("games", pool, replies=[answers])
    (mend,) = made.waiting
    assert mend.custom_id == "game-0001-repair-1"
    assert re.search(
        r"- rules and code: in the play that a reader wrote from the rules, seed 1 / .* / winner: draw: "
        r"line \d+: the text says 'draw', the game '(first|second)'. If the code is right, say it more clearly",
        mend.messages[3]["content"],
    )


@pytest.mark.every(3)
@pytest.mark.parametrize("told", ["no", {}, {"faults": 3}, {"faults": ["all is well"]}, {"faults": [4]}])
def test_an_answer_about_a_play_that_is_not_the_checks_own_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: Any
) -> None:
    ask = admission.ask

    def lie(given: admission.Given, stage: str, settings: dict[str, Any], limits: Limits) -> Any:
        lies = stage == "follow" and len(settings["traces"]) == 1  # the examples of the rules are two
        return told if lies else ask(given, stage, settings, limits)

    monkeypatch.setattr(admission, "ask", lie)
    pool = tmp_path / "pool"
    generate("games", pool, replies=[replies(tmp_path / "a.jsonl", game_0001_write_0=own())])
    (mend,) = generate("games", pool, replies=[read(pool)]).waiting
    assert mend.custom_id == "game-0001-repair-1"
    assert "- breaks: " in mend.messages[3]["content"]
    assert "none of the check's own" in mend.messages[3]["content"]


def test_a_reader_that_gives_no_answer_leaves_the_game_to_a_person(tmp_path: Path) -> None:
    like = "I like this game."
    answers = replies(tmp_path / "a.jsonl", game_0001_write_0=own(), game_0001_reading_0=like, game_0001_traces_0=like)
    (again,) = generate("games", tmp_path / "pool", replies=[answers]).waiting
    assert (again.custom_id, again.reader) == ("game-0001-reading-again-0", True)
    assert [one["content"] for one in again.messages[2:]] == [like, AGAIN]
    second = replies(tmp_path / "b.jsonl", game_0001_reading_again_0=like, game_0001_traces_again_0=like)
    made = generate("games", tmp_path / "pool", replies=[answers, second])
    assert made.unused == ()
    assert [end for _, end in made.ends()] == [Done(admitted=True)]
    assert "A person should look at 1 of the admitted: not read 1." in made.funnel()
    assert look(tmp_path / "pool").release(tmp_path / "suite") == []


def test_a_reader_that_is_asked_again_may_still_answer(tmp_path: Path) -> None:
    pool, like = tmp_path / "pool", "I like this game."
    answers = replies(tmp_path / "a.jsonl", game_0001_write_0=own(), game_0001_reading_0=like, game_0001_traces_0=like)
    generate("games", pool, replies=[answers])
    later = read(pool)
    later.write_text(re.sub("(reading|traces)-0", r"\1-again-0", later.read_text("utf-8")), encoding="utf-8")
    made = generate("games", pool, replies=[answers, later])
    assert "not read" not in made.funnel()
    assert len(made.release(tmp_path / "suite", flagged=True)) == 1


def ibench(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def test_the_command_line_tells_the_funnel(tmp_path: Path) -> None:
    pool, requests = str(tmp_path / "pool"), str(tmp_path / "requests.jsonl")
    done = ibench("generate", "games", "--out", pool, "--count", "2", "--requests", requests)
    assert done.exit_code == 0, done.output
    assert f"2 requests wait for a reply, game-0001-write-0 first; written to {requests}." in done.output
    answers = str(replies(tmp_path / "a.jsonl", game_0001_write_0="No.", game_0003_write_0="No."))
    done = ibench("generate", "games", "--out", pool, "--replies", answers)
    assert "candidate 1: parse fail: no code" in done.output
    assert "1 reply answers nothing that was asked: game-0003-write-0\n" in done.output
    assert "2 requests wait for a reply, game-0001-repair-1 first; write them with --requests FILE." in done.output
    again = ibench("generate", "games", "--out", pool, "--replies", answers)
    assert "1 reply answers nothing that was asked: game-0003-write-0\n" in again.output, "an old reply is none of them"
    done = ibench("generate", "report", pool)
    assert done.output.splitlines()[:2] == ["candidates        2", "parse             0"]
    done = ibench("generate", "release", pool, "--out", str(tmp_path / "suite"))
    assert done.exit_code == 2
    assert done.output == f"ibench: nothing to release in {pool}: 2 under way\n"
    assert not (tmp_path / "suite").exists()


def test_what_cannot_be_made_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="poems"):
        generate("poems", tmp_path / "pool")
    with pytest.raises(UnknownNameError, match="bored"):
        generate("games", tmp_path / "pool", category="bored")
    with pytest.raises(ConfigError, match="a model must be llm:PROVIDER/NAME or local, got 'gpt-5'"):
        generate("games", tmp_path / "pool", model="gpt-5")
    generate("games", tmp_path / "other", count=2)
    with pytest.raises(ConfigError, match="was begun with 2 candidates, and can only get more, not 1: leave"):
        generate("games", tmp_path / "other", count=1)
    with pytest.raises(ConfigError, match="was begun without --category: leave it out"):
        generate("games", tmp_path / "other", count=3, category="card")
    generate("games", tmp_path / "cards", ideas=["two suits"], category="card")
    with pytest.raises(ConfigError, match="was begun with --category card: give it again"):
        generate("games", tmp_path / "cards", ideas=["two suits"])
    with pytest.raises(ConfigError, match="was begun with --idea 'two suits', not jokers: give the same"):
        generate("games", tmp_path / "cards", ideas=["jokers"], category="card")
    with pytest.raises(ConfigError, match="was begun without vary: leave it out"):
        generate("games", tmp_path / "other", count=3, vary=True)
    begun = (tmp_path / "other" / "pool.json").read_bytes()
    with held(tmp_path / "other"), pytest.raises(ConfigError, match="another process is making the pool"):
        generate("games", tmp_path / "other", count=3)
    assert (tmp_path / "other" / "pool.json").read_bytes() == begun
    with pytest.raises(ConfigError, match="is a pool of games; go on with: ibench generate games"):
        generate("boxes", tmp_path / "other")


def test_without_a_sandbox_nothing_is_asked_and_nothing_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IBENCH_SANDBOX_LEVEL", "9")
    with pytest.raises(ConfigError, match="IBENCH_SANDBOX_LEVEL must be 1, 2 or 3"):
        generate("boxes", tmp_path / "pool", model="llm:openai/gpt-5-mini")
    assert not (tmp_path / "pool").exists()


def test_requests_name_the_model_as_its_provider_does(tmp_path: Path) -> None:
    for spec in ("openai/gpt-5-mini?temperature=0.5", "anthropic/claude-opus"):
        pool = tmp_path / spec.partition("/")[0]
        generate("games", pool, model=f"llm:{spec}", requests=tmp_path / "requests.jsonl")
        (line,) = map(json.loads, (tmp_path / "requests.jsonl").read_text("utf-8").splitlines())
        if "body" in line:
            assert line["url"] == "/v1/chat/completions"
            assert (line["body"]["model"], line["body"]["temperature"]) == ("gpt-5-mini", 0.5)
        else:
            assert {*line} == {"custom_id", "params"}
            assert {*line["params"]} == {"model", "max_tokens", "system", "messages"}
            assert [one["role"] for one in line["params"]["messages"]] == ["user"]
            assert line["params"]["model"] == "claude-opus"


def test_an_idea_may_have_a_category_and_a_length(tmp_path: Path) -> None:
    (ask,) = generate("games", tmp_path, ideas=["Tides"], category="card", turns=20).waiting
    assert ask.messages[1]["content"] == (
        "Write this game: Tides\nIts category is card.\nA game lasts about 20 moves of both players together."
    )


def test_three_of_one_title_have_three_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NovelGames, "stages", ())
    titles = ["Tide 3", "Tide", "Tide"]
    texts = {f"game_000{number}_write_0": own().replace("Even Steps", title) for number, title in enumerate(titles, 1)}
    pool = tmp_path / "pool"
    made = generate("games", pool, count=3, replies=[replies(tmp_path / "a.jsonl", **texts)])
    assert made.names() == {1: "tide-3", 2: "tide", 3: "tide-2"}


def test_a_pool_may_be_given_more_candidates(tmp_path: Path) -> None:
    requests = tmp_path / "requests.jsonl"
    generate("games", tmp_path / "grown", count=2, vary=True)
    grown = generate("games", tmp_path / "grown", count=3, vary=True, requests=requests)
    assert [ask.custom_id for ask in grown.waiting] == [f"game-000{number}-write-0" for number in (1, 2, 3)]
    generate("games", tmp_path / "whole", count=3, vary=True)
    assert (tmp_path / "grown" / "pool.json").read_bytes() == (tmp_path / "whole" / "pool.json").read_bytes()
    with pytest.raises(ConfigError, match="is no pool"):
        look(tmp_path / "nothing")


def part(*names: str) -> str:
    texts = {name: (TEMPLATE / f"{name}.tmpl").read_text("utf-8").replace("${title}", "Even Steps") for name in names}
    return reply(texts)


def test_rules_code_and_names_of_moves_may_be_asked_for_one_after_the_other(tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    (ask,) = generate("games", pool, category="number", calls="three").waiting
    assert ask.custom_id == "game-0001-describe-0"
    assert ask.messages[1]["content"].endswith("Send game.toml and rules.md now, and nothing else yet.")
    rules = part("game.toml", "rules.md")
    (ask,) = generate("games", pool, replies=[replies(tmp_path / "a", game_0001_describe_0=rules)]).waiting
    assert ask.custom_id == "game-0001-write-0"
    assert [message["role"] for message in ask.messages] == ["system", "user", "assistant", "user"]
    assert ask.messages[2]["content"] == rules
    assert ibench("generate", "report", str(pool)).exit_code == 0
    answers = replies(tmp_path / "b", game_0001_write_0=part("game.py"), game_0001_name_0=part("actions.md"))
    (ask,) = generate("games", pool, replies=[answers]).waiting
    assert ask.custom_id == "game-0001-reading-0"
    with pytest.raises(ConfigError, match="begun with calls = 'three'"):
        generate("games", pool, calls="one")


def test_a_part_that_is_no_file_is_mended_before_the_next_is_asked_for(tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    no = replies(tmp_path / "a", game_0001_describe_0="I'm sorry, I can't help with that.")
    generate("games", pool, calls="three")
    (ask,) = generate("games", pool, replies=[no]).waiting
    assert ask.custom_id == "game-0001-repair-1"
    assert "- refusal:" in ask.messages[-1]["content"]
    (ask,) = generate("games", pool, replies=[replies(tmp_path / "b", game_0001_repair_1=own())]).waiting
    assert ask.custom_id == "game-0001-reading-1"


def test_other_numbers_of_calls_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="calls of a game must be one or three, got 'two'"):
        generate("games", tmp_path / "pool", calls="two")
