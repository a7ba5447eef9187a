"""The queue as people see it: submit, show, list, cancel. Scheduling itself is the cycle's."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from scheduler.domain.attempt import Attempt, attempt_name
from scheduler.domain.budget import Budget
from scheduler.domain.demand import Demand
from scheduler.domain.job import Job, JobState
from scheduler.domain.plan import Plan
from scheduler.domain.reason import Reason
from scheduler.domain.snapshot import Snapshot
from scheduler.errors import AlreadyFinished, BadRequest, NameTaken, StaleJob, TooLarge, UnknownJob
from scheduler.observing import Observer
from scheduler.policy import transitions
from scheduler.policy.option_reading import read_options
from scheduler.policy.planning import plan
from scheduler.policy.submission import accept
from scheduler.ports import Clock, JobStore

_JOB_NAME = re.compile(r"[a-zA-Z0-9-]{1,63}")
MAX_BODY_BYTES = 4 * 1024 * 1024
#: A cycle writes a job a few times in its life; so many collisions in a row do not happen by chance.
CANCEL_TRIES = 10


@dataclass(frozen=True, slots=True)
class Standing:
    """A job and where it stands now."""

    job: Job
    attempt: Attempt | None  # the live one
    position: int | None  # from 1, among the queued jobs
    reason: Reason  # for a queued job: what a cycle would say of it at this moment


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
    name_mark: str
    refuse_invalid: Callable[[object], None]

    def submit(self, body: bytes, caller: str) -> tuple[Standing, bool]:
        """Take a CreateTrainingJob request in; the flag tells whether it is new. Raises BadRequest.

        The same name with the same body is the same job, however often it is sent; a parked job tries again then.
        """
        request = _parsed(body)
        self.refuse_invalid(request)
        job = accept(
            request, read_options(request, {}), owner=caller, budget=self.observer.budget(), now=self.clock.now()
        )
        try:
            self.store.submit(job, request)
        except NameTaken:
            existing = self.store.get(job.name)
            if existing.digest != job.digest:
                raise
            return self._standing(self._unparked(existing)), False
        return self._standing(job), True

    def show(self, name: str) -> tuple[Standing, dict[str, object]]:
        """The job and its request as submitted. Raises UnknownJob."""
        return self._standing(self._named(name)), self.store.request(name)

    def list(self, state: JobState | None, limit: int, token: str | None) -> Listing:
        page = self.store.page(state, limit, token)
        snapshot = self.observer.observe()
        decided = plan(snapshot, self.clock.now())
        positions = self.store.positions(job for job in page.jobs if job.is_queued)
        standings = tuple(_standing_in(snapshot, decided, job, positions) for job in page.jobs)
        return Listing(standings, page.next_token, snapshot.budget, snapshot.held)

    def cancel(self, name: str, caller: str) -> Standing:
        """Wish the job ended; asking again changes nothing. Raises UnknownJob, AlreadyFinished."""
        for _ in range(CANCEL_TRIES):
            job = self._named(name)
            if job.was_cancelled:
                return self._standing(job)
            if job.is_finished:
                raise AlreadyFinished(name, job.state.value)
            try:
                return self._standing(self.store.save(transitions.cancelled(job, caller, self.clock.now()), by="api"))
            except StaleJob:
                continue  # a cycle wrote the job in between: look again
        raise StaleJob(name)

    def _named(self, name: str) -> Job:
        if not _JOB_NAME.fullmatch(name):  # the table refuses keys of any length and kind
            raise UnknownJob(name)
        return self.store.get(name)

    def _unparked(self, job: Job) -> Job:
        if job.state is not JobState.PARKED:
            return job
        return self.store.save(transitions.unparked(job, self.clock.now()), by="api")

    def _standing(self, job: Job) -> Standing:
        if not job.is_queued:
            return Standing(job, self._live_attempt(job), None, job.reason)
        snapshot = self.observer.observe()
        return _standing_in(snapshot, plan(snapshot, self.clock.now()), job, self.store.positions([job]))

    def _live_attempt(self, job: Job) -> Attempt | None:
        return self.store.attempt(attempt_name(job.name, self.name_mark, job.attempts)) if job.is_live else None


def _standing_in(snapshot: Snapshot, decided: Plan, job: Job, positions: Mapping[str, int]) -> Standing:
    if job.is_queued:
        return Standing(job, None, positions[job.name], decided.reason_for(job.name) or job.reason)
    attempt = next((live.attempt for live in snapshot.live if live.job.name == job.name), None)
    return Standing(job, attempt, None, job.reason)


def _parsed(body: bytes) -> dict[str, Any]:
    if len(body) > MAX_BODY_BYTES:
        raise TooLarge(
            f"The body has {len(body)} bytes; the limit is {MAX_BODY_BYTES}",
            remedy="Put large hyperparameters into a file on S3 and pass its location.",
        )
    try:
        request = json.loads(body)
        json.dumps(request, ensure_ascii=False).encode()  # refuses what is no text, such as half a surrogate pair
    except (ValueError, RecursionError) as error:
        raise BadRequest(
            f"The body is not JSON: {error}",
            remedy="Send the body of a CreateTrainingJob request as JSON.",
            code="not_json",
        ) from error
    if not isinstance(request, dict):
        raise BadRequest("The body is not a JSON object", remedy="Send the body of a CreateTrainingJob request.")
    return request
