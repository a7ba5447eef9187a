"""`sagequeue submit`, `whatif` and `run`: submit a request, forecast its start, or queue a program's training jobs."""

import json
import re
import runpy
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from types import UnionType
from typing import IO, Any, cast

import click
from rich.console import Group, RenderableType

from sagequeue.api.client import QueueClient
from sagequeue.api.job_calls import named
from sagequeue.cli.console import echo, json_option, print_answer, print_job, print_lines
from sagequeue.cli.jobs import not_empty
from sagequeue.cli.prerequisites.checks import prerequisites
from sagequeue.cli.prerequisites.prerequisite import PROBLEM, Prerequisite
from sagequeue.cli.prerequisites.view import prerequisites_view
from sagequeue.cli.progress import INTERRUPTED, end_of, exit_with_result
from sagequeue.contract.arrays import Parameters, SubmittedArray
from sagequeue.contract.explanations import Forecast
from sagequeue.contract.jobs import Job, JobOptions, OnEnd, TrainingRequest
from sagequeue.errors import QueueError
from sagequeue.hooks.installation import install_in_every_session
from sagequeue.jobs.submission_warnings import already_submitted, with_source
from sagequeue.tables.arrays import array_view
from sagequeue.tables.explanations import forecast_view
from sagequeue.workflows.workflow_file import read_workflow

#: The extensions of files that describe workflows, not requests.
_WORKFLOWS = (".yaml", ".yml")
_FILE_SCHEME = "file://"
_RANGE = re.compile(r"(?P<min>[0-9]{1,4})-(?P<max>[0-9]{1,4})(/(?P<step>[0-9]{1,4}))?")
_TAG_PREFIX = "queue:"  # the prefix of tags that are options
_SLURM_DEPENDENCIES = {"afterok": "after_ok", "afterany": "after_any", "afternotok": "after_not_ok"}
_OPTIONS = (
    click.option("--cli-input-json", metavar="JSON", help="The request as JSON text or file://PATH, instead of FILE."),
    click.option("--priority", type=int, help="Priority of the job; higher starts first.  [0]"),
    click.option(
        "--never-preempt/--no-never-preempt",
        default=None,
        help="Never preempt the job once it runs.  [off; on for processing jobs]",
    ),
    click.option(
        "--restart-tuning",
        is_flag=True,
        default=None,
        help="Allow the tuning job to be preempted even though it then loses its results.",
    ),
    click.option(
        "--min-parallel", type=int, help="Minimum number of parallel trials with which a tuning job may start."
    ),
    click.option("--idle-exempt", is_flag=True, default=None, help="Do not stop the job when its GPUs are idle."),
    click.option(
        "--interactive", is_flag=True, default=None, help="Mark the job as interactive: people work in its container."
    ),
    click.option(
        "--alternatives",
        metavar="JSON",
        help="Alternative requests in order of preference, as JSON text or file://PATH.",
    ),
    click.option(
        "--order",
        type=click.Choice(["given", "best"]),
        help="Try the alternatives as given, or best first by what useful training has cost.  [given]",
    ),
    click.option(
        "--instances",
        metavar="MIN-MAX[/STEP]",
        help="Instance counts that the job can run on, such as 2-8/2. To add hyperparameters: JSON text or "
        "file://PATH.",
    ),
    click.option(
        "--checkpoint-interval",
        type=click.IntRange(min=1),
        metavar="SECONDS",
        help="Seconds between your script's checkpoints.",
    ),
    click.option("--retries", type=click.IntRange(min=0), help="Maximum number of retries after failures."),
    click.option(
        "--team",
        metavar="NAME",
        callback=not_empty,
        help="Use this team's share, if operators allow it.  [your team]",
    ),
    click.option(
        "--notify",
        multiple=True,
        type=click.Choice(["start", "end", "preemption"]),
        help="Also notify the owner of this event; repeatable.",
    ),
    click.option(
        "--not-before",
        "--begin",
        metavar="TIME",
        help="Earliest start. A time without an offset is in the calendar's time zone.",
    ),
    click.option("--expires", metavar="TIME", help="End the job at this time if it has not started."),
    click.option(
        "--deadline",
        metavar="TIME",
        help="Time by which the job should end; the queue notifies you if the job is late.",
    ),
    click.option(
        "--deadline-for", type=click.Choice(["end", "start"]), help="Event that must happen by the deadline.  [end]"
    ),
    click.option("--after-ok", multiple=True, metavar="NAME", help="Wait until this job has completed; repeatable."),
    click.option("--after-any", multiple=True, metavar="NAME", help="Wait until this job has ended; repeatable."),
    click.option(
        "--after-not-ok",
        multiple=True,
        metavar="NAME",
        help="Wait until this job has failed or been stopped; repeatable.",
    ),
    click.option(
        "--dependency",
        metavar="TYPE:NAME[:NAME…]",
        help="Jobs to wait for, in Slurm's notation: afterok, afterany and afternotok, separated by commas.",
    ),
    click.option(
        "--if-never-satisfied",
        type=click.Choice(["park", "cancel"]),
        help="Whether to park or cancel the job if a job that it waits for ends differently.  [park]",
    ),
)


