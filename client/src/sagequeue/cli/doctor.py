"""`sagequeue doctor`: checks everything that a submission needs, and shows how to fix problems."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from typing import cast

import boto3
import click
import requests
from botocore.exceptions import BotoCoreError, ClientError

from sagequeue.api.answers import is_from_queue, unpack
from sagequeue.api.endpoint import find_api_url, region_of
from sagequeue.api.transport import SIGN_IN, Transport
from sagequeue.contract.queue import Pools
from sagequeue.errors import QueueError
from sagequeue.hooks.installation import installed, refuse_old_core
from sagequeue.jobs.description import TRAINING_JOBS
from sagequeue.tables.queue import refusals

OK, WARNING, PROBLEM = "ok", "warning", "problem"
_SDKS = ("sagemaker", "sagemaker-core")
# AWS refuses signatures that are five minutes off.
_SKEW, _LARGE_SKEW = timedelta(minutes=1), timedelta(minutes=5)
# No job can have this name, and this body is invalid for every call: these checks change nothing.
_NO_JOB, _INVALID_BODY = "no.job", b"?"
_MARKS = {OK: click.style("✓", fg="green"), PROBLEM: click.style("✗", fg="red")}
_WARNING = click.style("!", fg="yellow")
#: The exit code of every command that is not configured, not signed in or not allowed.
EXIT_CODE = 4


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check. `status` is ok, warning (some commands fail) or problem (nothing works)."""

    name: str
    status: str
    message: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Permission:
    """A group of commands, and one of their calls, sent so that it changes nothing."""

    name: str
    method: str
    path: str
    body: bytes | None = None


PERMISSIONS = (
    Permission("may use whoami", "GET", "/whoami"),
    Permission("may list jobs", "GET", "/jobs?limit=1"),
    Permission("may explain jobs", "GET", f"/jobs/{_NO_JOB}/why"),
    Permission("may see the queue", "GET", "/queue"),
    Permission("may see the budget", "GET", "/budget"),
    Permission("may submit", "POST", "/jobs", _INVALID_BODY),
    Permission("may forecast jobs", "POST", "/what-if", _INVALID_BODY),
    *(
        Permission(f"may {verb}", "POST", f"/jobs/{_NO_JOB}/{verb}")
        for verb in ("cancel", "hold", "release", "requeue", "top")
    ),
    Permission("may change priorities", "POST", f"/jobs/{_NO_JOB}/priority", _INVALID_BODY),
    Permission("may cancel by filter", "POST", "/cancel-jobs", _INVALID_BODY),
    Permission("may change the budget", "PUT", "/budget", _INVALID_BODY),
    Permission("may see the rules", "GET", "/rules"),
    Permission("may check rules", "POST", "/rules/check", _INVALID_BODY),
    Permission("may change the rules", "PUT", "/rules", _INVALID_BODY),
    Permission("may see the calendar", "GET", "/calendar"),
    Permission("may check calendars", "POST", "/calendar/check", _INVALID_BODY),
    Permission("may change the calendar", "PUT", "/calendar", _INVALID_BODY),
    Permission("may see findings", "GET", "/findings"),
    Permission("may read the history", "GET", "/history"),
)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the checks as JSON, for programs.")
def doctor(*, as_json: bool) -> None:
    """Check versions, credentials, address, clock and permissions, and show how to fix problems."""
    found = []
    for check in checks(boto3.Session()):
        found.append(check)
        if not as_json:
            _print(check)
    if as_json:
        click.echo(json.dumps([asdict(check) for check in found], indent=2, ensure_ascii=False))
    sys.exit(EXIT_CODE if any(check.status == PROBLEM for check in found) else 0)


def _print(check: Check) -> None:
    click.echo(f"{_MARKS.get(check.status, _WARNING)} {check.name:<22} {check.message}")
    if check.remedy:
        click.echo(f"  {'':<22} {check.remedy}")


def checks(session: boto3.Session) -> Iterator[Check]:
    """Yields the checks in order; leaves out checks that need an earlier one that failed."""
    yield Check("versions", OK, ", ".join(f"{package} {version(package)}" for package in ("sagequeue", "boto3")))
    yield _sdks()
    yield (credentials := _credentials(session))
    try:
        api_url = find_api_url(session)
    except QueueError as error:
        yield Check("address", PROBLEM, error.message, error.remedy)
        return
    yield Check("address", OK, api_url)
    yield _region(session, api_url)
    yield (clock := _clock(api_url))
    if PROBLEM in {credentials.status, clock.status}:
        return
    transport = Transport(session, api_url)
    yield (queue := _queue(transport))
    if queue.status == OK:
        yield from (_permission(transport, permission) for permission in PERMISSIONS)
        yield from _pools(transport)
    yield _logs(session)


def _sdks() -> Check:
    found = ", ".join(f"{name} {number}" for name in _SDKS if (number := installed(name)))
    try:
        refuse_old_core()
    except QueueError as error:
        return Check("SageMaker SDK", PROBLEM, error.message, error.remedy)
    return Check("SageMaker SDK", OK, found or "none installed; boto3 and the command line need none")


