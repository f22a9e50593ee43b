"""Interaction against pass@k: the estimator, the equal budget, and both runs of a comparison."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from interactive_envs.agent import Agent
from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError, CostLimitError, ProviderError
from interactive_envs.evaluation.passk import compare as passk
from interactive_envs.evaluation.passk import page as passk_page
from interactive_envs.evaluation.run import replay
from interactive_envs.llm.calls import ModelCall, Usage
from interactive_envs.reporting import charts
from interactive_envs.reporting.records import RunConfig
from interactive_envs.reporting.store import RunStore
from tests.loopback import Loopback

ENV = "ibench/SituationPuzzle-v1"
HERE = __name__


class Silent:
    """Nobody watches."""

    def begin(self, store: RunStore) -> None:
        """Nothing to count."""

    def advance(self, job: Any, record: Mapping[str, Any] | None) -> None:
        """Nothing to show."""

    def fault(self, message: str) -> None:
        """Nothing to tell."""


@contextlib.contextmanager
def silence(name: str, config: RunConfig) -> Iterator[Silent]:
    yield Silent()


class Counted(Agent):
    """Asks twice and answers A; every reply reads 10 tokens and writes 5, without interaction 6 and 2."""

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        self._asking = iter(("<ask>1</ask>", "<ask>2</ask>"))
        self._calls: list[ModelCall] = []

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        alone = "ask" not in info["action_tags"]
        text = "A" if alone else next(self._asking, "A")
        usage = Usage(6, 2) if alone else Usage(10, 5)
        self._calls = [ModelCall("fake/model", ({"role": "user", "content": "?"},), text, "stop", usage, 0.1)]
        return text

    def drain_calls(self) -> list[ModelCall]:
        calls, self._calls = self._calls, []
        return calls


class Silenced(Counted):
    """Its endpoint counts nothing of an attempt."""

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        text = super().act(observation, info)
        if "ask" not in info["action_tags"]:
            self._calls = []
        return text


class Broken(Counted):
    """Its endpoint breaks whenever it answers a certain story without asking."""

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        if "ask" not in info["action_tags"] and "Samarkand" in observation:
            raise ProviderError("the endpoint is broken")
        return super().act(observation, info)


class Interrupted(Counted):
    """A person interrupts the fourth attempt."""

    acts = 0

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        if "ask" not in info["action_tags"]:
            Interrupted.acts += 1
            if Interrupted.acts == 4:
                raise KeyboardInterrupt
        return super().act(observation, info)


def compared(folder: Path, *agents: str, resume: bool = False, **settings: Any) -> dict[str, Any]:
    """Play a comparison and return its numbers."""
    comparison = passk.plan(ENV, agents, **settings)
    stores = passk.play(comparison, folder, watching=silence, resume=resume)
    return passk.write(comparison, folder, *stores)


def ibench(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)


# The estimator and the budget.


@pytest.mark.parametrize("attempts", range(1, 7))
def test_pass_at_k_is_the_share_of_all_choices_of_k_attempts_with_a_right_one(attempts: int) -> None:
    for right, k in itertools.product(range(attempts + 1), range(1, attempts + 1)):
        outcomes = [True] * right + [False] * (attempts - right)
        choices = [any(chosen) for chosen in itertools.combinations(outcomes, k)]
        assert passk.pass_at_k(attempts, right, k) == pytest.approx(sum(choices) / len(choices))


@pytest.mark.parametrize(("share", "attempts", "k"), [(0.3, 5, 2), (0.7, 6, 6), (0.05, 4, 3)])
def test_pass_at_k_is_unbiased(share: float, attempts: int, k: int) -> None:
    """Its mean over everything that can happen is the chance of at least one right attempt in k."""
    mean = sum(
        share ** sum(outcomes) * (1 - share) ** (attempts - sum(outcomes)) * passk.pass_at_k(attempts, sum(outcomes), k)
        for outcomes in itertools.product((0, 1), repeat=attempts)
    )
    assert mean == pytest.approx(1 - (1 - share) ** k)


@pytest.mark.parametrize(("attempts", "right", "k"), [(3, 1, 4), (3, 4, 1), (3, -1, 1), (3, 1, 0)])
def test_pass_at_k_of_too_few_attempts_is_refused(attempts: int, right: int, k: int) -> None:
    with pytest.raises(ValueError, match="pass@k needs"):
        passk.pass_at_k(attempts, right, k)


@pytest.mark.parametrize(
    ("interactive", "single", "k"),
    [
        *[("279.06", "208.88", 1), ("3749.96", "686.52", 5), ("479.10", "244.37", 2), ("3430.19", "1702.38", 2)],
        *[("6608.13", "1741.48", 4), ("15802.67", "1991.92", 8)],
    ],
)
def test_k_of_interactive_benchmarks_table_3(interactive: str, single: str, k: int) -> None:
    assert passk.budget_matched(Fraction(interactive), Fraction(single)) == k


@pytest.mark.parametrize(
    ("interactive", "single", "k"), [(15, 10, 1), (25, 10, 2), (26, 10, 3), (0, 10, 1), (1, 10, 1), (10, 10, 1)]
)
def test_of_two_equally_near_budgets_the_smaller_k_is_taken(interactive: int, single: int, k: int) -> None:
    assert passk.budget_matched(Fraction(interactive), Fraction(single)) == k


@given(st.fractions(0, 10**4), st.fractions(Fraction(1, 10), 10**3))
def test_no_other_k_is_nearer(interactive: Fraction, single: Fraction) -> None:
    k = passk.budget_matched(interactive, single)
    gap = abs(k * single - interactive)
    assert all(abs(other * single - interactive) >= gap for other in (k - 1, k + 1) if other >= 1)


def test_attempts_that_cost_nothing_have_no_k() -> None:
    with pytest.raises(ValueError, match="must cost something"):
        passk.budget_matched(Fraction(3), Fraction(0))


@pytest.mark.parametrize(
    ("spec", "hot"),
    [
        ("llm:openai/x", "llm:openai/x?temperature=0.8"),
        ("llm:openai/x?temperature=0&max_tokens=9", "llm:openai/x?max_tokens=9&temperature=0.8"),
        ("local", "local?temperature=0.8"),
        ("rule", "rule"),
        ("random", "random"),
    ],
)
def test_attempts_have_their_own_temperature_where_a_player_takes_one(spec: str, hot: str) -> None:
    assert passk.with_temperature(spec, 0.8, ENV) == hot


# Comparisons.


def test_budgets_are_the_tokens_that_were_counted(tmp_path: Path) -> None:
    """A dialogue of three replies writes 15 tokens and an attempt 2, so that 7 attempts are nearest."""
    content = compared(tmp_path, f"{HERE}:Counted", problems=3)
    (player,) = content["players"]
    costs = {kind: (b["interactive"]["value"], b["pass1"]["value"], b["k"]) for kind, b in player["budget"].items()}
    assert costs == {"written": (15, 2, 7), "all": (45, 8, 6)}
    assert (player["unit"], player["k"], player["attempts"]) == ("written", 7, 7)
    assert player["budget"]["written"]["pass1"]["n"] == 21


def test_what_is_read_can_count_and_is_told_beside_what_is_written(tmp_path: Path) -> None:
    (player,) = compared(tmp_path / "all", f"{HERE}:Counted", problems=2, tokens="all")["players"]
    assert (player["unit"], player["k"], player["attempts"]) == ("all", 6, 6)
    assert [player["budget"][kind]["k_shown"] for kind in ("all", "written")] == [6, 6]  # of 7 by what is written
    content = compared(tmp_path / "written", f"{HERE}:Counted", problems=2)
    (player,) = content["players"]
    for kind, k in (("written", 7), ("all", 6)):
        assert player["budget"][kind]["pass_at_k"] == player["pass_at"][k - 1]
    assert player["budget"]["written"]["difference"] == player["difference"]
    rows = passk_page.tables(content)[1].rows
    assert [(row["counted"], row["k*"]) for row in rows] == [("written *", "7"), ("read and written", "6")]


def test_every_player_makes_as_many_attempts_as_its_own_k_needs(tmp_path: Path) -> None:
    content = compared(tmp_path, f"{HERE}:Counted", "reference", problems=3)
    made = [(player["k"], player["attempts"], len(player["pass_at"])) for player in content["players"]]
    assert made[0] == (7, 7, 7)
    assert made[1][1:] == (4, 4)
    assert content["missing"] == 0
    summary = json.loads((tmp_path / passk.SINGLE / "summary.json").read_text())
    assert (summary["n_planned"], summary["n_missing"]) == (33, 0)


def test_the_numbers_are_those_of_the_episodes(tmp_path: Path) -> None:
    content = compared(tmp_path, f"{HERE}:Counted", problems=4, seed=3)
    (player,) = content["players"]
    attempts = RunStore.read_only(tmp_path / passk.SINGLE).rows()
    dialogues = RunStore.read_only(tmp_path / passk.INTERACTIVE).rows()
    right = {case: [r.outcome == "success" for r in attempts if r.case == case] for case in {r.case for r in attempts}}
    solved = {row.case: row.outcome == "success" for row in dialogues}
    assert {p["case"]: (p["solved"], p["attempts"], p["right"]) for p in player["problems"]} == {
        case: (solved[case], 7, sum(tries)) for case, tries in right.items()
    }
    for point in player["pass_at"]:
        shares = [passk.pass_at_k(7, sum(tries), point["k"]) for tries in right.values()]
        assert point["value"] == pytest.approx(sum(shares) / 4, abs=1e-6)
    gap = sum(solved.values()) / 4 - player["pass_at"][6]["value"]
    assert player["difference"]["value"] == pytest.approx(gap, abs=1e-5)
    assert player["pass_at_k"] == player["pass_at"][6]


def test_every_attempt_has_a_seed_of_its_own_and_both_runs_meet_the_same_problems(tmp_path: Path) -> None:
    compared(tmp_path, f"{HERE}:Counted", problems=3, samples=5)
    stores = {name: RunStore.read_only(tmp_path / name) for name in (passk.INTERACTIVE, passk.SINGLE)}
    seeds = {name: [store.record(row)["seed"] for row in store.rows()] for name, store in stores.items()}
    assert len(set(seeds[passk.SINGLE])) == 15
    assert set(seeds[passk.INTERACTIVE]) <= set(seeds[passk.SINGLE])
    assert {row.case for row in stores[passk.INTERACTIVE].rows()} == {row.case for row in stores[passk.SINGLE].rows()}


def test_a_model_is_asked_anew_for_every_attempt_at_the_temperature_of_attempts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IBENCH_CACHE", str(tmp_path / "calls.sqlite"))

    def reply(messages: Sequence[Any]) -> str:
        asked = sum(str(message["role"]) == "assistant" for message in messages)
        return "<ask>1</ask>" if "<ask>" in str(messages) and not asked else "<answer>B</answer>"

    with Loopback(reply) as server:
        content = compared(tmp_path / "out", f"llm:openai/fake?base_url={server.url}", problems=2, samples=3)
    (player,) = content["players"]
    heat = [body["temperature"] for body in server.bodies]
    assert heat.count(0.8) == 6, "two attempts shared a reply of the cache"
    read = [sum(len(str(m["content"])) for m in body["messages"]) for body in server.bodies]
    cool = [tokens + 1 for tokens, temperature in zip(read, heat, strict=True) if temperature == 0]
    hot = [tokens + 1 for tokens, temperature in zip(read, heat, strict=True) if temperature == 0.8]
    budget = player["budget"]["all"]
    assert budget["interactive"]["value"] == pytest.approx(sum(cool) / 2)
    assert budget["pass1"]["value"] == pytest.approx(sum(hot) / 6)
    assert budget["k"] == passk.budget_matched(Fraction(sum(cool), 2), Fraction(sum(hot), 6))


def test_fewer_attempts_than_k_are_told_and_no_pass_at_k_is_made_up(tmp_path: Path) -> None:
    content = compared(tmp_path, f"{HERE}:Counted", problems=2, most=3)
    (player,) = content["players"]
    assert (content["players"][0]["attempts"], player["k"], player["k_shown"]) == (3, 7, 3)
    assert player["pass_at_k"]["k"] == 3
    assert player["notes"][0].startswith("k* = 7 needs more than the 3 attempts made")
    assert passk_page.tables(content)[0].rows[0]["k*"] == "7, shown 3"


def test_players_without_tokens_are_compared_at_equal_numbers_of_messages(tmp_path: Path) -> None:
    content = compared(tmp_path, "reference", problems=2)
    (player,) = content["players"]
    dialogues = RunStore.read_only(tmp_path / passk.INTERACTIVE).rows()
    assert player["unit"] == "messages"
    assert player["budget"]["messages"]["interactive"]["value"] == sum(row.turns for row in dialogues) / 2
    assert player["budget"]["messages"]["pass1"]["value"] == 1
    assert "numbers of messages" in player["notes"][0]


def test_attempts_that_nobody_counted_have_no_k(tmp_path: Path) -> None:
    content = compared(tmp_path, f"{HERE}:Silenced", problems=2)
    (player,) = content["players"]
    assert (player["k"], player["pass_at_k"]["n"], player["difference"]["n"]) == (None, 0, 0)
    assert "No attempt has a counted cost, so there is no k*." in player["notes"]
    assert "pass@4" not in passk_page.write(tmp_path, content).read_text()


def test_problems_that_infrastructure_broke_are_left_out_and_counted(tmp_path: Path) -> None:
    content = compared(tmp_path, f"{HERE}:Broken", problems=2, samples=2)
    (player,) = content["players"]
    assert player["missing"] == {"interactive": 0, "pass1": 2}
    assert content["missing"] == 2
    assert player["accuracy"]["n"] == len(player["problems"]) == 1
    assert player["notes"][-1] == "Infrastructure broke 0 dialogues and 2 attempts; 1 of 2 problems are left out."


def test_drawn_problems_come_back_for_every_attempt(tmp_path: Path) -> None:
    settings: dict[str, Any] = {
        "arguments": {"split": "generated", "difficulty": 1},
        "problems": 3,
        "samples": 4,
        "seed": 5,
    }
    content = compared(tmp_path, f"{HERE}:Counted", **settings)
    assert len(content["cases"]) == 3
    assert [problem["attempts"] for problem in content["players"][0]["problems"]] == [4, 4, 4]
    assert {problem["case"] for problem in content["players"][0]["problems"]} == set(content["cases"])


def test_the_same_seed_gives_the_same_bytes_whatever_the_number_of_workers(tmp_path: Path) -> None:
    for name, workers in (("one", 1), ("two", 4)):
        comparison = passk.plan(ENV, ["random", f"{HERE}:Counted"], problems=3, seed=2)
        stores = passk.play(comparison, tmp_path / name, watching=silence, workers=workers)
        passk.write(comparison, tmp_path / name, *stores)
    assert (tmp_path / "one" / passk.NUMBERS).read_bytes() == (tmp_path / "two" / passk.NUMBERS).read_bytes()


def test_both_runs_replay_exactly(tmp_path: Path) -> None:
    compared(tmp_path, f"{HERE}:Counted", problems=2, samples=2)
    for name in (passk.INTERACTIVE, passk.SINGLE):
        store = RunStore.read_only(tmp_path / name)
        assert [replay.mismatch(store.episode(row)) for row in store.rows()] == [None] * len(store.rows())


def test_an_interrupted_comparison_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Interrupted, "acts", 0)
    with pytest.raises(KeyboardInterrupt):
        compared(tmp_path / "out", f"{HERE}:Interrupted", problems=3)
    kept = len(RunStore.read_only(tmp_path / "out" / passk.SINGLE).rows())
    assert 0 < kept < 12
    resumed = compared(tmp_path / "out", f"{HERE}:Interrupted", problems=3, resume=True)
    assert Interrupted.acts == 21 + 1, "what was played was played again"
    whole = compared(tmp_path / "whole", f"{HERE}:Interrupted", problems=3)
    assert resumed == whole


def test_a_limit_of_cost_counts_both_runs(tmp_path: Path) -> None:
    """Three dialogues cost 0.9 dollars, twelve attempts 1.2."""
    comparison = passk.plan(ENV, [f"{HERE}:Counted"], problems=3)
    with pytest.raises(CostLimitError, match="cost limit"):
        passk.play(comparison, tmp_path, watching=silence, limit_cost=1.5)
    assert 3 <= len(RunStore.read_only(tmp_path / passk.SINGLE).rows()) <= 8
    with pytest.raises(CostLimitError, match="cost limit"):
        passk.play(comparison, tmp_path, watching=silence, limit_cost=0.5, resume=True)


# The command.


def test_the_command_prints_the_table_and_writes_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "draw", lambda *_: [])  # those of the two runs' own pages
    out = tmp_path / "out"
    arguments = ("passk", ENV, "--agent", "reference", "--problems", "2", "--samples", "3", "--out", str(out))
    result = ibench(*arguments)
    assert result.exit_code == 0
    assert "Accuracy at equal budgets" in result.stdout
    assert f"Page: {out / 'passk.html'}" in result.stdout
    for name in ("passk.json", "passk.html", "charts/passk_1.svg", "interactive/report.html", "pass1/report.html"):
        assert (out / name).is_file(), name
    numbers = (out / "passk.json").read_bytes()
    again = ibench("passk", "--out", str(out), "--resume")
    assert again.stdout == result.stdout
    assert (out / "passk.json").read_bytes() == numbers
    assert ibench("replay", str(out / "pass1")).stdout == "6 of 6 episodes replay exactly.\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([ENV], "name at least one player"),
        ([], "name an environment; see ibench list"),
        (["--resume"], "--resume needs the comparison's folder: --out FOLDER"),
        (["--resume", "--out", "nowhere"], "nowhere holds no comparison: comparison.json is missing"),
        (["--resume", "--out", "x", "--agent", "rule"], "--resume without an environment plays what comparison.json"),
        (["ibench/Nothing-v0", "--agent", "rule"], "unknown environment 'ibench/Nothing-v0'"),
        ([ENV, "--agent", "rulle"], "unknown agent 'rulle'; did you mean 'rule'?"),
        ([ENV, "--agent", "rule", "--judge", "ofline", "-k", "mode=free"], "unknown judge 'ofline'"),
        ([ENV, "--agent", "rule", "-k", "no_interaction=true"], "leave the argument no_interaction out"),
        ([ENV, "--agent", "rule", "--problems", "999"], f"{ENV} has "),
        (["ibench/TrustGame-v1", "--agent", "tft"], "ibench/TrustGame-v1 cannot be played without interaction"),
        (["ibench/BlackBox-cipher-bacon-v1", "--agent", "random"], "ibench/BlackBox-cipher-bacon-v1 gives a score"),
    ],
)
def test_a_mistake_is_one_line(
    arguments: list[str], line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = ibench("passk", *arguments)
    assert result.exit_code == 2
    told = [text for text in result.stderr.splitlines() if not text.startswith("interactive")]
    assert len(told) == 1
    assert told[0].startswith(f"ibench: {line}")


def test_another_comparison_in_the_folder_is_named(tmp_path: Path) -> None:
    compared(tmp_path, "rule", problems=1, samples=1)
    with pytest.raises(ConfigError, match="holds a comparison already; set resume"):
        compared(tmp_path, "rule", problems=1, samples=1)
    with pytest.raises(ConfigError, match=r"the comparison changed: samples was 1, now 2"):
        compared(tmp_path, "rule", problems=1, samples=2, resume=True)


@pytest.mark.parametrize("content", ["", "[]", '{"schema": 9}', '{"schema": 1}'])
def test_a_damaged_comparison_is_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / passk.SETTINGS).write_text(content)
    with pytest.raises(ConfigError, match="comparison"):
        passk.Comparison.read(tmp_path)


# The page.


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page in which all that strangers write is markup."""
    folder = tmp_path_factory.mktemp("hostile")
    content = compared(folder, f"{HERE}:Counted", "random", problems=2, samples=2)
    evil = "</title><script>window.hit=1</script><img src=x onerror='window.hit=1'>\" {{ 7*7 }}" + "x" * 90
    for player in content["players"]:
        player["agent"] = evil
        player["notes"] = [evil]
        for problem in player["problems"]:
            problem["case"] += evil
    content["env_id"] = evil
    return passk_page.write(folder, json.loads(json.dumps(content)))


@pytest.mark.every(5)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1200])
def test_hostile_text_stays_text_and_nothing_sticks_out(browser: Any, hostile: Path, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(hostile.as_uri())
    assert page.evaluate("window.hit === undefined")
    assert requests == [hostile.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate("document.querySelectorAll('figure svg').length") == 2
    context.close()