def _takes_request(command: Callable[..., None]) -> Callable[..., None]:
    """Adds FILE, --cli-input-json and the job options to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return click.argument("file", type=click.File(encoding="utf-8"), required=False)(command)


@click.command()
@_takes_request
@click.option(
    "--hold", is_flag=True, default=None, help="Keep the job from starting until you run `sagequeue release`."
)
@click.option(
    "--job-name",
    metavar="NAME",
    callback=not_empty,
    help="Name of the job, instead of the request's TrainingJobName.",
)
@click.option(
    "--token",
    callback=not_empty,
    help="Token of your choice: a request with the same token is submitted only once.",
)
@click.option(
    "--on-end",
    type=click.File(encoding="utf-8"),
    metavar="FILE",
    help='JSON file that names the receiver of the result, such as {"task_token": "..."}. A file keeps tokens secret.',
)
@click.option(
    "--array",
    metavar="JSON",
    help="Submit a job for each set of these parameters: JSON text or file://PATH. Values replace ${name}.",
)
@click.option("--at-most", type=click.IntRange(min=1), help="Maximum number of the array's jobs that run at once.")
@click.option(
    "--most-failures", type=click.IntRange(min=0), help="Number of failed jobs that the array tolerates before it ends."
)
@click.option("--wait", is_flag=True, help="Wait until the job has ended or is parked; the exit code shows the result.")
@json_option
def submit(
    file: IO[str] | None,
    cli_input_json: str | None,
    *,
    job_name: str | None,
    token: str | None,
    on_end: IO[str] | None,
    array: str | None,
    at_most: int | None,
    most_failures: int | None,
    wait: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Submit the Create request for a training, tuning or processing job in FILE (- reads standard input).

    FILE has the format of `aws sagemaker create-training-job --cli-input-json`. Until the job ends, submitting the same
    request again returns the same job, so you can safely repeat a submission.

    If FILE is a YAML file, it describes a workflow: jobs and arrays that wait for each other. Either all of them are
    submitted, or none. A workflow's options are in the file.
    """
    queue = QueueClient()
    if file is not None and file.name.endswith(_WORKFLOWS):
        of_one_request = (cli_input_json, job_name, token, on_end, array, at_most, wait or None, *given.values())
        if any(value not in (None, ()) for value in of_one_request) or most_failures is not None:
            raise click.UsageError(
                "Write the options into the workflow file. For a workflow, the command accepts only --json."
            )
        answers = read_workflow(file.name, queue).submit(queue)
        print_lines(answers, lambda found: map(_line, found), as_json=as_json)
        return
    request = _request(file, cli_input_json)
    if job_name:
        request = named(request, job_name)
    if array is not None:
        if wait or on_end:
            raise click.UsageError("--wait and --on-end are for single jobs, not for arrays.")
        parameters = cast(Parameters, _parsed(lambda: _text(array, "--array"), "It", "--array", dict | list))
        limits = {"at_most": at_most, "most_failures": most_failures}
        submitted = queue.submit_array(request, parameters, _options(given), **limits, client_token=token)
        print_answer(submitted, lambda found: array_view(found, datetime.now(UTC)), as_json=as_json)
        return
    if at_most or most_failures is not None:
        raise click.UsageError("--at-most and --most-failures need --array.")
    reported = None if on_end is None else cast(OnEnd, _parsed(on_end.read, on_end.name, "--on-end", dict))
    job = queue.submit(request, with_source(queue.session, request, _options(given)), token, reported)
    if already := already_submitted(job):
        echo(already, err=True)
    if not (wait and as_json):
        print_job(job, as_json=as_json)
    if wait:
        exit_with_result(end_of(queue, job["name"]), as_json=as_json)


@click.command()
@_takes_request
@click.option(
    "--deep",
    is_flag=True,
    help="Also check, with your AWS permissions, that the job's images, data, roles and quotas exist.",
)
@json_option
def whatif(file: IO[str] | None, cli_input_json: str | None, *, deep: bool, as_json: bool, **given: Any) -> None:
    """Show when a request would start if you submitted it now, and which jobs it would preempt.

    Command-line options override the same options in FILE's tags, so you can try another priority.
    """
    options = _options(given)
    request = _without_tags_of(options, _request(file, cli_input_json))
    queue = QueueClient()
    forecast = queue.what_if(request, options)
    found = [*prerequisites(queue, request, options or {}, forecast["choices"])] if deep else []
    answer = {**forecast, "prerequisites": [asdict(each) for each in found]} if deep else {**forecast}
    print_answer(answer, lambda _: _outlook(forecast, found), as_json=as_json)
    if any(each.outcome == PROBLEM for each in found):
        sys.exit(1)


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("-m", "is_module", is_flag=True, help="Run PROGRAM as a module, like python -m.")
@click.argument("program")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def run(program: str, arguments: tuple[str, ...], *, is_module: bool) -> None:
    """Run the Python PROGRAM unchanged and queue its training jobs, whatever sessions it creates.

    PROGRAM runs in sagequeue's Python environment, and does not start if no queue is configured. Training jobs that
    other programs create are not queued, even if PROGRAM starts those programs. If PROGRAM fails, its traceback is
    shown and the command exits with 1.
    """
    install_in_every_session(QueueClient())
    sys.argv = [program, *arguments]
    try:
        _run(program, is_module=is_module)
    except QueueError:
        raise
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001  # for some, the main command prints no traceback
        sys.excepthook(type(error), error, error.__traceback__)
        sys.exit(INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1)


