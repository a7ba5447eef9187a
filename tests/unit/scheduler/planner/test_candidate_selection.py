"""How far each group of the backlog is read."""

from scheduler.core.jobs.demand import Demand
from scheduler.core.planner.ordering.candidate_selection import MIN_PER_GROUP, CandidateSelection
from support.builders.jobs import a_job


def test_a_line_is_read_no_further_once_there_are_enough_of_it() -> None:
    picking = CandidateSelection(Demand.of({"ml.m5.large": 2}))
    wanted = [picking.offer(a_job(f"job-{number}")) for number in range(MIN_PER_GROUP + 1)]
    assert wanted == (MIN_PER_GROUP - 1) * [True] + 2 * [False]
    assert len(picking.jobs) == MIN_PER_GROUP
    assert picking.offer(a_job("other", priority=7))


def test_of_a_line_that_fills_the_budget_one_more_is_kept() -> None:
    room = 2 * MIN_PER_GROUP
    picking = CandidateSelection(Demand.of({kind: count * room for kind, count in a_job("job").spec.demand.counts}))
    for number in range(room + 5):
        picking.offer(a_job(f"job-{number}"))
    assert len(picking.jobs) == room + 1
