"""What was beside what would have been."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal

from rich.table import Table

from queue_replay.recorded_jobs import Learned, PastJob, saved_of
from queue_replay.replay import Attempted, Replay
from scheduler.core.jobs.demand import Demand
from scheduler.core.spending.prices.price import PriceList, in_dollars

_HOUR = 3600


@dataclass(frozen=True, slots=True)
class Figures:
    """Seconds; of instances where it says so."""

    jobs: int
    mean_wait: float  # of a job, over all its attempts
    longest_wait: float
    instance_seconds: float
    lost_instance_seconds: float  # done again after a preemption
    preemptions: int
    ended_at: float  # the last of them, since the epoch
    cost: Decimal | None  # None: a type has no known price


def recorded(past: Learned) -> list[Attempted]:
    return [attempt for one in past.jobs for attempt in _recorded(one)]


def as_it_was(past: Learned, prices: PriceList) -> Figures:
    return _figures(recorded(past), prices)


def as_replayed(replay: Replay, prices: PriceList) -> Figures:
    return _figures(replay.attempts, prices)


def comparison(before: Figures, after: Figures) -> Table:
    table = Table("", "as it was", "replayed", box=None, pad_edge=False, header_style="bold")
    rows = {
        "jobs": (str(before.jobs), str(after.jobs)),
        "waiting, on average": (_minutes(before.mean_wait), _minutes(after.mean_wait)),
        "waiting, at most": (_minutes(before.longest_wait), _minutes(after.longest_wait)),
        "instance-hours": (_hours(before.instance_seconds), _hours(after.instance_seconds)),
        "of them done again": (_hours(before.lost_instance_seconds), _hours(after.lost_instance_seconds)),
        "preemptions": (str(before.preemptions), str(after.preemptions)),
        "the last one ended": (_time(before.ended_at), _time(after.ended_at)),
        "cost on demand": (_dollars(before.cost), _dollars(after.cost)),
    }
    for name, values in rows.items():
        table.add_row(name, *values)
    return table


def as_json(before: Figures, after: Figures, past: Learned, replay: Replay) -> dict[str, object]:
    return {
        "as_it_was": _plain(before),
        "replayed": _plain(after),
        "left_out": past.left_out,
        "never_started": replay.stuck,
    }


def _recorded(past: PastJob) -> Iterator[Attempted]:
    for run in past.runs:
        ended_at = _seconds(run["ended_at"])
        training_at = _seconds(run["training_started_at"]) if run["training_started_at"] else ended_at
        is_preempted = run["outcome"] == "preempted"
        trained = max(0.0, ended_at - training_at)
        yield Attempted(
            past.job,
            Demand.of(run["instances"]),
            _seconds(run["waited_since"]),
            _seconds(run["reserved_at"]),
            min(training_at, ended_at),
            ended_at,
            is_preempted,
            trained - saved_of(trained, past.job) if is_preempted else 0.0,
        )


def _seconds(time: str) -> float:
    return datetime.fromisoformat(time).timestamp()


def _figures(attempts: Sequence[Attempted], prices: PriceList) -> Figures:
    waits: dict[str, float] = {}
    for one in attempts:
        waits[one.job.name] = waits.get(one.job.name, 0.0) + one.reserved_at - one.waited_since
    costs = [prices.cost(one.demand, one.ended_at - one.training_at) for one in attempts]
    return Figures(
        jobs=len(waits),
        mean_wait=sum(waits.values()) / max(1, len(waits)),
        longest_wait=max(waits.values(), default=0.0),
        instance_seconds=sum(one.size * (one.ended_at - one.training_at) for one in attempts),
        lost_instance_seconds=sum(one.size * one.lost for one in attempts),
        preemptions=sum(one.is_preempted for one in attempts),
        ended_at=max((one.ended_at for one in attempts), default=0.0),
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
    return "a price is not known" if cost is None else f"${in_dollars(cost)}"
