"""Draws the processing jobs that users submit, and the behaviour of their containers."""

from random import Random
from typing import Any

from local_sagemaker.simulation import Workload
from local_sagemaker.state_machine.processing.job import ProcessingJob
from support.builders.processing_requests import a_processing_request
from support.simulation.submissions.training_requests import TYPES
from support.simulation.submissions.user_requests import SECRET

#: The budget line that only processing jobs use.
LINE = f"{TYPES[0]}@processing"
_MAY_PREEMPT = {"Key": "queue:never-preempt", "Value": "false"}


def random_processing_body(random: Random, name: str) -> dict[str, Any]:
    tags = [{"Key": "priority", "Value": str(random.choice([0, 1, 5, 9]))}]
    return a_processing_request(
        name,
        kind=TYPES[0],
        instances=random.choice([1, 1, 2]),
        StoppingCondition={"MaxRuntimeInSeconds": random.choice([300, 3600])},
        Environment={"TOKEN": SECRET},
        Tags=[*tags, _MAY_PREEMPT] if random.random() < 0.6 else tags,
    )


def is_ours(job: ProcessingJob) -> bool:
    """Returns whether the queue created the processing job. Other users do not use such names."""
    return "-sq-" in job.name


def may_preempt(body: dict[str, Any]) -> bool:
    """Returns whether the user allows a restart that loses all work."""
    return _MAY_PREEMPT in body["Tags"]


def processing_course(seed: int, request: dict[str, Any]) -> Workload:
    """Draws the behaviour of a container: the same in each attempt of a job."""
    random = Random(f"{seed}/{request['ProcessingJobName'].rsplit('-sq-', 1)[0]}")  # noqa: S311 - scripts, not secrets
    is_bypassing = "-sq-" not in request["ProcessingJobName"]
    return Workload(
        # Long enough to be counted by any cycle that reads SageMaker's list late.
        trains=random.choice([60, 300, 600]) * (5 if is_bypassing else 1),
        exit_code=random.choice([0, 0, 0, 0, 1]),
        prepares=random.choice([1, 30]),
        uploads=random.choice([1, 30]),
        heeds_stop_after=random.choice([5, 60, None]),
    )
