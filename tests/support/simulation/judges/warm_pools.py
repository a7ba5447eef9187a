"""Judges warm pools: the instances of an attempt are kept for as long as the operators' rules say."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from local_sagemaker.state_machine.job import TrainingJob
from scheduler.adapters.dynamodb.records.items import document_from
from support.account.account import Account
from support.dynamodb.expressions import Item
from support.simulation.judges.checks import Checks

#: How old the rules may be when an attempt is reserved. Its Create may come long after that.
_OLD_VIEW_SECONDS = 100.0


class WarmPoolJudge:
    def __init__(self, account: Account, checks: Checks) -> None:
        self._account, self._check = account, checks.check
        self._versions: list[tuple[float, dict[str, Any]]] = [(-_OLD_VIEW_SECONDS, {"pools": []})]
        self._last = ""

    def changed(self, item: Item | None) -> None:
        if item is not None and item["sk"]["S"] >= self._last:
            self._last = item["sk"]["S"]
            self._versions.append((self._account.now, json.loads(document_from(item).text)))

    def check_start(self, attempt: TrainingJob, reserved_at: float, body: dict[str, Any]) -> None:
        sent = attempt.keep_alive_seconds
        asked = body["ResourceConfig"].get("KeepAlivePeriodInSeconds", 0)
        documents = self._in_force_since(reserved_at - _OLD_VIEW_SECONDS)
        allowed = {_longest(document, asked, attempt.request) for document in documents}
        self._check("S16", sent in allowed, f"{attempt.name} keeps its instances for {sent} s, not {allowed}")

    def ends(self) -> Counter[str]:
        """Counts the warm pools of this world by final status."""
        pools = (job.warm_pool for job in self._account.simulation.machine.jobs.values())
        return Counter(f"warm pool {pool.status.value.lower()}" for pool in pools if pool)

    def _in_force_since(self, moment: float) -> Iterator[dict[str, Any]]:
        ended = [*(since for since, _ in self._versions[1:]), self._account.now]
        return (document for (_, document), until in zip(self._versions, ended, strict=True) if until >= moment)


def _longest(document: dict[str, Any], asked: int, sent: dict[str, Any]) -> int:
    """Returns the allowed seconds for the request that was sent; an alternative may have another type."""
    leaves_none = sent.get("EnableManagedSpotTraining") or "TrainingPlanArn" in sent["ResourceConfig"]
    for rule in document["pools"] if not leaves_none else ():
        if rule["instance_type"] == sent["ResourceConfig"].get("InstanceType"):
            longest = rule.get("minutes", 0) * 60
            return int({"off": 0, "reuse": min(asked, longest), "hold": longest}[rule["use"]])
    return 0
