"""Judges spending limits and counts with a separate model, on SageMaker's records."""

from collections import Counter
from collections.abc import Callable
from math import inf

from local_sagemaker.state_machine.capacity import demand
from local_sagemaker.state_machine.job import TrainingJob
from scheduler.adapters.dynamodb.records.job_records import LIVE_PARTITION
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT
from support.account.account import Account
from support.dynamodb.expressions import Item
from support.simulation.judges.checks import Checks
from support.simulation.judges.configurations import OLD_VIEW_SECONDS, ConfigurationJudge
from support.simulation.submissions.squatters import owner_of

#: For each instance type: GPUs, and dollars an hour in us-east-1.
_PER_HOUR = {
    "gpu_hours": {"ml.g5.xlarge": 1.0},
    "dollars": {kind: float(price.per_hour) for kind, price in SNAPSHOT.known.items()},
}
SCOPES = ("owner", "team", "tag")
MEASURES = tuple(sorted(_PER_HOUR))
#: The team of the submitting users.
TEAMS = {"science": {"members": ["*:assumed-role/Scientist/*"]}}
TWO_TEAMS = {**TEAMS, "arts": {"members": ["*:assumed-role/Artist/*"]}}
#: Describe returns times in milliseconds, and billed time in whole seconds.
_TOLERANCE_SECONDS = 1.0

Seconds = Callable[[TrainingJob], float]


class SpendingJudge:
    """Judges the only limit, which the first version of the configuration sets, so that all use is counted."""

    def __init__(self, account: Account, checks: Checks, configurations: ConfigurationJudge) -> None:
        self._account, self._check, self._configurations = account, checks.check, configurations
        limits = account.configuration.get("spending", {}).get("limits", ())
        self._is_counted = bool(limits)
        self._kind = next((kind for limit in limits for kind in SCOPES if kind in limit), "")
        self._measure = next((measure for limit in limits for measure in MEASURES if measure in limit), "")
        self._ran: dict[int, tuple[str, TrainingJob]] = {}  # by identity: a name may be reused after a deletion
        self._scopes: dict[str, str] = {}  # by job; jobs without a scope have no limit
        self._counted: dict[str, dict[str, Counter[str]]] = {}  # by scope: held and billed use in the table

    def changed(self, scope: str, item: Item | None) -> None:
        if item is not None and self._kind and scope.startswith(f"{self._kind}#"):
            self._counted[scope.partition("#")[2]] = {
                name: Counter({kind: float(count["N"]) for kind, count in item[name]["M"].items()})
                for name in ("held", "billed")
            }

    def record_training_job(self, job: TrainingJob) -> None:
        name = owner_of(job)
        if name in self._scopes:
            self._ran[id(job)] = self._scopes[name], job

    def check_start(self, job: Job, attempt: Attempt) -> None:
        """Checks that no job starts after the limit is used up, by SageMaker's records at the cycle's snapshot."""
        scope = self._scope_of(job)
        if scope is None:
            return
        self._scopes[job.name] = scope
        used = self._used(scope, attempt.reserved_at.timestamp() - OLD_VIEW_SECONDS)
        self._check("spending", used < self._most(), f"{attempt.name} starts after {used} {self._measure} of {scope}")

    def check_end(self) -> None:
        """Checks that the counts match the seconds that SageMaker ran, plus at most the time of warm pools."""
        if not self._is_counted or not self._configurations.always_has("spending", "shares"):
            return
        known = self._account.simulation.machine.jobs  # a deleted job has no record of its warm pool
        unknown = {scope for scope, job in self._ran.values() if known.get(job.name) is not job}
        for scope in {scope for scope, _ in self._ran.values()} - unknown:
            ran = [job for other, job in self._ran.values() if other == scope]
            for name, seconds in (("held", self._trained_now), ("billed", _billed)):
                self._check_count(scope, name, ran, seconds)

    def _check_count(self, scope: str, name: str, ran: list[TrainingJob], seconds: Seconds) -> None:
        # Not counted: pools whose job is unreadable, or that ended before the queue knew the end of the attempt.
        least, most = _truth(ran, seconds, with_pools=False), _truth(ran, seconds, with_pools=True)
        counted = self._counted.get(scope, {}).get(name, Counter())
        for kind in {*most, *counted}:
            off = max(least[kind] - counted[kind], counted[kind] - most[kind])
            is_true = off <= _TOLERANCE_SECONDS * len(ran)
            message = f"{scope} has {counted[kind]} s of {kind} {name}, of SageMaker {least[kind]} to {most[kind]}"
            self._check("spending", is_true, message)

    def _scope_of(self, job: Job) -> str | None:
        if not self._kind:
            return None
        if self._kind == "owner":
            return f"role/{job.owner.split('/')[1]}"
        if self._kind == "team":
            return next(iter(TEAMS)) if ":assumed-role/Scientist/" in job.owner else None
        project = dict(job.spec.tags).get("project")
        return f"project={project}" if project else None

    def _used(self, scope: str, until: float) -> float:
        """Returns the minimum use, in the limit's unit. Spot jobs may be billed for less than they trained."""
        ran = (job for other, job in self._ran.values() if other == scope and self._is_readable(job))
        per_hour = _PER_HOUR[self._measure]
        return sum(
            self._seconds(job, until) * count * per_hour.get(kind, 0) / 3600
            for job in ran
            for kind, count in demand(job.resolved_request).items()
        )

    def _is_readable(self, job: TrainingJob) -> bool:
        """Returns whether the job's record shows which limits count the job, and how long it has run."""
        keys = ((f"JOB#{owner_of(job)}", "JOB"), (LIVE_PARTITION, job.name))
        return not any(self._account.table.is_corrupted(key) for key in keys)

    def _seconds(self, job: TrainingJob, until: float) -> float:
        trained = _trained(job, until)
        return trained if self._measure == "gpu_hours" else min(trained, _billed(job))

    def _trained_now(self, job: TrainingJob) -> float:
        return _trained(job, self._account.now)

    def _most(self) -> float:
        """Returns the largest limit that the cycle may have read."""
        limits = [section.get("limits", ()) for section in self._configurations.seen("spending")]
        return max(float(each[0][self._measure]) if each else inf for each in limits)


def _trained(job: TrainingJob, until: float) -> float:
    if job.started_at is None:
        return 0.0
    return max(0.0, min(until, until if job.ended_at is None else job.ended_at) - job.started_at)


def _billed(job: TrainingJob) -> float:
    """Returns the billed seconds of a running job in the periods that have ended."""
    return job.billed_seconds if job.started_at is not None else 0.0


def _truth(ran: list[TrainingJob], seconds: Seconds, *, with_pools: bool) -> Counter[str]:
    found: Counter[str] = Counter()
    for job in ran:
        retained = (job.warm_pool.retained_seconds or 0) if with_pools and job.warm_pool else 0
        for kind, count in demand(job.resolved_request).items():
            found[kind] += count * (seconds(job) + retained)  # type: ignore[assignment] # seconds
    return found
