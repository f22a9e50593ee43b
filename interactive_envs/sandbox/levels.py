"""Which levels of the sandbox this machine offers, and what is missing for the others."""

from __future__ import annotations

import functools
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from interactive_envs.errors import ConfigError


class Level(IntEnum):
    """How far foreign code is held; each level has all of the ones below."""

    RLIMITS = 1
    """Limits on resources, no new file descriptor, no fork; as root another user and an empty root directory."""
    SECCOMP = 2
    """And no file, signal or system call beyond a short list: a seccomp filter, with Landlock behind it if there is."""
    BUBBLEWRAP = 3
    """And namespaces of its own, in which other processes and the network do not exist."""


VARIABLE = "IBENCH_SANDBOX_LEVEL"
"""Environment variable that says the level of a :class:`Sandbox` for which the code asks none."""


class Part(NamedTuple):
    """One thing the sandbox can use.

    Attributes:
        name: what it is called.
        found: what is there, empty if it is missing.
        remedy: how to get it, empty if it is there.
        level: where it is used.
        needed: whether the level cannot be had without it.
    """

    name: str
    found: str
    remedy: str
    level: Level
    needed: bool = True


@functools.cache
def parts() -> tuple[Part, ...]:
    """What this machine has, looked at once."""
    if sys.platform != "linux":
        return (Part("Linux", "", "run it on Linux, in a container or a virtual machine", Level.RLIMITS),)
    from interactive_envs.sandbox import kernel

    abi, seccomp = kernel.landlock_abi(), kernel.seccomp_works()
    old = "an architecture of the tables in sandbox/kernel.py (x86_64, aarch64) and a kernel with CONFIG_SECCOMP_FILTER"
    landlock = "Linux 5.13 or newer with 'landlock' in the kernel's lsm= list, and a container profile that allows it"
    path = shutil.which("bwrap")
    problem = "apt install bubblewrap (or dnf, pacman, apk add)" if path is None else _bubblewrap_problem(path)
    return (
        Part("Linux rlimits", platform.release(), "", Level.RLIMITS),
        Part("seccomp", platform.machine() if seccomp else "", "" if seccomp else old, Level.SECCOMP),
        Part("Landlock", f"ABI {abi}" if abi else "", "" if abi else landlock, Level.SECCOMP, needed=False),
        Part("bubblewrap", "" if problem else str(path), problem, Level.BUBBLEWRAP),
    )


def best_level() -> Level:
    """The highest level that works here; without Linux there is none, which is an error."""
    missing = {part.level for part in parts() if part.needed and not part.found}
    if Level.RLIMITS in missing:
        raise ConfigError(f"the sandbox needs Linux, this is {sys.platform}: {parts()[0].remedy}")
    return max(level for level in Level if not any(below in missing for below in Level if below <= level))


def level_in_use() -> Level:
    """The level of every sandbox for which the code asks none: what :data:`VARIABLE` says, or else the best.

    Raises:
        ConfigError: the best is below 2, and no setting allows it; or the variable is wrong.
    """
    best, wanted = best_level(), os.environ.get(VARIABLE, "").strip()
    if wanted:
        if wanted not in {str(int(level)) for level in Level}:
            raise ConfigError(f"{VARIABLE} must be 1, 2 or 3, got {wanted[:40]!r}")
        return check_level(int(wanted))
    if best < Level.SECCOMP:
        raise ConfigError(
            f"this machine offers only level {int(best)} of the sandbox, where foreign code may delete your files: "
            f"{_missing(Level.SECCOMP)}; or set {VARIABLE}={int(best)} to run it all the same"
        )
    return best


def check_level(level: int | None) -> Level:
    """The level asked for, or the one in use; one that this machine lacks is an error that names the remedy."""
    if level is None:
        return level_in_use()
    best = best_level()
    if level not in set(Level):
        raise ConfigError(f"a sandbox level is 1, 2 or 3, got {level!r}")
    if level > best:
        lacks = _missing(level)
        raise ConfigError(
            f"sandbox level {level} is not available on this machine; the best is {int(best)}. Missing: {lacks}"
        )
    return Level(level)


def _missing(level: int) -> str:
    lacking = [part for part in parts() if part.needed and not part.found and part.level <= level]
    return "; ".join(f"{part.name}: {part.remedy}" for part in lacking)


def bubblewrap(path: str, files: Iterable[str] = ()) -> list[str]:
    """The command that puts a Python interpreter into namespaces of its own, with what it loads to read."""
    here = Path(__file__).parent
    python = Path(sys.executable)
    folders = dict.fromkeys(
        str(folder)
        for folder in (
            *map(Path, ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache")),
            *map(Path, (sys.base_prefix, sys.base_exec_prefix, sys.prefix)),
            python.parent,
            python.resolve().parent,
            here,
            *files,
        )
    )
    shown = [part for folder in folders for part in ("--ro-bind-try", folder, folder)]
    return [
        path,
        "--unshare-all",
        "--unshare-user",
        "--die-with-parent",
        "--new-session",
        "--cap-drop",
        "ALL",
        "--uid",
        "65534",
        "--gid",
        "65534",
        "--dev",
        "/dev",
        "--tmpfs",
        "/tmp",  # noqa: S108
        *shown,
        "--chdir",
        "/",
    ]


def _bubblewrap_problem(path: str) -> str:
    command = [*bubblewrap(path), sys.executable, "-S", "-P", "-c", "pass"]
    try:
        done = subprocess.run(  # noqa: S603
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=20, env={}, cwd=os.sep, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{path} does not run: {error}"
    if done.returncode == 0:
        return ""
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    return f"{path} fails ({lines[-1][:120] if lines else done.returncode}): allow unprivileged user namespaces"
