"""The rules of UI2Html, pure: what a message holds, what it costs, what is judged.

Interactive Benchmarks v2, section 2.2. A round is a page and a question about it; after the rounds one last page is
scored.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html.parser import HTMLParser
from typing import Any, Literal, NamedTuple

import numpy as np

from interactive_envs.dialogue.task import PLAIN, DialogueTask, Revisable, Terms, Vocabulary
from interactive_envs.dialogue.view import DelayedReply
from interactive_envs.errors import ConfigError, JudgeError
from interactive_envs.judges.base import JudgeRequest, Verdict
from interactive_envs.parsing import TIMEOUT_ACTION, Action, Illegal, Unreadable, is_open, read_action, strip_thinking
from interactive_envs.ui2html import formulas
from interactive_envs.ui2html.rendering import drawing
from interactive_envs.ui2html.rendering.browser import HtmlError
from interactive_envs.ui2html.targets.sources import Source, Target

FAMILY = "ui2html"
DIMENSIONS = ("layout", "component", "style", "text", "polish")
"""What is scored, each from 0 to 20."""
BEST = 20
GRAMMAR = {
    "ask": "page question",
    "answer": "page",
    "": r"""page ::= head block{3,8} "</body></html>\n"
head ::= "<!DOCTYPE html>\n<html><body style=\"background:" colour ";font-family:sans-serif\">\n"
block ::= "<h1>" words "</h1>\n" | "<h2>" words "</h2>\n" | "<p>" words "</p>\n" | "<button>" word "</button>\n"
question ::= "<ask>" (wanted | formula) "</ask>"
wanted ::= "Compared with the target, should I " wish "?"
formula ::= length "(" kind " " [1-4] ") " [<>=] " " ("mine" | [1-9] [0-9]{0,2})
length ::= "left" | "top" | "width" | "height"
kind ::= "heading" | "text" | "card" | "button"
wish ::= "make the " part " " change | "add a " part | "remove the " part
part ::= "heading" | "header" | "footer" | "button" | "table" | "sidebar" | "form" | "background"
change ::= "larger" | "smaller" | "darker" | "lighter" | "blue" | "centred" | "wider"
colour ::= "white" | "black" | "navy" | "beige" | "lightgrey"
words ::= word (" " word){1,7}
word ::= [A-Za-z]{1,11}""",
}
"""For small models: a page of a few blocks, a question of a few forms."""
LABELS = ("yes", "no")
SCORED = ("scored",)
MAX_QUESTION_TEXT = 1_000
"""Characters of a question."""
SILENCE = ""
"""The fact of a page that came without a question."""
UNCLEAR = "Cannot tell."
"""The reply where the judge does not recognise the question, or what it is about."""


@dataclass(frozen=True)
class Message:
    """What a message holds.

    Attributes:
        html: the page, None where the message speaks of the last one.
        question: what is asked, None where nothing is.
    """

    html: str | None
    question: str | None = None


@dataclass(frozen=True)
class Case:
    """A target and the request that starts the episode."""

    target: Target
    request: str


@dataclass(frozen=True)
class Shown:
    """What a player may know.

    Attributes:
        request: what is wanted, incompletely.
        page: the last page that could be drawn, None before the first.
    """

    request: str
    page: str | None


@dataclass(frozen=True)
class Building:
    """An episode's state.

    Attributes:
        case: what is to be rebuilt.
        page: the last page that could be drawn, None before the first.
        pages: how many were sent.
        scores: of the final page, by the names in ``DIMENSIONS``; None before the end.
        rounds: messages that were replied to.
        questions: those of them whose reply was yes or no.
        false_at: the index of the message whose reply was false, and its number among the questions; None for none
            so far.
        truth: the right word until that is told, then None.
    """

    case: Case
    page: str | None = None
    pages: int = 0
    scores: tuple[int, ...] | None = None
    rounds: int = 0
    questions: int = 0
    false_at: tuple[int, int] | None = None
    truth: str | None = None

    @property
    def total(self) -> int:
        """The score, 0 to 100."""
        return sum(self.scores or ())

    def with_page(self, html: str | None) -> Building:
        """The state after a message with this page, or with none."""
        return self if html is None else dataclasses.replace(self, page=html, pages=self.pages + 1)


class Read(NamedTuple):
    """A readable message: a round's (``query``) or the end (``final``)."""

    kind: Literal["query", "final"]
    message: Message


