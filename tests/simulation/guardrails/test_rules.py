"""Rules are checked at submission, and again before a job starts."""

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from scheduler.admission.admission import Admission
from scheduler.admission.authorization import Authorization
from scheduler.core.documents.document import Document
from scheduler.core.jobs.job import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.cycle.scheduler import Scheduler
from scheduler.errors.internal import BodyUnavailable
from scheduler.errors.refusals import RuleViolated
from scheduler.queue.submission import Submission
from support.account.simulated_queue import ADA, SimulatedQueue, request
from support.builders.callers import ACCOUNT, a_callers_document, an_entry, callers_without_document
from support.builders.rules import a_document, a_rule

ISOLATED = a_rule("network_isolation")
SMALL = a_rule("instances_per_job", most=1)
CEILING = a_rule("priority_ceiling", at_most=5)


def set_rules(world: SimulatedQueue, text: str) -> None:
    latest = world.rules.latest()
    version = latest.version + 1 if latest else 1
    world.rules.add(Document(version, text, "ada", world.clock.now()), by="api")


def a_world(*rules: dict[str, Any]) -> SimulatedQueue:
    world = SimulatedQueue()
    set_rules(world, a_document(*rules))
    return world


def test_a_job_that_breaks_rules_is_refused_with_every_violation_and_not_recorded() -> None:
    world = a_world(ISOLATED, SMALL)
    with pytest.raises(RuleViolated) as refusal:
        world.submit("wide", instances=2)
    assert [violation.rule for violation in refusal.value.violations] == ["network-isolation", "instances-per-job"]
    assert not world.store.jobs


def test_a_warning_is_kept_with_the_job_and_holds_nothing_up() -> None:
    world = a_world({**ISOLATED, "mode": "warn"})
    world.submit("open")
    world.run_until_empty()
    job = world.job("open")
    assert job.status.state is JobState.COMPLETED
    assert [warning.rule for warning in job.status.warnings] == ["network-isolation"]


def test_rules_that_changed_while_a_job_waited_hold_when_it_would_start() -> None:
    world = SimulatedQueue(budget="ml.m5.large=2")
    world.submit("runs", instances=2)
    world.submit("waits", instances=2)
    world.run(30)
    set_rules(world, a_document(SMALL))
    world.run_until(lambda: world.job("waits").status.state is JobState.PARKED)
    assert world.job("runs").status.state is JobState.COMPLETED
    reason = world.job("waits").status.reason
    assert (reason.code, reason.message.partition(":")[0]) == (ReasonCode.RULE_VIOLATED, "instances-per-job")
    assert [name for name in world.simulation.machine.jobs if name.startswith("waits")] == []


def test_a_parked_job_starts_when_it_is_sent_again_after_the_rules_allow_it() -> None:
    world = SimulatedQueue()
    world.submit("runs", instances=2)
    world.submit("waits", instances=2)
    set_rules(world, a_document(SMALL))
    world.run_until(lambda: world.job("waits").status.state is JobState.PARKED)
    set_rules(world, a_document())
    world.submit("waits", instances=2)
    world.run_until(lambda: world.job("waits").status.state is JobState.COMPLETED)


def test_the_same_job_again_is_the_same_job_whatever_the_rules_say_by_now() -> None:
    world = SimulatedQueue()
    world.submit("wide", instances=2)
    set_rules(world, a_document(SMALL))
    world.submit("wide", instances=2)
    assert world.job("wide").status.state is JobState.PENDING


def test_unreadable_rules_admit_no_job() -> None:
    world = SimulatedQueue()
    set_rules(world, "{")
    with pytest.raises(RuleViolated):
        world.submit("new")


@pytest.mark.parametrize("kind", ["rules", "callers"])
def test_while_a_document_cannot_be_read_all_wait_and_then_go_on_by_themselves(kind: str) -> None:
    world = SimulatedQueue()
    world.submit("runs")
    world.run(30)
    world.submit("waits")
    documents = getattr(world, kind)
    documents.add(Document(1, "{", "ada", world.clock.now()), by="api")
    world.run(300)
    assert [world.job(name).status.state for name in ("runs", "waits")] == [JobState.RUNNING, JobState.PENDING]
    readable = {"rules": a_document(SMALL), "callers": a_callers_document(an_entry("*"))}
    documents.add(Document(2, readable[kind], "ada", world.clock.now()), by="api")
    world.run(60)
    assert world.job("waits").status.state is JobState.RUNNING


