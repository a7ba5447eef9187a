"""JobStore: lists of jobs, by filter and page."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest

from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.job_state import JobState
from scheduler.core.reconciliation.lease import Lease
from scheduler.errors.refusals import BadRequest
from scheduler.ports.job_index import Page
from support.builders.jobs import GPU, NOON, a_job, an_attempt, changed_job, launching
from support.dynamodb.stores import Stores

LATER = NOON + timedelta(minutes=1)
PLENTY = Budget.parse(f"{GPU}=100")
ENDED = JobState.COMPLETED


@pytest.fixture
def lease(stores: Stores) -> Lease:
    return stores.leases.acquire_lease(NOON, seconds=600)


@pytest.fixture
def several(stores: Stores, lease: Lease) -> None:
    """Two that run, of low priority; three that wait or are held; two that have ended, of the highest priority."""
    for name in ("run-0", "run-1"):
        launch(stores, submit(stores, name), lease)
    submit(stores, "wait-1", priority=1)
    submit(stores, "held", 2, state=JobState.HELD)
    submit(stores, "wait-3", 3, priority=1)
    submit(stores, "end-0", state=ENDED, priority=9)
    submit(stores, "end-9", 9, state=ENDED, priority=9)


IN_ORDER = ["run-0", "run-1", "wait-1", "wait-3", "held", "end-9", "end-0"]


def submit(stores: Stores, name: str, second: int = 0, state: JobState = JobState.PENDING, priority: int = 0) -> Job:
    at = NOON + timedelta(seconds=second)
    job = a_job(name, state=state, priority=priority, submitted_at=at, updated_at=at)
    stores.jobs.submit(job, {})
    return job


def launch(stores: Stores, job: Job, lease: Lease, seconds: int = 0) -> None:
    attempt = an_attempt(job, reserved_at=NOON + timedelta(seconds=seconds))
    stores.reservations.launch(launching(job), attempt, PLENTY, lease)


def names(page: Page) -> list[str]:
    return [job.name for job in page.jobs]


def pages(stores: Stores, wanted: JobFilter, limit: int, between: Callable[[], None] = lambda: None) -> Iterator[Page]:
    """All of a list; something happens behind its first page."""
    page = stores.index.page(wanted, limit, None, NOON)
    yield page
    between()
    while page.next_token is not None:
        page = stores.index.page(wanted, limit, page.next_token, LATER)
        yield page


@pytest.mark.usefixtures("several")
def test_what_holds_instances_comes_first_then_what_waits_in_its_order_then_what_has_ended(stores: Stores) -> None:
    assert names(stores.index.page(JobFilter(), 10, None, NOON)) == IN_ORDER


@pytest.mark.usefixtures("several")
@pytest.mark.parametrize("limit", range(1, 8))
def test_pages_of_any_size_show_every_job_once_and_in_order(stores: Stores, limit: int) -> None:
    read = list(pages(stores, JobFilter(), limit))
    assert [name for page in read for name in names(page)] == IN_ORDER
    assert all(page.jobs for page in read)


@pytest.mark.usefixtures("several")
@pytest.mark.parametrize(
    ("states", "expected"),
    [
        ({JobState.LAUNCHING}, IN_ORDER[:2]),
        ({JobState.LAUNCHING, ENDED}, IN_ORDER[:2] + IN_ORDER[5:]),
        ({JobState.PENDING, ENDED}, IN_ORDER[2:4] + IN_ORDER[5:]),
        ({JobState.HELD, JobState.PENDING}, IN_ORDER[2:5]),
        ({ENDED}, IN_ORDER[5:]),
    ],
)
def test_a_list_of_some_states_keeps_the_order(stores: Stores, states: set[JobState], expected: list[str]) -> None:
    read = pages(stores, JobFilter(frozenset(states)), 1)
    assert [name for page in read for name in names(page)] == expected


@pytest.mark.usefixtures("several")
def test_a_job_started_while_a_list_is_read_is_still_on_it(stores: Stores, lease: Lease) -> None:
    read = pages(stores, JobFilter(), 3, between=lambda: launch(stores, stores.jobs.get("wait-3"), lease, seconds=30))
    assert [name for page in read for name in names(page)] == IN_ORDER


@pytest.mark.usefixtures("several")
def test_jobs_started_while_a_list_of_live_jobs_is_read_are_on_its_next_pages(stores: Stores, lease: Lease) -> None:
    def start() -> None:
        for name in ("wait-1", "wait-3"):
            launch(stores, stores.jobs.get(name), lease, seconds=30)

    read = pages(stores, JobFilter(frozenset({JobState.LAUNCHING})), 1, between=start)
    assert [name for page in read for name in names(page)] == IN_ORDER[:4]


@pytest.mark.usefixtures("several")
def test_a_job_preempted_while_a_list_is_read_is_still_on_it(stores: Stores, lease: Lease) -> None:
    def preempt() -> None:
        (live,) = (one for one in stores.live_attempts.live() if one.job.name == "run-1")
        stores.reservations.settle(changed_job(live.job, state=JobState.PREEMPTED), live.attempt, lease)

    read = [name for page in pages(stores, JobFilter(), 1, between=preempt) for name in names(page)]
    assert read == ["run-0", "wait-1", "wait-3", "run-1", "held", "end-9", "end-0"]


@pytest.mark.usefixtures("several")
def test_the_place_of_what_has_ended_is_none_in_a_list_of_what_waits(stores: Stores) -> None:
    behind_end_9 = stores.index.page(JobFilter(), 6, None, NOON).next_token
    with pytest.raises(BadRequest) as refusal:
        stores.index.page(JobFilter(frozenset({JobState.PENDING})), 6, behind_end_9, NOON)
    assert refusal.value.code == "unknown_token"


def test_what_ended_last_comes_first_whenever_it_was_submitted(stores: Stores) -> None:
    for name, submitted, ended in [("long", 0, 50), ("short", 10, 20), ("late", 30, 40)]:
        times = {"submitted_at": NOON + timedelta(seconds=submitted), "updated_at": NOON + timedelta(seconds=ended)}
        stores.jobs.submit(a_job(name, state=ENDED, **times), {})
    assert [name for page in pages(stores, JobFilter(), 2) for name in names(page)] == ["long", "late", "short"]


def test_what_has_ended_comes_newest_first(stores: Stores) -> None:
    for n in range(7):
        submit(stores, f"job-{n}", n // 2, state=ENDED)
    token, seen = None, []
    for _ in range(3):
        page = stores.index.page(JobFilter(), 3, token, NOON)
        token = page.next_token
        seen.append(names(page))
    assert seen == [["job-6", "job-5", "job-4"], ["job-3", "job-2", "job-1"], ["job-0"]]
    assert token is None


def test_a_page_that_holds_all_the_rest_is_the_last(stores: Stores) -> None:
    submit(stores, "one")
    submit(stores, "two")
    assert stores.index.page(JobFilter(), 2, None, NOON).next_token is None


def test_a_page_of_one_state_reads_on_until_it_is_full(stores: Stores) -> None:
    for n in range(12):
        state = JobState.FAILED if n % 4 == 0 else JobState.COMPLETED
        submit(stores, f"job-{n}", n, state=state)
    page = stores.index.page(JobFilter(frozenset({JobState.FAILED})), 2, None, NOON)
    assert names(page) == ["job-8", "job-4"]
    assert names(stores.index.page(JobFilter(frozenset({JobState.FAILED})), 2, page.next_token, NOON)) == ["job-0"]


@pytest.mark.parametrize("token", ["", "x", "bm90IGEga2V5", "ü", "/////w=="])
def test_a_page_token_of_another_caller_is_refused(stores: Stores, token: str) -> None:
    with pytest.raises(BadRequest) as refusal:
        stores.index.page(JobFilter(), 10, token, NOON)
    assert refusal.value.code == "unknown_token"
