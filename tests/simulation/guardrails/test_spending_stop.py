"""When a limit with `then: stop` is used up, the jobs that lose little are stopped."""

from math import inf
from typing import Any

import pytest

from local_sagemaker.state_machine.capacity import Shortage
from local_sagemaker.state_machine.job import TrainingJob
from scheduler.core.history.notices import NoticeKind
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.queue.submission import Submission
from support.account.simulated_queue import ADA, SimulatedQueue, request
from support.builders.spending import spending

TYPE = "ml.g5.xlarge"  # of one GPU
SPOT_LIMITS = {"MaxRuntimeInSeconds": 86_400, "MaxWaitTimeInSeconds": 90_000}
INTERVAL = 1200.0
LENGTH = 3 * 3600.0
#: How long after a checkpoint a job is stopped at the latest: five minutes, and what a sweep and a stop take.
JUST_SAVED = 300 + 60 + 30


def a_world(then: str, *jobs: str) -> SimulatedQueue:
    """Each job takes one GPU, and all of them together an hour of it soon."""
    world = SimulatedQueue(budget=f"{TYPE}={len(jobs)}", durations=dict.fromkeys(jobs, LENGTH))
    limit(world, {"owner": "*", "gpu_hours": 1, "then": then})
    for job in jobs:
        world.queue.submit(Submission(a_request(job)), caller=ADA)
    return world


def limit(world: SimulatedQueue, one: dict[str, Any]) -> None:
    world.configure(spending=spending(one))


def a_request(job: str) -> dict[str, Any]:
    tags = {"saving": {"queue:checkpoint-interval": str(int(INTERVAL))}, "never": {"queue:never-preempt": "true"}}
    made = request(job, kind=TYPE, tags=tags.get(job))
    if job == "spot":
        made |= {"EnableManagedSpotTraining": True, "StoppingCondition": SPOT_LIMITS}
    if job == "bare":
        del made["CheckpointConfig"]
    return made


def attempt(world: SimulatedQueue, name: str) -> TrainingJob:
    return world.simulation.machine.jobs[name]


def trained(job: TrainingJob) -> float:
    assert job.started_at is not None
    assert job.ended_at is not None
    return job.ended_at - job.started_at


@pytest.fixture(scope="module")
def world() -> SimulatedQueue:
    world = a_world("stop", "saving", "silent", "bare", "never")
    world.run(LENGTH + 600)
    return world


def test_a_job_without_a_checkpoint_interval_is_stopped_at_once(world: SimulatedQueue) -> None:
    assert trained(attempt(world, "silent-sq-1")) == pytest.approx(3600 / 4, abs=2 * 60 + 30)
    assert world.job("silent").status.state is JobState.PREEMPTED


def test_a_job_with_a_checkpoint_interval_is_stopped_just_after_its_next_checkpoint(world: SimulatedQueue) -> None:
    ran = trained(attempt(world, "saving-sq-1"))
    assert INTERVAL < ran < INTERVAL + JUST_SAVED
    assert world.job("saving").status.history[-1].outcome.value == "preempted"


def test_jobs_that_would_lose_their_work_or_are_never_stopped_run_to_their_end(world: SimulatedQueue) -> None:
    for job in ("bare", "never"):
        assert world.job(job).status.state is JobState.COMPLETED
        assert trained(attempt(world, f"{job}-sq-1")) >= LENGTH


def test_a_stopped_job_stays_stopped_and_its_owner_is_notified(world: SimulatedQueue) -> None:
    assert set(world.simulation.machine.jobs) == {"saving-sq-1", "silent-sq-1", "bare-sq-1", "never-sq-1"}
    told = {notice.job: notice.reason for notice in world.notices.sent if notice.kind is NoticeKind.PREEMPTED}
    assert told.keys() == {"saving", "silent"}
    assert all("has used 1." in reason and "(spending limit limit-0)" in reason for reason in told.values())
    assert {world.job(job).status.reason.code for job in told} == {ReasonCode.OVER_BUDGET}


def test_the_wait_for_new_spot_instances_stops_no_other_job() -> None:
    world = a_world("stop", "spot", "silent")
    world.run(1200)
    world.simulation.machine.set_shortage(TYPE, Shortage(back_at=inf), world.simulation.now)
    world.simulation.interrupt("spot-sq-1")
    world.run(LENGTH)
    assert trained(attempt(world, "silent-sq-1")) == pytest.approx(3600, abs=2 * 60 + 30)


def test_once_the_limit_is_raised_they_go_on() -> None:
    world = a_world("stop", "silent")
    world.run_until(lambda: world.job("silent").status.state is JobState.PREEMPTED)
    limit(world, {"owner": "*", "gpu_hours": 100, "then": "stop"})
    world.run_until_empty()
    assert world.job("silent").status.state is JobState.COMPLETED
    assert set(world.simulation.machine.jobs) == {"silent-sq-1", "silent-sq-2"}


def test_without_it_no_job_is_stopped() -> None:
    world = a_world("hold", "saving", "silent")
    world.run_until_empty()
    assert set(world.simulation.machine.jobs) == {"saving-sq-1", "silent-sq-1"}
    assert {notice.kind for notice in world.notices.sent} == {NoticeKind.STARTED, NoticeKind.COMPLETED}
