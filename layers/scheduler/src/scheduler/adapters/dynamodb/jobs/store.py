"""The queue's records in DynamoDB. Every write is one conditional write, or one transaction of conditional writes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import chain, islice
from typing import TYPE_CHECKING

from scheduler.adapters.dynamodb import spending
from scheduler.adapters.dynamodb.jobs import candidates, live_jobs, warm_pools, writes
from scheduler.adapters.dynamodb.jobs.learned import learned_writes, read_learned
from scheduler.adapters.dynamodb.jobs.list_pages import MAX_RECORDS_PER_PAGE, Part, has_part, page_of, position_of
from scheduler.adapters.dynamodb.jobs.lists import JobLists, key_and_name
from scheduler.adapters.dynamodb.lease import ledger
from scheduler.adapters.dynamodb.records.attribute_values import Item
from scheduler.adapters.dynamodb.records.items import (
    HELD_OR_PARKED,
    POOLS,
    QUEUE,
    attempt_key,
    capacity_key,
    job_key,
    ledger_key,
    reconciliation_key,
    request_key,
    token_key,
)
from scheduler.adapters.dynamodb.records.record_reader import RecordReader
from scheduler.adapters.dynamodb.records.request_bodies import S3Requests
from scheduler.adapters.dynamodb.records.sort_keys import positions_among, queue_key, start_of_rank
from scheduler.adapters.dynamodb.records.unreadable_records import (
    readable_attempt,
    readable_body,
    readable_capacity,
    readable_job,
    readable_reconciliation_state,
)
from scheduler.adapters.dynamodb.table import Table
from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.jobs.attempt import Attempt, Observation
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.job import Job, JobState
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.principal import owner_key_of
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.planner.learned import Learned
from scheduler.core.reconciliation.lease import Lease
from scheduler.core.reconciliation.reconciliation_state import ReconciliationState
from scheduler.core.spending.spent_time import SpentTime, SpentTimeKey
from scheduler.core.warm_pools.lending import end_loan, lend, swap_pools
from scheduler.errors.internal import OverBudget, StaleJob, UnknownJob
from scheduler.ports.job_index import Page, Waiting
from scheduler.ports.job_store import NO_JOBS, NOTHING_LEARNED
from scheduler.ports.training import TrainingRequest

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

# Jobs of one state may be rare, so a filtered list reads large pages.
_SEARCH_PAGE = 1000
# As many keys as one answer of DynamoDB holds.
_KEYS_PAGE = 5000


class DynamoDBJobStore:
    def __init__(self, client: DynamoDBClient, table: str, requests: S3Requests, *, consistent: bool = True) -> None:
        self._client = client
        self._name = table
        self._table = Table(client, table, consistent)
        self._lists = JobLists(self._table)
        self._requests = requests
        self._jobs = RecordReader(readable_job)
        self._attempts = RecordReader(readable_attempt)

    def submit(self, job: Job, *requests: TrainingRequest) -> None:
        bodies = [self._requests.pack(job, request, choice) for choice, request in enumerate(requests)]
        added = (writes.add_request(self._name, job, choice, body) for choice, body in enumerate(bodies))
        token = (writes.add_token(self._name, job, job.client_token),) if job.client_token is not None else ()
        self._table.transact(writes.add_job(self._name, job), *added, *token)

    def get(self, name: str) -> Job:
        return readable_job(self._existing(job_key(name), name))

    def request(self, name: str, choice: int = 0) -> dict[str, object]:
        return readable_body(self._requests, self._table.item(request_key(name, choice)), name, choice)

    def name_for_token(self, owner_key: str, token: str) -> str | None:
        item = self._table.item(token_key(owner_key, token))
        return item["job_name"]["S"] if item else None

    def attempt(self, name: str) -> Attempt | None:
        item = self._table.item(attempt_key(name))
        return readable_attempt(item) if item else None

    def save(self, job: Job, *, by: str) -> Job:
        refusals = self._client.exceptions
        try:
            self._client.put_item(**writes.replacement(self._name, job, by=by))
        except (refusals.ConditionalCheckFailedException, refusals.TransactionConflictException) as error:
            raise StaleJob(f"{job.name}, version {job.version}") from error
        return _written(job)

    def candidates(self, budget: Budget) -> tuple[Job, ...]:
        return candidates.read_candidates(self._table, self._jobs, budget)

    def live(self, known: Mapping[str, Job] = NO_JOBS, *, consistent: bool = True) -> tuple[LiveJob, ...]:
        return live_jobs.read_live_jobs(self._table, self._jobs, self._attempts, known, consistent=consistent)

    def page(self, job_filter: JobFilter, limit: int, token: str | None, now: datetime) -> Page:
        live = self.live() if has_part(Part.LIVE, job_filter) else ()
        page_size = limit + 1 if job_filter == JobFilter() else _SEARCH_PAGE
        return page_of(
            self._lists.listed(live, job_filter, position_of(token, job_filter, now), page_size), job_filter, limit
        )

    def waiting(self) -> Iterator[Waiting]:
        partitions = (self._lists.in_queue(partition, page_size=_KEYS_PAGE) for partition in (QUEUE, HELD_OR_PARKED))
        for item in chain.from_iterable(partitions):
            yield Waiting(JobState(item["state"]["S"]), item["owner"]["S"])

    def parked_for(self, reason: ReasonCode, limit: int) -> tuple[Job, ...]:
        held_or_parked = self._lists.in_queue(HELD_OR_PARKED)
        parked = (key_and_name(item) for item in held_or_parked if item["state"]["S"] == JobState.PARKED)
        jobs = (job for _, job in self._lists.current_jobs(islice(parked, MAX_RECORDS_PER_PAGE)))
        return tuple(islice((job for job in jobs if job.reason.code is reason), limit))

    def positions(self, jobs: Iterable[Job], within: int) -> dict[str, int]:
        own = {job.name: queue_key(job) for job in jobs}
        if not own:
            return {}
        up_to_last = {":queue": QUEUE, ":last": max(own.values())}
        keys = "queue_pk = :queue AND queue_sk < :last"
        if len(own) == 1:
            position = 1 + self._table.count("queue", keys, up_to_last, at_most=within)
            return dict.fromkeys(own, position) if position <= within else {}
        # One read of keys, for any number of jobs.
        waiting = self._table.index("queue", keys, up_to_last, page_size=within, only="queue_sk")
        return positions_among(own, [item["queue_sk"]["S"] for item in islice(waiting, within)], within)

    def is_first(self, job: Job) -> bool:
        keys = "queue_pk = :queue AND queue_sk BETWEEN :first AND :own"
        values = {":queue": QUEUE, ":first": start_of_rank(job), ":own": queue_key(job)}
        first, _ = self._table.page("queue", keys, values, size=1)
        return not first or first[0]["queue_sk"]["S"] == queue_key(job)

    def count_waiting(self, owner_key: str) -> int:
        # With a cap on each owner's waiting jobs, the whole queue is short.
        waiting = self._table.index("queue", "queue_pk = :queue", {":queue": QUEUE}, page_size=_KEYS_PAGE)
        return sum(owner_key_of(item["owner"]["S"]) == owner_key for item in waiting)

    def launch(self, job: Job, attempt: Attempt, budget: Budget, lease: Lease, pool: Attempt | None = None) -> Job:
        if not budget.could_ever_run(attempt.demand):
            raise OverBudget(f"{attempt.demand} is more than the whole budget")
        if pool is None:
            budgeted = [ledger.reserve(self._name, attempt.demand, budget, lease)]
        else:
            taken = warm_pools.rewrite(self._name, lend(pool, attempt.name), lent_before="")
            budgeted = [ledger.check_lease(self._name, lease), taken]
        self._table.transact(
            *budgeted,
            writes.rewrite_waiting_job(self._name, job),
            writes.add_attempt(self._name, job, attempt),
        )
        return _written(job)

    def update_attempt(self, job: Job, attempt: Attempt, lease: Lease) -> Job:
        self._table.transact(
            ledger.check_lease(self._name, lease),
            writes.rewrite_job(self._name, job),
            writes.mark_attempt(self._name, job, attempt),
        )
        return _written(job)

    def narrow(self, job: Job, attempt: Attempt, lease: Lease) -> Job:
        self._table.transact(
            ledger.change(self._name, job.selected - attempt.demand, lease),
            writes.rewrite_job(self._name, job),
            writes.narrow_attempt(self._name, job, attempt),
        )
        return _written(job)

    def record_sent_at(self, attempt: Attempt, sent_at: datetime, lease: Lease) -> Attempt:
        self._table.transact(ledger.check_lease(self._name, lease), writes.mark_sent(self._name, attempt, sent_at))
        return replace(attempt, sent_at=sent_at)

    def settle(
        self,
        job: Job,
        attempt: Attempt,
        lease: Lease,
        learned: Learned = NOTHING_LEARNED,
        *,
        keeps_instances: bool = False,
    ) -> Job:
        pool = None if keeps_instances else self._lent_to(attempt)
        released = NOTHING if keeps_instances or pool else attempt.demand
        self._table.transact(
            ledger.change(self._name, NOTHING - released, lease),
            writes.rewrite_job(self._name, job),
            writes.remove_attempt(self._name, job, attempt),
            *([warm_pools.add(self._name, attempt)] if keeps_instances else []),
            *([warm_pools.rewrite(self._name, end_loan(pool), lent_before=attempt.name)] if pool else []),
            *learned_writes(self._name, learned, job.updated_at),
        )
        return _written(job)

    def pools(self) -> tuple[Attempt, ...]:
        return tuple(readable_attempt(item) for item in self._table.partition(POOLS))

    def remove_pool(
        self,
        pool: Attempt,
        lease: Lease,
        taker: Attempt | None = None,
        lent_to_taker: Attempt | None = None,
        learned: Learned = NOTHING_LEARNED,
    ) -> None:
        released = NOTHING if lent_to_taker else pool.demand
        self._table.transact(
            ledger.change(self._name, NOTHING - released, lease),
            warm_pools.remove(self._name, pool),
            *([warm_pools.set_started_on(self._name, pool, taker)] if taker else []),
            *(
                [warm_pools.rewrite(self._name, swap_pools(lent_to_taker, pool), lent_before=lent_to_taker.lent_to)]
                if lent_to_taker
                else []
            ),
            *learned_writes(self._name, learned, lease.expires_at),
        )

    def end_pool_loan(self, pool: Attempt, lease: Lease) -> None:
        self._table.transact(
            ledger.change(self._name, pool.lent, lease),
            warm_pools.rewrite(self._name, end_loan(pool), lent_before=pool.lent_to),
        )

    def adopt(self, job: Job, attempt: Attempt, lost: Attempt | None, lease: Lease) -> Job:
        change = attempt.demand - (lost.demand if lost else NOTHING)
        self._table.transact(
            ledger.change(self._name, change, lease) if change != NOTHING else ledger.check_lease(self._name, lease),
            writes.rewrite_job(self._name, job),
            writes.add_attempt(self._name, job, attempt),
            *([writes.remove_attempt(self._name, job, lost)] if lost else []),
        )
        return _written(job)

    def reconciliation_state(self) -> ReconciliationState:
        item = self._table.item(reconciliation_key())
        return readable_reconciliation_state(item) if item else ReconciliationState()

    def save_reconciliation_state(self, reconciliation_state: ReconciliationState, lease: Lease) -> None:
        self._table.transact(
            ledger.check_lease(self._name, lease), writes.put_reconciliation_state(self._name, reconciliation_state)
        )

    def capacity(self) -> CapacityMemory:
        item = self._table.item(capacity_key())
        return readable_capacity(item) if item else CapacityMemory()

    def save_capacity(self, memory: CapacityMemory, lease: Lease) -> None:
        self._table.transact(ledger.check_lease(self._name, lease), writes.put_capacity(self._name, memory))

    def correct_ledger(self, held: Demand, lease: Lease) -> bool:
        known = self._table.item(ledger_key()) or {}
        correction = ledger.correction(self._name, known, held, lease)
        if correction is not None:
            self._table.transact(correction)
        return correction is not None

    def read_learned(self, owners: Collection[str], teams: Collection[str], *, consistent: bool = True) -> Learned:
        return read_learned(self._table, owners, teams, consistent=consistent)

    def spent(self, keys: Collection[SpentTimeKey]) -> dict[SpentTimeKey, SpentTime | None]:
        return spending.read_spent(self._table, keys)

    def spent_in(self, month: str) -> dict[SpentTimeKey, SpentTime | None]:
        return spending.read_spent_in_month(self._table, month)

    def record_observation(self, attempt_name: str, observation: Observation, *, by: str) -> bool:
        try:
            self._client.update_item(**writes.observation_update(self._name, attempt_name, observation, by=by))
        except self._client.exceptions.ConditionalCheckFailedException:
            return False
        return True

    def _lent_to(self, attempt: Attempt) -> Attempt | None:
        """Returns the pool that was lent to the attempt, if it still exists."""
        return next((pool for pool in self.pools() if pool.lent_to == attempt.name), None) if attempt.on_pool else None

    def _existing(self, key: Item, job_name: str) -> Item:
        item = self._table.item(key)
        if item is None:
            raise UnknownJob(job_name)
        return item


def _written(job: Job) -> Job:
    return replace(job, version=job.version + 1)
