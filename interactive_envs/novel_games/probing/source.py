"""What a game's text tells; nothing is run."""

from __future__ import annotations

import ast
import re

from interactive_envs.novel_games.probing.common import Facts, Settings

REACHES = frozenset(
    "asyncio builtins ctypes fcntl gc glob http importlib inspect io marshal mmap multiprocessing os pathlib pickle "
    "platform requests resource runpy select selectors shelve shutil signal site socket socketserver sqlite3 ssl "
    "subprocess sys tempfile threading urllib urllib3 webbrowser".split()
)
"""Modules by which code leaves the game; rules of a game need none."""
HARMLESS = {"io": {"BytesIO", "StringIO"}, "sys": {"float_info", "maxsize", "stderr", "stdout", "version_info"}}
"""What is used of such modules without leaving the game."""
CALLS = frozenset("__import__ breakpoint compile eval exec input open".split())
CHOICES = frozenset("choice choices integers randint random randrange sample shuffle".split())
_OPPONENT = re.compile(
    r"_*(opponent|computer|bot|cpu|ai|enemy)s?_(action|act|move|play|step|turn|respond|response|reply)"
    r"|_*(do|execute|make|perform|play|run|simulate|take)_(opponent|computer|bot|cpu|ai|enemy)s?(_(action|move|turn))?"
)
"""Names of methods that play for somebody."""


def read(source: str, settings: Settings) -> Facts:
    """What the text alone tells; nothing is run."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return {"error": f"{type(error).__name__}: {error}"}
    reaches = []
    used = _used(tree)
    for node in ast.walk(tree):
        taken: list[tuple[str, set[str]]] = []
        if isinstance(node, ast.Import):
            taken = [(alias.name, used.get(alias.asname or alias.name, set())) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            taken = [(node.module or "", {alias.name for alias in node.names})]
        reaches += [
            f"import {name} (line {_line(node)})"
            for name, parts in taken
            if name.split(".")[0] in REACHES and not (name in HARMLESS and parts <= HARMLESS[name])
        ]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
            reaches.append(f"{node.func.id}() (line {_line(node)})")
        if isinstance(node, ast.Attribute) and node.attr in ("__subclasses__", "__globals__", "__builtins__"):
            reaches.append(f"{node.attr} (line {_line(node)})")
    return {"reaches": reaches, "opponent": _opponent(tree)}


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def _used(tree: ast.AST) -> dict[str, set[str]]:
    """What is asked of each name; ``""`` where it is used in any other way."""
    used: dict[str, set[str]] = {}
    asked = set()
    for node in ast.walk(tree):  # outer nodes come first
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            used.setdefault(node.value.id, set()).add(node.attr)
            asked.add(node.value)
        elif isinstance(node, ast.Name) and node not in asked:
            used.setdefault(node.id, set()).add("")
    return used


def _opponent(tree: ast.AST) -> list[str]:
    """Signs that ``step`` plays for the other seat, too."""
    methods = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    todo, reached, signs = ["step"], set(), []
    while todo:
        name = todo.pop()
        if name in reached or name not in methods:
            continue
        reached.add(name)
        if _OPPONENT.fullmatch(name):
            signs.append(f"step() calls {name}()")
        listed = {"valid_moves"}
        for node in ast.walk(methods[name]):
            if isinstance(node, ast.Assign) and _mentions(node.value, {"valid_moves"}):
                listed |= {target.id for target in node.targets if isinstance(target, ast.Name)}
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if isinstance(node.func.value, ast.Name) and node.func.value.id == "self":
                    todo.append(node.func.attr)
                if node.func.attr in CHOICES and any(_mentions(part, listed) for part in node.args):
                    signs.append(f"{name}() draws a move at random (line {node.lineno})")
    return sorted(set(signs))


def _mentions(tree: ast.AST, names: set[str]) -> bool:
    return any(getattr(node, "attr", getattr(node, "id", None)) in names for node in ast.walk(tree))
