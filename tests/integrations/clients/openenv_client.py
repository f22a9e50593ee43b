"""Plays two sessions at once with OpenEnv's client; run where that is installed.

Arguments: the address of the server, and a JSON list with the resets of each session: arguments, and the texts to send.
Writes a JSON list, for each session the results, or errors, of its resets and steps.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from openenv.core import GenericEnvClient


async def play(url: str, resets: list[Any], met: asyncio.Barrier) -> list[Any]:
    seen: list[Any] = []
    async with GenericEnvClient(base_url=url) as client:
        await met.wait()  # all have connected
        for given, texts in resets:
            begun = await client.reset(**given)
            seen.append([begun.observation, begun.reward, begun.done])
            for text in texts:
                try:
                    result = await client.step({"text": text})
                    seen.append([result.observation, result.reward, result.done])
                except Exception as error:
                    seen.append([str(error), None, None])
            seen.append([await client.state(), None, None])
    return seen


async def main(url: str, sessions: list[Any]) -> list[Any]:
    met = asyncio.Barrier(len(sessions))
    return list(await asyncio.gather(*(play(url, resets, met) for resets in sessions)))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(main(sys.argv[1], json.loads(sys.argv[2])))))
