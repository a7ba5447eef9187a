"""`sagequeue cancel`, `hold`, `release`, `prio`, `top` and `requeue`: act on jobs, by name or by filter."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, cast

import click

from sagequeue.api.client import QueueClient
from sagequeue.cli.console import (
    echo,
    exit_code,
    is_terminal,
    json_option,
    print_jobs,
    print_json,
    show_error,
)
from sagequeue.cli.jobs import given, takes_filters
from sagequeue.cli.options import any_jobs, some_jobs
from sagequeue.contract.jobs import (
    QUEUED,
    UNFINISHED,
    ChangedJobs,
    Job,
    JobChange,
    JobFilter,
    RefusedChange,
    latest_attempt,
)
from sagequeue.errors import QueueRefusal

_SHOWN = 10
#: The maximum number of names in one API call.
_MOST_NAMED = 1000
#: The maximum number of matching jobs that one call changes. It is the API's limit, because each call counts all
#: remaining jobs again.
_MOST_MATCHING = 200
_NOTHING: Mapping[str, Any] = {}
#: The job states to which each change applies.
_STATES: Mapping[JobChange, frozenset[str]] = {
    "cancel": frozenset(UNFINISHED),
    "hold": frozenset(QUEUED),
    "release": frozenset({"held"}),
    "requeue": frozenset({"launching", "running", "parked", "failed", "stopped"}),
    "priority": frozenset(UNFINISHED),
    "approve": frozenset({"parked"}),
}
_DONE: Mapping[JobChange, str] = {
    "cancel": "cancelled",
    "hold": "held",
    "release": "released",
    "requeue": "requeued",
    "priority": "changed",
    "top": "moved to the top",
    "approve": "approved",
}
_QUESTIONS: Mapping[JobChange, str] = {
    "cancel": "Cancel",
    "hold": "Hold",
    "release": "Release",
    "requeue": "Requeue",
    "priority": "Change the priority of",
    "approve": "Approve",
}


def takes_jobs(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the arguments for names and filters, and asks for confirmation before a filter changes all its jobs."""
    yes = click.option("-y", "--yes", is_flag=True, help="Do not ask for confirmation when a filter selects the jobs.")
    return any_jobs(takes_filters(yes(json_option(command))))


@click.command()
@takes_jobs
@click.option("--save-first", is_flag=True, help="Give running programs time to save a checkpoint.")
def cancel(names: tuple[str, ...], *, save_first: bool, **options: Any) -> None:
    """Remove waiting jobs from the queue, and stop live jobs. Select the jobs by name or with a filter."""
    extra = {"save_first": True} if save_first else {}
    _change("cancel", names, lambda queue, name: queue.cancel(name, **extra), extra, **options)


@click.command()
@takes_jobs
def hold(names: tuple[str, ...], **options: Any) -> None:
    """Keep waiting jobs from starting until you release them. Select the jobs by name or with a filter."""
    _change("hold", names, QueueClient.hold, **options)


@click.command()
@takes_jobs
def release(names: tuple[str, ...], **options: Any) -> None:
    """Put held jobs back into the queue. Select the jobs by name or with a filter."""
    _change("release", names, QueueClient.release, **options)


@click.command()
@takes_jobs
def requeue(names: tuple[str, ...], **options: Any) -> None:
    """Stop running jobs and queue them again, or retry failed, stopped and parked jobs.

    Select the jobs by name or with a filter. A filter needs --state.
    """
    _change("requeue", names, QueueClient.requeue, **options)


@click.command(context_settings={"ignore_unknown_options": True})  # so that -5 is read as a priority, not as an option
@takes_jobs
@click.argument("priority", type=int)
def prio(names: tuple[str, ...], priority: int, **options: Any) -> None:
    """Change the priority of unfinished jobs; higher starts first. Select the jobs by name or with a filter."""
    extra = {"priority": priority}
    _change("priority", names, lambda queue, name: queue.update(name, {"priority": priority}), extra, **options)


@click.command()
@some_jobs
@json_option
def top(names: tuple[str, ...], *, as_json: bool) -> None:
    """Move waiting jobs ahead of all other jobs of the same priority, in the order that you give."""
    each(tuple(reversed(names)), QueueClient().top, as_json=as_json)


COMMANDS = (cancel, hold, release, prio, top, requeue)


def _change(
    change: JobChange,
    names: tuple[str, ...],
    one: Callable[[QueueClient, str], Job],
    extra: Mapping[str, Any] = _NOTHING,
    *,
    yes: bool,
    as_json: bool,
    **filters: Any,
) -> None:
    """Changes jobs by name or by filter. `extra` has the further arguments that some changes need."""
    wanted, queue = filter_for(change, names, filters), QueueClient()
    if names:
        each(names, lambda name: one(queue, name), as_json=as_json)
        return
    if not yes:
        _ask(queue, change, wanted)
    answers = _requeued(queue, wanted) if change == "requeue" else _changed(queue, change, wanted, extra)
    change_all(change, answers, as_json=as_json)


