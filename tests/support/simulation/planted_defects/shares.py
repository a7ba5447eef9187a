"""Defects in quotas, reserves, ceilings and settings of teams."""

import pytest

from scheduler.core.planner.ordering.running_caps import InteractiveCap
from scheduler.core.planner.shared_capacity import SharedCapacity


def lend_reserves(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(SharedCapacity, "_reserved_for_others", lambda *_: 0)


def pass_ceilings(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(SharedCapacity, "_is_over_ceiling", lambda *_: False)


def count_no_started_jobs(patches: pytest.MonkeyPatch) -> None:
    """Counts the instances of each team only at the beginning of a plan."""
    patches.setattr(SharedCapacity, "take_for", lambda free, job: free.take(job.spec.demand))


def cap_no_interactive_jobs(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(InteractiveCap, "refusal", lambda *_: None)
