"""Plays with the official client of the Model Context Protocol; run where that is installed.

Arguments: a JSON object with ``command`` (a server to start) or ``url`` and ``token``; ``sessions``, for each the
calls, pairs of a tool and its arguments; ``mode`` of the protocol. Writes a JSON list, for each session what it saw.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import httpx2
from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import Implementation


def transport(task: dict[str, Any], number: int) -> Any:
    if "url" in task:
        http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {task['token']}"}, timeout=60)
        return streamable_http_client(task["url"], http_client=http)
    command = [part.replace("{n}", str(number)) for part in task["command"]]
    return stdio_client(StdioServerParameters(command=command[0], args=command[1:], cwd=task.get("cwd")))


async def play(task: dict[str, Any], number: int, met: asyncio.Barrier) -> dict[str, Any]:
    name = Implementation(name=task.get("name", "official-client"), version="1")
    async with Client(transport(task, number), client_info=name, mode=task.get("mode", "auto")) as client:
        seen: dict[str, Any] = {
            "instructions": client.instructions,
            "version": client.protocol_version,
            "tools": {tool.name: tool.input_schema for tool in (await client.list_tools()).tools},
            "resources": [str(one.uri) for one in (await client.list_resources()).resources],
        }
        await met.wait()  # all have connected
        seen["rules"] = (await client.read_resource("ibench://rules")).contents[0].text
        try:
            await client.read_resource("ibench://truth")
        except MCPError as error:
            seen["refused"] = error.message
        seen["replies"] = []
        for tool, given in task["sessions"][number]:
            result = await client.call_tool(tool, given)
            seen["replies"].append([result.content[0].text, bool(result.is_error)])
            await asyncio.sleep(0)
        return seen


async def main(task: dict[str, Any]) -> list[dict[str, Any]]:
    met = asyncio.Barrier(len(task["sessions"]))
    return list(await asyncio.gather(*(play(task, number, met) for number in range(len(task["sessions"])))))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(main(json.loads(sys.argv[1])))))
