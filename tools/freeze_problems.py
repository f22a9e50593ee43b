"""Write the fixed problems of mathematics again after a change of choices: ``python -m tools.freeze_problems``."""

from __future__ import annotations

import json

from interactive_envs.mathematics import frozen


def main() -> None:
    """Write every file of problems."""
    for choices, problems in frozen.pairs():
        chosen = json.loads(choices.read_text(encoding="utf-8"))
        problems.write_text(frozen.written(frozen.freeze(chosen)), encoding="utf-8")


if __name__ == "__main__":
    main()
