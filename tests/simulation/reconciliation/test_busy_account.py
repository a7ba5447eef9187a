"""Other people's training jobs fill SageMaker's list, whose filters may apply after a page is cut: jobs still start."""

from itertools import product
from math import inf
from typing import Any

import pytest

from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from scheduler.core.jobs.job_state import JobState
from scheduler.core.reconciliation.list_scan import PAGES
from scheduler.core.reconciliation.reconciliation_state import BudgetScope
from scheduler.cycle.reconcile.reconciliation import INTERVALS
from support.account.simulated_queue import SimulatedQueue
from support.builders.past_jobs import add_past_jobs

DAY = 24 * 3600.0
#: A token of SageMaker's list is good for ever, or refused in the next cycle.
UNKNOWNS = [
    Unknowns(cuts_pages_first=cuts_first, page_token_seconds=seconds)
    for cuts_first, seconds in product([True, False], [inf, 30.0])
]


def shown(unknowns: Unknowns) -> str:
    cut = "pages are cut first" if unknowns.cuts_pages_first else "filters apply first"
    return f"{cut}, tokens last {unknowns.page_token_seconds} s"


def a_queue(unknowns: Unknowns = UNKNOWNS[0], **more: Any) -> SimulatedQueue:
    """Returns a queue that has read the list."""
    world = SimulatedQueue(**{"behaviour": Behaviour(unknowns=unknowns), "durations": {"job": 60}, **more})
    world.run(600)
    return world


def pause(world: SimulatedQueue, others: int, seconds: float = 3 * DAY) -> None:
    """Lets time pass without cycles, while other people's training jobs start and end."""
    since = world.simulation.now
    world.simulation.run(seconds)
    add_past_jobs(world.simulation.machine, others, since, since + seconds)


def list_calls(world: SimulatedQueue) -> list[float]:
    calls: list[float] = []
    event = "provide-client-params.sagemaker.ListTrainingJobs"
    world.client.meta.events.register(event, lambda **_: calls.append(world.simulation.now))
    return calls


@pytest.mark.parametrize("scope", BudgetScope)
@pytest.mark.parametrize("unknowns", UNKNOWNS, ids=shown)
@pytest.mark.parametrize("others", [600, 1000, 3000])
def test_a_job_starts_after_a_pause_in_which_others_started_many(
    others: int, unknowns: Unknowns, scope: BudgetScope
) -> None:
    world = a_queue(unknowns, scope=scope)
    pause(world, others)
    world.submit("job")
    world.run(1200)
    assert world.job("job").status.state is JobState.COMPLETED


@pytest.mark.parametrize("unknowns", UNKNOWNS[:3], ids=shown)
def test_a_job_starts_after_a_pause_in_which_others_started_5000(unknowns: Unknowns) -> None:
    world = a_queue(unknowns, scope=BudgetScope.ACCOUNT)
    pause(world, 5000)
    world.submit("job")
    world.run(1500)
    assert world.job("job").status.state is JobState.COMPLETED


@pytest.mark.parametrize("unknowns", UNKNOWNS, ids=shown)
def test_a_lost_attempt_behind_a_thousand_jobs_is_adopted_before_another_starts(unknowns: Unknowns) -> None:
    world = a_queue(unknowns, budget="ml.m5.large=1", durations={"lost": DAY, "job": 60})
    world.submit("lost")
    backup = world.store.copy()
    world.run(300)
    pause(world, 1000, DAY / 2)
    vars(world.store).update(vars(backup))
    world.submit("job")
    world.run(1200)
    assert [world.job(name).status.state for name in ("lost", "job")] == [JobState.RUNNING, JobState.PENDING]
    assert world.store.last_reconciliation.scan is None


@pytest.mark.parametrize("unknowns", UNKNOWNS, ids=shown)
def test_an_old_account_costs_no_more_calls_than_a_new_one(unknowns: Unknowns) -> None:
    calls = []
    for others in (0, 3000):
        world = SimulatedQueue(behaviour=Behaviour(unknowns=unknowns))
        add_past_jobs(world.simulation.machine, others, world.simulation.now - 60 * DAY, world.simulation.now - 60)
        world.run(3600)
        counted = list_calls(world)
        world.run(7200)
        calls.append(len(counted))
    assert calls[0] == calls[1] == 7200 / INTERVALS[BudgetScope.QUEUE].total_seconds()


@pytest.mark.parametrize("unknowns", UNKNOWNS, ids=shown)
def test_a_cycle_reads_few_pages_while_tokens_last(unknowns: Unknowns) -> None:
    world = a_queue(unknowns)
    pause(world, 3000)
    calls = list_calls(world)
    world.run(59)
    assert len(calls) == PAGES


def test_a_scan_that_a_pause_interrupts_misses_no_job_started_meanwhile() -> None:
    """The table is that of a backup, made between two parts of a scan."""
    world = a_queue(budget="ml.m5.large=1", durations={"lost": DAY, "job": 60})
    pause(world, 1000)
    world.run(60)
    assert world.store.last_reconciliation.scan is not None
    backup = world.store.copy()
    world.submit("lost")
    world.run(420)
    assert world.job("lost").status.state is JobState.RUNNING
    vars(world.store).update(vars(backup))
    world.submit("job")
    world.run(1200)
    assert world.job("job").status.state is JobState.PENDING
    assert world.store.last_reconciliation.unmanaged.keys() == {"lost-sq-1"}
