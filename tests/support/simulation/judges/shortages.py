"""Judges capacity by SageMaker's own records: no job enters a known shortage, and only one job at a time probes it."""

from collections.abc import Iterator
from dataclasses import dataclass

from local_sagemaker.state_machine.job import TrainingJob
from local_sagemaker.state_machine.lifecycle import CAPACITY_ERROR
from scheduler.adapters.dynamodb.records.job_records import LIVE_PARTITION
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from support.account.account import Account
from support.simulation.judges.checks import Checks
from support.simulation.judges.held_instances import instances_held_by
from support.simulation.submissions.squatters import owner_of
from support.simulation.submissions.user_requests import UserRequests

#: The shortest pause after a failure, and the maximum difference between the functions' clocks.
_PAUSE, _SKEW = 60.0, 10.0
#: After this many seconds without instances, an attempt is no longer a probe, but shows the shortage.
_LONG_WAIT = 600.0
#: The queue forgets a shortage that no attempt has tried for a day after its pause.
_REMEMBERED = 86_400.0

#: Instance type, spot or not, subnet.
Location = tuple[str, bool, str]


@dataclass(frozen=True, slots=True)
class _Try:
    since: float
    locations: list[Location]  # the known locations, before SageMaker has the request
    on_pool: bool


class ShortageJudge:
    def __init__(self, account: Account, checks: Checks, user_requests: UserRequests) -> None:
        self._account, self._check, self._user_requests = account, checks.check, user_requests
        self._failed_at: dict[Location, float] = {}  # when the queue recorded the last failure …
        self._refused_at: dict[Location, float] = {}  # … and when SageMaker reported it: a late record may be over
        self._provided_at: dict[Location, float] = {}  # when a finished attempt last got instances
        self._live: dict[str, _Try] = {}

    def check_start(self, job: Job, attempt: Attempt) -> None:
        """Checks C1 and C2: at least one location is open. SageMaker tries each subnet and each preference."""
        alternatives = self._alternatives_of(job, attempt)
        for number, is_closed in (("C1", self._is_paused), ("C2", self._is_probed)):
            closed = [[location for location in alternative if is_closed(location)] for alternative in alternatives]
            self._check(
                number, not alternatives or not all(closed), f"{attempt.name} runs into the shortage of {closed}"
            )
        locations = [location for alternative in alternatives for location in alternative]
        self._live[attempt.name] = _Try(self._account.now, locations, bool(attempt.on_pool))

    def check_end_of(self, name: str) -> None:
        """Records the end of an attempt, once the queue has recorded it."""
        if name not in self._live:
            return
        since, locations = self._live[name].since, self._locations_of(name)
        del self._live[name]
        job = self._training_job(name)
        if job is None:
            return
        for location in locations:
            if job.started_at is not None:
                self._provided_at[location] = max(job.started_at, self._provided_at.get(location, 0.0))
            elif job.failure_reason == CAPACITY_ERROR and self._adds_to(location, since):
                self._failed_at[location] = self._account.now
                self._refused_at[location] = job.ended_at or 0.0

    def _adds_to(self, location: Location, since: float) -> bool:
        """Returns whether an attempt's failure at this time is new evidence: no later failure or long wait is known."""
        others = [attempt.since for attempt in self._live.values() if location in attempt.locations]
        is_wait_known = min([since, *others]) + _LONG_WAIT <= self._account.now
        return since >= self._failed_at.get(location, 0.0) and not is_wait_known

    def _is_paused(self, location: Location) -> bool:
        return self._is_short(location) and self._account.now < self._refused_at[location] + _PAUSE - _SKEW

    def _is_probed(self, location: Location) -> bool:
        return self._is_short(location) and any(self._probes(location, self._failed_at[location]))

    def _is_short(self, location: Location) -> bool:
        """Returns whether the queue can know of a shortage there. New instances end it."""
        failed_at = self._failed_at.get(location)
        if failed_at is None or self._account.now >= failed_at + _REMEMBERED:
            return False
        live = [self._started_at(name) or 0.0 for name in self._live if location in self._locations_of(name)]
        return max([*live, self._provided_at.get(location, 0.0)]) <= failed_at

    def _probes(self, location: Location, failed_at: float) -> Iterator[str]:
        for name, attempt in self._live.items():
            is_recent = failed_at <= attempt.since and self._account.now < attempt.since + _LONG_WAIT - _SKEW
            is_known = is_recent and not self._is_hidden(name)
            if is_known and location in self._locations_of(name) and self._started_at(name) is None:
                yield name

    def _is_hidden(self, name: str) -> bool:
        """Returns whether the attempt's record no longer shows how long it has tried, or for which instances."""
        attribute, _ = self._account.table.corrupted.get((LIVE_PARTITION, name), ("", None))
        return attribute in {"reserved_at", "demand"}

    def _started_at(self, name: str) -> float | None:
        job = self._training_job(name)
        return job.started_at if job else None

    def _training_job(self, name: str) -> TrainingJob | None:
        """Returns SageMaker's job for this attempt; an unmanaged job may have the attempt's name."""
        job = self._account.simulation.machine.jobs.get(name)
        return job if job and owner_of(job) else None

    def _locations_of(self, name: str) -> list[Location]:
        """Returns the locations that SageMaker tries or found instances in; none for a warm pool."""
        attempt, job = self._live[name], self._training_job(name)
        if job is None or attempt.on_pool:
            return attempt.locations
        subnets = job.request.get("VpcConfig", {}).get("Subnets", [""])
        return [(kind, job.is_spot, subnet) for subnet in subnets for kind in instances_held_by(job)]

    def _alternatives_of(self, job: Job, attempt: Attempt) -> list[list[Location]]:
        body = self._user_requests.accepted.get(job.name)
        if body is None or attempt.on_pool:
            return []  # the answer was lost or is on its way; or it needs no new instances
        is_spot = body.get("EnableManagedSpotTraining", False) and not job.status.on_demand
        subnets = [attempt.subnet] if attempt.subnet else body.get("VpcConfig", {}).get("Subnets", [""])
        kinds = [[kind] for kind in attempt.demand] if job.spec.has_preferences else [[*attempt.demand]]
        return [[(kind, is_spot, subnet) for kind in types] for types in kinds for subnet in subnets]
