"""`sagequeue update`: changes options and the time limit of a job after its submission."""

from typing import Any

import click

from sagequeue.api.client import QueueClient
from sagequeue.cli.console import json_option, print_job
from sagequeue.cli.options import one_job
from sagequeue.contract.jobs import OptionChanges

_RESETTABLE = tuple(sorted(OptionChanges.__annotations__))


@click.command()
@one_job
@click.option("--max-runtime", type=click.IntRange(min=1), metavar="SECONDS", help="Time limit of each attempt.")
@click.option("--priority", type=int, help="Priority of the job; higher starts first.")
@click.option("--never-preempt/--no-never-preempt", default=None, help="Whether to never preempt the job once it runs.")
@click.option("--idle-exempt/--no-idle-exempt", default=None, help="Whether to keep the job when its GPUs are idle.")
@click.option(
    "--checkpoint-interval",
    type=click.IntRange(min=1),
    metavar="SECONDS",
    help="Seconds between your script's checkpoints.",
)
@click.option("--retries", type=click.IntRange(min=0), help="Maximum number of retries after failures.")
@click.option(
    "--notify",
    multiple=True,
    type=click.Choice(["start", "end", "preemption"]),
    help="Event about which to notify the owner, in place of the current events; repeatable.",
)
@click.option(
    "--not-before", metavar="TIME", help="Earliest start. A time without an offset is in the calendar's time zone."
)
@click.option("--expires", metavar="TIME", help="End the job at this time if it has not started.")
@click.option(
    "--deadline", metavar="TIME", help="Time by which the job should end; the queue notifies you if the job is late."
)
@click.option(
    "--deadline-for", type=click.Choice(["end", "start"]), help="Whether the job must end or start by the deadline."
)
@click.option("--team", help="Team whose share the job uses, if operators allow it.")
@click.option(
    "--reset",
    multiple=True,
    type=click.Choice([name.replace("_", "-") for name in _RESETTABLE]),
    help="Option to reset to its default; repeatable.",
)
@json_option
def update(name: str, *, max_runtime: int | None, reset: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Change the options or the time limit of a waiting job.

    While the job runs, only --priority, --retries, --notify and the deadline can change.
    """
    changes: OptionChanges = {option: value for option, value in options.items() if value not in (None, ())}  # type: ignore[assignment]  # the names of OptionChanges
    for option in reset:
        if (known := option.replace("-", "_")) in changes:
            raise click.UsageError(f"--{option} sets the option that --reset removes. Give one of them.")
        changes[known] = None  # type: ignore[literal-required]  # the same names
    if not changes and max_runtime is None:
        raise click.UsageError("Give at least one change, such as --max-runtime 7200.")
    print_job(QueueClient().update(name, changes, max_runtime=max_runtime), as_json=as_json)


COMMANDS = (update,)
