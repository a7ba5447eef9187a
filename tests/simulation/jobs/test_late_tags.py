"""SageMaker lists the tags of a new training job late: an attempt whose Create had no answer is still the queue's."""

from typing import Any

import pytest

from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job_state import JobState
from scheduler.core.reconciliation.reconciliation_state import BudgetScope
from scheduler.core.reconciliation.unmanaged_job import GuardMode
from support.account.simulated_queue import ADA, SimulatedQueue, request
from support.builders.rules import a_rule, rule_set
from support.faults.scripted_faults import ScriptedCalls, says_that_the_quota_is_full, takes_effect_and_times_out

LATE = Behaviour(unknowns=Unknowns(tagged_after_seconds=240.0))


def a_queue(*script: Any, **more: Any) -> SimulatedQueue:
    faults = {"wrapped_port": "training", "fault_point": ScriptedCalls("create", [*script])}
    return SimulatedQueue(**{"behaviour": LATE, "durations": {"job": 3000}, **faults, **more})


@pytest.mark.parametrize("scope", BudgetScope)
@pytest.mark.parametrize(
    "then", [[], [says_that_the_quota_is_full] * 9], ids=["the name is taken", "the quota is full"]
)
def test_a_lost_create_whose_tags_are_late_is_confirmed_and_not_launched_again(
    then: list[Any], scope: BudgetScope
) -> None:
    world = a_queue(takes_effect_and_times_out, *then, scope=scope)
    world.submit("job")
    world.run(200)
    assert world.job("job").status.state is JobState.LAUNCHING
    world.run(600)
    assert (world.job("job").status.state, world.job("job").status.attempts) == (JobState.RUNNING, 1)
    assert world.simulation.machine.jobs.keys() == {"job-sq-1"}
    assert world.store.last_reconciliation.unmanaged == {}
    world.run_until_empty()
    assert world.job("job").status.state is JobState.COMPLETED


def test_a_name_that_another_took_meanwhile_is_given_up_after_some_minutes() -> None:
    """Their training job equals the attempt in all but its tags."""

    def taken(_call: Any, request: dict[str, Any]) -> None:
        world.squatted.add("job-sq-1")
        world.client.create_training_job(**{**request, "Tags": []})
        takes_effect_and_times_out(_call, request)

    world = a_queue(taken)
    world.submit("job")
    world.run(200)
    assert world.job("job").status.state is JobState.LAUNCHING
    world.run(400)
    assert (world.job("job").status.state, world.job("job").status.attempts) == (JobState.RUNNING, 2)


@pytest.mark.parametrize(
    "difference", [{"RoleArn": "arn:aws:iam::000000000000:role/Other"}, {"Tags": [{"Key": "priority", "Value": "9"}]}]
)
def test_a_training_job_that_contradicts_the_request_is_known_at_once(difference: dict[str, Any]) -> None:
    def taken(_call: Any, request: dict[str, Any]) -> None:
        world.squatted.add("job-sq-1")
        world.client.create_training_job(**{**request, **difference})
        takes_effect_and_times_out(_call, request)

    world = a_queue(taken, behaviour=Behaviour())
    world.submit("job")
    world.run(60)
    assert (world.job("job").status.state, world.job("job").status.attempts) == (JobState.RUNNING, 2)


@pytest.mark.parametrize("scope", BudgetScope)
def test_a_lost_attempt_whose_tags_are_late_is_adopted_once_they_are_listed(scope: BudgetScope) -> None:
    world = a_queue(budget="ml.m5.large=2", scope=scope)
    world.run(290)
    world.submit("job")
    world.control.hold("job", caller=ADA)
    backup = world.store.copy()
    world.control.release("job", caller=ADA)
    world.cycle()
    assert [*world.store.attempts] == ["job-sq-1"]
    vars(world.store).update(vars(backup))
    world.run(120)
    assert (world.job("job").status.state, [*world.store.attempts]) == (JobState.HELD, [])
    assert world.store.last_reconciliation.unmanaged == {"job-sq-1": Demand.of({"ml.m5.large": 1})}
    world.run(600)
    assert (world.job("job").status.state, [*world.store.attempts]) == (JobState.RUNNING, ["job-sq-1"])
    assert world.store.last_reconciliation.unmanaged == {}


@pytest.mark.parametrize("scope", BudgetScope)
def test_anothers_new_training_job_without_tags_holds_its_instances_at_once_and_is_checked_later(
    scope: BudgetScope,
) -> None:
    world = a_queue(
        budget="ml.m5.large=2", scope=scope, guard=GuardMode.WARN, deliver_events=False, durations={"theirs": 9000}
    )
    world.configure(rules=rule_set(a_rule("required_tags", tags={"team": {}})))
    world.run(290)
    world.squatted.add("theirs-sq-1")
    world.client.create_training_job(**request("theirs-sq-1") | {"Tags": []})
    world.run(120)
    assert world.store.last_reconciliation.held == Demand.of({"ml.m5.large": 1})
    world.run(900)
    kept = {BudgetScope.ACCOUNT: {"ml.m5.large": 1}, BudgetScope.QUEUE: {}}
    assert world.store.last_reconciliation.held.as_dict() == kept[scope]
    assert [finding.name for finding in world.foreign.findings(9)] == ["theirs-sq-1"]
