"""Reads the options that set times. A time without an offset from UTC is in the calendar's time zone."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import UTC, datetime, tzinfo
from typing import Any

from scheduler.core.calendar.span import in_utc
from scheduler.core.jobs.start_conditions import DeadlineFor, JobTimes
from scheduler.errors.refusals import BadRequest, bad_field

NAMES = tuple(field.name for field in fields(JobTimes))
REMEDY = 'Use a time such as "2026-12-01T18:00", in the calendar\'s time zone, or "2026-12-01T18:00+01:00".'
_CENTURY = (2000, 2100)


def is_time(value: object) -> bool:
    """Returns whether the value is the text of a time in this century."""
    try:
        return isinstance(value, str) and _CENTURY[0] <= datetime.fromisoformat(value).year < _CENTURY[1]
    except ValueError:
        return False


def is_deadline_for(value: object) -> bool:
    return value in list(DeadlineFor)


def times_of(values: Mapping[str, Any]) -> JobTimes:
    """Returns the times in option values that the functions above accept. Raises BadRequest."""
    times = {name: datetime.fromisoformat(values[name]) for name in NAMES[:-1] if name in values}
    if "deadline_for" in values and "deadline" not in times:
        raise bad_field("options.deadline_for", "is set, but options.deadline is missing", "Set the deadline, too.")
    return JobTimes(**times, deadline_for=DeadlineFor(values.get("deadline_for", DeadlineFor.END)))


def times_in_utc(times: JobTimes, zone: tzinfo) -> JobTimes:
    """Returns the times in UTC. Raises BadRequest if no job could meet all of them."""
    given = (times.not_before, times.expires, times.deadline)
    not_before, expires, deadline = (time and in_utc(time, zone) for time in given)
    _refuse_before("expires", expires, not_before)
    _refuse_before("deadline", deadline, not_before)
    return JobTimes(not_before, expires, deadline, times.deadline_for)


def changed_times(known: JobTimes, given: Mapping[str, Any], zone: tzinfo) -> JobTimes:
    """Returns the times with a user's changes, in UTC. None removes a time. Raises BadRequest."""
    if not given:
        return known
    stored = {name: value and str(value) for name, value in asdict(known).items()}
    values = {name: value for name, value in {**stored, **given}.items() if value is not None}
    if "deadline" not in values and given.get("deadline_for") is None:
        values.pop("deadline_for", None)  # it is the default, or applies to the removed deadline
    return times_in_utc(times_of(values), zone)


def refuse_past(times: JobTimes, now: datetime) -> None:
    """Raises BadRequest if the job would expire, or miss its deadline, at its submission."""
    for name, time in (("expires", times.expires), ("deadline", times.deadline)):
        if time is not None and time <= now:
            raise _bad_time(name, time, f"has passed: it is {_shown(now)} now")


def _refuse_before(name: str, time: datetime | None, not_before: datetime | None) -> None:
    if time is not None and not_before is not None and time <= not_before:
        raise _bad_time(name, time, f"is not after not_before, {_shown(not_before)}")


def _bad_time(name: str, time: datetime, problem: str) -> BadRequest:
    return bad_field(f"options.{name}", f"is {_shown(time)}, which {problem}", "Set a later time, or omit it.")


def _shown(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
