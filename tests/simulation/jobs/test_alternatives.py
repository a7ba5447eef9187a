"""Jobs with alternatives: the one that they start with, and when they switch to another."""

from dataclasses import dataclass
from math import inf
from typing import Any

import pytest

from local_sagemaker.simulation import Workload
from local_sagemaker.state_machine.capacity import Shortage
from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.errors.refusals import BadRequest
from scheduler.queue.explanations import ForecastReader
from scheduler.queue.submission import Submission
from scheduler.queue.warm_pools import WarmPoolReader
from simulation.guardrails.test_controls import set_budget
from support.account.simulated_queue import ADA, SimulatedQueue, request
from support.builders.pool_rules import pool_rules
from support.builders.rules import a_rule, rule_set

BIG, SMALL = "ml.g5.12xlarge", "ml.g5.4xlarge"
BUDGET = f"{BIG}=1,{SMALL}=4"
FOUR_SMALL: dict[str, Any] = {
    "ResourceConfig": {"InstanceType": SMALL, "InstanceCount": 4},
    "HyperParameters": {"batch-size": "16"},
}


def submit(
    world: SimulatedQueue, name: str, *alternatives: dict[str, Any], priority: int = 0, wait: int = 0, **more: Any
) -> None:
    """A job for the big instance, with alternatives."""
    given = [{"request": one, "wait_for_better": wait} for one in alternatives]
    body = request(name, priority, kind=BIG, HyperParameters={"batch-size": "64", "epochs": "3"}, **more)
    world.queue.submit(Submission(body, {"alternatives": given}), ADA)


def lack(world: SimulatedQueue, kind: str, *, fails_after: float = 0) -> None:
    world.simulation.machine.set_shortage(kind, Shortage(inf, fails_after), world.simulation.now)


def rain(world: SimulatedQueue, kind: str) -> None:
    world.simulation.machine.set_shortage(kind, Shortage(world.simulation.now), world.simulation.now)


def types_of(world: SimulatedQueue, name: str) -> list[str]:
    """Returns the instance types of all attempts of the job."""
    jobs = world.simulation.machine.jobs.values()
    return [job.request["ResourceConfig"]["InstanceType"] for job in jobs if job.name.startswith(f"{name}-sq-")]


def test_the_request_itself_is_the_first_choice() -> None:
    world = SimulatedQueue(budget=BUDGET)
    submit(world, "resnet", FOUR_SMALL)
    world.run(10)
    assert types_of(world, "resnet") == [BIG]


def test_the_second_choice_is_taken_where_the_first_is_not_free() -> None:
    world = SimulatedQueue(budget=BUDGET)
    submit(world, "first", FOUR_SMALL)
    submit(world, "second", FOUR_SMALL)
    world.run(120)
    assert types_of(world, "second") == [SMALL]
    assert world.job("second").status.state is JobState.RUNNING
    sent = world.simulation.machine.jobs["second-sq-1"].request
    assert sent["ResourceConfig"]["InstanceCount"] == 4
    assert sent["HyperParameters"] == {"batch-size": "16", "epochs": "3"}


def test_a_better_choice_is_waited_for_as_long_as_the_user_says() -> None:
    world = SimulatedQueue(budget=BUDGET, durations={"first": 3600})
    world.submit("first", kind=BIG)
    submit(world, "second", FOUR_SMALL, wait=600)
    world.run(540)
    assert world.job("second").status.state is JobState.PENDING
    world.run(180)
    assert types_of(world, "second") == [SMALL]


def test_a_shortage_moves_a_job_to_its_second_choice_and_later_jobs_return_to_the_first() -> None:
    world = SimulatedQueue(budget=BUDGET, durations={"resnet": 1200})
    lack(world, BIG)
    submit(world, "resnet", FOUR_SMALL)
    world.run(60)
    assert types_of(world, "resnet") == [BIG, SMALL]
    rain(world, BIG)
    world.run_until(lambda: world.job("resnet").is_finished)
    submit(world, "bert", FOUR_SMALL)
    world.run(60)
    assert types_of(world, "bert") == [BIG]
    assert [past.choice for past in world.job("resnet").status.history] == [0, 1]


