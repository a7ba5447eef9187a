"""Judges the statistics by which choices are ranked: each attempt that ended counts exactly once."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from math import isclose
from random import Random

from local_sagemaker.state_machine.job import TrainingJob
from scheduler.adapters.dynamodb.jobs.learned import DynamoDBLearnedStore, learned_writes
from scheduler.adapters.dynamodb.records.job_records import ended_attempts_key, readable_ended_attempt
from scheduler.adapters.dynamodb.table import Table
from scheduler.core.capacity.attempt_statistics import AttemptStatistics, statistics_of
from scheduler.core.capacity.locations import Location
from scheduler.core.jobs.job import Job
from scheduler.core.planner.learned import Learned
from support.account.account import Account
from support.dynamodb.client import TableClient
from support.simulation.judges.checks import Violation
from support.simulation.judges.held_instances import instances_held_by
from support.simulation.submissions.squatters import owner_of
from support.simulation.submissions.training_requests import TYPES

#: Each stored count is rounded whenever an attempt is added.
_ROUNDED_OFF = 0.05
_LOCATIONS = [Location(kind, spot) for kind in TYPES for spot in (False, True)]

_NONE = AttemptStatistics(0.0, 0.0, 0.0, datetime.fromtimestamp(0, UTC))

Known = Mapping[Location, AttemptStatistics]


def record_past_attempts(account: Account, seed: int) -> Known:
    """Writes the statistics of attempts before a world begins. In most worlds, there were none."""
    number, cost = Random(f"past attempts {seed}"), Random(f"past costs {seed}")  # noqa: S311 - worlds, not secrets
    if number.random() >= 0.3:
        return {}
    now = datetime.fromtimestamp(account.now, UTC)
    past = {
        location: AttemptStatistics(number.choice([2.0, 30.0]), 3600.0, cost.choice([300.0, 3600.0, 36_000.0]), now)
        for location in _LOCATIONS
    }
    _table(account).transact(*learned_writes(Learned(statistics=past), now))
    return past


def check(account: Account, past: Known, jobs: Iterable[Job], deleted: int, *, were_readable: bool) -> None:
    """Raises Violation if a location has more attempts than SageMaker ran there. It forgets the deleted attempts.

    If all records were readable at all times, the statistics must also be the sum of all recorded attempts.
    """
    ran = Counter(location for job in account.simulation.machine.jobs.values() for location in _ran_at(job))
    known = DynamoDBLearnedStore(_table(account)).read_learned((), (), _LOCATIONS).statistics
    recorded = _recorded(account, past, jobs)
    for location in _LOCATIONS:
        found, parts = known.get(location, _NONE), recorded[location]
        most = past.get(location, _NONE).attempts + ran[location] + deleted
        if found.attempts > most + _ROUNDED_OFF:
            raise Violation(f"attempt statistics: {found.attempts} attempts at {location}, not at most {most}")
        if were_readable and not _is_sum(found, parts):
            raise Violation(f"attempt statistics: {found} at {location} is not the sum of {parts}")


def _recorded(account: Account, past: Known, jobs: Iterable[Job]) -> Mapping[Location, list[AttemptStatistics]]:
    """Returns what each attempt in the jobs' records adds, after the statistics of the past."""
    added = defaultdict(list, {location: [known] for location, known in past.items()})
    for job in jobs:
        moved = map(readable_ended_attempt, _table(account).partition(ended_attempts_key(job.name)))
        for ended in job.with_all_attempts(ended for ended in moved if ended is not None).status.history:
            if (one := statistics_of(job, ended)) is not None:
                added[one[0]].append(one[1])
    return added


def _is_sum(found: AttemptStatistics, parts: list[AttemptStatistics]) -> bool:
    """Returns whether each count is the sum of the parts' counts, which lose half their weight in 14 days."""
    weights = [0.5 ** ((found.as_of - part.as_of) / timedelta(days=14)) for part in parts]
    for name in ("attempts", "useful", "billed"):
        total = sum(getattr(part, name) * weight for part, weight in zip(parts, weights, strict=True))
        if not isclose(getattr(found, name), total, rel_tol=1e-6, abs_tol=_ROUNDED_OFF):
            return False
    return True


def _ran_at(job: TrainingJob) -> list[Location]:
    is_known = bool(owner_of(job)) and job.started_at is not None
    return [Location(kind, job.is_spot) for kind in instances_held_by(job)] if is_known else []


def _table(account: Account) -> Table:
    return Table(TableClient(account.table), account.settings["TABLE_NAME"])  # type: ignore[arg-type]  # the part used
