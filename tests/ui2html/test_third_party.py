"""Other people's pages as targets: HTML that npm packages ship, fetched when the test runs and never kept.

``third_party.json`` lists the packages with version, integrity (as npm gives it), licence (SPDX) and pages. No request
of a page is answered, so stylesheets of its own package are first written into it; images, scripts and what comes from
elsewhere stay out. A player's page has at most 200,000 bytes and Bootstrap alone has more; so that a page can also be
an answer, rules for classes that it does not have are left out; one test looks that nothing is changed by this.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interactive_envs.agents.ui2html import Template
from interactive_envs.making import make
from interactive_envs.ui2html.judge.scoring import score
from interactive_envs.ui2html.rendering.browser import Browser, Limits, Render
from interactive_envs.ui2html.rendering.drawing import drawn_target
from interactive_envs.ui2html.rules import DIMENSIONS
from interactive_envs.ui2html.summary import read_request, summarise
from interactive_envs.ui2html.targets.designs import OMISSIONS
from interactive_envs.ui2html.targets.sources import Given, Target

PACKAGES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("third_party.json").read_text("utf-8"))
BLANK = "<!DOCTYPE html><html><head><title></title></head><body></body></html>"
MIT = "Permission is hereby granted, free of charge"

pytestmark = pytest.mark.long


def name_of(package: Mapping[str, Any], page: Mapping[str, Any]) -> str:
    """The file, and so the target, that a page becomes."""
    return f"{package['package']}-{Path(page['path']).stem}.html"


NAMES = [name_of(package, page) for package in PACKAGES for page in package["pages"]]


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The packages as npm sends them, by name; nothing of them is run or unpacked."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("npm")
    wanted = [f"{package['package']}@{package['version']}" for package in PACKAGES]
    command = [npm, "pack", "--ignore-scripts", "--json", "--pack-destination", str(folder), *wanted]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {one["name"]: folder / one["filename"] for one in json.loads(done.stdout)}


@pytest.fixture(scope="module")
def whole(archives: Mapping[str, Path]) -> dict[str, str]:
    """The pages with all of their package's stylesheets, by name."""
    return _pages(archives, prune=False)


