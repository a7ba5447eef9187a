"""Limits on what may be spent, and what was: a model of its own, by what SageMaker ran."""

import json
from collections import Counter
from datetime import UTC, datetime
from random import Random

from local_sagemaker.demand import demand
from local_sagemaker.job import TrainingJob
from scheduler.adapters.dynamodb_documents import DynamoDBDocumentStore
from scheduler.domain.attempt import Attempt
from scheduler.domain.document import Document, DocumentKind
from scheduler.domain.job import Job
from simulation.account import Account
from simulation.checks import Checks
from simulation.dynamodb import TableClient
from simulation.expressions import Item

#: How old the view may be by which a cycle decided.
_OLD_VIEW_SECONDS = 100.0
#: GPUs of an instance; others have none.
_GPUS = {"ml.g5.xlarge": 1}
#: Describe tells times in milliseconds, and what is billed in whole seconds.
_TOLERANCE_SECONDS = 1.0
_UNLIMITED = 10**9


class SpendingInForce:
    """Nobody but it sets limits, from the beginning of a world on: so all is counted."""

    def __init__(self, account: Account, checks: Checks) -> None:
        self._account, self._check = account, checks.check
        self._is_counted = False
        self._most: float | None = None  # GPU hours of each owner in the month
        self._ran: dict[int, tuple[str, TrainingJob]] = {}  # by identity: a name may come again after a deletion
        self._roles: dict[str, str] = {}  # by job
        self._counted: dict[str, Counter[str]] = {}  # by role: what the table says that was held

    def limit(self, seed: int) -> None:
        self._is_counted = True
        self._most = Random(seed).choice([0.02, 0.05, 0.2, 0.5])  # noqa: S311 - worlds, not secrets
        self._write(self._most)

    def lift(self) -> None:
        if self._most is not None:
            self._most = None
            self._write(_UNLIMITED)

    def changed(self, scope: str, item: Item | None) -> None:
        if item is not None and scope.startswith("owner#"):
            held = {kind: float(count["N"]) for kind, count in item["held"]["M"].items()}
            self._counted[scope.removeprefix("owner#role/")] = Counter(held)

    def of_training_job(self, job: TrainingJob) -> None:
        name = job.tags["sagequeue:job"]
        if name in self._roles:
            self._ran[id(job)] = self._roles[name], job

    def of_start(self, job: Job, attempt: Attempt) -> None:
        """Nothing starts once the limit is used up, by what SageMaker had run when the cycle looked."""
        self._roles[job.name] = role = job.owner.split("/")[1]
        if self._most is None:
            return
        used = self._gpu_seconds(role, attempt.reserved_at.timestamp() - _OLD_VIEW_SECONDS)
        self._check("spending", used < self._most * 3600, f"{attempt.name} starts after {used} GPU seconds of {role}")

    def check_end(self) -> None:
        """What is counted is what SageMaker ran, to the second for each attempt, and no more than it kept beside."""
        if not self._is_counted:
            return
        known = self._account.simulation.world.jobs  # what somebody deleted tells nobody what it kept
        unknown = {role for role, job in self._ran.values() if known.get(job.name) is not job}
        for role in {role for role, _ in self._ran.values()} - unknown:
            ran = [job for other, job in self._ran.values() if other == role]
            # Not counted: pools whose job's record cannot be read, or that went before the end of the attempt is known.
            least, most = self._truth(ran, with_pools=False), self._truth(ran, with_pools=True)
            counted = self._counted.get(role, Counter())
            for kind in {*most, *counted}:
                off = max(least[kind] - counted[kind], counted[kind] - most[kind])
                is_true = off <= _TOLERANCE_SECONDS * len(ran)
                self._check("spending", is_true, f"{role} has {counted[kind]} s of {kind}, SageMaker ran {most[kind]}")

    def _truth(self, ran: list[TrainingJob], *, with_pools: bool) -> Counter[str]:
        seconds: Counter[str] = Counter()
        for job in ran:
            retained = (job.warm_pool.retained_seconds or 0) if with_pools and job.warm_pool else 0
            trained = _trained(job, self._account.now)
            for kind, count in demand(job.placed).items():
                seconds[kind] += count * (trained + retained)  # type: ignore[assignment] # seconds
        return seconds

    def _gpu_seconds(self, role: str, until: float) -> float:
        ran = (job for other, job in self._ran.values() if other == role)
        return sum(
            _trained(job, until) * count * _GPUS.get(kind, 0)
            for job in ran
            for kind, count in demand(job.placed).items()
        )

    def _write(self, most: float) -> None:
        """At once: a call that is still under way would change it when everything is to be calm."""
        client = TableClient(self._account.table)
        store = DynamoDBDocumentStore(client, "queue", DocumentKind.SPENDING)  # type: ignore[arg-type] # what is used of it
        in_force = store.latest()
        limits = [{"name": "each", "owner": "*", "gpu_hours": most}]
        text = json.dumps({"format": 1, "time_zone": "UTC", "limits": limits})
        now = datetime.fromtimestamp(self._account.now, UTC)
        store.add(Document(in_force.version + 1 if in_force else 1, text, "ops", now), by="api")


def _trained(job: TrainingJob, until: float) -> float:
    if job.started_at is None:
        return 0.0
    return max(0.0, min(until, until if job.ended_at is None else job.ended_at) - job.started_at)
