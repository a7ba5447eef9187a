"""Sends each owner a daily digest, in the time that sweeps have left after their report.

A sweep continues where the sweep before it ended. Sweeps may overlap here, since they no longer hold the lease. So a
sweep first claims the period for the time that it has left. The claim expires, so a crash only delays the digests. A
digest is sent before it is marked as sent, so a crash repeats it, with the same ID. The history is read once a day,
however often sweeps continue, unless Lambda starts a new process.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache

from scheduler.admission.authorization import Authorization
from scheduler.core.configuration.configuration import Configuration
from scheduler.core.history.digests.digest import MOST_NAMED, digest_for
from scheduler.core.history.digests.owner_day import OwnerDay
from scheduler.core.history.digests.owner_now import OwnerNow
from scheduler.core.history.digests.period import DigestPeriod, last_period
from scheduler.core.history.notices import Notice, NoticeKind
from scheduler.core.jobs.job_state import QUEUED, JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.principal import UNKNOWN_OWNER
from scheduler.core.jobs.reason import Reason
from scheduler.core.jobs.team import team_chosen
from scheduler.core.planner.plan import Waits
from scheduler.core.spending.limits import Scope, ScopeKind, owner_name
from scheduler.core.spending.prices.price import PriceList
from scheduler.core.spending.spent_time import SpentTime
from scheduler.errors.internal import DATA_ERRORS, NoticesRefused
from scheduler.observe.spending import SpendingReader
from scheduler.ports.change_store import ChangeStore
from scheduler.ports.clock import Clock
from scheduler.ports.job_index import Dependencies, JobIndex
from scheduler.ports.monitoring import DigestStore
from scheduler.ports.notifications import NoticeSender

logger = logging.getLogger(__name__)

#: The function `history` records changes within this time, unless it fails. Digests do not contain later records.
_RECORDED_WITHIN = timedelta(minutes=10)
#: Digests that cannot be sent by then are lost, as other notices are.
_LOST_AFTER = timedelta(hours=12)
_CHANGES_PER_PAGE = 1_000
#: Returns the owner whose digest reports on a caller's jobs.
OwnerOf = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class QueueNow:
    """The queue as the sweep report observed it."""

    configuration: Configuration
    live: tuple[LiveJob, ...]
    waits: Waits


@dataclass(slots=True)
class _Reading:
    """The part of a period's history that was read so far."""

    period: DigestPeriod
    days: dict[str, OwnerDay] = field(default_factory=dict)  # by owner
    token: str | None = None
    is_complete: bool = False


@dataclass(frozen=True, slots=True)
class OwnersReader:
    """Reads each owner's part of the queue."""

    index: JobIndex
    jobs: Dependencies
    spending: SpendingReader

    def read(self, names: Iterable[str], queue: QueueNow, owner_of: OwnerOf) -> Mapping[str, OwnerNow]:
        """Returns the part of each of these owners, and of each other owner that has unfinished jobs."""
        found: dict[str, OwnerNow] = defaultdict(OwnerNow, {name: OwnerNow() for name in names})
        with _left_out_if_broken():
            self._add_jobs(found, queue, owner_of)
        with _left_out_if_broken():
            self._add_reasons_of_parked(found)
        with _left_out_if_broken():
            self._add_limits(found, queue)
        found.pop(UNKNOWN_OWNER, None)
        return found

    def _add_jobs(self, found: Mapping[str, OwnerNow], queue: QueueNow, owner_of: OwnerOf) -> None:
        for job in (live_job.job for live_job in queue.live if live_job.is_readable):
            state = job.status.state
            found[owner_of(job.owner)].live.append((job.name, "" if state is JobState.RUNNING else state.value))
        for waiting in self.index.waiting():
            part = found[owner_of(waiting.owner)]
            part.waiting += waiting.state in QUEUED
            part.held += waiting.state is JobState.HELD
            if waiting.state is JobState.PARKED:
                part.parked += 1
                if len(part.parks) < MOST_NAMED:
                    part.parks.append((waiting.name, ""))
        for job, reason in queue.waits:
            if len(waits := found[owner_of(job.owner)].waits) < MOST_NAMED:
                waits.append((job.name, _text_of(reason)))

    def _add_reasons_of_parked(self, found: Mapping[str, OwnerNow]) -> None:
        jobs = self.jobs.predecessors([name for now in found.values() for name, _ in now.parks])
        for now in found.values():
            now.parks = [(name, _text_of(jobs[name].status.reason) if name in jobs else "") for name, _ in now.parks]

    def prices(self, queue: QueueNow) -> PriceList:
        return queue.configuration.prices.over(self.spending.base_prices)

    def _add_limits(self, owners: Mapping[str, OwnerNow], queue: QueueNow) -> None:
        """Adds the use of the spending limits for each owner and for the owner's team."""
        configuration = queue.configuration
        uses_in_month = self.spending.uses_in_month(configuration, queue.live)
        if uses_in_month is None:
            return
        (month, uses), prices = uses_in_month, self.prices(queue)
        by_scope: dict[Scope, list[str]] = defaultdict(list)
        for use in uses:
            with _left_out_if_broken():
                by_scope[use.scope].append(use.summary(prices, month))
        for owner, now in owners.items():
            team = team_chosen("", owner, configuration.teams)
            scopes = [Scope(ScopeKind.OWNER, owner_name(owner)), *([Scope(ScopeKind.TEAM, team.name)] if team else [])]
            now.limits = [sentence for scope in scopes for sentence in by_scope.get(scope, ())]


