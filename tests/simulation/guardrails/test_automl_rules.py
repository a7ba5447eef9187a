"""AutoML jobs, which bypass the queue, are checked against the rule `no_automl`."""

from typing import Any

import pytest

from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from scheduler.core.history.notices import NoticeKind
from scheduler.core.reconciliation.unmanaged_job import GuardMode
from support.account.simulated_queue import SimulatedQueue
from support.builders.automl_requests import an_automl_request
from support.builders.rules import a_rule, rule_set

FORBIDDEN = a_rule("no_automl")
WARNED = {**FORBIDDEN, "mode": "warn"}


def a_world(mode: GuardMode, *rules: dict[str, Any], **more: Any) -> SimulatedQueue:
    world = SimulatedQueue(guard=mode, budget="ml.m5.large=9", **more)
    world.configure(rules=rule_set(*rules))
    return world


def create(world: SimulatedQueue, name: str = "Churn", **tags: str) -> None:
    world.client.create_auto_ml_job_v2(**an_automl_request(name, **tags))
    world.run(120)


def status(world: SimulatedQueue, name: str = "Churn") -> str:
    return str(world.client.describe_auto_ml_job_v2(AutoMLJobName=name)["AutoMLJobStatus"])


def findings(world: SimulatedQueue) -> list[tuple[str, bool, list[str]]]:
    found = world.foreign.findings(9)
    return [(one.name, one.stopped, [violation.rule for violation in one.violations]) for one in found]


@pytest.mark.parametrize("unknowns", [Unknowns(), Unknowns(lower_case_arns=True)], ids=["usual", "lower-case ARNs"])
@pytest.mark.parametrize("events", [True, False], ids=["events", "list only"])
def test_a_forbidden_automl_job_is_stopped_with_its_training_job(events: bool, unknowns: Unknowns) -> None:
    behaviour = Behaviour(unknowns=unknowns)
    world = a_world(GuardMode.STOP, FORBIDDEN, deliver_events=events, behaviour=behaviour)
    create(world, owner="ada")
    world.run(600)
    assert status(world) == "Stopped"
    (candidate,) = world.simulation.machine.jobs.values()
    assert candidate.status == "Stopped"
    assert findings(world) == [("Churn", True, ["no-automl"])]
    (notice,) = world.notices.sent
    assert (notice.kind, notice.job, notice.owner) == (NoticeKind.RULE_VIOLATED, "Churn", "ada")
    assert notice.remedy == "Submit a tuning job to the queue instead."


@pytest.mark.parametrize(
    ("mode", "rule"), [(GuardMode.WARN, FORBIDDEN), (GuardMode.STOP, WARNED)], ids=["stack warns", "rule warns"]
)
def test_an_automl_job_is_reported_once_if_the_stack_or_the_rule_only_warns(
    mode: GuardMode, rule: dict[str, Any]
) -> None:
    world = a_world(mode, rule)
    create(world)
    world.run(200)
    assert status(world) == "InProgress"
    assert findings(world) == [("Churn", False, ["no-automl"])]
    assert len(world.notices.sent) == 1


@pytest.mark.parametrize(
    ("mode", "rules"),
    [(GuardMode.STOP, ()), (GuardMode.STOP, ({**FORBIDDEN, "mode": "off"},)), (GuardMode.OFF, (FORBIDDEN,))],
    ids=["no rule", "rule is off", "guard is off"],
)
def test_without_a_rule_nobody_asks_about_automl_jobs(mode: GuardMode, rules: tuple[dict[str, Any], ...]) -> None:
    world, asked = a_world(mode, *rules), list[str]()
    world.client.meta.events.register(
        "before-call.sagemaker.DescribeAutoMLJobV2", lambda **_: asked.append("DescribeAutoMLJobV2")
    )
    create(world)
    assert (asked, findings(world)) == ([], [])
    assert status(world) == "InProgress"


@pytest.mark.parametrize("delay", [0.0, 240.0])
def test_an_exemption_by_a_tag_of_the_automl_job_counts_even_if_the_tag_is_listed_late(delay: float) -> None:
    world = a_world(
        GuardMode.STOP,
        behaviour=Behaviour(unknowns=Unknowns(tagged_after_seconds=delay)),
        durations={"Churn": 9000},
    )
    exempt = {
        "rules": ["no-automl"],
        "jobs": {"tags": {"approved": "yes"}},
        "owner": "ada",
        "reason": "a pilot",
        "expires_at": "2026-12-31",
    }
    world.configure(rules=rule_set(FORBIDDEN, exemptions=[exempt]))
    create(world, "Allowed", approved="yes")
    create(world, "Churn", approved="no")
    world.run(600)
    assert (status(world, "Allowed"), status(world)) == ("Completed", "Stopped")


def test_other_rules_report_the_training_job_but_stop_nothing() -> None:
    world = a_world(GuardMode.STOP, a_rule("required_tags", tags={"team": {}}))
    create(world, owner="ada")
    assert status(world) == "InProgress"
    ((name, stopped, rules),) = findings(world)
    assert name.startswith("Churn-t1-1-")
    assert (stopped, rules) == (False, ["required-tags"])


def test_a_training_job_that_belongs_to_no_automl_job_breaks_no_such_rule() -> None:
    world = a_world(GuardMode.STOP, FORBIDDEN)
    world.submit("ours")
    world.run_until_empty()
    assert findings(world) == []
