"""`sagequeue`: the queue from a shell, as tables for people and with `--json` for programs."""

import click

from sagequeue.cli import (
    changing,
    checking,
    exporting,
    looking,
    looking_back,
    measuring,
    operating,
    permitting,
    pooling,
    pricing,
    ruling,
    running,
    scheduling,
    serving,
    spending,
    submitting,
    waiting,
)
from sagequeue.cli.commands import QueueCommands


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


for family in (
    submitting,
    running,
    looking,
    looking_back,
    exporting,
    measuring,
    waiting,
    changing,
    operating,
    ruling,
    pooling,
    pricing,
    permitting,
    scheduling,
    serving,
    spending,
    checking,
):
    for command in family.COMMANDS:
        main.add_command(command)
