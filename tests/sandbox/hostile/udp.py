"""Sends a datagram without a connection."""
# ends: forbidden

import socket


def attack(world):
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", world["port"]))
