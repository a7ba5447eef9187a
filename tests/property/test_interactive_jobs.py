"""Properties of plans with interactive jobs, which may together hold only as many instances as the cap allows."""

from dataclasses import replace

from hypothesis import given

from scheduler.core.jobs.demand import total
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.planning import plan
from scheduler.core.planner.snapshot import Snapshot
from support.builders.random_snapshots import NOW, snapshots_with_interactive_jobs


@given(snapshots_with_interactive_jobs())
def test_interactive_jobs_neither_start_nor_preempt_beyond_the_cap(snapshot: Snapshot) -> None:
    decided = plan(snapshot, NOW)
    held = total(live.attempt.demand for live in snapshot.live if live.job.options.interactive)
    beneficiaries = {entry.beneficiary.name: entry.beneficiary for entry in decided.preemptions}
    given_to = [entry.job for entry in decided.launches] + [*beneficiaries.values()]
    added = total(job.spec.demand for job in given_to if job.options.interactive)
    for line in added:
        assert held[line] + added[line] <= snapshot.policy.interactive_at_most.get(line, held[line] + added[line])


@given(snapshots_with_interactive_jobs())
def test_only_interactive_jobs_wait_for_the_cap(snapshot: Snapshot) -> None:
    waits = [wait.job for wait in plan(snapshot, NOW).waits if wait.reason.code is ReasonCode.INTERACTIVE_CAP]
    assert all(job.options.interactive for job in waits)


@given(snapshots_with_interactive_jobs())
def test_without_a_cap_an_interactive_job_starts_as_any_other(snapshot: Snapshot) -> None:
    uncapped = replace(snapshot, policy=replace(snapshot.policy, interactive_at_most={}))
    others = tuple(replace(job, options=replace(job.options, interactive=False)) for job in snapshot.queued)
    starts = [entry.job.name for entry in plan(uncapped, NOW).launches]
    assert starts == [entry.job.name for entry in plan(replace(uncapped, queued=others), NOW).launches]
