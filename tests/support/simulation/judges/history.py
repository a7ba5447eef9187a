"""Judges the history: sends the stream's records to the function `history`, and checks what it stores and sends."""

from collections.abc import Sequence
from random import Random
from typing import Any

from scheduler.adapters.dynamodb.monitoring import head_key, is_warning, readable_head
from scheduler.adapters.dynamodb.records.job_records import JOB_PREFIX, QUEUE_PARTITION, job_from
from scheduler.core.history.change import change_of
from scheduler.core.history.mail import addresses_for, addresses_in
from scheduler.core.history.notices import Notice, notice_in
from scheduler.core.jobs.job import Job
from support.account.account import Account
from support.account.processes import Process
from support.builders.configurations import a_configuration
from support.dynamodb.expressions import Item
from support.faults.call_faults import FaultPlan
from support.simulation.judges.checks import Violation
from support.simulation.submissions.user_requests import SECRET

_BATCH = 100  # as in template.yaml
_MOST_CALLS = 10  # of one batch under faults; Lambda makes more
_FIRST_DAY = "1970-01-01T00:00:00Z"


def deliver(account: Account, random: Random, faults: FaultPlan | None = None) -> list[dict[str, Any]]:
    """Delivers all records in batches, some of them twice, as after a lost answer.

    Repeats calls that a fault affects. Returns the records, including those that cycles write in the meantime.
    """
    records = [*account.function_calls.history_records]
    batches = [records[start : start + _BATCH] for start in range(0, len(records), _BATCH)]
    for batch in [*batches, *random.sample(batches, min(2, len(batches)))]:
        if faults is None or not _works_in_the_end(account, batch, faults):
            error = _call(account, batch).error
            assert error is None, error
    account.table.catch_up()
    return records


def _works_in_the_end(account: Account, batch: list[dict[str, Any]], faults: FaultPlan) -> bool:
    """Returns whether one of a few calls succeeds, although faults may affect each of them."""
    calm, account.fault_plan = account.fault_plan, faults
    works = any(_call(account, batch).error is None for _ in range(_MOST_CALLS))
    account.fault_plan = calm
    return works


def _call(account: Account, batch: list[dict[str, Any]]) -> Process:
    ended: list[Process] = []
    account.invoke("history", {"Records": batch}, "history", ended.append)
    while not ended:
        account.step()
    return ended[0]


def changes(account: Account) -> list[dict[str, Any]]:
    """Returns all changes, through the REST API."""
    found: list[dict[str, Any]] = []
    token = ""
    while True:
        answer = account.ask("GET", f"/history?since={_FIRST_DAY}&limit=50{token}")
        assert answer.status == 200, answer.body
        found += answer.body["changes"]
        if answer.body["next"] is None:
            return found
        token = f"&next={answer.body['next']}"


def check(account: Account, random: Random, faults: FaultPlan) -> None:
    """Checks that each readable version of a job is recorded, and its notice sent, without secrets."""
    records = deliver(account, random, faults)
    _check_notices(account, records)
    found = changes(account)
    written = {(job.name, job.version) for record in records if (job := _readable(record))}
    kept = [(change["job"], change["version"], change["recorded_at"]) for change in found]
    if {(job, version) for job, version, _ in kept} != written or len({*kept}) < len(kept):
        raise Violation(f"history: it has {len(kept)} changes of {len(written)}")
    if {(event["job"], event["version"]) for event in account.monitoring.events} != written:
        raise Violation("history: a change was not sent as an event")
    if SECRET in str(found) + str(account.monitoring.heads):
        raise Violation("history: it has a secret")
    _check_head(account)
    _check_warnings(account)


def _check_notices(account: Account, records: Sequence[dict[str, Any]]) -> None:
    """Checks that each change that operators or owners chose was sent as a notice, and mailed if operators want it."""
    settings = a_configuration(notices=account.configuration.get("notices", {})).notices  # no world changes them
    found = (_notice_of(record["dynamodb"]["NewImage"], job) for record in records if (job := _readable(record)))
    notices = [notice for notice in found if notice]
    wanted = {("Notices", notice.id) for notice in notices if notice.is_chosen or notice.kind in settings.owners}
    wanted |= {("MailedNotices", notice.id) for notice in notices if addresses_for(notice, "", settings.mail)}
    if lost := wanted - account.monitoring.sent:
        raise Violation(f"history: {min(lost)} was not sent")
    if account.monitoring.subscriptions.keys() != {*addresses_in(settings.mail)}:
        raise Violation(f"history: {[*account.monitoring.subscriptions]} are subscribed")


def _notice_of(image: Item, job: Job) -> Notice | None:
    written_by = image.get("changed_by", {}).get("S", "unknown")
    return notice_in(change_of(job, written_by, job.status.updated_at, ()), job)


def heads_written(account: Account) -> list[tuple[str | None, str | None]]:
    """Returns the jobs at the queue's head in order, and why each waited."""
    images = [record["dynamodb"]["NewImage"] for record in account.function_calls.history_records]
    heads = [head for image in images if image["pk"] == head_key()["pk"] and (head := readable_head(image))]
    return [(head.job or None, head.reason) for head in heads]


def _check_head(account: Account) -> None:
    """Checks that the last reported head still waits, once the world is at rest."""
    written = heads_written(account)
    if {head["job"] for head in account.monitoring.heads} != {job for job, _ in written}:
        raise Violation("head: a change to the head was not sent as an event")
    last = written[-1][0] if written else None  # in some worlds no job ever comes to wait
    waiting = {item["pk"]["S"].removeprefix(JOB_PREFIX) for item in account.table.items.values() if _waits(item)}
    if last not in waiting and (last or waiting):
        raise Violation(f"head: {last} was reported, {waiting} wait")


def _check_warnings(account: Account) -> None:
    """Checks that each warning of a spending limit is written once and sent."""
    images = [record["dynamodb"]["NewImage"] for record in account.function_calls.history_records]
    written = [image for image in images if is_warning(image)]
    keys = {(image["pk"]["S"], image["sk"]["S"]) for image in written}
    wanted = {tuple(image[name]["S"] for name in ("limit", "state", "scope")) for image in written}
    warnings = account.monitoring.spending_warnings
    sent = {(warning["limit"], warning["state"], warning["scope"]) for warning in warnings}
    if len(keys) < len(written) or sent != wanted:
        raise Violation(f"warnings: {keys} were written, {sent} sent")


def _waits(item: Item) -> bool:
    return item.get("queue_pk") == {"S": QUEUE_PARTITION}


def _readable(record: dict[str, Any]) -> Any:
    try:
        return job_from(record["dynamodb"]["NewImage"])
    except Exception:  # noqa: BLE001 - whatever a broken record makes of the converter
        return None
