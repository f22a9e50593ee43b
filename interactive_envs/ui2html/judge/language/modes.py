"""How a question asks: for a change, of the target, whether something is the same."""

from __future__ import annotations

import re

from interactive_envs.ui2html.judge.language.clauses import Unread
from interactive_envs.ui2html.judge.language.units import read_units

LONGEST = 320
"""Characters of a question."""


_LEAD = re.compile(
    r"^\W*(?:(?:when |if )?(?:compared?|comparing|in comparison|relative|in relation|with respect|in contrast)"
    r"(?: it)? (?:with|to|against) (?:the )?target(?: page| design| image| screenshot)?"
    r"|to (?:better |more closely |closely |exactly )?(?:match|resemble|be like) (?:the )?target(?: page| design)?"
    r"|(?:going|judging) by the target)\s*[,:;-]*\s*",
    re.IGNORECASE,
)


_TAIL = re.compile(
    r"[\s,]*\b(?:(?:when )?compared (?:with|to)|in comparison (?:with|to)|as in|as it is in|as they are in"
    r"|like in|like|just like"
    r"|(?:in order |so as )?to (?:better |more closely |closely |exactly )?(?:match|resemble)"
    r"|so (?:that )?(?:it|they) (?:matches|match)"
    r"|to be (?:closer to|more like|like)|to get closer to|than (?:it is |they are )?in|matching|relative to|as)"
    r" (?:the|that of the)"
    r" target(?:'s)?(?: page| design| one| version)?\s*(?=[?.!]*\s*$)",
    re.IGNORECASE,
)


_GERUND = r"(?:getting rid of|\w+ing) (?:the|my|a|an|all|some|more|each|its|another|it|one|two|three)\b"


_CLOSER = (
    r"(?:bring|take|get|move|make|put) (?:me|us|my \w+|the page|it|things) (?:any |a bit |a step )?(?:closer|nearer)"
    r"(?: to (?:the |what the )?(?:target|original|goal)(?: page| design| has)?)?"
)


_REWRITTEN = (
    (
        r"^\W*would it (?:look|be|come|get) (?:more like|closer to|nearer to|like) the target (?:if|when)(?: i\b)?",
        "should",
    ),
    (r"^\W*would it (?:help|be (?:closer|better|right)) (?:with|having|to have)\b", "should i have"),
    (r"^\W*would it (?:help|be (?:closer|better|right))(?: if| when)? ?(?:i|to)?\b", "should i"),
    (
        r"^\W*would it (?:bring|take|get|move) (?:me|us|my \w+|the page|it) (?:any )?(?:closer|nearer)"
        r"(?: to the target(?: page| design)?)?,? (?:to|if i)\b",
        "should i",
    ),
    (rf"^\W*would ({_GERUND}.*?) {_CLOSER}\W*$", r"should i \1?"),
    (rf"^\W*would (.*?) {_CLOSER}\W*$", r"should i have \1?"),
    (
        r"^\W*would (.*?) (?:be|look|come|get) (?:closer|nearer|more like|better)(?: to)?(?: the look of)?"
        r"(?: the target)?\W*$",
        r"should i have \1?",
    ),
    (r"^\W*is (an? .*?),? (?:right|correct|the right \w+(?: for .*)?)\W*$", r"should i have \1?"),
    (r"^\W*is it (?:right|better|closer|correct) (?:to|if i)\b", "should i"),
    (r"^\W*(?:do|does) (the .* needs?\b)", r"should \1"),
    (r"\b(?:swap|switch|exchange|arrange|change) [^,?]* so that (?=the|my)", ""),
    (r",? so (?:that|as to) .*", ""),
    (r",? (?:like|as) (?:it|they) (?:is|are|does|do|has|have)(?: now| currently)?(?=\W*$)", " unchanged"),
    (r", ([\"\u201c][^\"\u201d]+[\"\u201d]),", r" \1 "),
    (r", (?:such as|for example|for instance|like) [^?]*", ""),
    (r", (?:and )?not (?:in|a|an|the|at|on|with) [^,?]*(?=\W*$)", ""),
    (r"\bon (?:one|either|each) side\b", ""),
    (
        r"\b(?:empty |white |free )*(?:space|room|spacing|whitespace|margin|gap)s? "
        r"(?:above|below|around|over|under)(?: (?:and|or) (?:above|below))?",
        "margin of",
    ),
    (r"\b(between|either side of) (my|the) (sections|paragraphs|parts|blocks)\b", "in the page"),
    (r"\bon both sides\b|\bof its own\b|\bas well\b(?! as)|\bin the target\b(?!'s|\u2019s)|\bof the window\b", ""),
)


