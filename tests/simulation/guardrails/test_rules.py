"""Rules are checked at submission, and again before a job starts."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from scheduler.admission.admission import Admission
from scheduler.admission.authorization import Authorization
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.requests.job_update import JobUpdate
from scheduler.cycle.scheduler import Scheduler
from scheduler.errors.config_errors import UnreadableConfiguration
from scheduler.errors.internal import BodyUnavailable
from scheduler.errors.refusals import RuleViolated
from scheduler.queue.submission import Submission
from support.account.simulated_queue import ADA, SimulatedQueue, request
from support.builders.callers import ACCOUNT, callers_of
from support.builders.configurations import UNREADABLE
from support.builders.rules import a_rule, rule_set

ISOLATED = a_rule("network_isolation")
SMALL = a_rule("instances_per_job", most=1)
CEILING = a_rule("priority_ceiling", at_most=5)


def a_world(*rules: dict[str, Any]) -> SimulatedQueue:
    return SimulatedQueue(configuration={"rules": rule_set(*rules)})


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


def test_a_waiting_job_that_breaks_newer_rules_is_parked_by_the_next_cycle_and_no_running_one_is_stopped() -> None:
    world = SimulatedQueue(budget="ml.m5.large=2")
    world.submit("runs", instances=2)
    world.submit("waits", instances=2)
    world.run(30)
    world.configure(rules=rule_set(SMALL))
    world.cycle()
    assert world.job("waits").status.state is JobState.PARKED
    world.run_until(lambda: world.job("runs").status.state is JobState.COMPLETED)
    reason = world.job("waits").status.reason
    assert (reason.code, reason.message.partition(":")[0]) == (ReasonCode.RULE_VIOLATED, "instances-per-job")
    assert [name for name in world.simulation.machine.jobs if name.startswith("waits")] == []


def test_a_parked_job_starts_when_it_is_sent_again_after_the_rules_allow_it() -> None:
    world = SimulatedQueue()
    world.submit("runs", instances=2)
    world.submit("waits", instances=2)
    world.configure(rules=rule_set(SMALL))
    world.run_until(lambda: world.job("waits").status.state is JobState.PARKED)
    world.configure(rules=rule_set())
    world.submit("waits", instances=2)
    world.run_until(lambda: world.job("waits").status.state is JobState.COMPLETED)


def test_the_same_job_again_is_the_same_job_whatever_the_rules_say_by_now() -> None:
    world = SimulatedQueue()
    world.submit("wide", instances=2)
    world.configure(rules=rule_set(SMALL))
    world.submit("wide", instances=2)
    assert world.job("wide").status.state is JobState.PENDING


def test_a_version_that_cannot_be_read_leaves_the_one_before_in_force(caplog: pytest.LogCaptureFixture) -> None:
    world = a_world(SMALL)
    world.config_store.add(replace(UNREADABLE, version=2), by="api")
    world.submit("narrow")
    with pytest.raises(RuleViolated):
        world.submit("wide", instances=2)
    world.run(60)
    assert world.job("narrow").status.state is JobState.RUNNING
    assert "unreadable configuration" in caplog.messages


def test_without_a_readable_configuration_no_job_is_admitted() -> None:
    world = SimulatedQueue()
    world.config_store.versions = {1: UNREADABLE}
    with pytest.raises(UnreadableConfiguration):
        world.submit("new")
    assert not world.store.jobs


def test_while_no_configuration_can_be_read_all_wait_and_then_go_on_by_themselves() -> None:
    world = SimulatedQueue()
    world.submit("runs")
    world.run(30)
    world.submit("waits")
    readable = {**world.config_store.versions}
    world.config_store.versions = {1: UNREADABLE}
    world.run(300)
    assert [world.job(name).status.state for name in ("runs", "waits")] == [JobState.RUNNING, JobState.PENDING]
    world.config_store.versions = readable
    world.run(60)
    assert world.job("waits").status.state is JobState.RUNNING


def test_an_attempt_that_ends_while_no_configuration_can_be_read_is_retried_as_the_next_one_says() -> None:
    world = SimulatedQueue(configuration={"retries": {"treatments": {"user": {"retries": 1}}}}, crashing=["resnet"])
    world.submit("resnet")
    world.run(30)
    readable = {**world.config_store.versions}
    world.config_store.versions = {1: UNREADABLE}
    world.run(1800)
    assert (world.job("resnet").status.state, list(world.store.attempts)) == (JobState.RUNNING, ["resnet-sq-1"])
    world.config_store.versions = readable
    world.run_until_empty()
    assert (world.job("resnet").status.state, world.job("resnet").status.attempts) == (JobState.FAILED, 2)


def test_a_role_that_the_stack_may_not_pass_any_more_never_reaches_sagemaker_with_the_default_callers_either() -> None:
    world = SimulatedQueue()
    world.submit("waits")
    narrower = replace(callers_of(), execution_roles=f"arn:aws:iam::{ACCOUNT}:role/Vision*")
    configuration = world.scheduler.services.configuration
    admission = Admission(configuration, Authorization(configuration, narrower))
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
    world.configure(rules=rule_set(SMALL))
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
        world.control.update("job", JobUpdate({"priority": 6}), ADA)
    assert [violation.rule for violation in refusal.value.violations] == ["priority-ceiling"]
    assert world.job("job").options.priority == 4
    world.control.update("job", JobUpdate({"priority": 5}), ADA)
    assert world.job("job").options.priority == 5


def test_a_job_that_breaks_newer_rules_may_change_to_an_alternative_that_they_allow() -> None:
    world = SimulatedQueue()
    world.submit("job", 9, instances=2)
    world.configure(rules=rule_set(CEILING, SMALL))
    world.control.update("job", JobUpdate({"priority": 7}), ADA)  # still above the ceiling, but lower
    world.control.update("job", JobUpdate({"priority": 3}), ADA)
    world.control.update("job", JobUpdate({"priority": 5}), ADA)  # a rule is against its size, not its priority
    assert world.job("job").options.priority == 5


@pytest.mark.parametrize("running", [[], ["low"]], ids=["for free instances", "for what runs"])
def test_a_job_whose_request_cannot_be_fetched_now_delays_no_other(running: list[str]) -> None:
    store = Unfetchable("large")
    world = SimulatedQueue(budget="ml.m5.large=1", durations={"low": 60}, fault_point=store, wrapped_port="store")
    for name in running:
        world.submit(name)
        world.run(5)
    world.configure(rules=rule_set(SMALL))
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

    def requests_of(self, jobs: Sequence[Job]) -> list[Any]:
        found = zip(jobs, self.inner.requests_of(jobs), strict=True)
        return [BodyUnavailable(job.name) if job.name == self.missing else request for job, request in found]
