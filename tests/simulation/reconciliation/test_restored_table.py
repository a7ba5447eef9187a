"""After a restore of the table, launches since the backup are found in SageMaker before anything starts."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from local_sagemaker.state_machine.description import model_artifacts_uri
from scheduler.core.jobs.job_state import JobState
from scheduler.core.reconciliation.listed_job import ListedJob, ListPage
from scheduler.core.requests.attempt_request import queue_tags, tags_in
from scheduler.errors.internal import BodyUnavailable, SchedulerError, StaleJob
from scheduler.queue.submission import Submission
from support.account.simulated_queue import ADA, SimulatedQueue, request
from support.builders.pool_rules import pool_rules
from support.builders.rules import a_rule, rule_set
from support.faults.fault_points import Killed
from support.faults.scripted_faults import ScriptedCalls, times_out
from support.memory.store import MemoryStore


def restore(world: SimulatedQueue, backup: MemoryStore) -> None:
    """The records as they were; a function that was running then has been cut off long ago."""
    for name, value in vars(backup.copy()).items():
        setattr(world.store, name, value)


def test_an_attempt_launched_since_the_backup_is_adopted_and_nothing_takes_its_place() -> None:
    world = SimulatedQueue(budget="ml.m5.large=1", durations={"early": 3000, "late": 60})
    world.run(600)
    world.submit("late")
    world.submit("early", priority=1)
    backup = world.store.copy()
    world.run(600)
    assert world.job("early").status.state is JobState.RUNNING
    restore(world, backup)
    world.submit("urgent", priority=0)
    world.run(60)
    assert (world.job("early").status.state, list(world.store.attempts)) == (JobState.RUNNING, ["early-sq-1"])
    world.run_until_empty()
    assert {job.status.state for job in world.store.jobs.values()} == {JobState.COMPLETED}


def test_an_attempt_that_replaced_the_one_in_the_backup_takes_its_record() -> None:
    world = SimulatedQueue(budget="ml.m5.large=1", durations={"job": 3000, "urgent": 300})
    world.submit("job")
    world.run(400)
    backup = world.store.copy()
    world.submit("urgent", priority=5)
    world.run(1200)
    assert list(world.store.attempts) == ["job-sq-2"]
    restore(world, backup)
    world.run(60)
    job = world.job("job")
    assert (job.status.state, job.status.attempts, list(world.store.attempts)) == (JobState.RUNNING, 2, ["job-sq-2"])
    world.run_until_empty()
    assert world.job("job").status.state is JobState.COMPLETED


def test_an_attempt_whose_models_the_backup_lacks_is_adopted_and_its_next_attempt_gets_them() -> None:
    def delayed(call: Any, name: str) -> Any:
        return times_out(call) if name == "prep-sq-1" else call(name)

    script, durations = ScriptedCalls("describe", []), {"prep": 300, "train": 3000}
    world = SimulatedQueue(
        budget="ml.m5.large=1", durations=durations, wrapped_port="training", fault_point=script, deliver_events=False
    )
    world.submit("prep")
    world.submit("train", tags={"queue:after-ok": "prep"}, Environment={"MODEL": "${jobs.prep.model}"})
    world.run(60)
    backup = world.store.copy()
    world.run_until(lambda: world.job("train").status.state is JobState.RUNNING)
    script.script = [delayed] * 20
    restore(world, backup)
    world.run_until(lambda: "train-sq-1" in world.store.attempts)
    assert ("prep-sq-1" in world.store.attempts, world.job("train").status.models) == (True, ())  # its end is unknown
    world.control.requeue("train", ADA)
    world.run_until_empty()
    attempts = world.simulation.machine.jobs
    models = {attempts[name].request["Environment"]["MODEL"] for name in ("train-sq-1", "train-sq-2")}
    assert models == {model_artifacts_uri(attempts["prep-sq-1"].request)}
    assert world.job("train").status.state is JobState.COMPLETED


def test_of_two_choices_that_hold_the_same_the_one_of_the_record_is_adopted() -> None:
    world = SimulatedQueue(budget="ml.m5.large=1", durations={"job": 3000, "first": 300, "urgent": 300})
    world.submit("first")
    world.run(30)
    limits = {"MaxRuntimeInSeconds": 7200, "MaxWaitTimeInSeconds": 7200}
    body = request("job", EnableManagedSpotTraining=True, StoppingCondition=limits)
    on_demand = {"EnableManagedSpotTraining": False, "StoppingCondition": {"MaxRuntimeInSeconds": 3600}}
    world.queue.submit(Submission(body, {"alternatives": [{"request": on_demand}]}), ADA)
    world.configure(rules=rule_set(a_rule("spot", use="forbidden")))
    world.run(700)
    backup = world.store.copy()
    world.submit("urgent", priority=5)
    world.run(1200)
    assert list(world.store.attempts) == ["job-sq-2"]
    restore(world, backup)
    world.run(60)
    job = world.job("job")
    assert (job.status.attempts, job.spec.choice, job.spec.spot, job.spec.max_runtime) == (2, 1, False, 3600)


def test_a_running_attempt_of_a_job_that_was_cancelled_is_stopped() -> None:
    world = SimulatedQueue(budget="ml.m5.large=1", durations={"job": 36_000})
    world.submit("job")
    world.run(400)
    world.control.cancel("job", caller=ADA)
    world.run(600)
    assert world.job("job").status.state is JobState.STOPPED
    first = world.simulation.machine.jobs["job-sq-1"]
    tags = first.tags | tags_in({"Tags": queue_tags(world.job("job"), 2)})
    listed = [{"Key": key, "Value": value} for key, value in tags.items()]
    world.client.create_training_job(**{**first.request, "TrainingJobName": "job-sq-2", "Tags": listed})
    world.run(900)
    assert (world.job("job").status.state, world.job("job").status.attempts) == (JobState.STOPPED, 2)
    assert not world.simulation.machine.held_instances()


def test_an_attempt_of_a_forgotten_job_holds_budget_and_is_left_alone() -> None:
    world = SimulatedQueue(budget="ml.m5.large=1", durations={"forgotten": 3000, "next": 60})
    world.run(600)
    backup = world.store.copy()
    world.submit("forgotten")
    world.run(600)
    restore(world, backup)
    world.submit("next")
    world.run(600)
    assert world.job("next").status.state is JobState.PENDING
    world.run(6000)
    assert world.job("next").status.state is JobState.COMPLETED
    assert world.simulation.machine.jobs["forgotten-sq-1"].status == "Completed"


def test_a_late_list_revives_no_ended_attempt() -> None:
    script = ScriptedCalls("list_newest", [])
    world = SimulatedQueue(durations={"job": 60}, wrapped_port="training", fault_point=script)
    world.submit("job")
    world.run_until_empty()
    late = ListPage((ListedJob("job-sq-1", "InProgress", world.clock.now(), world.clock.now()),))
    script.script = [lambda *_: late]
    world.run(900)
    assert script.script == []
    assert (world.job("job").status.state, len(world.job("job").status.history)) == (JobState.COMPLETED, 1)


def test_a_long_list_is_walked_through_part_by_part() -> None:
    world = SimulatedQueue(budget="ml.m5.large=1,ml.c5.xlarge=100", durations={"early": 30_000, "next": 60})
    world.run(600)
    world.submit("early")
    backup = world.store.copy()
    world.run(60)
    for number in range(640):  # more pages than one part has
        world.simulation.run(2)
        old = {**world.simulation.machine.jobs["early-sq-1"].request, "TrainingJobName": f"old-sq-{number}"}
        old["ResourceConfig"] = {**old["ResourceConfig"], "InstanceType": "ml.c5.xlarge"}
        world.client.create_training_job(**old)
        world.client.stop_training_job(TrainingJobName=f"old-sq-{number}")
    world.simulation.run(900)
    restore(world, replace(backup, last_reconciliation=replace(backup.last_reconciliation)))
    world.submit("next")
    world.run(60)
    assert (world.job("next").status.state, world.store.attempts) == (JobState.PENDING, {})
    assert world.store.last_reconciliation.complete_at == backup.last_reconciliation.complete_at  # the walk goes on
    world.run(1200)
    assert list(world.store.attempts) == ["early-sq-1"]
    assert world.store.last_reconciliation.listed_until is not None
    assert world.clock.now() - world.store.last_reconciliation.listed_until < timedelta(minutes=20)


@pytest.mark.parametrize(
    ("operation", "error"), [("request", BodyUnavailable("s3")), ("adopt", StaleJob())], ids=["S3 is down", "overtaken"]
)
def test_an_attempt_that_cannot_be_adopted_now_delays_no_other_and_is_adopted_later(
    operation: str, error: SchedulerError, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = SimulatedQueue(budget="ml.m5.large=2", durations={"lost": 3000, "other": 60})
    world.run(600)
    world.submit("lost")
    backup = world.store.copy()
    world.run(300)
    restore(world, backup)
    known, refusing = getattr(MemoryStore, operation), True

    def refuses(store: MemoryStore, first: Any, *more: Any) -> Any:
        if refusing and "lost" in (first, getattr(first, "name", "")):
            raise error
        return known(store, first, *more)

    monkeypatch.setattr(MemoryStore, operation, refuses)
    world.submit("other", priority=1)
    world.run(300)
    assert world.job("other").status.state is JobState.COMPLETED
    refusing = False
    world.run(300)
    assert (world.job("lost").status.state, world.job("lost").status.attempts) == (JobState.RUNNING, 1)


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_cycle_killed_while_it_adopts_adopts_in_the_next(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    world = SimulatedQueue(budget="ml.m5.large=1", durations={"job": 3000})
    world.run(600)
    world.submit("job")
    backup = world.store.copy()
    world.run(600)
    restore(world, backup)
    calls = 0

    def dies(*_: object) -> None:
        nonlocal calls
        calls += 1
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(MemoryStore, ["adopt", "save_reconciliation_state", "reconciliation_state"][at - 1], dies)
        world.cycle(sweep=True)
    assert calls == 1
    world.run(300)
    assert (world.job("job").status.state, world.job("job").status.attempts) == (JobState.RUNNING, 1)


def test_a_pool_left_since_the_backup_holds_budget_until_it_ends() -> None:
    world = SimulatedQueue(
        configuration={"pools": pool_rules("ml.m5.large", "reuse", keep="30m")},
        budget="ml.m5.large=1",
        durations={"warm": 60, "next": 60},
    )
    world.run(600)
    resources = request("warm")["ResourceConfig"] | {"KeepAlivePeriodInSeconds": 1800}
    backup = world.store.copy()
    world.submit("warm", ResourceConfig=resources)
    world.run(600)
    restore(world, backup)
    world.submit("next")
    world.run(300)
    assert (world.job("next").status.state, list(world.store.last_reconciliation.unmanaged)) == (
        JobState.PENDING,
        ["warm-sq-1"],
    )
    world.run_until_empty()
    assert world.job("next").status.state is JobState.COMPLETED
