"""Judges growths: an elastic job is stopped for more instances only if it gains time and no job waits for them."""

from collections import Counter
from collections.abc import Mapping

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import StopCause
from scheduler.core.sections.durations import parse_duration
from support.account.account import Account
from support.simulation.judges.checks import Checks
from support.simulation.judges.configurations import OLD_VIEW_SECONDS, ConfigurationJudge
from support.simulation.judges.teams import settings_of, shortest_protection

#: The maximum difference between the functions' clocks.
_SKEW = 5.0


class GrowthJudge:
    def __init__(self, account: Account, checks: Checks, configurations: ConfigurationJudge) -> None:
        self._account, self._check, self._configurations = account, checks.check, configurations
        self._longest_limit: Counter[str] = Counter()  # seconds, by job: updates change the time limit
        self._waits_since: dict[str, float] = {}  # by job

    def job_changed(self, old: Job | None, new: Job, attempt: Attempt | None, jobs: Mapping[str, Job]) -> None:
        """Checks the growth that begins with this change to a job's record, if there is one."""
        self._longest_limit[new.name] = max(self._longest_limit[new.name], new.spec.max_runtime)
        if not _waits(new):
            self._waits_since.pop(new.name, None)
        elif new.name not in self._waits_since or _is_another_wait(old, new):
            self._waits_since[new.name] = self._account.now
        stop = new.status.stop
        if attempt and stop and stop.cause is StopCause.GROWTH and (old is None or old.status.stop != stop):
            self._check_growth(new, attempt, jobs)

    def _check_growth(self, job: Job, attempt: Attempt, jobs: Mapping[str, Job]) -> None:
        self._check("growth", job.spec.checkpoint_uri is not None, f"{job.name} grows, and has no checkpoint")
        age = self._account.now + _SKEW - attempt.reserved_at.timestamp()
        protected = shortest_protection(job, self._configurations)
        self._check("growth", age >= protected, f"{job.name} grows after {age} s, and is protected for {protected} s")
        cost = min(parse_duration(each["restart_time"]) for each in settings_of(job, self._configurations))
        gain = self._most_gain(job, attempt)
        self._check("growth", gain > cost, f"{job.name} grows to gain {gain} s at most, and its restart takes {cost} s")
        waiting = [name for name in self._waits_since if self._could_use(jobs[name], attempt)]
        self._check("growth", not waiting, f"{job.name} grows, and {waiting} wait for the same instances")

    def _most_gain(self, job: Job, attempt: Attempt) -> float:
        """Returns the maximum seconds by which the job can end earlier, if it uses its time limit and loses no work."""
        seen = attempt.observation
        trained_since = seen.training_started_at if seen else None
        trained = self._account.now - OLD_VIEW_SECONDS - trained_since.timestamp() if trained_since else 0.0
        narrow = sum(count for _, count in attempt.demand.counts)
        wide = max(sum(count for _, count in choice.spec.demand.counts) for choice in job.each_choice)
        return (self._longest_limit[job.name] - max(0.0, trained)) * (1 - narrow / wide)

    def _could_use(self, other: Job, attempt: Attempt) -> bool:
        """Returns whether one of the waiting job's choices uses the same type, and the cycle surely knew of the job."""
        is_known = self._account.now - self._waits_since[other.name] > OLD_VIEW_SECONDS
        return is_known and any(choice.spec.demand.shares_a_type_with(attempt.demand) for choice in other.each_choice)


def _waits(job: Job) -> bool:
    return job.is_queued and not job.is_deferred


def _is_another_wait(old: Job | None, new: Job) -> bool:
    return old is None or not _waits(old) or old.status.attempts != new.status.attempts
