"""Finders of tables, lists and calendars."""

from __future__ import annotations

import re

from interactive_envs.ui2html.judge.page.finders.common import find_texts_like, within
from interactive_envs.ui2html.judge.page.view import View, finds


@finds("tablerow")
def _rows(view: View) -> list[int]:
    rows = [i for i in view.tagged("tr") if any(view.nodes[j].tag == "td" for j in view.children[i])]
    return rows or [i for i in view.hinted("row", "row line") if len(view.texts(i)) > 1]


@finds("tablehead")
def _table_head(view: View) -> list[int]:
    return (
        view.tagged("thead")[:1]
        or [i for i in view.tagged("tr") if any(view.nodes[j].tag == "th" for j in view.children[i])][:1]
    )


@finds("tablecolumn")
def _table_columns(view: View) -> list[int]:
    rows = [[j for j in view.children[i] if view.nodes[j].tag in ("td", "th")] for i in view.tagged("tr")]
    return max(rows, key=len, default=[])


@finds("item")
def _items(view: View) -> list[int]:
    nav = set(within(view, (*view.find("nav"), *view.find("footer"))))
    return [i for i in view.tagged("li") if i not in nav]


@finds("calendar")
def _calendar(view: View) -> list[int]:
    named = [i for i in view.hinted("calendar") if view.nodes[i].box.height > 150]
    if named:
        return view.innermost(named)[:1]
    for index in view.tagged("table", "div", "ul"):
        numbers = {view.nodes[i].text.strip() for i in view.texts(index)}
        if {str(day) for day in range(1, 29)} <= numbers and len(view.inside(index)) < 300:
            return view.innermost(
                [i for i in view.tagged("table", "div", "ul") if i in view.inside(index) and len(view.texts(i)) >= 28]
            )[:1]
    return []


@finds("list")
def _lists(view: View) -> list[int]:
    nav = set(within(view, (*view.find("nav"), *view.find("footer"))))
    return [i for i in view.tagged("ul", "ol") if i not in nav]


@finds("marked")
def _marked(view: View) -> list[int]:
    inside = set(within(view, view.find("calendar")))
    return [i for i in view.hinted("marked") if i in inside]


@finds("weekday")
def _weekdays(view: View) -> list[int]:
    return find_texts_like(re.compile(r"^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*$", re.I), 10)(view)


@finds("day")
def _days(view: View) -> list[int]:
    inside = set(within(view, view.find("calendar")))
    named = [i for i in view.tagged("td") if i in inside]
    return named or [i for i in view.hinted("day") if i in inside]


@finds("month")
def _month(view: View) -> list[int]:
    months = "january february march april may june july august september october november december"
    return find_texts_like(re.compile(rf"^(?:{months.replace(' ', '|')})\s+\d{{4}}$", re.I), 20)(view)


@finds("table")
def _tables(view: View) -> list[int]:
    return view.tagged("table")


@finds("cell")
def _cells(view: View) -> list[int]:
    return view.tagged("td")
