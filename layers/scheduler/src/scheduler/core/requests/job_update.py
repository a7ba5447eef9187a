"""Changes a job after its submission: its options and its time limit. The stored request stays as it was submitted."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from typing import Any

from scheduler.core.calendar.times.option_values import refuse_past
from scheduler.core.calendar.times.timers import reason_of_deferral
from scheduler.core.jobs.job import MAX_MAX_RUNTIME, Job, JobSpec
from scheduler.core.jobs.job_state import ActionKind
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.start_conditions import JobTimes
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.requests.options import changed_options, refuse_without_checkpoints, values_by_name
from scheduler.errors.refusals import bad_field
from scheduler.errors.wrong_state import AlreadyFinished, NotQueued

#: The options that do not affect a live attempt.
_WHILE_LIVE = ("priority", "retries", "notify", "deadline", "deadline_for")
_LIMIT = "max_runtime"
_DEADLINE = {"deadline", "deadline_for"}


@dataclass(frozen=True, slots=True)
class JobUpdate:
    """A user's change to a job. The options are the same as at submission; null resets an option to its default."""

    options: Mapping[str, Any] = field(default_factory=dict)
    max_runtime: int | None = None  # seconds; None: it does not change


def updated(job: Job, update: JobUpdate, caller: str, now: datetime, time_zone: tzinfo = UTC) -> Job:
    """Returns the changed job, or the same object if nothing changes. Raises BadRequest or WrongJobState.

    The change applies to all decisions from now on. With a new priority, the job loses its place at the top.
    """
    if job.is_finished:
        raise AlreadyFinished(job.name, job.status.state)
    options = changed_options(job.spec.kind, job.options, update.options, time_zone)
    changed = _with_time_limit(replace(job, options=options), update.max_runtime)
    differences = dict(_differences(job, changed))
    if not differences:
        return job
    _refuse_in_flight(job, differences)
    _refuse_new_past(job.options.times, options.times, now)
    refuse_without_checkpoints(options, has_checkpoints=job.spec.checkpoint_uri is not None)
    _refuse_lost_trials(changed)
    changed = _with_status(changed, {*differences}, now)
    return changed.with_action(ActionKind.UPDATED, now, ", ".join(differences.values()), caller)


def asks_for_more(job: Job, changed: Job) -> bool:
    """Returns whether rules or permissions may refuse the changed job although they allowed the original."""
    has_other_limit = (changed.spec, changed.choices) != (job.spec, job.choices)
    has_other_team = changed.options.team != job.options.team
    return has_other_limit or has_other_team or changed.options.priority > job.options.priority


def _with_time_limit(job: Job, seconds: int | None) -> Job:
    """Returns the job with another time limit, which also applies to each alternative without its own limit."""
    if seconds is None:
        return job
    if job.spec.kind is not WorkKind.TRAINING:
        raise bad_field(_LIMIT, f"does not apply to the {job.spec.kind} job {job.name}", "Change its options only.")
    if not 1 <= seconds <= MAX_MAX_RUNTIME:
        raise bad_field(_LIMIT, f"is {seconds}", f"Use seconds, from 1 to {MAX_MAX_RUNTIME}.")

    def limited(spec: JobSpec) -> JobSpec:
        return spec if spec.has_own_limit else replace(spec, max_runtime=seconds)

    return replace(job, spec=limited(job.spec), choices=tuple(map(limited, job.choices)))


def _of_request(job: Job) -> JobSpec:
    return job.choices[0] if job.choices else job.spec


def _differences(job: Job, changed: Job) -> Iterator[tuple[str, str]]:
    before, after = (
        {**values_by_name(version.options), _LIMIT: _of_request(version).max_runtime} for version in (job, changed)
    )
    for name, value in after.items():
        if value != before[name]:
            yield name, f"{name} from {_shown(before[name])} to {_shown(value)}"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return "+".join(value) or "none"
    return "none" if value is None else str(value)


def _refuse_in_flight(job: Job, differences: Mapping[str, str]) -> None:
    """Refuses changes that would need another attempt, even of a job that continues on instances held for it."""
    fixed = [name for name in differences if name not in _WHILE_LIVE]
    if fixed and (job.is_live or job.continues):
        state = "about to continue" if job.continues else job.status.state
        raise NotQueued(
            f"{job.name} is {state}, so its {', '.join(fixed)} cannot change",
            remedy=f"Change waiting jobs only; {', '.join(_WHILE_LIVE)} can change at any time.",
        )


def _refuse_lost_trials(job: Job) -> None:
    """Refuses a change after which a preemption would lose a tuning job's trials, unless its user allowed that."""
    limits, options = job.spec.tuning, job.options
    if limits and not limits.continues and not (options.never_preempt or options.restart_tuning):
        problem = f"cannot be false, because no warm start could continue {job.name}"
        raise bad_field("options.never_preempt", problem, "Keep it true, or submit another job with restart_tuning.")


def _refuse_new_past(before: JobTimes, after: JobTimes, now: datetime) -> None:
    expires = after.expires if after.expires != before.expires else None
    deadline = after.deadline if after.deadline != before.deadline else None
    refuse_past(JobTimes(expires=expires, deadline=deadline), now)


def _with_status(job: Job, names: set[str], now: datetime) -> Job:
    status = replace(job.status, updated_at=now)
    if "priority" in names:
        status = replace(status, on_top_since=None)
    if names & _DEADLINE:
        status = replace(status, deadline_warned_at=None)
    job = replace(job, status=status)
    return _with_deferral(job, now) if "not_before" in names else job


def _with_deferral(job: Job, now: datetime) -> Job:
    """Returns the job, waiting for its earliest start or, if that has passed, ready to start."""
    not_before = job.options.times.not_before
    status = replace(job.status, deferred=not_before is not None and not_before > now)
    if job.is_queued and (status.deferred or job.status.deferred):
        reason = reason_of_deferral(replace(job, status=status)) or Reason(ReasonCode.SUBMITTED)
        status = replace(status, reason=reason)
    return replace(job, status=status)
