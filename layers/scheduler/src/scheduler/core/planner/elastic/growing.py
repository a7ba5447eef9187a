"""Chooses running elastic jobs to stop and restart on more instances, if no waiting job can use these instances.

A running training job cannot change its width. A job that grows is stopped with notice, and starts again from its
checkpoint on as many instances as are then free and not kept for another such job. Meanwhile, only its current
instances are kept for it. A job that is submitted in these minutes may start on the other free instances.
"""

from dataclasses import replace
from datetime import datetime

from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import StopCause
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.ordering.fair_share import Ranks, within_quota
from scheduler.core.planner.placement.alternative_selection import open_choices
from scheduler.core.planner.placement.shortage_avoidance import ShortageAvoidance
from scheduler.core.planner.plan import Grow, Wait
from scheduler.core.planner.plan_draft import PlanDraft
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.sections.durations import format_duration


def grow_jobs(draft: PlanDraft, snapshot: Snapshot, ranks: Ranks, now: datetime) -> None:
    """Adds to the plan the jobs that grow, highest rank first. All other decisions in the plan must be complete.

    Only a job that could be preempted now may grow. The stop therefore takes no protection away from it. No job grows
    if the growth would take a job out of its team's quota, which protects it from other teams' jobs.
    """
    elastic = [live for live in draft.preemptible if can_resume_wider(live)]
    elastic = [
        live for live in elastic if _may_restart(live.job, snapshot) and not _is_contested(live, draft, snapshot)
    ]
    shortages = ShortageAvoidance(snapshot, now) if elastic else None
    for live in sorted(elastic, key=lambda live: (ranks.of(live.job), live.job.name), reverse=True):
        options = open_choices(live.job, snapshot, shortages, draft.ledger.limit, now) if shortages else ()
        wider = [option for option in options if is_wider(option, live) and draft.ledger.can_widen(live, option)]
        wider.sort(key=lambda option: width_of(option.spec.demand), reverse=True)
        widest = next((option for option in wider if _keeps_quotas(option, snapshot, ranks)), None)
        if widest and (saved := seconds_saved(live, widest, snapshot, now)) > 0:
            draft.grow(Grow(live, widest, _reason(live, widest, saved)))
            snapshot = _with_wider(snapshot, widest)


def can_resume_wider(live: LiveJob) -> bool:
    """Returns whether a running job has larger widths, and can continue on them from a checkpoint."""
    if live.job.options.instances is None or live.has_no_save or live.attempt.keep_alive:
        return False  # a warm pool would keep the instances, and it fits only the same number of instances
    if live.job.options.interactive:
        return False  # the stop would end the sessions of the people in its container
    return any(is_wider(option, live) for option in live.job.each_choice)


def is_wider(option: Job, live: LiveJob) -> bool:
    return width_of(option.spec.demand) > width_of(live.attempt.demand)


def width_of(demand: Demand) -> int:
    return sum(count for _, count in demand.counts)


def seconds_saved(live: LiveJob, wider: Job, snapshot: Snapshot, now: datetime) -> float:
    """Returns how much earlier the job is expected to end if it restarts on more instances; negative if later.

    The speed is assumed to be in proportion to the number of instances.
    """
    rest = _expected_rest(live, snapshot, now)
    # Multiplies first: with a rounded share of 1/3, a gain that merely equals its cost would exceed it.
    rest_when_wider = rest * width_of(live.attempt.demand) / width_of(wider.spec.demand)
    return rest - rest_when_wider - live.unsaved_work(now).at_most - snapshot.policy.restart_time


def _expected_rest(live: LiveJob, snapshot: Snapshot, now: datetime) -> float:
    """Returns the expected remaining run time on as many instances as now, in seconds."""
    earlier = sum(width_of(live.job.demand_of(past)) * past.trained_seconds for past in live.job.status.history)
    done = earlier / width_of(live.attempt.demand) + (now - live.started_at).total_seconds()
    return max(0.0, snapshot.runtime_stats.expected_run_time(live.job) - done)


def _may_restart(job: Job, snapshot: Snapshot) -> bool:
    """Returns whether the limits that let a running job continue would also let it start again after a stop."""
    running = sum(live.job.owner_key == job.owner_key for live in snapshot.live)
    is_above_cap = 0 < snapshot.policy.running_per_owner < running
    return not is_above_cap and snapshot.spending_status.blocking_reason(job) is None


def _keeps_quotas(wider: Job, snapshot: Snapshot, ranks: Ranks) -> bool:
    """Returns whether all running jobs that are within their teams' quotas stay within them if this job grows."""
    running = {live.job.name for live in snapshot.staying}
    within = ranks.below_quota & running
    return not within or within <= within_quota([], _with_wider(snapshot, wider))


def _with_wider(snapshot: Snapshot, wider: Job) -> Snapshot:
    live = (replace(other, job=wider) if other.job.name == wider.name else other for other in snapshot.live)
    return replace(snapshot, live=tuple(live))


def _is_contested(live: LiveJob, draft: PlanDraft, snapshot: Snapshot) -> bool:
    """Returns whether a waiting job could be delayed, or another job is growing and will take free instances."""
    growing = (other.job for other in snapshot.live if _is_growing(other.job))
    return any(_shares_a_type(job, live) for job in growing) or any(_is_delayed(wait, live) for wait in draft.waits)


def _is_growing(job: Job) -> bool:
    return job.status.stop is not None and job.status.stop.cause is StopCause.GROWTH


def _is_delayed(wait: Wait, live: LiveJob) -> bool:
    """Returns whether the waiting job could use the same instances, or start before the stopped job starts again."""
    is_of_owner = wait.job.owner_key == live.job.owner_key  # it could use up a cap on the owner's jobs
    return is_of_owner or wait.reason.waits_for == live.job.name or _shares_a_type(wait.job, live)


def _shares_a_type(job: Job, live: LiveJob) -> bool:
    return any(option.spec.demand.shares_a_type_with(live.attempt.demand) for option in job.each_choice)


def _reason(live: LiveJob, wider: Job, saved: float) -> Reason:
    minutes = format_duration(max(60, int(saved) // 60 * 60))
    message = f"grows from {live.attempt.demand} to {wider.spec.demand}, and is expected to end {minutes} earlier"
    return Reason(ReasonCode.GROWING, message)
