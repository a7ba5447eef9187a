"""After a change to rules or permissions, waiting jobs are judged again before they keep instances from others."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.cycle import queue_judge
from scheduler.queue.submission import Submission
from support.account.simulated_queue import ADA, TIME_LEFT, SimulatedQueue, request
from support.builders.rules import a_rule, rule_set

NARROW = rule_set(a_rule("instances_per_job", most=3))
LONG = {"runs": 5000.0}
PATIENT = {"policy": {"preemptions_per_job": 0, "patience": "1d"}}


def states(world: SimulatedQueue) -> dict[str, JobState]:
    return {name: job.status.state for name, job in world.store.jobs.items()}


def test_the_next_cycle_parks_a_job_that_newer_rules_refuse_and_starts_the_one_behind() -> None:
    world = SimulatedQueue(budget="ml.m5.large=4", durations=LONG, configuration=PATIENT)
    world.submit("runs")
    world.run(10)
    world.submit("wide", 5, instances=4)
    world.submit("behind", instances=3)
    world.run(10)
    assert states(world) == {"runs": JobState.RUNNING, "wide": JobState.PENDING, "behind": JobState.PENDING}
    world.configure(rules=NARROW)
    world.cycle()
    assert states(world) == {"runs": JobState.RUNNING, "wide": JobState.PARKED, "behind": JobState.RUNNING}
    assert world.job("wide").status.reason.code is ReasonCode.RULE_VIOLATED


def test_a_job_that_comes_back_to_the_queue_keeps_no_instances_that_newer_rules_deny_it() -> None:
    world = SimulatedQueue(budget="ml.m5.large=4", durations=LONG, configuration=PATIENT)
    world.submit("runs")
    world.run(10)
    world.submit("wide", 5, instances=4)
    world.control.hold("wide", ADA)
    world.configure(rules=NARROW)
    world.cycle()  # judges the jobs that wait: this one does not
    world.control.release("wide", ADA)
    world.submit("behind", instances=3)
    world.cycle()
    assert states(world) == {"runs": JobState.RUNNING, "wide": JobState.PARKED, "behind": JobState.RUNNING}


def test_nobody_is_preempted_for_a_job_that_newer_rules_refuse() -> None:
    world = SimulatedQueue(budget="ml.m5.large=4")
    world.submit("runs", instances=2)
    world.run(10)
    world.submit("wide", 5, instances=4)
    world.configure(rules=NARROW)
    world.cycle()
    assert states(world) == {"runs": JobState.RUNNING, "wide": JobState.PARKED}


def test_a_job_with_an_alternative_that_newer_rules_allow_takes_it_at_once() -> None:
    world = SimulatedQueue(budget="ml.m5.large=4", durations=LONG, configuration=PATIENT)
    world.submit("runs", instances=2)
    world.run(10)
    resources = {"InstanceType": "ml.m5.large", "InstanceCount": 2, "VolumeSizeInGB": 1}
    alternatives = [{"request": {"ResourceConfig": resources}, "wait_for_better": 86_400}]
    world.queue.submit(Submission(request("wide", 5, instances=4), {"alternatives": alternatives}), ADA)
    world.run(10)
    world.configure(rules=NARROW)
    world.cycle()
    assert (world.job("wide").status.state, world.job("wide").spec.choice) == (JobState.RUNNING, 1)


def test_a_job_waits_while_the_budget_is_too_small_for_one_choice_and_rules_refuse_the_other() -> None:
    world = SimulatedQueue(budget="ml.m5.large=2,ml.c5.xlarge=4", durations=LONG, configuration=PATIENT)
    world.submit("runs")
    world.run(10)
    resources = {"InstanceType": "ml.c5.xlarge", "InstanceCount": 4, "VolumeSizeInGB": 1}
    alternatives = [{"request": {"ResourceConfig": resources}, "wait_for_better": 60}]
    world.queue.submit(Submission(request("either", instances=2), {"alternatives": alternatives}), ADA)
    world.store.write(replace(world.store.read(), budget=Budget.parse("ml.m5.large=1,ml.c5.xlarge=4")), by="api")
    world.configure(rules=NARROW)
    world.run(300)
    assert states(world) == {"runs": JobState.RUNNING, "either": JobState.PENDING}
    world.configure(rules=rule_set())
    world.run(300)
    assert (world.job("either").status.state, world.job("either").spec.choice) == (JobState.RUNNING, 1)


def test_a_job_that_comes_back_is_parked_if_rules_refuse_a_choice_and_the_one_that_the_budget_never_fits() -> None:
    world = SimulatedQueue(budget="ml.m5.large=4,ml.c5.xlarge=4", configuration=PATIENT)
    resources = {"InstanceType": "ml.c5.xlarge", "InstanceCount": 4, "VolumeSizeInGB": 1}
    alternatives = [{"request": {"ResourceConfig": resources}}]
    world.queue.submit(Submission(request("either", instances=4), {"alternatives": alternatives}), ADA)
    world.control.hold("either", ADA)
    world.store.write(replace(world.store.read(), budget=Budget.parse("ml.m5.large=4,ml.c5.xlarge=1")), by="api")
    world.configure(rules=NARROW)
    world.cycle()  # judges the jobs that wait: this one does not
    world.control.release("either", ADA)
    world.cycle()
    assert world.job("either").status.state is JobState.PARKED
    assert world.job("either").status.reason.code is ReasonCode.RULE_VIOLATED


def test_every_waiting_job_is_judged_however_many_a_cycle_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_judge, "MOST_JUDGED", 20)
    monkeypatch.setattr(queue_judge, "_PAGE", 10)
    world = SimulatedQueue(budget="ml.m5.large=4", durations=LONG, configuration=PATIENT)
    world.submit("runs")
    world.run(10)
    for number in range(50):
        world.submit(f"job-{number:02}", instances=4 if number % 2 else 2)
    world.cycle()
    world.configure(rules=NARROW)
    parked = []
    for _ in range(4):
        world.cycle()
        parked.append(sum(state is JobState.PARKED for state in states(world).values()))
    assert parked[-1] == 25
    assert parked[0] < parked[1] < parked[2] == parked[3]
    assert world.store.judged_queue.is_complete


def test_a_queue_that_was_judged_is_not_read_again() -> None:
    world = SimulatedQueue(budget="ml.m5.large=4", durations=LONG, configuration=PATIENT)
    world.submit("runs")
    world.configure(rules=NARROW)
    world.cycle()
    judged = world.store.judged_queue
    world.configure(notices={"owners": ["failed"]})
    world.cycle()
    assert (world.store.judged_queue, judged.is_complete) == (judged, True)
    world.configure(shares={"all": {"members": ["*"], "weight": 2}})
    world.cycle()
    assert world.store.judged_queue.digest != judged.digest


def test_a_cycle_without_time_judges_in_the_next_one() -> None:
    world = SimulatedQueue(budget="ml.m5.large=4", durations=LONG, configuration=PATIENT)
    world.submit("runs", instances=4)
    world.cycle()
    world.submit("wide", instances=4)
    world.configure(rules=NARROW)
    world.scheduler.run_cycle(timedelta(0), sweep=False)
    assert states(world)["wide"] is JobState.PENDING
    world.scheduler.run_cycle(TIME_LEFT, sweep=False)
    assert states(world)["wide"] is JobState.PARKED


def test_an_explanation_is_true_after_one_cycle() -> None:
    world = SimulatedQueue(budget="ml.m5.large=4", durations=LONG, configuration=PATIENT)
    world.submit("runs", instances=2)
    world.run(10)
    world.submit("wide", 5, instances=4)
    world.submit("behind", instances=3)
    world.run(10)
    world.configure(rules=NARROW)
    world.cycle()
    positions = world.store.positions([world.job("behind")], 10)
    assert positions == {"behind": 1}
    assert world.store.is_first(world.job("behind"))
