"""Computes from attempts how long jobs were delayed, and which jobs held the instances that other jobs waited for."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import ceil

from queue_replay.replay import AttemptRecord
from scheduler.core.jobs.job import Job

#: The group of a job: its priority or its user, as text.
Grouping = Callable[[Job], str]


def delays_by_priority(attempts: Iterable[AttemptRecord]) -> dict[int, list[float]]:
    """Returns the sorted delays of completed jobs in seconds, by priority, highest priority first.

    The delay of a job is the time from its submission to its completion, without the work itself.
    """
    found: defaultdict[int, list[float]] = defaultdict(list)
    for ran in _attempts_by_job(attempts):
        if not ran[-1].is_preempted:
            work = sum(attempt.ended_at - attempt.training_at - attempt.lost for attempt in ran)
            job = ran[-1].job
            found[job.options.priority].append(ran[-1].ended_at - job.submitted_at.timestamp() - work)
    return {priority: sorted(found[priority]) for priority in sorted(found, reverse=True)}


def percentile(ordered: Sequence[float], percent: float) -> float:
    """Returns the percentile of sorted values by nearest rank; 0 if there are none."""
    return ordered[max(1, ceil(len(ordered) * percent / 100)) - 1] if ordered else 0.0


def waits_for(attempts: Sequence[AttemptRecord], group_of: Grouping) -> Mapping[tuple[str, str], float]:
    """Returns the seconds that jobs in one group waited while jobs in another group held instances of the same type.

    Each wait is divided in proportion to the instances that each group held at that time.
    """
    found: defaultdict[tuple[str, str], float] = defaultdict(float)
    for instance_type in sorted({line for attempt in attempts for line in attempt.demand}):
        for pair, seconds in _waits_for_type(instance_type, attempts, group_of).items():
            found[pair] += seconds
    return found


def _waits_for_type(
    instance_type: str, attempts: Iterable[AttemptRecord], group_of: Grouping
) -> Mapping[tuple[str, str], float]:
    changes: defaultdict[float, list[tuple[Counter[str], str, int]]] = defaultdict(list)
    waiting, held = Counter[str](), Counter[str]()
    found: defaultdict[tuple[str, str], float] = defaultdict(float)
    for attempt in attempts:
        if count := attempt.demand[instance_type]:
            group = group_of(attempt.job)
            changes[attempt.waited_since].append((waiting, group, 1))
            changes[attempt.reserved_at] += [(waiting, group, -1), (held, group, count)]
            changes[attempt.ended_at].append((held, group, -count))
    for now, later in pairwise(sorted(changes)):
        for counts, group, change in changes[now]:
            counts[group] += change
        total = sum(held.values())
        for waiter, jobs in waiting.items():
            for holder, count in held.items():
                if jobs and count:
                    found[waiter, holder] += jobs * (later - now) * count / total
    return found


def _attempts_by_job(attempts: Iterable[AttemptRecord]) -> Iterable[list[AttemptRecord]]:
    by_job: defaultdict[str, list[AttemptRecord]] = defaultdict(list)
    for attempt in attempts:
        by_job[attempt.job.name].append(attempt)
    return by_job.values()
