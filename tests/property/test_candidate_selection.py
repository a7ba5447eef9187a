"""A plan over the candidates equals a plan over the whole backlog."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from scheduler.adapters.dynamodb.records.sort_keys import line_key
from scheduler.core.jobs.job import Job
from scheduler.core.planner.ordering.candidate_selection import MIN_PER_GROUP, CandidateSelection
from scheduler.core.planner.planning import plan
from scheduler.core.planner.snapshot import Snapshot
from support.builders.jobs import changed_job
from support.builders.random_snapshots import NOW, queued_jobs, snapshots


@st.composite
def backlogs(draw: st.DrawFn, longest: int = 12) -> tuple[Job, ...]:
    """Bursts of jobs that are alike, as users submit them."""
    bursts = draw(st.lists(queued_jobs("x"), min_size=1, max_size=3))
    sizes = [draw(st.integers(6, longest)) for _ in bursts]
    return tuple(
        changed_job(job, name=f"burst{chr(97 + index)}-{number}", checkpoint_uri=None)
        for index, (job, size) in enumerate(zip(bursts, sizes, strict=True))
        for number in range(size)
    )


@given(snapshots(), backlogs())
def test_the_candidates_start_and_preempt_exactly_what_the_backlog_would(
    snapshot: Snapshot, jobs: tuple[Job, ...]
) -> None:
    starts_and_preempts_the_same(snapshot, jobs, at_least=1)  # so that the budget alone says how many are enough


@given(snapshots(), backlogs(longest=3 * MIN_PER_GROUP))
def test_so_they_do_with_as_many_of_a_group_as_a_cycle_takes(snapshot: Snapshot, jobs: tuple[Job, ...]) -> None:
    starts_and_preempts_the_same(snapshot, jobs, at_least=MIN_PER_GROUP)


def starts_and_preempts_the_same(snapshot: Snapshot, jobs: tuple[Job, ...], at_least: int) -> None:
    whole = replace(snapshot, live=snapshot.live[:2], queued=jobs)
    picking = CandidateSelection(snapshot.budget.limit, at_least)
    for job in sorted(jobs, key=line_key):
        picking.offer(job)
    decided, of_all = plan(replace(whole, queued=tuple(picking.jobs)), NOW), plan(whole, NOW)
    assert decided.launches == of_all.launches
    assert decided.preemptions == of_all.preemptions
