"""The queue's records in memory, with the rules of the DynamoDB adapters: for tests, simulations and what-if runs.

All values are frozen, so `copy` is a copy of a few dictionaries.
"""

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from operator import itemgetter

from scheduler.adapters.job_lists import Part, Place, page_of, place_of
from scheduler.adapters.sort_keys import line_key, places, queue_key, start_of_rank, submission_key
from scheduler.domain.attempt import Attempt, Sighting
from scheduler.domain.budget import Budget
from scheduler.domain.census import Census
from scheduler.domain.controls import Controls
from scheduler.domain.demand import Demand, total
from scheduler.domain.job import ASIDE, QUEUED, Job, JobState
from scheduler.domain.job_filter import JobFilter
from scheduler.domain.lease import Lease
from scheduler.domain.notice import Notice
from scheduler.domain.pace import Pace
from scheduler.domain.past import Past
from scheduler.domain.reason import ReasonCode
from scheduler.domain.snapshot import LiveJob
from scheduler.errors import LeaseHeld, LeaseLost, OverBudget, StaleControls, StaleJob, UnknownJob
from scheduler.policy.backlog import candidates
from scheduler.ports import NOTHING_LEARNED, WAKING, Page, TrainingRequest, Waiting
from scheduler.refusals import NameTaken, TokenReused, UnreadableBody


