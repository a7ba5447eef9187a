"""Logs of jobs on the page: their attempts, their ends and searches."""

from datetime import datetime

import pytest
import requests

from integration.sagequeue.fakes.aws import STREAMS, FakeAws
from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import FakeQueue
from sagequeue import QueueClient
from sagequeue.ui import log_tails
from unit.sagequeue.builders.jobs import a_request


@pytest.fixture
def ran_twice(client: QueueClient, queue: FakeQueue) -> None:
    client.submit(a_request())
    queue.life = queue.life[-1:]


@pytest.mark.usefixtures("ran_twice")
def test_the_log_is_that_of_the_chosen_attempt(browser: requests.Session, address: str, aws: FakeAws) -> None:
    first = browser.get(f"{address}/api/jobs/resnet/log?attempt=resnet-sq-1").json()
    assert [line["text"] for line in first["lines"]] == ["attempt 1: epoch 1", "attempt 1: epoch 2"]
    assert first["lines"][0]["host"] == "algo-1"
    assert aws.asked("GetLogEvents")["startFromHead"] is False
    assert first["read"] == 2


@pytest.mark.usefixtures("ran_twice")
@pytest.mark.parametrize("attempt", ["", "of-somebody-else"])
def test_without_a_known_attempt_the_log_goes_on_from_attempt_to_attempt(
    browser: requests.Session, address: str, attempt: str
) -> None:
    found = browser.get(f"{address}/api/jobs/resnet/log?attempt={attempt}").json()
    assert [(line["attempt"][-1], line["text"]) for line in found["lines"]] == [
        ("1", "attempt 1: epoch 1"),
        ("1", "attempt 1: epoch 2"),
        ("2", "attempt 2: resumed"),
        ("2", "attempt 2: epoch 3"),
    ]


@pytest.mark.usefixtures("ran_twice")
def test_the_end_of_a_complete_log_is_read_once(
    browser: requests.Session, address: str, aws: FakeAws, clock: Clock
) -> None:
    url, ended = f"{address}/api/jobs/resnet/log", datetime.fromisoformat("2026-11-21T10:02:40Z").timestamp()
    for now, calls in ((ended + 60, 2), (ended + 600, 2), (ended + 601, 0)):
        clock.now, before = now, len(aws.calls)
        assert len(browser.get(url).json()["lines"]) == 4
        read = [operation for operation in aws.operations[before:] if operation == "DescribeLogStreams"]
        assert len(read) == calls


@pytest.mark.usefixtures("ran_twice")
@pytest.mark.parametrize(
    ("query", "texts", "read"),
    [
        ("search=EPOCH", ["attempt 1: epoch 1", "attempt 1: epoch 2", "attempt 2: epoch 3"], 4),
        ("search=epoch&attempt=resnet-sq-2", ["attempt 2: epoch 3"], 2),
        ("search=nowhere", [], 4),
    ],
)
def test_a_search_finds_the_lines_of_all_attempts_or_of_one(
    browser: requests.Session, address: str, query: str, texts: list[str], read: int
) -> None:
    found = browser.get(f"{address}/api/jobs/resnet/log?{query}").json()
    assert ([line["text"] for line in found["lines"]], found["read"], found["is_whole"]) == (texts, read, True)


@pytest.mark.usefixtures("ran_twice")
def test_a_search_ends_after_some_pages_and_says_so(
    browser: requests.Session, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_tails, "PAGES", 1)
    found = browser.get(f"{address}/api/jobs/resnet/log?search=epoch").json()
    assert ([line["text"] for line in found["lines"]], found["is_whole"]) == (["attempt 2: epoch 3"], False)


@pytest.mark.usefixtures("ran_twice")
def test_a_search_says_when_it_left_hosts_out(
    browser: requests.Session, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(STREAMS, "resnet-sq-2/algo-2-1700000000", ["attempt 2: epoch 3 of another host"])
    monkeypatch.setattr(log_tails, "HOSTS", 1)
    found = browser.get(f"{address}/api/jobs/resnet/log?search=epoch&attempt=resnet-sq-2").json()
    assert ([line["text"] for line in found["lines"]], found["is_whole"]) == (["attempt 2: epoch 3"], False)


def test_a_job_that_never_ran_has_no_log(
    browser: requests.Session, address: str, client: QueueClient, aws: FakeAws
) -> None:
    client.submit(a_request())
    assert browser.get(f"{address}/api/jobs/resnet/log").json() == {"lines": [], "read": 0, "is_whole": False}
    assert not aws.calls
