"""The prompts of judges: files of this package or of a user's folder, and what is filled into them."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.judges.base import JudgeRequest
from interactive_envs.llm.base import Message
from interactive_envs.seeds import canonical_json
from interactive_envs.system.files import read_text

FIELDS: Mapping[str, tuple[str, ...]] = {
    "situation-puzzle-question": ("setup", "solution", "facts", "labels", "mark", "text"),
    "situation-puzzle-final": ("setup", "solution", "facts", "labels", "mark", "text"),
    "math-question": ("problem", "answer", "solution", "facts", "quantities", "labels", "mark", "text"),
    "math-final": ("problem", "answer", "solution", "facts", "quantities", "labels", "mark", "text"),
    "ui2html-question": ("labels", "mark", "text"),
    "ui2html-score": (),
    "ui2html-summary": ("omission",),
}
"""What may be filled into a prompt, ``$setup`` and so on, by its name: task and kind."""
IMAGES: Mapping[str, tuple[str, ...]] = {
    "ui2html-question": ("target", "page"),
    "ui2html-score": ("target", "page"),
    "ui2html-summary": ("target",),
}
"""The pictures that a prompt must place, each once, with a line such as ``[image target]``."""

_IMAGE = re.compile(r"^\[image ([\w-]+)\]$", re.MULTILINE)


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
    """What a request fills into a prompt of its task and kind."""
    context = request.context
    common = {"labels": ", ".join(request.labels), "mark": mark(request), "text": request.text}
    if request.task == "math":
        return common | _mathematics(context["problem"], str(context.get("solution", "")))
    if request.task == "ui2html":
        return common
    facts = [fact["text"] + (" (essential)" if fact.get("required") else "") for fact in context.get("facts") or ()]
    return common | {
        "setup": str(context.get("setup", "")),
        "solution": str(context.get("solution", "")),
        "facts": _listed("FACTS of the explanation", facts),
    }


def _mathematics(problem: Mapping[str, Any], solution: str) -> dict[str, str]:
    facts = [fact["text"] for fact in problem.get("facts") or ()]
    told = [q for q in problem.get("quantities") or () if q["name"] != "answer"]
    return {
        "problem": str(problem["text"]),
        "answer": f"{problem['answer']} ({problem['answer_form']})"
        if problem.get("answer_form")
        else problem["answer"],
        "solution": solution or "(none was given)",
        "facts": _listed("FURTHER FACTS", [text for text in facts if text not in solution]),
        "quantities": _listed(
            "QUANTITIES of the solution", [f"{'; '.join(q['phrases'])} = {q['value']}" for q in told]
        ),
    }


def _listed(title: str, lines: Sequence[str]) -> str:
    return "\n" + "\n".join([f"{title}:", *(f"- {line}" for line in lines)]) + "\n" if lines else ""


def _own_files(folder: str, names: Collection[str]) -> dict[str, Path]:
    try:
        found = {path.stem: path for path in sorted(Path(folder).expanduser().iterdir()) if path.suffix == ".txt"}
    except OSError as error:
        raise ConfigError(f"prompt folder {folder} cannot be read: {error}") from error
    for name in found:
        if name not in FIELDS:  # one that is not for this judge may be for another
            raise UnknownNameError("prompt file", f"{name}.txt", [f"{known}.txt" for known in FIELDS])
    if not found.keys() & set(names):
        raise ConfigError(f"prompt folder {folder} has none of {', '.join(f'{name}.txt' for name in names)}")
    return found


FOLDERS = {
    "situation": "situation_puzzle/judge/data",
    "math": "mathematics/judge/data",
    "ui2html": "ui2html/judge/data",
}


def _read(name: str, path: Path | None) -> Prompt:
    if path is None:
        shipped = resources.files("interactive_envs") / FOLDERS[name.partition("-")[0]] / f"{name}-v1.txt"
        return _parsed(shipped.read_text(encoding="utf-8"))
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
    prompt, fields = _parsed(text), FIELDS[name]
    try:
        Template(prompt.system).substitute(dict.fromkeys(fields, ""))
        Template(prompt.user).substitute(dict.fromkeys(fields, ""))
    except KeyError as error:
        yield f"unknown field ${error.args[0]}; known: {', '.join(f'${field}' for field in fields) or 'none'}"
    except ValueError as error:
        yield str(error)
    wanted, placed = IMAGES.get(name, ()), _IMAGE.findall(prompt.user)
    if sorted(placed) != sorted(wanted):
        lines = ", ".join(f"[image {image}]" for image in wanted) or "none"
        yield f"the message after [user] must have these lines of pictures, each once: {lines}"


def _parsed(text: str) -> Prompt:
    head, _, user = text.partition("\n[user]\n")
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Prompt(head.removeprefix("[system]\n").strip(), user.strip(), digest)
