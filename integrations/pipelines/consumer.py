"""The Lambda function of `stacks/pipelines.yaml`: submits a callback step's job, and cancels it if the pipeline stops.
The queue reports the job's end to the step's token.

A message that is delivered twice submits only one job, because the job's name and client token are derived from a
digest of the step's secret token. A request that the queue refuses fails the step at once.
"""

import json
import os
from hashlib import sha256
from typing import Any

import boto3
import urllib3
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.exceptions import ClientError

#: SageMaker's limit on the reason of a failure.
_LONGEST_REASON = 256
#: SageMaker's limit on the name of a training job, and the length of the digest in it.
_LONGEST_NAME, _DIGEST_LENGTH = 63, 10
#: Answers after which a repeat can succeed, besides a conflict with another write.
_BUSY = frozenset({429, 500, 502, 503, 504})
#: Error codes of a report for a step that has ended.
_ENDED = frozenset({"ResourceNotFound", "ValidationException"})
#: Members of a request whose values are texts. Pipelines send numbers and booleans as such.
_TEXTS = frozenset({"HyperParameters", "Environment"})
#: Deliveries of a message before the step fails; the stack's maxReceiveCount is higher.
_MOST_DELIVERIES = 5


class Unavailable(Exception):
    """The queue could not take the job now. SQS delivers the message again."""


class Malformed(Exception):
    """The message has no submission as `QueuedTrainingStep` writes it. A repeat would not help."""


def handle(event: dict[str, Any], context: object) -> None:  # noqa: ARG001 - Lambda passes it
    for record in event["Records"]:  # one, as the stack sets it
        message, deliveries = json.loads(record["body"]), int(record["attributes"]["ApproximateReceiveCount"])
        try:
            _answer(message, deliveries)
        except Malformed as error:
            _fail(message["token"], f"The message of the step is malformed: {error}")


def _answer(message: dict[str, Any], deliveries: int) -> None:
    match message.get("status") or message["Status"]:  # AWS documents both spellings
        case "Executing":
            _submit(message, deliveries)
        case "Stopping":
            _cancel(message, deliveries)


def _submit(message: dict[str, Any], deliveries: int) -> None:
    status, text = _call("/jobs", submission_of(message))
    if _is_busy(status, text) and deliveries < _MOST_DELIVERIES:
        raise Unavailable(f"the queue answered {status}")
    if status not in {200, 201}:
        _fail(message["token"], f"The queue did not take the job ({status}): {text}")


def _cancel(message: dict[str, Any], deliveries: int) -> None:
    """Cancels the job, so that the queue reports its end. SageMaker stops a pipeline only after the step's report."""
    name = submission_of(message)["request"]["TrainingJobName"]
    status, text = _call(f"/jobs/{name}/cancel", {})
    is_early = status == 404  # SQS may deliver the message that submits the job later
    if (is_early or _is_busy(status, text)) and deliveries < _MOST_DELIVERIES:
        raise Unavailable(f"the queue answered {status}")
    if status != 202:
        _fail(message["token"], f"The pipeline was stopped, and the queue did not cancel the job ({status}): {text}")


def _fail(token: str, reason: str) -> None:
    try:
        boto3.client("sagemaker").send_pipeline_execution_step_failure(
            CallbackToken=token, FailureReason=reason[:_LONGEST_REASON], ClientRequestToken=_digest(token)
        )
    except ClientError as error:
        if error.response["Error"]["Code"] not in _ENDED:
            raise


def _is_busy(status: int, text: str) -> bool:
    is_conflict = status == 409 and json.loads(text).get("error") == "busy"
    return is_conflict or status in _BUSY


def submission_of(message: dict[str, Any]) -> dict[str, Any]:
    """Returns the body of the call, with the values that the pipeline has resolved. Raises Malformed."""
    digest = _digest(message["token"])
    try:
        submission = _resolved(message["arguments"])
        request = submission["request"]
        begin = request["TrainingJobName"][: _LONGEST_NAME - _DIGEST_LENGTH - 1].rstrip("-")
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise Malformed(f"{type(error).__name__}: {error}") from error
    request["TrainingJobName"] = f"{begin}-{digest[:_DIGEST_LENGTH]}"
    return {**submission, "client_token": digest, "on_end": {"pipeline_token": message["token"]}}


def _resolved(inputs: dict[str, Any]) -> dict[str, Any]:
    submission: dict[str, Any] = json.loads(inputs["submission"])
    for number, path in enumerate(json.loads(inputs["paths"])):
        *parents, last = path
        place: Any = submission
        for name in parents:
            place = place[name]
        value = inputs[f"value_{number}"]
        becomes_text = parents[-1] in _TEXTS and not isinstance(value, str)
        place[last] = json.dumps(value) if becomes_text else value
    return submission


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()[:36]


def _call(path: str, body: dict[str, Any]) -> tuple[int, str]:
    url, text = os.environ["SAGEQUEUE_API_URL"] + path, json.dumps(body)
    session = boto3.Session()
    credentials = session.get_credentials()
    if credentials is None:
        raise RuntimeError("there are no credentials; Lambda sets those of the function's role")
    call = AWSRequest("POST", url, headers={"Content-Type": "application/json"}, data=text)
    SigV4Auth(credentials, "execute-api", session.region_name).add_auth(call)
    try:
        answer = urllib3.request("POST", url, body=text, headers=dict(call.headers), timeout=10, retries=False)
    except urllib3.exceptions.HTTPError as error:
        return 503, type(error).__name__
    return answer.status, answer.data.decode()
