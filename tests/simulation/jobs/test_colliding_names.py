"""Two jobs whose attempts would have the same name."""

from dataclasses import replace
from itertools import count

import pytest

from scheduler.core.jobs import attempt
from scheduler.core.jobs.attempt import attempt_name
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.work.kind import FORMS, WorkKind
from support.account.simulated_queue import SimulatedQueue


@pytest.fixture
def colliding(monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Two names with the same digest: digests of one digit collide soon, and nobody can find two whole ones."""
    form = replace(FORMS[WorkKind.TRAINING], digest_length=1)
    monkeypatch.setattr(attempt, "FORMS", {**FORMS, WorkKind.TRAINING: form})
    names: dict[str, str] = {}
    for number in count():
        name = "a" * 60 + f"{number:03}"
        if (short := attempt_name(name, "sq", 1, WorkKind.TRAINING)) in names:
            return names[short], name
        names[short] = name
    raise AssertionError


def test_colliding_names_are_harmless(colliding: tuple[str, str]) -> None:
    first, second = colliding
    world = SimulatedQueue(durations={"victim": 3000}, budget="ml.m5.large=2")
    world.submit(first, 5, tags={"never-preempt": "true"})
    world.submit("victim", 1)
    world.run(100)
    world.submit(second, 9)
    world.run(200)
    assert [world.job(name).status.state for name in (first, "victim")] == [JobState.RUNNING] * 2
    assert (world.job(second).status.state, world.job(second).status.reason.code) == (JobState.PARKED, "name_clash")
    assert first in world.job(second).status.reason.message
    assert not world.job("victim").status.preemptions