@pytest.fixture(scope="module")
def folder(archives: Mapping[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages as a user would give them."""
    folder = tmp_path_factory.mktemp("targets")
    for name, html in _pages(archives, prune=True).items():
        (folder / name).write_text(html, "utf-8")
    return folder


@pytest.fixture(scope="module")
def targets(folder: Path) -> dict[str, str]:
    """The pages as the environment reads them, by name."""
    return {name: (folder / name).read_text("utf-8") for name in NAMES}


@pytest.fixture(scope="module")
def renders(browser: Browser, targets: Mapping[str, str]) -> dict[str, Render]:
    """What the pages look like, by name."""
    return {name: browser.render(html) for name, html in targets.items()}


@pytest.fixture(scope="module")
def patient(chromium: str) -> Iterator[Browser]:
    """A second browser, which also takes pages with all of their stylesheets."""
    with Browser(chromium=chromium, limits=Limits(html=500_000)) as browser:
        yield browser


def _pages(archives: Mapping[str, Path], *, prune: bool) -> dict[str, str]:
    pages = {}
    for package in PACKAGES:
        with tarfile.open(archives[package["package"]]) as archive:
            for page in package["pages"]:
                sheets = {Path(path).name: read(archive, path) for path in page["stylesheets"]}
                pages[name_of(package, page)] = with_styles(read(archive, page["path"]), sheets, prune=prune)
    return pages


def read(archive: tarfile.TarFile, path: str) -> str:
    """A text of a package."""
    root = archive.getnames()[0].partition("/")[0]
    file = archive.extractfile(f"{root}/{path}")
    assert file is not None, path
    return file.read().decode("utf-8-sig")


def with_styles(page: str, sheets: Mapping[str, str], *, prune: bool) -> str:
    """The page with links to these stylesheets, by file name, replaced by what they hold."""
    used = set()

    def put(link: re.Match[str]) -> str:
        href = re.search(r"href=[\"']([^\"']+)", link[0])
        name = href[1].rpartition("/")[2] if href else ""
        if "stylesheet" not in link[0] or name not in sheets:
            return link[0]
        used.add(name)
        return f"<style>{applying(sheets[name], page) if prune else sheets[name]}</style>"

    page = re.sub(r"<link\b[^>]*>", put, page)
    assert used == set(sheets)
    return page


def applying(sheet: str, page: str) -> str:
    """The stylesheet without rules whose classes do not occur in the page."""
    words = set(re.findall(r"[\w-]+", page))

    def keep(rule: re.Match[str]) -> str:
        selectors = re.sub(r":not\([^)]*\)", "", rule[1]).split(",")
        return rule[0] if any(words.issuperset(re.findall(r"\.([A-Za-z_-][\w-]*)", one)) for one in selectors) else ""

    return re.sub(r"([^{};]+)\{[^{}]*\}", keep, re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL))


def test_the_list_has_a_dozen_pages_of_many_kinds_from_many_packages() -> None:
    assert len(set(NAMES)) == len(NAMES) >= 12
    assert len(PACKAGES) >= 10
    assert len({page["kind"] for package in PACKAGES for page in package["pages"]}) >= 10


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package["package"])
def test_a_package_is_the_one_listed_under_the_licence_listed(
    package: Mapping[str, Any], archives: Mapping[str, Path]
) -> None:
    file = archives[package["package"]]
    digest = base64.b64encode(hashlib.sha512(file.read_bytes()).digest()).decode()
    assert package["integrity"] == f"sha512-{digest}"
    with tarfile.open(file) as archive:
        about = json.loads(read(archive, "package.json"))
        licence = " ".join(read(archive, package["licence_file"]).split())
    assert (about["name"], about["version"]) == (package["package"], package["version"])
    assert about["license"] == package["licence"] == "MIT"
    assert MIT in licence


def test_a_folder_of_them_is_a_source_of_targets(folder: Path, targets: Mapping[str, str]) -> None:
    source = Given(str(folder))
    assert source.ids() == sorted(NAMES)
    assert all("<style" in html or "style=" in html for html in targets.values())


@pytest.mark.parametrize("name", NAMES)
def test_a_page_shows_something_and_is_drawn_alike_again_and_in_another_browser(
    name: str, targets: Mapping[str, str], renders: Mapping[str, Render], browser: Browser, patient: Browser
) -> None:
    first = renders[name]
    assert any(node.text.strip() for node in first.tree)
    for again in (browser, patient):
        second = again.render(targets[name])
        assert second.png == first.png
        assert second.tree == first.tree


@pytest.mark.parametrize("name", NAMES)
def test_a_page_with_all_of_its_styles_is_a_target_and_rules_for_absent_classes_change_nothing(
    name: str, whole: Mapping[str, str], renders: Mapping[str, Render], tmp_path: Path
) -> None:
    (tmp_path / name).write_text(whole[name], "utf-8")
    target = Given(str(tmp_path)).draw(np.random.default_rng(0))
    assert drawn_target(target.for_judge()).png == renders[name].png


@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_full_score_against_itself_and_a_blank_page_has_none(
    name: str, renders: Mapping[str, Render], browser: Browser
) -> None:
    target = renders[name]
    assert score(target, target) == (20, 20, 20, 20, 20)
    assert score(target, browser.render(BLANK)).total == 0
    picture = target._replace(tree=())
    assert score(picture, target) == (20, 20, 20, 20, 20)
    assert score(picture, browser.render(BLANK)).total == 0


@pytest.mark.parametrize("omission", OMISSIONS)
@pytest.mark.parametrize("name", NAMES)
def test_a_request_is_written_for_a_page(name: str, omission: int, targets: Mapping[str, str]) -> None:
    request = summarise(Target(name, html=targets[name]), omission)
    assert read_request(request) == request


@pytest.mark.parametrize("name", NAMES)
def test_an_episode_with_a_page_as_its_target_is_scored(name: str, folder: Path, targets: Mapping[str, str]) -> None:
    env = make("ibench/UI2Html-v1", targets=str(folder), case=name)
    player = Template()
    observation, info = env.reset(seed=1)
    assert summarise(Target(name, html=targets[name]), 2) in observation
    player.reset(seed=1, info=info)
    observation, reward, terminated, truncated, info = env.step(player.act(observation, info))
    assert (terminated, truncated, info["outcome"], info["case"]) == (True, False, "scored", name)
    assert list(info["scores"]) == list(DIMENSIONS)
    assert info["score"] == sum(info["scores"].values()) < 100
    assert reward == info["score"] / 100


@pytest.mark.parametrize("name", NAMES)
def test_the_page_itself_as_the_answer_wins_everything(name: str, folder: Path, targets: Mapping[str, str]) -> None:
    env = make("ibench/UI2Html-v1", targets=str(folder), case=name)
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(f"<answer>{targets[name]}</answer>")
    assert terminated
    assert (reward, info["score"]) == (1.0, 100)
