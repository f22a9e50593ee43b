from __future__ import annotations

import socket

import pytest

from interactive_envs.errors import ConfigError
from interactive_envs.system.loopback import HOST, bound


def test_who_comes_before_the_server_runs_waits() -> None:
    with bound(0, "--port") as listener, socket.create_connection(listener.getsockname(), timeout=10) as visitor:
        visitor.sendall(b"early")
        served, _ = listener.accept()
        with served:
            assert served.recv(5) == b"early"


def test_a_port_in_use_is_refused_with_the_remedy() -> None:
    with bound(0, "--port") as listener:
        port = listener.getsockname()[1]
        with (
            pytest.raises(ConfigError, match=rf"port {port} cannot be used: .*; choose another with --port"),
            bound(port, "--port"),
        ):
            pass
    assert HOST == "127.0.0.1", "nobody else can reach it"
