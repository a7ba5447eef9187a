"""What all who act in a random world share."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from random import Random
from typing import Any

from botocore.exceptions import ClientError

from local_sagemaker.state_machine.job import TrainingJob
from support.account.account import Account
from support.simulation.submissions.user_requests import UserRequests

#: Something that somebody does, and how often beside the others.
Acts = dict[Callable[[], object], float]


class Emphasis(Enum):
    """What a world sees more of than others: some defects show nowhere else."""

    PLAIN = auto()
    SPOT_INTERRUPTIONS = auto()  # nearly all ask for spot instances, and these are often taken away
    CHANGED_MINDS = auto()  # people change their minds all the time
    SHORTAGES = auto()  # instances are lacking most of the time
    CALENDAR = auto()  # the budget is the calendar's, which nobody sets one against


@dataclass
class ActorContext:
    account: Account
    user_requests: UserRequests
    random: Random
    emphasis: Emphasis = Emphasis.PLAIN
    in_projects: bool = False  # many jobs are tagged with one
    bodies: dict[str, dict[str, Any]] = field(default_factory=dict)  # of all jobs that were ever sent, by name
    done: Counter[str] = field(default_factory=Counter)

    def attempts(self, which: Callable[[TrainingJob], bool]) -> list[str]:
        """The names of the queue's own training jobs of this kind."""
        jobs = self.account.simulation.machine.jobs.values()
        return sorted(job.name for job in jobs if "sagequeue:job" in job.tags and which(job))

    def create(self, body: dict[str, Any]) -> None:
        """A training job that goes round the queue, if SageMaker takes it."""
        with suppress(ClientError):
            self.account.sagemaker.create_training_job(**body)
