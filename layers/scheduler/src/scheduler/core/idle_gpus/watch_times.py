"""Checks the times of a watch as operators write them, for the sections on idle GPUs, hangs and NaN losses."""

from typing import Protocol

from scheduler.core.jobs.job import MAX_MAX_RUNTIME
from scheduler.core.sections.durations import Duration
from scheduler.core.sections.strict_structure import check_field

MINUTE = 60
DAY = 86_400  # seconds; with periods under an hour, CloudWatch evaluates at most a day (aws-facts 3.8)
#: The shortest window of a watch that reads logs: lines may reach CloudWatch minutes after the program wrote them.
FOR_LATE_LINES = 5 * MINUTE


class _Times(Protocol):
    @property
    def window(self) -> Duration: ...
    @property
    def grace(self) -> Duration: ...
    @property
    def exempt_for(self) -> Duration: ...


def check_times(content: _Times, shortest_window: int) -> None:
    """Raises an error that names the member unless all three are whole minutes within their limits."""
    for name, seconds, least in (("window", content.window, shortest_window), ("grace", content.grace, 0)):
        is_period = least <= seconds <= DAY and seconds % MINUTE == 0
        check_field(name, is_period, f"must be whole minutes from {least // MINUTE}m to 24h")

    is_allowed = 0 <= content.exempt_for <= MAX_MAX_RUNTIME and content.exempt_for % MINUTE == 0
    check_field("exempt_for", is_allowed, "must be whole minutes from 0m to 28d, the longest run time")
