"""The `sagequeue` command: collects all commands, and turns errors into messages and exit codes."""

import os
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points

import click
from botocore.exceptions import BotoCoreError, ClientError

from sagequeue.cli import (
    arrays,
    config,
    jobs,
    mcp,
    progress,
    queue,
    reports,
    status,
    submission,
    sweeps,
    ui,
)
from sagequeue.cli.changes import approvals, job_actions, update
from sagequeue.cli.console import exit_code, show_error, show_message
from sagequeue.cli.doctor import command as doctor
from sagequeue.errors import QueueError


class QueueCommands(click.Group):
    """The client's own commands, and the commands that other packages register as "sagequeue.commands"."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *self._registered})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self._registered:
            command: click.Command = self._registered[cmd_name].load()
            return command
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: click.Context) -> object:
        if os.environ.get("NO_COLOR"):  # for click; rich reads NO_COLOR itself
            ctx.color = False
        try:
            return super().invoke(ctx)
        except QueueError as error:
            show_error(error)
            ctx.exit(exit_code(error))
        except BotoCoreError as error:
            show_message(str(error), "Check the AWS configuration of this shell.")
            ctx.exit(4)
        except ClientError as error:  # raised by calls of other AWS services, for logs or the caller's identity
            show_message(str(error), "Check the permissions of this shell's credentials.")
            ctx.exit(4)

    @cached_property
    def _registered(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in entry_points(group="sagequeue.commands")}


@click.group(cls=QueueCommands)
@click.version_option(package_name="sagequeue")
def main() -> None:
    """Queue SageMaker training jobs, and see their status.

    The client finds the queue's address in SAGEQUEUE_API_URL, else in api_url in ~/.config/sagequeue/config.toml, else
    in the outputs of the stack that SAGEQUEUE_STACK names (default: sagequeue). Calls are signed with the shell's AWS
    credentials. `sagequeue doctor` checks this setup and shows how to fix problems.

    \b
    Exit codes:
      0  success
      1  the queue refused the call
      2  wrong usage
      3  no job or array with this name
      4  not configured, not signed in, not allowed, or not a queue
      5  the queue cannot be reached, or cannot serve the call now
    for `config drift`:
      6  the file differs from the current configuration
    and for `wait` and `submit --wait`:
      0  the job completed
     10  the job failed
     11  the job was cancelled or stopped
     12  the job is parked: it cannot run without a change
    124  the job had not ended at the timeout
    130  Ctrl-C; the job stays in the queue
    """


for group in (
    submission,
    sweeps,
    jobs,
    job_actions,
    approvals,
    update,
    arrays,
    progress,
    reports,
    queue,
    status,
    config,
    ui,
    mcp,
    doctor,
):
    for command in group.COMMANDS:
        main.add_command(command)
