"""Measures of letters: family, slant, decoration, case, spacing."""

from __future__ import annotations

import re
from collections import Counter

from interactive_envs.ui2html.judge.look.part import Part, measures, median_of, most_frequent, words_in


@measures("line height")
def _line_height(part: Part) -> float | None:
    found = []
    for i in words_in(part):
        node = part.view.nodes[i]
        line = node.style.get("line-height", "normal")
        found.append(1.15 if line == "normal" else float(line.removesuffix("px") or 0) / max(1.0, node.size))
    return median_of(found)


@measures("letter spacing")
def _letter_spacing(part: Part) -> float | None:
    values = [part.view.nodes[i].style.get("letter-spacing", "normal") for i in words_in(part)]
    return median_of([0.0 if value == "normal" else float(value.removesuffix("px") or 0) for value in values])


@measures("family")
def _family(part: Part) -> str | None:
    found = Counter[str]()
    for i in words_in(part):
        found[generic(part.view.nodes[i].font)] += len(part.view.nodes[i].text)
    return found.most_common(1)[0][0] if found else None


_FAMILIES = (
    ("monospace", ("mono", "courier", "consol", "menlo", "code", "typewriter")),
    (
        "sans-serif",
        ("sans", "arial", "helvetica", "verdana", "tahoma", "segoe", "roboto", "inter", "system-ui", "trebuchet"),
    ),
    (
        "serif",
        ("serif", "times", "georgia", "garamond", "palatino", "cambria", "baskerville", "playfair", "merriweather"),
    ),
)


def generic(families: str) -> str:
    """The generic family that a list of families is drawn in.

    >>> generic('Georgia, "Times New Roman", serif'), generic("system-ui, sans-serif"), generic("Unheard Of")
    ('serif', 'sans-serif', 'serif')
    """
    for name in families.lower().replace('"', "").split(","):
        for family, parts in _FAMILIES:
            if any(part in name for part in parts):
                return family
    return "serif"  # what the browser falls back to


@measures("slant")
def _slant(part: Part) -> str | None:
    styles = [part.view.nodes[i].style.get("font-style", "normal") for i in words_in(part)]
    return {None: None, "normal": "upright"}.get(most_frequent(styles), "italic")


@measures("decoration")
def _decoration(part: Part) -> str | None:
    found = []
    for i in words_in(part):
        above = [i, *part.view.above(i)[:2]]
        lines_ = " ".join(part.view.nodes[j].style.get("text-decoration-line", "") for j in above)
        edge = part.view.nodes[i].borders[2].width > 0 and part.view.nodes[i].style.get("display") == "inline"
        kind = "strike" if "line-through" in lines_ else "underline" if "underline" in lines_ or edge else "none"
        found.append(kind)
    return most_frequent(found)


@measures("case")
def _case(part: Part) -> str | None:
    found = []
    for i in words_in(part):
        node = part.view.nodes[i]
        text = re.sub(r"[^A-Za-z]", "", node.text)
        change = node.style.get("text-transform", "none")
        if len(text) > 1:
            upper = change == "uppercase" or (text.isupper() and change == "none")
            lower = change == "lowercase" or (text.islower() and change == "none")
            found.append("upper" if upper else "lower" if lower else "mixed")
    return most_frequent(found)
