"""Checks the claims of the demo against the queue's records, the script's logs and SageMaker itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import TYPE_CHECKING

from examples.demo.jobs import INSTANCES, JOB1, JOB2, JOB3, JOB4
from examples.demo.logs import epoch_of_resumption, epochs, lines
from examples.demo.stage import Stage

from sagequeue.contract.jobs import Attempt

if TYPE_CHECKING:  # type stubs, which only developers install
    from mypy_boto3_sagemaker import SageMakerClient


@dataclass(frozen=True)
class Claim:
    text: str
    holds: bool


def judge(stage: Stage, sagemaker: "SageMakerClient") -> list[Claim]:
    jobs = stage.jobs()
    first, second, third, fourth = (jobs[training.name]["attempts"] for training in (JOB1, JOB2, JOB3, JOB4))
    return [
        Claim("job4 preempted job1 once", outcomes(first) == [("preempted", JOB4.name), ("completed", "")]),
        Claim(
            "job2, job3 and job4 were never interrupted",
            outcomes(second) == outcomes(third) == outcomes(fourth) == [("completed", "")],
        ),
        Claim("job1 restarted after job2 ended", start(first[-1]) >= end(second[-1])),
        Claim("job3 started after job1 restarted", start(third[0]) > start(first[-1])),
        Claim("job1 continued with the epoch after its last checkpoint", is_seamless(stage, first)),
        Claim(
            "SageMaker never used more instances than the budget",
            most_held(sagemaker, [*first, *second, *third, *fourth]) <= INSTANCES,
        ),
        Claim("the budget is free again", all(line["held"] == 0 for line in stage.queue.page()["budget"].values())),
    ]


def outcomes(attempts: Sequence[Attempt]) -> list[tuple[str | None, str]]:
    return [(attempt["outcome"], attempt["beneficiary"]) for attempt in attempts]


def start(attempt: Attempt) -> datetime:
    return datetime.fromisoformat(attempt["reserved_at"])


def end(attempt: Attempt) -> datetime:
    """Returns the time at which the finished attempt released its instances."""
    return datetime.fromisoformat(attempt["ended_at"] or "")


def is_seamless(stage: Stage, attempts: Sequence[Attempt]) -> bool:
    """Returns whether the second attempt continued with the epoch after the last one of the first."""
    before, after = (lines(stage.logs, attempt["name"]) for attempt in attempts)
    return epoch_of_resumption(after) == epochs(after)[0] == epochs(before)[-1] + 1


def most_held(sagemaker: "SageMakerClient", attempts: Sequence[Attempt]) -> int:
    """Returns the most instances in use at any time. A training job uses its instances from its creation to its end."""
    changes = []
    for attempt in attempts:
        job = sagemaker.describe_training_job(TrainingJobName=attempt["name"])
        instances = job["ResourceConfig"]["InstanceCount"]
        changes += [(job["CreationTime"], instances), (job["TrainingEndTime"], -instances)]
    return max(accumulate(change for _, change in sorted(changes)))