class UI2HtmlTask(DialogueTask[Case, Building], Revisable):
    """Rebuild a hidden page: a page and a yes/no question a round, then a last page that is scored.

    Args:
        source: the targets.
        summarise: tells the request of a target.
        published: whether a round must be a whole page and a question of the published form, "Compared with the
            target, should I …?", and only the last message ends the episode.
    """

    false_question, corrected_after = 0, 1
    """The number of the question whose reply is false, 0 for none, and how many messages later that is told."""
    empty_tags = ("answer",)
    judged = True

    def __init__(self, source: Source, summarise: Callable[[Target], str], *, published: bool = False) -> None:
        self._source = source
        self._summarise = summarise
        self.published = published
        self.action_examples = EXAMPLES[:3] if published else EXAMPLES
        self.grammar = (
            {name: rule.replace(" | formula", "") for name, rule in GRAMMAR.items()} if published else GRAMMAR
        )

    @property
    def action_forms(self) -> Mapping[str, str]:
        """A page stands outside the tag."""
        page = "\n```html\n{page}\n```"
        return {"ask": "<ask>{question}</ask>" + page, "answer": "<answer></answer>" + page}

    def case_ids(self) -> Sequence[str] | None:
        """The targets' ids in order, None where they have no end."""
        return self._source.ids()

    def data_sha256(self) -> str:
        """Hash of the targets."""
        return self._source.sha256()

    def case(self, rng: np.random.Generator, case_id: str | None = None) -> Case:
        """Draw a target if none is named, and have its request written."""
        target = self._source.draw(rng, case_id)
        return Case(target, self._summarise(target))

    def case_id(self, case: Case) -> str:
        """The target's id."""
        return case.target.id

    def rules(self, case: Case, terms: Terms, vocabulary: Vocabulary = PLAIN) -> str:
        """The request, the protocol and what a page may use."""
        blocks = [_INTRO.format(request=case.request)]
        if terms.interaction:
            rounds, each = ("1 round", "It") if terms.budget == 1 else (f"{terms.budget} rounds", "Each")
            blocks.append(_ROUND.format(rounds=rounds, each=each))
            asking = [_PUBLISHED] if self.published else [_FREE, formulas.RULES]
            blocks += [asking[0].format(unclear=terms.budget), *asking[1:]]
        else:
            blocks.append(_NO_ROUNDS)
        return "\n\n".join([*blocks, _PAGE, _unread(terms)])

    def start(self, case: Case) -> Building:
        """Nothing is built yet."""
        return Building(case)

    def case_of(self, state: Building) -> Case:
        """What is to be rebuilt."""
        return state.case

    def read(self, state: Building, text: str, *, closing: bool) -> Read | Unreadable:
        """Read a whole message.

        Args:
            state: which page was sent last decides whether one may be left out.
            text: the message.
            closing: whether the rounds are over, so that only a page counts.
        """
        read = read_message(text, closing=closing)
        if self.published and not closing and isinstance(read, Read):
            return _as_published(read)
        if isinstance(read, Unreadable) or read.message.html is not None or state.page is not None:
            return read
        return Illegal("You have sent no page yet; send a complete HTML document.")

    def read_bare(self, state: Building, text: str) -> tuple[Literal["query", "final"], Any]:
        """Read a whole message of a round."""
        read = self.read(state, text, closing=False)
        return ("query", read) if isinstance(read, Unreadable) else (read.kind, read.message)

    def read_query(self, state: Building, body: str, tag: str = "ask") -> Message | Unreadable:
        """A question about the last page."""
        return _message_of(self.read(state, f"<ask>{body}</ask>", closing=False))

    def read_answer(self, state: Building, body: str) -> Message | Unreadable:
        """The final page."""
        return _message_of(self.read(state, f"<answer>{body}</answer>", closing=False))

    def judge_query(self, state: Building, query: Message) -> JudgeRequest | None:
        """Whether the target says yes; nothing where no question was asked."""
        if query.question is None:
            return None
        return self._judge_request("question", query.question, state.with_page(query.html))

    def judge_answer(self, state: Building, answer: Message) -> JudgeRequest:
        """How near the final page comes."""
        return self._judge_request("score", "", state.with_page(answer.html))

    def reply(
        self, state: Building, query: Message, rng: np.random.Generator, verdict: Verdict | None = None
    ) -> tuple[str | DelayedReply, Building]:
        """The judge's word, nothing else of its verdict."""
        if query.question is None:
            return self._revise(SILENCE, state.with_page(query.html))
        if verdict is None:
            raise ConfigError("a question needs a verdict; call env.step, or env.resolve(verdict)")
        return self._revise(verdict.label, state.with_page(query.html))

    def revised(self, turn: int, after: int) -> UI2HtmlTask:
        """The task in which the reply to a question is false until it is corrected."""
        task = copy.copy(self)
        task.false_question, task.corrected_after = turn, after
        return task

    def _revise(self, label: str, state: Building) -> tuple[str | DelayedReply, Building]:
        """The reply to a message, and the state after it: false at its turn, with the correction when that is due."""
        asked = label != SILENCE
        now = dataclasses.replace(state, rounds=state.rounds + 1, questions=state.questions + asked)
        if state.false_at is None:
            if not self.false_question or not asked or now.questions < self.false_question:
                return label, now
            false = LABELS[1 - LABELS.index(label)]
            return false, dataclasses.replace(now, false_at=(state.rounds, now.questions), truth=label)
        place, _ = state.false_at
        if state.truth is None or state.rounds - place < self.corrected_after:
            return label, now
        return DelayedReply(label, ((place, state.truth),)), dataclasses.replace(now, truth=None)

    def message(self, state: Building, fact: str | DelayedReply, vocabulary: Vocabulary = PLAIN) -> str:
        """The reply, and the correction where there is one."""
        words = self.render(fact)
        if not isinstance(fact, DelayedReply) or state.false_at is None:
            return words
        ((_, right),), (_, number) = fact.others, state.false_at
        told = f"Correction: of the replies that said yes or no, number {number} was wrong. The right reply is: "
        return f"{words}\n{told}{self.render(right)}"

    def render(self, fact: str | DelayedReply, vocabulary: Vocabulary = PLAIN) -> str:
        """The label's word."""
        if isinstance(fact, DelayedReply):
            return self.render(fact.fact)
        return (
            "Your page was received without a question. To ask one, write <ask>…</ask>."
            if fact == SILENCE
            else f"{fact.capitalize()}."
        )

    def check(self, state: Building, answer: Message, verdict: Verdict | None = None) -> bool:
        """Whether the final page has the best score."""
        return self.finished(state, answer, verdict).total == BEST * len(DIMENSIONS)

    def finished(self, state: Building, answer: Message, verdict: Verdict | None) -> Building:
        """The state after the final page was scored.

        Raises:
            JudgeError: the verdict holds no such scores.
        """
        return dataclasses.replace(state.with_page(answer.html), scores=read_scores(verdict))

    def show(self, state: Building) -> Shown:
        """The request and the last page."""
        return Shown(state.case.request, state.page)

    def solution(self, case: Case) -> str:
        """What the target is: words for a record, since the page itself may be a picture."""
        design = case.target.design
        if design is None:
            return f"the target {case.target.id}"
        kind = f"{design.archetype} page in the style {design.style}, difficulty {design.difficulty}"
        return f"the target {design.id}: {'an' if kind[0] in 'aeiou' else 'a'} {kind}"

    def secrets(self, state: Building) -> list[str]:
        """The target's longer texts that the request does not tell."""
        shown = state.case.request.casefold()
        texts = _texts(state.case.target.html or "")
        return [text for text in texts if len(text.split()) > 3 and text.casefold() not in shown]

    def record(self, state: Building) -> dict[str, Any]:
        """The request, how many pages were sent, and the scores of the last."""
        record: dict[str, Any] = {"request": state.case.request, "pages": state.pages}
        if state.scores is not None:
            record["scores"] = dict(zip(DIMENSIONS, state.scores, strict=True))
        if self.false_question:
            record["false_reply"] = None if state.false_at is None else state.false_at[1]
            record["corrected"] = state.false_at is not None and state.truth is None
        return record

    def _judge_request(self, kind: Literal["question", "score"], text: str, state: Building) -> JudgeRequest:
        if state.page is None:
            raise ConfigError("there is no page to judge")
        return judge_request(kind, text, state.case.target.for_judge(), state.page, state.case.request)