def test_a_role_that_the_stack_may_not_pass_any_more_never_reaches_sagemaker_without_a_document_either() -> None:
    world = SimulatedQueue()
    world.submit("waits")
    narrower = replace(callers_without_document(), execution_roles=f"arn:aws:iam::{ACCOUNT}:role/Vision*")
    admission = Admission(world.rules, Authorization(world.callers, narrower))
    world.scheduler = Scheduler(replace(world.scheduler.services, admission=admission))
    world.run(60)
    assert (world.job("waits").status.state, world.job("waits").status.reason.code) == (
        JobState.PARKED,
        ReasonCode.NOT_PERMITTED,
    )
    assert not world.simulation.machine.jobs


def test_no_job_is_preempted_for_one_that_the_rules_forbid() -> None:
    world = SimulatedQueue(budget="ml.m5.large=2", durations={"runs": 3600, "other": 3600})
    world.submit("runs")
    world.submit("other")
    world.run(60)
    world.queue.submit(Submission(request("urgent", 5, instances=2)), caller=ADA)
    set_rules(world, a_document(SMALL))
    world.run(300)
    assert (world.job("urgent").status.state, world.job("urgent").status.reason.code) == (
        JobState.PARKED,
        ReasonCode.RULE_VIOLATED,
    )
    assert [(world.job(name).status.state, world.job(name).status.attempts) for name in ("runs", "other")] == [
        (JobState.RUNNING, 1),
        (JobState.RUNNING, 1),
    ]


def test_a_change_of_priority_is_no_way_round_a_ceiling() -> None:
    world = a_world(CEILING)
    world.submit("job", 4)
    with pytest.raises(RuleViolated) as refusal:
        world.control.prioritise("job", 6, ADA)
    assert [violation.rule for violation in refusal.value.violations] == ["priority-ceiling"]
    assert world.job("job").options.priority == 4
    world.control.prioritise("job", 5, ADA)
    assert world.job("job").options.priority == 5


def test_a_job_that_breaks_newer_rules_may_change_to_an_alternative_that_they_allow() -> None:
    world = SimulatedQueue()
    world.submit("job", 9, instances=2)
    set_rules(world, a_document(CEILING, SMALL))
    world.control.prioritise("job", 7, ADA)  # still above the ceiling, but lower
    world.control.prioritise("job", 3, ADA)
    world.control.prioritise("job", 5, ADA)  # a rule is against its size, not its priority
    assert world.job("job").options.priority == 5


@pytest.mark.parametrize("running", [[], ["low"]], ids=["for free instances", "for what runs"])
def test_a_job_whose_request_cannot_be_fetched_now_delays_no_other(running: list[str]) -> None:
    store = Unfetchable("large")
    world = SimulatedQueue(budget="ml.m5.large=1", durations={"low": 60}, fault_point=store, wrapped_port="store")
    for name in running:
        world.submit(name)
        world.run(5)
    set_rules(world, a_document(SMALL))
    world.submit("large", priority=2)
    world.submit("small", priority=1)
    world.run(300)
    assert [world.job(name).status.state for name in ("large", "small")] == [JobState.PENDING, JobState.RUNNING]
    store.missing = ""
    world.run_until_empty()
    assert world.job("large").status.state is JobState.COMPLETED


@dataclass
class Unfetchable:
    """S3 is down for one job's body."""

    missing: str
    inner: Any = field(init=False)

    def wrap(self, inner: Any) -> "Unfetchable":
        self.inner = inner
        return self

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def request(self, name: str, choice: int = 0) -> dict[str, object]:
        if name == self.missing:
            raise BodyUnavailable(name)
        found: dict[str, object] = self.inner.request(name, choice)
        return found
