"""Judges processing jobs on SageMaker's records: they hold their reserved instances, and repeat no completed work."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from local_sagemaker.state_machine.processing.job import ProcessingJob
from scheduler.core.jobs.attempt import Attempt, Outcome
from scheduler.core.jobs.job import Job
from support.account.account import Account
from support.simulation.judges.checks import Checks
from support.simulation.judges.job_ends import JobEndJudge
from support.simulation.submissions.processing_requests import is_ours, may_preempt
from support.simulation.submissions.user_requests import UserRequests

#: Members of a request that differ between attempts.
_OWN = frozenset({"ProcessingJobName", "Tags"})


class ProcessingJudge:
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
        self._processing, self._check = account.simulation.machine.processing, checks.check
        self._user_requests, self._ends, self._jobs, self._live = user_requests, ends, jobs, live
        self._known: set[str] = set()

    def read(self) -> bool:
        """Reads the changes in SageMaker. Returns whether a processing job has changed."""
        changed = sorted(self._processing.take_changed())
        for key in changed:
            job = self._processing.by_key[key]
            if not is_ours(job):
                continue
            if key not in self._known:
                self._known.add(key)
                self._check_created(job)
            if job.is_terminal:
                self._ends.record_end(job)
        return bool(changed)

    @property
    def held(self) -> Counter[str]:
        """Counts the instances that processing jobs hold, by budget line."""
        return sum(map(held_by, self._ours()), Counter[str]())

    def check_reservations(self) -> None:
        """Checks S1 and S2: each processing job that runs has the one live reservation of its job."""
        running = self._ours()
        names = [_job_of(job.name) for job in running]
        self._check("S2", len({*names}) == len(names), "two live processing jobs: {}", names)
        for job in running:
            self._check("S1", job.name in self._live, "the processing job {} has no reservation", job.name)
            reserved = Counter(dict(self._live[job.name].demand.counts))
            self._check("S1", held_by(job) <= reserved, "{} holds {} on {}", job.name, held_by(job), reserved)

    def check_end(self) -> None:
        """Checks S3 and S5: no completed work is lost, and no job was preempted without its user's permission."""
        self._check("S1", not self._ours(), f"processing jobs still hold {self.held}")
        for job in self._processing.by_key.values():
            if is_ours(job) and job.status == "Completed":
                name = _job_of(job.name)
                self._check("S3", name in self._jobs, f"{job.name} completed, and {name} is gone")
                state = self._jobs[name].status.state
                self._check("S3", state == "completed", f"{job.name} completed, but {name} is {state}")
        for name, body in self._user_requests.processing.items():
            history = self._jobs[name].status.history
            given_way = [e.name for e in history if e.outcome is Outcome.PREEMPTED and e.beneficiary]
            self._check("S5", may_preempt(body) or not given_way, f"{given_way} gave way without permission")

    def _ours(self) -> list[ProcessingJob]:
        return [*filter(is_ours, self._processing.active())]

    def _check_created(self, attempt: ProcessingJob) -> None:
        """Checks S2 and S6: attempts run one after the other, as submitted, and none follows a completed attempt."""
        name = _job_of(attempt.name)
        body = self._user_requests.processing.get(name)
        if body is None:  # the answer to the submission was lost or is still on its way
            return
        self._check("S6", _shared(attempt.request) == _shared(body), f"{attempt.name} is not what was submitted")
        others = [job for job in self._processing.by_key.values() if _job_of(job.name) == name and job is not attempt]
        is_good = all(job.is_terminal and job.status != "Completed" for job in others)
        self._check("S2", is_good, f"{attempt.name} after {[(job.name, job.status) for job in others]}")


def held_by(job: ProcessingJob) -> Counter[str]:
    resources = job.cluster["ResourceConfig"]
    return Counter({f"{resources['InstanceType']}@processing": resources["InstanceCount"]})


def _job_of(attempt: str) -> str:
    return attempt.rsplit("-sq-", 1)[0]


def _shared(request: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in request.items() if name not in _OWN}
