"""Targets of the package, generated ones, and a user's files."""

from __future__ import annotations

import io
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from interactive_envs.errors import ConfigError, DatasetError, UnknownNameError
from interactive_envs.ui2html.targets import designs as targets
from interactive_envs.ui2html.targets.sources import Generated, Given, Own


def png(width: int = 40, height: int = 30) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), "teal").save(out, "PNG")
    return out.getvalue()


def test_the_packages_own_are_the_fifty_in_order() -> None:
    own = Own()
    assert list(own.ids()) == [design.id for design in targets.fixed()]
    drawn = own.draw(np.random.default_rng(0), "page-07")
    assert (drawn.id, drawn.html) == ("page-07", targets.html(targets.find("page-07")))
    assert own.sha256() == targets.sha256()


def test_a_difficulty_chooses_among_them() -> None:
    assert {targets.find(one).difficulty for one in Own(4).ids()} == {4}


def test_the_same_draw_whether_a_case_is_named_or_not() -> None:
    for source, named in ((Own(), "page-07"), (Generated((2,)), "generated-3-77")):
        one, other = np.random.default_rng(5), np.random.default_rng(5)
        source.draw(one)
        source.draw(other, named)
        assert one.random() == other.random()


def test_generated_targets_come_from_the_seed_and_can_be_named() -> None:
    source = Generated((3,))
    assert source.ids() is None
    drawn = source.draw(np.random.default_rng(1))
    assert drawn == source.draw(np.random.default_rng(1))
    assert drawn.id.startswith("generated-3-")
    assert drawn == source.draw(np.random.default_rng(9), drawn.id)
    with pytest.raises(UnknownNameError):
        source.draw(np.random.default_rng(1), "generated-9-1")


def test_a_folder_of_pages_and_pictures(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_text("<h1>Tea</h1>", encoding="utf-8")
    (tmp_path / "a.PNG").write_bytes(png())
    (tmp_path / "a.txt").write_text("  A teal page. \n", encoding="utf-8")
    (tmp_path / "readme.md").write_text("no target", encoding="utf-8")
    given = Given(str(tmp_path))
    assert given.ids() == ["a.PNG", "b.html"]
    picture, page = (given.draw(np.random.default_rng(0), one) for one in given.ids())
    assert (picture.png, picture.request, picture.html) == (png(), "A teal page.", None)
    assert (page.html, page.request) == ("<h1>Tea</h1>", None)
    assert list(picture.for_judge()) == ["png"]
    assert page.for_judge() == {"html": "<h1>Tea</h1>"}


def test_a_single_file(tmp_path: Path) -> None:
    (tmp_path / "one.htm").write_text("<p>One</p>", encoding="utf-8")
    assert Given(str(tmp_path / "one.htm")).ids() == ["one.htm"]


def test_the_hash_changes_with_content_name_and_request(tmp_path: Path) -> None:
    file = tmp_path / "one.html"
    file.write_text("<p>One</p>", encoding="utf-8")
    hashes = {Given(str(tmp_path)).sha256()}
    file.write_text("<p>Two</p>", encoding="utf-8")
    hashes.add(Given(str(tmp_path)).sha256())
    (tmp_path / "one.txt").write_text("A page.", encoding="utf-8")
    hashes.add(Given(str(tmp_path)).sha256())
    file.rename(tmp_path / "two.html")
    hashes.add(Given(str(tmp_path)).sha256())
    assert len(hashes) == 4


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.html", b"\xff\xfe\x00", "is not UTF-8"),
        ("a.html", b"no tags at all", "holds no HTML"),
        ("a.html", b"<p>" * 170_000, "at most 500000 bytes"),
        ("a.png", b"GIF89a", "is not a PNG"),
        ("a.png", png(5000, 10), "5000 by 10"),
    ],
)
def test_a_file_that_is_no_target_is_named(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DatasetError, match=words) as caught:
        Given(str(tmp_path))
    assert name in str(caught.value)


def test_an_empty_request_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>One</p>", encoding="utf-8")
    (tmp_path / "a.txt").write_text(" \n", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"a\.txt"):
        Given(str(tmp_path))


def test_nothing_to_take_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="do not exist"):
        Given(str(tmp_path / "nowhere"))
    with pytest.raises(ConfigError, match="hold no page"):
        Given(str(tmp_path))


def test_a_pipe_is_named_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "page.html")
    for path in (tmp_path, tmp_path / "page.html"):
        with pytest.raises(ConfigError, match=r"page\.html.* is no regular file"):
            Given(str(path))
