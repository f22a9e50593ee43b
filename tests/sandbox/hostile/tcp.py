"""Connects to a port of this machine."""
# ends: forbidden

import socket


def attack(world):
    socket.create_connection(("127.0.0.1", world["port"]), 1).sendall(b"hello")
