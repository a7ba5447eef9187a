"""The outlook on a deadline from a forecast."""

from datetime import datetime, timedelta

import pytest

from scheduler.core.calendar.times.deadlines import DeadlineOutlook, outlook_of
from scheduler.core.jobs.start_conditions import DeadlineFor, JobTimes
from support.builders.jobs import NOON, a_job


def at(hours: float) -> datetime:
    return NOON + timedelta(hours=hours)


@pytest.mark.parametrize(
    ("earliest", "latest", "to_start", "to_end"),
    [
        (at(0), at(3), DeadlineOutlook.MET, DeadlineOutlook.MET),
        (at(0), at(4), DeadlineOutlook.MET, DeadlineOutlook.AT_RISK),
        (at(0), None, DeadlineOutlook.AT_RISK, DeadlineOutlook.AT_RISK),
        (at(4.5), at(4.5), DeadlineOutlook.MET, DeadlineOutlook.MISSED),
        (at(5.5), None, DeadlineOutlook.MISSED, DeadlineOutlook.MISSED),
        (None, None, DeadlineOutlook.UNKNOWN, DeadlineOutlook.UNKNOWN),
    ],
)
def test_a_range_of_starts_is_compared_with_a_deadline_in_five_hours(
    earliest: datetime | None, latest: datetime | None, to_start: DeadlineOutlook, to_end: DeadlineOutlook
) -> None:
    """The job takes an hour, and two at most."""
    for what, expected in ((DeadlineFor.START, to_start), (DeadlineFor.END, to_end)):
        job = a_job(times=JobTimes(deadline=at(5), deadline_for=what), max_runtime=7200)
        assert outlook_of(job, earliest, latest, expected_rest=3600) is expected


def test_a_job_without_a_deadline_has_no_outlook() -> None:
    assert outlook_of(a_job(), at(0), at(0), 60) is None
