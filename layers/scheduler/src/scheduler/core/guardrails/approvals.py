"""Parks jobs that need an operator's approval, and returns them to the queue once they have one or need none."""

from collections.abc import Sequence
from datetime import datetime

from scheduler.core.jobs import transitions
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import QUEUE, ActionKind
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.errors.refusals import Violation


def waits_for_approval(violations: Sequence[Violation]) -> Reason:
    return Reason(ReasonCode.NEEDS_APPROVAL, f"needs approval: {'; '.join(map(str, violations))}")


def after_judgement(job: Job, of_choices: Sequence[Sequence[Violation]], now: datetime) -> Job:
    """Returns the job: parked if every choice needs an approval, in the queue if at least one choice needs none.

    A parked job is parked again if the reason has changed, so that approvers see what they approve. Other states stay
    as they are: the queue judges a held job again before its start.
    """
    needed = all(of_choices)
    if needed and (job.is_queued or job.needs_approval):
        reason = waits_for_approval(of_choices[0])
        return job if job.status.reason == reason else transitions.park(job, reason, now)
    if not needed and job.needs_approval:
        job = job.with_action(ActionKind.UNPARKED, now, by=QUEUE)
        return job.moved_to(transitions.waiting_state(job), Reason(ReasonCode.SUBMITTED), now)
    return job
