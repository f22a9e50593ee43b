"""Tournaments: who meets whom with what luck, and what a crash, a fault or a slow player changes."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pettingzoo
import pytest

from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.errors import ConfigError, CostLimitError, ProviderError, UnknownNameError
from interactive_envs.evaluation.tournament import play as tournament
from interactive_envs.evaluation.tournament.play import Player, Tournament, TournamentStore
from interactive_envs.llm.calls import ModelCall
from interactive_envs.making import make

HERE = "tests.evaluation.tournament.test_tournament"
TRUST, HOLDEM = "ibench/TrustGame-v1", "ibench/Holdem-v1"


class Breaking(Agent):
    """Plays tit for tat over an endpoint that breaks when it is first asked for the second move of a match."""

    name = "breaking"
    met: ClassVar[set[Any]] = set()
    broken: ClassVar[bool] = False

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        self._match = (seed, info["view"].seat if info else None)
        self._asked = 0

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        self._asked += 1
        if self.broken or (self._asked == 2 and self._match not in self.met):
            self.met.add(self._match)
            raise ProviderError("the endpoint is down")
        return "COOPERATE" if not info["view"].other or info["view"].other[-1] == "C" else "DEFECT"


class Slow(Agent):
    """Thinks too long from its second action on."""

    name = "slow"

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        self._asked = 0

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        self._asked += 1
        if self._asked > 1:
            time.sleep(1.5)
        return "COOPERATE"


class Mumbling(Agent):
    """Says something unreadable before every move."""

    name = "mumbling"

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        return "COOPERATE" if info["kind"] == "retry" else "Hm."


class Paid(Agent):
    """Folds, for a dollar."""

    name = "paid"

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        return "check" if not info["view"].to_call else "fold"

    def drain_calls(self) -> list[ModelCall]:
        return [ModelCall("made-up", ({"role": "user", "content": "?"},), "fold", cost=1.0)]


def league(*specs: str, **changes: Any) -> Tournament:
    """A small trust tournament of everybody against everybody, one match an episode."""
    setup: dict[str, Any] = {"format": "round-robin", "repeats": 2, "seed": 7} | changes
    setup["arguments"] = {"matches": 1, **changes.get("arguments", {})}
    return Tournament(TRUST, tuple(Player(spec, spec) for spec in specs), **setup)


def poker(*specs: str, **changes: Any) -> Tournament:
    """A small hold'em tournament at tables."""
    setup: dict[str, Any] = {"format": "tables", "arguments": {"players": len(specs)}, "seed": 7} | changes
    return Tournament(HOLDEM, tuple(Player(spec, spec) for spec in specs), **setup)


def records(folder: Path) -> list[dict[str, Any]]:
    matches = sorted(TournamentStore.read_only(folder).matches(), key=lambda record: record.match)
    return [record.to_json() for record in matches]


def play(setup: Tournament, folder: Path, **how: Any) -> list[dict[str, Any]]:
    tournament.run(setup, folder, **how)
    return records(folder)


def summary(folder: Path) -> bytes:
    return (folder / "summary.json").read_bytes()


# Who meets whom


def test_every_pair_meets_in_both_seat_orders_in_every_repeat() -> None:
    plan = tournament.plan(league("tft", "grim", "all-d"))
    assert [planned.match for planned in plan] == [
        *("r0-p0x1", "r0-p1x0", "r0-p0x2", "r0-p2x0", "r0-p1x2", "r0-p2x1"),
        *("r1-p0x1", "r1-p1x0", "r1-p0x2", "r1-p2x0", "r1-p1x2", "r1-p2x1"),
    ]
    assert [planned.order for planned in plan[:2]] == [(0, 1), (1, 0)]
    assert {planned.cluster for planned in plan} == {
        f"r{r}-p{pair}" for r in range(2) for pair in ("0x1", "0x2", "1x2")
    }
    common = tournament.plan(league("tft", "grim", "all-d", common_luck=True))
    assert [planned.match for planned in common] == [planned.match for planned in plan]
    assert {planned.cluster for planned in common} == {"r0", "r1"}
    poker = Tournament(HOLDEM, (Player("a", "fold"), Player("b", "tag")), "round-robin", arguments={"players": 2})
    assert {planned.cluster for planned in tournament.plan(poker)} == {"r0"}


