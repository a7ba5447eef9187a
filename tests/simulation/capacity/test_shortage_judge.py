"""The judge of shortages goes by SageMaker's records, whether users got an answer or not."""

from collections.abc import Iterator
from math import inf
from typing import Any

import pytest

from local_sagemaker.state_machine.capacity import Shortage
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.requests.attempt_request import attempt_request
from support.account.account import Account
from support.account.simulated_queue import request
from support.builders.jobs import a_job, an_attempt
from support.faults.call_faults import NoFaults
from support.simulation.judges.checks import Checks, Violation
from support.simulation.judges.shortages import ShortageJudge
from support.simulation.submissions.user_requests import UserRequests

KIND, OTHER = "ml.m5.large", "ml.g5.xlarge"
ONE = a_job(demand=Demand.of({KIND: 1}))
EITHER = a_job(demand=Demand.of({KIND: 1, OTHER: 1}), has_preferences=True)


class Story:
    """The queue's records as the judge sees them change, and SageMaker's training jobs; no function runs."""

    def __init__(self, account: Account) -> None:
        self._user_requests, self._simulation = UserRequests(), account.simulation
        self._sagemaker: Any = account.sagemaker
        self._judge = ShortageJudge(account, Checks(), self._user_requests)

    def drought(self, fails_after: float) -> None:
        self._simulation.machine.set_shortage(KIND, Shortage(inf, fails_after), self._simulation.now)

    def rain(self) -> None:
        self._simulation.machine.set_shortage(KIND, Shortage(self._simulation.now), self._simulation.now)

    def start(self, name: str, like: Job = ONE, *, answered: bool = True) -> str:
        """Its reservation, and its Create."""
        body = request(name, kind=KIND)
        if like.spec.has_preferences:
            preferences = [{"InstanceType": kind, "InstanceCount": 1} for kind in (KIND, OTHER)]
            body["ResourceConfig"] = {"VolumeSizeInGB": 1, "InstancePreferences": preferences}
        if answered:
            self._user_requests.accepted[name] = body
        job = a_job(name, demand=like.spec.demand, has_preferences=like.spec.has_preferences)
        attempt = an_attempt(job)
        self._judge.check_start(job, attempt)
        self._sagemaker.create_training_job(**attempt_request(body, job, attempt))
        self.wait(2)  # SageMaker takes one Create a second
        return attempt.name

    def wait(self, seconds: float) -> None:
        self._simulation.run(seconds)

    def end(self, attempt: str) -> None:
        self._judge.check_end_of(attempt)


@pytest.fixture
def story() -> Iterator[Story]:
    account = Account(NoFaults())
    story = Story(account)
    story.drought(fails_after=0)
    story.end(story.start("first"))
    story.drought(fails_after=inf)
    yield story
    account.close()


def test_no_job_probes_before_the_pause_is_over(story: Story) -> None:
    story.wait(30)
    with pytest.raises(Violation, match="C1"):
        story.start("second")


def test_only_one_at_a_time_tries_after_it(story: Story) -> None:
    story.wait(60)
    story.start("second")
    with pytest.raises(Violation, match="C2"):
        story.start("third")


def test_the_queue_may_forget_a_shortage_that_no_job_tried_for_a_day(story: Story) -> None:
    story.wait(24 * 3600)
    story.start("second")
    story.start("third")


def test_a_job_whose_submission_got_no_answer_probes_too(story: Story) -> None:
    story.wait(60)
    story.start("second", answered=False)
    with pytest.raises(Violation, match="C2"):
        story.start("third")


@pytest.mark.parametrize("answered", [True, False])
def test_new_instances_end_the_shortage_whatever_answer_users_got(story: Story, answered: bool) -> None:
    story.wait(60)
    story.rain()
    story.start("second", EITHER, answered=answered)
    story.wait(600)
    story.drought(fails_after=inf)
    story.start("third")
    story.start("fourth")


def test_instances_of_another_type_end_nothing(story: Story) -> None:
    story.wait(60)
    story.start("second", EITHER)
    story.wait(600)
    story.start("third")
    with pytest.raises(Violation, match="C2"):
        story.start("fourth")
