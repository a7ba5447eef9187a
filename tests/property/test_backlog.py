"""By priority and age alone, a plan over the candidates starts what a plan over the whole backlog starts."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from builders.random_snapshots import NOW, queued_jobs, snapshots
from scheduler.domain.job import Job
from scheduler.domain.snapshot import Snapshot
from scheduler.policy.backlog import Backlog
from scheduler.policy.planning import plan


@st.composite
def backlogs(draw: st.DrawFn) -> tuple[Job, ...]:
    """Bursts of jobs that are alike, as users submit them."""
    bursts = draw(st.lists(queued_jobs("x"), min_size=1, max_size=4))
    sizes = [draw(st.integers(1, 12)) for _ in bursts]
    return tuple(
        replace(job, name=f"burst{chr(97 + index)}-{number}", checkpoint_uri=None)
        for index, (job, size) in enumerate(zip(bursts, sizes, strict=True))
        for number in range(size)
    )


@given(snapshots(), backlogs())
def test_the_candidates_start_exactly_what_the_backlog_would(snapshot: Snapshot, jobs: tuple[Job, ...]) -> None:
    nobody_preempts = replace(
        snapshot.policy, preemptions_per_job=0, running_per_owner=0, teams=(), starvation_share=0.0
    )
    whole = replace(snapshot, queued=jobs, policy=nobody_preempts)
    backlog = Backlog()
    for job in jobs:
        backlog.add(job)
    candidates = replace(whole, queued=backlog.candidates(snapshot.budget.limit - snapshot.held))
    assert plan(candidates, NOW).launches == plan(whole, NOW).launches