def test_self_play_is_one_match_a_repeat() -> None:
    plan = tournament.plan(league("tft", "all-d", repeats=1, self_play=True))
    assert sorted(planned.order for planned in plan) == [(0, 0), (0, 1), (1, 0), (1, 1)]


@pytest.mark.parametrize("common", [False, True])
def test_horizons_are_drawn_for_each_pair_and_repeat_or_for_all_pairs_and_longer_for_a_larger_delta(
    tmp_path: Path, common: bool
) -> None:
    """As in the paper's run, both seat orders share them."""
    setup = league("tft", "grim", "coin?p=0.5", repeats=6, sweep={"delta": (0.5, 0.9)}, common_luck=common)
    horizons: dict[str, dict[tuple[int, str], set[int]]] = defaultdict(lambda: defaultdict(set))
    for record in play(setup, tmp_path):
        (match,) = record["game"]["matches"]
        horizons[record["match"].partition("-")[2][:2]][record["setting"], record["table"]].add(match["horizon"])
    assert all(len(lengths) == 1 for of_repeat in horizons.values() for lengths in of_repeat.values())
    different = [len({max(of_repeat[1, pair]) for pair in ("p0x1", "p0x2", "p1x2")}) for of_repeat in horizons.values()]
    assert len(horizons) == 6
    assert max(different) == (1 if common else 3)
    for of_repeat in horizons.values():
        assert all(max(of_repeat[0, pair]) <= max(of_repeat[1, pair]) for pair in ("p0x1", "p0x2", "p1x2"))


def test_an_episode_of_several_matches_is_one_match_of_a_tournament(tmp_path: Path) -> None:
    """With the environment's default everybody meets for five matches, with memory, and is paid for all of them."""
    setup = Tournament(TRUST, (Player("a", "all-d"), Player("b", "all-c")), "round-robin", seed=7)
    first, second = play(setup, tmp_path)
    lengths = [match["horizon"] for match in first["game"]["matches"]]
    assert len(lengths) == 5
    assert [match["horizon"] for match in second["game"]["matches"]] == lengths
    assert first["scores"] == second["scores"][::-1] == [3 * sum(lengths), -sum(lengths)]
    (setting,) = json.loads(summary(tmp_path))["settings"]
    assert setting["horizons"] == {"r0-p0x1": lengths}
    told = {player["player"]: player["statistics"] for player in setting["players"]}
    assert told["a"]["mean_regret"] == {"value": 0, "low": None, "high": None, "n": 2 * sum(lengths)}
    assert told["b"]["mean_regret"]["value"] == 1


def test_with_duplicate_deals_everybody_sits_in_every_seat_of_the_same_deck(tmp_path: Path) -> None:
    played = play(poker("fold", "call-station", "all-in", tables=2, hands=4, duplicate=True), tmp_path)
    assert len(played) == 2 * 4 * 3
    deals: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for record in played:
        deals[record["cluster"]].append(record)
    assert len({record["game"]["hands"][0]["deck"][0] for record in played}) > 1
    for hand, replays in enumerate(deals[f"t0-h{hand}"] for hand in range(4)):
        assert {tuple(record["game"]["hands"][0]["deck"]) for record in replays} == {
            tuple(replays[0]["game"]["hands"][0]["deck"])
        }
        assert {record["game"]["hands"][0]["button"] for record in replays} == {hand % 3}
        seats = list(zip(*(record["players"] for record in replays), strict=True))
        assert all(set(seat) == {"fold", "call-station", "all-in"} for seat in seats)


