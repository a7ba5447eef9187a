"""Defines the permissions that `sagequeue doctor` checks for a user, each with a call that changes nothing."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import boto3
import requests
from botocore.exceptions import BotoCoreError, ClientError

from sagequeue.api.answers import is_denied, is_from_queue
from sagequeue.api.transport import Transport
from sagequeue.errors import QueueError
from sagequeue.jobs.description import LOG_PERMISSIONS, TRAINING_JOBS

OK, WARNING, PROBLEM = "ok", "warning", "problem"
# No job can have this name, and no call accepts this body, so these checks change nothing.
_NO_JOB, _INVALID_BODY = "no.job", b"?"


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check. `status` is ok, warning (some commands fail) or problem (nothing works)."""

    name: str
    status: str
    message: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Permission:
    """A group of commands, and one of its calls, sent in a form that changes nothing."""

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
        for verb in ("cancel", "hold", "release", "requeue", "top", "approve")
    ),
    Permission("may update jobs", "POST", f"/jobs/{_NO_JOB}/update", _INVALID_BODY),
    Permission("may change many jobs", "POST", "/change-jobs", _INVALID_BODY),
    Permission("may change the budget", "PUT", "/budget", _INVALID_BODY),
    Permission("may see settings", "GET", "/config"),
    Permission("may plan settings", "POST", "/config/plan", _INVALID_BODY),
    Permission("may change settings", "PUT", "/config", _INVALID_BODY),
    Permission("may see findings", "GET", "/findings"),
    Permission("may read the history", "GET", "/history"),
)


@dataclass(frozen=True, slots=True)
class AwsPermission:
    """A permission in the documented user policy, and a call that needs it. AWS, not the queue, checks it."""

    name: str
    action: str
    service: Literal["sagemaker", "logs", "cloudwatch"]
    operation: str
    arguments: dict[str, Any]
    remedy: str


_LOG_REMEDY = f"To see logs, ask for {LOG_PERMISSIONS}."
AWS_PERMISSIONS = (
    AwsPermission(
        "may describe attempts",
        "sagemaker:DescribeTrainingJob",
        "sagemaker",
        "describe_training_job",
        {"TrainingJobName": "sagequeue-doctor-sq-1"},
        "Without it, the client describes ended jobs from the queue's record (docs/admin/iam.md).",
    ),
    AwsPermission(
        "may find logs",
        "logs:DescribeLogStreams",
        "logs",
        "describe_log_streams",
        {"logGroupName": TRAINING_JOBS, "limit": 1},
        _LOG_REMEDY,
    ),
    AwsPermission(
        "may read logs",
        "logs:GetLogEvents",
        "logs",
        "get_log_events",
        {"logGroupName": TRAINING_JOBS, "logStreamName": "sagequeue-doctor-sq-1/algo-1-1"},
        _LOG_REMEDY,
    ),
    AwsPermission(
        "may read metrics",
        "cloudwatch:GetMetricStatistics",
        "cloudwatch",
        "get_metric_statistics",
        {
            "Namespace": TRAINING_JOBS,
            "MetricName": "none",
            "StartTime": 0,
            "EndTime": 60,
            "Period": 60,
            "Statistics": ["Sum"],
        },
        "Without it, SDK v2's training_job_analytics fails.",
    ),
)


def permissions_of_queue(transport: Transport) -> Iterator[Check]:
    return (_of_queue(transport, permission) for permission in PERMISSIONS)


def permissions_of_aws(session: boto3.Session) -> Iterator[Check]:
    return (_of_aws(session, permission) for permission in AWS_PERMISSIONS)


def _of_queue(transport: Transport, permission: Permission) -> Check:
    path = permission.path.partition("?")[0].replace(_NO_JOB, "{name}")
    try:
        response = transport.send(permission.method, permission.path, permission.body, "Try again.")
    except QueueError as error:
        return Check(permission.name, WARNING, error.message, error.remedy)
    if response.status_code in {requests.codes.forbidden, requests.codes.unavailable} and is_from_queue(response):
        return Check(permission.name, WARNING, response.json()["message"], response.json()["remedy"])
    if response.status_code != requests.codes.forbidden:
        return Check(permission.name, OK, f"{permission.method} {path}")
    if "MissingAuthenticationToken" in response.headers.get("x-amzn-ErrorType", ""):
        remedy = "Update the stack, or install the client version that matches it."
        message = f"The stack is older than this client and has no {permission.method} {path}."
        return Check(permission.name, WARNING, message, remedy)
    remedy = f"If you need it, ask for execute-api:Invoke on {permission.method}{path.replace('{name}', '*')}."
    return Check(permission.name, WARNING, f"{permission.method} {path} is not allowed.", remedy)


def _of_aws(session: boto3.Session, permission: AwsPermission) -> Check:
    """Makes one AWS call for a name that does not exist. Warns only if a permission is missing or the call fails."""
    try:
        client = session.client(permission.service)
        getattr(client, permission.operation)(**permission.arguments)
    except ClientError as error:
        if is_denied(error.response):
            return Check(permission.name, WARNING, f"{permission.action} is not allowed.", permission.remedy)
    except BotoCoreError as error:
        return Check(permission.name, WARNING, str(error), permission.remedy)
    return Check(permission.name, OK, permission.action)
