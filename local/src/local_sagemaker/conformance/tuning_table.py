"""The conformance table of tuning jobs: SageMaker's answer to each call in each state.

The columns are those of `table`. The script does not replay these rows, because each needs several training jobs.
"""

from typing import Any

from local_sagemaker.conformance.requests import TUNING, a_tuning_request
from local_sagemaker.conformance.table import Row

TUNING_ARN = f"arn:aws:sagemaker:us-east-1:000000000000:hyper-parameter-tuning-job/{TUNING}"
_NAME = {"HyperParameterTuningJobName": TUNING}
_UNKNOWN = ("ResourceNotFound", f"Amazon SageMaker can't find a tuning job called {TUNING}. Type another name.")
_TAKEN = (
    "ResourceInUse",
    f"A hyperparameter tuning job with the name, {TUNING}, already exists. Choose a different name.",
)
_TAG = {"ResourceArn": TUNING_ARN, "Tags": [{"Key": "team", "Value": "blue"}]}


def _row(fact: str, source: str, state: str, call: str, answer: Any, parameters: dict[str, Any] | None = None) -> Row:
    request = a_tuning_request(config={"ResourceLimits": _limits(8)})
    return Row(fact, source, state, call, answer, _NAME if parameters is None else parameters, request)


def _limits(count: int) -> dict[str, int]:
    return {"MaxNumberOfTrainingJobs": count, "MaxParallelTrainingJobs": 2}


def _in_status(status: str) -> tuple[str, str]:
    text = f"The request was rejected because the hyperparameter tuning job is in status {status}."
    return "ValidationException", text


def _counted(**counters: int) -> dict[str, dict[str, int]]:
    names = ("Completed", "InProgress", "RetryableError", "NonRetryableError", "Stopped")
    return {"TrainingJobStatusCounters": dict.fromkeys(names, 0) | counters}


def _shown(status: str, **counters: int) -> dict[str, Any]:
    return {"HyperParameterTuningJobStatus": status} | _counted(**counters)


_CREATED = {"HyperParameterTuningJobArn": TUNING_ARN}
TUNING_TABLE = [
    _row("7.2", "B", "unknown", "create_hyper_parameter_tuning_job", _CREATED, a_tuning_request()),
    _row("7.2", "C", "training", "create_hyper_parameter_tuning_job", _TAKEN, a_tuning_request()),
    _row("7.2", "C", "completed", "create_hyper_parameter_tuning_job", _TAKEN, a_tuning_request()),
    _row("7.1", "C", "unknown", "describe_hyper_parameter_tuning_job", _UNKNOWN),
    _row("7.5", "B", "training", "describe_hyper_parameter_tuning_job", _shown("InProgress", InProgress=2)),
    _row("7.5", "B", "stopping", "describe_hyper_parameter_tuning_job", _shown("Stopping", InProgress=1, Stopped=1)),
    _row("7.5", "B", "stopped", "describe_hyper_parameter_tuning_job", _shown("Stopped", Stopped=2)),
    _row("7.5", "B", "completed", "describe_hyper_parameter_tuning_job", _shown("Completed", Completed=8)),
    _row(
        "7.11", "C", "failed", "describe_hyper_parameter_tuning_job", _shown("Failed", NonRetryableError=5, Stopped=1)
    ),
    _row("7.1", "U", "unknown", "stop_hyper_parameter_tuning_job", _UNKNOWN),
    _row("7.5", "B", "training", "stop_hyper_parameter_tuning_job", {}),
    _row("7.5", "U", "stopping", "stop_hyper_parameter_tuning_job", {}),
    _row("7.5", "U", "stopped", "stop_hyper_parameter_tuning_job", _in_status("Stopped")),
    _row("7.5", "U", "completed", "stop_hyper_parameter_tuning_job", _in_status("Completed")),
    _row("7.5", "U", "failed", "stop_hyper_parameter_tuning_job", _in_status("Failed")),
    _row("7.1", "U", "unknown", "list_training_jobs_for_hyper_parameter_tuning_job", _UNKNOWN),
    _row("7.1", "U", "unknown", "delete_hyper_parameter_tuning_job", _UNKNOWN),
    _row("7.5", "U", "training", "delete_hyper_parameter_tuning_job", _in_status("InProgress")),
    _row("7.5", "U", "completed", "delete_hyper_parameter_tuning_job", {}),
    _row("7.2", "B", "unknown", "list_hyper_parameter_tuning_jobs", {"HyperParameterTuningJobSummaries": []}, {}),
    _row("7.2", "B", "training", "add_tags", {"Tags": _TAG["Tags"]}, _TAG),
    _row("7.2", "B", "training", "list_tags", {"Tags": []}, {"ResourceArn": TUNING_ARN}),
]