def judge_request(
    kind: Literal["question", "score"], text: str, target: Mapping[str, str], page: str, request: str
) -> JudgeRequest:
    """A question about a page, or the wish for its scores.

    Args:
        kind: of the request.
        text: the question.
        target: ``{"html": …}`` or ``{"png": base64}``.
        page: the player's HTML, hostile too.
        request: the text about the target.
    """
    score = kind == "score"
    formula = None if score else formulas.read_formula(text)
    return JudgeRequest(
        kind,
        text,
        SCORED if score else LABELS,
        {"target": target, "page": page, "request": request},
        FAMILY,
        images={"target": partial(drawing.target_png, target), "page": partial(drawing.page_png, page)},
        scores=DIMENSIONS if score else (),
        highest=BEST if score else 0,
        decide=partial(decide_formula, formula, target, page) if isinstance(formula, formulas.Formula) else None,
    )


def decide_formula(formula: formulas.Formula, target: Mapping[str, str], page: str) -> Verdict:
    """The truth about a formal question, whoever judges; abstains where a screenshot does not tell it.

    Raises:
        FaultError: the browser failed.
        JudgeError: a page cannot be drawn.
    """
    from interactive_envs.ui2html.judge import formal  # half a second, which a player without such questions saves

    try:
        sheets = formal.Sheet(drawing.drawn_target(target)), formal.Sheet(drawing.drawn(page))
    except HtmlError as error:
        raise JudgeError(f"a page cannot be drawn: {error}") from error
    decided = formal.decide(formula, *sheets)
    return Verdict("yes" if decided.truth else "no", decided.detail, source="rules", abstained=decided.truth is None)


