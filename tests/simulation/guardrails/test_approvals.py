"""A job above a rule's limit starts only after an operator has approved it, whatever else happens to it."""

from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.queue.submission import Submission
from support.account.simulated_queue import ADA, SimulatedQueue, request
from support.builders.callers import ACCOUNT
from support.builders.rules import a_rule, rule_set

LARGE = a_rule("approval", name="large", above_instances=1)
OPS = f"arn:aws:iam::{ACCOUNT}:root"


def code(world: SimulatedQueue, name: str) -> ReasonCode:
    return world.job(name).status.reason.code


def test_a_waiting_job_that_newer_rules_want_approved_starts_only_then() -> None:
    world = SimulatedQueue(durations={"runs": 600, "wide": 60})
    world.submit("runs", instances=2)
    world.submit("wide", instances=2)
    world.run(30)
    world.configure(rules=rule_set(LARGE))
    world.cycle()
    assert (world.job("wide").status.state, code(world, "wide")) == (JobState.PARKED, ReasonCode.NEEDS_APPROVAL)
    world.run(1200)
    assert world.job("runs").status.state is JobState.COMPLETED
    assert world.job("wide").status.attempts == 0
    world.control.approve("wide", OPS)
    world.run_until_empty()
    assert world.job("wide").status.state is JobState.COMPLETED


def test_a_requeue_does_not_replace_the_approval_and_a_preempted_job_keeps_it() -> None:
    world = SimulatedQueue(configuration={"rules": rule_set(LARGE)}, durations={"wide": 600, "urgent": 60})
    world.submit("wide", instances=2)
    world.control.requeue("wide", OPS)
    world.run(60)
    assert (world.job("wide").status.attempts, code(world, "wide")) == (0, ReasonCode.NEEDS_APPROVAL)
    world.control.approve("wide", OPS)
    world.run(60)
    world.submit("urgent", 9)
    world.run_until_empty()
    wide = world.job("wide")
    assert (wide.status.state, wide.status.preemptions, wide.status.attempts) == (JobState.COMPLETED, 1, 2)


def test_an_approval_does_not_bypass_another_rule() -> None:
    world = SimulatedQueue(configuration={"rules": rule_set(LARGE)})
    world.submit("wide", instances=2)
    world.configure(rules=rule_set(LARGE, a_rule("instances_per_job", most=1)))
    world.control.approve("wide", OPS)
    world.cycle()
    assert (world.job("wide").status.attempts, code(world, "wide")) == (0, ReasonCode.RULE_VIOLATED)


def test_a_job_with_an_alternative_below_the_limit_starts_on_it() -> None:
    world = SimulatedQueue(configuration={"rules": rule_set(LARGE)})
    smaller = {"request": {"ResourceConfig": {"InstanceCount": 1}}}
    world.queue.submit(Submission(request("job", instances=2), {"alternatives": [smaller]}), caller=OPS)
    world.cycle()
    job = world.job("job")
    assert (job.status.state, job.spec.choice) == (JobState.LAUNCHING, 1) or job.status.state is JobState.RUNNING


def test_a_held_job_is_parked_once_it_is_released() -> None:
    world = SimulatedQueue(configuration={"rules": rule_set(LARGE)})
    world.queue.submit(Submission(request("wide", instances=2), {"hold": True}), caller=OPS)
    world.control.release("wide", OPS)
    world.cycle()
    assert (world.job("wide").status.attempts, code(world, "wide")) == (0, ReasonCode.NEEDS_APPROVAL)


def test_a_job_is_parked_as_its_best_choice_which_its_approval_covers_too() -> None:
    world = SimulatedQueue(budget="ml.m5.large=4", configuration={"rules": rule_set(LARGE)})
    wide = {"request": {"ResourceConfig": {"InstanceCount": 2}}}
    options = {"alternatives": [wide], "hold": True}
    world.queue.submit(Submission(request("wide", instances=4), options), caller=ADA)
    world.control.release("wide", OPS)
    world.cycle()
    parked = world.job("wide")
    assert (parked.spec.choice, parked.status.reason.code) == (0, ReasonCode.NEEDS_APPROVAL)
    assert "4 instances are more than 1" in parked.status.reason.message


def test_a_job_whose_best_choice_needs_an_approval_waits_for_it_even_if_a_rule_forbids_the_other() -> None:
    world = SimulatedQueue(budget="ml.m5.large=4,ml.c5.xlarge=4", configuration={"rules": rule_set(LARGE)})
    resources = {"InstanceType": "ml.c5.xlarge", "InstanceCount": 2, "VolumeSizeInGB": 1}
    options = {"alternatives": [{"request": {"ResourceConfig": resources}}], "hold": True}
    world.queue.submit(Submission(request("either", instances=2), options), caller=ADA)
    world.configure(rules=rule_set(LARGE, a_rule("instance_types", allowed=["ml.m5.*"])))
    world.control.release("either", OPS)
    world.cycle()
    assert (world.job("either").spec.choice, code(world, "either")) == (0, ReasonCode.NEEDS_APPROVAL)
    world.control.approve("either", OPS)
    world.run_until_empty()
    assert (world.job("either").status.state, world.job("either").spec.choice) == (JobState.COMPLETED, 0)
