"""The judge without a model endpoint: each family may have one of its own behind the name ``offline``."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, ClassVar

from interactive_envs import catalog
from interactive_envs.catalog.read import attribute
from interactive_envs.errors import JudgeError
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict


class OfflineJudge(Judge):
    """Answers and grades by computing; no network, no key.

    The judge on the card of the request's family decides: situation puzzles by comparing texts, mathematics by symbols,
    pages by measuring. Each reads a closed part of language and abstains on the rest; its error is measured, see
    docs/judges.md.

    Args:
        embeddings: for the judges that can compare texts by sentence embeddings; False compares by shared words only,
            None does so where the embeddings are not installed.
    """

    name: ClassVar[str] = "offline"

    def __init__(self, *, embeddings: bool | None = None) -> None:
        own = {name: attribute(card.judge) for name, card in catalog.families().items() if card.judge is not None}
        self._compares = {name for name, cls in own.items() if "embeddings" in inspect.signature(cls).parameters}
        self._judges: Mapping[str, Judge] = {
            name: cls(embeddings=embeddings) if name in self._compares else cls() for name, cls in own.items()
        }
        self.tuned_on = frozenset[str]().union(*(judge.tuned_on for judge in self._judges.values()))
        self._asked: set[str] = set()

    def judge(self, request: JudgeRequest) -> Verdict:
        """Let the family's judge decide.

        Raises:
            JudgeError: the family has none, or its judge failed.
        """
        if request.task not in self._judges:
            known = ", ".join(self._judges)
            raise JudgeError(f"judge {self.name} knows no task {request.task!r}; it judges {known}")
        self._asked.add(request.task)
        return self._judges[request.task].judge(request)

    def estimates(self, request: JudgeRequest) -> bool:
        """As the family's judge says."""
        return request.task in self._judges and self._judges[request.task].estimates(request)

    def describe(self) -> dict[str, Any]:
        """What texts are compared by, and the versions of the other judges by their family."""
        described: dict[str, Any] = {"name": self.name}
        for name in self._compares:
            described |= self._judges[name].describe()
        versions = {name: judge.describe()["version"] for name, judge in self._judges.items()}
        return described | {name: version for name, version in versions.items() if name not in self._compares}

    def close(self) -> None:
        """Close the judges that were asked; they share what they hold with others of this process."""
        for name in self._asked:
            self._judges[name].close()
        self._asked.clear()


def caution(family: str, judge: str) -> str:
    """What a user should know before a judge of this spec decides a family's episodes, in one line, or nothing."""
    card = catalog.families().get(family)
    if card is None or card.judge is None or judge.partition("?")[0] != OfflineJudge.name:
        return ""
    return str(attribute(card.judge).caution)