def missing_part(question: str | None, page: str) -> str | None:
    """Why a formal question has nothing of the player's own to compare with, None where it has.

    Args:
        question: the player's.
        page: which can be drawn.
    """
    formula = formulas.read_formula(question) if question else None
    if not isinstance(formula, formulas.Formula) or formula.right != formulas.MINE:
        return None
    from interactive_envs.ui2html.judge import formal

    sheet, term = formal.Sheet(drawing.drawn(page)), formula.left
    if sheet.measure(term) is not None:
        return None
    there = len(sheet.parts[term.kind])
    part = f"{term.kind} {term.number}"
    if there >= term.number:
        why = f"{part} of your page has no {term.property}"
    else:
        why = f"your page has {f'only {there}' if there else 'no'} {term.kind}{'s' * (there > 1)}"
    return f'"mine" has no value for {part}: {why}.'


def read_scores(verdict: Verdict | None) -> tuple[int, ...]:
    """The scores of a verdict, in the order of ``DIMENSIONS``.

    Raises:
        JudgeError: one is missing, or is no whole number from 0 to 20.
    """
    scores: Mapping[str, Any] = {} if verdict is None or verdict.scores is None else verdict.scores
    found = [scores.get(name) for name in DIMENSIONS]
    wrong = [
        f"{name} is {value!r}"
        for name, value in zip(DIMENSIONS, found, strict=True)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= BEST
    ]
    if wrong:
        raise JudgeError(f"a score must have whole numbers from 0 to {BEST}: {', '.join(wrong)}")
    return tuple(int(value) for value in found if value is not None)


# What a message holds.

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([\w-]*)[ \t]*\r?\Z")
_HTML_FENCES = ("", "html", "htm", "xhtml", "html5")
_OPEN = re.compile(r"<!doctype\s+html\b|<html\b", re.IGNORECASE | re.ASCII)
_OPEN_BODY = re.compile(r"<body\b", re.IGNORECASE | re.ASCII)
_CLOSE = re.compile(r"</html\s*>", re.IGNORECASE | re.ASCII)
_CLOSE_BODY = re.compile(r"</body\s*>", re.IGNORECASE | re.ASCII)
_FRAGMENT = re.compile(r"</(?:div|main|section|header|footer|nav|h[1-6]|p|ul|table|form|style)>", re.I | re.A)
_ASK_TAG = re.compile(r"<(/?)(?:question|q)>", re.IGNORECASE | re.ASCII)
_TAG = re.compile(r"<(?:!doctype|[a-z])", re.IGNORECASE | re.ASCII)
_FORMS = {"ask": ("ask", "question", "q")}
_ACTION = re.compile(r"</?(?:ask|answer)>|^[ \t>*_#-]*(?:ask|question|q)[ \t*_]*:", re.I | re.A | re.MULTILINE)
_COMPARED = re.compile(
    r"^[ \t>*_#-]*((?:compared (?:with|to) the target|should (?:i|my|the)|(?:does|is|are|has) the target)\b[^\n]*\?)",
    re.IGNORECASE | re.MULTILINE,
)
_LAST = ("", "last", "the last page", "done")


