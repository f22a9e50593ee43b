"""Starts a program the usual way."""
# ends: processes, forbidden, exception


def attack(world):
    import subprocess

    subprocess.run(["/bin/true"])
