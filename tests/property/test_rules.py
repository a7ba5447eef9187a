"""Rules at submission: a refused job leaves no record, and a warning refuses nothing."""

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler.errors.refusals import RuleViolated
from support.account.simulated_queue import SimulatedQueue
from support.builders.rules import a_rule, rule_set

RULES = [
    a_rule("required_tags", tags={"team": {}}),
    a_rule("instances_per_job", most=1),
    a_rule("spot", use="required"),
    a_rule("network_isolation"),
    a_rule("priority_ceiling", at_most=2),
    a_rule("output_prefixes", allowed=["s3://bucket/out"]),
]
rules = st.lists(st.sampled_from(RULES), unique_by=lambda rule: rule["kind"])
submissions = st.fixed_dictionaries(
    {"priority": st.integers(0, 5), "instances": st.integers(1, 2), "EnableNetworkIsolation": st.booleans()}
)


def submitted(
    chosen: Sequence[dict[str, Any]], submission: Mapping[str, Any]
) -> tuple[SimulatedQueue, RuleViolated | None]:
    world = SimulatedQueue(configuration={"rules": rule_set(*chosen)})
    try:
        world.submit("resnet", **submission)
    except RuleViolated as refusal:
        return world, refusal
    return world, None


@given(rules, submissions)
@settings(max_examples=20, deadline=None)
def test_a_job_is_refused_exactly_if_it_breaks_a_rule_and_then_leaves_no_record(
    chosen: list[dict[str, Any]], submission: Mapping[str, Any]
) -> None:
    world, refusal = submitted(chosen, submission)
    violated = {rule["name"] for rule in chosen if submitted([rule], submission)[1]}
    assert {one.rule for one in refusal.violations} == violated if refusal else not violated
    assert (not world.store.jobs and not world.store.requests) if refusal else "resnet" in world.store.jobs


@given(rules, submissions)
@settings(max_examples=20, deadline=None)
def test_a_warning_refuses_nothing_and_reports_the_same_jobs(
    chosen: list[dict[str, Any]], submission: Mapping[str, Any]
) -> None:
    world, refusal = submitted([{**rule, "mode": "warn"} for rule in chosen], submission)
    assert refusal is None
    enforced = submitted(chosen, submission)[1]
    assert list(world.job("resnet").status.warnings) == list(enforced.violations if enforced else ())
