"""What `sagequeue doctor` looks at: is everything there that a submission needs, and if not, how to mend it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from typing import cast

import boto3
import requests
from botocore.exceptions import BotoCoreError, ClientError

from sagequeue.api.answers import is_queues_own, unpack
from sagequeue.api.endpoint import find_api_url, region_of
from sagequeue.api.signing import SIGN_IN
from sagequeue.api.transport import Transport
from sagequeue.contract.warm_pools import Pools
from sagequeue.errors import QueueError
from sagequeue.hooks.sdk_versions import installed, refuse_old_core
from sagequeue.jobs.attempts import TRAINING_JOBS
from sagequeue.tables.warm_pools import refusals

OK, WARNING, PROBLEM = "ok", "warning", "problem"
_SDKS = ("sagemaker", "sagemaker-core")
# Signatures are refused from five minutes on.
_SKEW, _LARGE_SKEW = timedelta(minutes=1), timedelta(minutes=5)
# No job can have this name, and no call understands this body: asking like this changes nothing.
_NOBODY, _NONSENSE = "no.job", b"?"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at. `status` is ok, warning (some commands will fail) or problem (nothing works)."""

    name: str
    status: str
    message: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Permission:
    """A group of commands, and a call of theirs that changes nothing."""

    name: str
    method: str
    path: str
    body: bytes | None = None


PERMISSIONS = (
    Permission("may ask who they are", "GET", "/whoami"),
    Permission("may look", "GET", "/jobs?limit=1"),
    Permission("may ask why", "GET", f"/jobs/{_NOBODY}/why"),
    Permission("may see the queue", "GET", "/queue"),
    Permission("may see the budget", "GET", "/budget"),
    Permission("may submit", "POST", "/jobs", _NONSENSE),
    Permission("may ask what if", "POST", "/what-if", _NONSENSE),
    *(
        Permission(f"may {verb}", "POST", f"/jobs/{_NOBODY}/{verb}")
        for verb in ("cancel", "hold", "release", "requeue", "top")
    ),
    Permission("may change priorities", "POST", f"/jobs/{_NOBODY}/priority", _NONSENSE),
    Permission("may cancel by filter", "POST", "/cancel-jobs", _NONSENSE),
    Permission("may change the budget", "PUT", "/budget", _NONSENSE),
    Permission("may see the rules", "GET", "/rules"),
    Permission("may try out rules", "POST", "/rules/check", _NONSENSE),
    Permission("may change the rules", "PUT", "/rules", _NONSENSE),
    Permission("may see the calendar", "GET", "/calendar"),
    Permission("may try out calendars", "POST", "/calendar/check", _NONSENSE),
    Permission("may change the calendar", "PUT", "/calendar", _NONSENSE),
    Permission("may see what the rules found", "GET", "/findings"),
    Permission("may read the history", "GET", "/history"),
)


def checks(session: boto3.Session) -> Iterator[Check]:
    """One after the other; what needs an earlier one that failed is left out."""
    yield _versions()
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


def _versions() -> Check:
    found = ", ".join(f"{package} {version(package)}" for package in ("sagequeue", "boto3"))
    return Check("versions", OK, found)


def _sdks() -> Check:
    found = ", ".join(f"{name} {number}" for name in _SDKS if (number := installed(name)))
    try:
        refuse_old_core()
    except QueueError as error:
        return Check("SageMaker SDK", PROBLEM, error.message, error.remedy)
    return Check("SageMaker SDK", OK, found or "none installed: boto3 and the command line need none")


def _credentials(session: boto3.Session) -> Check:
    try:
        if session.get_credentials() is None:
            return Check("credentials", PROBLEM, "There are none.", SIGN_IN)
        return Check("credentials", OK, _who(session))
    except ClientError as error:
        return Check("credentials", PROBLEM, f"AWS refuses them: {error.response['Error']['Code']}.", SIGN_IN)
    except BotoCoreError as error:
        return Check("credentials", WARNING, f"AWS cannot be asked whose they are: {error}", SIGN_IN)


def _who(session: boto3.Session) -> str:
    region = session.region_name or "us-east-1"  # the answer is the same everywhere
    return session.client("sts", region_name=region).get_caller_identity()["Arn"]


