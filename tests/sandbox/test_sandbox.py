from __future__ import annotations

import os
import pickle
import signal
import struct
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from interactive_envs.errors import ConfigError, FaultError
from interactive_envs.outcome import Fault
from interactive_envs.sandbox import (
    Level,
    Limits,
    Reason,
    Sandbox,
    SandboxError,
    best_level,
    kernel,
    level_in_use,
    levels,
    run,
)

STEP = struct.Struct("=HBBI")
COUNTER = """
count = 0
def add(step=1):
    global count
    count += step
    return count
def fail():
    raise ValueError("no such move")
def spin():
    while True:
        pass
def large():
    return "x" * 10**7
def sleep(seconds):
    import time
    time.sleep(seconds)
def burn(seconds):
    import time
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return True
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(limits=Limits(cpu_s=10, wall_s=60)) as made:
        yield made


@pytest.fixture(scope="module")
def strict() -> Iterator[Sandbox]:
    """For code that takes all the time it gets; what should end by itself has more, for a busy machine."""
    with Sandbox(limits=Limits(cpu_s=1, wall_s=30)) as made:
        yield made


def reason(sandbox: Sandbox, source: str) -> Reason:
    with pytest.raises(SandboxError) as error:
        sandbox.call(source, "f")
    return error.value.reason


def test_values_cross_as_json(sandbox: Sandbox) -> None:
    value = {"a": [1, 2.5, None, True, "é\u2028\U0001f600", -(10**30)], "b": {}}
    assert sandbox.call("def f(x): return x", "f", [value]) == value
    assert sandbox.call("def f(*, x): return (x, x)", "f", {"x": 1}) == [1, 1]
    large = "x" * 1_000_000
    assert sandbox.call("def f(x): return x", "f", [large]) == large


@pytest.mark.parametrize("number", ["1e999", "-1e999"])
def test_a_number_that_overflows_is_no_json(sandbox: Sandbox, number: str) -> None:
    frame = f'b\'{{"nonce":"\' + n + b\'","value":{number}}}\''
    source = f"""
import os, sys
def f():
    frame = sys._getframe()
    while "nonce" not in frame.f_locals:
        frame = frame.f_back
    n = frame.f_locals["nonce"].encode()
    text = {frame}
    os.write(4, len(text).to_bytes(4, "big") + text)
    os._exit(0)
"""
    assert reason(sandbox, source) is Reason.NOT_JSON


def test_a_call_knows_nothing_of_the_one_before(sandbox: Sandbox) -> None:
    assert [sandbox.call(COUNTER, "add") for _ in range(3)] == [1, 1, 1]


def test_the_same_call_gives_the_same_value_also_in_another_sandbox(sandbox: Sandbox) -> None:
    source = "import random\ndef f(): return [random.random(), list({'a', 'b', 'c', 'd'}), hash('x')]"
    with Sandbox() as other:
        assert sandbox.call(source, "f") == sandbox.call(source, "f") == other.call(source, "f")


def test_a_worker_keeps_its_state_and_outlives_an_exception(sandbox: Sandbox) -> None:
    with sandbox.worker(COUNTER) as worker, sandbox.worker(COUNTER) as other:
        assert [worker.request("add"), worker.request("add", {"step": 5}), other.request("add")] == [1, 6, 1]
        with pytest.raises(SandboxError, match=r"^exception: ValueError: no such move \(line 8\)$"):
            worker.request("fail")
        with pytest.raises(SandboxError, match=r"^exception: AttributeError"):
            worker.request("missing")
        with pytest.raises(SandboxError, match=r"^output too large: 10000002 characters, at most 1048576$"):
            worker.request("large")
        assert worker.request("add") == 7
    with pytest.raises(ConfigError, match="the worker is closed"):
        worker.request("add")


def test_a_worker_ends_with_a_timeout_and_says_so_again(strict: Sandbox) -> None:
    with strict.worker(COUNTER) as worker:
        with pytest.raises(SandboxError, match=r"^timeout: 1 s of CPU time$"):
            worker.request("spin")
        with pytest.raises(SandboxError, match=r"^timeout: the worker has ended") as error:
            worker.request("add")
        assert error.value.reason is Reason.TIMEOUT


def test_each_request_of_a_worker_has_the_whole_limit(strict: Sandbox) -> None:
    with strict.worker(COUNTER) as worker:
        assert [worker.request("burn", [0.3]) for _ in range(4)] == [True] * 4


def test_an_answer_before_the_request_is_forged(sandbox: Sandbox) -> None:
    source = """
