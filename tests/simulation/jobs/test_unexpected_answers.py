"""Unexpected behaviour of SageMaker: refusals, lost stops, deleted jobs, contradictory answers."""

from dataclasses import replace
from typing import Any

import pytest

from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.job_state import JobState
from scheduler.core.requests.attempt_request import TAG_DELAY
from scheduler.cycle.attempts.attempts import UNKNOWN_ATTEMPT_GRACE
from scheduler.errors.internal import Refused
from support.account.simulated_queue import ADA, SimulatedQueue, request
from support.faults.fault_points import FaultPoint
from support.faults.scripted_faults import (
    ScriptedCalls,
    does_nothing,
    knows_no_role,
    knows_no_tags,
    says_that_the_quota_is_full,
    says_that_the_type_is_unknown,
    takes_effect_and_times_out,
    times_out,
)


def refused() -> None:
    raise Refused("AccessDeniedException: no")


def test_a_job_whose_own_first_copy_fills_the_quota_keeps_its_budget() -> None:
    script = ScriptedCalls("create", [takes_effect_and_times_out, says_that_the_quota_is_full])
    world = SimulatedQueue(
        budget="ml.m5.large=2", durations={"wide": 600, "urgent": 60}, wrapped_port="training", fault_point=script
    )
    world.submit("wide", 1, instances=2)
    world.run(5)
    world.submit("urgent", 1, instances=2)
    world.run_until_empty()
    assert [world.job(name).status.history[-1].outcome for name in ("wide", "urgent")] == [Outcome.COMPLETED] * 2


def test_a_full_quota_is_waited_for() -> None:
    script = ScriptedCalls("create", [says_that_the_quota_is_full] * 3)
    world = SimulatedQueue(durations={"job": 60}, wrapped_port="training", fault_point=script)
    world.submit("job")
    world.run_until_empty()
    assert (world.job("job").status.state, world.job("job").status.attempts) == (JobState.COMPLETED, 1)


@pytest.mark.parametrize("answer", [does_nothing, knows_no_tags])
def test_a_stop_that_has_no_effect_or_is_denied_is_sent_again(answer: Any) -> None:
    script = ScriptedCalls("stop", [answer])
    world = SimulatedQueue(durations={"job": 36_000}, wrapped_port="training", fault_point=script)
    world.submit("job")
    world.run(100)
    world.control.cancel("job", caller=ADA)
    world.run(600)
    assert world.job("job").status.state is JobState.STOPPED


def test_a_stop_that_aws_denies_because_the_job_is_gone_ends_the_attempt() -> None:
    script = ScriptedCalls("stop", [knows_no_tags] * 100)
    world = SimulatedQueue(durations={"job": 36_000}, wrapped_port="training", fault_point=script, deliver_events=False)
    world.submit("job")
    world.run(1800)
    world.client.stop_training_job(TrainingJobName="job-sq-1")
    world.simulation.run(300)
    world.client.delete_training_job(TrainingJobName="job-sq-1")
    world.control.cancel("job", caller=ADA)
    world.run(UNKNOWN_ATTEMPT_GRACE.total_seconds() + 120)
    assert world.job("job").status.state is JobState.STOPPED


def test_an_attempt_whose_end_was_reported_ends_though_it_is_gone_and_its_stop_is_denied() -> None:
    script = ScriptedCalls("stop", [knows_no_tags] * 1000)
    world = SimulatedQueue(durations={"job": 36_000}, wrapped_port="training", fault_point=script)
    world.submit("job")
    world.run(100)
    world.control.cancel("job", caller=ADA)
    world.cycle()
    world.client.stop_training_job(TrainingJobName="job-sq-1")
    world.simulation.run(300)
    world.client.delete_training_job(TrainingJobName="job-sq-1")
    world.run(UNKNOWN_ATTEMPT_GRACE.total_seconds() + 120)
    assert world.job("job").status.state is JobState.STOPPED


def test_a_second_stop_that_is_refused_is_as_good_as_one() -> None:
    script = ScriptedCalls("stop", [takes_effect_and_times_out])
    strict = Behaviour(unknowns=Unknowns(refuses_second_stop=True))
    world = SimulatedQueue(durations={"job": 36_000}, behaviour=strict, wrapped_port="training", fault_point=script)
    world.submit("job")
    world.run(100)
    world.control.cancel("job", caller=ADA)
    world.run(600)
    assert world.job("job").status.state is JobState.STOPPED


