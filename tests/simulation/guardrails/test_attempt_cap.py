"""A job has at most as many attempts as operators allow: requeues and retries beyond are refused."""

import pytest

from scheduler.core.jobs.job_state import JobState
from scheduler.errors.wrong_state import AttemptCapReached
from support.account.simulated_queue import ADA, SimulatedQueue, request
from support.faults.scripted_faults import ScriptedCalls, says_that_the_type_is_unknown

THREE = {"retries": {"attempts_per_job": 3, "treatments": {"user": {"retries": 100, "delay": "0s"}}}}


def test_a_requeue_beyond_the_limit_names_it_and_changes_nothing() -> None:
    world = SimulatedQueue(configuration=THREE, durations={"job": 3600})
    world.submit("job")
    for _ in range(2):
        world.run(120)
        world.control.requeue("job", ADA)
    world.run(120)
    before = world.job("job")
    assert (before.status.state, before.status.attempts) == (JobState.RUNNING, 3)
    with pytest.raises(AttemptCapReached, match="job has reached the limit on attempts: 3 of 3") as raised:
        world.control.requeue("job", ADA)
    assert "attempts_per_job" in raised.value.remedy
    assert world.job("job") == before
    world.control.requeue("job", ADA, after=2)  # the repeated call, whose answer was lost, is still answered
    world.configure(retries={"attempts_per_job": 4})
    world.control.requeue("job", ADA)
    assert world.job("job").status.state is JobState.STOPPING


def test_failures_are_not_retried_beyond_the_limit() -> None:
    world = SimulatedQueue(configuration=THREE, crashing={"job"}, durations={"job": 60})
    world.submit("job")
    world.run_until_empty()
    job = world.job("job")
    assert (job.status.state, job.status.attempts) == (JobState.FAILED, 3)
    assert job.status.history[-1].action == "given up: it has had 3 attempts, the limit for one job"
    with pytest.raises(AttemptCapReached):
        world.control.requeue("job", ADA)


def test_a_preempted_job_comes_back_although_it_has_reached_the_limit() -> None:
    world = SimulatedQueue(budget="ml.m5.large=1", configuration={"retries": {"attempts_per_job": 1}})
    world.submit("low")
    world.run(300)
    world.submit("high", priority=5)
    world.run_until_empty()
    assert [world.job(name).status.state for name in ("low", "high")] == [JobState.COMPLETED] * 2
    assert world.job("low").status.attempts == 2


def test_names_that_others_have_taken_count_and_the_job_runs_under_the_next_one() -> None:
    world = SimulatedQueue(configuration=THREE, crashing={"job"}, durations={"job": 60})
    for number in range(1, 5):
        world.squatted.add(f"job-sq-{number}")
        world.simulation.run(3)
        world.client.create_training_job(**{**request("other"), "TrainingJobName": f"job-sq-{number}", "Tags": []})
    world.submit("job")
    world.run_until_empty()
    job = world.job("job")
    assert (job.status.attempts, [ended.name for ended in job.status.history]) == (5, ["job-sq-5"])
    with pytest.raises(AttemptCapReached):
        world.control.requeue("job", ADA)


def test_another_submission_of_a_parked_job_counts_as_a_requeue() -> None:
    script = ScriptedCalls("create", [says_that_the_type_is_unknown])
    world = SimulatedQueue(
        configuration={"retries": {"attempts_per_job": 1}}, wrapped_port="training", fault_point=script
    )
    world.submit("job")
    world.run(60)
    assert (world.job("job").status.state, world.job("job").status.attempts) == (JobState.PARKED, 1)
    with pytest.raises(AttemptCapReached):
        world.submit("job")
