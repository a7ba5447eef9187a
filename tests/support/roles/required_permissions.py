"""Lists the IAM actions and resources that a call needs (Service Authorization Reference)."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from scheduler.core.jobs.work.kind import FORMS, kind_of

Call = Mapping[str, Any]
_IN_TRANSACTION = {
    "Put": "PutItem",
    "Update": "UpdateItem",
    "Delete": "DeleteItem",
    "ConditionCheck": "ConditionCheckItem",
}
_EXPRESSIONS = (
    "KeyConditionExpression",
    "UpdateExpression",
    "ConditionExpression",
    "ProjectionExpression",
    "FilterExpression",
)
#: A path or a word of an expression; names of values begin with a colon.
_WORD = re.compile(r"(?<![\w:#.])#?[A-Za-z_][\w.#]*")
#: DynamoDB's words in expressions.
_NO_ATTRIBUTES = frozenset(
    {"SET", "REMOVE", "ADD", "DELETE", "AND", "OR", "NOT", "IN", "BETWEEN", "size", "contains", "begins_with"}
    | {"attribute_exists", "attribute_not_exists", "attribute_type", "if_not_exists", "list_append"}
)


class Need(NamedTuple):
    """A required permission. It is a tuple, because each call in a simulation creates one and looks it up."""

    action: str
    resource: str
    context: tuple[tuple[str, str], ...] = ()  # keys and values for conditions of policies


class StackLocation(NamedTuple):
    """A stack's partition, region and account."""

    region: str = "us-east-1"
    account: str = "000000000000"

    def arn(self, service: str, resource: str) -> str:
        return f"arn:aws:{service}:{self.region}:{self.account}:{resource}"

    def needs_of(self, service: str, operation: str, call: Call) -> list[Need]:
        return _OF_SERVICE[service](self, operation, call)


def _of_dynamodb(location: StackLocation, operation: str, call: Call) -> list[Need]:
    if operation == "TransactWriteItems":
        actions = [next(iter(action.items())) for action in call["TransactItems"]]
        return [_on_table(location, _IN_TRANSACTION[kind], action) for kind, action in actions]
    if operation == "BatchGetItem":
        return [_on_table(location, operation, {"TableName": name}) for name in call["RequestItems"]]
    return [_on_table(location, operation, call)]


def _on_table(location: StackLocation, action: str, call: Call) -> Need:
    resource = _table(location, call["TableName"], call.get("IndexName"))
    key = _partition_of(call)
    keys = (("dynamodb:LeadingKeys", key),) if key else ()
    returned = (("dynamodb:ReturnValues", call["ReturnValues"]),) if "ReturnValues" in call else ()
    return Need(f"dynamodb:{action}", resource, (*keys, *returned, *_attributes_of(call)))


def _attributes_of(call: Call) -> tuple[tuple[str, str], ...]:
    """Returns the attributes in the call: those of its item or key, and those that its expressions name.

    A call without a projection reads all attributes, but then, the condition's key has only the attributes that the
    call names.
    """
    names = tuple(call.get("ExpressionAttributeNames", {}).items())
    named = (_top_level_attributes(str(call[one]), names) for one in _EXPRESSIONS if one in call)
    return _as_context(frozenset({*(call.get("Item") or call.get("Key") or ())}).union(*named))


@cache
def _as_context(attributes: frozenset[str]) -> tuple[tuple[str, str], ...]:
    return tuple(("dynamodb:Attributes", name) for name in sorted(attributes))


@cache
def _top_level_attributes(expression: str, names: tuple[tuple[str, str], ...]) -> frozenset[str]:
    """Returns the attributes in an expression, as in `SET #name = :name` or `observation.modified_at < :at`."""
    paths = (word.partition(".")[0] for word in _WORD.findall(expression) if word not in _NO_ATTRIBUTES)
    return frozenset(dict(names).get(path, path) for path in paths)


def _partition_of(call: Call) -> str | None:
    """Returns the partition key of the record, or of the query."""
    if condition := call.get("KeyConditionExpression"):
        name = condition.split()[2]  # as in `pk = :pk AND sk < :before`
        return str(call["ExpressionAttributeValues"][name]["S"])
    record = call.get("Item") or call.get("Key")
    return str(record["pk"]["S"]) if record else None


