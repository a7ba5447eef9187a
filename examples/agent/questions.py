"""Asks `sagequeue mcp` why a job waits, as an agent does: `python questions.py JOB`.

The server finds the queue and the credentials in the environment, as the command `sagequeue` does.
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult

SAGEQUEUE = str(Path(sys.executable).with_name("sagequeue"))


async def ask(job: str) -> None:
    server = StdioServerParameters(command=SAGEQUEUE, args=["mcp"], env=dict(os.environ))
    async with Client(server) as agent:
        answers = [await agent.call_tool("list_jobs", {}), await agent.call_tool("why", {"name": job})]
    jobs, why = (_content(answer) for answer in answers)
    print("list_jobs:", ", ".join(f"{one['name']} is {one['state']}" for one in jobs["jobs"]))
    print("why:", f"{why['name']} is {why['state']}, {why['reason']['message']}")


def _content(answer: CallToolResult) -> dict[str, Any]:
    text = "".join(part.text for part in answer.content)
    if answer.is_error:
        sys.exit(text)
    content: dict[str, Any] = json.loads(text)
    return content


if __name__ == "__main__":
    asyncio.run(ask(sys.argv[1]))
