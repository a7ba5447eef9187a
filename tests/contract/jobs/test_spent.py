"""JobStore: spending counts are written together with the end of an attempt or a pool, or not at all."""

import pytest

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner.learned import Learned
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.spending.limits import Scope, ScopeKind, every_scope_of
from scheduler.core.spending.spent_time import SpentTime, SpentTimeKey
from scheduler.core.warm_pools.warm_pool import WarmPool
from scheduler.errors.internal import StaleJob
from support.builders.jobs import GPU, a_job, an_attempt, changed_job, launching
from support.dynamodb.stores import Stores

ADA = SpentTimeKey("2026-11", Scope(ScopeKind.OWNER, "role/Scientist"))
MOON = SpentTimeKey("2026-11", Scope(ScopeKind.TAG, "project=a#b moon"))
LATER = SpentTimeKey("2026-12", ADA.scope)
PAST = Learned(
    spent={
        ADA: SpentTime({GPU: 3600.125}, {GPU: 1800.0}),
        MOON: SpentTime({"ml.m5.large": 1.0}, {}),
        LATER: SpentTime(),
    }
)


@pytest.fixture
def live(stores: Stores, lease: Lease) -> LiveJob:
    stores.jobs.submit(a_job(), {})
    attempt = an_attempt(a_job())
    return LiveJob(stores.reservations.launch(launching(a_job()), attempt, Budget.parse(f"{GPU}=1"), lease), attempt)


def test_nothing_was_spent_at_first(stores: Stores) -> None:
    assert (stores.learned.spent([ADA, MOON]), stores.learned.spent([]), stores.learned.spent_in("2026-11")) == (
        {},
        {},
        {},
    )


def test_what_a_settled_attempt_spent_is_counted(stores: Stores, live: LiveJob, lease: Lease) -> None:
    stores.reservations.settle(changed_job(live.job, state=JobState.COMPLETED), live.attempt, lease, PAST)
    assert stores.learned.spent([ADA, MOON]) == {ADA: PAST.spent[ADA], MOON: PAST.spent[MOON]}


def test_the_longest_tag_has_a_count(stores: Stores) -> None:
    keys = [
        SpentTimeKey("2026-11", scope) for scope in every_scope_of(a_job(tags=(("project", "\U00020000" * 256),)), "")
    ]
    assert stores.learned.spent(keys) == {}


def test_a_month_has_its_own_counts(stores: Stores, live: LiveJob, lease: Lease) -> None:
    stores.reservations.settle(changed_job(live.job, state=JobState.COMPLETED), live.attempt, lease, PAST)
    assert stores.learned.spent_in("2026-11").keys() == {ADA, MOON}
    assert stores.learned.spent_in("2026-12").keys() == {LATER}


def test_an_end_counts_once(stores: Stores, live: LiveJob, lease: Lease) -> None:
    settled = stores.reservations.settle(changed_job(live.job, state=JobState.COMPLETED), live.attempt, lease, PAST)
    with pytest.raises(StaleJob):
        stores.reservations.settle(settled, live.attempt, lease, Learned(spent={ADA: SpentTime({GPU: 9.0}, {})}))
    assert stores.learned.spent([ADA]) == {ADA: PAST.spent[ADA]}


def test_the_end_of_a_pool_is_counted_with_it(stores: Stores, live: LiveJob, lease: Lease) -> None:
    stores.reservations.settle(changed_job(live.job, state=JobState.COMPLETED), live.attempt, lease, left_pool=True)
    stores.pools.remove_pool(WarmPool.left_by(live.attempt), lease, learned=PAST)
    with pytest.raises(StaleJob):
        stores.pools.remove_pool(
            WarmPool.left_by(live.attempt), lease, learned=Learned(spent={ADA: SpentTime({GPU: 9.0}, {})})
        )
    assert stores.learned.spent([ADA]) == {ADA: PAST.spent[ADA]}