def test_the_seats_are_drawn_for_each_table() -> None:
    setup = poker(*(f"tag?looseness=0.{digit}" for digit in range(1, 7)), tables=8, hands=2)
    orders: dict[str, set[tuple[int, ...]]] = defaultdict(set)
    for planned in tournament.plan(setup):
        orders[planned.table].add(planned.order)
    assert all(len(order) == 1 for order in orders.values())
    assert len(set.union(*orders.values())) > 4


def test_more_players_than_seats_sit_down_equally_often() -> None:
    setup = poker("fold", "all-in", "call-station", "tag", "holdem/random", tables=5, arguments={"players": 3})
    sat = Counter(player for planned in tournament.plan(setup) for player in planned.order)
    assert sat == {0: 3, 1: 3, 2: 3, 3: 3, 4: 3}


def test_match_ids_are_unique_and_those_of_tables_sort_in_the_order_of_play() -> None:
    setups = [
        league("tft", "grim", *(f"coin?p=0.{digit}" for digit in range(10)), repeats=11, sweep={"delta": (0.1, 0.2)}),
        poker("fold", "all-in", tables=11, hands=11, duplicate=True),
    ]
    for setup in setups:
        ids = [planned.match for planned in tournament.plan(setup)]
        assert len(set(ids)) == len(ids)
        if setup.format == "tables":
            assert ids == sorted(ids)


# What is played


def test_tit_for_tat_against_all_defect_scores_what_the_rules_say(tmp_path: Path) -> None:
    for record in play(league("tft", "all-d", repeats=3), tmp_path):
        rounds = record["game"]["matches"][0]["horizon"]
        histories = dict(zip(record["players"], record["game"]["matches"][0]["histories"], strict=True))
        assert histories == {"tft": "C" + "D" * (rounds - 1), "all-d": "D" * rounds}
        assert dict(zip(record["players"], record["scores"], strict=True)) == {"tft": -1, "all-d": 3}
        assert record["outcomes"] == ["scored", "scored"]


@pytest.mark.parametrize(
    "setup",
    [league("tft", "coin?p=0.5"), poker("tag?samples=20", "holdem/random", "call-station", hands=3, duplicate=True)],
    ids=["trust", "holdem"],
)
def test_pettingzoos_view_plays_the_same_match_from_the_same_texts(setup: Tournament, tmp_path: Path) -> None:
    for record in play(setup, tmp_path):
        env = pettingzoo.make("aec", setup.id, **setup.settings[0])
        env.reset(seed=record["seed"], options=record["options"])
        paid: Counter[str] = Counter()
        for text in record["texts"]:
            assert env.agent_selection == f"player_{text['seat']}"
            env.step(text["text"])
            paid.update(env.rewards)
        assert all(env.terminations.values())
        assert env.record() == record["game"]
        assert [paid[agent] for agent in env.possible_agents] == record["scores"]


def test_a_seat_of_the_single_seat_view_meets_the_same_opponents(tmp_path: Path) -> None:
    setup = poker("tag?samples=20", "holdem/random", "call-station", hands=4, duplicate=True)
    for record in play(setup, tmp_path):
        own = [text["text"] for text in record["texts"] if text["seat"] == 0]
        if own:  # the single-seat view draws anew where the seat has nothing to decide
            env: Any = make(HOLDEM, players=3, match=1, opponents=record["players"][1:], seat=0)
            env.reset(seed=record["seed"], options=record["options"])
            for text in own:
                env.step(text)
            again = env.record()["texts"]
            assert again == [
                {name: text[name] for name in ("seat", "text", "kind", "reason")} for text in record["texts"]
            ]
            assert env.record()["game"] == record["game"]


def test_the_players_of_a_deal_draw_the_same_whoever_meets_them(tmp_path: Path) -> None:
    """The same seat of the same deal has the same seed: what players draw is part of the luck they share."""
    played = play(league("coin?p=0.5", "all-c", "all-d", common_luck=True), tmp_path)
    drawn: dict[tuple[str, int], set[str]] = defaultdict(set)
    for record in played:
        if "coin?p=0.5" in record["players"]:
            seat = record["players"].index("coin?p=0.5")
            drawn[record["cluster"], seat].add(record["game"]["matches"][0]["histories"][seat])
    assert len(drawn) == 4
    assert all(len(histories) == 1 for histories in drawn.values())


