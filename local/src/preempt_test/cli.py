"""`sagequeue preempt-test`: tests on this machine whether a training script survives preemptions."""

import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from local_account import AccountError, LocalAccount, Settings, free_port
from preempt_test.attempts import Attempt, Script, Trainings, moments
from preempt_test.verdict import Verdict, as_json, judge, table
from sagequeue.cli.console import console, echo, print_json

#: The maximum number of jobs to preempt: a job may end early if the machine is faster than in the undisturbed training.
_TRIALS = 6


def _expression(_context: click.Context, _option: click.Parameter, given: str | None) -> str | None:
    try:
        groups = re.compile(given).groups if given is not None else 1
    except re.error as error:
        raise click.BadParameter(f"it is not a regular expression: {error}") from error
    if not groups:
        raise click.BadParameter("it has no group for the number, such as loss=([0-9.]+)")
    return given


def _program(_context: click.Context, _option: click.Parameter, given: str) -> str:
    """Returns the absolute path: the script runs in its own folder."""
    found = shutil.which(given)
    if found is None:
        raise click.BadParameter(f"there is no program {given}")
    return str(Path(found).absolute())


@click.command("preempt-test", context_settings={"allow_interspersed_args": False})
@click.option("--times", type=click.IntRange(1), default=5, show_default=True, help="Number of preemptions.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed for the random times of the preemptions.")
@click.option(
    "--metric",
    metavar="REGEX",
    callback=_expression,
    help="Regular expression for the final metric. The first group of the last matching line is its value.",
)
@click.option(
    "--tolerance",
    type=click.FloatRange(0),
    default=0.01,
    show_default=True,
    help="Largest allowed difference between the final metrics, as a fraction.",
)
@click.option(
    "--notice",
    type=click.IntRange(1),
    default=120,
    show_default=True,
    help="Seconds in which the script can save after a stop notice.",
)
@click.option(
    "--python",
    default=sys.executable,
    callback=_program,
    help="Python interpreter that runs SCRIPT.  [sagequeue's own]",
)
@click.option("--json", "as_data", is_flag=True, help="Print JSON.")
@click.argument("script", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def preempt_test(
    script: Path,
    arguments: tuple[str, ...],
    *,
    times: int,
    seed: int,
    metric: str | None,
    tolerance: float,
    notice: int,
    python: str,
    as_data: bool,
) -> None:
    """Train SCRIPT on this machine, preempt it at random moments, and show whether it survives.

    SCRIPT trains once without interruption, and once with preemptions. It runs in its own folder, with ARGUMENTS. In
    ARGUMENTS, /opt/ml/checkpoints stands for the checkpoint folder. The command exits with 1 if SCRIPT does not
    survive.
    """
    chosen = Script(script.absolute(), arguments, python, metric)
    with _trainings(chosen, notice) as trainings:
        undisturbed = _undisturbed(trainings, metric)
        attempts = _preempted(trainings, undisturbed, moments(times, seed))
    verdict = judge(undisturbed, attempts, times, tolerance)
    if as_data:
        print_json(as_json(verdict, undisturbed, seed))
    else:
        _print(verdict)
    sys.exit(0 if verdict.is_survivor else 1)


@contextmanager
def _trainings(script: Script, notice: int) -> Iterator[Trainings]:
    """Yields the trainings.

    They kill a stopped script at once: in AWS's images, it does not get SageMaker's SIGTERM.
    """
    settings = Settings(free_port(), free_port(), startup_seconds=0, rate_factor=1000, grace_seconds=0)
    try:
        with TemporaryDirectory(prefix="preempt-test-") as home:
            account = LocalAccount(settings, home=Path(home))
            with account.servers():
                yield Trainings(account, script, notice)
    except AccountError as error:
        raise click.ClickException(str(error)) from error


def _undisturbed(trainings: Trainings, metric: str | None) -> Attempt:
    echo("trains undisturbed", err=True)
    attempt = trainings.run("undisturbed", "undisturbed")
    if attempt.status != "Completed":
        raise click.ClickException(f"the script fails without any preemption: {attempt.failure}")
    if metric is not None and attempt.metric is None:
        raise click.ClickException(f"no line of the script's output matches --metric {metric}")
    echo(f"{attempt.training_seconds:.0f} s of training", err=True)
    return attempt


def _preempted(trainings: Trainings, undisturbed: Attempt, moments: list[float]) -> list[Attempt]:
    """Returns the attempts of one job.

    If a job ends before all its preemptions, begins another job with earlier preemptions.
    """
    seconds = undisturbed.training_seconds
    for trial in range(1, _TRIALS + 1):
        waits = [moment * seconds for moment in moments]
        attempts = _of_one_job(trainings, f"preempted-{trial}", waits, says_begin=undisturbed.says_begin)
        last = attempts[-1]
        if len(attempts) > len(moments) or last.status != "Completed":
            break
        seconds = sum(attempt.saved_seconds for attempt in attempts[:-1]) + last.training_seconds
        echo(f"{seconds:.0f} s of training this time, because the machine was faster", err=True)
    return attempts


def _of_one_job(trainings: Trainings, job: str, waits: list[float], *, says_begin: bool) -> list[Attempt]:
    """Runs attempts until one is not preempted."""
    attempts, done = list[Attempt](), 0.0
    for number, moment in enumerate([*waits, None], 1):
        echo(f"attempt {number} of {len(waits) + 1}", err=True)
        wait = None if moment is None else max(0.0, moment - done)
        attempt = trainings.run(f"{job}-{number}", job, wait, says_begin=says_begin)
        attempts.append(attempt)
        if attempt.preemption is None:
            break
        done += attempt.saved_seconds
    return attempts


def _print(verdict: Verdict) -> None:
    console().print(table(verdict.survivals))
    for finding in verdict.findings:
        echo(f"{'✓' if finding.holds else '✗'} {finding.name}: {finding.text}")
    echo("The script survives preemption." if verdict.is_survivor else "The script does not survive preemption.")