@cache
def _table(location: StackLocation, name: str, index: str | None) -> str:
    return location.arn("dynamodb", f"table/{name}/index/{index}" if index else f"table/{name}")


def _of_s3(_location: StackLocation, operation: str, call: Call) -> list[Need]:
    return [Need(f"s3:{operation}", f"arn:aws:s3:::{call['Bucket']}/{call['Key']}")]


def _of_sagemaker(location: StackLocation, operation: str, call: Call) -> list[Need]:
    if operation in {"ListTrainingJobs", "ListProcessingJobs"}:
        return [Need(f"sagemaker:{operation}", "*")]
    if operation.startswith("SendPipelineExecutionStep"):  # the call names the step only by its token
        return [Need(f"sagemaker:{operation}", location.arn("sagemaker", "pipeline/any/execution/any"))]
    arn = call.get("ResourceArn") or location.arn("sagemaker", _resource(call))
    needs = [Need(f"sagemaker:{operation}", arn)]
    if operation.startswith("Create"):
        role = call.get("TrainingJobDefinition", call)["RoleArn"]
        needs.append(Need("iam:PassRole", role, (("iam:PassedToService", "sagemaker.amazonaws.com"),)))
        needs.append(Need("sagemaker:AddTags", arn, (("sagemaker:TaggingAction", operation),)))
        if plan := call.get("ResourceConfig", {}).get("TrainingPlanArn"):
            needs.append(Need("sagemaker:CreateTrainingJob", plan))
    return needs


def _resource(call: Call) -> str:
    if "AutoMLJobName" in call:
        return f"automl-job/{call['AutoMLJobName']}"
    form = FORMS[kind_of(call)]
    return f"{form.resource}/{call[form.name_member]}"


def _of_cloudwatch(location: StackLocation, operation: str, call: Call) -> list[Need]:
    names = call.get("AlarmNames") or [call["AlarmName"]] if operation in {"PutMetricAlarm", "DeleteAlarms"} else []
    resources = [location.arn("cloudwatch", f"alarm:{name}") for name in names] or ["*"]
    actions = tuple(("cloudwatch:AlarmActions", action) for action in call.get("AlarmActions", ()))
    return [Need(f"cloudwatch:{operation}", resource, actions) for resource in resources]


def _of_sns(_location: StackLocation, operation: str, call: Call) -> list[Need]:
    context = (("sns:Protocol", call["Protocol"]),) if "Protocol" in call else ()
    return [Need(f"sns:{operation}", call["TopicArn"], context)]


def _of_events(location: StackLocation, operation: str, call: Call) -> list[Need]:
    return [
        Need(f"events:{operation}", location.arn("events", f"event-bus/{bus}"))
        for bus in {entry["EventBusName"] for entry in call["Entries"]}
    ]


def _of_stepfunctions(_location: StackLocation, operation: str, _call: Call) -> list[Need]:
    return [Need(f"states:{operation}", "*")]


def _of_sqs(location: StackLocation, operation: str, call: Call) -> list[Need]:
    return [Need(f"sqs:{operation}", location.arn("sqs", call["QueueUrl"]))]


def _of_secretsmanager(_location: StackLocation, operation: str, call: Call) -> list[Need]:
    return [Need(f"secretsmanager:{operation}", call["SecretId"])]


def _of_logs(location: StackLocation, operation: str, call: Call) -> list[Need]:
    stream = f":log-stream:{call['logStreamName']}" if "logStreamName" in call else ""
    return [Need(f"logs:{operation}", location.arn("logs", f"log-group:{call['logGroupName']}{stream}"))]


_OF_SERVICE: Mapping[str, Callable[[StackLocation, str, Call], list[Need]]] = {
    "cloudwatch": _of_cloudwatch,
    "dynamodb": _of_dynamodb,
    "events": _of_events,
    "logs": _of_logs,
    "s3": _of_s3,
    "sagemaker": _of_sagemaker,
    "secretsmanager": _of_secretsmanager,
    "sns": _of_sns,
    "sqs": _of_sqs,
    "stepfunctions": _of_stepfunctions,
}
