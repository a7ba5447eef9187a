"""Computes a replay's figures from its attempts alone, which are also in the schedule file."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from statistics import fmean

from benchmarks.scheduling.engine import AttemptRow
from benchmarks.scheduling.trace import Submission

_HOUR = 3600
_DAY = 86_400
#: Seconds. The slowdown of very short jobs is not meaningful, so they count as if they ran this long.
_SLOWDOWN_FLOOR = 600
WIDE = 4


@dataclass(frozen=True, slots=True)
class Figures:
    mean_delay_h: float
    high_p95_delay_min: float
    mean_slowdown: float
    lost_percent: float
    preemptions_per_1000: float
    preemptions_of_one_job: int
    low_longest_delay_d: float
    wide_mean_delay_h: float
    utilisation_percent: float


def figures(submissions: Sequence[Submission], rows: Sequence[AttemptRow], instances: int) -> Figures:
    delay = delays(submissions, rows)
    done = [job for job in submissions if job.index in delay]
    preempted = [row.job for row in rows if row.end_reason == "preempted"]
    held = sum((row.end - row.start) * row.instances for row in rows)
    lost = sum(row.lost * row.instances for row in rows)
    span = max(row.end for row in rows) - done[0].submit
    lowest, highest = min(job.priority for job in done), max(job.priority for job in done)
    return Figures(
        mean_delay_h=fmean(delay.values()) / _HOUR,
        high_p95_delay_min=percentile([delay[job.index] for job in done if job.priority == highest], 95) / 60,
        mean_slowdown=fmean(max(1.0, (delay[j.index] + j.duration) / max(j.duration, _SLOWDOWN_FLOOR)) for j in done),
        lost_percent=100 * lost / held,
        preemptions_per_1000=1000 * len(preempted) / len(done),
        preemptions_of_one_job=max(Counter(preempted).values(), default=0),
        low_longest_delay_d=max(delay[job.index] for job in done if job.priority == lowest) / _DAY,
        wide_mean_delay_h=fmean(delay[job.index] for job in done if job.instances >= WIDE) / _HOUR,
        utilisation_percent=100 * held / (span * instances),
    )


def delays(submissions: Sequence[Submission], rows: Sequence[AttemptRow]) -> dict[int, int]:
    """Returns the delay of each completed job in seconds: from submission to completion, minus its work."""
    ended = {row.job: row.end for row in rows if row.end_reason == "completed"}
    return {job.index: ended[job.index] - job.submit - job.duration for job in submissions if job.index in ended}


def percentile(values: Sequence[float], percent: float) -> float:
    """Returns the percentile by nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, ceil(len(ordered) * percent / 100) - 1)]
