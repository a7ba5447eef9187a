"""The section of the policy is accepted as a whole, or refused with lines and reasons."""

import pytest

from scheduler.core.jobs.team import Ordering
from scheduler.core.planner.policy import Policy
from scheduler.core.sections.schema import ConfigKind
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT
from scheduler.core.spending.prices.usage_weights import UsageWeights
from support.builders.invalid_sections import change_of, problem_of

GOOD = """ordering: shortest
patience: 1m
protected_run_time: 1h30m
preemptions_per_job: 3
starvation_after: 2w
starvation_share: 0.25
usage_half_life: 3d
usage_weights: {ml.p5.48xlarge: 40, ml.m5.large: 0.1}
running_per_owner: 4
queued_per_owner: 100
interactive_at_most: {ml.g5.xlarge: 2}
"""


def test_a_good_section_is_read() -> None:
    weights = {"ml.p5.48xlarge": 40.0, "ml.m5.large": 0.1}
    assert change_of(ConfigKind.POLICY, GOOD).after.policy == Policy(
        ordering=Ordering.SHORTEST,
        patience=60,
        protected_run_time=5400,
        preemptions_per_job=3,
        starvation_after=14 * 86_400,
        starvation_share=0.25,
        usage_half_life=3 * 86_400,
        usage_weights=weights,
        running_per_owner=4,
        queued_per_owner=100,
        interactive_at_most={"ml.g5.xlarge": 2},
        weights=UsageWeights(weights, SNAPSHOT),
    )


def test_an_empty_section_has_the_recommended_defaults() -> None:
    assert change_of(ConfigKind.POLICY, "{}").after.policy == Policy(weights=UsageWeights(prices=SNAPSHOT))


def test_the_policy_has_the_teams_of_the_shares() -> None:
    vision = {"members": ["*:assumed-role/Vision/*"], "weight": 2}
    policy = change_of(ConfigKind.POLICY, GOOD, shares={"vision": vision}).after.policy
    assert [(team.name, team.weight) for team in policy.teams] == [("vision", 2.0)]


@pytest.mark.parametrize(
    ("good", "bad", "line", "field", "reason"),
    [
        ("patience: 1m", "patiense: 1m", 2, "patiense", "is not a known member; did you mean patience?"),
        ("patience: 1m", "patience: -1m", 2, "patience", "must be a duration such as"),
        ("patience: 1m", "patience: 8d", 2, "patience", "must be from 0s to 1w"),
        ("patience: 1m", "patience: long", 2, "patience", "must be a duration such as"),
        ("patience: 1m", "patience: true", 2, "patience", "must be a duration such as"),
        ("patience: 1m", "patience: 60", 2, "patience", "60 has no unit; write 1m"),
        ("protected_run_time: 1h30m", "protected_run_time: 169h", 3, "protected_run_time", "must be from 0s to 1w"),
        ("preemptions_per_job: 3", "preemptions_per_job: 1001", 4, "preemptions_per_job", "must be from 0 to 1000"),
        ("preemptions_per_job: 3", "preemptions_per_job: 1.5", 4, "preemptions_per_job", "whole number"),
        ("starvation_after: 2w", "starvation_after: 53w", 5, "starvation_after", "must be from 0s to 52w1d"),
        ("starvation_share: 0.25", "starvation_share: 1.5", 6, "starvation_share", "must be from 0 to 1"),
        ("starvation_share: 0.25", "starvation_share: -0.1", 6, "starvation_share", "must be from 0 to 1"),
        ("starvation_share: 0.25", "starvation_share: '0.25'", 6, "starvation_share", "must be a number"),
        ("usage_half_life: 3d", "usage_half_life: 59s", 7, "usage_half_life", "must be from 1m to 52w1d"),
        ("ml.m5.large: 0.1", "ml.m5.large: 0", 8, "usage_weights", "ml.m5.large must be above 0, and at most 10000"),
        ("ml.m5.large: 0.1", "ml.m5.large: 10001", 8, "usage_weights", "at most 10000"),
        ("ml.m5.large: 0.1", "ml.m5.large: x", 8, "usage_weights.ml.m5.large", "must be a number"),
        ("running_per_owner: 4", "running_per_owner: -1", 9, "running_per_owner", "must be from 0 to 1000000"),
        ("queued_per_owner: 100", "queued_per_owner: 1000001", 10, "queued_per_owner", "must be from 0 to 1000000"),
        ("ml.g5.xlarge: 2", "ml.g5.xlarge: -1", 11, "interactive_at_most", "ml.g5.xlarge must be 0 or more, not -1"),
        ("ordering: shortest", "ordering: random", 1, "ordering", "must be one of fifo, shortest"),
        ("patience: 1m", "teams: {}", 2, "teams", "is not a known member"),
    ],
)
def test_a_problem_is_reported_with_its_line_and_reason(
    good: str, bad: str, line: int, field: str, reason: str
) -> None:
    problem = problem_of(ConfigKind.POLICY, GOOD, good, bad, f"policy.{field}")
    assert (problem.line, reason in problem.message) == (line, True), problem.message
