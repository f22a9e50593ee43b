"""What workers on other machines ask the run: leave to pay, paid calls; and what they must have before they play."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import functools
import json
import os
import re
import sys
import types
import urllib.error
import urllib.request
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.agent import Agent
from interactive_envs.errors import (
    ConfigError,
    CostLimitError,
    FaultError,
    IbenchError,
    MissingExtraError,
    ProviderError,
)
from interactive_envs.evaluation.passk import compare as passk
from interactive_envs.evaluation.run import desk, on_ray, pool
from interactive_envs.evaluation.run.episode import Job, Spending, StoppedError
from interactive_envs.evaluation.tournament import play as tournaments
from interactive_envs.evaluation.tournament.plan import Player, Tournament
from interactive_envs.llm.cache import CallCache, share
from interactive_envs.llm.calls import ModelCall, Usage
from interactive_envs.outcome import Fault
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.system import own_modules, ray_workers
from tests.loopback import Loopback

ENV = "ibench/SituationPuzzle-v1"


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Connections are closed at the end."""
    made: list[desk.Asking] = []
    init = desk.Asking.__init__
    monkeypatch.setattr(desk.Asking, "__init__", lambda self, address: (init(self, address), made.append(self))[0])
    yield
    for one in made:
        one.close()


def call(cost: float) -> ModelCall:
    return ModelCall("openai/fake", (), "text", "stop", Usage(3, 2), cost, 0.1, "fake-1")


@pytest.fixture
def spending() -> Spending:
    return Spending(1.0)


@pytest.fixture
def opened(spending: Spending, tmp_path: Path) -> Iterator[desk.Desk]:
    made = desk.Desk("127.0.0.1", spending, CallCache(tmp_path / "calls.sqlite"))
    yield made
    made.close()


def test_what_is_reported_twice_is_counted_once(opened: desk.Desk, spending: Spending) -> None:
    ask = desk.Asking(opened.address)
    for attempt, total in ((0, 0.25), (0, 0.25), (1, 0.125), (0, 0.5), (0, 0.25)):
        ask("pay", attempt=attempt, total=total)
    assert spending.spent == 0.625
    opened.forget(0)
    ask("pay", attempt=2, total=0.125)
    assert spending.spent == 0.75


def test_the_limit_is_passed_by_one_action_a_worker_at_most(opened: desk.Desk, spending: Spending) -> None:
    workers = [desk.Leased(desk.Asking(opened.address), attempt) for attempt in range(3)]
    for worker in workers:
        worker.check()
    paid = []
    for _ in range(9):
        for worker in workers:
            try:
                worker.check()
            except CostLimitError as error:
                paid.append(str(error))
            else:
                worker.add([call(0.3)])
    assert spending.spent == pytest.approx(1.8), "at 0.9 each of three held leave for one more"
    assert "the cost limit of 1 USD is reached" in paid[0]
    late = desk.Leased(desk.Asking(opened.address), 3)
    with pytest.raises(CostLimitError, match="limit of 1 USD"):
        late.check()


def test_a_stopped_run_gives_no_more_leave(opened: desk.Desk, spending: Spending) -> None:
    worker = desk.Leased(desk.Asking(opened.address), 0)
    worker.check()
    spending.stop()
    worker.check()  # an action that pays nothing needs no leave
    worker.add([call(0.1)])
    with pytest.raises(StoppedError):
        worker.check()
    assert spending.spent == 0.1, "what was paid is counted all the same"


def test_an_address_that_is_another_machines_is_refused_with_the_remedy(spending: Spending) -> None:
    with pytest.raises(ConfigError, match=r"192\.0\.2\.1, which isn't its address .*: .* on the head of the cluster"):
        desk.Desk("192.0.2.1", spending)


def test_an_attempt_that_is_given_up_pays_no_more(opened: desk.Desk, spending: Spending) -> None:
    lost, other = (desk.Leased(desk.Asking(opened.address), attempt) for attempt in range(2))
    for worker in (lost, other):
        worker.check()
    opened.give_up(0)
    for worker in (lost, other):
        worker.add([call(0.25)])
    with pytest.raises(StoppedError, match="given up"):
        lost.check()
    other.check()
    assert spending.spent == 0.5, "what it was at is counted all the same"


