"""`sagequeue arrays`: shows the progress of arrays, and acts on all jobs in an array."""

from datetime import UTC, datetime

import click

from sagequeue.api.client import QueueClient
from sagequeue.cli.console import echo, json_option, print_answer
from sagequeue.cli.options import longest_runtime
from sagequeue.contract.arrays import Array
from sagequeue.tables.arrays import array_view, arrays_view

_array = click.argument("name")


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def arrays(ctx: click.Context, *, as_json: bool) -> None:
    """List arrays with their progress. Subcommands show one array or act on all its jobs."""
    ctx.default_map = {command: {"as_json": as_json} for command in arrays.commands}
    if ctx.invoked_subcommand is None:
        found = {"arrays": QueueClient().arrays()}
        print_answer(found, lambda answer: arrays_view(answer["arrays"], datetime.now(UTC)), as_json=as_json)


@arrays.command("show")
@_array
@json_option
def show_array(name: str, *, as_json: bool) -> None:
    """Show an array and its progress."""
    _print(QueueClient().array(name), as_json=as_json)


@arrays.command("hold")
@_array
@json_option
def hold_array(name: str, *, as_json: bool) -> None:
    """Keep the waiting jobs in an array from starting until you release it."""
    _print(QueueClient().hold_array(name), as_json=as_json)


@arrays.command("release")
@_array
@json_option
def release_array(name: str, *, as_json: bool) -> None:
    """Release a held array and its held jobs."""
    _print(QueueClient().release_array(name), as_json=as_json)


@arrays.command("priority", context_settings={"ignore_unknown_options": True})  # so that -5 is read as a priority
@_array
@click.argument("priority", type=int)
@json_option
def prioritise_array(name: str, priority: int, *, as_json: bool) -> None:
    """Change the priority of all unfinished jobs in an array."""
    _print(QueueClient().set_array_priority(name, priority), as_json=as_json)


@arrays.command("approve")
@_array
@longest_runtime
@json_option
def approve_array(name: str, *, max_runtime: int | None, as_json: bool) -> None:
    """Approve all jobs in an array. Only operators may, and nobody approves their own arrays."""
    _print(QueueClient().approve_array(name, max_runtime=max_runtime), as_json=as_json)


@arrays.command("cancel")
@_array
@json_option
def cancel_array(name: str, *, as_json: bool) -> None:
    """Cancel all unfinished jobs in an array."""
    _print(QueueClient().cancel_array(name), as_json=as_json)
    if not as_json:
        echo("The next cycle cancels its jobs.")


COMMANDS = (arrays,)


def _print(array: Array, *, as_json: bool) -> None:
    print_answer(array, lambda found: array_view(found, datetime.now(UTC)), as_json=as_json)
