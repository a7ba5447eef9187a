"""Compares the recorded history with its replay: waits, instance-hours, preemptions and costs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal
from statistics import fmean

from rich.table import Table

from queue_replay.delays import delays_by_priority, percentile
from queue_replay.recorded_jobs import RecordedJob, Recording, saved_seconds
from queue_replay.replay import AttemptRecord, Replay
from scheduler.core.jobs.demand import Demand
from scheduler.core.spending.prices.price import PriceList, in_dollars

_HOUR = 3600


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a history or a replay. Times are in seconds."""

    jobs: int
    mean_wait: float  # per job, over all its attempts
    longest_wait: float
    mean_delay: float  # from submission to completion, without the work
    highest_p95_delay: float  # 95 % of the jobs of the highest priority had at most this delay
    instance_seconds: float
    lost_instance_seconds: float  # work repeated after preemptions
    preemptions: int
    ended_at: float  # the end of the last job, since the epoch
    cost: Decimal | None  # None: a type has no known price

    @property
    def repeated_percent(self) -> float:
        return 100 * self.lost_instance_seconds / self.instance_seconds if self.instance_seconds else 0.0


def recorded_attempts(recording: Recording) -> list[AttemptRecord]:
    return [attempt for job in recording.jobs for attempt in _attempts_of(job)]


def recorded_figures(recording: Recording, prices: PriceList) -> Figures:
    return _figures(recorded_attempts(recording), prices)


def replayed_figures(replay: Replay, prices: PriceList) -> Figures:
    return _figures(replay.attempts, prices)


def comparison(before: Figures | None, after: Mapping[str, Figures]) -> Table:
    """Returns a row for the history, and one for each replay."""
    columns = {} if before is None else {"recorded": columns_of(before)}
    columns |= {title: columns_of(figures) for title, figures in after.items()}
    first, *_ = columns.values()
    table = Table("", *first, box=None, pad_edge=False, header_style="bold")
    for title, values in columns.items():
        table.add_row(title, *values.values())
    return table


def columns_of(figures: Figures) -> dict[str, str]:
    return {
        "jobs": str(figures.jobs),
        "mean wait": _minutes(figures.mean_wait),
        "longest wait": _minutes(figures.longest_wait),
        "mean delay": _minutes(figures.mean_delay),
        "p95 delay, highest priority": _minutes(figures.highest_p95_delay),
        "instance-hours": _hours(figures.instance_seconds),
        "of them repeated": _hours(figures.lost_instance_seconds),
        "preemptions": str(figures.preemptions),
        "end of the last job": _time(figures.ended_at),
        "cost on demand": _dollars(figures.cost),
    }


def as_json(
    before: Figures | None, after: Mapping[str, Figures], recording: Recording, replays: Mapping[str, Replay]
) -> dict[str, object]:
    """Returns the figures for one replay as `replayed`, or for several as `replays`, by file."""
    found = {"recorded": before and _plain(before), "left_out": recording.left_out}
    if len(replays) == 1:
        (figures,), (replay,) = after.values(), replays.values()
        return found | {"replayed": _plain(figures), "never_started": replay.never_started}
    several = {
        title: _plain(figures) | {"never_started": replays[title].never_started} for title, figures in after.items()
    }
    return found | {"replays": several}


def _attempts_of(recorded: RecordedJob) -> Iterator[AttemptRecord]:
    for run in recorded.runs:
        ended_at = _seconds(run["ended_at"])
        training_at = _seconds(run["training_started_at"]) if run["training_started_at"] else ended_at
        is_preempted = run["outcome"] == "preempted"
        trained = max(0.0, ended_at - training_at)
        yield AttemptRecord(
            recorded.job,
            Demand.of(run["instances"]),
            _seconds(run["waited_since"]),
            _seconds(run["reserved_at"]),
            min(training_at, ended_at),
            ended_at,
            is_preempted,
            trained - saved_seconds(trained, recorded.job) if is_preempted else 0.0,
        )


def _seconds(time: str) -> float:
    return datetime.fromisoformat(time).timestamp()


def _figures(attempts: Sequence[AttemptRecord], prices: PriceList) -> Figures:
    waits: dict[str, float] = {}
    for attempt in attempts:
        waits[attempt.job.name] = waits.get(attempt.job.name, 0.0) + attempt.reserved_at - attempt.waited_since
    delays = delays_by_priority(attempts)
    costs = [prices.cost(attempt.demand, attempt.ended_at - attempt.training_at) for attempt in attempts]
    return Figures(
        jobs=len(waits),
        mean_wait=sum(waits.values()) / max(1, len(waits)),
        longest_wait=max(waits.values(), default=0.0),
        mean_delay=fmean([delay for found in delays.values() for delay in found] or [0.0]),
        highest_p95_delay=percentile(next(iter(delays.values()), []), 95),
        instance_seconds=sum(attempt.size * (attempt.ended_at - attempt.training_at) for attempt in attempts),
        lost_instance_seconds=sum(attempt.size * attempt.lost for attempt in attempts),
        preemptions=sum(attempt.is_preempted for attempt in attempts),
        ended_at=max((attempt.ended_at for attempt in attempts), default=0.0),
        cost=None if None in costs else sum((cost for cost in costs if cost is not None), Decimal()),
    )


def _plain(figures: Figures) -> dict[str, object]:
    return asdict(figures) | {"cost": None if figures.cost is None else in_dollars(figures.cost)}


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.1f} min"


def _hours(seconds: float) -> str:
    return f"{seconds / _HOUR:.2f}"


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")


def _dollars(cost: Decimal | None) -> str:
    return "price unknown" if cost is None else f"${in_dollars(cost)}"