def test_names_that_others_have_taken_are_passed_over_in_one_cycle() -> None:
    world = SimulatedQueue(durations={"job": 60})
    for number in (1, 2, 3):
        world.client.create_training_job(**request(f"job-sq-{number}"))
        world.simulation.run(1)  # SageMaker allows one a second
    world.simulation.run(TAG_DELAY.total_seconds())  # until then their tags may be listed late, and be the queue's
    world.submit("job")
    world.cycle()
    job = world.job("job")
    assert (job.status.state, job.status.attempts) == (JobState.RUNNING, 4)


def test_a_hanging_stop_is_reported_after_an_hour(caplog: pytest.LogCaptureFixture) -> None:
    world = SimulatedQueue(durations={"job": 36_000})
    world.submit("job")
    world.run(100)
    world.simulation.machine.hang("job-sq-1")
    world.control.cancel("job", caller=ADA)
    world.run(3500)
    assert "stuck stopping" not in caplog.messages
    world.run(300)
    assert "stuck stopping" in caplog.messages


def test_a_stop_that_stays_denied_is_reported_after_an_hour(caplog: pytest.LogCaptureFixture) -> None:
    """As when somebody has removed the queue's tag from the training job."""
    script = ScriptedCalls("stop", [knows_no_tags] * 200)
    world = SimulatedQueue(durations={"job": 36_000}, wrapped_port="training", fault_point=script)
    world.submit("job")
    world.run(100)
    world.control.cancel("job", caller=ADA)
    world.run(3500)
    assert "stuck stopping" not in caplog.messages
    world.run(3700)
    assert "stuck stopping" in caplog.messages


def test_a_repeated_stop_without_effect_is_reported_after_an_hour(
    caplog: pytest.LogCaptureFixture,
) -> None:
    script = ScriptedCalls("stop", [does_nothing] * 200)
    world = SimulatedQueue(durations={"job": 36_000}, wrapped_port="training", fault_point=script)
    world.submit("job")
    world.run(100)
    world.control.cancel("job", caller=ADA)
    world.run(3500)
    assert "stuck stopping" not in caplog.messages
    world.run(300)
    assert "stuck stopping" in caplog.messages


def test_an_attempt_that_was_deleted_is_not_started_again() -> None:
    world = SimulatedQueue(durations={"job": 36_000}, deliver_events=False)
    world.submit("job")
    world.run(1800)
    world.client.stop_training_job(TrainingJobName="job-sq-1")
    world.simulation.run(300)
    world.client.delete_training_job(TrainingJobName="job-sq-1")
    world.cycle(sweep=True)
    job = world.job("job")
    assert (job.status.state, job.status.history[-1].outcome) == (JobState.STOPPED, Outcome.VANISHED)


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_an_attempt_that_was_deleted_after_an_event_reported_its_end_has_that_end(is_cancelled: bool) -> None:
    world = SimulatedQueue(durations={"job": 600})
    world.submit("job")
    world.run(300)
    world.simulation.run(600)  # without a cycle
    world.client.delete_training_job(TrainingJobName="job-sq-1")
    if is_cancelled:
        world.control.cancel("job", caller=ADA)
    world.cycle()
    job = world.job("job")
    assert (job.status.state, job.status.history[-1].outcome) == (JobState.COMPLETED, Outcome.COMPLETED)
    assert job.status.history[-1].training_started_at is not None


@pytest.mark.parametrize("at", range(1, 20))
def test_a_refusal_of_one_call_delays_no_other_job(at: int) -> None:
    fault_point = FaultPoint(at, after=False, fault=refused)
    world = SimulatedQueue(
        durations={"job1": 400, "job2": 250, "job3": 60}, wrapped_port="training", fault_point=fault_point
    )
    for name, priority in [("job1", 1), ("job2", 2), ("job3", 1)]:
        world.submit(name, priority)
    world.run_until_empty()
    states = [job.status.state for job in world.store.jobs.values()]
    assert states.count(JobState.COMPLETED) >= 2
    assert not world.store.attempts
    assert not world.simulation.machine.held_instances()


def breaks(_call: Any, *_args: Any) -> None:
    raise OSError("the network is gone")


