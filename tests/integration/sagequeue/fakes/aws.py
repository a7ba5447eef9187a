"""A fake of SageMaker, CloudWatch and SSM with two attempts of one job, as far as the client and the SDKs use them."""

from collections.abc import Mapping, Sequence
from typing import Any

from integration.sagequeue.fakes.http import Call
from unit.sagequeue.builders.jobs import ARN, a_request

#: A configuration of SDK v2.
NO_TELEMETRY = {"SchemaVersion": "1.0", "SageMaker": {"PythonSDK": {"Modules": {"TelemetryOptOut": True}}}}
LOSS = {"Name": "loss", "Regex": "loss=(.*)"}
STREAMS = {
    "resnet-sq-1/algo-1-1763719200": ["attempt 1: epoch 1", "attempt 1: epoch 2"],
    "resnet-sq-2/algo-1-1763719260": ["attempt 2: resumed", "attempt 2: epoch 3"],
    "resnet-sq-x/algo-1-1763719260": ["foreign"],
}
# What is made beside training jobs, and what its answer is called.
CREATED = {
    "CreateModel": "ModelArn",
    "CreateEndpointConfig": "EndpointConfigArn",
    "CreateEndpoint": "EndpointArn",
    "CreateProcessingJob": "ProcessingJobArn",
    "CreateTransformJob": "TransformJobArn",
}

Answer = tuple[int, Any]


class FakeAws:
    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.regions: set[str] = set()  # for which calls were signed
        self.has_log_group = True
        self.may_list_logs = True
        self.may_read_logs = True
        self.may_describe = True
        self.datapoints: list[dict[str, Any]] = []
        self.metrics: dict[tuple[str, str], list[float]] = {}  # by name and dimension, one for each period
        self.trials: dict[str, list[dict[str, Any]]] = {}  # summaries by tuning job

    def answer(self, call: Call) -> Answer:
        operation = call.headers["X-Amz-Target"].partition(".")[2]
        self.calls.append((operation, call.body))
        self.regions.add(call.headers["Authorization"].split("/")[2])
        match operation:
            case "DescribeTrainingJob" if not self.may_describe:
                return _denied("sagemaker", operation)
            case "DescribeTrainingJob" if call.body["TrainingJobName"] == "resnet-sq-2":
                return 200, _completed("resnet-sq-2")
            case operation if operation in CREATED:
                return 200, {CREATED[operation]: ARN + "new"}
            case "UpdateTrainingJob":
                return 200, {"TrainingJobArn": ARN + call.body["TrainingJobName"]}
            case "ListTags":
                return 200, {"Tags": [{"Key": "from", "Value": "SageMaker"}]}
            case "DescribeLogStreams" if not self.may_list_logs:
                return _denied("logs", operation)
            case "GetLogEvents" if not self.may_read_logs:
                return _denied("logs", operation)
            case "DescribeLogStreams" if not self.has_log_group:
                return 400, {
                    "__type": "ResourceNotFoundException",
                    "message": "The specified log group does not exist.",
                }
            case "DescribeLogStreams":
                return 200, _streams(**call.body)
            case "ListTrainingJobsForHyperParameterTuningJob" if not self.may_describe:
                return _denied("sagemaker", operation)
            case "ListTrainingJobsForHyperParameterTuningJob":
                return listed_trials(call.body, self.trials)
            case "GetMetricStatistics":
                return 200, {"Datapoints": self.datapoints}
            case "GetMetricData":
                return 200, metric_data(call.body, self.metrics)
            case "ListTagsForResource":
                return 200, {"TagList": _ssh_tags(call.body["ResourceId"])}
            case "GetLogEvents":
                return 200, _events(call.body)
        return 400, {"__type": "ValidationException", "message": "Requested resource not found."}

    def asked(self, wanted: str) -> dict[str, Any]:
        """The body of the last call of that operation."""
        return next(body for operation, body in reversed(self.calls) if operation == wanted)

    @property
    def operations(self) -> list[str]:
        return [operation for operation, _ in self.calls]


