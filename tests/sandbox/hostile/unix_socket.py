"""Connects to a socket by its path."""
# ends: forbidden

import socket


def attack(world):
    socket.socket(socket.AF_UNIX).connect(world["folder"] + "/socket")
