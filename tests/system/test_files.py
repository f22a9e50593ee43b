"""Files that somebody else may have made."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from interactive_envs.errors import ConfigError
from interactive_envs.system import files


def test_a_regular_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"é": [1, 2]}', encoding="utf-8")
    assert files.read_bytes(path) == '{"é": [1, 2]}'.encode()
    assert files.read_text(str(path)) == '{"é": [1, 2]}'
    assert files.read_json(path) == {"é": [1, 2]}
    with pytest.raises(FileNotFoundError):
        files.read_bytes(tmp_path / "none")


def test_a_link_is_not_followed_but_its_folder_may_be_one(tmp_path: Path) -> None:
    secret = tmp_path / "real" / "secret"
    secret.parent.mkdir()
    secret.write_text("private", encoding="utf-8")
    (tmp_path / "link").symlink_to(secret)
    with pytest.raises(ConfigError, match=r"link is a link, and links are not followed; put the file itself there"):
        files.read_text(tmp_path / "link")
    (tmp_path / "folder").symlink_to(secret.parent)
    assert files.read_text(tmp_path / "folder" / "secret") == "private"


def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        for path in (tmp_path / "pipe", tmp_path / "socket", Path("/dev/zero"), tmp_path):
            with pytest.raises(ConfigError, match="is no regular file; put a file there"):
                files.read_bytes(path)


def test_a_file_above_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(b"x" * 1001)
    assert len(files.read_bytes(path, largest=1001)) == 1001
    with pytest.raises(ConfigError, match="large has more than 1,000 bytes"):
        files.read_bytes(path, largest=1000)


def test_a_file_without_a_size_is_read_up_to_the_limit() -> None:
    with pytest.raises(ConfigError, match="has more than 10 bytes"):
        files.read_bytes("/proc/self/status", largest=10)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[" * 100_000, "here is nested too deeply to be read"),
        ('{"a":' * 100_000, "here is nested too deeply to be read"),
        ("1" * 5_000, "here holds a number of too many digits"),
        ("{", "here is not JSON: Expecting property name"),
        (b"\xff", "here is not UTF-8: invalid start byte at byte 0"),
    ],
    ids=["lists", "objects", "digits", "cut", "bytes"],
)
def test_json_that_cannot_be_read_is_one_line(text: str | bytes, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem) as error:
        files.parse_json(text, "here")
    assert "\n" not in str(error.value)


def test_private_files_and_folders_are_their_owners_alone(tmp_path: Path) -> None:
    folder = files.make_private_folder(tmp_path / "a" / "b")
    with files.open_private(folder / "text", "w") as file:
        file.write("é")
    with files.open_private(folder / "bytes", "ab") as file:
        file.write(b"1")
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (folder.parent, folder, *folder.iterdir())}
    assert set(modes.values()) == {files.PRIVATE_FOLDER, files.PRIVATE_FILE}
    assert len(modes) == 4
    assert (folder / "text").read_text(encoding="utf-8") == "é"
    assert files.make_private_folder(folder) == folder
    with pytest.raises(ConfigError, match="text is no folder; choose another place"):
        files.make_private_folder(folder / "text")
