"""Ports of this machine that nobody else can reach."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator

from interactive_envs.errors import ConfigError

HOST = "127.0.0.1"


@contextlib.contextmanager
def bound(port: int, option: str) -> Iterator[socket.socket]:
    """A socket on a port of the loopback interface.

    Args:
        port: 0 for any free one.
        option: of the command line by which another one is chosen, for the message.

    Raises:
        ConfigError: the port cannot be used.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
            listener.listen()  # who comes before the server runs waits, and is not turned away
        except OSError as error:
            raise ConfigError(f"port {port} cannot be used: {error.strerror}; choose another with {option}") from error
        yield listener
