"""Acts on many jobs in one call: the jobs that match a filter, or a list of named jobs.

This module also defines the limits of one call.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum

from scheduler.admission.admission import WaitingJobs
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.job_state import LIVE, QUEUED, UNFINISHED, JobState
from scheduler.core.requests.job_update import JobUpdate
from scheduler.errors.internal import BodyUnavailable, RecordRefused, StaleJob, UnknownJob
from scheduler.errors.refusals import BadRequest, bad_field
from scheduler.ports.clock import Clock
from scheduler.ports.job_index import JobIndex
from scheduler.queue.job_actions import JobActions

#: After this time, a call acts on no further job: API Gateway waits 29 seconds for an answer.
MOST_TIME = timedelta(seconds=15)
#: The most matching jobs that a call counts.
MOST_COUNTED = 2000

#: The errors that concern only one job, and do not end the call.
_OF_ONE_JOB = (BadRequest, UnknownJob, StaleJob, RecordRefused, BodyUnavailable)
JobError = BadRequest | UnknownJob | StaleJob | RecordRefused | BodyUnavailable


class JobChange(StrEnum):
    CANCEL = "cancel"
    HOLD = "hold"
    RELEASE = "release"
    REQUEUE = "requeue"
    PRIORITY = "priority"
    TOP = "top"  # only for a list, whose last job then comes first
    APPROVE = "approve"  # only for a list, with the time limit that the approver has seen of each job


_STATES = {
    JobChange.CANCEL: UNFINISHED,
    JobChange.HOLD: QUEUED,
    JobChange.RELEASE: frozenset({JobState.HELD}),
    JobChange.REQUEUE: frozenset({JobState.PARKED, JobState.FAILED, JobState.STOPPED}),
    JobChange.PRIORITY: UNFINISHED,
    JobChange.TOP: frozenset[JobState](),
    JobChange.APPROVE: frozenset[JobState](),
}


@dataclass(frozen=True, slots=True)
class WantedChange:
    """A requested change to jobs. Only a new priority sets `priority`, and only a cancel sets `save_first`.

    For a requeue of named jobs, `attempts` has the number of the attempt that each job's requeue follows. So the call
    can be repeated safely. For an approval, `max_runtimes` has the longest time limit to approve of each job.
    """

    change: JobChange
    caller: str
    priority: int = 0
    attempts: Mapping[str, int] = field(default_factory=dict)
    save_first: bool = False
    max_runtimes: Mapping[str, int] = field(default_factory=dict)

    def would_change(self, job: Job) -> bool:
        """Returns False for a cancelled job if the change is a new priority or another cancel.

        A cancel without time to save may still replace a cancel with time to save.
        """
        if self.change not in (JobChange.CANCEL, JobChange.PRIORITY) or not job.was_cancelled:
            return True
        stop = job.status.stop
        return self.change is JobChange.CANCEL and not self.save_first and stop is not None and stop.save_first


@dataclass(frozen=True, slots=True)
class Progress:
    """The result of one call. `left` counts the remaining jobs. Unless `is_left_exact`, even more jobs remain."""

    changed: tuple[str, ...]
    refused: tuple[tuple[str, JobError], ...]
    left: int
    is_left_exact: bool = True
    next_token: str | None = None  # continues with the remaining jobs


@dataclass(frozen=True, slots=True)
class BulkActions:
    actions: JobActions
    index: JobIndex
    clock: Clock

    def on_named(self, names: Sequence[str], limit: int, wanted: WantedChange) -> Progress:
        """Acts on the first jobs of the list. To continue, the caller sends the remaining names again."""
        changed, refused = self._act_on(names[:limit], wanted)
        return Progress(changed, refused, len(names) - len(changed) - len(refused))

    def on_matching(self, job_filter: JobFilter, limit: int, token: str | None, wanted: WantedChange) -> Progress:
        """Acts on the first matching jobs that the caller may control and to which the change applies.

        Raises BadRequest for a token from another list, a requeue without states or of live jobs, a move to the top,
        and an approval.
        """
        if wanted.change is JobChange.APPROVE:
            remedy = "List the jobs, look at them, and send their names with their time limits."
            raise bad_field("filter", "may match jobs that the caller has not seen", remedy)
        if wanted.change is JobChange.TOP:
            raise bad_field("filter", "sets no order, which top needs", "Send the names of the jobs.")
        if wanted.change is JobChange.REQUEUE and not job_filter.states:
            remedy = "Name the states, such as failed: otherwise all jobs that ever failed would run again."
            raise bad_field("filter.state", "is missing", remedy)
        if wanted.change is JobChange.REQUEUE and job_filter.states & LIVE:
            remedy = "Send the names of running jobs with their attempts: a repeated call would stop the next attempts."
            raise bad_field("filter.state", "includes running jobs", remedy)
        states = (job_filter.states or _STATES[wanted.change]) & _STATES[wanted.change]
        if not states:
            return Progress((), (), 0)
        page = self.index.page(self._own(job_filter, states, wanted), MOST_COUNTED, token, self.clock.now())
        changed, refused = self._act_on([job.name for job in page.jobs[:limit]], wanted)
        done = len(changed) + len(refused)
        left = len(page.jobs) - done
        token = page.tokens[done - 1] if left and done else page.next_token
        return Progress(changed, refused, left, page.next_token is None, token)

    def _own(self, job_filter: JobFilter, states: frozenset[JobState], wanted: WantedChange) -> JobFilter:
        """Returns the filter, leaving out jobs that the caller cannot control or that the change would not affect."""
        may_control = self.actions.admission.authorization.controlled_by(wanted.caller)
        selected = job_filter.owners
        owners = may_control if selected is None else lambda owner: selected(owner) and may_control(owner)
        return replace(job_filter, states=states, changes=wanted.would_change, owners=owners)

    def _act_on(
        self, names: Sequence[str], wanted: WantedChange
    ) -> tuple[tuple[str, ...], tuple[tuple[str, JobError], ...]]:
        changed: list[str] = []
        refused: list[tuple[str, JobError]] = []
        change, until = self._change_of(wanted), self.clock.now() + MOST_TIME
        for number, name in enumerate(names):
            if number and self.clock.now() >= until:
                break
            try:
                change(name)
            except _OF_ONE_JOB as error:
                refused.append((name, error))
            else:
                changed.append(name)
        return tuple(changed), tuple(refused)

    def _change_of(self, wanted: WantedChange) -> Callable[[str], Job]:
        caller, actions, waiting = wanted.caller, self.actions, WaitingJobs(self.index)
        priority = JobUpdate({"priority": wanted.priority})
        changes: dict[JobChange, Callable[[str], Job]] = {
            JobChange.CANCEL: lambda name: actions.cancel(name, caller, save_first=wanted.save_first),
            JobChange.HOLD: lambda name: actions.hold(name, caller),
            JobChange.RELEASE: lambda name: actions.release(name, caller),
            JobChange.REQUEUE: lambda name: actions.requeue(name, caller, wanted.attempts.get(name), waiting),
            # The index lags: it may still show the list's last job as the first one after the others have moved.
            JobChange.TOP: lambda name: actions.top(name, caller, even_if_first=True),
            JobChange.APPROVE: lambda name: actions.approve(name, caller, wanted.max_runtimes[name]),
            JobChange.PRIORITY: lambda name: actions.update(name, priority, caller),
        }
        return changes[wanted.change]