def test_a_call_read_from_the_cache_is_not_reported(opened: desk.Desk, spending: Spending) -> None:
    desk.Leased(desk.Asking(opened.address), 0).add([dataclasses.replace(call(0.1), from_cache=True)])
    assert spending.spent == 0


def test_calls_are_kept_where_the_run_is(opened: desk.Desk, tmp_path: Path) -> None:
    cache = desk.DeskCache(desk.Asking(opened.address))
    assert cache.get("key") is None
    cache.put("key", call(0.1))
    cache.close()
    assert cache.get("key") == CallCache(tmp_path / "calls.sqlite").get("key")
    assert cache.get("key") == dataclasses.replace(call(0.1), latency=0.0, from_cache=True)


def test_who_does_not_know_the_word_is_told_nothing(opened: desk.Desk) -> None:
    stranger = desk.Asking(dataclasses.replace(opened.address, token="x"))
    with pytest.raises(ConfigError, match="another run"):
        stranger("lease")
    with pytest.raises(ConfigError, match="HTTP 400"):
        desk.Asking(opened.address)("nothing")
    with pytest.raises(urllib.error.HTTPError, match="501"):
        urllib.request.urlopen(f"http://127.0.0.1:{opened.address.port}/lease", timeout=10)
    assert "token" not in repr(opened.address)


def test_a_desk_that_is_gone_is_a_fault(opened: desk.Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "PAUSES", (0.0,))
    gone = dataclasses.replace(opened.address, port=9)
    with pytest.raises(FaultError, match=r"does not answer at 127\.0\.0\.1:9"):
        desk.Asking(gone)("lease")


@pytest.mark.parametrize("error", [StoppedError("a"), CostLimitError("b"), ConfigError("c"), ProviderError("d")])
def test_errors_travel_as_json(error: IbenchError) -> None:
    back = desk.refused(json.loads(json.dumps(desk.refusal(error))))
    assert str(back) == str(error)
    assert isinstance(back, FaultError if isinstance(error, FaultError) else type(error))
    if isinstance(back, FaultError):
        assert back.fault is Fault.PROVIDER_ERROR


class InPlace(concurrent.futures.Executor):
    """As the executor on Ray, but its worker is this process."""

    host = "127.0.0.1"

    def __init__(self, workers: int, address: str | None, opened: Callable[[Any], Any]) -> None:
        self.opened = opened

    def submit_to(
        self, nodes: tuple[str, ...], function: Callable[..., Any], /, *args: Any
    ) -> concurrent.futures.Future[Any]:
        """Only machine ``b`` has what an order needs, so that no other may be named."""
        assert nodes in ((), ("b",))
        return self.submit(function, *args)

    def nodes(self) -> list[str]:
        return ["a", "b"]

    def ask_nodes(self, nodes: Collection[str], function: Callable[..., Any], /, *args: Any) -> dict[str, Any]:
        return {node: int(node == "b") for node in nodes}

    def submit(self, function: Callable[..., Any], /, *args: Any, **named: Any) -> concurrent.futures.Future[Any]:
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        try:
            future.set_result(self.opened(function(*args)))
        except BaseException as error:
            future.set_exception(error)
        return future


@pytest.fixture
def in_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setattr(on_ray, "Ray", InPlace)
    monkeypatch.setenv("IBENCH_CACHE", str(tmp_path / "calls.sqlite"))
    monkeypatch.setenv("IBENCH_RPM", "")
    monkeypatch.setattr(on_ray, "_worker", None)
    monkeypatch.setattr(own_modules, "_folder", None)
    yield
    share(None)


class Own(Agent):
    """A player of a module that is not the package's."""

    name = "own"

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        return "<answer>A</answer>"


@pytest.mark.usefixtures("in_place")
def test_a_worker_plays_as_the_run_itself_would(tmp_path: Path) -> None:
    config = RunConfig(tuple(Cell(ENV, {}, agent) for agent in ("random", f"{__name__}:Own")), 3)
    for backend in ("thread", "ray"):
        pool.run(config, tmp_path / backend, backend=backend)
    summaries = [(tmp_path / backend / "summary.json").read_bytes() for backend in ("thread", "ray")]
    assert summaries[0] == summaries[1]