def test_a_cycle_that_breaks_leaves_the_lease_to_its_repeat() -> None:
    world = SimulatedQueue(
        durations={"job": 60}, wrapped_port="training", fault_point=ScriptedCalls("create", [breaks])
    )
    world.submit("job")
    with pytest.raises(OSError, match="the network is gone"):
        world.cycle()
    world.cycle()
    assert world.job("job").status.state is JobState.RUNNING


def test_a_parked_job_tries_again_when_it_is_submitted_again() -> None:
    script = ScriptedCalls("create", [says_that_the_type_is_unknown])
    world = SimulatedQueue(durations={"job": 60}, wrapped_port="training", fault_point=script)
    world.submit("job")
    world.run(60)
    assert world.job("job").status.state is JobState.PARKED
    world.submit("job")
    world.run_until_empty()
    assert world.job("job").status.state is JobState.COMPLETED


def test_a_role_that_is_not_known_everywhere_yet_is_waited_for() -> None:
    script = ScriptedCalls("create", [knows_no_role] * 3)
    world = SimulatedQueue(durations={"job": 60}, wrapped_port="training", fault_point=script)
    world.submit("job")
    world.run_until_empty()
    assert (world.job("job").status.state, world.job("job").status.attempts) == (JobState.COMPLETED, 1)


def test_a_role_that_never_becomes_known_fails_the_job_in_the_end() -> None:
    world = SimulatedQueue(
        durations={"job": 60}, wrapped_port="training", fault_point=ScriptedCalls("create", [knows_no_role] * 1000)
    )
    world.submit("job")
    world.run_until_empty()
    assert (world.job("job").status.state, world.job("job").status.reason.code) == (JobState.FAILED, "create_refused")


def test_every_attempt_is_polled_without_events() -> None:
    names = [f"job{number}" for number in range(70)]  # more than one sweep looks at
    world = SimulatedQueue(budget="ml.m5.large=70", durations=dict.fromkeys(names, 60), deliver_events=False)
    for name in names:
        world.submit(name)
    world.run_until_empty()
    assert {job.status.state for job in world.store.jobs.values()} == {JobState.COMPLETED}


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_an_attempt_that_was_created_late_is_not_taken_for_deleted(is_cancelled: bool) -> None:
    # Found by seed 37: patience with Describe was counted from a reservation that had become old by an outage.
    slow = Behaviour(unknowns=Unknowns(described_after_seconds=90))
    script = ScriptedCalls("create", [times_out] * 20)
    world = SimulatedQueue(durations={"job": 3600}, behaviour=slow, wrapped_port="training", fault_point=script)
    world.submit("job")
    world.cycle()
    if is_cancelled:
        world.control.cancel("job", ADA)
    world.simulation.run(1800)
    script.script.clear()
    world.run_until_empty()
    past = world.job("job").status.history[-1]
    assert past.outcome is (Outcome.CANCELLED if is_cancelled else Outcome.COMPLETED)


def hibernates(call: Any, *args: Any) -> Any:
    return replace(call(*args), status="Hibernating", secondary_status="Snoozing")


def test_an_unknown_status_keeps_the_budget_and_ends_nothing() -> None:
    script = ScriptedCalls("describe", [])
    durations = {"job": 600, "next": 60}
    world = SimulatedQueue(
        "ml.m5.large=1", durations=durations, wrapped_port="training", fault_point=script, deliver_events=False
    )
    world.submit("job")
    world.run(120)
    script.script = [hibernates] * 3
    world.submit("next")
    world.run(240)
    assert script.script == []
    assert [world.job(name).status.state for name in ("job", "next")] == [JobState.RUNNING, JobState.PENDING]
    world.run_until_empty()
    assert [world.job(name).status.history[-1].outcome for name in ("job", "next")] == [Outcome.COMPLETED] * 2


def test_a_stop_continues_while_an_attempt_has_an_unknown_status() -> None:
    script = ScriptedCalls("describe", [])
    world = SimulatedQueue(durations={"job": 36_000}, wrapped_port="training", fault_point=script, deliver_events=False)
    world.submit("job")
    world.run(120)
    script.script = [hibernates] * 2
    world.control.cancel("job", caller=ADA)
    world.run(600)
    assert (script.script, world.job("job").status.state) == ([], JobState.STOPPED)
