"""Takes the census, part by part: finds attempts that the records have lost, and what is not the queue's.

It comes before the plan, because a table restored from a backup knows nothing of what was launched since: such attempts
are adopted before anything else may take their place.
"""

import logging
from bisect import bisect_right
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta

from scheduler.adoption import Adoption, Stranger
from scheduler.domain.census import BudgetScope, Census
from scheduler.domain.demand import NOTHING
from scheduler.domain.lease import Lease
from scheduler.domain.listed import Listed
from scheduler.errors import Refused, Throttled, TrainingServiceError
from scheduler.foreign_guard import ForeignGuard
from scheduler.ports import Clock, JobStore, TrainingService

logger = logging.getLogger(__name__)

#: How long after one walk came to its end the next begins.
INTERVALS = {BudgetScope.QUEUE: timedelta(minutes=5), BudgetScope.ACCOUNT: timedelta(minutes=1)}
#: How long after a part of a walk it goes on; with so many calls of List each, they stay below 0.1 a second.
PAUSE = timedelta(minutes=1)
PAGES = 5
#: The first walk goes back so far: nothing waits and runs for longer (aws-facts 2.40, 2.42).
LOOK_BACK = timedelta(days=57)
#: How late the list may learn of a new training job; AWS does not say.
LIST_DELAY = timedelta(minutes=10)
#: How many of the known others each census asks about, in turn: so one of N others counts for N / 30 censuses after its
#: end at most (minutes, where the budget is the account's). More would keep the queue's own jobs waiting for Describe.
LOOKS = 30


class CensusTaker:
    def __init__(
        self,
        store: JobStore,
        training: TrainingService,
        clock: Clock,
        lease: Lease,
        mark: str,
        scope: BudgetScope,
        guard: ForeignGuard,
    ) -> None:
        self._store = store
        self._training = training
        self._clock = clock
        self._lease = lease
        self._scope = scope
        self._guard = guard
        self._adoption = Adoption(store, training, clock, lease, mark)
        self._name_part = "" if guard.is_on or scope is BudgetScope.ACCOUNT else f"-{mark}-"

    def take(self, deadline: datetime) -> None:
        """Go on with the census if it is due. What SageMaker does not answer now is left to the next time."""
        now = self._clock.now()
        census = self._store.census()
        if not census.is_due(now):
            return
        census = replace(census, next_at=now + PAUSE, is_forbidden=False)
        try:
            census = self._without_ended(census, deadline)
            census = self._walk(census, now, deadline)
        except Refused as error:
            census = replace(census, is_forbidden=True)
            logger.error("census refused", extra={"cause": type(error).__name__})  # noqa: TRY400 - may quote a request
        except TrainingServiceError as error:
            logger.warning("census postponed", extra={"cause": type(error).__name__})
        self._store.keep_census(census, self._lease)

    def _walk(self, census: Census, now: datetime, deadline: datetime) -> Census:
        since, token = census.seen_until or now - LOOK_BACK, None
        for _ in range(PAGES):
            page = self._training.list_created_after(since, self._name_part, token)
            ours = self._names_of_ours()
            for listed in page.listed:
                if self._clock.now() >= deadline:
                    return census
                try:
                    census = self._noted(census, listed, ours)
                except Throttled:
                    return census
            token = page.next_token
            if token is None:
                next_at = now + INTERVALS[self._scope]
                return replace(census, seen_until=now - LIST_DELAY, complete_at=now, next_at=next_at)
        return census

    def _names_of_ours(self) -> Collection[str]:
        """Whose an attempt's name is, is known once its creation is confirmed: somebody else may have taken it."""
        live = {one.attempt.name: one.attempt for one in self._store.live()}
        taken = {name for name, attempt in live.items() if not attempt.created and self._adoption.is_foreign(name)}
        return (live.keys() - taken) | {pool.name for pool in self._store.pools()}

    def _noted(self, census: Census, listed: Listed, ours: Collection[str]) -> Census:
        is_news = listed.holds_instances and listed.name not in ours and listed.name not in census.others
        stranger = self._adoption.adopt(listed.name) if is_news else Stranger.SETTLED
        if stranger is not Stranger.SETTLED:
            self._guard.note(listed.name)
        if self._counts(stranger):
            held = self._training.held_by(listed.name)
            census = replace(census, others={**census.others, listed.name: held} if held != NOTHING else census.others)
        # Others may have been created at the very same time.
        return replace(census, seen_until=listed.created_at - timedelta(seconds=1))

    def _counts(self, stranger: Stranger) -> bool:
        return stranger is Stranger.STRAY or (stranger is Stranger.FOREIGN and self._scope is BudgetScope.ACCOUNT)

    def _without_ended(self, census: Census, deadline: datetime) -> Census:
        """What is left after some of them, the next ones in turn, were asked about; who is left out now is next."""
        for name in _in_turn(census):
            if self._clock.now() >= deadline:
                break
            try:
                held = self._training.held_by(name)
            except Throttled:
                break
            others = {known: before for known, before in census.others.items() if known != name}
            census = replace(census, others={**others, name: held} if held != NOTHING else others, looked_until=name)
        return census


def _in_turn(census: Census) -> list[str]:
    """Whose turn it is, by name, after the one that was asked about last."""
    names = sorted(census.others)
    first = bisect_right(names, census.looked_until)
    return [*names[first:], *names[:first]][:LOOKS]
