"""Checks that the functions can read each record of the queue's table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cattrs.errors import BaseValidationError

from scheduler.adapters.aws.sagemaker.request_model import refuse_invalid
from scheduler.adapters.dynamodb.changes import change_from
from scheduler.adapters.dynamodb.jobs.learned import spent_from
from scheduler.adapters.dynamodb.lease.lease import rate_limits_from
from scheduler.adapters.dynamodb.monitoring import head_from, warning_from
from scheduler.adapters.dynamodb.records.items import capacity_from, controls_from, reconciliation_from, version_from
from scheduler.adapters.dynamodb.records.job_records import (
    attempt_from,
    digests_in,
    ended_attempt_from,
    job_from,
    pool_from,
)
from scheduler.adapters.dynamodb.unmanaged_jobs import finding_from, unmanaged_job_from
from scheduler.core.configuration.kinds import read
from scheduler.core.jobs.principal import principal_of
from scheduler.errors.refusals import BadRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scheduler.adapters.dynamodb.records.record_converter import Item
    from scheduler.adapters.dynamodb.records.request_bodies import S3Requests


def garbage(items: Iterable[Item], bodies: S3Requests) -> Iterator[str]:
    """Returns a message for each unreadable record."""
    stored = {(item["pk"]["S"], item["sk"]["S"]): item for item in items}
    for (pk, sk), item in stored.items():
        try:
            _read(item, bodies, digests_in(stored.get((f"JOB#{pk.partition('#')[2]}", "JOB"))))
        except (BadRequest, BaseValidationError, AssertionError, LookupError, TypeError, ValueError) as error:
            yield f"{pk} {sk}: {error!r}"
    jobs, requests = (
        {pk.partition("#")[2] for pk, _ in stored if pk.startswith(kind)} for kind in ("JOB#", "REQUEST#")
    )
    yield from (f"{name}: a job without a request, or a request without a job" for name in jobs ^ requests)


def _read(item: Item, bodies: S3Requests, digests: Sequence[str]) -> None:
    kind, _, name = item["pk"]["S"].partition("#")
    match kind, item["sk"]["S"]:
        case "JOB", "JOB":
            job = job_from(item)
            assert job.name == name
            assert principal_of(job.owner)
        case "REQUEST", choice:  # one for each alternative
            request = bodies.unpack(item, digests[int(choice)])
            refuse_invalid(request)
            assert request["TrainingJobName"] == name
        case "TOKEN", "TOKEN":
            assert item["job_name"]["S"]
        case _, sk:
            _READERS[kind](item)
            assert sk


def _past(item: Item) -> None:
    assert item["sk"]["S"].startswith(("OWNER#arn:", "OWNER#*", "TEAM#", "LOCATION#ml."))


def _digests(item: Item) -> None:
    assert item["sk"]["S"].startswith(("OWNER#arn:", "FINISHED", "SENDING"))


_READERS: dict[str, Callable[[Item], object]] = {
    "LIVE": attempt_from,
    "ENDED": ended_attempt_from,
    "POOLS": pool_from,
    "CONTROLS": controls_from,
    "RECONCILIATION": reconciliation_from,
    "CHANGES": change_from,
    "CAPACITY": capacity_from,
    "UNMANAGED": unmanaged_job_from,
    "FINDINGS": finding_from,
    "HEAD": head_from,
    "LEDGER": rate_limits_from,
    "PAST": _past,
    "SPENT": spent_from,
    "WARNED": warning_from,
    "DIGESTS": _digests,
    "CONFIG": lambda item: read(version_from(item).sections),
}
