"""The queue learns runtimes from its own attempts."""

from typing import Any

import pytest

from scheduler.core.jobs.job_state import JobState
from support.account.simulated_queue import ADA, PREEMPTS_AT_ONCE, SimulatedQueue

BOB = ADA.replace("ada", "bob")
TEAMS = {"aqua": {"members": [ADA]}, "blue": {"members": [BOB]}}


def test_with_shortest_first_a_kind_of_job_that_proved_short_overtakes() -> None:
    world = SimulatedQueue(
        budget="ml.m5.large=1", configuration={"policy": {**PREEMPTS_AT_ONCE, "ordering": "shortest"}}
    )
    world.durations = {f"{kind}-{n}": seconds for kind, seconds in (("quick", 120), ("slow", 3600)) for n in range(4)}
    for n in range(3):
        world.submit(f"quick-{n}")
        world.submit(f"slow-{n}")
        world.run_until_empty()
    world.submit("holder")
    world.run(60)
    world.submit("slow-3")
    world.run(10)
    world.submit("quick-3")
    world.run(1200)
    assert (world.job("quick-3").status.state, world.job("slow-3").status.state) == (
        JobState.COMPLETED,
        JobState.RUNNING,
    )


def test_the_team_that_used_more_waits_for_the_other() -> None:
    world = SimulatedQueue(budget="ml.m5.large=1", configuration={"shares": TEAMS})
    world.submit("aqua-1", owner=ADA)
    world.run_until_empty()
    world.submit("aqua-2", owner=ADA)
    world.run(60)
    world.submit("aqua-3", owner=ADA)
    world.run(10)
    world.submit("blue-1", owner=BOB)
    world.run(900)
    assert (world.job("blue-1").status.state, world.job("aqua-3").status.state) == (JobState.RUNNING, JobState.PENDING)
    assert (
        world.store.read_learned((), ("aqua",)).usage["aqua"].weighted_seconds > 600 * 0.115
    )  # dollars per hour of ml.m5.large


@pytest.mark.parametrize("teams", [{}, TEAMS])
def test_a_run_counts_once(teams: dict[str, Any]) -> None:
    world = SimulatedQueue(configuration={"shares": teams})
    world.submit("one", owner=ADA)
    world.run_until_empty()
    world.run(600)
    history = world.store.read_learned((ADA,), ()).runtime_stats_for([world.job("one")])
    assert {known.count for known in history.runs.values()} == {1}
