"""The cache that all clients of a session, and their threads, share."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from integration.sagequeue.fakes.queue import FakeQueue
from sagequeue import QueueClient
from sagequeue.errors import NotAQueue
from sagequeue.hooks.handlers import JobLookup
from unit.sagequeue.builders.jobs import a_request

THREADS = 8


@pytest.fixture
def jobs(client: QueueClient) -> JobLookup:
    return JobLookup(client)


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """Threads that take turns as often as they can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("hasty_threads")
def test_threads_look_for_jobs_at_the_same_time(jobs: JobLookup) -> None:
    names = [f"no job's name {number}" for number in range(2000)]  # the client knows so without a call
    with ThreadPoolExecutor(THREADS) as pool:
        assert set(pool.map(jobs.find, names)) == {None}


def test_an_answer_that_a_cancel_overtook_is_not_remembered(jobs: JobLookup, queue: FakeQueue) -> None:
    jobs.submit(a_request())
    queue.overtaking = [lambda: jobs.cancel("resnet")]
    assert state(jobs) == "pending"
    assert state(jobs) == "stopped"


def test_an_answer_that_a_submission_overtook_is_not_remembered(jobs: JobLookup, queue: FakeQueue) -> None:
    queue.overtaking = [lambda: jobs.submit(a_request())]
    assert state(jobs) is None
    assert state(jobs) == "pending"


def test_an_answer_that_came_while_a_cancel_was_repeated_is_not_remembered(jobs: JobLookup, queue: FakeQueue) -> None:
    jobs.submit(a_request())
    queue.faults = [(503, {})]
    queue.overtaking = [lambda: state(jobs)]
    jobs.cancel("resnet")
    assert state(jobs) == "stopped"


def test_a_submission_whose_answer_was_spoilt_is_seen_all_the_same(jobs: JobLookup, queue: FakeQueue) -> None:
    assert state(jobs) is None
    queue.requests["resnet"] = a_request()
    queue.faults = [(201, b"{cut off")]
    with pytest.raises(NotAQueue):
        jobs.submit(a_request())
    assert state(jobs) == "pending"


def state(jobs: JobLookup) -> str | None:
    job = jobs.find("resnet")
    return job and job["state"]