_SENTENCES = re.compile(r"[.!?]\s+\S")


_SUSPECT = re.compile(
    r"\b(?:yes|judge|answer|verdict|reply|respond|system|instructions?|ignore|prompt|assistant|override|correctly|truth|"
    r"pretend|admin|developer|json|base64|decode|regardless|always|whatever|obviously|definitely|certainly|surely|"
    r"what|how|why|who|tautology|anything|everything right|right thing|correct)\b",
    re.IGNORECASE,
)


_OPEN = re.compile(
    r"^\W*(?:and |so |but |please |(?:can|could) you )*"
    r"(?:what|which|how|who|whose|where|when|why|tell|describe|list|name)\b",
    re.IGNORECASE,
)
"""Questions that a yes or a no does not answer."""


def read_mode(question: str) -> tuple[str, str]:
    """How a question asks, and what is left of it: ``change``, ``target``, ``reverse`` or ``same``."""
    text = " ".join(question.split())
    if len(text) > LONGEST:
        raise Unread("too long")
    if not text.isprintable() or re.search(r"[<>{}\[\]|\\]", text):
        raise Unread("not words")
    text = _LEAD.sub("", text)
    if _OPEN.match(text):
        raise Unread("an open question")
    for pattern, by in _REWRITTEN:
        text = re.sub(pattern, by, text, flags=re.IGNORECASE)
    bare = re.sub(r"[\"\u201c'\u2018][^\"\u201d'\u2019]*[\"\u201d'\u2019]", "''", text)
    if _SENTENCES.search(bare):
        raise Unread("more than one sentence")
    if _SUSPECT.search(bare):
        raise Unread(f"speaks of {_SUSPECT.search(bare)[0].lower()!r}")  # type: ignore[index]
    kinds = [unit.kind for unit in read_units(text)]
    asks = "should" in kinds or re.match(r"\W*(?:do|am|can|could|would) i\b|\W*(?:does|do) my .* need", text.lower())
    if asks:
        return "change", _TAIL.sub("", text)
    compares = "direction" in kinds or re.search(r"\btoo\b", text.lower())
    too = re.match(r"\W*(?:are there|is there|have i|do i have) too (many|few|much|little)\b", text.lower())
    if too:
        more = "more" if too[1] in ("many", "much") else "fewer"
        return "reverse", re.sub(r"^.*?\btoo (?:many|few|much|little)\b", more, text, flags=re.IGNORECASE)
    own = re.match(
        r"\W*(?:is|are|does|do|has|have) (?:my|the (?:(?!target|than).){1,40}? (?:on|of|in|inside) my)\b", text.lower()
    )
    if own and re.search(r"\btoo\b", text.lower()):
        return "reverse", text
    if own:
        same = "same" in kinds or re.search(r"\b(?:match|same|identical|like)", text.lower())
        if not same and not compares:
            raise Unread("asks of the own page alone")
        return ("same" if same else "reverse"), text
    if "same" in kinds and re.search(r"\bmy\b|\bmine\b", text.lower()):
        return "same", text
    if compares and not re.search(r"\bthan the\b(?! target)", text.lower()):
        return "change", text
    if "target" in kinds or re.match(r"\W*(?:is|are|does|do|has|have|was|were)\b", text.lower()):
        return "target", text
    raise Unread("asks nothing of the page")
