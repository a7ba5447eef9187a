"""SageMaker's rate limits hold across cold starts and changes of the lease's holder."""

from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local_sagemaker.state_machine.behaviour import Behaviour
from local_sagemaker.state_machine.limits import Quotas
from scheduler.adapters.aws.sagemaker.rate_limited import RateLimitedTraining, RateLimiter
from scheduler.adapters.aws.sagemaker.training import SageMakerTraining
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.cycle import scheduler
from scheduler.cycle.scheduler import Scheduler
from scheduler.errors.internal import OverBudget
from support.account.simulated_queue import TIME_LEFT, SimulatedQueue, request


def cold_start(world: SimulatedQueue) -> Scheduler:
    training = RateLimitedTraining(SageMakerTraining(world.client), RateLimiter(world.clock))
    return Scheduler(replace(world.scheduler.services, training=training))


def test_a_cold_start_right_after_a_create_waits_for_its_turn() -> None:
    world = SimulatedQueue(budget="ml.m5.large=9")
    calls: list[float] = []
    note = "provide-client-params.sagemaker.CreateTrainingJob"
    world.client.meta.events.register(note, lambda **_: calls.append(world.simulation.now))
    for number in range(4):
        world.submit(f"job{number}")
        cold_start(world).run_cycle(TIME_LEFT, sweep=False)
    assert len(calls) == 4
    assert all(later - earlier > 1 for earlier, later in pairwise(calls))


def test_the_queue_backs_off_from_another_client_at_the_accounts_rate_and_starts_all_jobs() -> None:
    world = SimulatedQueue(budget="ml.m5.large=9,ml.c5.xlarge=90")
    for number in range(6):
        world.submit(f"job{number}")
    for number in range(90):
        with suppress(ClientError):
            world.client.create_training_job(**request(f"foreign{number}", kind="ml.c5.xlarge"))
        world.run(1.5)
    assert {job.status.state for job in world.store.jobs.values()} == {JobState.RUNNING}


def test_a_cycle_that_leaves_something_to_do_calls_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    world = SimulatedQueue()
    world.submit("job")
    monkeypatch.setattr(scheduler, "MAX_PASSES", 1)
    assert not world.scheduler.run_cycle(TIME_LEFT, sweep=False)  # the job started, and that may have changed something
    assert world.scheduler.run_cycle(TIME_LEFT, sweep=False)


def test_a_cycle_whose_launches_are_all_refused_ends() -> None:
    world = SimulatedQueue()
    world.submit("job")
    world.store.launch = lambda *_: _refuse()  # type: ignore[method-assign] # as where the ledger knows of more
    assert world.scheduler.run_cycle(TIME_LEFT, sweep=False)


def _refuse() -> Job:
    raise OverBudget("no")


@pytest.mark.parametrize("budget", [3, 99])
def test_a_full_quota_costs_one_create_for_each_kind_of_job_and_delays_no_other(budget: int) -> None:
    full = Behaviour(quotas=Quotas(on_demand={"ml.m5.large": 4}))
    world = SimulatedQueue(budget=f"ml.m5.large={budget},ml.c5.xlarge=1", behaviour=full)
    world.client.create_training_job(**request("theirs", instances=2))
    world.simulation.run(2)
    for number in range(25):
        world.submit(f"wide{number:02}", 5, instances=3)
    world.submit("narrow")
    world.submit("other", kind="ml.c5.xlarge")
    sent = creates(world)
    assert world.scheduler.run_cycle(TIME_LEFT, sweep=False)
    assert sorted(sent) == ["narrow-sq-1", "other-sq-1", "wide00-sq-1"]
    assert {name for name, job in world.store.jobs.items() if job.is_live} == {"narrow", "other"}
    world.run_until_empty()
    assert {job.status.state for job in world.store.jobs.values()} == {JobState.COMPLETED}


def creates(world: SimulatedQueue) -> list[str]:
    """Collects the names in Create calls from now on."""
    names: list[str] = []

    def noted(params: dict[str, Any], **_: Any) -> None:
        names.append(params["TrainingJobName"])

    world.client.meta.events.register("provide-client-params.sagemaker.CreateTrainingJob", noted)
    return names
