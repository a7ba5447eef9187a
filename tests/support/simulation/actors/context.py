"""Holds the state that all actors of a random world share."""

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
from support.account.function_calls import ADA, EVE
from support.simulation.submissions.squatters import owner_of
from support.simulation.submissions.user_requests import UserRequests

#: An act, and its weight among all acts.
Acts = dict[Callable[[], object], float]


class Emphasis(Enum):
    """Actions that a world repeats more often, because some defects show up only then."""

    PLAIN = auto()
    SPOT_INTERRUPTIONS = auto()  # nearly all jobs run on spot instances, and are often interrupted
    CHANGED_MINDS = auto()  # users cancel, hold and release all the time
    SHORTAGES = auto()  # SageMaker lacks instances most of the time
    CALENDAR = auto()  # the budget is the calendar's; operators set none


#: The names of the users' jobs that may need an approval, without and with the jobs of arrays.
APPROVED_NAMES = ("job*", "[aj][ro][br]*")


@dataclass
class ActorContext:
    account: Account
    user_requests: UserRequests
    random: Random
    emphasis: Emphasis = Emphasis.PLAIN
    in_projects: bool = False  # many jobs have the tag of a project
    in_two_teams: bool = False  # half of the jobs belong to another team
    has_elastic_jobs: bool = False  # about half of the jobs are elastic, and train for long
    has_pipelines: bool = False  # pipelines wait for about half of the jobs
    has_losses: bool = False  # losses are watched
    has_approvals: bool = False  # large jobs need an operator's approval
    has_array_approvals: bool = False  # large arrays do, too
    has_interactive_jobs: bool = False  # people work in the containers of about half of the jobs
    has_receivers: bool = False  # buses and HTTPS endpoints wait for most jobs
    bodies: dict[str, dict[str, Any]] = field(default_factory=dict)  # requests of all submitted jobs, by name
    done: Counter[str] = field(default_factory=Counter)

    def owner_of(self, name: str) -> str:
        return EVE if self.in_two_teams and name[-1] in "02468" else ADA

    def attempts(self, which: Callable[[TrainingJob], bool]) -> list[str]:
        """Returns the names of the queue's training jobs that satisfy `which`."""
        jobs = self.account.simulation.machine.jobs.values()
        return sorted(job.name for job in jobs if owner_of(job) and which(job))

    def create(self, body: dict[str, Any]) -> None:
        """Creates a training job outside the queue, if SageMaker accepts it."""
        with suppress(ClientError):
            self.account.sagemaker.create_training_job(**body)