@dataclass(slots=True)
class Digests:
    changes: ChangeStore
    store: DigestStore
    owners: OwnersReader
    sender: NoticeSender
    authorization: Authorization
    clock: Clock
    _reading: _Reading | None = field(default=None, init=False)
    _finished: DigestPeriod | None = field(default=None, init=False)  # the last one

    def send(self, queue: QueueNow, until: datetime) -> None:
        """Sends the digests that are due, as far as the time allows. The next sweep continues."""
        notices, now = queue.configuration.notices, self.clock.now()
        period = last_period(now - _RECORDED_WITHIN, notices.digest_hour)
        if not notices.sends(NoticeKind.DIGEST) or period == self._finished or now >= until:
            return
        if now - period.ends >= _LOST_AFTER:
            if self.store.is_begun(period) and self.store.finish(period):
                logger.error("lost digests", extra={"day": period.name})
        elif not self.store.is_finished(period) and not self._continue(period, queue, until):
            return
        self._finished, self._reading = period, None

    def _continue(self, period: DigestPeriod, queue: QueueNow, until: datetime) -> bool:
        """Continues with the period, unless another sweep does. Returns whether all its digests are sent."""
        if not self.store.claim(period, self.clock.now(), until):
            return False
        if self._reading is None or self._reading.period != period:
            self._reading = _Reading(period)
        owner_of = cache(self.authorization.callers(queue.configuration).owner_of)  # many jobs have few owners
        self._read(self._reading, owner_of, until)
        if not self._reading.is_complete or not self._send_all(self._reading, queue, owner_of, until):
            return False
        self.store.finish(period)
        return True

    def _read(self, reading: _Reading, owner_of: OwnerOf, until: datetime) -> None:
        period = reading.period
        while not reading.is_complete and self.clock.now() < until:
            page = self.changes.page(period.begins, period.ends, _CHANGES_PER_PAGE, reading.token)
            for change in page.changes:
                day = reading.days.setdefault(owner_of(change.owner), OwnerDay())
                with _left_out_if_broken(change.job):
                    day.add(change)
            reading.token, reading.is_complete = page.next_token, page.next_token is None

    def _send_all(self, reading: _Reading, queue: QueueNow, owner_of: OwnerOf, until: datetime) -> bool:
        """Sends the digests that are not sent yet. Returns whether none is left."""
        period, sent = reading.period, self.store.sent(reading.period)
        owners = self.owners.read(reading.days, queue, owner_of)
        prices = self.owners.prices(queue)
        are_all_sent = True
        for owner in sorted(owners.keys() - sent):
            if self.clock.now() >= until:
                return False
            day = reading.days.get(owner) or OwnerDay()
            notice = None
            with _left_out_if_broken():
                used = SpentTime(day.held, day.billed).summary(prices) if any(day.held.values()) else ""
                notice = digest_for(owner, period, day, used, owners[owner])
            if notice is not None:
                are_all_sent &= self._send(notice, period)
        return are_all_sent

    def _send(self, notice: Notice, period: DigestPeriod) -> bool:
        try:
            self.sender.send([notice])
        except NoticesRefused:
            logger.warning("a digest waits for the next sweep")
            return False
        self.store.add_sent(period, notice.owner)
        return True


def _text_of(reason: Reason) -> str:
    return reason.message if reason.is_worded_by_queue and reason.message else reason.code.replace("_", " ")


@contextmanager
def _left_out_if_broken(job: str = "") -> Iterator[None]:
    """Leaves a part out of the digests, and logs it, if a record cannot be read."""
    try:
        yield
    except DATA_ERRORS as error:
        # No owner: logs must not name people.
        details = {"job": job, "cause": type(error).__name__}
        logger.error("left out of a digest", extra=details)  # noqa: TRY400 - a traceback may quote the record
