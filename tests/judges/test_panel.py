"""The panel: who wins, what a tie is, and what happens when members fail."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar

import pytest

from interactive_envs import catalog
from interactive_envs.errors import ConfigError, JudgeError, UnknownNameError
from interactive_envs.judges.asking import VerdictError
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict, ask, resolve_judge
from interactive_envs.judges.panel import PanelJudge
from interactive_envs.llm.calls import ModelCall

Ask = Callable[..., JudgeRequest]


class Says(Judge):
    """Says what its target says; ``fail`` fails, ``abstain`` abstains."""

    name: ClassVar[str] = "says"
    closed: ClassVar[list[str]] = []

    def __init__(self, target: str, *, note: str = "") -> None:
        self.word, self.note = target, note

    @property
    def priced(self) -> bool:
        return self.word != "dear"

    def judge(self, request: JudgeRequest) -> Verdict:
        call = ModelCall(self.word, (), self.word)
        if self.word == "crash":
            raise ConfigError("no key")
        if self.word == "fail":
            raise VerdictError("it broke", [call])
        if self.word == "abstain":
            return Verdict("irrelevant", abstained=True, calls=(call,))
        return Verdict(self.word, calls=(call,))

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "note": self.note}

    def close(self) -> None:
        self.closed.append(self.word)


class Scores(Says):
    """Gives layout and text the two numbers of its target; ``abstain`` gives numbers and abstains."""

    name: ClassVar[str] = "scores"

    def judge(self, request: JudgeRequest) -> Verdict:
        call = ModelCall(self.word, (), self.word)
        if self.word == "fail":
            raise VerdictError("it broke", [call])
        if self.word == "none":
            return Verdict("scored", calls=(call,))
        if self.word == "other":
            return Verdict("scored", calls=(call,), scores={"beauty": 3})
        abstained = self.word == "abstain"
        layout, text = (20, 20) if abstained else map(int, self.word.split("-"))
        return Verdict("scored", abstained=abstained, calls=(call,), scores={"layout": layout, "text": text})


class Guesses(Says):
    """The same, but an estimate."""

    name: ClassVar[str] = "guesses"
    approximate: ClassVar[bool] = True


@pytest.fixture(autouse=True)
def _known_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {
        "says": "these_judges:Says",
        "guesses": "these_judges:Guesses",
        "scores": "these_judges:Scores",
        "panel": "interactive_envs.judges.panel:PanelJudge",
    }
    module = ModuleType("these_judges")
    vars(module).update(Says=Says, Guesses=Guesses, Scores=Scores)
    monkeypatch.setitem(sys.modules, "these_judges", module)
    monkeypatch.setattr(catalog, "table", lambda kind: table)
    Says.closed.clear()


@pytest.mark.parametrize(
    ("members", "label", "confidence", "abstained"),
    [
        ("yes yes no", "yes", 2 / 3, False),
        ("no no no", "no", 1.0, False),
        ("yes no", "irrelevant", 0.0, True),
        ("yes irrelevant", "irrelevant", 0.5, True),
        ("yes yes no both", "irrelevant", 0.0, True),
        ("yes abstain abstain", "yes", 1.0, False),
        ("abstain abstain", "irrelevant", 0.0, True),
        ("yes yes fail", "yes", 1.0, False),
        ("yes no fail", "irrelevant", 0.0, True),
    ],
)
def test_more_than_half_of_the_votes_wins_and_without_it_the_conservative_label(
    ask: Ask, members: str, label: str, confidence: float, abstained: bool
) -> None:
    panel = PanelJudge(",".join(f"says:{word}" for word in members.split()))
    verdict = panel.judge(ask("Was it dark?"))
    assert (verdict.label, verdict.abstained) == (label, abstained)
    assert verdict.confidence == pytest.approx(confidence)
    assert [call.text for call in verdict.calls] == members.split()
    assert verdict.source == "panel"


def test_a_tie_over_a_final_is_incorrect(ask: Ask) -> None:
    verdict = PanelJudge("says:correct,says:incorrect").judge(ask("He ran.", "final"))
    assert (verdict.label, verdict.confidence) == ("incorrect", 0.5)


def test_a_tie_between_yes_and_no_alone_is_no() -> None:
    for members in ("says:yes,says:no", "says:no,says:yes"):
        verdict = PanelJudge(members).judge(JudgeRequest("question", "x", ("yes", "no"), {}, "ui2html"))
        assert (verdict.label, verdict.abstained, verdict.confidence) == ("no", True, 0.5)


def test_a_tie_without_a_conservative_label_is_the_last_one() -> None:
    request = JudgeRequest("question", "x", ("true", "false"), {})
    assert PanelJudge("says:true,says:false").judge(request).label == "false"


def test_the_split_names_every_member_with_what_it_said(ask: Ask) -> None:
    verdict = PanelJudge("says:yes,says:yes,says:no,says:abstain,says:fail").judge(ask("Was it dark?"))
    assert verdict.detail == (
        "yes 2, no 1 | says:yes: yes; says:yes: yes; says:no: no; says:abstain: irrelevant (abstained); "
        "says:fail: failed (it broke)"
    )
    assert PanelJudge("says:abstain,says:abstain").judge(ask("x")).detail.startswith("no votes, no majority | ")


@pytest.mark.parametrize("members", ["says:yes,says:fail", "says:yes,says:fail,says:fail", "says:fail,says:fail"])
def test_a_panel_of_which_half_failed_fails_and_keeps_the_calls(ask: Ask, members: str) -> None:
    with pytest.raises(JudgeError, match=r"gave a verdict; .*it broke") as caught:
        PanelJudge(members).judge(ask("Was it dark?"))
    assert isinstance(caught.value, VerdictError)
    assert len(caught.value.calls) == members.count("says")
    assert isinstance(caught.value.__cause__, JudgeError)


def test_a_members_configuration_error_is_not_outvoted(ask: Ask) -> None:
    with pytest.raises(ConfigError, match="no key"):
        PanelJudge("says:yes,says:yes,says:crash").judge(ask("Was it dark?"))


def test_members_options_are_percent_encoded(ask: Ask) -> None:
    panel = resolve_judge("panel:says:yes%3Fnote=a%252Cb,says:no,panel:says:yes%2Csays:yes")()
    members = panel.describe()["members"]
    assert [member["spec"] for member in members] == ["says:yes?note=a%2Cb", "says:no", "panel:says:yes,says:yes"]
    assert members[0]["note"] == "a,b"
    assert panel.judge(ask("Was it dark?")).label == "yes"


def test_options_after_the_last_question_mark_are_the_panels_own_and_it_has_none() -> None:
    with pytest.raises(UnknownNameError, match="option of judge 'panel'"):
        resolve_judge("panel:says:yes,says:no?note=1")


@pytest.mark.parametrize("target", ["", "says:yes", "says:yes,", ",,"])
def test_a_panel_has_two_members_or_more(target: str) -> None:
    with pytest.raises(ConfigError, match="at least 2 members"):
        PanelJudge(target)


def test_an_unknown_member_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'says'"):
        PanelJudge("says:yes,sais:no")


def test_members_built_before_a_bad_one_are_closed() -> None:
    with pytest.raises(ConfigError):
        PanelJudge("says:yes,says:no,panel:says:yes")
    assert Says.closed == ["yes", "no"]


def test_closing_the_panel_closes_its_members() -> None:
    PanelJudge("says:yes,says:no").close()
    assert Says.closed == ["yes", "no"]


def test_a_panel_is_priced_where_all_its_members_are() -> None:
    assert PanelJudge("says:yes,says:no").priced
    assert not PanelJudge("says:yes,says:dear").priced


def test_equal_members_have_seats_of_their_own() -> None:
    assert [member.seat for member in PanelJudge("says:yes,says:yes,says:no").members] == [0, 1, 2]


def test_one_approximate_member_makes_the_panel_approximate() -> None:
    asked = JudgeRequest("question", "Is it?", ("yes", "no"), {})
    assert not ask(PanelJudge("says:yes,says:no"), asked).approximate
    assert ask(PanelJudge("says:yes,guesses:no"), asked).approximate


def scored(members: str) -> Verdict:
    panel = PanelJudge(",".join(f"scores:{word}" for word in members.split()))
    return panel.judge(JudgeRequest("score", "", ("scored",), {}, "ui2html"))


@pytest.mark.parametrize(
    ("members", "layout", "text"),
    [
        ("12-3 13-3", 13, 3),
        ("0-0 0-1", 0, 1),
        ("20-20 20-20 20-20", 20, 20),
        ("10-1 10-1 11-2", 10, 1),
        ("10-1 11-2 11-2", 11, 2),
        ("7-0 8-0 fail", 8, 0),
        ("7-0 8-0 abstain", 8, 0),
        ("7-0 8-0 none", 8, 0),
    ],
)
def test_scores_are_averaged_one_by_one_with_halves_rounded_up(members: str, layout: int, text: int) -> None:
    verdict = scored(members)
    assert (verdict.label, verdict.scores) == ("scored", {"layout": layout, "text": text})
    assert (verdict.source, verdict.abstained, verdict.confidence) == ("panel", False, None)
    assert [call.text for call in verdict.calls] == members.split()


def test_the_detail_of_scores_names_every_member() -> None:
    assert scored("12-3 13-4 abstain").detail == (
        "layout 13, text 4 | scores:12-3: layout 12, text 3; scores:13-4: layout 13, text 4; "
        "scores:abstain: failed (it gave no scores)"
    )


@pytest.mark.parametrize("members", ["12-3 fail", "12-3 abstain", "fail fail", "12-3 none", "12-3 fail none"])
def test_a_panel_of_which_half_gave_no_scores_fails_and_keeps_the_calls(members: str) -> None:
    with pytest.raises(JudgeError, match="gave a verdict") as caught:
        scored(members)
    assert [call.text for call in caught.value.calls] == members.split()


def test_scores_of_different_things_have_no_mean() -> None:
    with pytest.raises(JudgeError, match="score different things") as caught:
        scored("12-3 other")
    assert len(caught.value.calls) == 2