def test_an_attempt_that_waits_long_in_sagemaker_gives_way_to_another_choice() -> None:
    world = SimulatedQueue(budget=BUDGET)
    lack(world, BIG, fails_after=inf)
    submit(world, "resnet", FOUR_SMALL)
    world.run(900)
    assert types_of(world, "resnet") == [BIG, SMALL]
    past = world.job("resnet").status.history[0]
    assert (past.outcome, past.choice) == (Outcome.REQUEUED, 0)


def test_an_attempt_does_not_give_way_to_a_choice_that_the_budget_of_the_time_lacks() -> None:
    world = SimulatedQueue(budget=BUDGET)
    lack(world, BIG, fails_after=inf)
    submit(world, "resnet", FOUR_SMALL)
    set_budget(world, f"{BIG}=1")
    world.run(3600)
    assert types_of(world, "resnet") == [BIG]


def test_an_attempt_does_not_give_way_to_a_choice_that_breaks_a_rule() -> None:
    world = SimulatedQueue(budget=BUDGET)
    lack(world, BIG, fails_after=inf)
    submit(world, "resnet", FOUR_SMALL)
    world.configure(rules=rule_set(a_rule("instances_per_job", most=3)))
    world.run(3600)
    assert types_of(world, "resnet") == [BIG]


def test_a_pool_is_compared_as_the_choice_that_left_it() -> None:
    priced = "ml.g5.xlarge"
    rules = pool_rules(priced, "hold", keep="30m", dollars=50)
    world = SimulatedQueue(
        budget=f"{BIG}=1,{priced}=2",
        configuration={"pools": rules},
        durations={"blocker": 9000, "warm": 60, "next": 9000},
    )
    world.submit("blocker", kind=BIG)
    submit(world, "warm", {"ResourceConfig": {"InstanceType": priced, "InstanceCount": 1}})
    world.run(600)
    snapshot_reader = world.scheduler.services.snapshot_reader
    kept = WarmPoolReader(snapshot_reader, world.store, world.store, world.store, world.clock)
    assert [pool.match["ResourceConfig.InstanceType"] for pool in kept.now()] == [priced]
    resources = request("next", kind=priced)["ResourceConfig"] | {"VolumeSizeInGB": 77}
    world.submit("next", kind=priced, ResourceConfig=resources)
    misfits = kept.misfits(world.job("next"), lambda _owner: True)
    assert [misfit.fields for misfit in misfits] == [("ResourceConfig.VolumeSizeInGB",)]


def test_without_another_choice_it_waits_on() -> None:
    world = SimulatedQueue(budget=BUDGET)
    lack(world, BIG, fails_after=inf)
    world.submit("resnet", kind=BIG)
    world.run(3600)
    assert types_of(world, "resnet") == [BIG]


def test_a_preempted_job_may_go_on_with_another_choice() -> None:
    world = SimulatedQueue(budget=BUDGET, durations={"urgent": 3600})
    submit(world, "resnet", FOUR_SMALL)
    world.run(120)
    world.submit("urgent", 5, kind=BIG)
    world.run(300)
    assert types_of(world, "resnet") == [BIG, SMALL]
    assert world.job("resnet").status.history[0].outcome is Outcome.PREEMPTED


def test_others_are_stopped_for_the_first_open_choice_only() -> None:
    world = SimulatedQueue(budget=BUDGET, durations={"big": 3600, "small": 3600})
    world.submit("big", kind=BIG)
    world.submit("small", kind=SMALL, instances=4)
    world.run(120)
    submit(world, "urgent", FOUR_SMALL, priority=5)
    world.run(300)
    assert types_of(world, "urgent") == [BIG]
    assert world.job("small").status.preemptions == 0


