"""Lists the times at which a sweep may find that a running job is no longer protected from preemption."""

from collections.abc import Iterator

from scheduler.core.planner.policy import JobSettings, Policy
from scheduler.core.planner.preemption import SMALL_LOSS


def ends_of_protection(
    policy: Policy, settings: JobSettings, interval: int | None, trains_after: int = 0
) -> Iterator[int]:
    """Yields seconds after an attempt's start: of the saves that make its loss small, and of its protected run time.

    `settings` are the policy's for this job. The job saves every `interval` seconds, counted from `trains_after` on;
    None if it does not save. Between two saves, protection cannot end: the loss grows faster than the run time.
    """
    if interval:
        saves = range(trains_after + interval, settings.protected_run_time, interval)
        yield from (save for save in saves if policy.restart_time <= save * SMALL_LOSS)
    yield settings.protected_run_time
