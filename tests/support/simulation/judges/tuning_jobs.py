"""Judges tuning jobs on SageMaker's own records: trials hold the reserved instances, and none is lost or repeated."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from local_sagemaker.state_machine.job import TrainingJob
from local_sagemaker.state_machine.tuning.job import TuningJob
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.jobs.work.tuning import NO_PROGRESS
from support.account.account import Account
from support.simulation.judges.checks import Checks
from support.simulation.judges.held_instances import instances_held_by
from support.simulation.judges.job_ends import JobEndJudge
from support.simulation.submissions.user_requests import UserRequests

#: A warm start names at most so many parents.
_MOST_PARENTS = 5
#: Members of a request that each attempt has of its own.
_OWN = frozenset({"HyperParameterTuningJobName", "HyperParameterTuningJobConfig", "WarmStartConfig", "Tags"})


class TuningJudge:
    """`jobs` and `live` are the queue's records. Other judges keep them up to date."""

    def __init__(
        self,
        account: Account,
        checks: Checks,
        user_requests: UserRequests,
        ends: JobEndJudge,
        jobs: Mapping[str, Job],
        live: Mapping[str, Attempt],
    ) -> None:
        self._machine, self._check, self._user_requests = account.simulation.machine, checks.check, user_requests
        self._ends, self._jobs, self._live = ends, jobs, live
        self._known: set[str] = set()
        self._begun_again: set[str] = set()  # requeued, or retried without any result: these may run all trials again
        self._running: list[TuningJob] = []
        self._held_by: dict[str, Counter[str]] = {}

    def read(self) -> bool:
        """Reads the changes in SageMaker. Returns whether a tuning job has changed."""
        changed = sorted(self._machine.tuning.take_changed())
        for name in changed:
            job = self._machine.tuning.by_name[name]
            if name not in self._known:
                self._known.add(name)
                self._check_created(job)
            if job.is_terminal:
                self._ends.record_end(job)
        if changed or self._running:
            self._running = [job for job in self._machine.tuning.by_name.values() if not job.is_terminal]
            self._held_by = self._held_by_trials()
        return bool(changed)

    @property
    def held(self) -> Counter[str]:
        """Counts the instances that the trials hold."""
        return sum(self._held_by.values(), Counter[str]())

    def job_changed(self, old: Job | None, new: Job) -> None:
        is_requeued = old is not None and old.is_finished and not new.is_finished
        is_retried = new.status.reason.code is ReasonCode.RETRYING and new.status.tuning_progress == NO_PROGRESS
        if is_requeued or is_retried:
            self._begun_again.add(new.name)

    def check_reservations(self) -> None:
        """Checks S1 and S2: each tuning job, and each trial that holds instances, has the one live reservation."""
        names = [_job_of(job.name) for job in self._running]
        self._check("S2", len({*names}) == len(names), "two live tuning jobs: {}", names)
        for name in {*(job.name for job in self._running), *self._held_by}:
            self._check("S1", name in self._live, "the tuning job {} has no reservation", name)
            held, reserved = self._held_by.get(name, Counter()), Counter(dict(self._live[name].demand.counts))
            self._check("S1", held <= reserved, "the trials of {} hold {} on {}", name, held, reserved)

    def check_end(self) -> None:
        """Checks S3: each tuning job has as many trials with a result as its user requested, over all attempts.

        A trial that its user stopped in the console counts, unless the queue stopped its tuning job at that time.
        """
        self._check("S1", not self._held_by, f"trials still hold {self._held_by}")
        for name, body in self._user_requests.tuning.items():
            trials = [trial for job in self._attempts_of(name) for trial in self._trials_of(job)]
            ended = sum(trial.status in {"Completed", "Failed"} for trial in trials)
            stopped = sum(trial.name in self._user_requests.stopped_in_console for trial in trials)
            most = _limits_of(body)["MaxNumberOfTrainingJobs"]
            if name in self._begun_again:
                continue
            self._check("S3", ended <= most, f"{name} ran {ended} of {most} trials")
            if name in self._jobs and self._jobs[name].status.state is JobState.COMPLETED:
                attempts = self._attempts_of(name)
                may_be_fewer = attempts[-1].status == "Failed" and len(attempts[-1].parents) >= _MOST_PARENTS - 1
                is_complete = ended + stopped >= most or may_be_fewer
                self._check("S3", is_complete, f"{name} ran only {ended} of {most} trials")
                has_result = any(trial.status in {"Completed", "Stopped"} for trial in trials)
                self._check("S3", has_result, f"{name} completed, but no trial of it did")

    def _check_created(self, attempt: TuningJob) -> None:
        """Checks S2 and S6: attempts run one after another, as submitted, with all earlier attempts with results."""
        name = _job_of(attempt.name)
        body = self._user_requests.tuning.get(name)
        if body is None:  # the answer to the submission was lost or is still on its way
            return
        self._check("S6", _shared(attempt.request) == _shared(body), f"{attempt.name} is not what was submitted")
        fewest, widest = min(_least_parallel(body), attempt.most_trials), _limits_of(body)["MaxParallelTrainingJobs"]
        is_allowed = fewest <= attempt.parallel <= widest
        self._check("S6", is_allowed, f"{attempt.name} runs {attempt.parallel} trials at a time: {fewest} to {widest}")
        earlier = [job for job in self._attempts_of(name) if job is not attempt]
        is_good = all(job.is_terminal for job in earlier) and name not in self._completed(earlier)
        self._check("S2", is_good, f"{attempt.name} after {[(job.name, job.status) for job in earlier]}")
        least = [job.name for job in earlier if self._ended_before_the_stop(job)]
        most = [job.name for job in earlier if self._trials_of(job)]
        if len(most) <= _MOST_PARENTS and name not in self._begun_again:
            is_complete = {*least} <= {*attempt.parents} <= {*most}
            self._check("S6", is_complete, f"{attempt.name} has the parents {attempt.parents}, not {least}")

    def _completed(self, attempts: list[TuningJob]) -> set[str]:
        names = {_job_of(job.name) for job in attempts if job.status == "Completed"}
        return names - self._begun_again

    def _ended_before_the_stop(self, job: TuningJob) -> bool:
        return any(trial.status in {"Completed", "Failed"} for trial in self._trials_of(job))

    def _attempts_of(self, name: str) -> list[TuningJob]:
        found = [job for job in self._machine.tuning.by_name.values() if _job_of(job.name) == name]
        return sorted(found, key=lambda job: job.created_at)

    def _trials_of(self, job: TuningJob) -> list[TrainingJob]:
        return [self._machine.jobs[trial.name] for trial in job.trials]

    def _held_by_trials(self) -> dict[str, Counter[str]]:
        held: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for job in self._machine.jobs.values():
            if job.tuning_job_arn and job.holds_instances:
                held[job.name.rsplit("-", 2)[0]].update(instances_held_by(job))
        return dict(held)


def _job_of(attempt: str) -> str:
    return attempt.rsplit("-sq-", 1)[0]


def _limits_of(request: Mapping[str, Any]) -> dict[str, int]:
    return dict(request["HyperParameterTuningJobConfig"]["ResourceLimits"])


def _least_parallel(request: Mapping[str, Any]) -> int:
    tags = {tag["Key"]: tag["Value"] for tag in request["Tags"]}
    return int(tags.get("queue:min-parallel", _limits_of(request)["MaxParallelTrainingJobs"]))


def _shared(request: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the members that all attempts share with the user's request."""
    config = {
        name: value for name, value in request["HyperParameterTuningJobConfig"].items() if name != "ResourceLimits"
    }
    return {**{name: value for name, value in request.items() if name not in _OWN}, "config": config}