import os
def f():
    text = b'{"nonce":"","value":1}'
    frame = len(text).to_bytes(4, "big") + text
    real, once = os.write, []
    os.write(4, b"\\0\\0\\0\\2{}")
    return 1
"""
    with sandbox.worker(source) as worker, pytest.raises(SandboxError, match="forged answer"):
        worker.request("f")
    early = """
import os, sys
def f():
    frame = sys._getframe()
    while "nonce" not in frame.f_locals:
        frame = frame.f_back
    text = b'{"nonce":"' + frame.f_locals["nonce"].encode() + b'","value":1}'
    os.write(4, len(text).to_bytes(4, "big") + text)
    return 2
"""
    with sandbox.worker(early) as worker:
        assert worker.request("f") == 1
        time.sleep(0.05)
        with pytest.raises(SandboxError, match="forged answer"):
            worker.request("f")


def test_what_follows_an_answer_is_forged(sandbox: Sandbox) -> None:
    source = """
import os, sys
def f():
    frame = sys._getframe()
    while "nonce" not in frame.f_locals:
        frame = frame.f_back
    text = b'{"nonce":"' + frame.f_locals["nonce"].encode() + b'","value":1}'
    os.write(4, len(text).to_bytes(4, "big") + text + b"more")
    os.read(3, 4)
"""
    with sandbox.worker(source) as worker:
        assert worker.request("f") == 1
        with pytest.raises(SandboxError, match="forged answer: an answer before the request"):
            worker.request("f")


def test_an_interrupted_exchange_does_not_answer_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(self: object) -> None:
        raise KeyboardInterrupt

    with Sandbox() as sandbox:
        assert sandbox.call(COUNTER, "add") == 1
        with monkeypatch.context() as patch:
            patch.setattr(run.Zygote, "_receive", interrupt)
            with pytest.raises(KeyboardInterrupt):
                sandbox.call(COUNTER, "add")
        assert sandbox.call("def f(): return 2", "f") == 2


def test_calls_from_threads_run_side_by_side_and_closing_ends_one_under_way() -> None:
    results: list[int] = []
    faults: list[FaultError] = []

    def work(number: int) -> None:
        for _ in range(5):
            results.append(sandbox.call("def f(x): return x", "f", [number]))

    def sleep() -> None:
        try:
            sandbox.call("import time\ndef f(): time.sleep(100)", "f")
        except FaultError as error:
            faults.append(error)

    with Sandbox(limits=Limits(cpu_s=10, wall_s=100)) as sandbox:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
        sleeper = threading.Thread(target=sleep)
        for thread in [sleeper, *threads]:
            thread.start()
        for thread in threads:
            thread.join()
        assert sleeper.is_alive()
    sleeper.join()
    assert len(faults) == 1
    assert sorted(results) == sorted(list(range(6)) * 5)


def test_a_dead_zygote_is_a_fault_and_the_next_call_starts_another() -> None:
    with Sandbox() as sandbox:
        worker = sandbox.worker(COUNTER)
        zygote = sandbox.zygote
        assert zygote is not None
        zygote.process.kill()
        with pytest.raises(FaultError) as error:
            worker.request("spin")
        assert error.value.fault is Fault.ENV_ERROR
        assert sandbox.call(COUNTER, "add") == 1
        worker.close()


def test_a_zygote_that_dies_while_it_is_asked_is_a_fault() -> None:
    with Sandbox() as sandbox:
        assert sandbox.call(COUNTER, "add") == 1
        zygote = sandbox.zygote
        assert zygote is not None
        threading.Timer(0.3, zygote.process.kill).start()
        with pytest.raises(FaultError):
            sandbox.call("import time\ndef f(): time.sleep(50)", "f")


def kill_soon(zygote: run.Zygote) -> threading.Timer:
    """Kill the zygote's only child from outside, as the operator or the kernel may, once it is there."""

    def kill() -> None:
        leader = zygote.process.pid
        while not (children := Path(f"/proc/{leader}/task/{leader}/children").read_text().split()):
            time.sleep(0.01)
        time.sleep(0.2)  # until it is locked: before that any end is a fault
        os.kill(int(children[0]), signal.SIGKILL)

    timer = threading.Timer(0, kill)
    timer.start()
    return timer


