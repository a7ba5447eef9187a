"""Judges the statistics by which choices are ranked: each attempt of SageMaker's records counts at most once."""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from random import Random

from local_sagemaker.state_machine.job import TrainingJob
from scheduler.adapters.dynamodb.jobs.learned import DynamoDBLearnedStore, learned_writes
from scheduler.adapters.dynamodb.table import Table
from scheduler.core.capacity.attempt_statistics import AttemptStatistics
from scheduler.core.capacity.locations import Location
from scheduler.core.planner.learned import Learned
from support.account.account import Account
from support.dynamodb.client import TableClient
from support.simulation.judges.checks import Violation
from support.simulation.judges.held_instances import instances_held_by
from support.simulation.submissions.squatters import owner_of
from support.simulation.submissions.training_requests import TYPES

#: Stored counts are rounded.
_ROUNDED_OFF = 0.01
_LOCATIONS = [Location(kind, spot) for kind in TYPES for spot in (False, True)]


def draw_past_attempts(seed: int) -> Mapping[Location, float]:
    """Draws the number of attempts before a world begins. In most worlds, there were none."""
    random = Random(f"past attempts {seed}")  # noqa: S311 - worlds, not secrets
    if random.random() >= 0.3:
        return {}
    return {location: random.choice([2.0, 30.0]) for location in _LOCATIONS}


def record_past_attempts(account: Account, past: Mapping[Location, float], seed: int) -> None:
    """Writes statistics in which the choices differ in their costs."""
    random, now = Random(f"past costs {seed}"), datetime.fromtimestamp(account.now, UTC)  # noqa: S311 - same
    known = {
        location: AttemptStatistics(attempts, 3600.0, random.choice([300.0, 3600.0, 36_000.0]), now)
        for location, attempts in past.items()
    }
    _table(account).transact(*learned_writes(Learned(statistics=known), now))


def check(account: Account, past: Mapping[Location, float], deleted: int) -> None:
    """Raises Violation if a location has more attempts than SageMaker ran there. A broken record may have lost some.

    SageMaker does not show where the deleted attempts ran.
    """
    ran = Counter(location for job in account.simulation.machine.jobs.values() for location in _ran_at(job))
    known = DynamoDBLearnedStore(_table(account)).read_learned((), (), _LOCATIONS).statistics
    for location, statistics in known.items():
        most = past.get(location, 0.0) + ran[location] + deleted
        if statistics.attempts > most + _ROUNDED_OFF:
            raise Violation(f"attempt statistics: {statistics.attempts} attempts at {location}, not at most {most}")


def _ran_at(job: TrainingJob) -> list[Location]:
    is_known = bool(owner_of(job)) and job.started_at is not None
    return [Location(kind, job.is_spot) for kind in instances_held_by(job)] if is_known else []


def _table(account: Account) -> Table:
    return Table(TableClient(account.table), account.settings["TABLE_NAME"])  # type: ignore[arg-type]  # the part used
