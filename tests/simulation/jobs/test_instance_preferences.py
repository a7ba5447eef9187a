"""Jobs with InstancePreferences: all types are reserved until SageMaker has selected one."""

from dataclasses import replace
from math import inf
from typing import Any

import pytest

from scheduler.core.jobs.demand import NOTHING, Demand, total
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.errors.refusals import BadRequest, RuleViolated
from simulation.capacity.test_shortages import a_drought, rain
from support.account.simulated_queue import ADA, SimulatedQueue
from support.builders.pool_rules import pool_rules
from support.builders.rules import a_rule, rule_set

BIG, SMALL = "ml.g5.12xlarge", "ml.g5.4xlarge"
BUDGET = f"{BIG}=1,{SMALL}=4"
BOTH = Demand.of({BIG: 1, SMALL: 4})
ONE_BIG, FOUR_SMALL = Demand.of({BIG: 1}), Demand.of({SMALL: 4})


def preferring(world: SimulatedQueue, name: str, *, big: int = 1, small: int = 4, **more: Any) -> None:
    counts = {BIG: big, SMALL: small}
    preferences = [{"InstanceType": kind, "InstanceCount": count} for kind, count in counts.items() if count]
    world.submit(name, ResourceConfig={"InstancePreferences": preferences, "VolumeSizeInGB": 1, **more})


def reserved(world: SimulatedQueue) -> Demand:
    pools = (pool.demand for pool in world.store.warm_pools.values())
    return total([*(attempt.demand for attempt in world.store.attempts.values()), *pools])


def test_all_preferences_are_reserved_until_sagemaker_has_selected_one() -> None:
    world = SimulatedQueue(budget=BUDGET)
    a_drought(world, kind=BIG, fails_after=inf)
    a_drought(world, kind=SMALL, fails_after=inf)
    preferring(world, "resnet")
    world.run(300)
    assert reserved(world) == BOTH


def test_what_was_not_selected_is_free_for_others() -> None:
    world = SimulatedQueue(budget=BUDGET, durations={"resnet": 3600})
    a_drought(world, kind=BIG)
    preferring(world, "resnet")
    world.run(180)
    assert reserved(world) == FOUR_SMALL
    rain(world, BIG)
    world.submit("next", kind=BIG)
    world.run(10)
    assert reserved(world) == BOTH


def test_the_record_says_what_was_selected_and_so_does_the_history() -> None:
    world = SimulatedQueue(budget=BUDGET, durations={"resnet": 600})
    a_drought(world, kind=BIG)
    preferring(world, "resnet")
    world.run(180)
    running = world.job("resnet")
    assert (running.runs_on, running.status.reason.message) == (FOUR_SMALL, f"SageMaker selected 4 × {SMALL}")
    world.run_until(lambda: world.job("resnet").is_finished)
    assert [past.selected for past in world.job("resnet").status.history] == [FOUR_SMALL]
    assert world.job("resnet").runs_on == FOUR_SMALL
    assert reserved(world) == NOTHING


def test_a_job_that_ended_before_the_first_poll_shows_it_too() -> None:
    world = SimulatedQueue(budget=BUDGET, durations={"resnet": 1})
    preferring(world, "resnet")
    world.run_until(lambda: world.job("resnet").is_finished)
    assert [past.selected for past in world.job("resnet").status.history] == [ONE_BIG]
    assert world.job("resnet").runs_on == ONE_BIG


def test_the_next_attempt_reserves_all_of_them_again() -> None:
    world = SimulatedQueue(budget=f"{BIG}=1,{SMALL}=4", durations={"resnet": 3600, "urgent": 600})
    preferring(world, "resnet")
    world.run(180)
    world.submit("urgent", 9, kind=BIG)
    world.run_until(lambda: world.job("urgent").is_finished)
    world.run(1)
    assert world.job("resnet").status.attempts == 2
    assert reserved(world) == BOTH
    world.run(180)
    assert reserved(world) == ONE_BIG


