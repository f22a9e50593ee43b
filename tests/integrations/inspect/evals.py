"""Run by the tests in an environment with inspect_ai: evaluate with models of its own, and say what the logs hold.

``python evals.py LOG_DIR``; prints JSON.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from inspect_ai import eval as evaluate
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelAPI, ModelOutput, modelapi

PUZZLE = "ibench/SituationPuzzle-v1"
SENT: list[list[dict[str, Any]]] = []


@modelapi(name="scripted")
class Scripted(ModelAPI):
    """Asks questions of the menu; ``broken`` fails once, in the third turn of the first episode."""

    async def generate(self, input: Any, tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        messages = [{"role": message.role, "content": message.content} for message in input]
        SENT.append(messages)
        said = sum(message["role"] == "assistant" for message in messages)
        if self.model_name == "broken" and said == 2 and len(SENT) < 5:
            raise RuntimeError("the endpoint is down")
        if self.model_name == "filtered":
            return ModelOutput.from_content("scripted/filtered", "", stop_reason="content_filter")
        return ModelOutput.from_content("scripted/x", f"<ask>{len(str(messages)) % 5 + 1}</ask>")


def tell(log: Any) -> dict[str, Any]:
    read = read_eval_log(log.location)
    return {
        "status": read.status,
        "scores": {score.name: {m.name: m.value for m in score.metrics.values()} for score in read.results.scores}
        if read.results
        else None,
        "completed": read.results.completed_samples if read.results else None,
        "samples": [
            {
                "id": sample.id,
                "epoch": sample.epoch,
                "error": sample.error and sample.error.message,
                "limit": sample.limit and sample.limit.type,
                "scores": {name: score.value for name, score in (sample.scores or {}).items()},
                "reasons": {name: score.reason for name, score in (sample.scores or {}).items()},
                "seed": sample.metadata.get("seed"),
                "case": sample.metadata.get("case"),
                "outcome": sample.metadata.get("outcome"),
                "kinds": [m.metadata["kind"] for m in sample.messages if m.role == "assistant" and m.metadata],
                "calls": sum(event.event == "model" for event in sample.events),
            }
            for sample in read.samples or []
        ],
    }


def main(folder: str) -> None:
    common: dict[str, Any] = {"log_dir": folder, "display": "none", "fail_on_error": False}
    menu = {"env_id": PUZZLE, "mode": "menu", "budget": 4}

    def play(model: str, arguments: dict[str, Any], **more: Any) -> dict[str, Any]:
        return tell(evaluate("interactive_envs/ibench", model=model, task_args=arguments, **common | more)[0])

    found: dict[str, Any] = {}
    for player, arguments in (
        ("reference", {"env_id": PUZZLE, "mode": "menu", "episodes": 4, "seed": 3}),
        ("random", {"env_id": "ibench/TrustGame-v1", "delta": 0.5, "episodes": 3, "seed": 3}),
    ):
        found[player] = play(f"ibench/{player}", arguments)
    found["epochs"] = play("ibench/random", menu | {"episodes": 3}, epochs=2, limit=2)
    found["scripted"] = play("scripted/x", menu | {"episodes": 2}, max_samples=1)
    found["sent"] = list(SENT)
    SENT.clear()
    found["broken"] = play("scripted/broken", menu | {"episodes": 3}, max_samples=1)
    found["filtered"] = play("scripted/filtered", menu | {"episodes": 1})
    found["unscored"] = play("ibench/rule", {"env_id": PUZZLE, "mode": "free", "episodes": 2})
    found["judge"] = play(
        "scripted/free",
        {"env_id": PUZZLE, "mode": "free", "episodes": 1, "judge": "tests.integrations.inspect.judges:Failing"},
    )
    found["limit"] = play("scripted/x", menu | {"episodes": 1}, message_limit=5)
    print(json.dumps(found))  # noqa: T201


main(sys.argv[1])
