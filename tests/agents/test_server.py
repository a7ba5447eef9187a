"""An agent's client calls the tools of `sagequeue mcp`, through the SDK, without a network."""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from integration.sagequeue.fakes.queue import FakeQueue
from sagequeue import QueueClient
from sagequeue.mcp.server import build_server
from sagequeue.mcp.tools import ActingTools, ReadingTools
from unit.sagequeue.builders.history import a_change, a_run
from unit.sagequeue.builders.jobs import a_job, a_request

READING = {"queue_summary", "list_jobs", "show_job", "why", "what_if", "job_log", "report"}
ACTING = {"submit_job", "cancel_job", "hold_job", "release_job"}
Call = Callable[..., Any]


class NoLogs:
    """CloudWatch Logs without a stream."""

    def describe_log_streams(self, **_: Any) -> dict[str, Any]:
        return {"logStreams": []}


def served(queue: QueueClient, *, acts: bool) -> Client:
    reading = ReadingTools(queue, NoLogs())  # type: ignore[arg-type]  # what is used of the client
    return Client(build_server(reading, ActingTools(queue) if acts else None))


def tools_of(agent: Client) -> dict[str, Any]:
    async def ask() -> dict[str, Any]:
        async with agent:
            return {tool.name: tool for tool in (await agent.list_tools()).tools}

    return asyncio.run(ask())


def call(agent: Client, tool: str, **arguments: Any) -> tuple[bool, str]:
    """Returns whether the call failed, and its text."""

    async def ask() -> tuple[bool, str]:
        async with agent:
            answer = await agent.call_tool(tool, arguments)
            return bool(answer.is_error), "".join(part.text for part in answer.content)

    return asyncio.run(ask())


def test_the_command_serves_the_tools_on_standard_input_and_output(queue: FakeQueue) -> None:
    command = ["-c", "from sagequeue.cli.main import main; main()", "mcp"]
    tools = tools_of(Client(StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))))
    assert tools.keys() == READING


def test_without_the_flag_every_tool_only_reads(client: QueueClient) -> None:
    tools = tools_of(served(client, acts=False))
    assert tools.keys() == READING
    assert all(tool.annotations.read_only_hint for tool in tools.values())
    assert all(tool.description for tool in tools.values())


def test_with_the_flag_tools_change_jobs_and_say_so(client: QueueClient) -> None:
    tools = tools_of(served(client, acts=True))
    assert tools.keys() == READING | ACTING
    assert {name for name, tool in tools.items() if not tool.annotations.read_only_hint} == ACTING
    assert tools["cancel_job"].annotations.destructive_hint


def test_reading_tools_call_nothing_that_changes_the_queue(client: QueueClient, queue: FakeQueue) -> None:
    client.submit(a_request())
    queue.calls.clear()
    agent = {"name": "resnet"}
    calls: dict[str, dict[str, Any]] = {
        "queue_summary": {},
        "list_jobs": {"limit": 5},
        "show_job": agent,
        "why": agent,
        "what_if": {"request": a_request()},
        "job_log": agent,
        "report": {"by": "owner", "days": 2},
    }
    assert calls.keys() == READING
    for tool, arguments in calls.items():
        is_error, text = call(served(client, acts=False), tool, **arguments)
        assert not is_error, (tool, text)
    changing = [c.path for c in queue.calls if c.method != "GET" and not c.path.endswith("/what-if")]
    assert changing == []


def test_an_agent_sees_no_hyperparameters(client: QueueClient) -> None:
    client.submit(a_request(HyperParameters={"password": "secret"}))
    for tool, arguments in {"show_job": {"name": "resnet"}, "list_jobs": {}}.items():
        is_error, text = call(served(client, acts=False), tool, **arguments)
        assert (is_error, "secret" in text, "resnet" in text) == (False, False, True)


def test_an_agent_sees_no_hyperparameters_of_an_elastic_job(client: QueueClient, queue: FakeQueue) -> None:
    instances = {"min": 1, "max": 2, "hyperparameters": {"1": {"password": "secret"}}}
    queue.life = [a_job(options={**a_job()["options"], "instances": instances})]
    agent = {"name": "resnet"}
    calls: dict[str, dict[str, Any]] = {
        "submit_job": {"request": a_request()},
        "show_job": agent,
        "hold_job": agent,
        "release_job": agent,
        "cancel_job": agent,
    }
    for tool, arguments in calls.items():
        is_error, text = call(served(client, acts=True), tool, **arguments)
        assert (tool, is_error, "secret" in text) == (tool, False, False)
    queue.cancelled.clear()
    shown = json.loads(call(served(client, acts=True), "show_job", **agent)[1])
    assert shown["options"] == {**a_job()["options"], "instances": {"min": 1, "max": 2}}


def test_an_agent_that_may_change_jobs_submits_holds_and_cancels(client: QueueClient, queue: FakeQueue) -> None:
    agent = {"name": "resnet"}
    is_error, text = call(served(client, acts=True), "submit_job", request=a_request(), options={"priority": 3})
    assert (is_error, json.loads(text)["name"], queue.options["resnet"]) == (False, "resnet", {"priority": 3})
    assert call(served(client, acts=True), "hold_job", **agent)[0] is False
    assert queue.held == {"resnet"}
    assert call(served(client, acts=True), "release_job", **agent)[0] is False
    assert queue.held == set()
    assert call(served(client, acts=True), "cancel_job", **agent)[0] is False
    assert queue.cancelled == {"resnet"}


def test_a_refusal_reaches_the_agent_with_its_remedy(client: QueueClient) -> None:
    is_error, text = call(served(client, acts=False), "why", name="unknown-job")
    assert is_error
    assert text.count("sagequeue ls") == 1


@pytest.mark.parametrize("by", ["colour", "tag:", ""])
def test_an_unknown_dimension_of_a_report_is_an_error_that_lists_the_dimensions(
    client: QueueClient, queue: FakeQueue, by: str
) -> None:
    queue.changes = [a_change(run=a_run())]
    is_error, text = call(served(client, acts=False), "report", by=by)
    assert is_error
    assert text.endswith(f"{by!r} is not a dimension. Use team, owner, type, purchase, day, job or tag:KEY.")
    assert queue.calls == []


@pytest.mark.parametrize("tool", sorted(ACTING))
def test_an_acting_tool_is_unknown_without_the_flag(client: QueueClient, queue: FakeQueue, tool: str) -> None:
    is_error, text = call(served(client, acts=False), tool, name="resnet")
    assert (is_error, text) == (True, f"Unknown tool: {tool}")
    assert queue.calls == []
