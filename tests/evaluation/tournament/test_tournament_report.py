"""A tournament's pages: played by rule players, read as files and in a real browser."""

from __future__ import annotations

import json
import re
import runpy
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.evaluation.tournament import plan
from interactive_envs.evaluation.tournament import play as tournament
from interactive_envs.evaluation.tournament import report as tournament_report
from interactive_envs.evaluation.tournament.play import Player, Tournament
from interactive_envs.holdem.replayer import call_hand
from interactive_envs.reporting import match_charts
from interactive_envs.reporting.matches import MatchReport

CHROMIUM_TESTS = runpy.run_path(str(Path(__file__).parents[1] / "run" / "test_report_in_chromium.py"))
OUTLINE, VISIT, HOSTILE = (
    runpy.run_path(str(Path(__file__).parents[1] / "run" / "test_report.py"))["Outline"],
    CHROMIUM_TESTS["Visit"],
    CHROMIUM_TESTS["HOSTILE"],
)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
in_a_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")


def played(folder: Path, change: Callable[[dict[str, Any]], None], figures: bool = False, **setup: Any) -> Path:
    """Play a tournament, change its records, and write its pages."""
    players = tuple(Player(name, spec) for name, spec in setup.pop("players").items())
    tournament.run(Tournament(players=players, **setup), folder)
    matches = [json.loads(line) for line in (folder / "matches.jsonl").read_text(encoding="utf-8").splitlines()]
    for match in matches:
        change(match)
    lines = "".join(json.dumps(match) + "\n" for match in matches)
    (folder / "matches.jsonl").write_text(lines, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        if not figures:  # they take longer than all the rest
            patch.setattr(tournament_report, "draw", lambda tournament, settings, rows: [])
        return tournament_report.write(folder)


def poker(folder: Path, change: Callable[[dict[str, Any]], None] = lambda match: None, **setup: Any) -> Path:
    players = {"caller": "call-station", "wild": "random", "folder": "fold", "shover": "all-in"}
    setup = {"format": "tables", "hands": 6, "carry": True, "arguments": {"players": 4}, "players": players, **setup}
    return played(folder, change, id="ibench/Holdem-v1", **setup)


def trust(folder: Path, change: Callable[[dict[str, Any]], None] = lambda match: None, **setup: Any) -> Path:
    players = {"tft": "tft", "grim": "grim", "coin": "coin?p=0.5"}
    setup = {"format": "round-robin", "repeats": 2, "seed": 3, "players": players, **setup}
    return played(folder, change, id="ibench/TrustGame-v1", **setup)


def data(page: Path) -> dict[str, Any]:
    """What the replayer is given."""
    told = re.search(r'<script type="application/json" id="hands">(.*?)</script>', page.read_text(encoding="utf-8"))
    assert told is not None
    found: dict[str, Any] = json.loads(told[1])
    return found


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six hands of four players at one table."""
    folder = tmp_path_factory.mktemp("table")
    poker(folder)
    return folder


def test_carried_chips_are_no_duplicate_play_and_the_page_says_what_an_interval_counts(table: Path) -> None:
    (setting,) = json.loads((table / "summary.json").read_text(encoding="utf-8"))["settings"]
    assert not [method for method in setting["methods"] if "duplicate" in method]
    assert setting["carried_tables"] == 1
    page = (table / "report.html").read_text(encoding="utf-8")
    assert "tables (1), not hands, are the units" in page


@pytest.fixture(scope="module")
def duplicate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hands that were dealt twice, at two tables, with charts."""
    folder = tmp_path_factory.mktemp("duplicate")
    poker(folder, figures=True, tables=2, carry=False, duplicate=True, hands=4)
    return folder


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pairs")
    trust(folder)
    return folder


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Matches of two lengths, with charts."""
    folder = tmp_path_factory.mktemp("sweep")
    trust(folder, figures=True, sweep={"delta": (0.5, 0.8)})
    return folder


def spoil(match: dict[str, Any]) -> None:
    """Hostile words wherever a stranger could put some."""
    match["match"] += HOSTILE
    for text in match["texts"]:
        text["text"] = HOSTILE + "\u2028\x00\ud800" + text["text"]
        text["reason"] = HOSTILE


def test_every_action_has_the_texts_that_led_to_it(tmp_path: Path) -> None:
    def retried(match: dict[str, Any]) -> None:
        first = match["texts"][0]
        match["texts"].insert(0, first | {"text": "hm", "kind": "retry", "reason": "I found no move."})

    poker(tmp_path, retried, hands=1)
    told = data(tmp_path / "matches" / "0-0.html")
    (hand,) = told["hands"]
    match = json.loads((tmp_path / "matches.jsonl").read_text(encoding="utf-8"))
    said = [texts for texts in hand["said"] if texts]
    assert [len(texts) for texts in hand["said"] if texts] == [2] + [1] * (len(said) - 1)
    assert [text["text"] for texts in said for text in texts] == [text["text"] for text in match["texts"]]
    acts = [act for _, _, act, _, _ in hand["actions"] if act not in ("ante", "small blind", "big blind")]
    assert len(acts) == len(said)
    assert [told["names"][seat] for seat in hand["players"]] == match["players"]


def test_hands_that_are_shown_down_are_called_by_name() -> None:
    board = ("2c", "7d", "9h", "Jc", "Kd")
    assert call_hand(("As", "3s"), board) == "high card"
    assert call_hand(("Ks", "3s"), board) == "a pair"
    assert call_hand(("Ks", "Js"), board) == "two pair"
    assert call_hand(("Ks", "Kh"), board) == "three of a kind"
    assert call_hand(("Ts", "Qh"), board) == "a straight"
    assert call_hand(("Ac", "Qc"), ("2c", "7c", "9h", "Jc", "Kd")) == "a flush"
    assert call_hand(("Ks", "2d"), ("2c", "2h", "9h", "Jc", "Kd")) == "a full house"
    assert call_hand(("2s", "2d"), ("2c", "2h", "9h", "Jc", "Kd")) == "four of a kind"
    assert call_hand(("8c", "Tc"), ("7c", "9c", "9h", "Jc", "Kd")) == "a straight flush"
    assert call_hand((), board) == ""
    assert call_hand(("As", "3s"), board[:3]) == ""


def test_many_hands_are_split_into_pages_that_lead_to_one_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament_report, "PAGE_MATCHES", 3)
    poker(tmp_path, hands=7)
    pages = sorted(path.name for path in (tmp_path / "matches").iterdir())
    assert pages == ["0-0.html", "0-1.html", "0-2.html"]
    assert [len(data(tmp_path / "matches" / page)["hands"]) for page in pages] == [3, 3, 1]
    middle = OUTLINE((tmp_path / "matches" / "0-1.html").read_text(encoding="utf-8"))
    assert middle.links() == ["../report.html", "0-0.html", "0-2.html"]
    assert "Hands 4 to 6 of 7." in middle.text


def test_a_page_ends_where_it_would_be_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament_report, "PAGE_BYTES", 10)
    poker(tmp_path, hands=2)
    assert len(list((tmp_path / "matches").iterdir())) == 2


def test_trust_matches_are_told_round_by_round(tmp_path: Path) -> None:
    trust(tmp_path, players={"tft": "tft", "mean": "all-d"}, repeats=1)
    text = OUTLINE((tmp_path / "matches" / "0-0.html").read_text(encoding="utf-8")).text
    match = json.loads((tmp_path / "matches.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert "tft \N{MINUS SIGN}5 C D" in text
    assert "1 C \N{MINUS SIGN}1 \N{MINUS SIGN}1 D 3 +3 2 D \N{MINUS SIGN}1 0 D 3 0" in text
    for number, one in enumerate(match["game"]["matches"], 1):
        rounds = one["horizon"]
        assert f", match {number}: {rounds} round{'s' * (rounds > 1)} of {rounds} drawn with delta 0.8" in text


def test_a_forfeited_round_shows_what_was_said_in_it(tmp_path: Path) -> None:
    def forfeited(match: dict[str, Any]) -> None:
        match["game"]["forfeited"] = 1
        match["texts"].append({"seat": 1, "text": "no", "kind": "retry", "reason": "first reason", "seconds": 2.0})
        match["texts"].append({"seat": 1, "text": "never", "kind": "punished", "reason": "again", "seconds": 2.0})

    trust(tmp_path, forfeited, repeats=1)
    text = OUTLINE((tmp_path / "matches" / "0-0.html").read_text(encoding="utf-8")).text
    assert "Forfeited by grim" in text
    assert "not paid Not read, asked again: first reason no 2.0 s Not read: again never 2.0 s" in text


def test_other_games_are_shown_as_talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def strange(match: dict[str, Any]) -> None:
        match["game"] = {"board": "xo"}
        match["texts"] = [{"seat": 1, "text": "my move", "kind": "move", "reason": None, "seconds": 1.0}]

    monkeypatch.setattr(plan, "report_of", lambda env_id: MatchReport())
    page = OUTLINE(trust(tmp_path, strange, figures=True, repeats=1).read_text(encoding="utf-8"))
    text = OUTLINE((tmp_path / "matches" / "0-0.html").read_text(encoding="utf-8")).text
    assert "grim 1.0 s my move" in text
    assert '{"board":"xo"}' in text
    figures = [attributes["id"] for tag, attributes in page.tags if tag == "figure"]
    assert figures == ["figure-scores", "figure-cumulative", "figure-latency"]


@pytest.mark.parametrize(
    ("given", "said"),
    [({}, "<dd>listed (the default)</dd>"), ({"legal": "hidden"}, "</code>: legal hidden</dd>")],
)
def test_whether_turns_list_the_legal_moves_is_said_also_where_nobody_chose(
    tmp_path: Path, given: dict[str, str], said: str
) -> None:
    setup: dict[str, Any] = {"format": "round-robin", "players": {"one": "random", "two": "random"}}
    page = played(tmp_path, lambda match: None, id="ibench/Game-lane-levy-v1", arguments=given, **setup)
    assert said in page.read_text()
    assert ("(the default)" in page.read_text()) is (not given)


def test_who_only_met_itself_has_no_winnings(tmp_path: Path) -> None:
    setup = {"format": "round-robin", "repeats": 1, "self_play": True, "hands": 1, "carry": False}
    poker(tmp_path, figures=True, players={"caller": "call-station"}, arguments={"players": 2}, **setup)
    assert "caller against itself" in OUTLINE((tmp_path / "matches" / "0-0.html").read_text(encoding="utf-8")).text


def test_a_match_that_was_cut_off_or_written_twice_counts_once(tmp_path: Path) -> None:
    poker(tmp_path, hands=2)
    path = tmp_path / "matches.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[1], lines[0], lines[1], lines[0][:40]]))
    tournament_report.write(tmp_path)
    assert [hand["match"] for hand in data(tmp_path / "matches" / "0-0.html")["hands"]] == ["t0-h0", "t0-h1"]


def test_the_report_stands_alone_and_every_link_leads_to_a_file(duplicate: Path, pairs: Path, sweep: Path) -> None:
    for folder in (duplicate, pairs, sweep):
        page = (folder / "report.html").read_text(encoding="utf-8")
        outline = OUTLINE(page)
        assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in page
        assert not {tag for tag, _ in outline.tags} & {"script", "link", "img", "iframe", "object", "form"}
        assert not re.findall(r"""(?:src|href)=["']?(?:https?:|//)""", page)
        ids = {attributes.get("id") for _, attributes in outline.tags}
        for link in outline.links():
            assert link[1:] in ids if link.startswith("#") else (folder / link).is_file(), link


def test_the_report_of_hands_tells_estimates_statistics_and_figures(duplicate: Path) -> None:
    outline = OUTLINE((duplicate / "report.html").read_text(encoding="utf-8"))
    sections = [attributes.get("id") for tag, attributes in outline.tags if tag == "section"]
    assert sections == ["setup", "ranking", "cross", "luck", "play", "charts", "matches"]
    figures = [attributes["id"] for tag, attributes in outline.tags if tag == "figure"]
    assert figures == ["figure-winnings", "figure-cumulative", "figure-style", "figure-latency"]
    summary = json.loads((duplicate / "summary.json").read_text(encoding="utf-8"))
    (setting,) = summary["settings"]
    told = tournament_report.STYLES
    for pair in setting["pairs"]:
        for one in (pair["reductions"][0], pair["reductions"][-1]):
            assert f"{told['gap'](one['value'])}" in outline.text
            assert one["hands_needed"] is None or f"{one['hands_needed']:,}" in outline.text
    for player in setting["players"]:
        for rate in ("vpip", "fold_rate", "pfr", "showdown_rate"):
            if player["statistics"][rate]["n"]:
                assert told["percent"](player["statistics"][rate]["value"]) in outline.text
    assert "32 of 32 hands played" in outline.text
    assert "Over tables" in outline.text


def test_the_ranking_is_in_the_order_of_its_first_column(pairs: Path) -> None:
    summary = json.loads((pairs / "summary.json").read_text(encoding="utf-8"))
    players = summary["settings"][0]["players"]
    best = sorted(players, key=lambda player: -player["statistics"]["score"]["value"])
    text = OUTLINE((pairs / "report.html").read_text(encoding="utf-8")).text
    places = [text.index(f"{place}. {player['player']}") for place, player in enumerate(best, 1)]
    assert places == sorted(places)


def test_a_cross_table_of_pairs_leads_to_their_matches(pairs: Path) -> None:
    page = (pairs / "report.html").read_text(encoding="utf-8")
    cell = next(
        one
        for one in json.loads((pairs / "summary.json").read_text(encoding="utf-8"))["settings"][0]["cross_table"]
        if (one["left"], one["right"]) == ("tft", "coin")
    )
    text = tournament_report.STYLES["score"](cell["value"])
    files = re.findall(rf'<a href="matches/([^"]+)">{re.escape(text)}</a>', page)
    titles = [OUTLINE((pairs / "matches" / file).read_text(encoding="utf-8")).text for file in files]
    assert any("tft \N{EN DASH} coin" in title for title in titles)


def test_at_tables_the_cross_table_compares_players(tmp_path: Path) -> None:
    lines = tournament_report.colour_cells(
        ("a", "b"),
        tournament_report.both_ways([{"left": "a", "right": "b", "value": 2, "low": 1, "high": 3, "n": 9}]),
        {},
    )
    assert lines[0][0] is lines[1][1] is None
    first, second = lines[0][1], lines[1][0]
    assert first is not None
    assert second is not None
    assert (first["value"], first["tone"], first["share"]) == (2, "up", 55)
    assert (second["value"], second["low"], second["high"], second["tone"]) == (-2, -3, -1, "down")


def test_a_sweep_is_drawn_against_the_expected_rounds(sweep: Path) -> None:
    lines = (sweep / "charts" / "sweep_payoff.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "panel,player,x,value,low,high,n"
    assert {line.split(",")[2] for line in lines[1:]} == {"2.0", "5.0"}
    assert not (sweep / "charts" / "payoff.svg").exists()
    assert "delta 0.8" in OUTLINE((sweep / "report.html").read_text(encoding="utf-8")).text


def test_winnings_over_time_end_at_what_was_won(duplicate: Path) -> None:
    won: dict[str, float] = {}
    for line in (duplicate / "matches.jsonl").read_text(encoding="utf-8").splitlines():
        match = json.loads(line)
        for name, score in zip(match["players"], match["scores"], strict=True):
            won[name] = won.get(name, 0.0) + score
    lines = (duplicate / "charts" / "cumulative.csv").read_text(encoding="utf-8").splitlines()[1:]
    ends = {line.split(",")[1]: float(line.split(",")[3]) for line in lines}
    assert ends == pytest.approx(won)


def test_long_curves_are_thinned_and_keep_their_end() -> None:
    places = match_charts.thin([0.0] * 5000)
    assert len(places) <= match_charts.POINTS + 1
    assert places[-1] == 4999
    assert match_charts.thin([0.0] * 3) == [0, 1, 2]
    assert match_charts.thin([]) == []


def test_an_unfinished_tournament_is_reported_as_such(tmp_path: Path) -> None:
    players = (Player("tft", "tft"), Player("grim", "grim"))
    setup = Tournament(id="ibench/TrustGame-v1", players=players, format="round-robin")
    with tournament.TournamentStore.begin(tmp_path, setup, resume=False) as store:
        tournament.finish(store)
    text = OUTLINE(tournament_report.write(tmp_path).read_text(encoding="utf-8")).text
    assert "2 of 2 matches are missing" in text
    assert "None has ended yet." in text


def test_without_matplotlib_the_page_says_how_to_get_charts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    trust(tmp_path, figures=True, repeats=1)
    text = OUTLINE((tmp_path / "report.html").read_text(encoding="utf-8")).text
    assert "pip install 'interactive-envs[report]'" in text


@pytest.mark.parametrize(
    ("style", "value", "text"),
    [
        ("score", -1234.5, "\N{MINUS SIGN}1,234.50"),
        ("gap", 0.25, "+0.25"),
        ("rating", 1512.4, "1,512"),
        ("rating", -0.5, "\N{MINUS SIGN}0.50"),
        ("percent", 0.237, "24 %"),
        ("count", 12345.0, "12,345"),
        ("seconds", 0.0004, "0.4 ms"),
        ("seconds", 3.2, "3.2 s"),
    ],
)
def test_numbers_are_written_for_people(style: str, value: float, text: str) -> None:
    assert tournament_report.format_number(value, style) == text


@in_a_browser
def test_the_arrow_keys_step_through_a_hand_and_on_to_the_next(browser: Any, table: Path) -> None:
    with VISIT(browser, table / "matches" / "0-0.html") as visit:
        page = visit.page
        first = page.locator("#log li").count()
        assert page.locator("#now h3").inner_text() == "Blinds posted, cards dealt"
        for _ in range(first - 1):
            page.keyboard.press("ArrowRight")
        assert " wins " in page.locator("#now h3").inner_text()
        page.keyboard.press("ArrowRight")
        assert page.locator("#which").inner_text() == "t0-h1"
        assert page.locator("#now h3").inner_text() == "Blinds posted, cards dealt"
        page.keyboard.press("ArrowLeft")
        assert page.locator("#which").inner_text() == "t0-h0"
        assert " wins " in page.locator("#now h3").inner_text()
        page.keyboard.press("Shift+ArrowRight")
        assert page.locator("#which").inner_text() == "t0-h1"
        page.keyboard.press("End")
        page.reload()
        assert page.locator("#which").inner_text() == "t0-h1"
        assert " wins " in page.locator("#now h3").inner_text()
        visit.assert_quiet()


@in_a_browser
def test_the_table_shows_the_chips_of_every_moment(browser: Any, table: Path) -> None:
    hands = data(table / "matches" / "0-0.html")["hands"]
    number = lambda text: int(text.replace(",", "").replace("−", "-").replace("Pot ", "") or 0)  # noqa: E731, RUF001
    with VISIT(browser, table / "matches" / "0-0.html") as visit:
        page = visit.page
        for index, hand in enumerate(hands[:3]):
            page.select_option("#number", str(index))
            for step in range(page.locator("#log li").count()):
                stacks = [number(text) for text in page.locator(".seat .stack").all_inner_texts()]
                bets = [number(text) for text in page.locator(".bet").all_text_contents()]
                if step == page.locator("#log li").count() - 1:
                    assert stacks == [had + net for had, net in zip(hand["stacks"], hand["net"], strict=True)]
                    assert bets == hand["net"]
                    assert number(page.locator(".pot").inner_text()) == hand["pot"]
                else:
                    assert sum(stacks) + number(page.locator(".pot").inner_text()) == sum(hand["stacks"])
                    page.locator("body").press("ArrowRight")
        visit.assert_quiet()


@in_a_browser
def test_hidden_cards_are_hidden_until_they_are_shown(browser: Any, table: Path) -> None:
    hands = data(table / "matches" / "0-0.html")["hands"]
    index = next(index for index, hand in enumerate(hands) if any(hand["shown"]))
    with VISIT(browser, table / "matches" / "0-0.html") as visit:
        page = visit.page
        page.select_option("#number", str(index))
        assert page.locator(".seat .card.back").count() == 0
        page.locator("body").press("h")
        assert page.locator(".seat .card.back").count() == 8
        page.keyboard.press("End")
        assert page.locator(".seat .card.back").count() == 8 - 2 * sum(map(bool, hands[index]["shown"]))


@in_a_browser
def test_hands_are_listed_and_sorted(browser: Any, table: Path) -> None:
    pots = [hand["pot"] for hand in data(table / "matches" / "0-0.html")["hands"]]
    with VISIT(browser, table / "matches" / "0-0.html", width=360) as visit:
        page = visit.page
        assert visit.width() <= 360
        page.select_option("#order", "pot")
        page.locator("#list button").first.click()
        assert page.locator("#number").input_value() == str(pots.index(max(pots)))
        page.select_option("#order", "unread")
        visit.assert_quiet()


@in_a_browser
@pytest.mark.parametrize("play", [poker, trust])
def test_hostile_text_stays_text(browser: Any, tmp_path: Path, play: Any) -> None:
    specs = {poker: ("call-station", "random", "fold", "all-in"), trust: ("tft", "coin?p=0.5")}[play]
    setup = {"hands": 3} if play is poker else {"repeats": 1, "sweep": {"delta": (0.5, 0.8)}}
    play(tmp_path, spoil, figures=True, players={f"{spec}{HOSTILE}": spec for spec in specs}, **setup)
    for path in (tmp_path / "report.html", tmp_path / "matches" / "0-0.html"):
        with VISIT(browser, path) as visit:
            for width in (360, 1200):
                visit.page.set_viewport_size({"width": width, "height": 800})
                visit.open_all()
                for _ in range(4):
                    visit.page.keyboard.press("ArrowRight")
                assert visit.width() <= width
            visit.assert_quiet()
            for unwanted in ("iframe", "img", "[onerror]", "[onload]", "[onmouseover]", "a[href^='javascript:']"):
                assert visit.page.locator(unwanted).count() == 0
            assert "<script>alert(1);window.hit=1</script>" in visit.page.locator("body").inner_text()


@in_a_browser
def test_no_script_but_the_replayer_may_run(browser: Any, table: Path, tmp_path: Path) -> None:
    page = (table / "matches" / "0-0.html").read_text(encoding="utf-8")
    spoiled = tmp_path / "spoiled.html"
    spoiled.write_text(page.replace("<main>", "<main><script>window.hit = 1</script>"), encoding="utf-8")
    with VISIT(browser, spoiled) as visit:
        assert visit.page.evaluate("window.hit === undefined")
        assert visit.page.locator("#log li").count() > 1
