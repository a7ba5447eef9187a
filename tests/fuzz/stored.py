"""Checks that the functions can read each record of the queue's table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cattrs.errors import BaseValidationError

from scheduler.adapters.aws.request_model import refuse_invalid
from scheduler.adapters.dynamodb.changes import change_from
from scheduler.adapters.dynamodb.jobs.learned import spent_from
from scheduler.adapters.dynamodb.lease.lease import rate_limits_from
from scheduler.adapters.dynamodb.monitoring import head_from, warning_from
from scheduler.adapters.dynamodb.records.items import capacity_from, controls_from, document_from, reconciliation_from
from scheduler.adapters.dynamodb.records.job_records import attempt_from, job_from, pool_from
from scheduler.adapters.dynamodb.unmanaged_jobs import finding_from, unmanaged_job_from
from scheduler.core.calendar.document import calendar_of
from scheduler.core.callers.document import validated
from scheduler.core.guardrails.document import rules_of
from scheduler.core.jobs.principal import principal_of
from scheduler.core.spending.document import rules_of as spending_rules_of
from scheduler.core.spending.prices.document import price_list_of
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT
from scheduler.core.warm_pools.document import rules_of as pool_rules_of
from scheduler.errors.refusals import BadRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scheduler.adapters.dynamodb.records.record_converter import Item
    from scheduler.adapters.dynamodb.records.request_bodies import S3Requests


def garbage(items: Iterable[Item], bodies: S3Requests) -> Iterator[str]:
    """Returns a message for each unreadable record."""
    stored = {(item["pk"]["S"], item["sk"]["S"]): item for item in items}
    for (pk, sk), item in stored.items():
        try:
            _read(item, bodies)
        except (BadRequest, BaseValidationError, AssertionError, LookupError, TypeError, ValueError) as error:
            yield f"{pk} {sk}: {error!r}"
    jobs, requests = ({pk for pk, sk in stored if sk == kind} for kind in ("JOB", "REQUEST"))
    yield from (f"{pk}: a job without a request, or a request without a job" for pk in jobs ^ requests)


def _read(item: Item, bodies: S3Requests) -> None:
    kind, _, name = item["pk"]["S"].partition("#")
    match kind, item["sk"]["S"]:
        case "JOB", "JOB":
            job = job_from(item)
            assert job.name == name
            assert principal_of(job.owner)
        case "JOB", sk if sk.partition("#")[0] == "REQUEST":  # one for each alternative
            request = bodies.unpack(item)
            refuse_invalid(request)
            assert request["TrainingJobName"] == name
        case "TOKEN", "TOKEN":
            assert item["job_name"]["S"]
        case _, sk:
            _READERS[kind](item)
            assert sk


def _past(item: Item) -> None:
    assert item["sk"]["S"].startswith(("OWNER#arn:", "OWNER#*", "TEAM#"))


_READERS: dict[str, Callable[[Item], object]] = {
    "LIVE": attempt_from,
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
    "RULES": lambda item: rules_of(document_from(item).text),
    "POOL_RULES": lambda item: pool_rules_of(document_from(item).text),
    "SPENT": spent_from,
    "WARNED": warning_from,
    "SPENDING": lambda item: spending_rules_of(document_from(item).text),
    "PRICES": lambda item: price_list_of(document_from(item).text, SNAPSHOT),
    "CALENDAR": lambda item: calendar_of(document_from(item).text),
    "CALLERS": lambda item: validated(document_from(item).text),
}
