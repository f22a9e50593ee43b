"""Looks up a name, which asks a server."""
# ends: forbidden, exception

import socket


def attack(world):
    return socket.getaddrinfo("example.org", 80)