def read_message(text: str, *, closing: bool = False) -> Read | Unreadable:
    """Read a page and a question, in any of the forms that the rules name.

    Of several pages the last counts. Tags inside a page are part of the page.

    Args:
        text: the message, any string.
        closing: whether only a page counts; a question beside it is then not read.

    >>> read_message("Hm. <html><p>Hi</p></html> <ask>Should I centre the text?</ask>").message
    Message(html='<html><p>Hi</p></html>', question='Should I centre the text?')
    >>> read_message("<answer></answer>")
    Read(kind='final', message=Message(html=None, question=None))
    """
    plain = strip_thinking(text).strip()
    if not plain or text.strip() == TIMEOUT_ACTION:
        return _nothing(read_action(text, ("ask", "answer")), closing)
    message = _from_json(plain)
    html, rest = (message.html, "") if message else _documents(plain)
    if isinstance(html, Unreadable):
        return html
    if closing and html is not None:
        return Read("final", Message(html))
    action = Action("ask", message.question or "") if message else _action(rest)
    if isinstance(action, Action) and action.tag == "answer":
        if html is None and action.body.casefold().strip(" .") not in _LAST:
            return Unreadable(_WRONG_ANSWER)
        return Read("final", Message(html))
    if closing or (action is None and html is None):
        return _nothing(action, closing)
    if isinstance(action, Unreadable):
        return action
    if action and html is None and _FRAGMENT.search(action.reasoning):
        return Unreadable(_INCOMPLETE)
    question = action.body if action else None
    if question and len(question) > MAX_QUESTION_TEXT:
        return Unreadable(f"A question has at most {MAX_QUESTION_TEXT} characters.")
    problem = _problem(question) if question else None
    return problem or Read("query", Message(html, question or None))


def _problem(question: str) -> Unreadable | None:
    """Why a question cannot be answered with yes or no, None where it can."""
    if not re.search(r"\w", question):
        return Unreadable("That is not a question.")
    formula = formulas.read_formula(question)
    if isinstance(formula, Unreadable):
        return formula
    if formula is None and is_open(question):
        return Unreadable("Ask a question that can be answered with yes or no.")
    return None


def _as_published(read: Read) -> Read | Unreadable:
    """A round's message, or why it is none of the published protocol."""
    if read.kind == "final":
        return Illegal("The final page comes after the last round; send a page and a question.")
    if read.message.html is None or read.message.question is None:
        return Unreadable("Every round needs a complete HTML document and one question.")
    return read if _PUBLISHED_FORM.match(read.message.question) else Unreadable(_WRONG_FORM)


def _nothing(action: Action | Unreadable | None, closing: bool) -> Unreadable:
    """Why a message without a page is none, as the stage has it."""
    if closing:
        return Unreadable(_NOTHING_CLOSING)
    return action if isinstance(action, Unreadable) else Unreadable(_NOTHING)


def _message_of(read: Read | Unreadable) -> Message | Unreadable:
    return read if isinstance(read, Unreadable) else read.message


def _action(text: str) -> Action | Unreadable | None:
    """Return the action around the pages: None without a question and without an end."""
    text = _ASK_TAG.sub(r"<\1ask>", text)
    action = read_action(text, ("ask", "answer"), short_forms=_FORMS, may_be_empty=("answer",))
    if isinstance(action, Action):
        return action
    if _ACTION.search(text):
        # A page and a question are two things, too, and those are wanted.
        return Unreadable(_SEVERAL) if "different actions" in action.reason else action
    lines = list(dict.fromkeys(match[1].strip() for match in _COMPARED.finditer(text)))
    if len(lines) > 1:
        return Unreadable(f"I found {len(lines)} questions; ask exactly one.")
    return Action("ask", lines[0]) if lines else None