@pytest.mark.skipif(best_level() < 2, reason="there is no seccomp here")
def test_a_process_that_is_killed_from_outside_is_a_fault_and_the_next_call_works() -> None:
    with Sandbox(2, Limits(cpu_s=100, wall_s=100)) as sandbox:
        assert sandbox.call(COUNTER, "add") == 1
        assert sandbox.zygote is not None
        timer = kill_soon(sandbox.zygote)
        with pytest.raises(FaultError, match="killed from outside: SIGKILL"):
            sandbox.call(COUNTER, "spin")
        timer.join()
        assert sandbox.call(COUNTER, "add") == 1


@pytest.mark.skipif(best_level() < 2, reason="there is no seccomp here")
def test_a_worker_that_is_killed_is_a_fault_also_after_much_time_in_earlier_requests_and_between_two() -> None:
    with Sandbox(2, Limits(cpu_s=0.5, wall_s=100)) as sandbox:
        for asleep in (True, False):
            worker = sandbox.worker(COUNTER)
            assert [worker.request("burn", [0.2]) for _ in range(3)] == [True] * 3
            pid = worker.child.pid
            if asleep:
                threading.Timer(0.3, os.kill, (pid, signal.SIGKILL)).start()
            else:
                os.kill(pid, signal.SIGKILL)
                assert os.read(worker.child.answers, 1) == b""  # its end of the pipe is closed
            with pytest.raises(FaultError, match="killed from outside: SIGKILL"):
                worker.request("sleep" if asleep else "add", [100])
            worker.close()


@pytest.mark.skipif(best_level() < 2, reason="there is no seccomp here")
def test_a_death_that_the_code_brings_about_itself_is_no_fault(sandbox: Sandbox) -> None:
    for source in (
        "import ctypes\ndef f(): ctypes.string_at(0)",
        "import os\ndef f(): os._exit(9)",
        "import os\ndef f(): os.abort()",
    ):
        assert reason(sandbox, source) is Reason.DIED


@pytest.mark.parametrize(("used", "told"), [(9.86, Reason.TIMEOUT), (10.4, Reason.TIMEOUT), (5.0, Reason.DIED)])
def test_a_kill_near_the_limit_is_a_timeout(monkeypatch: pytest.MonkeyPatch, used: float, told: Reason) -> None:
    """At level 1, where the code may kill itself; the time that it had used is given here."""
    end = run.Zygote.end
    monkeypatch.setattr(run.Zygote, "end", lambda *a, **k: {**end(*a, **k), "cpu_s": used})
    with Sandbox(1, Limits(cpu_s=10, wall_s=100)) as sandbox:
        assert reason(sandbox, "import os\ndef f(): os.kill(os.getpid(), 9)") is told


def test_the_kernels_limit_leaves_room_above_the_watched_one_and_holds_without_it(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "import resource\ndef f(): return resource.getrlimit(resource.RLIMIT_CPU)"
    assert min(sandbox.call(source, "f")) >= 1.5 * sandbox.limits.cpu_s
    monkeypatch.setattr(run.Child, "_cpu", lambda self: 0.0)
    with Sandbox(limits=Limits(cpu_s=0.4, wall_s=100)) as unwatched:
        assert reason(unwatched, COUNTER + "f = spin") is Reason.TIMEOUT


@pytest.mark.parametrize("level", range(1, int(best_level()) + 1))
def test_the_memory_limit_is_the_one_asked_for_also_without_proc(level: int, monkeypatch: pytest.MonkeyPatch) -> None:
    source = """
def f():
    fits, fails = 0, 1 << 32
    while fails - fits > 4096:
        middle = (fits + fails) // 2
        try:
            bytes(middle)
            fits = middle
        except MemoryError:
            fails = middle
    return fits
"""
    hidden = 'import builtins\nbuiltins.open = lambda *_, real=open, **__: real("/nowhere")\nmain('
    with Sandbox(level, Limits(cpu_s=10, wall_s=60, memory=100 << 20)) as plain:
        found = [plain.call(source, "f")]
    monkeypatch.setattr(run, "BOOT", run.BOOT.replace("main(", hidden))
    with Sandbox(level, Limits(cpu_s=10, wall_s=60, memory=100 << 20)) as bare:
        found.append(bare.call(source, "f"))
    assert found == [pytest.approx(100 << 20, abs=2 << 20)] * 2


@pytest.mark.parametrize("level", range(1, int(best_level()) + 1))
def test_a_process_may_set_its_umask(level: int) -> None:
    with Sandbox(level) as sandbox:
        assert sandbox.call("import os\ndef f(): return [os.umask(0o22), os.umask(0o77)]", "f")[1] == 0o22


def test_an_interpreter_that_is_not_there_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run.sys, "executable", "/nowhere/python")
    with Sandbox(1) as sandbox, pytest.raises(FaultError, match="cannot start"):
        sandbox.call(COUNTER, "add")
    monkeypatch.setattr(run.sys, "executable", "/bin/false")
    with Sandbox(1) as sandbox, pytest.raises(FaultError, match="cannot start at level 1: the zygote died"):
        sandbox.call(COUNTER, "add")


