"""Connects to a socket that has no path."""
# ends: forbidden

import socket


def attack(world):
    socket.socket(socket.AF_UNIX).connect("\0" + world["abstract"])