def _from_json(text: str) -> Message | None:
    """A message with one JSON object of ``html`` and ``question``, either of which may be missing.

    Around it there may be prose and a code fence, but no HTML; line breaks inside its strings need no escape.
    """
    begin, end = text.find("{"), text.rfind("}") + 1
    if begin < 0 or end <= begin or "<" in text[:begin] or "<" in text[end:]:
        return None
    try:
        found = json.loads(text[begin:end], strict=False)
    except (ValueError, RecursionError):
        return None
    html, question = found.get("html"), found.get("question")
    if html is None and question is None:
        return None
    if not all(one is None or isinstance(one, str) for one in (html, question)):
        return None
    if html is not None and not _TAG.search(html):
        return None
    return Message(html, " ".join(question.split()) if question else None)


def _documents(text: str) -> tuple[str | Unreadable | None, str]:
    """The last page of a message, and the text around all of them."""
    found: list[str] = []
    around: list[str] = []
    for block, is_page in _blocks(text):
        if is_page:
            found.append(block.strip())
            continue
        place, close = 0, _CLOSE if _CLOSE.search(block) else _CLOSE_BODY
        while opened := _OPEN.search(block, place):
            closed = close.search(block, opened.end())
            if closed is None:
                return Unreadable("The HTML document has no end: it must close with </html>."), ""
            around.append(block[place : opened.start()])
            found.append(block[opened.start() : closed.end()])
            place = closed.end()
        around.append(block[place:])
    rest = "\n".join(around)
    if not found:
        begins, ends = _OPEN_BODY.search(rest), list(_CLOSE_BODY.finditer(rest))
        if begins and ends and begins.start() < ends[-1].start():
            found.append(rest[begins.start() : ends[-1].end()])
            rest = rest[: begins.start()] + rest[ends[-1].end() :]
    return (found[-1] if found else None), _without_comments(rest).strip()


def _without_comments(text: str) -> str:
    """What is left without HTML comments, which saved pages have before and after the document; in linear time."""
    kept, place = [], 0
    while (begin := text.find("<!--", place)) >= 0 and (end := text.find("-->", begin + 2)) >= 0:
        kept.append(text[place:begin])
        place = end + 3
    return "".join([*kept, text[place:]])


def _blocks(text: str) -> list[tuple[str, bool]]:
    """The text in pieces, without the lines of code fences; whether a fence makes a piece a page.

    A fence makes a page of HTML that does not say itself where it ends.
    """
    pieces: list[tuple[str, bool]] = []
    lines: list[str] = []
    mark: str | None = None
    language = ""
    for line in text.split("\n"):
        fence = _FENCE.match(line)
        if fence and mark is None:
            pieces.append(("\n".join(lines), False))
            lines, mark, language = [], fence[1], fence[2].lower()
        elif fence and mark is not None and not fence[2] and fence[1].startswith(mark):
            whole = "\n".join(lines)
            page = language in _HTML_FENCES and _TAG.search(whole) and not _CLOSE.search(whole)
            pieces.append((whole, bool(page and not _ACTION.search(whole))))
            lines, mark = [], None
        else:
            lines.append(line)
    return [*pieces, ("\n".join(lines), False)]


class _Texts(HTMLParser):
    """Collects the texts between tags, those of styles left out."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._hidden = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Style sheets and titles are not seen."""
        self._hidden = tag in ("style", "script", "title")

    def handle_endtag(self, tag: str) -> None:
        """What follows is seen."""
        self._hidden = False

    def handle_data(self, data: str) -> None:
        """Keep it."""
        if not self._hidden and data.strip():
            self.found.append(" ".join(data.split()))


def _texts(html: str) -> list[str]:
    reader = _Texts()
    reader.feed(html)
    return list(dict.fromkeys(reader.found))


# The texts that players read.

_INTRO = """Rebuild a hidden web page, the target, as one static HTML document. This request describes only a part of \
it.

What is wanted: {request}

At the end your final page is compared with the target. It gets 0 to 20 points each for layout (places and sizes), \
component (which parts there are, and how many), style (colours, letters, borders), text (how many words and lines) \
and polish (gaps and alignment). A page made from the request alone gets about 0 points, the target itself 100. Only \
what yes/no questions can find out counts. Of a text, for example, the number of words and lines counts, not the words \
themselves."""

_ROUND = """You have {rounds}. {each} is one message. Send your whole page as you would build it now, and after it one \
yes/no question about one thing that can be seen.

```html
<!DOCTYPE html>
<html>…</html>
```
<ask>Compared with the target, should I make the header darker?</ask>"""