def test_a_process_that_cannot_be_locked_is_a_fault_and_runs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    boot = run.BOOT.replace(
        "main(", "from interactive_envs.sandbox import kernel\nkernel.drop_privileges = lambda: open('/nowhere')\nmain("
    )
    monkeypatch.setattr(run, "BOOT", boot)
    with Sandbox() as sandbox, pytest.raises(FaultError, match=r"cannot lock a process at level \d: .*nowhere"):
        sandbox.call(COUNTER, "add")


def test_closing_leaves_no_process() -> None:
    sandbox = Sandbox()
    worker = sandbox.worker(COUNTER)
    zygote = sandbox.zygote
    assert zygote is not None
    child = worker.child.pid
    sandbox.close()
    assert zygote.process.returncode is not None
    if sandbox.level < Level.BUBBLEWRAP:
        for _ in range(1000):
            if not Path(f"/proc/{child}").exists():
                break
            time.sleep(0.02)
        assert not Path(f"/proc/{child}").exists()
    worker.close()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_uses_a_zygote_of_its_own(sandbox: Sandbox) -> None:
    assert sandbox.call(COUNTER, "add") == 1
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            status = int(sandbox.call(COUNTER, "add") != 1)
            sandbox.close()
        finally:
            os._exit(status)
    assert os.waitpid(pid, 0)[1] == 0
    assert sandbox.call(COUNTER, "add") == 1


def test_a_sandbox_can_be_pickled(sandbox: Sandbox) -> None:
    with pickle.loads(pickle.dumps(sandbox)) as copy:
        assert (copy.level, copy.limits) == (sandbox.level, sandbox.limits)
        assert copy.call(COUNTER, "add") == 1
    error = pickle.loads(pickle.dumps(SandboxError(Reason.MEMORY, "x")))
    assert (error.reason, str(error)) == (Reason.MEMORY, "memory: x")


