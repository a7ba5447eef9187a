"""The times that users set, on the emulated SageMaker."""

from datetime import timedelta

import pytest

from scheduler.core.calendar.times.deadlines import DeadlineOutlook
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ActionKind, JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.cycle.job_times import DeadlineWarnings
from scheduler.errors.refusals import BadRequest
from scheduler.queue.explanations import ForecastReader
from support.account.simulated_queue import SWEEP_SECONDS, SimulatedQueue

ONE = "ml.m5.large=1"


def submit(world: SimulatedQueue, name: str, **minutes: float) -> Job:
    """Submits a job whose times are in so many minutes."""
    now = world.clock.now()
    given = {option: (now + timedelta(minutes=delay)).isoformat() for option, delay in minutes.items()}
    tags = {f"queue:{option.replace('_', '-')}": time for option, time in given.items()}
    world.submit(name, tags=tags)
    return world.job(name)


def recorded(world: SimulatedQueue, name: str) -> list[ActionKind]:
    """Returns the actions that the job's times caused, of which the history notifies its owner."""
    kinds = (ActionKind.EXPIRED, ActionKind.WARNED_DEADLINE)
    return [action.kind for action in world.job(name).status.actions if action.kind in kinds]


def test_a_job_starts_with_the_first_sweep_from_its_time_on_and_delays_no_other() -> None:
    world = SimulatedQueue(budget=ONE, durations={"other": 300})
    job = submit(world, "resnet", not_before=10)
    assert (job.status.reason.code, job.is_deferred) == (ReasonCode.WAITS_FOR_TIME, True)
    world.submit("other")
    world.run(10)
    assert world.job("other").is_live
    world.run(590 - SWEEP_SECONDS)
    assert world.job("resnet").is_deferred
    world.run(2 * SWEEP_SECONDS)
    assert world.job("resnet").is_live


def test_a_job_that_expires_ends_with_its_own_reason_and_notice_and_can_be_requeued() -> None:
    world = SimulatedQueue(budget=ONE, durations={"long": 7200})
    world.submit("long")
    world.run(10)
    submit(world, "resnet", expires=30)
    world.run(30 * 60 + 2 * SWEEP_SECONDS)
    job = world.job("resnet")
    assert (job.status.state, job.status.reason.code, job.status.attempts) == (
        JobState.STOPPED,
        ReasonCode.EXPIRED,
        0,
    )
    assert recorded(world, "resnet") == [ActionKind.EXPIRED]
    world.control.requeue("resnet", job.owner)
    world.run_until_empty()
    assert world.job("resnet").status.state is JobState.COMPLETED


def test_the_owner_of_a_running_job_is_notified_once_when_its_deadline_passes() -> None:
    world = SimulatedQueue(budget=ONE, durations={"resnet": 7200})
    submit(world, "resnet", deadline=60)
    world.run(3 * 3600)
    assert recorded(world, "resnet") == [ActionKind.WARNED_DEADLINE]
    assert world.job("resnet").status.state is JobState.COMPLETED


def test_the_owner_of_a_waiting_job_is_notified_once_when_the_forecast_misses_its_deadline() -> None:
    world = SimulatedQueue(budget=ONE, durations={"long": 7200})
    world.submit("long")
    world.run(10)
    submit(world, "late", deadline=60)
    submit(world, "plain")
    warnings = DeadlineWarnings(world.store, world.clock)
    for _ in range(2):
        warnings.write(world.queue.snapshot_reader.observe())
    assert recorded(world, "late") == [ActionKind.WARNED_DEADLINE]
    assert recorded(world, "plain") == []
    assert "it starts at" in world.job("late").status.actions[-1].message


def test_why_and_the_forecast_say_whether_the_deadline_is_expected_to_be_met() -> None:
    world = SimulatedQueue(budget=ONE)
    forecasts = ForecastReader(world.queue.snapshot_reader, world.choice_check, world.store, world.clock)
    far = submit(world, "far", not_before=60, deadline=3 * 24 * 60)
    explanation = forecasts.of(far)
    assert explanation is not None
    assert (explanation.starts.earliest, explanation.position) == (far.options.times.not_before, None)
    assert explanation.deadline is DeadlineOutlook.MET
    near = submit(world, "near", deadline=60)  # it may run for a day
    explanation = forecasts.of(near)
    assert explanation is not None
    assert explanation.deadline is DeadlineOutlook.MISSED
    assert forecasts.if_submitted(near).deadline is DeadlineOutlook.MISSED


@pytest.mark.parametrize("option", ["expires", "deadline"])
def test_a_time_in_the_past_is_refused_unless_the_submission_is_a_repeat(option: str) -> None:
    world = SimulatedQueue(budget=ONE, durations={"long": 7200, "resnet": 7200})
    with pytest.raises(BadRequest, match="has passed"):
        submit(world, "late", **{option: -1.0})
    later = {f"queue:{option}": (world.clock.now() + timedelta(hours=1)).isoformat()}
    world.submit("resnet", tags=later)
    world.run(5400)
    world.submit("resnet", tags=later)
    assert not world.job("resnet").is_finished