_CANNOT_TELL = """"Cannot tell." means that the question was not understood, or that the part it is about was not \
recognised. The first {unclear} times this uses up no round."""

_FREE = (
    """The reply is "Yes.", "No." or "Cannot tell.". """
    + _CANNOT_TELL
    + """ After the last round, send the final page without a question. To finish earlier, send \
<answer>the page</answer>, or <answer></answer> to make your last page the final one.

Once you have sent a page, you may also send a question alone; it is about your last page. A page alone uses up the \
round, too. Instead of the tag you can write a line "Q: …", and instead of page and tag JSON: \
{{"html": …, "question": …}}. If a message contains several pages, the last one counts."""
)

_PUBLISHED = (
    """Every question has the form "Compared with the target, should I …?". The reply is "Yes.", "No." or "Cannot \
tell.". """
    + _CANNOT_TELL
    + " After the last round, send the final page without a question."
)

_NO_ROUNDS = """You cannot ask questions. Send only the final page: one complete HTML document, in a code fence or \
from <!DOCTYPE html> to </html>."""

_PAGE = """The window is 1024 px wide and 768 px high. A longer page is seen down to 4096 px. Use only HTML and CSS \
within the document: no scripts, no network, no files. Pictures are inline SVG or data: URIs. The fonts are Liberation \
Sans (sans-serif), Liberation Serif (serif) and Liberation Mono (monospace). A page may have 200,000 bytes and 5,000 \
elements, and may take a few seconds to draw."""

_NOTHING = "I found no HTML document and no question; send <!DOCTYPE html> … </html> and <ask>…</ask>."
_INCOMPLETE = "The HTML is not a complete document; send all of it, from <!DOCTYPE html> to </html>."
_WRONG_ANSWER = "Put a complete HTML document between <answer> and </answer>, or nothing to send your last page."
_PUBLISHED_FORM = re.compile(r"compared (?:with|to) the target,? should (?:i|my|the)\b", re.IGNORECASE)
_WRONG_FORM = 'Ask in the form "Compared with the target, should I …?".'
_SEVERAL = "I found several questions or answers; send exactly one with the page."
_NOTHING_CLOSING = "I found no HTML document; send the final page from <!DOCTYPE html> to </html>."


def _unread(terms: Terms) -> str:
    bad = "If a message cannot be read, or its page breaks a limit"
    if terms.strict or not (terms.retries or terms.interaction):
        return f"{bad}, the episode ends."
    times = {1: "once", 2: "twice"}.get(terms.retries, f"{terms.retries} times")
    again = f"{bad}, you are told why and may try again"
    if not terms.interaction:
        return f"{again}, {times}; after that the episode ends."
    free = f"{again}: {times} in each round, and {times} for the final page. Every further such message"
    uses = f"{free} uses up the round." if terms.retries else f"{bad}, it uses up the round."
    return f"{uses} If no final page can be read, your last page is scored."


def example(title: str, body: str, style: str = "") -> str:
    """A small page."""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>body {{ margin: 0; font-family: sans-serif }} {style}</style></head>\n<body>{body}</body></html>"
    )


_CARDS = example(
    "Cards",
    "<header>Brand</header><main><h1>Welcome</h1><section><div>One</div><div>Two</div><div>Three</div></section>"
    "<footer>Contact</footer></main>",
    "header, footer { background: #1f2937; color: white; padding: 16px } "
    "section { display: grid; grid-template-columns: repeat(3, 1fr); gap: 16px } "
    "section div { border: 1px solid #d1d5db; padding: 24px; border-radius: 8px }",
)
_FORM = example(
    "Form",
    "<h1>Sign up</h1><form><label>Name</label><input><button type='button'>Send</button></form>",
    "body { padding: 40px; background: #f3f4f6 } button { background: #2563eb; color: white; padding: 8px 16px }",
)
EXAMPLES = (
    f"<ask>Compared with the target, should I make the header darker?</ask>\n```html\n{_CARDS}\n```",
    f"<ask>Compared with the target, should I add a table?</ask>\n{_FORM}",
    f"<ask>Compared with the target, should I centre the main heading?</ask>\n```html\n{_FORM}\n```",
    f"<ask>width(card 1) > mine</ask>\n{_CARDS}",
    f"<answer>{_CARDS}</answer>",
    f"<answer>\n```html\n{_FORM}\n```\n</answer>",
)
"""Messages that can be read in any case."""
