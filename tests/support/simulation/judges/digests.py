"""Judges the digests: each owner that is marked was sent one, under an id that each repeat has, and none is left."""

import re

from scheduler.adapters.dynamodb.digests import DIGESTS
from support.account.account import Account
from support.account.function_calls import SWEEP_SECONDS
from support.simulation.judges.checks import Violation

_ID = re.compile(r"2026-01-\d\d/arn:[^ ]+/digest")
#: An idle queue does all the work of a sweep only every five minutes.
_MOST_SWEEPS = 30


def check(account: Account) -> None:
    """Lets sweeps send the digests that are due, and checks them."""
    for _ in range(_MOST_SWEEPS):
        account.run(SWEEP_SECONDS)
        marked = [(day, owner) for day, owner in account.table.items if day.startswith(DIGESTS)]
        if any(owner == "FINISHED" for _, owner in marked):
            break
    else:
        raise Violation("digests: they are not finished")
    sent = {notice for _, notice in account.monitoring.sent if "/digest" in notice}
    if wrong := [notice for notice in sent if not _ID.fullmatch(notice)]:
        raise Violation(f"digests: {wrong[0]} is not the id of a digest")
    owners = [
        (day.removeprefix(DIGESTS), key.removeprefix("OWNER#")) for day, key in marked if key.startswith("OWNER#")
    ]
    if lost := {f"{day}/{owner}/digest" for day, owner in owners} - sent:
        raise Violation(f"digests: {min(lost)} was not sent")
