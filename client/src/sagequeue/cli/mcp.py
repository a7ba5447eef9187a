"""`sagequeue mcp`: serves the queue's tools to an AI agent."""

import boto3
import click

from sagequeue.api.client import QueueClient
from sagequeue.mcp.tools import ActingTools, ReadingTools

_NEEDS_MCP = "`sagequeue mcp` needs the package mcp. Install it: pip install 'sagequeue[mcp]'"


@click.command()
@click.option("--allow-changes", is_flag=True, help="Also offer tools that submit, cancel, hold and release jobs.")
def mcp(*, allow_changes: bool) -> None:
    """Serve the queue to an AI agent through the Model Context Protocol, on standard input and output.

    The agent's program starts this command. Without --allow-changes, the tools can only read jobs, reasons, forecasts,
    logs and reports. The tools call the queue with the AWS credentials of this shell, so the agent can do whatever you
    can do.
    """
    try:
        from sagequeue.mcp.server import build_server  # mcp is optional
    except ModuleNotFoundError as error:
        raise click.ClickException(_NEEDS_MCP) from error
    session = boto3.Session()
    queue = QueueClient(session=session)
    logs = session.client("logs", region_name=queue.region)
    server = build_server(ReadingTools(queue, logs), ActingTools(queue) if allow_changes else None)
    server.run("stdio")


COMMANDS = (mcp,)
