"""S11: the operator's rules, and whether the queue is open, hold when a job is submitted and when it starts."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from scheduler.adapters.dynamodb_items import document_from
from scheduler.domain.job import Job
from simulation.account import Account
from simulation.checks import Checks
from simulation.expressions import Item

#: How old the rules may be by which a function decided: as long as it may live, standing still included.
_OLD_VIEW_SECONDS = 100.0
_MEETS: Mapping[str, Callable[[Job, dict[str, Any]], bool]] = {
    "instances_per_job": lambda job, rule: sum(count for _, count in job.demand.counts) <= rule["most"],
    "max_runtime": lambda job, rule: job.max_runtime <= rule["at_most"],
}


class RulesInForce:
    def __init__(self, account: Account, checks: Checks) -> None:
        self._account, self._check = account, checks.check
        self._versions: list[tuple[float, list[dict[str, Any]]]] = [(-_OLD_VIEW_SECONDS, [])]
        self._closed_since: float | None = None

    def changed(self, item: Item | None) -> None:
        if item is not None:
            self._versions.append((self._account.now, json.loads(document_from(item).text)["rules"]))

    def intake_changed(self, *, is_open: bool) -> None:
        if is_open:
            self._closed_since = None
        elif self._closed_since is None:
            self._closed_since = self._account.now

    def of_submission(self, job: Job) -> None:
        self._check("S11", self._allow(job), f"{job.name} is accepted against the rules")
        is_closed = self._closed_since is not None and self._closed_since < self._account.now - _OLD_VIEW_SECONDS
        self._check("S11", not is_closed, f"{job.name} is accepted by a queue that is closed")

    def of_start(self, job: Job) -> None:
        self._check("S11", self._allow(job), f"{job.name} starts against the rules")

    def _allow(self, job: Job) -> bool:
        """By any version that a function may still have seen as the last one."""
        seen_from = self._account.now - _OLD_VIEW_SECONDS
        ended = [since for since, _ in self._versions[1:]]
        return any(
            all(_MEETS[rule["kind"]](job, rule) for rule in rules)
            for (_, rules), until in zip(self._versions, [*ended, self._account.now], strict=True)
            if until >= seen_from
        )
