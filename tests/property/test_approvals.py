"""An approval covers the time limits that the approver saw, and no longer ones."""

from hypothesis import given
from hypothesis import strategies as st

from scheduler.core.jobs import user_actions
from scheduler.core.jobs.demand import Demand
from support.builders.jobs import GPU, NOON, Choice, a_job, changed_job

BOB = "arn:aws:sts::123456789012:assumed-role/Operator/bob"
limits = st.lists(st.integers(60, 120), min_size=1, max_size=4)


@given(limits, limits)
def test_an_approval_covers_exactly_the_choices_whose_limits_are_no_longer_than_approved(
    approved: list[int], later: list[int]
) -> None:
    job = user_actions.approve(changed_job(a_job(), choices=choices_for(approved)), BOB, NOON)
    changed = changed_job(job, choices=choices_for(later))
    covered = [limit <= seen for limit, seen in zip(later, approved, strict=False)]
    expected = covered + [False] * (len(later) - len(covered))
    assert [choice.is_approved for choice in changed.each_choice] == expected


def choices_for(limits: list[int]) -> list[Choice]:
    return [Choice(Demand.of({GPU: 1}), max_runtime=limit) for limit in limits]