@pytest.mark.usefixtures("in_place")
def test_a_tournament_on_workers_is_as_in_this_process(tmp_path: Path) -> None:
    players = tuple(Player(name, name) for name in ("tft", "random"))
    wanted = Tournament("ibench/TrustGame-v1", players, "round-robin", {"matches": 1}, sweep={"delta": (0.3, 0.5)})
    for backend in ("thread", "ray"):
        tournaments.run(wanted, tmp_path / backend, backend=backend)
    summaries = [(tmp_path / backend / "summary.json").read_bytes() for backend in ("thread", "ray")]
    assert summaries[0] == summaries[1]


@pytest.mark.usefixtures("in_place")
def test_a_comparison_on_workers_is_as_in_this_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, orders = on_ray.play, []
    monkeypatch.setattr(on_ray, "play", lambda setting, order: (orders.append(order), real(setting, order))[1])
    wanted = passk.plan(ENV, ["random"], problems=2, samples=2)
    for backend in ("thread", "ray"):
        passk.write(wanted, tmp_path / backend, *passk.play(wanted, tmp_path / backend, backend=backend))
    numbers = [(tmp_path / backend / passk.NUMBERS).read_bytes() for backend in ("thread", "ray")]
    assert numbers[0] == numbers[1]
    assert len(orders) >= 2 + 2 * 2


@pytest.mark.usefixtures("in_place")
@pytest.mark.parametrize(("here", "least"), [(0, 0), (1, 1), (2, 0)])
def test_what_only_some_machines_have_is_played_there(here: int, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_ray, "need_of", {"page": "need"}.get)
    monkeypatch.setattr(on_ray, "what_is_here", lambda need: here)
    found = on_ray.Places(InPlace(2, None, print))  # type: ignore[arg-type]
    assert found.of("page") == ("b",)
    assert found.of("puzzle") == ()
    assert found.least("page") == least


@pytest.mark.usefixtures("in_place")
def test_a_machine_that_lacks_something_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_ray, "need_of", lambda env_id: "interactive_envs.sandbox:level_in_use")
    monkeypatch.setattr(on_ray, "what_is_here", lambda need: 1)
    told = ordered("random", tmp_path, least=2)
    assert told.refused is not None
    assert told.refused["refused"] == "fault"
    assert "lacks what ibench/" in told.refused["why"]


