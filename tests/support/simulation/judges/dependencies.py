"""Judges the jobs that wait for other jobs: none starts too early, is given up without cause, or waits needlessly."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from local_sagemaker.state_machine.description import model_artifacts_uri
from local_sagemaker.state_machine.job import Status, TrainingJob
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.requests.arrays.job_array import ArrayState, JobArray
from support.account.account import Account
from support.simulation.judges.checks import Checks
from support.simulation.submissions.squatters import owner_of
from support.simulation.submissions.user_requests import UserRequests

_MODEL = re.compile(r"\$\{jobs\.(.*?)\.model\}")
#: Without faults: the lease of a function that died, one lost sweep, and two more.
_SWEPT_WITHIN = 90 + 3 * 60.0
_ENDS = {
    "after_ok": {JobState.COMPLETED},
    "after_any": {JobState.COMPLETED, JobState.FAILED, JobState.STOPPED},
    "after_not_ok": {JobState.FAILED, JobState.STOPPED},
}


class DependencyJudge:
    def __init__(self, account: Account, checks: Checks, user_requests: UserRequests) -> None:
        self._account, self._check, self._user_requests = account, checks.check, user_requests
        self._ends: defaultdict[str, set[JobState]] = defaultdict(set)  # every state in which a job ever ended
        self._arrays: dict[str, JobArray] = {}
        self._given_up: set[str] = set()  # jobs whose dependencies could not be satisfied, once
        self._models: dict[str, str] = {}  # S3 URIs at SageMaker, by job

    def job_changed(self, old: Job | None, new: Job) -> None:
        if new.is_finished:
            self._ends[new.name].add(new.status.state)
        if old is None:
            given = self._user_requests.tags.get(new.name, {})
            stored = {option: "+".join(getattr(new.options.dependencies, option)) for option in _ENDS}
            wanted = {option: given.get(f"queue:{option.replace('_', '-')}", "") for option in _ENDS}
            self._check("dependencies", stored == wanted, f"{new.name} waits for {stored}, not for {wanted}")
        if new.status.reason.code is ReasonCode.DEPENDENCY_NEVER_SATISFIED and not _is_given_up(old):
            self._given_up.add(new.name)
            spoilt = any(self._ends[name] - ends for name, ends in _predecessors(new))
            self._check("dependencies", spoilt, f"{new.name} is given up, though its dependencies may be satisfied")
        if old is None or old.status.awaits:
            self._check_released(new)

    def array_changed(self, array: JobArray) -> None:
        self._arrays[array.name] = array
        if end := _end_of_array(array):
            self._ends[array.name].add(end)

    def note_end(self, job: TrainingJob) -> None:
        if job.status == Status.COMPLETED:
            self._models[owner_of(job)] = model_artifacts_uri(job.request)

    def with_models(self, environment: Mapping[str, str]) -> dict[str, str]:
        """Returns the environment as SageMaker must get it: with the models of completed jobs."""
        return {
            name: _MODEL.sub(lambda found: self._models.get(found[1], ""), value) for name, value in environment.items()
        }

    def check_start(self, job: Job) -> None:
        self._check("dependencies", not job.status.awaits, f"{job.name} starts while it waits for {job.status.awaits}")

    def check_waiting(self, jobs: Mapping[str, Job], calm_since: float) -> None:
        """Checks that, without faults, each waiting job either waits for a job that has not ended, or is given up."""
        for job in jobs.values():
            if not job.status.awaits or self._changed_since(job, jobs, max(calm_since, self._latest)):
                continue
            ended = {name: end for name, _ in _predecessors(job) if (end := self._end_of(name, jobs))}
            is_spoilt = any(name in ended and ended[name] not in ends for name, ends in _predecessors(job))
            is_pending = len(ended) < len([*_predecessors(job)]) and not is_spoilt
            if job.is_queued:
                self._check("dependencies", is_pending, f"{job.name} waits, though {ended}")
            if job.status.state is JobState.PARKED and _is_given_up(job):
                self._check("dependencies", is_spoilt, f"{job.name} is parked, though {ended}")

    @property
    def _latest(self) -> float:
        return self._account.now - _SWEPT_WITHIN

    def _changed_since(self, job: Job, jobs: Mapping[str, Job], time: float) -> bool:
        names = [name for name, _ in _predecessors(job)]
        changes = [job.status.updated_at, *(jobs[name].status.updated_at for name in names if name in jobs)]
        changes += [self._arrays[name].updated_at or job.submitted_at for name in names if name not in jobs]
        return time > self._latest or any(change.timestamp() >= self._latest for change in changes)

    def _end_of(self, name: str, jobs: Mapping[str, Job]) -> JobState | None:
        """Returns how the job or the array with this name has ended; None if it has not."""
        if name in jobs:
            return jobs[name].status.state if jobs[name].is_finished else None
        return _end_of_array(self._arrays[name])

    def _check_released(self, job: Job) -> None:
        """Checks that a job was rightly released: each predecessor has ended as required at least once."""
        is_forced = job.name in self._given_up & self._user_requests.revived
        if job.status.awaits or is_forced:
            return
        for name, ends in _predecessors(job):
            self._check(
                "dependencies", bool(self._ends[name] & ends), f"{job.name} is released before {name} has ended so"
            )


def _predecessors(job: Job) -> Iterator[tuple[str, set[JobState]]]:
    """Yields the names of the jobs that the job waits for, each with the states in which it has to end."""
    for option, ends in _ENDS.items():
        for name in getattr(job.options.dependencies, option):
            yield name, ends


def _end_of_array(array: JobArray) -> JobState | None:
    """Returns how an array has ended: it completes if its user accepts each failure, and nobody stopped a child."""
    if array.state is not ArrayState.ENDED:
        return None
    failed, completed = array.children.count("f"), array.children.count("c")
    is_ok = completed + failed == array.size and failed <= (array.most_failures or 0) and array.end is None
    return JobState.COMPLETED if is_ok else JobState.FAILED


def _is_given_up(job: Job | None) -> bool:
    return job is not None and job.status.reason.code is ReasonCode.DEPENDENCY_NEVER_SATISFIED
