"""Talks to the kernel's network configuration."""
# ends: forbidden

import socket


def attack(world):
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
