"""Defects in the choice of jobs to preempt."""

import pytest

from scheduler.core.planner import preemption


def preempt_within_the_protected_run_time(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(preemption, "_would_lose_much", lambda *_: False)