def test_carried_chips_go_on_with_a_rebuy_and_the_button_moves(tmp_path: Path) -> None:
    setup = poker("all-in", "call-station", "fold", hands=12, carry=True, arguments={"players": 3, "stack": 600})
    chips = None
    for number, record in enumerate(play(setup, tmp_path)):
        (hand,) = record["game"]["hands"]
        assert hand["button"] == number % 3
        assert record["cluster"] == "t0"
        if chips is not None:
            assert hand["stacks"] == [left or 600 for left in chips]
        chips = [had + won for had, won in zip(hand["stacks"], hand["net"], strict=True)]
    assert 0 in chips or max(chips) > 600
    decks = {tuple(record["game"]["hands"][0]["deck"]) for record in records(tmp_path)}
    assert len(decks) == 12


def test_an_unreadable_text_is_asked_for_again_and_counted(tmp_path: Path) -> None:
    setup = league(f"{HERE}:Mumbling", "all-c", repeats=1)
    for record in play(setup, tmp_path):
        mine = record["players"].index(f"{HERE}:Mumbling")
        said = [text for text in record["texts"] if text["seat"] == mine]
        assert [text["kind"] for text in said] == ["retry", "move"] * record["game"]["matches"][0]["horizon"]
        assert all(text["reason"] for text in said[::2])
        assert record["scores"] == [2 * record["game"]["matches"][0]["horizon"]] * 2
    told = {player["player"]: player for player in json.loads(summary(tmp_path))["settings"][0]["players"]}
    assert told[f"{HERE}:Mumbling"]["unreadable"]["value"] == 0.5
    assert told["all-c"]["unreadable"]["value"] == 0


def test_a_player_that_thinks_too_long_loses_the_action(tmp_path: Path) -> None:
    setup = league(f"{HERE}:Slow", "tft", repeats=1, seed=1, time_limit=0.5, arguments={"on_invalid": "cooperate"})
    for record in play(setup, tmp_path):
        mine = record["players"].index(f"{HERE}:Slow")
        kinds = [text["kind"] for text in record["texts"] if text["seat"] == mine]
        assert kinds == ["move"] + ["punished"] * (record["game"]["matches"][0]["horizon"] - 1)
    told = {player["player"]: player for player in json.loads(summary(tmp_path))["settings"][0]["players"]}
    assert told[f"{HERE}:Slow"]["time_outs"] == told[f"{HERE}:Slow"]["punished"] > 0
    assert told[f"{HERE}:Slow"]["format_errors"] == 0


# Workers, faults, crashes


def test_the_result_does_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    setup = poker("tag?samples=20", "holdem/random", "call-station", tables=2, hands=3, duplicate=True)
    ways: dict[str, dict[str, Any]] = {"one": {}, "four": {"workers": 4}}
    found = []
    for name, how in ways.items():
        played = play(setup, tmp_path / name, **how)
        timeless = [{key: part[key] for key in part if key not in ("seconds", "ended", "texts")} for part in played]
        texts = [[(text["seat"], text["text"], text["kind"]) for text in record["texts"]] for record in played]
        found.append((summary(tmp_path / name), timeless, texts))
    assert found[0] == found[1]


def test_processes_play_what_threads_play(tmp_path: Path) -> None:
    setup = poker("holdem/random", "call-station", hands=4, carry=True)
    play(setup, tmp_path / "threads")
    play(setup, tmp_path / "processes", workers=2, backend="process")
    assert summary(tmp_path / "threads") == summary(tmp_path / "processes")


