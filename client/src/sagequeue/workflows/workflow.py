"""Submits the jobs and arrays in a workflow in the order of their dependencies: either all of them, or none."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import product
from typing import Any, cast

from sagequeue.api.client import QueueClient
from sagequeue.api.job_calls import named
from sagequeue.contract.arrays import Array, Parameters, SubmittedArray
from sagequeue.contract.jobs import Job, JobOptions, TrainingRequest
from sagequeue.documents.placeholders import INDEX, filled, with_models
from sagequeue.errors import AlreadyFinished, NameTaken, QueueError, QueueRefusal

#: The option that the queue refuses for a job without dependencies.
_NEEDS_DEPENDENCIES = "if_never_satisfied"
#: Stands for the model of a job that does not exist yet.
_EXAMPLE = "s3://bucket/model.tar.gz"


@dataclass(frozen=True, slots=True)
class Step:
    """A job or an array in a workflow. Its options list the jobs that it waits for, by their names in the queue."""

    name: str  # in the queue
    request: TrainingRequest
    options: Mapping[str, Any] = field(default_factory=dict)
    dependencies: Mapping[str, Sequence[str]] = field(default_factory=dict)
    array: Parameters | None = None
    at_most: int | None = None
    most_failures: int | None = None

    @property
    def token(self) -> str:
        """Returns the client token of exactly this step, so that it is submitted only once."""
        text = json.dumps(asdict(self), sort_keys=True)
        return f"workflow-{hashlib.sha256(text.encode()).hexdigest()[:32]}"

    def check(self, queue: QueueClient) -> None:
        """Raises the refusal that a submission would get, except for its dependencies, which do not exist yet."""
        request = named(self.request, self.name)
        if self.array is not None:
            request = named(filled(self.request, next(sets_of(self.array))), f"{self.name}-0")
        alone = {name: value for name, value in self.options.items() if name != _NEEDS_DEPENDENCIES}
        request, options = (with_models(given, lambda _: _EXAMPLE) for given in (request, alone))
        with suppress(NameTaken):  # this step itself may have the name; its submission will show
            queue.what_if(request, cast(JobOptions, options) or None)

    def submit(self, queue: QueueClient) -> Job | SubmittedArray:
        request = named(self.request, self.name)
        options = cast(JobOptions, {**self.options, **self.dependencies}) or None
        if self.array is None:
            return queue.submit(request, options, self.token)
        limits = {"at_most": self.at_most, "most_failures": self.most_failures}
        return queue.submit_array(request, self.array, options, **limits, client_token=self.token)

    def cancel(self, queue: QueueClient) -> Job | Array:
        return queue.cancel(self.name) if self.array is None else queue.cancel_array(self.name)


@dataclass(frozen=True, slots=True)
class Workflow:
    """The content of a valid file. Each step comes after the steps that it waits for."""

    steps: tuple[Step, ...]

    def submit(self, queue: QueueClient) -> list[Job | SubmittedArray]:
        """Submits all steps. If the queue refuses a step, cancels the steps that this call has submitted.

        A repeated call returns the steps that were submitted before.
        """
        submitted: list[Job | SubmittedArray] = []
        for step in self.steps:
            try:
                submitted.append(step.submit(queue))
            except QueueRefusal as refusal:
                refusal.remedy = f"{refusal.remedy} {self._cancelled(queue, submitted)}".strip()
                raise
        return submitted

    def _cancelled(self, queue: QueueClient, submitted: Sequence[Job | SubmittedArray]) -> str:
        """Cancels the new steps, last one first.

        Returns the steps that it cancelled, and those that it could not cancel.
        """
        new = [step for step, answer in zip(self.steps, submitted, strict=False) if answer.get("is_new")]
        left = [step for step in reversed(new) if not _is_cancelled(step, queue)]
        names = ", ".join(step.name for step in new if step not in left)
        parts = [f"Cancelled {names}."] if names else []
        parts += [f"Could not cancel {', '.join(step.name for step in left)}: cancel these yourself."] if left else []
        parts += ["The queue uses a name only once: give the workflow another name."] if new else []
        return " ".join(parts)


def _is_cancelled(step: Step, queue: QueueClient) -> bool:
    """Returns whether the step has ended. Raises no error, which would hide why the queue refused the workflow."""
    try:
        step.cancel(queue)
    except AlreadyFinished:
        return True
    except QueueError:
        return False
    return True


def sets_of(array: Parameters) -> Iterator[dict[str, object]]:
    """Yields the values of the parameters of each job in an array, with the number of the job."""
    sets: Iterable[Mapping[str, object]] = _combinations(array) if isinstance(array, Mapping) else array
    return ({**values, INDEX: number} for number, values in enumerate(sets))


def _combinations(matrix: Mapping[str, Sequence[object]]) -> Iterator[dict[str, object]]:
    return (dict(zip(matrix, values, strict=True)) for values in product(*matrix.values()))
