"""What must not pass: code that reaches out of the game, and a known game in other words."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from interactive_envs import generate
from interactive_envs.game_generation.engine import Done
from interactive_envs.game_generation.pool import Ruling
from tests.game_generation.test_making import own, read, replies

AT_IMPORT = {
    "runs a program": "import os\nos.system('touch {proof}')",
    "starts a process": "import subprocess\nsubprocess.run(['touch', '{proof}'])",
    "writes a file": "open('{proof}', 'w').write('x')",
    "finds open by another way": "(lambda: 0).__globals__['__builtins__']['open']('{proof}', 'w').write('x')",
    "calls the system by numbers": "import ctypes\nctypes.CDLL(None).creat(b'{proof}', 0o600)",
    "opens a connection": "import socket\nsocket.create_connection(('127.0.0.1', {port})); open('{proof}', 'w')",
    "reads the password file": "TEXT = open('/etc/passwd').read()",
    "sends what it reads": "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:{port}/x', timeout=1)",
    "ends the process": "import os\nos._exit(0)",
    "eats memory": "HOARD = [bytearray(1 << 28) for _ in range(64)]",
    "changes NumPy": "import numpy\nnumpy.random.default_rng = None",
}


@contextlib.contextmanager
def listening() -> Iterator[int]:
    """A port that would take connections, and that nobody connects to."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server.getsockname()[1]
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.mark.parametrize("kind", AT_IMPORT)
def test_hostile_code_is_refused_and_reaches_nothing(tmp_path: Path, kind: str) -> None:
    proof = tmp_path / "escaped"
    with listening() as port:
        line = AT_IMPORT[kind].format(proof=proof, port=port)
        hostile = own(lambda name, text: f"{line}\n{text}" if name == "game.py" else text)
        answers = replies(tmp_path / "replies.jsonl", game_0001_write_0=hostile)
        made = generate("games", tmp_path / "pool", repairs=0, replies=[answers])
    assert [end for _, end in made.ends()] == [Done(False, "admission")], made.pool.candidate(1).entries[-1]
    assert not proof.exists()


def test_a_known_game_in_other_words_is_called_by_its_name(tmp_path: Path) -> None:
    """Three of nine numbers that add to 15: tic-tac-toe on a magic square."""

    def fifteen(name: str, text: str) -> str:
        if name == "game.py":
            lines = next(line for line in text.splitlines() if line.startswith("LINES"))
            sums = "LINES = [{a, b, 15 - a - b} for a in range(1, 10) for b in range(1, a) if 0 < 15 - a - b < b]"
            full = "over = len(self.held[0] | self.held[1]) == N\n        "
            last = "return self._observe(), 0, False, False, {}"
            ends = f"{full}return self._observe(), 0, over, False, {{'winner': None}} if over else {{}}"
            return text.replace(lines, sums).replace(last, ends)
        before, _, after = text.partition("There is no draw")
        rest = after.partition("\n\n")[2]
        return f"{before}When no number is left, the game is a draw.\n\n{rest}" if after else text

    pool = tmp_path / "pool"
    generate("games", pool, repairs=0, replies=[replies(tmp_path / "a.jsonl", game_0001_write_0=own(fifteen))])
    made = generate("games", pool, replies=[read(pool)])
    last = made.pool.candidate(1).entries[-1]
    assert isinstance(last, Ruling)
    assert (last.stage, last.verdict) == ("novelty", "fail"), last
    assert "tic-tac-toe" in last.reasons[0][1] or "number scrabble" in last.reasons[0][1]