def test_a_rule_of_today_closes_a_choice_and_parks_a_job_only_without_another() -> None:
    world = SimulatedQueue(budget=BUDGET, durations={"blocker": 600})
    world.submit("blocker", kind=BIG)
    world.submit("blocker2", kind=SMALL, instances=1)
    submit(world, "resnet", FOUR_SMALL)
    world.run(60)
    world.configure(rules=rule_set(a_rule("instance_types", allowed=[SMALL])))
    world.run_until(lambda: world.job("resnet").status.state is JobState.RUNNING)
    assert types_of(world, "resnet") == [SMALL]
    assert world.job("resnet").status.reason.code is ReasonCode.RUNNING


def test_a_job_whose_alternative_exceeds_the_present_budget_delays_no_other() -> None:
    world = SimulatedQueue(budget=f"{BIG}=2,{SMALL}=4", durations={"blocker": 120, "behind": 60})
    world.submit("blocker", 9, kind=BIG, instances=2)
    world.submit("behind", kind=BIG)
    other = {"request": {"ResourceConfig": {"InstanceType": SMALL, "InstanceCount": 1}}, "wait_for_better": 86400}
    world.queue.submit(Submission(request("picky", 5, kind=BIG, instances=2), {"alternatives": [other]}), ADA)
    world.run(60)
    world.configure(rules=rule_set(a_rule("instances_per_job", most=1)))
    set_budget(world, f"{BIG}=2")
    world.run(1200)
    assert world.job("behind").status.state is JobState.COMPLETED
    assert world.job("picky").status.state is JobState.PENDING


def test_a_job_whose_only_free_choice_a_rule_refuses_is_said_to_wait() -> None:
    world = SimulatedQueue(budget=BUDGET, durations={"blocker": 6000})
    world.submit("blocker", 9, kind=BIG)
    world.run(60)
    world.submit("other", 8, kind=SMALL, instances=4)
    submit(world, "picky", FOUR_SMALL)
    world.run(60)
    world.configure(rules=rule_set(a_rule("instances_per_job", most=3)))
    world.run_until(lambda: world.job("other").status.state is JobState.COMPLETED)
    world.run(120)
    job, (shown,) = (
        world.job("picky"),
        world.queries.list(JobFilter(frozenset({JobState.PENDING})), 10, None, ADA).job_statuses,
    )
    explained = ForecastReader(world.queue.snapshot_reader, world.choice_check, world.store, world.clock).of(job)
    assert explained is not None
    assert job.status.state is JobState.PENDING
    assert (explained.reason.code, explained.waits_for) == (ReasonCode.WAITS_FOR_BUDGET, ("blocker",))
    assert shown.reason.code is ReasonCode.WAITS_FOR_BUDGET


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"ResourceConfig": {"InstanceType": "ml.p5.48xlarge"}}, "request.ResourceConfig.InstanceType"),
    ({"ResourceConfig": {"InstanceType": SMALL, "InstanceCount": 5}}, "request.ResourceConfig.InstanceCount"),
    ({"ResourceConfig": {"InstanceKind": SMALL}}, "request.ResourceConfig.InstanceKind"),
    ({"ResourceConfig": {"InstanceType": BIG}}, "request"),
    ({"RoleArn": "arn:aws:iam::1:role/other"}, "request.RoleArn"),
    ({"HyperParameters": "none"}, "request.HyperParameters"),
    ({}, "request"),
]


@pytest.mark.parametrize(("changes", "field"), REFUSED)
def test_an_alternative_that_cannot_run_is_refused_with_its_field(changes: dict[str, Any], field: str) -> None:
    world = SimulatedQueue(budget=BUDGET)
    with pytest.raises(BadRequest) as refused:
        submit(world, "resnet", FOUR_SMALL, changes)
    assert refused.value.field == f"options.alternatives[1].{field}"
    assert world.store.jobs == {}


def test_a_rule_against_an_alternative_refuses_the_job() -> None:
    world = SimulatedQueue(budget=BUDGET)
    world.configure(rules=rule_set(a_rule("instances_per_job", most=3)))
    with pytest.raises(BadRequest) as refused:
        submit(world, "resnet", FOUR_SMALL)
    assert refused.value.details["violations"][0]["field"].startswith("options.alternatives[0].request.")  # type: ignore[index] # as the contract has it


