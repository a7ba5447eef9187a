"""Teams over time: a team takes its quota back as soon as its patience and protection allow, and owners take turns."""

from functools import partial

import pytest

from scheduler.core.jobs.job_state import JobState
from support.account.simulated_queue import ADA, SWEEP_SECONDS, SimulatedQueue

TYPE = "ml.m5.large"
BOB, EVE = ADA.replace("ada", "bob"), ADA.replace("ada", "eve")
PATIENCE, PROTECTED, NOTICE = 300, 1200, 120
TEAMS = {
    "owner": {"members": [ADA], "quota": {TYPE: 1}, "patience": f"{PATIENCE}s"},
    "borrower": {"members": [BOB], "protected_run_time": f"{PROTECTED}s", "preemptions_per_job": 1},
}


@pytest.mark.parametrize(("asks_after", "due_after"), [(60, PROTECTED), (1800, 1800 + PATIENCE)])
def test_the_stop_that_takes_back_a_quota_is_sent_within_patience_protection_and_notice(
    asks_after: int, due_after: int
) -> None:
    """The borrower has a higher priority and, the second time, no preemptions left."""
    configuration = {"shares": TEAMS, "policy": {"notice": f"{NOTICE}s"}}
    queue = SimulatedQueue(f"{TYPE}=1", configuration, durations={"lent": 7200})
    queue.submit("lent", 9, owner=BOB)
    for number in (1, 2):
        queue.run_until(partial(trains, queue, number))
        began, own = queue.simulation.now, f"own-{number}"
        queue.run(asks_after)
        queue.submit(own, owner=ADA)
        queue.run(due_after - asks_after - SWEEP_SECONDS)
        assert trains(queue, number)
        queue.run(NOTICE + 3 * SWEEP_SECONDS)
        assert not trains(queue, number)
        assert queue.simulation.now - began <= due_after + NOTICE + 2 * SWEEP_SECONDS
        queue.run_until(partial(has_completed, queue, own))
    assert queue.job("lent").status.preemptions == 2


def trains(queue: SimulatedQueue, number: int) -> bool:
    """Returns whether SageMaker runs the borrower's attempt, and nobody has asked it to stop."""
    found = queue.simulation.machine.jobs.get(f"lent-sq-{number}")
    return found is not None and (found.status, found.secondary) == ("InProgress", "Training")


def has_completed(queue: SimulatedQueue, name: str) -> bool:
    return queue.job(name).status.state is JobState.COMPLETED


def test_in_a_fair_team_the_owner_who_used_less_comes_next() -> None:
    """The end of an attempt counts for its owner, and later cycles read this use."""
    queue = SimulatedQueue(f"{TYPE}=1", {"shares": {"all": {"members": ["*"], "owners": "fair"}}})
    queue.submit("ada-1", owner=ADA)
    queue.run_until_empty()
    queue.submit("eve-1", owner=EVE)
    queue.run(60)
    queue.submit("ada-2", owner=ADA)
    queue.run(10)
    queue.submit("bob-1", owner=BOB)
    queue.run_until(lambda: not queue.job("bob-1").is_queued)
    assert queue.job("ada-2").is_queued
    queue.run_until_empty()
    used = queue.store.read_learned((), ("all", *(f"all@{owner}" for owner in (ADA, BOB, EVE)))).usage
    of_owners = sum(usage.decayed_to(queue.clock.now(), 7 * 86_400) for key, usage in used.items() if key != "all")
    assert of_owners == pytest.approx(used["all"].decayed_to(queue.clock.now(), 7 * 86_400))
