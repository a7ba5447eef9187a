"""A record that the table refuses for its content is distinguished from one that somebody else has changed."""

from dataclasses import replace

import pytest

from scheduler.core.jobs.job import Job
from scheduler.core.reconciliation.lease import Lease
from scheduler.errors.internal import RecordRefused, StaleJob
from support.builders.attempts import finish, launch, submitted
from support.builders.jobs import changed_job
from support.dynamodb.stores import Stores

TOO_MANY_TAGS = tuple((f"tag-{number}", "x" * 256) for number in range(1600))


@pytest.fixture(params=["simulated", "moto", "dynamodb_local"])
def table_stores(request: pytest.FixtureRequest) -> Stores:
    stores: Stores = request.getfixturevalue(request.param)
    return stores


@pytest.fixture
def table_lease(table_stores: Stores) -> Lease:
    return table_stores.leases.acquire_lease(submitted(table_stores, "first").submitted_at, seconds=60)


def too_large(job: Job) -> Job:
    return replace(job, spec=replace(job.spec, tags=TOO_MANY_TAGS))


def test_a_job_that_is_too_large_is_not_saved(table_stores: Stores) -> None:
    job = submitted(table_stores)
    with pytest.raises(RecordRefused, match="Item size has exceeded"):
        table_stores.jobs.save(too_large(job), by="api")
    assert table_stores.jobs.get("resnet") == job


def test_a_job_that_is_too_large_is_neither_launched_nor_settled(table_stores: Stores, table_lease: Lease) -> None:
    job = submitted(table_stores)
    with pytest.raises(RecordRefused, match="Item size has exceeded"):
        launch(table_stores, too_large(job), table_lease)
    assert table_stores.live_attempts.live() == ()
    live = launch(table_stores, job, table_lease)
    with pytest.raises(RecordRefused, match="Item size has exceeded"):
        finish(table_stores, replace(live, job=too_large(live.job)), table_lease)
    assert table_stores.live_attempts.live() == (live,)


def test_a_job_that_somebody_else_changed_is_stale_and_not_refused(table_stores: Stores) -> None:
    job = submitted(table_stores)
    table_stores.jobs.save(changed_job(job, priority=1), by="api")
    with pytest.raises(StaleJob):
        table_stores.jobs.save(job, by="api")