def test_what_was_selected_but_not_reserved_frees_nothing() -> None:
    world = SimulatedQueue(budget=BUDGET, durations={"resnet": 3600})
    preferring(world, "resnet")
    world.run(10)
    attempt = world.store.attempts["resnet-sq-1"]
    world.store.attempts[attempt.name] = replace(attempt, demand=FOUR_SMALL)
    world.run(180)
    assert reserved(world) == FOUR_SMALL


def test_a_victim_is_chosen_for_what_it_really_holds() -> None:
    world = SimulatedQueue(budget=BUDGET, durations={"resnet": 3600})
    preferring(world, "resnet")
    world.run(180)
    world.submit("urgent", 9, kind=SMALL)
    world.run(60)
    assert world.job("resnet").status.state is JobState.RUNNING
    assert world.job("urgent").is_live


def test_the_worst_case_has_to_be_in_the_budget() -> None:
    world = SimulatedQueue(budget=BUDGET)
    with pytest.raises(BadRequest) as refusal:
        preferring(world, "resnet", big=2)
    assert refusal.value.field == "ResourceConfig.InstancePreferences"


def test_every_preference_has_to_be_allowed() -> None:
    world = SimulatedQueue(budget=BUDGET)
    world.configure(rules=rule_set(a_rule("instance_types", allowed=[BIG])))
    with pytest.raises(RuleViolated) as refusal:
        preferring(world, "resnet")
    fields = [violation.field for violation in refusal.value.violations]
    assert fields == ["ResourceConfig.InstancePreferences[1].InstanceType"]


def test_the_most_that_may_be_selected_counts_against_a_rule_on_counts() -> None:
    world = SimulatedQueue(budget=BUDGET)
    world.configure(rules=rule_set(a_rule("instances_per_job", most=4)))
    preferring(world, "resnet")
    world.configure(rules=rule_set(a_rule("instances_per_job", most=3)))
    with pytest.raises(BadRequest, match="The job uses 4 instances"):
        preferring(world, "bert")


@pytest.mark.parametrize("small", [0, 4])
def test_no_pool_is_left(small: int) -> None:
    world = SimulatedQueue(
        budget=BUDGET, durations={"resnet": 60}, configuration={"pools": pool_rules(BIG, "reuse", keep="5m")}
    )
    preferring(world, "resnet", small=small, KeepAlivePeriodInSeconds=300)
    world.run_until(lambda: world.job("resnet").is_finished)
    assert reserved(world) == NOTHING


def test_a_shortage_of_one_type_is_no_reason_to_wait() -> None:
    world = SimulatedQueue(budget=f"{BIG}=2,{SMALL}=4", durations={"resnet": 3600})
    a_drought(world, kind=BIG)
    world.submit("alone", kind=BIG)
    world.run(30)
    preferring(world, "resnet")
    world.run(30)
    assert world.job("resnet").is_live
    assert world.queries.get("alone", ADA)[0].reason.code is ReasonCode.WAITS_FOR_CAPACITY


def test_instances_of_the_other_type_do_not_end_the_shortage_of_the_first() -> None:
    world = SimulatedQueue(budget=f"{BIG}=2,{SMALL}=4", durations={"resnet": 3600})
    a_drought(world, kind=BIG)
    world.submit("alone", kind=BIG)
    world.run(30)
    preferring(world, "resnet")
    world.run(180)
    assert [known.location.instance_type for known in world.store.capacity().shortages] == [BIG]


def test_an_attempt_that_found_no_instances_reports_all_locations() -> None:
    world = SimulatedQueue(budget=BUDGET)
    a_drought(world, kind=BIG)
    a_drought(world, kind=SMALL)
    preferring(world, "resnet")
    world.run(30)
    assert {known.location.instance_type for known in world.store.capacity().shortages} == {BIG, SMALL}
    assert world.queries.get("resnet", ADA)[0].reason.code is ReasonCode.WAITS_FOR_CAPACITY
