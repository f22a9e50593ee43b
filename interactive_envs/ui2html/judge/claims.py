"""Whether a claim about a page and its target holds, by its kind; each with how it was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from interactive_envs.ui2html.judge.language.clauses import Clause, Phrase, Unread
from interactive_envs.ui2html.judge.look.measures import margin, shown, squeezed
from interactive_envs.ui2html.judge.look.part import MEASURES, Part
from interactive_envs.ui2html.judge.page.finding import Pages, find, pair, words_of
from interactive_envs.ui2html.judge.page.places import captioned, headed, lies, where
from interactive_envs.ui2html.judge.page.view import textual
from interactive_envs.ui2html.judge.values import (
    LIMITS,
    NUMERIC,
    alike,
    apart,
    columned,
    comes_near,
    compared,
    directed,
    graded,
    holds,
    matches,
    meant,
    measured,
    number,
    seen,
    those_with,
    within,
)

_UNIQUE = frozenset(
    "header navbar nav hero sidebar footer main table form search checkbox crumbs notice warning chart "
    "calendar legend "
    "board total copyright newsletter map closing gallery brand title subtitle container code byline forgot "
    "mark faq".split()
)
_NAMES = ("name", "title", "heading", "cardtitle", "label")
_HEADED = ("title", "heading", "subheading", "cardtitle")
_PLAIN = frozenset("short small little brief explanatory explaining extra secondary helper".split())
"""Words before a text or a heading that need not be found on a page."""
_CAPTIONS = ("text", "label", "subtitle")
_KEPT = (
    "count",
    "colour",
    "ink",
    "font size",
    "alignment",
    "family",
    "weight",
    "width",
    "height",
    "edge",
    "radius",
    "x",
    "y",
)


def decide_apart(clause: Clause, mode: str, pages: Pages) -> tuple[bool, str]:
    """The room between two parts."""
    if clause.main is None or clause.reference is None or not clause.directions:
        raise Unread("what between them")
    sign = clause.directions[0][1] * (-1 if mode == "reverse" else 1)
    one, other = pair(clause.main, pages), pair(clause.reference, pages)
    rooms = []
    for left, right in zip(one, other, strict=True):
        if not left.found or not right.found:
            raise Unread(f"no such subject {clause.reference if left.found else clause.main}")
        a, b = left.view.union(left.found), right.view.union(right.found)
        rooms.append(max(b.x - a.x - a.width, a.x - b.x - b.width, b.y - a.y - a.height, a.y - b.y - b.height))
    result = (rooms[0] - rooms[1]) * sign > margin("gap", max(map(abs, rooms)))
    detail = f"room between {clause.main} and {clause.reference}; target {rooms[0]:.4g}, page {rooms[1]:.4g}"
    return result != (clause.negations % 2 == 1), detail


def answer_of(clause: Clause, mode: str, target: bool, page: bool, negated: bool) -> bool:
    """The answer from whether the target and the page are as claimed."""
    if negated:
        target, page = not target, not page
    if mode in ("target", "own"):
        return target if mode == "target" else page
    return target and not page


def decide_kept(clause: Clause, mode: str, pages: Pages) -> tuple[bool, str]:
    """Something shall stay: both pages have it, alike."""
    phrase = clause.subject
    if clause.directions:
        raise Unread("keeps and changes")
    there, here = pair(phrase, pages)
    values = clause.values + (phrase.values if not clause.values else [])
    negated = clause.negations % 2 == 1
    if values:
        name, value = meant(clause, values)
        both = holds(there, name, value) and holds(here, name, value)
        return both != negated, f"keep {phrase} {value}"
    if clause.places or clause.numbers or phrase.number is not None:
        kept = replace(clause, verb="move" if clause.places else "have", flags=clause.flags - {"unchanged"})
        decide = decide_place if clause.places else decide_count
        result, detail = decide(kept, "target", False, pages)
        own, _ = decide(kept, "own", False, pages)
        return (result and own) != negated, f"keep {detail}"
    if clause.quotes:
        quoted = all(squeezed(q) in squeezed(_text(part)) for q in clause.quotes for part in (there, here))
        return quoted != negated, f"keep {phrase} {clause.quotes}"
    names = [measured(clause, phrase)] if clause.aspect else []
    if not names and phrase.role == "text" and phrase.within is not None:
        names = ["content"]
    if not names and "unchanged" not in clause.flags and mode != "same":
        return bool(there.found) != negated, f"keep {phrase}; target has {len(there.found)}"
    if not there.found or not here.found:
        return negated, f"keep {phrase}; target has {len(there.found)}, page {len(here.found)}"
    if "size" in names and not textual(phrase.role):
        names = ["width", "height"]
    if "position" in names:
        names = ["x", "y"]
    changed = [name for name in names or _KEPT if apart(name, there, here)]
    return (
        not changed
    ) != negated, f"keep {phrase}: {', '.join(names) or 'all'}; differs in {', '.join(changed) or 'nothing'}"


def decide_value(clause: Clause, mode: str, negated: bool, pages: Pages) -> tuple[bool, str]:
    """A value that a property shall have: the target has it, the page has not."""
    phrase = clause.subject
    values = clause.values + ([] if clause.values else phrase.values)
    if clause.lengths or (clause.numbers and clause.aspect):
        return _decide_measure(clause, mode, negated, pages)
    if not values and clause.verb in ("change", "set", "have", ""):
        return _decide_changed(clause, mode, negated, pages)
    if not values and clause.verb in ("add", "remove"):
        raise Unread(f"cannot {clause.verb} {clause.aspect}")
    if not values:
        return _decide_changed(clause, mode, negated, pages)
    if clause.verb == "remove":
        negated = not negated
    if clause.values and phrase.values:
        # "a dark header with white text" names which header.
        phrase.values = []
    if len({name for name, _ in values} - {"lightness", "colour"}) + any(name == "colour" for name, _ in values) > 1:
        return _decide_several(clause, values, mode, negated, pages)
    name, value = meant(clause, values)
    there, here = pair(replace(phrase, values=[]), pages)
    if name in ("alignment",) and phrase.role == "page" and clause.aspect != "alignment":
        there, here = (part._replace(found=part.view.find("main") or part.found) for part in (there, here))
    if (name == "wrapped" or (not there.found and not here.found)) and not there.found and not here.found:
        raise Unread(f"no such subject {phrase}")
    if mode == "target" and not there.found:
        return negated, f"{phrase} {value}; target has none"
    target, page = holds(there, name, value), holds(here, name, value)
    if not there.found:
        target = False
    wanted = clause.numbers[-1] if clause.numbers else phrase.number
    if name == "arrangement" and mode == "target" and wanted is not None:  # "four cards in a row"
        if len(there.found) == 1:
            raise Unread(f"a number of what in {phrase}")
        target = target and len(there.found) == wanted
    looks = f"target {seen(name, there)}, page {seen(name, here)}"
    return answer_of(
        clause, mode, target, page, negated
    ), f"{phrase}.{name} {'not ' if negated else ''}{value}; {looks}"


def _decide_several(
    clause: Clause, values: Sequence[tuple[str, str]], mode: str, negated: bool, pages: Pages
) -> tuple[bool, str]:
    """Values of several properties, which must all hold of the target, and not all of the page."""
    phrase = clause.subject
    names = dict.fromkeys(name for name, _ in values if name != "lightness")
    if len(names) > 3:
        raise Unread("a list of guesses")
    there, here = pair(replace(phrase, values=[]), pages)
    if not there.found and not here.found:
        raise Unread(f"no such subject {phrase}")
    groups = [
        [pair for pair in values if pair[0] == name or (name == "colour" and pair[0] == "lightness")] for name in names
    ]
    wanted = [meant(clause, group) for group in groups]
    target, page = (all(holds(part, *value) for value in wanted) for part in (there, here))
    detail = f"{phrase} {', '.join(f'{name} {value}' for name, value in wanted)}; target {target}, page {page}"
    return answer_of(clause, mode, target, page, negated), detail


def _decide_changed(clause: Clause, mode: str, negated: bool, pages: Pages) -> tuple[bool, str]:
    """A change without direction is right where the two differ."""
    phrase = clause.subject
    if not clause.aspect or "same" in clause.flags:
        if "same" in clause.flags and clause.aspect and (phrase.plural or "each" in clause.flags):
            return _decide_uniform(clause, mode, negated, pages)
        if not clause.aspect:
            raise Unread("cannot read what shall change")
    name = measured(clause, phrase)
    if name in ("position", "order", "decoration", "theme"):
        raise Unread(f"cannot compare the {name}")
    there, here = pair(phrase, pages)
    if not there.found or not here.found:
        raise Unread(f"no such subject {phrase} in the {'target' if not there.found else 'page'}")
    if clause.verb not in ("change",) and "same" not in clause.flags and mode == "change":
        raise Unread(f"no value for {name}")
    if mode in ("target", "own"):
        raise Unread(f"no value for {name}")
    changed = apart(name, there, here)
    return changed != negated, f"{phrase}.{name} differs; target {seen(name, there)}, page {seen(name, here)}"


def _decide_uniform(clause: Clause, mode: str, negated: bool, pages: Pages) -> tuple[bool, str]:
    phrase = clause.subject
    name = measured(clause, phrase)
    there, here = pair(phrase, pages)
    target, page = alike(name, there), alike(name, here)
    return answer_of(clause, mode, target, page, negated), f"{phrase}.{name} all alike; target {target}, page {page}"


def _decide_measure(clause: Clause, mode: str, negated: bool, pages: Pages) -> tuple[bool, str]:
    """A length or a number that a property shall have."""
    phrase = clause.subject
    wanted = clause.lengths[-1] if clause.lengths else clause.numbers[-1]
    name = measured(clause, phrase) if clause.aspect else "font size" if textual(phrase.role) else ""
    name = {
        "size": "font size" if textual(phrase.role) else "width",
        "spacing": "gap" if phrase.plural else "padding",
    }.get(name, name)
    if clause.directions:
        return decide_direction(replace(clause, lengths=[], numbers=[]), mode, negated, pages)
    if name not in NUMERIC:
        raise Unread(f"a number for {name or 'nothing'}")
    there, here = pair(phrase, pages)
    if name in ("columns", "rows") and phrase.role == "page":
        there, here = columned(there, name), columned(here, name)
    if not there.found and not here.found:
        raise Unread(f"no such subject {phrase}")
    bounds = [within(number(part, name), wanted, clause.flags) for part in (there, here)]
    target, page = (
        comes_near(name, part, wanted) if bound is None else bound
        for part, bound in zip((there, here), bounds, strict=True)
    )
    looks = f"target {seen(name, there)}, page {seen(name, here)}"
    return answer_of(clause, mode, target, page, negated), f"{phrase}.{name} {wanted:g}; {looks}"


def decide_direction(clause: Clause, mode: str, negated: bool, pages: Pages) -> tuple[bool, str]:
    """More or less of a property: the target has, by what can be seen."""
    phrase = clause.subject
    if clause.nth and directed(clause, phrase, "") == "":
        return _decide_more(clause, phrase, 1, mode, negated, pages)
    if mode == "target":
        raise Unread("a comparison with nothing")
    if len(clause.directions) > 2 or len({sign for _, sign in clause.directions}) > 1:
        raise Unread("two directions")
    direction, sign = clause.directions[0]
    if len(clause.directions) == 2 and direction != "" and clause.directions[1][0] != "":
        raise Unread("two directions")
    if len(clause.directions) == 2:
        direction = direction or clause.directions[1][0]
    if clause.verb == "remove" and direction == "":
        sign = -sign
    name = directed(clause, phrase, direction)
    if name == "":
        return _decide_more(clause, phrase, sign, mode, negated, pages)
    if name == "lightness" and phrase.role == "text" and phrase.within is None:
        name = "ink lightness"
    values = clause.values
    if values and direction == "" and not clause.aspect:
        name, sign = graded(clause, values, sign)
        if name == "":
            return decide_value(replace(clause, directions=[]), mode, negated != (sign < 0), pages)
    elif values and ("width", "full") in values:
        return decide_value(replace(clause, directions=[], aspect=""), mode, negated, pages)
    elif values and not all(n in ("lightness", "colour", name) for n, _ in values):
        raise Unread("a direction and a value")
    if name == "edge" and clause.aspect == "edge colour" and values:
        there, _ = pair(replace(phrase, values=[]), pages)
        if not matches(there, "edge colour", meant(clause, values)[1]):
            return negated, f"{phrase}.edge colour; target {seen('edge colour', there)}"
    there, here = pair(replace(phrase, values=[]), pages)
    if name in ("columns", "rows") and phrase.role == "page":
        there, here = columned(there, name), columned(here, name)
    if name == "gap" and clause.aspect == "gap" and len(there.found) == 0:
        raise Unread(f"no such subject {phrase}")
    missing = [which for which, part in (("target", there), ("page", here)) if not part.found]
    if missing and name != "count":
        if len(missing) == 2:
            raise Unread(f"no such subject {phrase}")
        return False, f"{phrase}.{name} {'more' if sign > 0 else 'less'}; none in the {missing[0]}"
    differs, detail = _decide_gap(phrase, name, -sign if mode == "reverse" else sign, negated, there, here)
    tall = phrase.role == "page" and direction == "height" and there.view.height == here.view.height
    if tall and differs != negated:
        # What is on one page ends lower, yet in formulas the pages are as tall: both fill the window.
        raise Unread("both pages are as tall")
    return differs, detail


def _decide_gap(phrase: Phrase, name: str, sign: int, negated: bool, there: Part, here: Part) -> tuple[bool, str]:
    """Whether the target has more of a property, or less where the sign is -1, by what can be seen."""
    target, page = MEASURES[name](there), MEASURES[name](here)
    if not isinstance(target, float | int) or not isinstance(page, float | int):
        raise Unread(f"cannot measure {name} of {phrase}")
    gap = (target - page) * sign
    least = margin(name, max(abs(target), abs(page)))
    if abs(gap) <= least:
        # What the player sees to differ may be something else; a formula asks for it exactly.
        raise Unread(f"{name} of {phrase} is about the same on both pages")
    more = "more" if sign > 0 else "less"
    detail = f"{phrase}.{name} {more}; target {shown(float(target))}, page {shown(float(page))}"
    return (gap > least) != negated, detail


def _decide_more(clause: Clause, phrase: Phrase, sign: int, mode: str, negated: bool, pages: Pages) -> tuple[bool, str]:
    if phrase.role in ("page", "main", "container", "header", "hero"):
        raise Unread("more of what")
    if phrase.role == "faq":
        phrase.role = "question"
    there, here = find(replace(phrase, ordinal=None), pages)
    if clause.nth:
        target, page = (len(part.found) >= clause.nth for part in (there, here))
        detail = f"at least {clause.nth} {phrase}; target {len(there.found)}, page {len(here.found)}"
        return answer_of(clause, mode, target, page, negated), detail
    gap = (len(there.found) - len(here.found)) * sign * (-1 if mode == "reverse" else 1)
    detail = f"{'more' if sign > 0 else 'fewer'} {phrase}; target {len(there.found)}, page {len(here.found)}"
    return (gap > 0) != negated, detail


def decide_count(clause: Clause, mode: str, negated: bool, pages: Pages) -> tuple[bool, str]:
    """A number of parts."""
    phrase = clause.subject
    wanted = clause.numbers[-1] if clause.numbers else phrase.number
    if phrase.role == "faq":
        phrase.role = "question"
    if wanted is None or phrase.role in ("page", "main"):
        raise Unread("a number of what")
    bare = replace(phrase, number=None, values=[])
    there, here = find(bare, pages)
    if phrase.values:
        name, value = meant(clause, phrase.values)
        there, here = (those_with(part, name, value) for part in (there, here))
    counts = len(there.found), len(here.found)
    detail = f"number of {bare} is {wanted:g}; target {counts[0]}, page {counts[1]}"
    bounds = [within(count, wanted, clause.flags) for count in counts]
    if bounds[0] is not None:
        limit = next(flag for flag in LIMITS if flag in clause.flags)
        return answer_of(clause, mode, bounds[0], bool(bounds[1]), negated), f"{limit}: {detail}"
    target, page = counts[0] == wanted, counts[1] == wanted
    if (
        clause.verb == "add"
        and mode == "change"
        and clause.verb_text in ("add", "insert", "put in", "introduce")
        and counts[1] > 0
    ):
        target = target or counts[0] - counts[1] == wanted
    if clause.verb == "remove" and mode == "change":
        target, page = counts[1] - counts[0] == wanted, False
    return answer_of(clause, mode, target, page, negated), detail


def decide_some(clause: Clause, mode: str, negated: bool, pages: Pages) -> tuple[bool, str]:
    """Of several parts one or a number have a value; "turn one of them off" is right where the target has more such."""
    phrase = clause.subject
    values = clause.values or phrase.values
    if not values or clause.directions or clause.reference is not None or clause.places or clause.verb == "keep":
        raise Unread(f"which of the {phrase}")
    name, value = meant(clause, values)
    there, here = find(replace(phrase, number=None, values=[]), pages)
    if not there.found and not here.found:
        raise Unread(f"no such subject {phrase}")
    target, page = (len(those_with(part, name, value).found) for part in (there, here))
    wanted = clause.numbers[-1] if clause.numbers else 1
    detail = f"{wanted:g} of {phrase} {value}; target {target}, page {page}"
    if clause.numbers or clause.flags & {*LIMITS, "not alone"}:
        bounds = [within(count, wanted, clause.flags) for count in (target, page)]
        ones = [
            count == wanted if bound is None else bound for count, bound in zip((target, page), bounds, strict=True)
        ]
        return answer_of(clause, mode, ones[0], ones[1], negated), detail
    if mode == "target":
        return (target > 0) != negated, detail
    return (target > page) != negated, detail


def decide_presence(clause: Clause, mode: str, negated: bool, pages: Pages) -> tuple[bool, str]:
    """Something is there, or is not."""
    phrase = clause.subject
    if phrase.role in ("page", "main", "section", "text", "container") and not phrase.words and not phrase.quote:
        raise Unread(f"{phrase} is on every page")
    values = [*phrase.values, *clause.values]
    bare = replace(phrase, values=[])
    if mode == "change" and clause.verb != "remove":
        bare = replace(bare, ordinal=None) if not bare.side else bare
    there, here = find(bare, pages, lenient=clause.verb in ("add", "have") or mode == "target")
    if values and {name for name, _ in values} - {"size"}:
        name, value = meant(clause, [v for v in values if v[0] != "size"])
        there, here = (those_with(part, name, value) for part in (there, here))
    target, page = len(there.found), len(here.found)
    detail = f"{'remove' if clause.verb == 'remove' else 'has'} {phrase}; target {target}, page {page}"
    if mode == "target":
        return (target > 0) != negated, detail
    if clause.verb == "remove" or (negated and clause.verb in ("have", "add", "set", "")):
        twice = clause.verb == "remove" and negated
        named = phrase.role in _UNIQUE or phrase.plural or phrase.words or phrase.quote
        whole = (named or phrase.article in ("the", "my")) and "one of" not in clause.flags
        result = page > 0 and target == 0 if whole else page > target
        return result != twice, detail
    counted = phrase.article in ("a", "an", "one") and not phrase.plural
    if not counted or phrase.role in _UNIQUE or phrase.words or phrase.quote or values:
        return target > 0 and page == 0, detail
    return target > page, detail


def decide_text(clause: Clause, mode: str, negated: bool, pages: Pages) -> tuple[bool, str]:
    """Something reads so."""
    phrase = clause.subject
    if clause.aspect and clause.aspect not in ("content", "background"):
        raise Unread(f"a text for {clause.aspect}")
    wanted = [squeezed(quote) for quote in clause.quotes]
    if not all(wanted):
        raise Unread("an empty text")
    if phrase.role == "page" and clause.verb in ("set", "move", "") and mode == "change" and "text" not in clause.verb:
        raise Unread("what shall read so")
    if clause.verb == "add" and phrase.role in (
        "button",
        "link",
        "navlink",
        "card",
        "badge",
        "field",
        "item",
        "heading",
    ):
        return decide_presence(
            replace(clause, main=replace(phrase, quote=clause.quotes[0]), quotes=[]), mode, negated, pages
        )
    if phrase.quote and len(clause.quotes) == 1:
        # "change the 'Sign in' button to 'Enter'": it will no longer be called so.
        phrase = replace(phrase, quote="")
    there, here = pair(replace(phrase, values=[]), pages)
    text = squeezed(_text(there)), squeezed(_text(here))
    target, page = (all(f" {quote} " in f" {words} " for quote in wanted) for words in text)
    if target and page and all(quote in _text(there) and quote not in _text(here) for quote in clause.quotes):
        page = False  # the same words in other letters
    detail = (
        f"{phrase} reads {', '.join(map(repr, clause.quotes))}; target {shown(_text(there))}, page {shown(_text(here))}"
    )
    return answer_of(clause, mode, target, page, negated), detail


def _text(part: Part) -> str:
    return " \n ".join(part.view.text(i) or words_of(part.view, i) for i in part.found)


def decide_relation(clause: Clause, mode: str, negated: bool, pages: Pages) -> tuple[bool, str]:
    """Two parts of one page compared: larger than, the same colour as."""
    phrase, other = clause.subject, clause.reference or clause.subject
    if clause.verb == "keep":
        raise Unread("keeps a relation")
    if "others" in clause.flags:
        return _decide_among(clause, mode, negated, pages)
    ones, others = pair(phrase, pages), pair(other, pages)
    if clause.directions:
        if other.role == phrase.role and str(other) == str(phrase):
            return decide_direction(replace(clause, reference=None), mode, negated, pages)
        name, sign = compared(clause, phrase)
        name = name or ("count" if phrase.plural else "")
        if not name:
            raise Unread("more of what")
        found = [
            number(a, name) * sign > number(b, name) * sign + margin(name, number(b, name))
            if a.found and b.found
            else False
            for a, b in zip(ones, others, strict=True)
        ]
        detail = f"{phrase}.{name} {'over' if sign > 0 else 'under'} {other}"
    elif "same" in clause.flags:
        name = measured(clause, phrase)
        found = [bool(a.found and b.found) and not apart(name, a, b) for a, b in zip(ones, others, strict=True)]
        detail = f"{phrase}.{name} same as {other}"
    else:
        raise Unread(f"what of {other}")
    return answer_of(clause, mode, found[0], found[1], negated), f"{detail}; target {found[0]}, page {found[1]}"


def _decide_among(clause: Clause, mode: str, negated: bool, pages: Pages) -> tuple[bool, str]:
    """One of a group against the rest of it: wider than the others, another colour than the others."""
    phrase = clause.subject
    group = replace(
        phrase, ordinal=None, side="", words=[], quote="", role={"highlighted": "card"}.get(phrase.role, phrase.role)
    )
    ones, groups = find(phrase, pages), find(group, pages)
    if not clause.directions:
        raise Unread("what of the others")
    name, sign = compared(clause, phrase)
    found = []
    for one, all_ in zip(ones, groups, strict=True):
        rest = all_._replace(found=tuple(i for i in all_.found if i not in one.found))
        if not one.found or not rest.found or not name:
            found.append(False)
            continue
        gap = sign * (number(one, name) - number(rest, name))
        found.append(gap > margin(name, number(rest, name)))
    detail = f"{phrase}.{name} {'over' if sign > 0 else 'under'} the others; target {found[0]}, page {found[1]}"
    return answer_of(clause, mode, found[0], found[1], negated), detail


def decide_place(clause: Clause, mode: str, negated: bool, pages: Pages) -> tuple[bool, str]:
    """Something lies somewhere."""
    phrase = clause.subject
    if len(clause.places) > 1 or phrase.role == "page":
        raise Unread("where")
    place, wording = clause.places[0]
    beside = _decide_companion(clause, place, mode, negated, pages)
    if beside is not None:
        return beside
    there, here = find(phrase, pages, lenient=True) if clause.verb in ("add", "have") else pair(phrase, pages)
    if clause.verb == "remove":
        return decide_presence(replace(clause, places=[], reference=None), mode, negated, pages)
    if not there.found and not here.found:
        if clause.verb in ("add", "have") or clause.verb_text == "with" or mode == "target":
            return negated, f"has {phrase}; target 0, page 0"
        raise Unread(f"no such subject {phrase}")
    detail = f"{phrase} {place}{f' {clause.reference}' if clause.reference else ''}"
    others = pair(clause.reference, pages) if clause.reference is not None else (None, None)
    moved = (
        clause.verb == "move"
        and wording in ("to the left", "to the right", "left", "right", "lower")
        and not phrase.within
    )
    if moved and clause.reference is None and mode == "change" and there.found and here.found:
        gap, middle = number(there, "x") - number(here, "x"), number(there, "x") / there.view.width
        result = gap > 24 and middle > 0.45 if place == "right" else gap < -24 and middle < 0.55
        return result != negated, f"{detail}; target x {number(there, 'x'):.0f}, page {number(here, 'x'):.0f}"
    if (
        textual(phrase.role)
        and clause.reference is None
        and place in ("left", "right")
        and phrase.role in ("title", "text", "heading", "subtitle")
    ):
        target, page = (MEASURES["alignment"](part) == place for part in (there, here))
    elif clause.verb == "add" and mode == "change":
        target = any(lies(there._replace(found=(i,)), place, others[0]) for i in there.found)
        page = len(here.found) >= len(there.found) and any(
            lies(here._replace(found=(i,)), place, others[1]) for i in here.found
        )
    else:
        target, page = (lies(part, place, other) for part, other in zip((there, here), others, strict=True))
    looks = f"target {where(there)}, page {where(here)}"
    return answer_of(clause, mode, target, page, negated), f"{detail}; {looks}"


def _decide_companion(clause: Clause, place: str, mode: str, negated: bool, pages: Pages) -> tuple[bool, str] | None:
    """What stands with something else: a heading over it, a text under each, a mark before the name, a side menu."""
    phrase, other = clause.subject, clause.reference
    new = clause.verb in ("add", "have", "remove") or mode == "target" or "be" in clause.verb_text.split()
    new = new or (
        clause.verb == "move" and (phrase.article in ("a", "an", "one") or (not phrase.article and phrase.plural))
    )
    if other is None and "it" in clause.flags and phrase.within is not None:
        phrase, other = replace(phrase, within=None), phrase.within
    elif other is not None and phrase.within and other.within in (None, phrase.within) and other.role in _NAMES:
        phrase, other = replace(phrase, within=None), replace(other, within=phrase.within)
    if not new or phrase.quote or set(phrase.words) - _PLAIN:
        return None
    if phrase.role in ("brand", "mark", "icon") and other and other.role in ("name", "brand") and place == "left of":
        linked = [bool(part.found) for part in find(Phrase("mark"), pages)]
    elif phrase.article in ("the", "my") and clause.verb != "remove":
        return None
    elif phrase.role in ("nav", "navbar") and other is None and place in ("left", "right"):
        side, link = Phrase("sidebar", side=place), Phrase("sidelink")
        there, here = find(side, pages)
        linked = [
            len(part.found) > 0 and len(links.found) > 1 and lies(part, place, None)
            for part, links in zip((there, here), find(link, pages), strict=True)
        ]
    elif other is None:
        return None
    elif phrase.role in _HEADED and place == "above":
        linked = [headed(part) for part in pair(other, pages)]
    elif phrase.role in _CAPTIONS and place in ("above", "below"):
        if phrase.role == "text" and phrase.within is not None:
            return None
        parts = _named_of(other, pages) or pair(other, pages)
        if not any(part.found for part in parts):
            raise Unread(f"no such subject {other}")
        linked = [captioned(part, place) for part in parts]
    else:
        return None
    if clause.verb == "remove":
        linked.reverse()
    detail = f"{phrase} {place}{f' {other}' if other else ''}; target {linked[0]}, page {linked[1]}"
    return answer_of(clause, mode, linked[0], linked[1], negated), detail


def _named_of(other: Phrase, pages: Pages) -> tuple[Part, Part] | None:
    """The names beside switches and their like."""
    if other.within is None or other.within.role not in ("toggle", "checkbox"):
        return None
    there, here = pair(other.within, pages)
    return there._replace(found=_names_beside(there)), here._replace(found=_names_beside(here))


def _names_beside(part: Part) -> tuple[int, ...]:
    found = []
    for index in part.found:
        row = next((a for a in part.view.above(index) if part.view.texts(a)), None)
        found += part.view.texts(row)[:1] if row is not None else []
    return tuple(found)
