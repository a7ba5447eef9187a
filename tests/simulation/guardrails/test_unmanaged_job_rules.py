"""Training jobs started outside the queue are checked against the rules."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from scheduler.core.history.notices import NoticeKind
from scheduler.core.jobs.job_state import JobState
from scheduler.core.reconciliation.reconciliation_state import BudgetScope
from scheduler.core.reconciliation.unmanaged_job import GuardMode, UnmanagedJob
from scheduler.core.requests.attempt_request import TAG_DELAY
from scheduler.cycle.reconcile.unmanaged_jobs import CHECKS_PER_CYCLE, UNKNOWN_JOB_GRACE
from scheduler.errors.internal import Refused
from support.account.simulated_queue import SimulatedQueue, request
from support.builders.configurations import UNREADABLE
from support.builders.rules import a_rule, rule_set
from support.faults.scripted_faults import ScriptedCalls, times_out

TAGGED = a_rule("required_tags", tags={"team": {}})
SERVERLESS = {
    "BaseModelArn": "arn:aws:sagemaker:us-east-1:aws:hub-content/hub/Model/llama/1.0.0",
    "JobType": "FineTuning",
}


def a_world(mode: GuardMode, *rules: dict[str, Any], **more: Any) -> SimulatedQueue:
    world = SimulatedQueue(guard=mode, **more)
    world.configure(rules=rule_set(*rules))
    return world


def create_directly(world: SimulatedQueue, name: str = "theirs", **tags: str) -> None:
    world.client.create_training_job(
        **request(name) | {"Tags": [{"Key": key, "Value": value} for key, value in tags.items()]}
    )
    world.run(TAG_DELAY.total_seconds() + 120)


def status(world: SimulatedQueue, name: str = "theirs") -> str:
    return str(world.simulation.machine.jobs[name].status)


def findings(world: SimulatedQueue, limit: int = 9) -> list[tuple[str, bool, list[str]]]:
    found = world.foreign.findings(limit)
    return [(one.name, one.stopped, [violation.rule for violation in one.violations]) for one in found]


def test_an_untagged_job_is_stopped_and_reported() -> None:
    world = a_world(GuardMode.STOP, TAGGED)
    create_directly(world, owner="ada")
    assert status(world) == "Stopped"
    assert findings(world) == [("theirs", True, ["required-tags"])]
    (notice,) = world.notices.sent
    assert (notice.kind, notice.job, notice.owner) == (NoticeKind.RULE_VIOLATED, "theirs", "ada")


def test_a_stop_that_fails_at_first_is_reported_once_and_repeated() -> None:
    script = ScriptedCalls("stop", [times_out])
    world = a_world(GuardMode.STOP, TAGGED, wrapped_port="training", fault_point=script, durations={"theirs": 9000})
    create_directly(world, owner="ada")
    world.run(1200)
    assert (status(world), script.script) == ("Stopped", [])
    assert [(notice.job, notice.state) for notice in world.notices.sent] == [("theirs", "stopping")]


@pytest.mark.parametrize("name", ["theirs", "theirs-sq-1"])
@pytest.mark.parametrize("scope", BudgetScope)
def test_a_job_whose_events_were_all_lost_is_found_in_sagemakers_list(scope: BudgetScope, name: str) -> None:
    world = a_world(GuardMode.STOP, TAGGED, scope=scope, deliver_events=False, durations={"theirs": 7200})
    create_directly(world, name)
    world.run(600)
    assert status(world, name) == "Stopped"
    assert findings(world) == [(name, True, ["required-tags"])]
    assert len(world.notices.sent) == 1


def test_many_of_them_do_not_keep_the_queues_own_jobs_from_starting() -> None:
    world = a_world(GuardMode.STOP, TAGGED, deliver_events=False, durations={f"theirs{n}": 9000 for n in range(60)})
    for number in range(60):
        world.client.create_training_job(**request(f"theirs{number}", kind="ml.c5.xlarge"))
        world.simulation.run(1.1)
    world.submit("ours", tags={"team": "vision"})
    world.cycle()
    assert world.job("ours").status.state is JobState.RUNNING
    world.run(600)
    assert len(findings(world, 99)) == 60


@pytest.mark.parametrize("delay", [0.0, 240.0])
def test_a_job_that_keeps_the_rules_is_left_alone_although_its_tags_are_listed_late(delay: float) -> None:
    world = a_world(GuardMode.STOP, TAGGED, behaviour=Behaviour(unknowns=Unknowns(tagged_after_seconds=delay)))
    create_directly(world, team="vision")
    assert status(world) == "InProgress"
    assert findings(world) == []
    assert world.foreign.unchecked() == ()


def test_a_tagged_job_is_judged_at_once_and_so_is_an_untagged_one_where_no_rule_is_about_tags() -> None:
    few = a_rule("instances_per_job", most=1)
    for rules, tags in (([TAGGED, few], {"team": "vision"}), ([few], {})):
        world = a_world(GuardMode.STOP, *rules)
        world.client.create_training_job(
            **request("theirs", instances=2) | {"Tags": [{"Key": key, "Value": value} for key, value in tags.items()]}
        )
        world.run(120)
        assert status(world) == "Stopped"


def test_jobs_that_wait_for_their_tags_do_not_keep_others_from_being_checked() -> None:
    world = a_world(GuardMode.STOP, TAGGED, durations={"theirs": 9000, "wide": 9000})
    for number in range(3 * CHECKS_PER_CYCLE):
        world.client.create_training_job(**request(f"theirs{number}", kind="ml.c5.xlarge") | {"Tags": []})
        world.simulation.run(2)
    world.configure(rules=rule_set(TAGGED, a_rule("instances_per_job", most=1)))
    tags = [{"Key": "team", "Value": "vision"}]
    world.client.create_training_job(**request("wide", instances=2) | {"Tags": tags})
    world.run(660)
    assert status(world, "wide") == "Stopped"


def describes(world: SimulatedQueue, name: str) -> list[float]:
    """Collects the times at which SageMaker is asked for a training job from now on."""
    times: list[float] = []

    def noted(params: dict[str, Any], **_: Any) -> None:
        if params["TrainingJobName"] == name:
            times.append(world.simulation.now)

    world.client.meta.events.register("provide-client-params.sagemaker.DescribeTrainingJob", noted)
    return times


def test_a_job_without_tags_is_described_a_few_times_whatever_the_number_of_cycles() -> None:
    world = a_world(GuardMode.STOP, TAGGED, budget="ml.m5.large=99", durations={"theirs": 9000})
    times = describes(world, "theirs")
    world.client.create_training_job(**request("theirs") | {"Tags": []})
    for number in range(100):
        world.submit(f"ours{number}", tags={"team": "vision"})
        world.run(5)
    assert status(world) == "Stopped"
    assert len(times) == 3


def test_a_job_that_sagemaker_never_describes_is_asked_for_a_few_times() -> None:
    world = a_world(GuardMode.STOP, TAGGED)
    times = describes(world, "gone")
    world.foreign.add_unchecked(UnmanagedJob("gone", world.clock.now()), by="training_events")
    for _ in range(200):
        world.cycle()
        world.run(10)
    assert world.foreign.unchecked() == ()
    assert len(times) == 4


def test_a_job_that_no_check_could_decide_is_checked_again() -> None:
    world = a_world(GuardMode.STOP, TAGGED, durations={"theirs": 9000})
    seen = UnmanagedJob("theirs", world.clock.now())
    world.foreign.add_unchecked(seen, by="training_events")
    world.foreign.check_later(seen, seen.seen_at + UNKNOWN_JOB_GRACE)  # it had just been created again
    world.client.create_training_job(**request("theirs") | {"Tags": []})
    world.run(2 * UNKNOWN_JOB_GRACE.total_seconds() + 120)
    assert (status(world), world.foreign.unchecked()) == ("Stopped", ())


def test_no_job_is_described_while_the_configuration_is_unreadable() -> None:
    world = SimulatedQueue(guard=GuardMode.STOP)
    world.config_store.versions = {1: UNREADABLE}
    times = describes(world, "theirs")
    create_directly(world)
    assert times == []
    assert [job.name for job in world.foreign.unchecked()] == ["theirs"]


@pytest.mark.parametrize(
    ("mode", "rule"),
    [(GuardMode.WARN, TAGGED), (GuardMode.STOP, {**TAGGED, "mode": "warn"})],
    ids=["stack warns", "rule warns"],
)
def test_nothing_is_stopped_in_warn_mode(mode: GuardMode, rule: dict[str, Any]) -> None:
    world = a_world(mode, rule)
    create_directly(world)
    assert status(world) == "InProgress"
    assert findings(world) == [("theirs", False, ["required-tags"])]
    assert [notice.kind for notice in world.notices.sent] == [NoticeKind.RULE_VIOLATED]


def test_a_name_like_ours_is_no_way_round_the_rules() -> None:
    world = a_world(GuardMode.STOP, TAGGED)
    create_directly(world, "theirs-sq-1")
    assert status(world, "theirs-sq-1") == "Stopped"


def test_our_own_attempts_are_not_judged_a_second_time() -> None:
    world = SimulatedQueue(guard=GuardMode.STOP)
    world.submit("ours")
    world.run(120)
    world.configure(rules=rule_set(TAGGED))
    world.foreign.add_unchecked(UnmanagedJob("ours-sq-1", world.clock.now()), by="training_events")
    world.run_until(lambda: world.job("ours").is_finished)
    assert world.job("ours").status.state is JobState.COMPLETED
    assert findings(world) == []


def test_an_unreadable_configuration_stops_no_job() -> None:
    world = SimulatedQueue(guard=GuardMode.STOP)
    world.config_store.versions = {1: UNREADABLE}
    create_directly(world)
    assert status(world) == "InProgress"
    assert findings(world) == []


def test_a_job_that_is_gone_is_forgotten() -> None:
    world = a_world(GuardMode.STOP, TAGGED)
    world.foreign.add_unchecked(UnmanagedJob("gone", world.clock.now() - timedelta(hours=1)), by="training_events")
    world.run(120)
    assert world.foreign.unchecked() == ()


def test_a_checked_job_is_not_reported_again() -> None:
    world = a_world(GuardMode.WARN, TAGGED)
    create_directly(world)
    world.foreign.add_unchecked(UnmanagedJob("theirs", world.clock.now()), by="training_events")
    world.run(120)
    assert len(findings(world)) == len(world.notices.sent) == 1


def test_a_child_of_a_tuning_job_is_reported_but_not_stopped() -> None:
    world = a_world(GuardMode.STOP, TAGGED)
    parent = "arn:aws:sagemaker:us-east-1:000000000000:hyper-parameter-tuning-job/search"
    world.client.meta.events.register(
        "after-call.sagemaker.DescribeTrainingJob", lambda parsed, **_: parsed.update(TuningJobArn=parent)
    )
    create_directly(world)
    assert status(world) == "InProgress"
    assert findings(world) == [("theirs", False, ["required-tags"])]


@pytest.mark.parametrize(
    ("tags", "owner"), [({}, "unknown"), ({"owner": ""}, "unknown"), ({"owner": "", "Owner": "bob"}, "bob")]
)
def test_an_unnamed_owner_is_unknown(tags: dict[str, str], owner: str) -> None:
    world = a_world(GuardMode.WARN, TAGGED)
    create_directly(world, **tags)
    (notice,) = world.notices.sent
    assert notice.owner == owner


def test_jobs_that_cannot_be_described_do_not_keep_others_from_being_checked() -> None:
    world = a_world(
        GuardMode.STOP, TAGGED, wrapped_port="training", fault_point=Forbidden("secret"), durations={"theirs": 9000}
    )
    for number in range(CHECKS_PER_CYCLE):
        world.foreign.add_unchecked(UnmanagedJob(f"secret{number:02}", world.clock.now()), by="training_events")
    create_directly(world)
    world.run(1200)
    assert status(world) == "Stopped"
    assert world.foreign.unchecked() == ()


def test_jobs_whose_checks_fail_do_not_keep_others_from_being_checked() -> None:
    world = a_world(
        GuardMode.STOP,
        TAGGED,
        wrapped_port="training",
        fault_point=Forbidden("broken", ZeroDivisionError("unexpected data")),
        durations={"theirs": 9000},
    )
    for number in range(CHECKS_PER_CYCLE):
        world.foreign.add_unchecked(UnmanagedJob(f"broken{number:02}", world.clock.now()), by="training_events")
    create_directly(world)
    world.run(1200)
    assert status(world) == "Stopped"


def test_a_serverless_job_is_judged_by_the_rules_and_not_watched() -> None:
    world = a_world(GuardMode.STOP, TAGGED, durations={"tagged": 9000, "untagged": 9000})
    for name, tags in (("tagged", [{"Key": "team", "Value": "vision"}]), ("untagged", [])):
        body = request(name) | {"ServerlessJobConfig": SERVERLESS, "Tags": tags}
        for member in ("AlgorithmSpecification", "CheckpointConfig", "ResourceConfig"):
            del body[member]
        world.client.create_training_job(**body)
        world.simulation.run(2)
    world.run(TAG_DELAY.total_seconds() + 120)
    assert [status(world, name) for name in ("tagged", "untagged")] == ["InProgress", "Stopped"]
    assert (world.foreign.unchecked(), world.foreign.watched()) == ((), ())


@pytest.mark.parametrize(("limit", "ends"), [(0.01, "Stopped"), (1_000, "Completed")])
def test_a_limit_in_dollars_applies_to_the_cost_of_the_whole_time_limit(limit: float, ends: str) -> None:
    world = a_world(GuardMode.STOP, a_rule("approval", above_dollars=limit))
    create_directly(world)
    world.run(1200)
    assert status(world) == ends


@dataclass
class Forbidden:
    """Raises the error when asked to describe training jobs whose names begin with the prefix."""

    prefix: str
    error: Exception = field(default_factory=lambda: Refused("AccessDeniedException: no"))
    inner: Any = None

    def wrap(self, inner: Any) -> "Forbidden":
        self.inner = inner
        return self

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def describe_any(self, name: str) -> Any:
        if name.startswith(self.prefix):
            raise self.error
        return self.inner.describe_any(name)
