"""The options that set times, and their refusals."""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from scheduler.core.calendar.times.option_values import refuse_past
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.jobs.start_conditions import DeadlineFor, JobTimes
from scheduler.core.requests.job_building import build_job
from scheduler.core.requests.options import read_options
from scheduler.errors.refusals import BadRequest
from unit.scheduler.requests.test_submission import BUDGET, NOW, a_request, submit, tags

ZONE = ZoneInfo("Europe/Berlin")


def in_berlin(**options: Any) -> Job:
    request = a_request()
    return build_job(request, read_options(request, options), owner="ada", budget=BUDGET, now=NOW, time_zone=ZONE)


def test_tags_and_json_set_the_same_times() -> None:
    tagged = submit(
        a_request(
            **tags(
                ("queue:not-before", "2026-01-02T03:00+01:00"),
                ("queue:expires", "2026-01-03"),
                ("queue:deadline", "2026-01-02T12:00"),
                ("queue:deadline-for", "start"),
            )
        )
    )
    start, expires, deadline = (datetime(2026, 1, day, hour, tzinfo=UTC) for day, hour in ((2, 2), (3, 0), (2, 12)))
    assert tagged.options.times == JobTimes(start, expires, deadline, DeadlineFor.START)
    given = submit(a_request(), not_before="2026-01-02T02:00Z", expires="2026-01-03", deadline="2026-01-02T12:00")
    assert given.options.times == JobTimes(start, expires, deadline)


def test_a_time_without_an_offset_is_in_the_zone_of_the_calendar() -> None:
    assert in_berlin(not_before="2026-07-01T18:00").options.times.not_before == datetime(2026, 7, 1, 16, tzinfo=UTC)
    # The clock skips this time, so it counts as an hour later, and shows the next one twice, of which the first counts.
    assert in_berlin(not_before="2026-03-29T02:30").options.times.not_before == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert in_berlin(not_before="2026-10-25T02:30").options.times.not_before == datetime(
        2026, 10, 25, 0, 30, tzinfo=UTC
    )


def test_a_job_of_a_later_time_says_so_and_is_deferred() -> None:
    job = submit(a_request(), not_before="2026-01-02T02:00Z")
    assert (job.is_deferred, job.status.reason.code) == (True, ReasonCode.WAITS_FOR_TIME)
    assert not submit(a_request(), not_before="2025-12-31").is_deferred
    held = submit(a_request(), not_before="2026-01-02T02:00Z", hold=True)
    assert (held.status.deferred, held.status.reason.code) == (True, ReasonCode.HELD)


@pytest.mark.parametrize("value", ["", "tomorrow", "18:00", "1999-12-31", "2100-01-01", 1, None, True])
def test_other_values_are_refused(value: object) -> None:
    with pytest.raises(BadRequest, match=r"options\.deadline cannot be"):
        submit(a_request(), deadline=value)


@pytest.mark.parametrize("name", ["expires", "deadline"])
def test_times_that_no_job_can_meet_together_are_refused(name: str) -> None:
    with pytest.raises(BadRequest, match=f"options.{name} is 2026-02-01 00:00:00 UTC, which is not after not_before"):
        submit(a_request(**tags(("queue:not-before", "2026-02-01"), (f"queue:{name}", "2026-02-01"))))


def test_what_a_deadline_is_for_needs_a_deadline() -> None:
    with pytest.raises(BadRequest, match=r"options\.deadline is missing"):
        submit(a_request(), deadline_for="start")


def test_a_new_job_is_refused_if_it_would_expire_at_once() -> None:
    times = submit(a_request(), expires="2026-01-01").options.times
    with pytest.raises(BadRequest, match="has passed"):
        refuse_past(times, NOW)


def test_a_time_changes_the_digest_and_its_notation_does_not_change_without_one() -> None:
    plain, timed = submit(a_request()), submit(a_request(), expires="2026-02-01")
    assert plain.digest != timed.digest
    assert timed.digest == in_berlin(expires="2026-02-01").digest
