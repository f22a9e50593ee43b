"""The page of a comparison with pass@k: both tables, and each player's pass@k beside what it solved by asking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from interactive_envs.errors import MissingExtraError
from interactive_envs.reporting import charts, run_tables
from interactive_envs.reporting.charts import Chart
from interactive_envs.reporting.page import as_bytes, templates
from interactive_envs.reporting.tables import Column, Table, percent, points
from interactive_envs.system.disk import write_atomically

CHARTS = 12
"""Players that have a chart; the tables hold all."""
PROBLEMS = 500
"""Problems that the page lists; the file holds all."""
UNITS = {"all": "read and written", "written": "written", "messages": "messages"}
LABELS = ("player", "condition", "k*")


def write(folder: Path, content: Mapping[str, Any]) -> Path:
    """Write ``passk.html`` with its charts in ``charts/``; without matplotlib it says so.

    Args:
        folder: the comparison's folder.
        content: what :func:`interactive_envs.evaluation.passk.compare` made.

    Returns:
        The page's path.
    """
    try:
        figures, no_charts = draw(content), ""
    except MissingExtraError as error:
        figures, no_charts = [], str(error)
    for figure in figures:
        figure.save(folder / "charts")
    parts = {
        "content": content,
        "tables": tables(content),
        "notes": notes(content),
        "figures": figures,
        "no_charts": no_charts,
        "cell": run_tables.write_cell,
        "problems": _problems(content["players"]),
        "problems_shown": PROBLEMS,
    }
    path = folder / "passk.html"
    write_atomically(path, as_bytes(templates(__package__).get_template("passk.html.j2").render(**parts)))
    return path


def tables(content: Mapping[str, Any]) -> list[Table]:
    """Accuracy at equal budgets, and the budgets."""
    players = content["players"]
    accuracy = Table(
        "accuracy",
        "Accuracy at equal budgets",
        "Share of problems solved, in percent, with 95 % intervals; n counts problems. Interactive: by asking. "
        "pass@k: by at least one of k attempts without asking, estimated without bias. k*: the k whose attempts cost "
        "most nearly what a dialogue costs, by the count marked * under Budgets. Difference: interactive minus "
        "pass@k*, on the same problems, in points.",
        LABELS,
        (
            Column("accuracy", "interactive", percent),
            Column("pass1", "pass@1", percent),
            Column("pass_at_k", "pass@k*", percent),
            Column("difference", "difference", points),
        ),
        tuple(
            _labels(player)
            | {"pass1": player["pass_at"][0], **{key: player[key] for key in ("accuracy", "pass_at_k", "difference")}}
            for player in players
        ),
    )
    budgets = Table(
        "budgets",
        "Budgets",
        "What the player itself spent, as the provider counted it: tokens written, thinking included, or read and "
        "written; messages where no token was counted. n of a cost counts episodes. No budget holds the judge's "
        "tokens. k*, pass@k* and difference are by that count (7, shown 6: only 6 attempts were made, and pass@6 is "
        "shown); * marks the count of the table above.",
        (*LABELS[:2], "counted", "k*"),
        (
            Column("pass_at_k", "pass@k*", percent),
            Column("difference", "difference", points),
            Column("interactive", "a dialogue", _amount),
            Column("pass1", "an attempt", _amount),
            Column("judge", "judge,|a dialogue", _amount),
        ),
        tuple(
            _labels(player)
            | {
                "counted": UNITS[unit] + (" *" if unit == player["unit"] and len(player["budget"]) > 1 else ""),
                "k*": _k(budget["k"], budget["k_shown"]),
                "pass_at_k": budget["pass_at_k"],
                "difference": budget["difference"],
                "interactive": budget["interactive"],
                "pass1": budget["pass1"],
                "judge": player["judge_tokens"]["interactive"],
            }
            for player in players
            for unit, budget in player["budget"].items()
        ),
    )
    return [accuracy, budgets]


def notes(content: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """What a reader must know of the numbers: a sentence, and the players that it is about."""
    about: dict[str, list[str]] = {}
    for player in content["players"]:
        for note in player["notes"]:
            about.setdefault(note, []).append(player["agent"])
    return list(about.items())


def draw(content: Mapping[str, Any]) -> list[Chart]:
    """pass@k by k with the interactive accuracy as a line, a chart a player.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    with charts.style():
        return list(_curves(content["players"]))


def _curves(players: Sequence[Mapping[str, Any]]) -> Iterator[Chart]:
    for place, player in enumerate(players[:CHARTS]):
        curve = [(point["k"], point) for point in player["pass_at"]]
        level = [(k, player["accuracy"]) for k, _ in curve]
        if len(curve) == 1:
            level.append((2, player["accuracy"]))  # a line needs two ends
        lines = [
            ("interactive", {"color": charts.COLOURS[1], "marker": ""}, level),
            ("pass@k", {"color": charts.COLOURS[0], "marker": "o"}, curve),
        ]
        at_k = player["k"] is not None and player["k"] == player["k_shown"]
        label = f"attempts k, dashed: k* = {player['k']}" if at_k else "attempts k"
        figure = charts.line_figure({charts.fit(player["agent"], 40): lines}, label, steps=False)
        (axes,) = figure.axes
        if len(curve) > 8:
            axes.locator_params(axis="x", integer=True, nbins=8)
        if at_k:
            axes.axvline(player["k"], color=charts.MUTED, linewidth=1.0, linestyle=(0, (3, 3)))
        table = [("pass@k", k, *(point[part] for part in charts.NUMBERS)) for k, point in curve] + [
            ("interactive", "", *(player["accuracy"][part] for part in charts.NUMBERS))
        ]
        caption = (
            "Share of problems solved by at least one of k attempts, and by asking; bands are 95 % intervals."
            + (" At k* the attempts cost what a dialogue costs." if at_k else "")
            + (charts.left_out_note(len(players), CHARTS) if place == CHARTS - 1 else "")
        )
        header = ("curve", "k", *charts.NUMBERS)
        name = f"passk_{place + 1}"
        yield charts.as_chart(name, f"pass@k of player {place + 1}", caption, figure, (header, *table))


def _labels(player: Mapping[str, Any]) -> dict[str, str]:
    plural = "" if player["attempts"] == 1 else "s"
    return {
        "player": player["agent"],
        "condition": f"{player['attempts']} attempt{plural}",
        "k*": _k(player["k"], player["k_shown"]),
    }


def _k(k: int | None, shown: int | None = None) -> str:
    """k*, and where fewer attempts were made the k that is shown."""
    if k is None:
        return "-"
    return str(k) if shown in (None, k) else f"{k}, shown {shown}"


def _amount(value: float) -> str:
    """Tokens or messages, long numbers in thousands."""
    if value >= 10_000:
        return f"{value / 1000:,.1f}k"
    return f"{value:,.0f}" if value >= 100 else f"{value:,.1f}"


def _problems(players: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """For every problem what each player made of it, None where it is left out."""
    problems_of = [{problem["case"]: problem for problem in player["problems"]} for player in players]
    cases = list(dict.fromkeys(case for problems in problems_of for case in problems))
    return [{"case": case, "players": [problems.get(case) for problems in problems_of]} for case in cases]