def test_a_broken_match_is_played_again_from_its_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_module().Breaking, "met", set())
    told: list[str] = []
    setup = Tournament(
        TRUST,
        (Player("one", f"{HERE}:Breaking"), Player("two", "all-d")),
        "round-robin",
        arguments={"matches": 1},
        repeats=8,
        seed=3,
    )
    broken = play(setup, tmp_path / "broken", on_fault=told.append)
    sound = play(
        dataclasses.replace(setup, players=(Player("one", "tft"), Player("two", "all-d"))),
        tmp_path / "sound",
    )
    assert set(told) == {"the endpoint is down"}
    assert len(told) == TournamentStore.read_only(tmp_path / "broken").faults()
    assert len(told) == sum(record["game"]["matches"][0]["horizon"] > 1 for record in sound)
    assert [record["game"] for record in broken] == [record["game"] for record in sound]
    told_of = [json.loads(summary(tmp_path / name))["settings"] for name in ("broken", "sound")]
    for (setting,) in told_of:
        for player in setting["players"]:  # of a player of one's own the best reply is not known
            del player["statistics"]["mean_regret"]
    assert told_of[0] == told_of[1]


def test_what_stays_broken_is_left_for_resuming(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_module().Breaking, "broken", True)
    setup = league(f"{HERE}:Breaking", "tft", "grim", repeats=1)
    told: list[Any] = []
    play(setup, tmp_path, progress=lambda planned, record: told.append(record and planned.match), workers=2)
    assert (told.count(None), len(records(tmp_path))) == (4, 2)
    assert json.loads(summary(tmp_path))["n_missing"] == 4
    monkeypatch.setattr(_module().Breaking, "broken", False)
    assert len(play(setup, tmp_path, resume=True)) == 6
    assert json.loads(summary(tmp_path))["n_missing"] == 0


def test_an_endpoint_that_only_breaks_stops_the_tournament(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_module().Breaking, "broken", True)
    with pytest.raises(ConfigError, match="12 attempts in a row were broken"):
        play(league(f"{HERE}:Breaking", "tft", repeats=20), tmp_path)


def test_a_cost_limit_stops_between_actions_and_a_higher_one_goes_on(tmp_path: Path) -> None:
    setup = poker(f"{HERE}:Paid", "all-in", hands=6)
    with pytest.raises(CostLimitError, match="resume with a higher limit_cost"):
        play(setup, tmp_path, limit_cost=2.5)
    before = len(records(tmp_path))
    assert 0 < before < 6
    assert len(play(setup, tmp_path, resume=True, limit_cost=100)) == 6
    timing = json.loads((tmp_path / "timing.json").read_text(encoding="utf-8"))
    bought = [text for record in records(tmp_path) for text in record["texts"] if "calls" in text]
    assert timing["cost"] == len(bought) > 0