def filter_for(change: JobChange, names: tuple[str, ...], filters: Mapping[str, Any]) -> JobFilter:
    """Returns the filter, with the states to which the change applies. Raises UsageError for a wrong selection."""
    wanted = given(filters)
    if bool(names) == bool(wanted):
        raise click.UsageError("Give either job names or a filter such as --state pending, --owner or --name.")
    if change == "requeue" and wanted and "state" not in wanted:
        message = "Add --state, such as --state failed. Without it, all jobs that ever failed would run again."
        raise click.UsageError(message)
    states = tuple(state for state in wanted.get("state", _STATES[change]) if state in _STATES[change])
    if not states:
        message = f"Jobs in this state cannot be {_DONE[change]}. Use --state {', '.join(sorted(_STATES[change]))}."
        raise click.UsageError(message)
    return cast(JobFilter, {**wanted, "state": states})


def each(names: Iterable[str], change: Callable[[str], Job], *, as_json: bool) -> None:
    """Changes jobs one by one, then prints the refusals. The first refusal determines the exit code."""
    changed: list[Job] = []
    refused: list[QueueRefusal] = []
    try:
        for name in names:
            try:
                changed.append(change(name))
            except QueueRefusal as error:
                refused.append(error)
    finally:
        print_jobs(changed, as_json=as_json)
    for refusal in refused:
        show_error(refusal)
    if refused:
        sys.exit(exit_code(refused[0]))


def _changed(
    queue: QueueClient, change: JobChange, wanted: JobFilter, extra: Mapping[str, Any]
) -> Iterator[ChangedJobs]:
    """Changes all matching jobs, and yields the answer for each batch."""
    token = None
    while True:
        answer = queue.change_matching(change, limit=_MOST_MATCHING, token=token, **extra, **wanted)
        yield answer
        token = answer["next"]
        if token is None:
            return


def _requeued(queue: QueueClient, wanted: JobFilter) -> Iterator[ChangedJobs]:
    """Requeues all matching jobs. Each call names the attempts, so it is safe to repeat if its answer is lost."""
    attempts = {job["name"]: latest_attempt(job) for job in queue.list(**wanted) if job["may_control"]}
    return change_named(queue, "requeue", attempts, attempts=attempts)


def change_named(queue: QueueClient, change: JobChange, names: Iterable[str], **extra: Any) -> Iterator[ChangedJobs]:
    """Changes these jobs, and yields the answer for each batch. `extra` has the numbers that the change needs."""
    left = [*names]
    while left:
        answer = queue.change_named(change, left[:_MOST_NAMED], **extra)
        left = left[len(answer["changed"]) + len(answer["refused"]) :]
        yield {**answer, "left": len(left)}


def change_all(change: JobChange, answers: Iterable[ChangedJobs], *, as_json: bool) -> NoReturn:
    """Makes all calls, and prints the progress after every call except the last.

    After Ctrl-C, the client makes no further call, but the queue completes the call that it has received.
    """
    changed: dict[str, None] = {}
    refused: list[RefusedChange] = []
    try:
        for answer in answers:
            changed |= dict.fromkeys(answer["changed"])
            refused += answer["refused"]
            if answer["left"] or answer["next"]:
                left = f"{answer['left']}{'' if answer['is_left_exact'] else ' or more'}"
                echo(f"{len(changed)} {_DONE[change]}, {left} left", err=True)
    except KeyboardInterrupt:
        more = f"The last call may still change up to {_MOST_MATCHING} more jobs: check with `sagequeue ls`."
        echo(f"Stopped. Jobs changed: {len(changed)}. {more}", err=True)
        sys.exit(130)
    finally:
        _report(change, list(changed), refused, as_json=as_json)
    if not changed and not refused and not as_json:
        echo("No jobs match.", err=True)
    sys.exit(1 if refused else 0)


def _ask(queue: QueueClient, change: JobChange, wanted: JobFilter) -> None:
    refuse_without_terminal()
    page = queue.page(limit=200, **wanted)
    names = [job["name"] for job in page["jobs"] if job["may_control"]]
    others, or_more = len(page["jobs"]) - len(names), " or more" if page["next"] else ""
    if others:
        echo(f"Skipped: {_number_of_jobs(others, or_more)} that you are not allowed to change.", err=True)
    confirm(change, [*names[:_SHOWN], *(["…"] if len(names) > _SHOWN else [])], len(names), or_more)


def refuse_without_terminal() -> None:
    if not is_terminal():
        message = (
            "Cannot ask for confirmation without a terminal. Add --yes to change all jobs that the filter matches."
        )
        raise click.UsageError(message)


def confirm(change: JobChange, lines: Sequence[str], count: int, or_more: str = "") -> None:
    """Asks whether to change this many jobs, below the lines about them. Ends the command without a yes."""
    if not count and not or_more:
        echo("No jobs match.", err=True)
        sys.exit(0)
    for line in lines:
        echo(f"  {line}", err=True)
    click.confirm(f"{_QUESTIONS[change]} {_number_of_jobs(count, or_more)}?", abort=True, err=True)


def _number_of_jobs(count: int, or_more: str) -> str:
    return f"{count}{or_more} {'job' if count == 1 and not or_more else 'jobs'}"


def _report(change: JobChange, changed: list[str], refused: list[RefusedChange], *, as_json: bool) -> None:
    if as_json:
        print_json({"changed": changed, "refused": refused})
        return
    for name in changed:
        echo(f"{name} {_DONE[change]}")
    for refusal in refused:
        echo(f"{refusal['name']} not {_DONE[change]}: {refusal['message']}", err=True)
