"""`sagequeue doctor`: checks everything that a submission needs, and shows how to fix problems."""

import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from typing import cast

import boto3
import click
import requests
from botocore.exceptions import BotoCoreError, ClientError

from sagequeue.api.answers import unpack
from sagequeue.api.endpoint import find_api_url, region_of
from sagequeue.api.transport import SIGN_IN, Transport
from sagequeue.cli.console import echo, print_json
from sagequeue.cli.doctor.mail_addresses import mail_addresses
from sagequeue.cli.doctor.permissions import (
    OK,
    PROBLEM,
    WARNING,
    Check,
    permissions_of_aws,
    permissions_of_queue,
)
from sagequeue.contract.jobs import Listing
from sagequeue.contract.queue import Pools
from sagequeue.errors import QueueError
from sagequeue.hooks.installation import installed, refuse_old_core
from sagequeue.tables.queue import refusals

_SDKS = ("sagemaker", "sagemaker-core")
# AWS refuses a signature if the clock is five minutes off.
_SKEW, _LARGE_SKEW = timedelta(minutes=1), timedelta(minutes=5)
_MARKS = {OK: click.style("✓", fg="green"), PROBLEM: click.style("✗", fg="red")}
_WARNING = click.style("!", fg="yellow")
_UNREAD_NOTICES = (
    "Use the package sagequeue-preempt in the training script. If it already does, the job's log names the missing "
    "permission: s3:GetObject on stops/* or s3:PutObject on acks/* of the queue's bucket. The bucket's policy grants "
    "both to roles that match the stack's ExecutionRolePattern."
)
#: The exit code of every command if the client is not configured, not signed in or not allowed.
EXIT_CODE = 4


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the checks as JSON, for use by programs.")
def doctor(*, as_json: bool) -> None:
    """Check versions, credentials, address, clock and permissions, and show how to fix problems."""
    found = []
    for check in checks(boto3.Session()):
        found.append(check)
        if not as_json:
            _print(check)
    if as_json:
        print_json([asdict(check) for check in found])
    sys.exit(EXIT_CODE if any(check.status == PROBLEM for check in found) else 0)


def _print(check: Check) -> None:
    click.echo(_MARKS.get(check.status, _WARNING), nl=False)
    echo(f" {check.name:<22} {check.message}")
    if check.remedy:
        echo(f"  {'':<22} {check.remedy}")


def checks(session: boto3.Session) -> Iterator[Check]:
    """Yields the checks in order. If a check fails, leaves out the checks that depend on it."""
    yield Check("versions", OK, ", ".join(f"{package} {version(package)}" for package in ("sagequeue", "boto3")))
    yield _sdks()
    yield (credentials := _credentials(session))
    try:
        api_url = find_api_url(session)
    except QueueError as error:
        yield Check("address", PROBLEM, error.message, error.remedy)
        return
    yield Check("address", OK, api_url)
    yield (region := _region(session, api_url))
    yield (clock := _clock(api_url))
    if PROBLEM in {credentials.status, region.status, clock.status}:
        return
    transport = Transport(session, api_url)
    yield (queue := _queue(transport))
    if queue.status == OK:
        yield from permissions_of_queue(transport)
        yield from _pools(transport)
        yield from _stop_notices(transport)
        yield from mail_addresses(transport, session)
    yield from permissions_of_aws(session)


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
            "credentials", PROBLEM, f"AWS refused the credentials: {error.response['Error']['Code']}.", SIGN_IN
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
    """Compares the local clock with the Date header of an answer. The call is unsigned, so AWS checks no time."""
    try:
        answer = requests.get(f"{api_url}/jobs", timeout=10, allow_redirects=False)
        skew = abs(datetime.now(UTC) - parsedate_to_datetime(answer.headers["Date"]))
    except requests.RequestException as error:
        message = f"The queue's address does not answer: {type(error).__name__}."
        return Check("network", PROBLEM, message, "Check the address and the network.")
    except (KeyError, ValueError):
        message = "The clock cannot be checked: the answer has no Date header."
        return Check("clock", WARNING, message, "Check the address.")
    seconds = round(skew.total_seconds())
    if skew < _SKEW:
        return Check("clock", OK, f"differs by {seconds} s from the queue's clock")
    status = PROBLEM if skew >= _LARGE_SKEW else WARNING
    remedy = "Correct the clock: AWS rejects signatures that are 5 minutes off."
    return Check("clock", status, f"This machine's clock differs by {seconds} s from the queue's clock.", remedy)


def _queue(transport: Transport) -> Check:
    try:
        page = unpack(transport.send("GET", "/jobs?limit=1", None, "Try again."))
    except QueueError as error:
        return Check("queue", PROBLEM, error.message, error.remedy)
    if not {"jobs", "next", "budget"} <= page.keys():
        return Check("queue", PROBLEM, "The answer is not from a queue.", "Check the address.")
    return Check("queue", OK, "answers as a queue")


def _pools(transport: Transport) -> Iterator[Check]:
    """Yields a check for each type without its requested warm pools."""
    try:
        found = cast("Pools", unpack(transport.send("GET", "/pools", None, "Try again.")))
    except QueueError as error:
        yield Check("may see warm pools", WARNING, error.message, error.remedy)
        return
    remedy = "Ask AWS to raise the type's warm-pool quota, or remove the type from the configuration's section pools."
    yield from (Check("warm pools", WARNING, line, remedy) for line in refusals(found))


def _stop_notices(transport: Transport) -> Iterator[Check]:
    """Yields the number of running programs that read their stop notices, or nothing if no program can get any."""
    try:
        page = cast("Listing", unpack(transport.send("GET", "/jobs?state=running&limit=50", None, "Try again.")))
    except QueueError as error:
        yield Check("stop notices", WARNING, error.message, error.remedy)
        return
    live = [job["attempts"][-1] for job in page["jobs"] if job["attempts"]]
    able = [attempt for attempt in live if attempt["takes_notice"] and attempt["training_started_at"]]
    silent = [attempt["name"] for attempt in able if not attempt["listens"]]
    if silent:
        message = f"{len(silent)} of {len(able)} running programs do not read their stop notices, such as {silent[0]}."
        yield Check("stop notices", WARNING, message, _UNREAD_NOTICES)
    elif able:
        yield Check("stop notices", OK, f"all {len(able)} running programs read their stop notices")


COMMANDS = (doctor,)
