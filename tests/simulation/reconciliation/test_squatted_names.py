"""Training jobs that take the names and the tags of attempts are not taken for them."""

from dataclasses import replace
from typing import Any

import pytest

from local_sagemaker.state_machine.job import TrainingJob
from scheduler.core.jobs.demand import NOTHING
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.reconciliation.reconciliation_state import BudgetScope
from scheduler.core.reconciliation.unmanaged_job import GuardMode
from scheduler.core.requests.attempt_request import ATTEMPT_TAG, JOB_TAG, queue_tags, tags_in
from scheduler.core.requests.job_update import JobUpdate
from support.account.simulated_queue import ADA, SimulatedQueue, request
from support.builders.callers import ACCOUNT
from support.faults.scripted_faults import ScriptedCalls, times_out

THEIRS: dict[str, Any] = {
    "RoleArn": f"arn:aws:iam::{ACCOUNT}:role/Mallory",
    "AlgorithmSpecification": {"TrainingImage": "miner", "TrainingInputMode": "File"},
    "ResourceConfig": {"InstanceType": "ml.c5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 1},
}


@pytest.fixture
def world() -> SimulatedQueue:
    """`nightly` waits behind another job."""
    return with_a_waiting_job()


def with_a_waiting_job(**how: Any) -> SimulatedQueue:
    world = SimulatedQueue(**{"budget": "ml.m5.large=1", "durations": {"first": 3000, "nightly": 3000}, **how})
    world.submit("first")
    world.submit("nightly")
    world.run(60)
    return world


def squat(world: SimulatedQueue, tags: dict[str, str], name: str = "nightly-sq-1", **members: Any) -> TrainingJob:
    """Creates a training job with the name of an attempt outside the queue."""
    body = request("nightly", **members)
    tags = {tag["Key"]: tag["Value"] for tag in body["Tags"]} | tags
    world.squatted.add(name)
    listed = [{"Key": key, "Value": value} for key, value in tags.items()]
    world.client.create_training_job(**{**body, "TrainingJobName": name, "Tags": listed})
    return world.simulation.machine.jobs[name]


def guessed(world: SimulatedQueue) -> dict[str, str]:
    """The tags of another attempt, with the numbers changed: all that others can see."""
    return {JOB_TAG: "nightly", ATTEMPT_TAG: world.simulation.machine.jobs["first-sq-1"].tags[ATTEMPT_TAG]}


def test_a_job_with_copied_tags_and_the_same_request_is_not_adopted(world: SimulatedQueue) -> None:
    squat(world, guessed(world))
    world.run(1200)
    assert (world.job("nightly").status.state, "nightly-sq-1" in world.store.attempts) == (JobState.PENDING, False)


def test_a_job_under_the_name_of_a_deleted_attempt_is_neither_followed_nor_stopped(world: SimulatedQueue) -> None:
    world.control.cancel("first", caller=ADA)
    world.cycle()
    assert world.store.attempts["first-sq-1"].stop_sent
    world.deliver_events = False
    world.simulation.run(600)  # without a cycle
    world.client.delete_training_job(TrainingJobName="first-sq-1")
    squatted = squat(world, {}, "first-sq-1", **THEIRS)
    world.run(1200)
    assert (world.job("first").status.state, squatted.status) == (JobState.STOPPED, "InProgress")


def test_a_copy_of_a_request_whose_models_are_not_known_yet_holds_no_budget() -> None:
    world = SimulatedQueue(budget="ml.m5.large=2", durations={"prep": 3000, "nightly": 3000})
    world.submit("prep")
    uses = {"MODEL": "${jobs.prep.model}"}
    world.submit("nightly", tags={"queue:after-ok": "prep"}, Environment=uses)
    world.run(60)
    squat(world, {JOB_TAG: "nightly", ATTEMPT_TAG: f"1-{'0' * 32}"}, Environment=uses)
    world.run(1200)
    world.submit("other")
    world.run(60)
    assert world.job("other").is_live


@pytest.mark.parametrize("value", ["1", "1-", f"1-{'0' * 32}"])
def test_a_guessed_number_is_not_enough(world: SimulatedQueue, value: str) -> None:
    squat(world, {JOB_TAG: "nightly", ATTEMPT_TAG: value})
    world.run(1200)
    assert (world.job("nightly").status.state, "nightly-sq-1" in world.store.attempts) == (JobState.PENDING, False)


def test_the_next_attempt_has_another_name_than_the_squatters(world: SimulatedQueue) -> None:
    squat(world, guessed(world), **THEIRS)
    world.run_until_empty()
    (ended,) = world.job("nightly").status.history[-1:]
    assert (ended.name, world.job("nightly").status.state) == ("nightly-sq-2", JobState.COMPLETED)


@pytest.mark.parametrize("member", THEIRS)
def test_even_with_all_tags_another_role_image_or_type_is_not_the_queues(world: SimulatedQueue, member: str) -> None:
    tags = tags_in({"Tags": queue_tags(world.job("nightly"), 1)})
    squat(world, tags, **{member: THEIRS[member]})
    world.run(1200)
    assert (world.job("nightly").status.state, "nightly-sq-1" in world.store.attempts) == (JobState.PENDING, False)


@pytest.mark.parametrize(("scope", "counted"), [(BudgetScope.ACCOUNT, {"nightly-sq-1"}), (BudgetScope.QUEUE, set())])
def test_a_squatter_is_a_foreign_job_and_counts_as_one(scope: BudgetScope, counted: set[str]) -> None:
    world = with_a_waiting_job(scope=scope, budget="ml.m5.large=1,ml.c5.xlarge=1")
    squat(world, guessed(world), **THEIRS)
    world.run(600)
    assert world.store.last_reconciliation.unmanaged.keys() == counted


def test_the_tags_of_an_attempt_under_another_name_are_not_the_queues(world: SimulatedQueue) -> None:
    squat(world, tags_in({"Tags": queue_tags(world.job("nightly"), 1)}), name="nightly-b-sq-1")
    world.run(600)
    assert world.job("nightly").status.state is JobState.PENDING
    assert world.store.last_reconciliation.unmanaged == {}


@pytest.mark.parametrize("kept", [1, 0], ids=["in the job's record", "in an item of its own"])
def test_the_name_and_the_tags_of_an_attempt_that_ended_are_not_adopted(kept: int) -> None:
    world = SimulatedQueue(durations={"nightly": 60})
    world.submit("nightly")
    world.run_until_empty()
    tags = world.simulation.machine.jobs["nightly-sq-1"].tags
    world.run(3600)
    world.client.delete_training_job(TrainingJobName="nightly-sq-1")
    if not kept:
        job, (ended,) = world.job("nightly"), world.job("nightly").status.history
        moved = replace(job.status, history=(), earlier=job.status.earlier.plus(ended))
        world.store.jobs["nightly"] = replace(job, status=moved)
        world.store.ended_attempts["nightly"] = {(ended.number, ended.ended_at): ended}
    before = world.job("nightly")
    squat(world, tags)
    world.run(1200)
    assert (world.job("nightly"), world.store.attempts) == (before, {})


def test_a_squatter_is_counted_though_the_record_of_the_attempt_could_not_be_read() -> None:
    """The attempt is reserved, and its Create never answered, while SageMaker's list is read."""
    script = ScriptedCalls("create", [times_out] * 2)
    world = SimulatedQueue(
        budget="ml.m5.large=2",
        scope=BudgetScope.ACCOUNT,
        durations={"nightly": 9000},
        wrapped_port="training",
        fault_point=script,
    )
    world.submit("nightly")
    world.cycle()
    squat(world, {JOB_TAG: "nightly", ATTEMPT_TAG: "1"})
    reserved = world.store.attempts["nightly-sq-1"]
    world.store.attempts["nightly-sq-1"] = replace(reserved, number=0, created=True)  # as it reads if it is broken
    world.run(1200)
    assert world.store.last_reconciliation.held == NOTHING
    world.store.attempts["nightly-sq-1"] = reserved
    world.run(300)
    assert world.job("nightly").status.history == ()
    assert (world.job("nightly").status.attempts, "nightly-sq-2" in world.store.attempts) == (2, True)
    assert world.store.last_reconciliation.unmanaged.keys() == {"nightly-sq-1"}


def test_a_squatter_stops_counting_once_the_record_of_its_job_can_be_read(world: SimulatedQueue) -> None:
    job = world.store.jobs["nightly"]
    unreadable = Reason(ReasonCode.UNREADABLE_RECORD, "broken")
    world.store.jobs["nightly"] = replace(job, status=replace(job.status, state=JobState.PARKED, reason=unreadable))
    squat(world, guessed(world))
    world.run(600)
    assert world.store.last_reconciliation.unmanaged.keys() == {"nightly-sq-1"}
    world.store.jobs["nightly"] = job
    world.run(300)
    assert world.store.last_reconciliation.unmanaged == {}


def test_many_squatted_names_stop_one_job_at_most() -> None:
    world = SimulatedQueue(budget="ml.m5.large=2", durations={"low": 9000, "other": 9000, "nightly": 3000})
    for name in ("low", "other", "nightly"):
        world.submit(name)
        world.run(60)
    for number in range(1, 6):
        squat(world, {JOB_TAG: "nightly", ATTEMPT_TAG: str(number)}, name=f"nightly-sq-{number}")
        world.run(60)
    world.control.update("nightly", JobUpdate({"priority": 9}), caller=ADA)
    world.run(900)
    assert (world.job("nightly").status.state, world.job("nightly").status.attempts) == (JobState.RUNNING, 6)
    assert sum(world.job(name).status.preemptions for name in ("low", "other")) == 1


def test_a_squatter_is_checked_against_the_rules_once_its_name_is_known_to_be_taken() -> None:
    """Meanwhile it may be the attempt itself, whose creation SageMaker has not confirmed."""
    script = ScriptedCalls("create", [times_out] * 9)
    world = SimulatedQueue(scope=BudgetScope.ACCOUNT, guard=GuardMode.STOP, wrapped_port="training", fault_point=script)
    world.configure(rules={"rules": [{"name": "small", "kind": "instances_per_job", "most": 1, "mode": "enforce"}]})
    squatter = squat(world, {JOB_TAG: "nightly", ATTEMPT_TAG: "1"}, instances=2)
    world.submit("nightly")
    world.run(1200)
    assert (squatter.status, world.job("nightly").status.attempts) == ("Stopped", 2)


def test_the_tags_of_one_attempt_do_not_tell_those_of_the_next(world: SimulatedQueue) -> None:
    world.run_until_empty()
    world.submit("again")
    world.run(60)
    first = world.simulation.machine.jobs["again-sq-1"]
    world.control.requeue("again", caller=ADA)
    world.run(900)
    second = world.simulation.machine.jobs["again-sq-2"]
    assert [job.tags[ATTEMPT_TAG].partition("-")[0] for job in (first, second)] == ["1", "2"]
    assert first.tags[ATTEMPT_TAG].partition("-")[2] != second.tags[ATTEMPT_TAG].partition("-")[2]


def test_the_queues_own_tags_fit_beside_48_others() -> None:
    world = SimulatedQueue()
    world.submit("many", tags={f"tag-{number}": "" for number in range(47)})
    world.run(60)
    tags = world.simulation.machine.jobs["many-sq-1"].tags
    assert (len(tags), tags[JOB_TAG]) == (50, "many")
