"""Makes a socket that leads to itself."""
# ends: forbidden

import socket


def attack(world):
    socket.socketpair()
