"""The reach of each function if it were taken over, by the permissions of template.yaml."""

from collections.abc import Iterator
from dataclasses import dataclass

from scheduler.adapters.dynamodb.callbacks import CALLBACKS
from scheduler.adapters.dynamodb.changes import CHANGES
from scheduler.adapters.dynamodb.records.items import CONFIG, controls_key, ledger_key, request_key
from scheduler.adapters.dynamodb.records.job_records import LIVE_PARTITION, job_key
from scheduler.core.requests.attempt_request import ATTEMPT_TAG
from support.roles.checked_client import RESOURCE_TAG
from support.roles.granted_permissions import Roles
from support.roles.required_permissions import Need, StackLocation
from support.stack.environment import roles

FUNCTIONS = ("api", "callbacks", "configuration", "history", "idle_alarm", "schedule", "training_events", "webhooks")
#: Parameters with which the template grants more than by default.
_MORE = {
    "BudgetScope": "account",
    "Callbacks": "on",
    "GuardUnmanagedJobs": "stop",
    "WebhookHosts": "hooks.example.org",
}
_AT = StackLocation()
_TABLE, _BODY = _AT.arn("dynamodb", "table/Queue"), "arn:aws:s3:::Bodies/requests/resnet"
_FROM_THE_STREAM = Need("dynamodb:GetRecords", f"{_TABLE}/stream/2026-11-23T00:00:00.000")
_OURS, _OTHER = (_AT.arn("sagemaker", f"training-job/{name}") for name in ("resnet-sq-1", "resnet"))
_TO_SAGEMAKER = (("iam:PassedToService", "sagemaker.amazonaws.com"),)
_TAGGED = ((f"{RESOURCE_TAG}/{ATTEMPT_TAG}", "1-0123456789abcdef"),)
_READS = ("GetItem", "BatchGetItem", "Query", "Scan", "PartiQLSelect")
_WRITES = ("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "PartiQLInsert", "PartiQLUpdate", "PartiQLDelete")


@dataclass(frozen=True, slots=True)
class Reach:
    """Something that a function can do if it has all permissions of one of these ways."""

    name: str
    ways: tuple[tuple[Need, ...], ...]

    def functions(self, granted: Roles) -> Iterator[str]:
        for function in FUNCTIONS:
            if any(all(granted.grant_for(function, need) for need in way) for way in self.ways):
                yield function


def _one_of(*needs: Need) -> tuple[tuple[Need, ...], ...]:
    return tuple((need,) for need in needs)


def _item(actions: tuple[str, ...], pk: str, *attributes: str) -> tuple[Need, ...]:
    """Lists the calls that reach these attributes of an item of the partition."""
    context = (("dynamodb:LeadingKeys", pk), *(("dynamodb:Attributes", name) for name in ("pk", "sk", *attributes)))
    return tuple(Need(f"dynamodb:{action}", _TABLE, context) for action in actions)


_JOB, _REQUEST = job_key("resnet")["pk"]["S"], request_key("resnet")["pk"]["S"]
REACHES = (
    Reach(
        "start a training job with an execution role",
        (
            (
                Need("sagemaker:CreateTrainingJob", _OURS),
                Need("iam:PassRole", f"arn:aws:iam::{_AT.account}:role/SageMakerRole", _TO_SAGEMAKER),
            ),
        ),
    ),
    Reach(
        "set the requests that start as training jobs",
        _one_of(*_item(_WRITES, _REQUEST, "body"), Need("s3:PutObject", _BODY), Need("s3:DeleteObject", _BODY)),
    ),
    Reach(
        "read requests, with hyperparameters",
        _one_of(*_item(_READS, _REQUEST, "body"), Need("s3:GetObject", _BODY), _FROM_THE_STREAM),
    ),
    # The stream has the new image of every item, and IAM has no condition on its records.
    Reach("read each record as it is written: requests, secrets of jobs, configuration", _one_of(_FROM_THE_STREAM)),
    Reach("change a job's owner, demand or priority", _one_of(*_item(_WRITES, _JOB, "owner"))),
    Reach("request a job's stop", _one_of(*_item(_WRITES, _JOB, "stop"))),
    Reach("change the state of a job", _one_of(*_item(_WRITES, _JOB, "state"))),
    # UpdateItem creates an item that is missing: under a new job's name, or under that of its first attempt.
    Reach(
        "keep a new job from being submitted or started",
        _one_of(*_item(_WRITES, _JOB, "changed_by"), *_item(_WRITES, LIVE_PARTITION, "changed_by")),
    ),
    Reach("change how much of the budget attempts hold", _one_of(*_item(_WRITES, LIVE_PARTITION, "demand"))),
    Reach("report the status of attempts", _one_of(*_item(_WRITES, LIVE_PARTITION, "observation"))),
    Reach("change the configuration", _one_of(*_item(_WRITES, CONFIG, "sections"))),
    Reach("change the budget or close the intake", _one_of(*_item(_WRITES, controls_key()["pk"]["S"], "budget"))),
    Reach("take the lease", _one_of(*_item(_WRITES, ledger_key()["pk"]["S"], "fence"))),
    Reach("add to the history", _one_of(*_item(_WRITES, CHANGES, "change"))),
    Reach("read callback tokens", _one_of(*_item(_READS, CALLBACKS, "address"), _FROM_THE_STREAM)),
    Reach("report a job's end to any state machine", _one_of(Need("states:SendTaskSuccess", "*"))),
    Reach("stop the queue's training jobs", _one_of(Need("sagemaker:StopTrainingJob", _OURS, _TAGGED))),
    Reach("stop other training jobs", _one_of(Need("sagemaker:StopTrainingJob", _OTHER))),
    Reach("describe other training jobs", _one_of(Need("sagemaker:DescribeTrainingJob", _OTHER))),
)


def table() -> str:
    rows = (f"| {reach.name} | {', '.join(_shown(reach)) or 'none'} |" for reach in REACHES)
    return "\n".join(["| a function that is taken over could | functions |", "|---|---|", *rows, ""])


def reached(**parameters: str) -> dict[str, set[str]]:
    return {reach.name: set(reach.functions(roles(**parameters))) for reach in REACHES}


def _shown(reach: Reach) -> Iterator[str]:
    always = [*reach.functions(roles())]
    for function in FUNCTIONS:
        wider = [
            f"`{name}={value}`"
            for name, value in _MORE.items()
            if function in {*reach.functions(roles(**{name: value}))}
        ]
        if function in always:
            yield function
        elif wider:
            yield f"{function} with {' or '.join(wider)}"
