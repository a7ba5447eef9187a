"""Defects in the growth of elastic jobs."""

import pytest

from scheduler.core.planner import preemption
from scheduler.core.planner.elastic import growing


def grow_for_nothing(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(growing, "seconds_saved", lambda *_: 1.0)


def grow_while_others_wait(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(growing, "_is_delayed", lambda *_: False)


def grow_within_the_protected_run_time(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(preemption, "_may_be_preempted", lambda live, *_: preemption._can_be_stopped(live))