def answer(messages: Sequence[Any]) -> str:
    return ["<ask>1</ask>", "<answer>B</answer>"][min(len(messages) // 2 - 1, 1)]


@pytest.mark.usefixtures("in_place")
def test_paid_calls_are_counted_once_and_read_from_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text('{"openai/fake": {"input_cost_per_token": 0.001, "output_cost_per_token": 0.001}}')
    monkeypatch.setenv("IBENCH_PRICES", str(prices))
    with Loopback(answer) as server:
        config = RunConfig((Cell(ENV, {}, f"llm:openai/fake?base_url={server.url}"),), 3)
        store = pool.run(config, tmp_path / "one", backend="ray", limit_cost=1000.0)
        asked = sum(server.served.values())
        again = pool.run(config, tmp_path / "two", backend="ray", limit_cost=1000.0)
        assert sum(server.served.values()) == asked > 3
        with pytest.raises(CostLimitError, match="is reached"):
            pool.run(config_of(server, "&cache=false"), tmp_path / "three", backend="ray", limit_cost=0.5)
    assert store.spent() == pytest.approx(sum(row.paid for row in map(store.episode, store.rows())))
    assert store.spent() > 0 == again.spent()


def config_of(server: Loopback, options: str = "") -> RunConfig:
    return RunConfig((Cell(ENV, {}, f"llm:openai/fake?base_url={server.url}{options}"),), 3)


def ordered(agent: str, tmp_path: Path, **changes: Any) -> on_ray.Told:
    """What a worker says to an order whose setting or needs are others than its own."""
    config = pool.check(RunConfig((Cell(ENV, {}, agent),), 1))
    cluster = on_ray.Cluster(config, Spending(None), 2, None)
    told: list[on_ray.Told] = []
    cluster.pool = InPlace(2, None, told.append)  # type: ignore[assignment]
    needs = dict(on_ray.needs(config.cells[0], config.content[0]))
    setting = dataclasses.replace(cluster.setting(), **changes.pop("setting", {}))
    job: Job = next(pool.jobs_of(config, frozenset()))
    change: Callable[[], object] = changes.pop("then", lambda: None)
    change()
    least = changes.pop("least", 0)
    part = on_ray.Part(0, config.cells[0], False, needs | changes, least)
    order = on_ray.Order(functools.partial(pool.play_job, job), (part,), 0)
    cluster.pool.submit(on_ray.play, setting, order)
    cluster.close()
    return told[0]


@pytest.mark.usefixtures("in_place")
def test_a_worker_refuses_what_it_would_play_otherwise(tmp_path: Path) -> None:
    prompt = tmp_path / "mine.txt"
    prompt.write_text("Answer.")
    spec = f"llm:openai/fake?base_url=http://127.0.0.1:9/v1&prompt={prompt}"
    other = {"software": on_ray.software() | {"interactive_envs": "0.0.1"}}
    reasons = {
        'interactive_envs was "0.0.1"': ordered("random", tmp_path, setting=other),
        "has not the same environment and players": ordered("random", tmp_path, content={"data_sha256": "0"}),
        "has not the same modules": ordered(f"{__name__}:Own", tmp_path, modules={__name__: "0"}),
        f"{prompt} was": ordered(spec, tmp_path, then=lambda: prompt.write_text("Ask.")),
        'now "absent"': ordered(spec, tmp_path, then=prompt.unlink),
    }
    for words, told in reasons.items():
        assert told.record is None
        assert told.refused is not None
        assert told.refused["refused"] == "config"
        assert words in told.refused["why"], told.refused


@pytest.mark.usefixtures("in_place")
def test_a_worker_keeps_its_share_of_the_requests_a_minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IBENCH_RPM", "90")
    config = RunConfig((Cell(ENV, {}, "random"),), 1)
    shares: list[str] = []
    worker = on_ray.Worker

    def noted(setting: on_ray.Setting) -> on_ray.Worker:
        shares.append(setting.rate)
        return worker(setting)

    monkeypatch.setattr(on_ray, "Worker", noted)
    pool.run(config, tmp_path / "run", backend="ray", workers=4)
    assert shares == ["22.5"]


@pytest.mark.usefixtures("in_place")
def test_a_lost_worker_costs_an_attempt_and_no_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, lost = on_ray.play, []
    attempts: list[int] = []
    given_up: list[int] = []
    monkeypatch.setattr(desk.Desk, "give_up", lambda self, attempt: given_up.append(attempt))

    def play(setting: on_ray.Setting, order: on_ray.Order) -> on_ray.Told:
        job = order.play.args[0]  # type: ignore[attr-defined]
        key = (job.cell_index, job.case_index, job.epoch)
        if job.case_index % 2 == 0 and key not in lost:
            lost.append(key)
            attempts.append(order.attempt)
            raise ray_workers.LostError("the worker or its machine was lost")
        return real(setting, order)

    monkeypatch.setattr(on_ray, "play", play)
    config = RunConfig((Cell(ENV, {}, "random"),), 5)
    store = pool.run(config, tmp_path / "run", backend="ray", workers=2)
    keys = [(record.cell, record.case_index, record.epoch) for record in map(store.episode, store.rows())]
    assert keys == sorted(set(keys))
    assert (len(keys), store.faults(), len(lost)) == (5, 3, 3)
    assert sorted(given_up) == sorted(attempts), "if it was not lost but unheard, it pays no more"


def test_what_cannot_be_played_on_a_cluster_is_refused_early(tmp_path: Path) -> None:
    config = RunConfig((Cell(ENV, {}, "human"),), 1)
    with pytest.raises(ConfigError, match="at this terminal"):
        pool.run(config, tmp_path / "run", backend="ray")
    config = RunConfig((Cell(ENV, {}, "random"),), 1)
    with pytest.raises(ConfigError, match="address belongs to the backend ray"):
        pool.run(config, tmp_path / "run", address="10.0.0.1:6379")
    with pytest.raises(ConfigError, match="nothing is sent through Ray Client"):
        pool.run(config, tmp_path / "run", backend="ray", address="ray://10.0.0.1:10001")


@pytest.mark.parametrize(
    ("address", "words"),
    [("127.0.0.1:1", "no Ray cluster answers at 127.0.0.1:1"), ("here", "address must be HOST:PORT or auto")],
)
def test_an_address_without_a_cluster_is_refused_at_once(
    address: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", types.SimpleNamespace(is_initialized=lambda: False))
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    for name, value in ray_workers.SILENCE.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ConfigError, match=words):
        ray_workers.connect(2, address)


class GoneError(Exception):
    """As Ray's own errors."""


class RaisedError(GoneError):
    """As Ray's error around one that a task raised."""

    def __init__(self, cause: Exception) -> None:
        self.cause = cause


class Cluster:
    """As the module ``ray``, but tasks end when the test says so."""

    class exceptions:  # noqa: N801
        RayError, RayTaskError, RuntimeEnvSetupError = GoneError, RaisedError, KeyError

    def __init__(self) -> None:
        self.tasks: list[concurrent.futures.Future[Any]] = []
        self.cancelled: list[Any] = []
        self.down = False

    def remote(self, *calls: Any, **how: Any) -> Any:
        """Both the decorator and what it makes."""
        if how:
            assert how == {"num_cpus": 1, "max_retries": 0}
            return lambda function: self
        self.tasks.append(concurrent.futures.Future())
        return types.SimpleNamespace(future=functools.partial(self.tasks.__getitem__, len(self.tasks) - 1))

    def cancel(self, task: Any, force: bool) -> None:
        self.cancelled.append(task)

    def shutdown(self) -> None:
        self.down = True


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Cluster:
    made = Cluster()
    monkeypatch.setattr(ray_workers, "connect", lambda workers, address: (made, True))
    return made


def test_no_more_tasks_than_workers_are_with_ray(ray: Cluster) -> None:
    with ray_workers.Ray(2, None, lambda returned: returned + 1) as executor:
        futures = [executor.submit(len, "") for _ in range(4)]
        assert len(ray.tasks) == 2
        assert futures[3].cancel()
        assert not futures[0].cancel(), "it is under way"
        ray.tasks[0].set_result(1)
        assert (futures[0].result(0), len(ray.tasks)) == (2, 3)
        for task in ray.tasks[1:]:
            task.set_result(2)
        assert [future.result(0) for future in futures[1:3]] == [3, 3]
    assert (ray.down, ray.cancelled) == (True, [])


def test_what_raises_ends_the_tasks_and_leaves_the_cluster(ray: Cluster) -> None:
    futures = []

    def interrupted() -> None:
        with ray_workers.Ray(1) as executor:
            futures.extend(executor.submit(len, "") for _ in range(3))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert (ray.down, len(ray.cancelled)) == (True, 1)
    assert [future.cancelled() for future in futures] == [False, True, True]


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (GoneError("a node died\nand more"), ray_workers.LostError, "was lost (GoneError: a node died)"),
        (RaisedError(ModuleNotFoundError("No module named 'x'")), ConfigError, "install the same there as here"),
        (RaisedError(ValueError("a fault of ours")), ValueError, "a fault of ours"),
        (KeyError("pip"), ConfigError, "cannot be set up"),
    ],
)
def test_what_ray_says_is_told_in_plain_words(
    ray: Cluster, error: Exception, kind: type[Exception], words: str
) -> None:
    with ray_workers.Ray(1) as executor:
        future = executor.submit(len, "")
        ray.tasks[0].set_exception(error)
        with pytest.raises(kind, match=re.escape(words)):
            future.result(0)


def test_without_ray_the_remedy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    for name, value in ray_workers.SILENCE.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(MissingExtraError, match=r"interactive-envs\[ray\]"):
        pool.run(RunConfig((Cell(ENV, {}, "random"),), 1), tmp_path / "run", backend="ray")


@pytest.mark.parametrize("own", ["", "300000"])
def test_ray_is_told_to_ask_silent_machines_before_it_is_imported(own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*ray_workers.SILENCE, "RAY_USAGE_STATS_ENABLED"):
        monkeypatch.setenv(name, own)
        if not own:
            os.environ.pop(name)
    told: list[str] = []

    def imported(name: str) -> Any:
        told.extend(os.environ[variable] for variable in ray_workers.SILENCE)
        raise ImportError(name)

    monkeypatch.setattr(ray_workers.importlib, "import_module", imported)
    with pytest.raises(MissingExtraError):
        ray_workers.connect(2, None)
    assert told == ([own, own] if own else ["65000", "25000"])
