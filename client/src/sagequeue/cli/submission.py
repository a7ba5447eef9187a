"""`sagequeue submit`, `whatif` and `run`."""

import json
import runpy
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, cast

import click

from sagequeue.api.client import QueueClient
from sagequeue.cli.console import json_option, print_job, print_json, print_view
from sagequeue.cli.progress import end_of, leave_with
from sagequeue.contract.jobs import FINISHED, JobOptions, TrainingRequest
from sagequeue.hooks.every_session import install_in_every_session
from sagequeue.tables.explanations import outlook_view

_FILE_SCHEME = "file://"
_OPTIONS = (
    click.option("--cli-input-json", metavar="JSON", help="The request as text or file://PATH, instead of FILE."),
    click.option("--priority", type=int, help="Higher goes first.  [0]"),
    click.option("--never-preempt", is_flag=True, default=None, help="Once it runs, let it run to its end."),
    click.option("--idle-exempt", is_flag=True, default=None, help="Its GPUs may be idle."),
    click.option("--alternatives", metavar="JSON", help="Other ways to run it, as text or file://PATH."),
    click.option("--checkpoint-interval", type=click.IntRange(min=1), metavar="SECONDS", help="Of your script."),
)


def _takes_request(command: Callable[..., None]) -> Callable[..., None]:
    """FILE, --cli-input-json and the options of a job."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return click.argument("file", type=click.File(encoding="utf-8"), required=False)(command)


@click.command()
@_takes_request
@click.option("--hold", is_flag=True, default=None, help="Keep it from starting until `sagequeue release`.")
@click.option("--token", help="Of your choice: the same request with the same token is submitted once.")
@click.option("--wait", is_flag=True, help="Until the job has ended; the exit code tells how.")
@json_option
def submit(
    file: IO[str] | None, cli_input_json: str | None, *, token: str | None, wait: bool, as_json: bool, **given: Any
) -> None:
    """Submit a CreateTrainingJob request from FILE (- reads standard input).

    It is what `aws sagemaker create-training-job --cli-input-json` takes. The same request again is the same job:
    repeating a submission is safe.
    """
    queue = QueueClient()
    job = queue.submit(_request(file, cli_input_json), _options(given), token)
    if job["state"] in FINISHED:
        click.echo(
            f"{job['name']} is an earlier job: the same request again. Another name makes it a new one.", err=True
        )
    if not (wait and as_json):
        print_job(job, as_json=as_json)
    if wait:
        leave_with(end_of(queue, job["name"]), as_json=as_json)


@click.command()
@_takes_request
@json_option
def whatif(file: IO[str] | None, cli_input_json: str | None, *, as_json: bool, **given: Any) -> None:
    """Say what would happen to a request if it were submitted now: when it starts, and who gives way."""
    outlook = QueueClient().what_if(_request(file, cli_input_json), _options(given))
    if as_json:
        print_json(outlook)
    else:
        print_view(outlook_view(outlook, datetime.now(UTC)))


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("-m", "is_module", is_flag=True, help="PROGRAM is a module, as for python -m.")
@click.argument("program")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def run(program: str, arguments: tuple[str, ...], *, is_module: bool) -> None:
    """Run the Python PROGRAM with its training jobs led through the queue, whatever sessions it makes.

    It runs in the environment in which sagequeue is installed, and does not start without a queue. Programs that it
    starts itself are not led.
    """
    install_in_every_session(QueueClient())
    sys.argv = [program, *arguments]
    if is_module:
        sys.path.insert(0, "")
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    else:
        sys.path.insert(0, str(Path(program).resolve().parent))
        runpy.run_path(program, run_name="__main__")


COMMANDS = (submit, whatif, run)


def _options(given: dict[str, Any]) -> JobOptions | None:
    if given.get("alternatives") is not None:
        given["alternatives"] = _parsed(
            lambda: _text(given["alternatives"], "--alternatives"), "It", "--alternatives", list
        )
    options: JobOptions = {name: value for name, value in given.items() if value is not None}  # type: ignore[assignment]  # the names above
    return options or None


def _request(file: IO[str] | None, text: str | None) -> TrainingRequest:
    if (file is None) == (text is None):
        raise click.UsageError("Give the request once: as FILE or with --cli-input-json.")
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


def _parsed(read: Callable[[], str], name: str, param_hint: str, kind: type) -> object:
    try:
        value: object = json.loads(read())
    except (ValueError, RecursionError) as error:
        raise click.BadParameter(f"{name} is not readable JSON: {error}", param_hint=param_hint) from error
    if not isinstance(value, kind):
        wanted = "object" if kind is dict else "array"
        raise click.BadParameter(f"{name} is not a JSON {wanted}.", param_hint=param_hint)
    return value