def test_a_later_alternative_cannot_be_taken_before_a_better_one() -> None:
    given = [{"request": FOUR_SMALL, "wait_for_better": 600}, {"request": {"HyperParameters": {"a": "b"}}}]
    with pytest.raises(BadRequest) as refused:
        SimulatedQueue(budget=BUDGET).queue.submit(
            Submission(request("resnet", kind=BIG), {"alternatives": given}), ADA
        )
    assert refused.value.field == "options.alternatives[1].wait_for_better"


def test_the_same_alternatives_again_are_the_same_job_and_others_are_not() -> None:
    world = SimulatedQueue(budget=BUDGET)
    submit(world, "resnet", FOUR_SMALL)
    submit(world, "resnet", FOUR_SMALL)
    with pytest.raises(BadRequest, match="resnet"):
        submit(world, "resnet", FOUR_SMALL, wait=60)


def test_alternatives_and_preferences_exclude_each_other() -> None:
    preferences = [{"InstanceType": BIG, "InstanceCount": 1}]
    body = request("resnet", ResourceConfig={"InstancePreferences": preferences, "VolumeSizeInGB": 1})
    with pytest.raises(BadRequest) as refusal:
        SimulatedQueue(budget=BUDGET).queue.submit(Submission(body, {"alternatives": [{"request": FOUR_SMALL}]}), ADA)
    assert refusal.value.field == "ResourceConfig.InstancePreferences"


@dataclass
class LittleMemory(SimulatedQueue):
    """A world in which programs run out of memory on one type."""

    too_small: str = BIG

    def _course(self, body: dict[str, Any]) -> Workload:
        kind = body["ResourceConfig"]["InstanceType"]
        return Workload(trains=300, exit_code=137 if kind == self.too_small else 0)


def test_a_job_that_ran_out_of_memory_continues_on_another_type() -> None:
    world = LittleMemory(budget=BUDGET)
    submit(world, "resnet", FOUR_SMALL)
    world.run_until_empty()
    job = world.job("resnet")
    assert (types_of(world, "resnet"), job.status.state) == ([BIG, SMALL], JobState.COMPLETED)
    assert [ended.choice for ended in job.status.history] == [0, 1]
    assert job.status.history[0].action == f"retried on instances of another type: 1 × {BIG} had too little memory"


def test_a_job_without_memory_that_the_rules_keep_on_its_type_ends() -> None:
    world = LittleMemory(budget=BUDGET)
    submit(world, "resnet", FOUR_SMALL)
    world.run(120)
    world.configure(rules=rule_set(a_rule("instance_types", allowed=[BIG])))
    world.run_until_empty()
    assert (types_of(world, "resnet"), world.job("resnet").status.state) == ([BIG, BIG], JobState.FAILED)


def test_a_job_avoids_spot_where_interruptions_make_it_more_expensive_than_on_demand() -> None:
    on_spot, on_demand = ([f"{where}{number}" for number in range(6)] for where in ("spot", "other"))
    world = SimulatedQueue(budget=f"{BIG}=12", durations=dict.fromkeys([*on_spot, *on_demand], 1800))
    waits = {"MaxRuntimeInSeconds": 3600, "MaxWaitTimeInSeconds": 7200}
    spot: dict[str, Any] = {"kind": BIG, "EnableManagedSpotTraining": True, "StoppingCondition": waits}
    for name in on_spot:  # without the interval, nobody would know what an interruption costs
        world.submit(name, **spot, Tags=[{"Key": "queue:checkpoint-interval", "Value": "1800"}])
    for name in on_demand:
        world.submit(name, kind=BIG)
    world.run(900)
    for name in on_spot:
        world.simulation.interrupt(f"{name}-sq-1")
    world.run_until_empty()
    alternative = {"request": {"EnableManagedSpotTraining": False}}
    for name, order in (("as-given", "given"), ("ranked", "best")):
        world.queue.submit(Submission(request(name, **spot), {"alternatives": [alternative], "order": order}), ADA)
    world.run(10)
    assert (world.job("as-given").spec.choice, world.job("ranked").spec.choice) == (0, 1)