def _credentials(session: boto3.Session) -> Check:
    try:
        if session.get_credentials() is None:
            return Check("credentials", PROBLEM, "No AWS credentials found.", SIGN_IN)
        region = session.region_name or "us-east-1"  # the answer is the same in every region
        caller = session.client("sts", region_name=region).get_caller_identity()["Arn"]
        return Check("credentials", OK, caller)
    except ClientError as error:
        return Check(
            "credentials", PROBLEM, f"AWS refuses the credentials: {error.response['Error']['Code']}.", SIGN_IN
        )
    except BotoCoreError as error:
        return Check("credentials", WARNING, f"Cannot read the caller's identity from AWS: {error}", SIGN_IN)


def _region(session: boto3.Session, api_url: str) -> Check:
    own, queues = session.region_name, region_of(api_url)
    if own is None:
        remedy = "Set AWS_DEFAULT_REGION to the region of the queue."
        return Check("region", WARNING if queues else PROBLEM, "No region is set.", remedy)
    if queues and own != queues:
        remedy = f"Set AWS_DEFAULT_REGION={queues}, or use a queue in {own}."
        return Check("region", WARNING, f"The queue is in {queues}, but this shell uses {own}.", remedy)
    return Check("region", OK, own)


def _clock(api_url: str) -> Check:
    """Compares the clock with the Date of an answer to an unsigned call, which any clock gets."""
    try:
        answer = requests.get(f"{api_url}/jobs", timeout=10, allow_redirects=False)
        skew = abs(datetime.now(UTC) - parsedate_to_datetime(answer.headers["Date"]))
    except requests.RequestException as error:
        return Check("network", PROBLEM, f"No answer: {type(error).__name__}.", "Check the address and the network.")
    except (KeyError, ValueError):
        return Check("clock", WARNING, "The answer has no date to compare the clock with.", "Check the address.")
    seconds = round(skew.total_seconds())
    if skew < _SKEW:
        return Check("clock", OK, f"{seconds} s from the queue's clock")
    status = PROBLEM if skew >= _LARGE_SKEW else WARNING
    remedy = "Set this machine's clock: AWS refuses signatures that are 5 minutes off."
    return Check("clock", status, f"It differs by {seconds} s from the queue's clock.", remedy)


def _queue(transport: Transport) -> Check:
    try:
        page = unpack(transport.send("GET", "/jobs?limit=1", None, "Try again."))
    except QueueError as error:
        return Check("queue", PROBLEM, error.message, error.remedy)
    if not {"jobs", "next", "budget"} <= page.keys():
        return Check("queue", PROBLEM, "The answer is not from a queue.", "Check the address.")
    return Check("queue", OK, "answers as a queue")


def _permission(transport: Transport, permission: Permission) -> Check:
    path = permission.path.partition("?")[0].replace(_NO_JOB, "{name}")
    try:
        response = transport.send(permission.method, permission.path, permission.body, "Try again.")
    except QueueError as error:
        return Check(permission.name, WARNING, error.message, error.remedy)
    if response.status_code == requests.codes.forbidden and is_from_queue(response):
        return Check(permission.name, WARNING, response.json()["message"], response.json()["remedy"])
    if response.status_code != requests.codes.forbidden:
        return Check(permission.name, OK, f"{permission.method} {path}")
    if "MissingAuthenticationToken" in response.headers.get("x-amzn-ErrorType", ""):
        remedy = "Redeploy the stack, or install the client of its version."
        return Check(permission.name, WARNING, f"The stack is older and has no {permission.method} {path}.", remedy)
    remedy = f"If you need it, ask for execute-api:Invoke on {permission.method}{path.replace('{name}', '*')}."
    return Check(permission.name, WARNING, f"{permission.method} {path} is not allowed.", remedy)


def _pools(transport: Transport) -> Iterator[Check]:
    """Yields problems only."""
    try:
        found = cast("Pools", unpack(transport.send("GET", "/pools", None, "Try again.")))
    except QueueError as error:
        yield Check("may see warm pools", WARNING, error.message, error.remedy)
        return
    remedy = "Ask AWS for a larger warm-pool quota of the type, or remove its rule (`sagequeue pools rules`)."
    yield from (Check("warm pools", WARNING, line, remedy) for line in refusals(found))


def _logs(session: boto3.Session) -> Check:
    remedy = f"For `sagequeue logs`, ask for logs:DescribeLogStreams and logs:GetLogEvents on {TRAINING_JOBS}."
    try:
        session.client("logs").describe_log_streams(logGroupName=TRAINING_JOBS, limit=1)
    except ClientError as error:
        code = error.response["Error"]["Code"]
        if code != "ResourceNotFoundException":  # no job of the account has logged anything yet
            return Check("may read logs", WARNING, f"CloudWatch Logs answers {code}.", remedy)
    except BotoCoreError as error:
        return Check("may read logs", WARNING, str(error), remedy)
    return Check("may read logs", OK, TRAINING_JOBS)


COMMANDS = (doctor,)