@dataclass
class MemoryStore:
    """A JobStore, a LeaseStore and a ControlStore."""

    jobs: dict[str, Job] = field(default_factory=dict)
    requests: dict[str, str] = field(default_factory=dict)
    attempts: dict[str, Attempt] = field(default_factory=dict)
    kept: dict[str, Attempt] = field(default_factory=dict)  # the pools
    past: Past = field(default_factory=Past)
    tokens: dict[tuple[str, str], str] = field(default_factory=dict)  # names of jobs by owner and client's token
    controls: Controls = field(default_factory=Controls)
    fence: int = 0
    knocks: int = 0
    lease_expires_at: datetime | None = None
    pace: Pace = field(default_factory=dict)
    swept_until: datetime | None = None
    counted: Census = field(default_factory=Census)
    wake_ups: int = 0  # how many changes the table's stream would have passed on to the scheduler

    def copy(self) -> "MemoryStore":
        return replace(
            self,
            jobs={**self.jobs},
            requests={**self.requests},
            attempts={**self.attempts},
            kept={**self.kept},
            tokens={**self.tokens},
        )

    def submit(self, job: Job, request: TrainingRequest) -> None:
        if job.name in self.jobs:
            raise NameTaken(job.name)
        if job.client_token is not None:
            if (job.hand, job.client_token) in self.tokens:
                raise TokenReused
            self.tokens[job.hand, job.client_token] = job.name
        self.jobs[job.name] = job
        self.requests[job.name] = json.dumps(request)
        self._wake(by="api")

    def get(self, name: str) -> Job:
        if name not in self.jobs:
            raise UnknownJob(name)
        return self.jobs[name]

    def request(self, name: str) -> dict[str, object]:
        if name not in self.requests:
            raise UnreadableBody(name)
        body: dict[str, object] = json.loads(self.requests[name])
        return body

    def name_for_token(self, hand: str, token: str) -> str | None:
        return self.tokens.get((hand, token))

    def attempt(self, name: str) -> Attempt | None:
        return self.attempts.get(name)

    def save(self, job: Job, *, by: str) -> Job:
        self._check_version(job)
        self._wake(by)
        return self._write(job)

    def candidates(self, budget: Budget) -> tuple[Job, ...]:
        return candidates(sorted(self._queued(), key=line_key), budget.limit)

    def live(self) -> tuple[LiveJob, ...]:
        return tuple(LiveJob(self.jobs[attempt.job_name], attempt) for _, attempt in sorted(self.attempts.items()))

    def page(self, wanted: JobFilter, limit: int, token: str | None, now: datetime) -> Page:
        start = place_of(token, wanted, now)
        live = {one.job_name for one in self.attempts.values() if start.shows_as_live(one)}
        listed: dict[Part, list[tuple[str, Job]]] = {part: [] for part in Part}
        for job in self.jobs.values():
            part = Part.LIVE if job.name in live else Part.ENDED if job.is_finished else Part.WAITING
            listed[part].append((submission_key(job) if part is Part.ENDED else queue_key(job), job))
        return page_of(_from(start, listed), wanted, limit)

    def waiting(self) -> Iterator[Waiting]:
        return (Waiting(job.state, job.owner) for job in self.jobs.values() if job.state in QUEUED | ASIDE)

    def parked_for(self, reason: ReasonCode, limit: int) -> tuple[Job, ...]:
        parked = (job for job in self.jobs.values() if job.state is JobState.PARKED and job.reason.code is reason)
        return tuple(sorted(parked, key=queue_key)[:limit])

    def positions(self, jobs: Iterable[Job], within: int | None = None) -> dict[str, int]:
        keys = sorted(map(queue_key, self._queued()))
        return places({job.name: queue_key(job) for job in jobs}, keys[:within], within)

    def is_first(self, job: Job) -> bool:
        return not any(start_of_rank(job) < key < queue_key(job) for key in map(queue_key, self._queued()))

    def waiting_of(self, owner: str) -> int:
        return sum(job.owner == owner for job in self._queued())

    def launch(self, job: Job, attempt: Attempt, budget: Budget, lease: Lease) -> Job:
        self._check_fence(lease)
        self._check_version(job)
        if not self.jobs[job.name].is_queued or attempt.name in self.attempts:
            raise StaleJob(job.name)
        if not attempt.demand.fits(budget.limit - self._held()):
            raise OverBudget(f"{job.name} needs {attempt.demand}")
        self.attempts[attempt.name] = attempt
        return self._write(job)

    def update_attempt(self, job: Job, attempt: Attempt, lease: Lease) -> Job:
        self._check_fence(lease)
        self._check_version(job)
        if attempt.name not in self.attempts:
            raise StaleJob(job.name)
        known = self.attempts[attempt.name]
        self.attempts[attempt.name] = replace(known, created=attempt.created, stop_sent=attempt.stop_sent)
        return self._write(job)

    def settle(
        self, job: Job, attempt: Attempt, lease: Lease, past: Past = NOTHING_LEARNED, *, keeps_instances: bool = False
    ) -> Job:
        self._check_fence(lease)
        self._check_version(job)
        if attempt.name not in self.attempts:
            raise StaleJob(job.name)
        del self.attempts[attempt.name]
        if keeps_instances:
            self.kept[attempt.name] = attempt
        self.past = Past({**self.past.runs, **past.runs}, {**self.past.usage, **past.usage})
        return self._write(job)

    def pools(self) -> tuple[Attempt, ...]:
        return tuple(self.kept[name] for name in sorted(self.kept))

    def forget_pool(self, pool: Attempt, lease: Lease) -> None:
        self._check_fence(lease)
        if self.kept.pop(pool.name, None) is None:
            raise StaleJob(pool.name)

    def adopt(self, job: Job, attempt: Attempt, lost: Attempt | None, lease: Lease) -> Job:
        self._check_fence(lease)
        self._check_version(job)
        if attempt.name in self.attempts or (lost and lost.name not in self.attempts):
            raise StaleJob(job.name)
        if lost:
            del self.attempts[lost.name]
        self.attempts[attempt.name] = attempt
        return self._write(job)

    def census(self) -> Census:
        return self.counted

    def keep_census(self, census: Census, lease: Lease) -> None:
        self._check_fence(lease)
        self.counted = census

    def recount(self, held: Demand, lease: Lease) -> bool:
        self._check_fence(lease)
        return held != self._held()  # which is never written down here

    def recall(self, owners: Collection[str], teams: Collection[str]) -> Past:
        return Past(
            {owner: kinds for owner, kinds in self.past.runs.items() if owner in owners},
            {team: usage for team, usage in self.past.usage.items() if team in teams},
        )

    def note_sighting(self, attempt_name: str, sighting: Sighting, *, by: str) -> bool:
        known = self.attempts.get(attempt_name)
        if known is None or not sighting.supersedes(known.sighting):
            return False
        needs_look = known.needs_look or sighting.is_terminal
        self.attempts[attempt_name] = replace(known, sighting=sighting, needs_look=needs_look)
        self._wake(by)
        return True

    def read(self) -> Controls:
        return self.controls

    def write(self, controls: Controls, *, by: str) -> Controls:
        if controls.version != self.controls.version:
            raise StaleControls(f"version {controls.version}")
        self.controls = replace(controls, version=controls.version + 1)
        self._wake(by)
        return self.controls

    def take(self, now: datetime, seconds: int) -> Lease:
        self.knocks += 1
        if self.lease_expires_at is not None and now < self.lease_expires_at:
            raise LeaseHeld(f"until {self.lease_expires_at.isoformat()}")
        self.fence += 1
        self.lease_expires_at = now + timedelta(seconds=seconds)
        return Lease(self.fence, self.knocks, self.lease_expires_at, self.pace, self.swept_until)

    def give_back(self, lease: Lease) -> Lease | None:
        self._check_fence(lease)
        if self.knocks != lease.knocks:
            return replace(lease, knocks=self.knocks)
        self.lease_expires_at, self.pace, self.swept_until = None, lease.pace, lease.swept_until
        return None

    def _held(self) -> Demand:
        return total(attempt.demand for attempt in (*self.attempts.values(), *self.kept.values()))

    def _queued(self) -> Iterator[Job]:
        return (job for job in self.jobs.values() if job.is_queued)

    def _check_version(self, job: Job) -> None:
        stored = self.jobs.get(job.name)
        if stored is None or stored.version != job.version:
            raise StaleJob(job.name)

    def _check_fence(self, lease: Lease) -> None:
        if lease.fence != self.fence:
            raise LeaseLost(f"fence {lease.fence}")

    def _write(self, job: Job) -> Job:
        written = replace(job, version=job.version + 1)
        self.jobs[job.name] = written
        return written

    def _wake(self, by: str) -> None:
        self.wake_ups += by in WAKING


def _from(start: Place, listed: dict[Part, list[tuple[str, Job]]]) -> Iterator[tuple[Place, Job]]:
    for part, jobs in listed.items():
        newest_first = part is Part.ENDED
        behind = start.start_of(part)
        for key, job in sorted(jobs, key=itemgetter(0), reverse=newest_first):
            if behind == "" or (behind is not None and (key < behind if newest_first else key > behind)):
                yield start.at(part, key), job


@dataclass
class MemoryNotices:
    """Keeps what would be sent."""

    told: list[Notice] = field(default_factory=list)

    def tell(self, notice: Notice) -> None:
        self.told.append(notice)
