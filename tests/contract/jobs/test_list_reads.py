"""The reads of lists on DynamoDB, which bills by them: `sagequeue ls` must stay fast on a full table."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from scheduler.adapters.dynamodb.jobs import index
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.job_state import QUEUED, JobState
from scheduler.core.planner.ordering import candidate_selection
from support.builders.jobs import GPU, NOON, a_job
from support.dynamodb.stores import Stores

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

Items = list[dict[str, Any]]


@pytest.fixture
def read(dynamodb: DynamoDBClient) -> Iterator[Items]:
    """The items that queries have given so far."""
    items: Items = []

    def note(parsed: dict[str, Any], **_: object) -> None:
        items.extend(parsed.get("Items", []))

    dynamodb.meta.events.register("after-call.dynamodb.Query", note)
    yield items
    dynamodb.meta.events.unregister("after-call.dynamodb.Query", note)


def test_the_newest_jobs_are_read_and_no_others(dynamodb_local: Stores, read: Items) -> None:
    submit(dynamodb_local, 60, JobState.COMPLETED)
    page = dynamodb_local.index.page(JobFilter(), 20, None, NOON)
    assert len(page.jobs) == 20
    assert len(read) == 21  # one more shows that there is a next page


def test_places_in_the_queue_are_found_by_bare_keys(dynamodb_local: Stores, read: Items) -> None:
    jobs = submit(dynamodb_local, 30, JobState.PENDING)
    assert dynamodb_local.index.positions(jobs[-2:], 100) == {"job-28": 29, "job-29": 30}
    assert len(read) == 29
    assert {name for item in read for name in item} == {"queue_sk"}


def test_jobs_of_an_owner_that_has_enough_candidates_are_not_read(
    dynamodb_local: Stores, read: Items, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidate_selection, "MAX_CANDIDATES", 16)
    for number in range(200):
        dynamodb_local.jobs.submit(a_job(f"crowd-{number}", priority=9, max_runtime=60 + number), {})
    dynamodb_local.jobs.submit(a_job("victim", owner="ada"), {})
    assert "victim" in [job.name for job in dynamodb_local.index.candidates(Budget.parse(f"{GPU}=2"))]
    assert len(read) < 60  # one page, and the victim


def test_the_search_for_candidates_ends_though_it_finds_no_other_owner(
    dynamodb_local: Stores, read: Items, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidate_selection, "MAX_CANDIDATES", 16)
    monkeypatch.setattr(index, "MOST_PAGES", 2)
    for number in range(200):
        dynamodb_local.jobs.submit(a_job(f"crowd-{number}", priority=number), {})
    assert len(dynamodb_local.index.candidates(Budget.parse(f"{GPU}=2"))) == 16
    assert len(read) == 100


def test_one_place_is_counted_by_dynamodb(dynamodb_local: Stores, read: Items) -> None:
    jobs = submit(dynamodb_local, 30, JobState.PENDING)
    assert dynamodb_local.index.positions(jobs[-1:], 30) == {"job-29": 30}
    assert dynamodb_local.index.positions(jobs[-1:], within=29) == {}
    assert read == []


def test_places_are_counted_no_further_than_asked_for(dynamodb_local: Stores, read: Items) -> None:
    jobs = submit(dynamodb_local, 30, JobState.PENDING)
    assert dynamodb_local.index.positions(jobs, within=5).keys() == {f"job-{n}" for n in range(5)}
    assert len(read) == 5


def test_a_list_of_what_waits_reads_no_more_keys_than_it_may_show_at_once(dynamodb_local: Stores, read: Items) -> None:
    submit(dynamodb_local, 250, JobState.PENDING)
    assert len(dynamodb_local.index.page(JobFilter(QUEUED), 20, None, NOON).jobs) == 20
    assert len(read) == 200


def submit(stores: Stores, count: int, state: JobState) -> list[Job]:
    jobs = [a_job(f"job-{n}", state=state, submitted_at=NOON + timedelta(minutes=n)) for n in range(count)]
    for job in jobs:
        stores.jobs.submit(job, {})
    return jobs