def metric_data(wanted: Any, metrics: Mapping[tuple[str, str], Sequence[float]]) -> Any:
    """Returns CloudWatch's answer about metrics that have a value in each period from the beginning on.

    It computes no expressions.
    """
    results = []
    for query in (query for query in wanted["MetricDataQueries"] if "MetricStat" in query):
        metric, period = query["MetricStat"]["Metric"], query["MetricStat"]["Period"]
        values = metrics.get((metric["MetricName"], metric["Dimensions"][0]["Value"]), ())
        times = [wanted["StartTime"] + number * period for number in range(len(values))]
        results.append({"Id": query["Id"], "Label": "", "Timestamps": times, "Values": [*values]})
    return {"MetricDataResults": results}


def listed_trials(wanted: Any, trials: Mapping[str, Sequence[dict[str, Any]]]) -> Answer:
    """Returns all trials of a tuning job on one page."""
    found = trials.get(wanted["HyperParameterTuningJobName"])
    if found is None:
        return 400, {"__type": "ResourceNotFound", "message": "Amazon SageMaker can't find a tuning job."}
    return 200, {"TrainingJobSummaries": [*found]}


def a_trial(name: str, status: str = "Completed", value: float | None = None, **chosen: str) -> dict[str, Any]:
    """Returns SageMaker's summary of a trial whose number is at the end of its name."""
    number = int(name.rpartition("-")[2])
    final = {"MetricName": "accuracy", "Value": value}
    return {
        "TrainingJobName": name,
        "TrainingJobArn": ARN + name,
        "CreationTime": 1763719200.0 + number,
        "TrainingJobStatus": status,
        "TunedHyperParameters": chosen,
        **({"TrainingEndTime": 1763719260.0 + 60 * number} if status != "InProgress" else {}),
        **({} if value is None else {"FinalHyperParameterTuningJobObjectiveMetric": final}),
    }


def _denied(service: str, operation: str) -> Answer:
    return 400, {"__type": "AccessDeniedException", "message": f"not authorized to perform {service}:{operation}"}


def _completed(name: str) -> dict[str, Any]:
    steps = ("Starting", "Downloading", "Training", "Uploading", "Completed")
    return {
        **a_request(),
        "AlgorithmSpecification": {**a_request()["AlgorithmSpecification"], "MetricDefinitions": [LOSS]},
        "TrainingJobName": name,
        "TrainingJobArn": ARN + name,
        "ModelArtifacts": {"S3ModelArtifacts": f"s3://bucket/out/{name}/output/model.tar.gz"},
        "TrainingJobStatus": "Completed",
        "SecondaryStatus": "Completed",
        "SecondaryStatusTransitions": [
            {"Status": step, "StartTime": 1763719260.0, "StatusMessage": f"{step} says SageMaker"} for step in steps
        ],
        "CreationTime": 1763719260.0,
        "TrainingStartTime": 1763719270.0,
        "LastModifiedTime": 1763719290.0,
        "TrainingTimeInSeconds": 30,
        "BillableTimeInSeconds": 30,
        "HyperParameters": {},
        "OutputDataConfig": {"S3OutputPath": "s3://bucket/out", "KmsKeyId": ""},
    }


def _ssh_tags(attempt: str) -> list[dict[str, str]]:
    """Returns the tags that sagemaker-ssh-helper's container writes to its instance; here it has its attempt's name."""
    arn = f"{ARN}{attempt}"
    return [{"Key": "SSHResourceName", "Value": attempt}, {"Key": "SSHResourceArn", "Value": arn}]


def _streams(logStreamNamePrefix: str, limit: int = 50, nextToken: str = "0", **_: object) -> dict[str, Any]:  # noqa: N803  # CloudWatch's names
    found = sorted(name for name in STREAMS if name.startswith(logStreamNamePrefix))
    end = int(nextToken) + limit
    more = {"nextToken": str(end)} if len(found) > end else {}
    return {"logStreams": [{"logStreamName": name} for name in found[int(nextToken) : end]], **more}


def _events(body: dict[str, Any]) -> dict[str, Any]:
    lines = [] if body.get("nextToken") else STREAMS[body["logStreamName"]]
    events = [{"timestamp": number, "message": line} for number, line in enumerate(lines, start=1)]
    return {
        "events": [event for event in events if event["timestamp"] >= body.get("startTime", 0)],
        "nextForwardToken": "end",
        "nextBackwardToken": "start",
    }
