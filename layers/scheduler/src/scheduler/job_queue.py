"""The queue as people see it: submit, show, list. Scheduling itself is the cycle's."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scheduler.domain.budget import Budget
from scheduler.domain.demand import Demand
from scheduler.domain.job import Job, JobState
from scheduler.errors import NameTaken, OwnerCapReached, RuleViolated, UnknownJob
from scheduler.gate import Gate
from scheduler.job_control import named
from scheduler.observing import Observer
from scheduler.policy import wishes
from scheduler.policy.option_reading import read_options
from scheduler.policy.submission import accept
from scheduler.ports import Clock, JobStore
from scheduler.standings import Standing, Standings


@dataclass(frozen=True, slots=True)
class Listing:
    standings: tuple[Standing, ...]
    next_token: str | None
    budget: Budget
    held: Demand


@dataclass(frozen=True, slots=True)
class JobQueue:
    observer: Observer
    store: JobStore
    clock: Clock
    standings: Standings
    refuse_invalid: Callable[[object], None]
    gate: Gate

    def submit(self, request: dict[str, Any], caller: str) -> tuple[Standing, bool]:
        """Take a CreateTrainingJob request in; the flag tells whether it is new. Raises BadRequest.

        The same name with the same body is the same job, however often it is sent; a parked job tries again then.
        """
        self.refuse_invalid(request)
        now = self.clock.now()
        budget = self.observer.intake_budget()
        job = accept(request, read_options(request, {}), owner=caller, budget=budget, now=now)
        try:
            self._refuse_over_cap(job)
            job = self.gate.admit(job, request, now)
            self.store.submit(job, request)
        except (NameTaken, OwnerCapReached, RuleViolated):  # rules may have changed since the same job was accepted
            existing = self._submitted_before(job)
            if existing is None:
                raise
            return self.standings.of(self._unparked(existing)), False
        return self.standings.of(job), True

    def show(self, name: str) -> tuple[Standing, dict[str, object]]:
        """The job and its request as submitted. Raises UnknownJob."""
        return self.standings.of(named(self.store, name)), self.store.request(name)

    def list(self, state: JobState | None, limit: int, token: str | None) -> Listing:
        page = self.store.page(state, limit, token)
        snapshot = self.observer.observe()
        standings = self.standings.among(snapshot, page.jobs)
        return Listing(standings, page.next_token, snapshot.budget, snapshot.held)

    def _submitted_before(self, job: Job) -> Job | None:
        try:
            existing = self.store.get(job.name)
        except UnknownJob:
            return None
        return existing if existing.digest == job.digest else None

    def _refuse_over_cap(self, job: Job) -> None:
        """As far as is known now: jobs that are submitted at one moment may pass the cap together."""
        cap = self.observer.policy.queued_per_owner
        if cap and job.is_queued and (waiting := self.store.waiting_of(job.owner)) >= cap:
            raise OwnerCapReached(waiting, cap)

    def _unparked(self, job: Job) -> Job:
        tried_again = wishes.unparked(job, self.clock.now())
        return job if tried_again is job else self.store.save(tried_again, by="api")