def test_wrong_arguments_of_the_caller_are_the_callers_error(sandbox: Sandbox) -> None:
    for arguments, problem in (([{1}], "not JSON"), ([float("nan")], "not JSON"), (["x" * (5 << 20)], "the limit is")):
        with pytest.raises(ConfigError, match=problem):
            sandbox.call(COUNTER, "add", arguments)
    for limits in ({"cpu_s": 0}, {"memory": -1}, {"wall_s": float("inf")}):
        with pytest.raises(ConfigError, match="must be above 0 and finite"):
            Limits(**limits)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Sets what this machine is found to have; nothing is said in the environment."""

    def found(*, landlock: int = 0, seccomp: bool = True, platform: str = "linux") -> None:
        monkeypatch.setattr(levels.shutil, "which", lambda _: None)
        monkeypatch.setattr(kernel, "landlock_abi", lambda: landlock)
        monkeypatch.setattr(kernel, "seccomp_works", lambda: seccomp)
        monkeypatch.setattr(levels.sys, "platform", platform)
        levels.parts.cache_clear()

    monkeypatch.delenv(levels.VARIABLE, raising=False)
    yield found
    monkeypatch.undo()
    levels.parts.cache_clear()


def test_a_level_the_machine_lacks_is_refused_with_the_remedy(machine: Callable[..., None]) -> None:
    machine()
    with pytest.raises(ConfigError, match=r"level 3 .*is 2\. Missing: bubblewrap: apt install bubblewrap"):
        Sandbox(3)
    with pytest.raises(ConfigError, match="a sandbox level is 1, 2 or 3, got 4"):
        Sandbox(4)
    machine(landlock=7, seccomp=False)
    with pytest.raises(ConfigError, match=r"level 2 .*is 1\. Missing: seccomp: .* CONFIG_SECCOMP_FILTER$"):
        Sandbox(2)
    machine(platform="darwin")
    with pytest.raises(ConfigError, match="the sandbox needs Linux, this is darwin"):
        Sandbox()


def test_where_only_landlock_is_missing_the_filter_is_used(machine: Callable[..., None]) -> None:
    machine()
    assert best_level() == level_in_use() == Sandbox().level == Level.SECCOMP


def test_below_level_2_foreign_code_runs_only_if_told(
    machine: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(landlock=7, seccomp=False)
    for ask in (Sandbox, level_in_use):
        with pytest.raises(ConfigError, match=r"delete your files: .*; or set IBENCH_SANDBOX_LEVEL=1 ") as error:
            ask()
        assert "\n" not in str(error.value)
    assert Sandbox(1).level == 1
    monkeypatch.setenv("IBENCH_SANDBOX_LEVEL", "1")
    assert level_in_use() == Sandbox().level == 1
    with Sandbox() as sandbox:
        assert sandbox.call(COUNTER, "add") == 1


def test_the_environment_says_the_level_unless_the_code_does(
    machine: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    machine()
    monkeypatch.setenv("IBENCH_SANDBOX_LEVEL", "1")
    assert (Sandbox().level, Sandbox(2).level) == (1, 2)
    monkeypatch.setenv("IBENCH_SANDBOX_LEVEL", "3")
    with pytest.raises(ConfigError, match="level 3 is not available on this machine; the best is 2"):
        Sandbox()
    for nonsense in ("0", "4", "best", "²", "1" * 9999):
        monkeypatch.setenv("IBENCH_SANDBOX_LEVEL", nonsense)
        with pytest.raises(ConfigError, match=r"^IBENCH_SANDBOX_LEVEL must be 1, 2 or 3, got '.{1,40}'$"):
            Sandbox()


def test_a_bubblewrap_that_fails_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels.shutil, "which", lambda _: "/bin/false")
    levels.parts.cache_clear()
    try:
        assert best_level() < 3
        assert "/bin/false fails" in levels.parts()[-1].remedy
    finally:
        monkeypatch.undo()
        levels.parts.cache_clear()


@pytest.mark.parametrize("machine", list(kernel.ALLOWED))
def test_the_filter_answers_every_call_as_the_tables_say(machine: str) -> None:
    """The filter run by a small interpreter of its own, for architectures that are not at hand as well."""
    names = {**kernel.ALLOWED[machine], **kernel.FORKING[machine]}
    names |= kernel.MAPPING[machine] | {"prlimit64": kernel.PRLIMIT[machine]}
    arch, program = kernel.AUDIT_ARCH[machine], kernel.seccomp_program(machine)

    def answer(number: int, arguments: tuple[int, ...] = (0, 0, 0), architecture: int = arch) -> str:
        words = {0: number, 4: architecture}
        for index, argument in enumerate(arguments):
            words |= {16 + 8 * index: argument & 0xFFFFFFFF, 20 + 8 * index: argument >> 32}
        place = accumulator = 0
        while True:
            code, true, false, k = STEP.unpack_from(program, 8 * place)
            place += 1
            if code == 0x20:
                accumulator = words[k]
            elif code == 0x06:
                return {0x7FFF0000: "allow", 0x50001: "deny", 0x5000B: "busy", 0x80000000: "kill"}[k]
            else:
                met = {0x15: accumulator == k, 0x35: accumulator >= k, 0x45: bool(accumulator & k)}[code]
                place += true if met else false

    allowed = set(names.values()) - set(kernel.FORKING[machine].values())
    for number in range(600):
        busy = number in kernel.FORKING[machine].values()
        assert answer(number) == ("allow" if number in allowed else "busy" if busy else "deny")
        assert answer(number, architecture=0x40000003) == "kill"
    assert answer(0x40000000 + 39) == "kill"
    assert answer({"x86_64": 95, "aarch64": 166}[machine]) == "allow"  # umask
    for number in kernel.MAPPING[machine].values():
        assert answer(number, (0, 4096, 3)) == "allow"
        assert answer(number, (0, 4096, 7)) == "deny"
    assert answer(kernel.PRLIMIT[machine], (1, 7, 0)) == "deny"
    assert answer(kernel.PRLIMIT[machine], (0, 7, 0x1000)) == "deny"
    assert answer(kernel.PRLIMIT[machine], (0, 7, 0x100000000)) == "deny"
