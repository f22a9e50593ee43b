"""Resources that belong to one process."""

from __future__ import annotations

import importlib
import io
import os
import sys
import types
from typing import Any

import pytest

from interactive_envs.llm.process import PerProcess


class Ending:
    """Writes down that it was destroyed."""

    ended: list[str]

    def __init__(self, ended: list[str]) -> None:
        self.ended = ended

    def __del__(self) -> None:
        self.ended.append("destroyed")


def test_a_value_is_built_once_and_anew_after_closing() -> None:
    built: list[int] = []
    closed: list[int] = []

    def build() -> int:
        built.append(len(built) + 1)
        return built[-1]

    resource = PerProcess(build, closed.append)
    assert [resource.get(), resource.get()] == [1, 1]
    resource.close()
    resource.close()
    assert (resource.get(), closed) == (2, [1])


def test_an_abandoned_value_is_never_destroyed_nor_disposed_of() -> None:
    ended: list[str] = []
    resource = PerProcess(lambda: Ending(ended), lambda _: ended.append("disposed"))
    first = id(resource.get())
    resource.abandon()
    assert id(resource.get()) != first
    assert ended == []
    resource.abandon()
    resource.abandon()


def test_a_child_builds_its_own_even_if_the_lock_was_held_while_forking() -> None:
    resource = PerProcess(os.getpid)
    with resource.lock:
        child = os.fork()
        if child == 0:
            os._exit(0 if resource.get() == os.getpid() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert resource.get() == os.getpid()


def test_the_local_server_prints_its_address_and_serves_until_its_input_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Settings(types.SimpleNamespace):
        def __init__(self) -> None:
            space = types.SimpleNamespace
            super().__init__(model=space(), cpuparams=space(), cpuparams_batch=space())

    started: list[Any] = []

    def server(settings: Settings) -> types.SimpleNamespace:
        started.append(settings)
        return types.SimpleNamespace(listening_address="http://127.0.0.1:5")

    engine: Any = types.ModuleType("xllamacpp")
    engine.CommonParams, engine.Server = Settings, server
    monkeypatch.setitem(sys.modules, "xllamacpp", engine)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    exits: list[int] = []
    monkeypatch.setattr(os, "_exit", exits.append)
    importlib.import_module("interactive_envs.llm.local_server").main("w.gguf", 1, 4096, 32, 64)
    assert (capsys.readouterr().out, exits) == ("http://127.0.0.1:5\n", [0])
    settings = started[0]
    assert (settings.model.path, settings.hostnames, settings.n_ubatch) == ("w.gguf", ["127.0.0.1"], 32)
    assert (settings.cpuparams.n_threads, settings.cpuparams_batch.n_threads, settings.n_parallel) == (1, 1, 1)