COMMANDS = (submit, whatif, run)


def _run(program: str, *, is_module: bool) -> None:
    if is_module:
        sys.path.insert(0, "")
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    else:
        sys.path.insert(0, str(Path(program).resolve().parent))
        runpy.run_path(program, run_name="__main__")


def _outlook(forecast: Forecast, found: Sequence[Prerequisite]) -> RenderableType:
    view = forecast_view(forecast, datetime.now(UTC))
    return Group(view, prerequisites_view(found)) if found else view


def _line(answer: Job | SubmittedArray) -> str:
    """Returns a line about a job or an array in a workflow."""
    jobs = f", {cast(SubmittedArray, answer)['size']} jobs" if "size" in answer else ""
    return f"{answer['name']}: {answer['state']}{jobs}{'' if answer.get('is_new') else ', submitted before'}"


def _options(given: dict[str, Any]) -> JobOptions | None:
    if given.get("alternatives") is not None:
        given["alternatives"] = _parsed(
            lambda: _text(given["alternatives"], "--alternatives"), "It", "--alternatives", list
        )
    if given.get("instances") is not None:
        given["instances"] = _instances(given["instances"])
    if (dependency := given.pop("dependency", None)) is not None:
        _add_dependency(given, dependency)
    options: JobOptions = {name: value for name, value in given.items() if value not in (None, ())}  # type: ignore[assignment]  # the names of _OPTIONS
    return options or None


def _add_dependency(given: dict[str, Any], text: str) -> None:
    """Adds the jobs in a dependency in Slurm's notation, such as `afterok:prep:fetch,afterany:lint`."""
    for part in text.split(","):
        kind, *names = part.split(":")
        option = _SLURM_DEPENDENCIES.get(kind)
        if option is None or not names or not all(names):
            known = ", ".join(_SLURM_DEPENDENCIES)
            raise click.BadParameter(f"{part!r} is not TYPE:NAME with a TYPE of {known}.", param_hint="--dependency")
        given[option] = (*given[option], *names)


def _instances(text: str) -> object:
    if match := _RANGE.fullmatch(text):
        return {name: int(number) for name, number in match.groupdict().items() if number}
    return _parsed(lambda: _text(text, "--instances"), "It", "--instances", dict)


def _without_tags_of(options: JobOptions | None, request: TrainingRequest) -> TrainingRequest:
    """Returns the request without the tags, such as `queue:never-preempt`, that these options override."""
    keys = [f"{_TAG_PREFIX}{name.replace('_', '-')}" for name in options or ()]
    if options and "priority" in options:
        keys.append("priority")
    tags = request.get("Tags")
    if not isinstance(tags, list) or not all(isinstance(tag, dict) for tag in tags):
        return request  # without tags, or with a structure that the queue refuses
    kept = [tag for tag in tags if tag.get("Key") not in keys]
    return {**request, "Tags": kept} if len(kept) < len(tags) else request


def _request(file: IO[str] | None, text: str | None) -> TrainingRequest:
    if (file is None) == (text is None):
        raise click.UsageError("Give the request once: as FILE or as --cli-input-json.")
    if file is not None:
        return cast(TrainingRequest, _parsed(file.read, file.name, "FILE", dict))
    return cast(TrainingRequest, _parsed(lambda: _text(str(text), "--cli-input-json"), "It", "--cli-input-json", dict))


def _text(given: str, param_hint: str) -> str:
    if not given.startswith(_FILE_SCHEME):
        return given
    path = Path(given.removeprefix(_FILE_SCHEME)).expanduser()
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise click.BadParameter(f"{path}: {error.strerror}.", param_hint=param_hint) from error


def _parsed(read: Callable[[], str], name: str, param_hint: str, kind: type | UnionType) -> object:
    try:
        value: object = json.loads(read())
    except (ValueError, RecursionError) as error:
        raise click.BadParameter(f"{name} is not valid JSON: {error}", param_hint=param_hint) from error
    if not isinstance(value, kind):
        wanted = "object" if kind is dict else "array" if kind is list else "object or array"
        raise click.BadParameter(f"{name} is not a JSON {wanted}.", param_hint=param_hint)
    return value
