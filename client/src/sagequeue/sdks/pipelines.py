"""A step of SageMaker Pipelines that trains through the queue, for SDK v2 and v3 (docs/use/pipelines.md).

The step is a callback step. Its message goes to the SQS queue in `stacks/pipelines.yaml`, and the function in that
stack submits the job.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

try:  # SDK v2; v3 has no such module
    from sagemaker.workflow.callback_step import CallbackOutput, CallbackOutputTypeEnum, CallbackStep
except ImportError:
    from sagemaker.mlops.workflow.callback_step import CallbackOutput, CallbackOutputTypeEnum, CallbackStep

#: The outputs of every step, in the order in which the queue reports them before the metrics.
_TEXTS = ("job", "training_job", "model_artifacts")
#: SageMaker's limit on the outputs of a step.
_MOST_OUTPUTS = 50


class QueuedTrainingStep(CallbackStep):  # type: ignore[misc]  # the SDK ships no types
    """Trains through the queue, and makes the model and the metrics available to later steps. The request is a
    CreateTrainingJob request. Its values may be pipeline parameters and properties of earlier steps. Its
    TrainingJobName is the beginning of the job's name, since each execution has its own job.
    """

    def __init__(
        self,
        name: str,
        *,
        request: Mapping[str, Any],
        sqs_queue_url: str,
        metrics: Sequence[str] = (),
        job_options: Mapping[str, Any] | None = None,
        **step: Any,
    ) -> None:
        """`metrics` are names in the request's MetricDefinitions. `step` has the options of a callback step."""
        if len(_TEXTS) + len(metrics) > _MOST_OUTPUTS:
            raise ValueError(f"A step has at most {_MOST_OUTPUTS - len(_TEXTS)} metrics, not {len(metrics)}.")
        if not request.get("TrainingJobName"):
            raise ValueError(
                "The request has no TrainingJobName. Add the beginning of the job's name, such as nightly."
            )
        submission = {"request": request, "options": job_options or {}}
        outputs = [CallbackOutput(text, CallbackOutputTypeEnum.String) for text in _TEXTS]
        outputs += [CallbackOutput(metric, CallbackOutputTypeEnum.Float) for metric in metrics]
        super().__init__(name, sqs_queue_url, _inputs(submission), outputs, **step)

    @property
    def model_artifacts(self) -> Any:
        """The S3 URI of the model, for later steps."""
        return self.properties.Outputs["model_artifacts"]

    def metric(self, name: str) -> Any:
        """Returns the last value of a metric, for later steps. Raises KeyError unless the step declares the metric."""
        return self.properties.Outputs[name]


def _inputs(submission: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the inputs of the step: the submission as text, and each value that the pipeline knows only when it runs.

    `paths` lists the places of these values in the submission. SageMaker might not resolve a value that is nested in an
    input.
    """
    later = list(_later_values(submission, ()))
    values = {f"value_{number}": value for number, (_, value) in enumerate(later)}
    known = json.dumps(submission, default=lambda _later: None)
    return {"submission": known, "paths": json.dumps([path for path, _ in later]), **values}


def _later_values(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if hasattr(value, "expr"):  # a variable of a pipeline, in either SDK
        yield path, value
    elif isinstance(value, Mapping):
        for name, member in value.items():
            yield from _later_values(member, (*path, name))
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for index, member in enumerate(value):
            yield from _later_values(member, (*path, index))