@pytest.mark.parametrize(
    "setup",
    [
        league("tft", "coin?p=0.5", "all-d", repeats=1, sweep={"delta": (0.5, 0.8)}),
        poker("holdem/random", "call-station", "all-in", tables=2, hands=2, carry=True),
        poker("holdem/random", "call-station", "fold", hands=2, duplicate=True),
    ],
    ids=["round robin", "carried chips", "duplicate"],
)
@pytest.mark.every(5)
def test_a_tournament_cut_off_at_any_match_resumes_to_the_same_summary(setup: Tournament, tmp_path: Path) -> None:
    play(setup, tmp_path / "whole")
    lines = (tmp_path / "whole" / "matches.jsonl").read_bytes().splitlines(keepends=True)
    config = (tmp_path / "whole" / "config.json").read_bytes()
    for kept in range(len(lines)):
        folder = tmp_path / f"cut-{kept}"
        folder.mkdir()
        (folder / "config.json").write_bytes(config)
        # Half a line, as a crash in the middle of writing leaves it.
        torn = lines[kept][: len(lines[kept]) * (kept % 3) // 2 - 1] if kept % 3 else b""
        (folder / "matches.jsonl").write_bytes(b"".join(lines[:kept]) + torn)
        tournament.run(setup, folder, resume=True, workers=1 + kept % 2)
        assert summary(folder) == summary(tmp_path / "whole")
        assert sorted(record["match"] for record in records(folder)) == sorted(
            json.loads(line)["match"] for line in lines
        )


@pytest.mark.long
def test_a_killed_tournament_resumes_to_the_same_summary(tmp_path: Path) -> None:
    setup = poker("holdem/random", "call-station", "tag?samples=20", tables=2, hands=12, duplicate=True)
    code = (
        "from pathlib import Path; from interactive_envs.evaluation.tournament import play as t\n"
        "from interactive_envs.evaluation.tournament.play import Tournament, Player\n"
        f"t.run({setup!r}, Path({str(tmp_path / 'killed')!r}), workers=2, resume=True)"
    )
    path = tmp_path / "killed" / "matches.jsonl"
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        while process.poll() is None and (not path.exists() or path.stat().st_size < 5_000):
            time.sleep(0.001)
        assert process.poll() is None, "the tournament ended before it could be killed: raise hands"
        process.kill()
    play(setup, tmp_path / "killed", workers=2, resume=True)
    play(setup, tmp_path / "whole", workers=2)
    assert summary(tmp_path / "killed") == summary(tmp_path / "whole")


def test_a_changed_configuration_is_not_resumed(tmp_path: Path) -> None:
    play(league("tft", "grim"), tmp_path)
    with pytest.raises(ConfigError, match="holds a tournament already; set resume"):
        play(league("tft", "grim"), tmp_path)
    with pytest.raises(ConfigError, match="the configuration changed: repeats was 2, now 3"):
        play(league("tft", "grim", repeats=3), tmp_path, resume=True)
    with pytest.raises(ConfigError, match=r"players\[1\]\.spec was \"grim\", now \"all-d\""):
        play(
            Tournament(TRUST, (Player("tft", "tft"), Player("grim", "all-d")), "round-robin", repeats=2, seed=7),
            tmp_path,
            resume=True,
        )


def test_resuming_a_finished_tournament_plays_nothing(tmp_path: Path) -> None:
    play(league("tft", "grim"), tmp_path)
    before = (tmp_path / "matches.jsonl").read_bytes(), summary(tmp_path)
    began: list[tuple[int, int]] = []
    tournament.run(league("tft", "grim"), tmp_path, resume=True, begin=lambda done, of: began.append((done, of)))
    assert began == [(4, 4)]
    assert ((tmp_path / "matches.jsonl").read_bytes(), summary(tmp_path)) == before


def test_the_configuration_reads_back(tmp_path: Path) -> None:
    setup = league("tft", "grim", sweep={"delta": (0.5, 0.8)}, time_limit=3.0)
    play(setup, tmp_path)
    stored = TournamentStore.read_only(tmp_path).tournament
    assert stored == tournament.check(setup)
    assert stored.settings == setup.settings


# Configurations


@pytest.mark.parametrize("name", tournament.shipped())
def test_a_shipped_tournament_can_be_played(name: str) -> None:
    if name.endswith("-rules"):
        setup = tournament.load(name)
    else:
        with pytest.raises(ConfigError, match="name at least one player"):
            tournament.load(name)
        given = ["tag"] * 6 if name.startswith("holdem") else ["one=tft", "two=all-c"]
        setup = tournament.load(name, given)
    setup = tournament.check(setup)
    assert len({player.name for player in setup.players}) == len(setup.players)
    planned = tournament.plan(setup)
    if not name.endswith("-rules"):
        assert (
            len(planned) == {"holdem-six-max": 5000, "holdem-eight-max": 1000, "trust": 100, "trust-delta": 500}[name]
        )


def config(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_players_are_named_in_the_file_or_when_it_is_loaded(tmp_path: Path) -> None:
    text = f'id = "{TRUST}"\nformat = "round-robin"\n'
    path = config(tmp_path, text + 'players = ["coin?p=0.3", "?", {name = "grim player", spec = "grim"}]')
    given = ["tft", "mine=coin?p=0.3", "tft", "coin?p=0.3"]
    assert [(player.name, player.spec) for player in tournament.load(path, given).players] == [
        ("coin?p=0.3", "coin?p=0.3"),
        ("tft", "tft"),
        ("mine", "coin?p=0.3"),
        ("tft #2", "tft"),
        ("coin?p=0.3 #2", "coin?p=0.3"),
        ("grim player", "grim"),
    ]
    path = config(tmp_path, text + 'players = ["tft", "grim"]')
    assert [player.spec for player in tournament.load(path, ["all-c", "all-d"]).players] == ["all-c", "all-d"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id = ", "cannot be read as a tournament"),
        ('format = "tables"\nplayers = []', "has no id; a tournament needs id, format and players"),
        (
            'id = "x"\nformat = "tables"\nplayers = []\nhand = 3',
            "unknown key of a tournament: 'hand'; did you mean 'hands'",
        ),
        ('id = "x"\nformat = "table"\nplayers = []', "unknown tournament format 'table'; did you mean 'tables'"),
        ('id = "x"\nformat = "tables"\nplayers = []\nrepeats = 3', "repeats belongs to the format 'round-robin'"),
        ('id = "x"\nformat = "tables"\nplayers = "tag"', "players must be a list of specs"),
        (
            'id = "x"\nformat = "tables"\nplayers = [{name = "a"}]',
            "a player must be a spec, or a table with name and spec",
        ),
        ('id = "x"\nformat = "tables"\nplayers = []\nhands = 0', "hands must be a whole number of at least 1, got 0"),
        ('id = "x"\nformat = "tables"\nplayers = []\nduplicate = 1', "duplicate must be true or false, got 1"),
        ('id = "x"\nformat = "tables"\nplayers = []\ntime_limit = 0', "time_limit must be seconds above 0, got 0"),
        ('id = "x"\nformat = "tables"\nplayers = []\ncarry = true\nduplicate = true', "carry and duplicate exclude"),
        ('id = "x"\nformat = "tables"\nplayers = []\n[sweep]\nante = 3', r"sweep.ante must be a list of values, got 3"),
        ('id = "x"\nformat = "tables"\nplayers = []\narguments = 3', "arguments must be a table of arguments, got 3"),
    ],
)
def test_a_file_that_is_no_tournament_is_refused_with_a_reason(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        tournament.load(config(tmp_path, text))


def test_an_unknown_name_is_told_with_the_nearest_one() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'trust-rules'"):
        tournament.load("trust-rule")


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        (Tournament("ibench/SituationPuzzle-v1", (Player("a", "rule"),), "round-robin"), "has one seat"),
        (Tournament("ibench/Nothing-v0", (Player("a", "rule"),), "round-robin"), "unknown environment"),
        (league("tft"), "a round robin needs two players or more, got 1"),
        (poker("fold", "all-in", "tag", arguments={}), "a table has 6 seats and there are 3 players; name 6 or more"),
        (poker("fold", "all-in", "tag", format="round-robin"), "this one has 3 seats; use format = 'tables'"),
        (poker("fold", "all-in", arguments={"players": 2, "match": 3}), "say hands = N"),
        (poker("fold", "all-in", arguments={"players": 2, "opponents": "tag"}), "opponents belongs to the single-seat"),
        (poker("fold", "tagg"), "unknown agent 'tagg'; did you mean 'tag'"),
        (league("tft", "grim", arguments={"delt": 0.5}), "did you mean 'delta'"),
        (league("tft", "grim", sweep={"delta": (0.5, 2)}), "delta must be a probability"),
        (league("tft", "grim", format="tables", carry=True), "has no reset option 'stacks'"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is(setup: Tournament, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=message):
        tournament.run(setup, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_no_two_players_have_one_name() -> None:
    with pytest.raises(ConfigError, match="two players are called 'tft'"):
        league("tft", "grim", "tft")


def test_a_swept_argument_is_given_once() -> None:
    with pytest.raises(ConfigError, match="delta is swept and an argument"):
        league("tft", "grim", arguments={"delta": 0.5}, sweep={"delta": (0.5, 0.8)})


def _module() -> Any:
    """This module as specs import it, which is not the one that pytest made."""
    return sys.modules[type(resolve_agent(f"{HERE}:Breaking")()).__module__]
