"""Compares a job's deadline with the forecast of its start. The forecast does not change any decision."""

from datetime import datetime, timedelta
from enum import StrEnum

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.start_conditions import DeadlineFor


class DeadlineOutlook(StrEnum):
    """Lists the forecasts that a job can have for its deadline."""

    MET = "met"  # even if all jobs use their whole time limits
    AT_RISK = "at_risk"  # only if jobs end before their time limits
    MISSED = "missed"
    UNKNOWN = "unknown"  # the start cannot be forecast


def outlook_of(
    job: Job, earliest: datetime | None, latest: datetime | None, expected_rest: float
) -> DeadlineOutlook | None:
    """Returns whether the job will meet its deadline if it starts in this range; None without a deadline.

    `expected_rest` is the training time that the job is expected to need from then on, in seconds.
    Without `earliest`, the range is unknown. Without `latest`, it has no end.
    """
    times = job.options.times
    if times.deadline is None:
        return None
    if earliest is None:
        return DeadlineOutlook.UNKNOWN
    until_end = times.deadline_for is DeadlineFor.END
    if earliest + timedelta(seconds=expected_rest if until_end else 0) > times.deadline:
        return DeadlineOutlook.MISSED
    slowest = timedelta(seconds=job.spec.max_runtime if until_end else 0)
    return DeadlineOutlook.MET if latest and latest + slowest <= times.deadline else DeadlineOutlook.AT_RISK
