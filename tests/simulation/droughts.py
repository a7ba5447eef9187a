"""Capacity, judged on SageMaker's own truth: who runs into a shortage that is known, and how many try at once."""

from collections.abc import Iterator

from local_sagemaker.lifecycle import CAPACITY_ERROR
from scheduler.domain.attempt import Attempt
from scheduler.domain.job import Job
from scheduler.policy.attempt_request import JOB_TAG
from simulation.account import Account
from simulation.checks import Checks
from simulation.wishes import Wishes

#: The shortest pause after a failure, and how far the clocks of functions may be apart.
_PAUSE, _SKEW = 60.0, 10.0
#: After so long without instances an attempt is no probe any more, but a sign of the shortage itself.
_LONG_WAIT = 600.0

#: Instance type, spot or not, subnet.
Place = tuple[str, bool, str]


class Droughts:
    def __init__(self, account: Account, checks: Checks, wishes: Wishes) -> None:
        self._account, self._check, self._wishes = account, checks.check, wishes
        self._failed_at: dict[Place, float] = {}  # when the queue recorded the last failure there …
        self._refused_at: dict[Place, float] = {}  # … and when SageMaker had it: what is learned late may be over
        self._came_at: dict[Place, float] = {}  # when instances last came there, of attempts that ended
        self._live: dict[str, tuple[float, list[Place]]] = {}  # since when, and where

    def of_start(self, job: Job, attempt: Attempt) -> None:
        """One way at least is open: SageMaker looks in each subnet that is named, and for each preference."""
        ways = self._ways_of(job, attempt)
        for number, is_closed in (("C1", self._is_paused), ("C2", self._is_probed)):
            closed = [[place for place in way if is_closed(place)] for way in ways]
            self._check(number, not ways or not all(closed), f"{attempt.name} runs into the shortage of {closed}")
        self._live[attempt.name] = (self._account.now, [place for way in ways for place in way])

    def of_end(self, name: str) -> None:
        """The queue has recorded it."""
        since, places = self._live.pop(name, (0.0, []))
        job = self._account.simulation.world.jobs.get(name)
        if job is None or JOB_TAG not in job.tags:
            return  # somebody else may have the name
        for place in places:
            if job.started_at is not None:
                if job.selected is None or place[0] == job.selected["InstanceType"]:
                    self._came_at[place] = max(job.started_at, self._came_at.get(place, 0.0))
            elif job.failure_reason == CAPACITY_ERROR and since >= self._failed_at.get(place, 0.0):
                self._failed_at[place] = self._account.now
                self._refused_at[place] = job.ended_at or 0.0

    def _is_paused(self, place: Place) -> bool:
        return self._is_short(place) and self._account.now < self._refused_at[place] + _PAUSE - _SKEW

    def _is_probed(self, place: Place) -> bool:
        return self._is_short(place) and any(self._probes(place, self._failed_at[place]))

    def _is_short(self, place: Place) -> bool:
        """As far as the queue can know: instances that came end it."""
        if place not in self._failed_at:
            return False
        live = [self._started_at(name) or 0.0 for name, (_, places) in self._live.items() if place in places]
        return max([*live, self._came_at.get(place, 0.0)]) <= self._failed_at[place]

    def _probes(self, place: Place, failed_at: float) -> Iterator[str]:
        for name, (since, places) in self._live.items():
            is_recent = failed_at <= since and self._account.now < since + _LONG_WAIT - _SKEW
            if place in places and is_recent and self._started_at(name) is None:
                yield name

    def _started_at(self, name: str) -> float | None:
        job = self._account.simulation.world.jobs.get(name)
        return job.started_at if job else None

    def _ways_of(self, job: Job, attempt: Attempt) -> list[list[Place]]:
        body = self._wishes.accepted.get(job.name)
        if body is None or attempt.on_pool:
            return []  # its answer was lost, or is still under way; or it needs no new instances
        is_spot = body.get("EnableManagedSpotTraining", False) and not job.on_demand
        subnets = [attempt.subnet] if attempt.subnet else body.get("VpcConfig", {}).get("Subnets", [""])
        kinds = [[kind] for kind in attempt.demand] if job.has_preferences else [[*attempt.demand]]
        return [[(kind, is_spot, subnet) for kind in each] for each in kinds for subnet in subnets]
