"""Judges rules (S11): they are checked when a job is submitted and when it starts, as is whether the queue is open.

Also S8 for stacks that stop unmanaged jobs: only those that break an enforced rule are stopped.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatchcase
from typing import Any

from local_sagemaker.state_machine.capacity import demand
from local_sagemaker.state_machine.job import TrainingJob
from scheduler.adapters.dynamodb.records.items import document_from
from scheduler.core.jobs.job import Job
from support.account.account import Account
from support.dynamodb.expressions import Item
from support.simulation.judges.checks import Checks

#: How old the rules of a decision may be: the longest life of a function, pauses included.
_OLD_VIEW_SECONDS = 100.0
#: The most by which clocks of functions differ.
_SKEW = 5.0
#: Without faults, SageMaker's list is read in parts and each job is checked within this time.
_SEEN_WITHIN = 15 * 60.0


@dataclass(frozen=True, slots=True)
class _Subject:
    """The fields of a job that the rules of random worlds check."""

    name: str
    instances: int
    runtime: float
    tags: frozenset[str] = frozenset()


_MEETS: Mapping[str, Callable[[_Subject, dict[str, Any]], bool]] = {
    "instances_per_job": lambda subject, rule: subject.instances <= rule["most"],
    "max_runtime": lambda subject, rule: subject.runtime <= rule["at_most"],
    "required_tags": lambda subject, rule: subject.tags >= rule["tags"].keys(),
}


class RuleJudge:
    def __init__(self, account: Account, checks: Checks) -> None:
        self._account, self._check = account, checks.check
        self._versions: list[tuple[float, dict[str, Any]]] = [(-_OLD_VIEW_SECONDS, {"rules": []})]
        self._last = ""
        self._closed_since: float | None = None
        self._stops = account.settings["GUARD_UNMANAGED_JOBS"] == "stop"

    def changed(self, item: Item | None) -> None:
        """Records a new version, or the repair of the last one: corrupted rules count as unreadable."""
        if item is not None and item["sk"]["S"] >= self._last:
            self._last = item["sk"]["S"]
            self._versions.append((self._account.now, json.loads(document_from(item).text)))

    def intake_changed(self, *, is_open: bool) -> None:
        if is_open:
            self._closed_since = None
        elif self._closed_since is None:
            self._closed_since = self._account.now

    def check_submission(self, job: Job) -> None:
        self._check("S11", self._allow(job), f"{job.name} is accepted against the rules")
        is_closed = self._closed_since is not None and self._closed_since < self._account.now - _OLD_VIEW_SECONDS
        self._check("S11", not is_closed, f"{job.name} is accepted by a queue that is closed")

    def check_start(self, job: Job) -> None:
        self._check("S11", self._allow(job), f"{job.name} starts against the rules")

    def check_stop_of_unmanaged_job(self, job: TrainingJob) -> None:
        """Checks S8: the job broke an enforced rule, and no exemption applied."""
        latest = self._account.now + _SKEW  # an exemption may have expired by then
        is_broken = any(_breaks(_foreign(job), document, latest) for document in self._seen())
        self._check("S8", self._stops and is_broken, f"{job.name} is not ours, broke no enforced rule, and is stopped")

    def is_stop_due(self, calm_since: float) -> bool:
        """Returns whether an unmanaged job that broke the rules at its creation still has to be stopped."""
        since, document = self._versions[-1]
        for job in self._account.simulation.machine.jobs.values() if self._stops else ():
            # A job with the name of one of the queue's attempts may pass for that attempt for a while.
            is_meant = job.name.startswith("theirs-") and job.created_at > since
            if is_meant and _breaks(_foreign(job), document, job.created_at - _SKEW):
                goes_on = not job.is_terminal and job.status != "Stopping"
                is_late = self._account.now > max(calm_since, job.created_at) + _SEEN_WITHIN
                self._check("guard", not (goes_on and is_late), f"{job.name} breaks the rules and goes on")
                if goes_on:
                    return True
        return False

    def _allow(self, job: Job) -> bool:
        """Returns whether any version that a function may have read allows the job."""
        counts = [count for _, count in job.spec.demand.counts]
        subject = _Subject(job.name, max(counts) if job.spec.has_preferences else sum(counts), job.spec.max_runtime)
        earliest = self._account.now - _OLD_VIEW_SECONDS - _SKEW  # an exemption that expired since may have applied
        return not all(_breaks(subject, document, earliest) for document in self._seen())

    def _seen(self) -> Iterator[dict[str, Any]]:
        seen_from = self._account.now - _OLD_VIEW_SECONDS
        ended = [*(since for since, _ in self._versions[1:]), self._account.now]
        return (document for (_, document), until in zip(self._versions, ended, strict=True) if until >= seen_from)


def _foreign(job: TrainingJob) -> _Subject:
    runtime = job.request["StoppingCondition"]["MaxRuntimeInSeconds"]
    return _Subject(job.name, demand(job.request).total(), runtime, frozenset(job.tags))


def _breaks(subject: _Subject, document: dict[str, Any], at: float) -> bool:
    exempt = {
        rule
        for exemption in document.get("exemptions", ())
        if fnmatchcase(subject.name, exemption["jobs"]["name"])
        and at < datetime.fromisoformat(exemption["expires_at"]).timestamp()
        for rule in exemption["rules"]
    }
    return any(
        rule["mode"] == "enforce"
        and rule["name"] not in exempt
        and fnmatchcase(subject.name, rule["applies_to"]["name"])
        and not _MEETS[rule["kind"]](subject, rule)
        for rule in document["rules"]
    )
