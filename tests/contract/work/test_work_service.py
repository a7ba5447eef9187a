"""Each kind of work keeps the contract of the port: training, tuning and processing jobs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from local_sagemaker.errors import AwsError
from local_sagemaker.simulation import Simulation, Workload
from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from local_sagemaker.state_machine.fault_injection import CallRule, Fault, Unanswered
from scheduler.adapters.aws.sagemaker.events import observation_of
from scheduler.adapters.aws.sagemaker.processing import SageMakerProcessing
from scheduler.adapters.aws.sagemaker.rate_limited import RateLimiter
from scheduler.adapters.aws.sagemaker.training import SageMakerTraining
from scheduler.adapters.aws.sagemaker.tuning import SageMakerTuning
from scheduler.core.jobs.attempt import TERMINAL_STATUSES, Observation
from scheduler.core.jobs.work.kind import FORMS, WorkKind
from scheduler.errors.internal import (
    AlreadyEnded,
    AttemptExists,
    AttemptUnknown,
    OutcomeUnknown,
    Refused,
    Throttled,
)
from scheduler.ports.training import WorkService
from support.account.simulated_queue import VirtualClock
from support.account.simulated_queue import request as a_training_request
from support.builders.processing_requests import a_processing_request
from support.builders.tuning_requests import a_tuning_request

NAME = "features-sq-1"
TAGS = [{"Key": "project", "Value": "churn"}]
BUILDERS: dict[WorkKind, Callable[..., dict[str, Any]]] = {
    WorkKind.TRAINING: a_training_request,
    WorkKind.TUNING: a_tuning_request,
    WorkKind.PROCESSING: a_processing_request,
}
SERVICES: dict[WorkKind, Callable[[Simulation], WorkService]] = {
    WorkKind.TRAINING: lambda simulation: SageMakerTraining(simulation.client()),
    WorkKind.TUNING: lambda simulation: SageMakerTuning(simulation.client(), RateLimiter(VirtualClock(simulation))),
    WorkKind.PROCESSING: lambda simulation: SageMakerProcessing(simulation.client()),
}
LONG = 6 * 3600.0
A_SECOND = 1.0  # SageMaker's rates allow one Create and one Stop


@dataclass(frozen=True)
class Work:
    kind: WorkKind
    simulation: Simulation
    service: WorkService

    @property
    def request(self) -> dict[str, Any]:
        return BUILDERS[self.kind](NAME, Tags=TAGS)

    def create(self) -> None:
        self.service.create(self.request)

    def seen_after(self, seconds: float) -> Observation:
        self.simulation.run(seconds)
        return self.service.describe(NAME)

    def fail(self, call: str, fault: Fault) -> None:
        operation = f"{call}{FORMS[self.kind].operation.removeprefix('Create')}"
        self.simulation.machine.fault_rules.calls.append(CallRule(fault=fault, operation=operation))


@pytest.fixture(params=[Unknowns(), Unknowns(refuses_second_stop=True, lower_case_arns=True)], ids=["usual", "strict"])
def behaviour(request: pytest.FixtureRequest) -> Behaviour:
    return Behaviour(unknowns=request.param)


@pytest.fixture(params=WorkKind)
def work(request: pytest.FixtureRequest, behaviour: Behaviour) -> Work:
    simulation = Simulation(lambda _: Workload(epochs=({"loss": 1.0},)), behaviour=behaviour)
    return Work(request.param, simulation, SERVICES[request.param](simulation))


def test_each_kind_is_tested() -> None:
    assert BUILDERS.keys() == SERVICES.keys() == {*WorkKind}


def test_an_attempt_starts_runs_and_completes(work: Work) -> None:
    work.create()
    assert work.service.describe(NAME).status == "InProgress"
    running = work.seen_after(300)
    assert (running.status, running.secondary_status) == ("InProgress", "Training")
    assert running.training_started_at is not None
    done = work.seen_after(LONG)
    assert done.status == "Completed"
    assert done.is_terminal
    assert done.ended_at is not None
    assert done.ended_at > running.training_started_at
    assert not done.keeps_instances


def test_an_unknown_attempt_is_unknown_to_each_call(work: Work) -> None:
    for call in (work.service.describe, work.service.describe_any, work.service.stop):
        with pytest.raises(AttemptUnknown):
            call(NAME)


def test_a_name_that_is_taken_is_not_taken_twice(work: Work) -> None:
    work.create()
    work.simulation.run(A_SECOND)
    with pytest.raises(AttemptExists):
        work.create()


def test_the_description_has_the_tags_the_role_and_the_time_of_creation(work: Work) -> None:
    work.create()
    description = work.service.describe_any(NAME)
    assert description["Tags"] == TAGS
    assert "CreationTime" in description
    assert description[FORMS[work.kind].name_member] == NAME


def test_a_stop_takes_effect_once_and_instances_stay_held_until_the_end(work: Work) -> None:
    work.create()
    work.seen_after(300)
    work.service.stop(NAME)
    work.simulation.run(A_SECOND)
    work.service.stop(NAME)
    stopping = work.service.describe(NAME)
    assert (stopping.status, stopping.is_terminal) == ("Stopping", False)
    assert work.seen_after(LONG).status == "Stopped"
    with pytest.raises(AlreadyEnded):
        work.service.stop(NAME)


def test_a_throttled_call_had_no_effect(work: Work) -> None:
    work.fail("Create", Fault(AwsError("ThrottlingException", "Rate exceeded")))
    with pytest.raises(Throttled):
        work.create()
    with pytest.raises(AttemptUnknown):
        work.service.describe(NAME)


def test_a_lost_answer_leaves_the_outcome_unknown_and_the_attempt_is_found(work: Work) -> None:
    work.fail("Create", Fault(Unanswered(), takes_effect=True))
    with pytest.raises(OutcomeUnknown):
        work.create()
    assert work.service.describe(NAME).status == "InProgress"


def test_an_invalid_request_is_refused(work: Work) -> None:
    with pytest.raises(Refused):
        work.service.create({**work.request, "Tags": [*TAGS, *TAGS]})


def test_events_report_what_a_description_shows(work: Work) -> None:
    work.create()
    work.simulation.run(LONG)
    reported = [observation_of(event) for event in work.simulation.events]
    own = [observation for name, observation in reported if name == NAME]
    assert own[-1].status in TERMINAL_STATUSES
    assert (own[-1].status, own[-1].ended_at) == (
        work.service.describe(NAME).status,
        work.service.describe(NAME).ended_at,
    )