def _region(session: boto3.Session, api_url: str) -> Check:
    own, queues = session.region_name, region_of(api_url)
    if own is None:
        remedy = "Set AWS_DEFAULT_REGION to the region of the queue."
        return Check("region", WARNING if queues else PROBLEM, "None is set.", remedy)
    if queues and own != queues:
        remedy = f"Set AWS_DEFAULT_REGION={queues}, or name the queue of {own}."
        return Check("region", WARNING, f"The queue is in {queues}, this shell in {own}.", remedy)
    return Check("region", OK, own)


def _clock(api_url: str) -> Check:
    """By the Date of any answer: one to a call that is not signed comes however wrong the clock is."""
    try:
        answer = requests.get(f"{api_url}/jobs", timeout=10, allow_redirects=False)
        skew = abs(datetime.now(UTC) - parsedate_to_datetime(answer.headers["Date"]))
    except requests.RequestException as error:
        return Check(
            "network", PROBLEM, f"Nobody answers: {type(error).__name__}.", "Check the address and the network."
        )
    except (KeyError, ValueError):
        return Check("clock", WARNING, "The answer has no date to compare with.", "Check the address.")
    seconds = round(skew.total_seconds())
    if skew < _SKEW:
        return Check("clock", OK, f"{seconds} s from the queue's")
    status = PROBLEM if skew >= _LARGE_SKEW else WARNING
    remedy = "Set this machine's clock: signatures are refused from 5 minutes on."
    return Check("clock", status, f"It is {seconds} s from the queue's.", remedy)


def _queue(transport: Transport) -> Check:
    try:
        page = unpack(transport.send("GET", "/jobs?limit=1", None, "Try again."))
    except QueueError as error:
        return Check("queue", PROBLEM, error.message, error.remedy)
    if not {"jobs", "next", "budget"} <= page.keys():
        return Check("queue", PROBLEM, "The answer is not a queue's.", "Check the address.")
    return Check("queue", OK, "it answers as a queue does")


def _permission(transport: Transport, permission: Permission) -> Check:
    path = permission.path.partition("?")[0].replace(_NOBODY, "{name}")
    try:
        response = transport.send(permission.method, permission.path, permission.body, "Try again.")
    except QueueError as error:
        return Check(permission.name, WARNING, error.message, error.remedy)
    if response.status_code == requests.codes.forbidden and is_queues_own(response):
        return Check(permission.name, WARNING, response.json()["message"], response.json()["remedy"])
    if response.status_code != requests.codes.forbidden:
        return Check(permission.name, OK, f"{permission.method} {path}")
    if "MissingAuthenticationToken" in response.headers.get("x-amzn-ErrorType", ""):
        remedy = "Deploy the stack anew, or install the client of its version."
        return Check(permission.name, WARNING, f"The stack has no {permission.method} {path}: it is older.", remedy)
    remedy = f"If you need it, ask for execute-api:Invoke on {permission.method}{path.replace('{name}', '*')}."
    return Check(permission.name, WARNING, f"{permission.method} {path} is not allowed.", remedy)


def _pools(transport: Transport) -> Iterator[Check]:
    """Only what is amiss."""
    try:
        found = cast("Pools", unpack(transport.send("GET", "/pools", None, "Try again.")))
    except QueueError as error:
        yield Check("may see warm pools", WARNING, error.message, error.remedy)
        return
    remedy = "Ask AWS for a larger quota of warm pools of the type, or take its rule out of `sagequeue pools rules`."
    yield from (Check("warm pools", WARNING, line, remedy) for line in refusals(found))


def _logs(session: boto3.Session) -> Check:
    remedy = f"For `sagequeue logs`, ask for logs:DescribeLogStreams and logs:GetLogEvents on {TRAINING_JOBS}."
    try:
        session.client("logs").describe_log_streams(logGroupName=TRAINING_JOBS, limit=1)
    except ClientError as error:
        code = error.response["Error"]["Code"]
        if code != "ResourceNotFoundException":  # no job of the account has printed anything yet
            return Check("may read logs", WARNING, f"CloudWatch Logs says {code}.", remedy)
    except BotoCoreError as error:
        return Check("may read logs", WARNING, str(error), remedy)
    return Check("may read logs", OK, TRAINING_JOBS)
