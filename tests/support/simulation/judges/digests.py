"""Judges the digests: each owner with jobs was sent one, under an id that each repeat has, and none is left."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from random import Random

from scheduler.adapters.dynamodb.digests import DIGESTS
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import FINISHED
from scheduler.core.jobs.principal import owner_key_of
from support.account.account import Account
from support.account.function_calls import SWEEP_SECONDS
from support.simulation.judges.checks import Violation
from support.simulation.judges.history import deliver

_ID = re.compile(r"2026-01-\d\d/arn:[^ ]+/digest")
#: An idle queue does all the work of a sweep only every five minutes.
_MOST_SWEEPS = 30
#: Seconds after the end of a period in which sweeps send no digests of it.
_RECORDED_WITHIN = 600


def check(account: Account) -> None:
    """Lets sweeps send the digests that are due, and checks them."""
    marked = _marked(account)
    sent = {notice for _, notice in account.monitoring.sent if "/digest" in notice}
    if wrong := [notice for notice in sent if not _ID.fullmatch(notice)]:
        raise Violation(f"digests: {wrong[0]} is not the id of a digest")
    owners = [
        (day.removeprefix(DIGESTS), key.removeprefix("OWNER#")) for day, key in marked if key.startswith("OWNER#")
    ]
    if lost := {f"{day}/{owner}/digest" for day, owner in owners} - sent:
        raise Violation(f"digests: {min(lost)} was not sent")


def check_owners(account: Account, jobs: Iterable[Job], random: Random) -> None:
    """Lets sweeps send the digests of a day that ends after the world, and checks that no owner is left out."""
    now = datetime.fromtimestamp(account.now, UTC)
    ends = now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    account.on_step = lambda: None  # the other judges know of no such configuration
    account.on_configuration = lambda _version: None
    account.configure(notices={"owners": ["digest"], "digest_hour": ends.hour})
    account.run(SWEEP_SECONDS)  # a sweep that runs now may still send the digests of another hour
    for key in [key for key in account.table.items if key[0].startswith(DIGESTS)]:
        account.table.write(key, None)
    account.run((ends - now).total_seconds())
    deliver(account, random)
    account.run(_RECORDED_WITHIN)
    owners = {owner_key_of(key.removeprefix("OWNER#")) for _, key in _marked(account) if key.startswith("OWNER#")}
    expected = {owner_key_of(job.owner) for job in jobs if _is_in_digest(job, ends - timedelta(days=1))}
    if left_out := expected - owners:
        raise Violation(f"digests: {min(left_out)} got none")


def _is_in_digest(job: Job, begins: datetime) -> bool:
    return job.status.state not in FINISHED or job.status.updated_at > begins


def _marked(account: Account) -> list[tuple[str, str]]:
    """Returns the keys of all markers, once sweeps have sent the digests that are due."""
    for _ in range(_MOST_SWEEPS):
        account.run(SWEEP_SECONDS)
        marked = [(day, key) for day, key in account.table.items if day.startswith(DIGESTS)]
        if any(key == "FINISHED" for _, key in marked):
            return marked
    raise Violation("digests: they are not finished")
