"""`sagequeue`: the queue from a shell, as tables for people and with `--json` for programs."""

import os
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points

import click
from botocore.exceptions import BotoCoreError, ClientError

from sagequeue.cli import doctor, job_actions, jobs, progress, queue, reports, submission, ui
from sagequeue.cli.documents import calendar, callers, prices, rules, spending, warm_pools
from sagequeue.cli.exit_codes import exit_code, show_error, show_message
from sagequeue.errors import QueueError


class QueueCommands(click.Group):
    """The queue's own commands and those that installed packages register as "sagequeue.commands"."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *self._foreign})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self._foreign:
            command: click.Command = self._foreign[cmd_name].load()
            return command
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: click.Context) -> object:
        if os.environ.get("NO_COLOR"):  # rich looks by itself
            ctx.color = False
        try:
            return super().invoke(ctx)
        except QueueError as error:
            show_error(error)
            ctx.exit(exit_code(error))
        except BotoCoreError as error:
            show_message(str(error), "Check the AWS configuration of this shell.")
            ctx.exit(4)
        except ClientError as error:  # of AWS itself, past the queue: logs, the identity
            show_message(str(error), "Check what the credentials of this shell may do.")
            ctx.exit(4)

    @cached_property
    def _foreign(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in entry_points(group="sagequeue.commands")}


@click.group(cls=QueueCommands)
@click.version_option(package_name="sagequeue")
def main() -> None:
    """Put SageMaker training jobs into a queue, and see where they stand.

    The queue is found through SAGEQUEUE_API_URL, else api_url in ~/.config/sagequeue/config.toml, else the stack named
    in SAGEQUEUE_STACK (default: sagequeue). Calls are signed with the shell's AWS credentials. `sagequeue doctor`
    checks all that, and says how to mend it.

    \b
    Exit codes:
      0  done
      1  the queue refuses
      2  wrong usage
      3  no such job
      4  not configured, not signed in, not allowed, or not a queue
      5  the queue cannot be reached
    and of `wait` and `submit --wait`:
      0  the job completed
     10  it failed
     11  it was cancelled or stopped
     12  it is parked: it cannot run until somebody acts
    124  it had not ended when the time was up
    130  Ctrl-C; the job goes on
    """


for group in (
    submission,
    jobs,
    job_actions,
    progress,
    reports,
    queue,
    rules,
    callers,
    calendar,
    prices,
    spending,
    warm_pools,
    ui,
    doctor,
):
    for command in group.COMMANDS:
        main.add_command(command)
