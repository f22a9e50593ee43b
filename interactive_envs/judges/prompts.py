"""The prompts of judges: files of the families or of a user's folder, and what is filled into them."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import Any, get_args

from interactive_envs import catalog
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.judges.base import JudgeRequest, Kind
from interactive_envs.llm.base import Message
from interactive_envs.seeds import canonical_json
from interactive_envs.system.files import read_text

KINDS: tuple[str, ...] = get_args(Kind)
"""The kinds of requests that judges are asked; a prompt is named after a family and one of these, or another use."""

_IMAGE = re.compile(r"^\[image ([\w-]+)\]$", re.MULTILINE)


@dataclass(frozen=True)
class Shipped:
    """A prompt of this package or of another family's, and what a user's in its place may use.

    Attributes:
        file: where its text is.
        fields: what may be filled into it, ``$setup`` and so on.
        images: the pictures that it must place, each once, with a line such as ``[image target]``.
    """

    file: Traversable
    fields: tuple[str, ...]
    images: tuple[str, ...]


@functools.cache
def shipped() -> Mapping[str, Shipped]:
    """Every family's prompts by name, as ``data/prompts.json`` of the package on its card lists them."""
    found: dict[str, Shipped] = {}
    for card in catalog.families().values():
        if card.prompts is None:
            continue
        folder = resources.files(card.prompts) / "data"
        for name, entry in json.loads((folder / "prompts.json").read_text(encoding="utf-8")).items():
            found[name] = Shipped(folder / entry["file"], tuple(entry["fields"]), tuple(entry["images"]))
    return found


def of_judges(*, pictures: bool) -> tuple[str, ...]:
    """Names of the prompts for requests to judges, with or without those that place pictures."""
    return tuple(
        name
        for name, prompt in shipped().items()
        if name.rpartition("-")[2] in KINDS and (pictures or not prompt.images)
    )


@dataclass(frozen=True)
class Prompt:
    """A prompt of two messages: a line ``[system]`` and a line ``[user]`` open them.

    Attributes:
        system: the first message, with fields.
        user: the second message, with fields and lines ``[image NAME]``.
        sha256: of the whole file's text.
    """

    system: str
    user: str
    sha256: str

    def messages(self, values: Mapping[str, str], images: Mapping[str, bytes] | None = None) -> list[Message]:
        """The two messages; with pictures the second has parts as in the OpenAI API.

        Args:
            values: by field. What stands in a value is never filled in again, and is no place for a picture.
            images: PNGs by the name that the prompt places them under.
        """
        system: Message = {"role": "system", "content": Template(self.system).substitute(values)}
        pieces = _IMAGE.split(self.user)  # text, a picture's name, text, …
        texts = [Template(piece.strip("\n")).substitute(values) for piece in pieces[::2]]
        if len(pieces) == 1:
            return [system, {"role": "user", "content": texts[0]}]
        parts = [text_part(texts[0])]
        for name, text in zip(pieces[1::2], texts[1:], strict=True):
            parts += [image_part((images or {})[name]), text_part(text)]
        return [system, {"role": "user", "content": [part for part in parts if part.get("text") != ""]}]


def text_part(text: str) -> dict[str, Any]:
    """A text among the parts of a message."""
    return {"type": "text", "text": text}


def image_part(png: bytes) -> dict[str, Any]:
    """A PNG among the parts of a message, as a data URI."""
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{base64.b64encode(png).decode()}"}}


def read_prompts(names: Collection[str], folder: str | None = None) -> dict[str, Prompt]:
    """The prompts of these names, each from ``folder`` where it has a file ``NAME.txt``, else the package's.

    Raises:
        ConfigError: the folder has none of them or one of another name, or a file cannot be used.
    """
    own = _own_files(folder, names) if folder is not None else {}
    return {name: _read(name, own.get(name)) for name in names}


def mark(request: JudgeRequest) -> str:
    """A line that the player's text cannot hold: it depends on the hidden truth, and is checked."""
    content = canonical_json([request.kind, request.text, dict(request.context)])
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
    while digest[:16] in request.text:
        digest = hashlib.sha256(digest.encode()).hexdigest()
    return f"=====PLAYER-{digest[:16]}====="


def values(request: JudgeRequest) -> dict[str, str]:
    """What a request fills into the prompt of its task and kind."""
    common = {"labels": ", ".join(request.labels), "mark": mark(request), "text": request.text}
    return {**common, **request.fields}


def listed(title: str, lines: Sequence[str]) -> str:
    """A list as the value of a field, with its title and empty lines around; empty for an empty one."""
    return "\n" + "\n".join([f"{title}:", *(f"- {line}" for line in lines)]) + "\n" if lines else ""


def _own_files(folder: str, names: Collection[str]) -> dict[str, Path]:
    try:
        found = {path.stem: path for path in sorted(Path(folder).expanduser().iterdir()) if path.suffix == ".txt"}
    except OSError as error:
        raise ConfigError(f"prompt folder {folder} cannot be read: {error}") from error
    for name in found:
        if name not in shipped():  # one that is not for this judge may be for another
            raise UnknownNameError("prompt file", f"{name}.txt", [f"{known}.txt" for known in shipped()])
    if not found.keys() & set(names):
        raise ConfigError(f"prompt folder {folder} has none of {', '.join(f'{name}.txt' for name in names)}")
    return found


def _read(name: str, path: Path | None) -> Prompt:
    if path is None:
        return _parsed(shipped()[name].file.read_text(encoding="utf-8"))
    try:
        text = read_text(path)
    except (OSError, ValueError) as error:
        raise ConfigError(f"prompt file {path} cannot be read: {error}") from error
    problem = next(_problems(name, text), None)
    if problem:
        raise ConfigError(f"prompt file {path}: {problem}")
    return _parsed(text)


def _problems(name: str, text: str) -> Iterator[str]:
    """What is wrong with a user's prompt; the package's own are tested."""
    if not (text.startswith("[system]\n") and "\n[user]\n" in text):
        yield "a prompt needs a first line [system] and a line [user]"
        return
    prompt, fields = _parsed(text), shipped()[name].fields
    try:
        Template(prompt.system).substitute(dict.fromkeys(fields, ""))
        Template(prompt.user).substitute(dict.fromkeys(fields, ""))
    except KeyError as error:
        yield f"unknown field ${error.args[0]}; known: {', '.join(f'${field}' for field in fields) or 'none'}"
    except ValueError as error:
        yield str(error)
    wanted, placed = shipped()[name].images, _IMAGE.findall(prompt.user)
    if sorted(placed) != sorted(wanted):
        lines = ", ".join(f"[image {image}]" for image in wanted) or "none"
        yield f"the message after [user] must have these lines of pictures, each once: {lines}"


def _parsed(text: str) -> Prompt:
    head, _, user = text.partition("\n[user]\n")
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Prompt(head.removeprefix("[system]\n").strip(), user.strip(), digest)
