"""Models SageMaker Training in one account and region as a deterministic state machine.

The state machine has no clock, threads or randomness: time is an argument that must not go backwards, and event ids
come from a seeded generator. A runner carries out the commands that `advance` returns, and reports back.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import inf
from typing import Any

from local_sagemaker.state_machine.automl import AutoMLJob
from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from local_sagemaker.state_machine.capacity import Capacity, CapacityPool, Shortage
from local_sagemaker.state_machine.commands import Effect, Report, RunFailed
from local_sagemaker.state_machine.event_sender import EventSender
from local_sagemaker.state_machine.fault_injection import EventQueue, FaultRules
from local_sagemaker.state_machine.job import PoolStatus, Secondary, Status, TrainingJob, end_pool, find_pool
from local_sagemaker.state_machine.lifecycle import INTERNAL_ERROR, Lifecycle
from local_sagemaker.state_machine.limits import Quotas, RequestRates, held_instances
from local_sagemaker.state_machine.pipelines.executions import PipelineExecutions
from local_sagemaker.state_machine.processing.job import ProcessingJob
from local_sagemaker.state_machine.processing.lifecycle import ProcessingJobs
from local_sagemaker.state_machine.tuning.job import TuningJob
from local_sagemaker.state_machine.tuning.lifecycle import TuningJobs


class StateMachine:
    """Contains the jobs of the account. API operations first call `pass_time`, then read and change jobs."""

    def __init__(
        self,
        behaviour: Behaviour,
        seed: int = 0,
        jobs: Iterable[TrainingJob] = (),
        tuning_jobs: Iterable[TuningJob] = (),
        processing_jobs: Iterable[ProcessingJob] = (),
    ) -> None:
        self.behaviour = behaviour
        self.jobs = {job.name: job for job in jobs}
        #: Finished jobs that no call created. Lists and descriptions show them. Simulations add thousands.
        self.past_jobs: dict[str, TrainingJob] = {}
        #: Models, endpoint configurations and endpoints, by ARN, as their operations read them.
        self.hosted: dict[str, dict[str, Any]] = {}
        self.automl: dict[str, AutoMLJob] = {}  # by name in lower case
        self._active_names = {name for name, job in self.jobs.items() if job.holds_instances}
        self._random = random.Random(seed)  # noqa: S311 - event ids must be repeatable, not secret
        self.fault_rules = FaultRules(self._random)
        self.request_rates = RequestRates(behaviour.rate_factor)
        self._effects: list[Effect] = []
        self._changed_names: set[str] = set()
        self._next_job_due: float | None = None  # None: must be computed again
        self._withheld: dict[str, list[Report]] = {}
        self._capacity = Capacity(behaviour.startup)
        self._event_queue = EventQueue(self.fault_rules)
        self._events = EventSender(self._event_queue, self._random, lambda: self.behaviour.unknowns, self._effects)
        self.lifecycle = Lifecycle(
            behaviour.grace_seconds,
            self._capacity,
            long_pending_fails=lambda: self.behaviour.unknowns.long_pending_fails,
            retains_pool=lambda job: self.behaviour.quotas.allows_pool(job, self.jobs.values()),
            changed=self._changed,
            command=self._effects.append,
        )
        self.pipelines = PipelineExecutions(self._effects.append)
        self.tuning = TuningJobs(
            tuning_jobs,
            self.jobs,
            launch=lambda request, job, now: self.create(request, dict(job.tags), now, job.arn),
            stop=lambda job, now: self.lifecycle.stop(job, Secondary.STOPPED, now),
            changed=lambda job, now: self._events.send_tuning(job, self.tuning.results(job), now),
            unknowns=lambda: self.behaviour.unknowns,
        )
        self.processing = ProcessingJobs(
            processing_jobs,
            behaviour.grace_seconds,
            self._capacity,
            changed=self._events.send_processing,
            command=self._effects.append,
        )

    def advance(self, now: float) -> list[Effect]:
        """Applies everything that is due, and returns the events and commands for the runner."""
        self.pass_time(now)
        effects = [*self._effects, *self._event_queue.take_due(now)]
        self._effects.clear()
        return effects

    def next_due(self) -> float:
        return min(self._work_due(), self.tuning.next_due(), self._event_queue.next_due())

    def pass_time(self, now: float) -> None:
        """Applies timed changes in the order of their times, so that no job's history runs backwards."""
        while (due := min(self._work_due(), now if self.tuning.is_unsettled else self.tuning.next_due())) <= now:
            for job in self._active_jobs():
                if self.lifecycle.due(job) <= due:
                    self._fire(job, due)
            self.processing.advance(due)
            self.tuning.advance(due)

    def reschedule(self) -> None:
        """Recomputes the next timed change. Call this after a change to a job."""
        self._next_job_due = None

    def report(self, name: str, report: Report, now: float) -> None:
        """Applies the runner's report about a job. Ignores a late report about a finished job."""
        self.pass_time(now)
        job = self.jobs.get(name)
        if name in self._withheld:
            self._withheld[name].append(report)
        elif name in self.processing.by_key:
            self.processing.report(name, report, now)
        elif job is not None and not job.is_terminal:
            self.lifecycle.report(job, report, now)
            self._deactivate_finished(job)
            self._note_trial(job)
            self.reschedule()

    def recover(self, now: float) -> None:
        """Fails the work that was in progress before a restart of the runner. Keeps the jobs themselves."""
        for job in self._active_jobs():
            if not job.is_terminal and job.up_since is not None:
                self.report(job.name, RunFailed(INTERNAL_ERROR), now)
        self.processing.recover(INTERNAL_ERROR, now)

    def work_of(self, name: str) -> tuple[dict[str, Any], str]:
        """Returns the request and the ARN of a command's job: a training job, or a processing job's key."""
        processing_job = self.processing.by_key.get(name)
        if processing_job is not None:
            return processing_job.resolved_request, processing_job.arn
        return self.jobs[name].resolved_request, self.jobs[name].arn

    def provision(self, name: str, now: float) -> None:
        """Gives instances to a waiting job."""
        self.jobs[name].ready_at = now
        self.mark_changed(self.jobs[name])

    def interrupt(self, name: str, now: float) -> None:
        """Interrupts a job by taking its spot instances."""
        self.pass_time(now)
        self.lifecycle.interrupt(self.jobs[name], now)

    def hang(self, name: str) -> None:
        """Withholds reports about this job from the service until `release`: a stopped job stays in Stopping."""
        self._withheld.setdefault(name, [])

    def release(self, name: str, now: float) -> None:
        for report in self._withheld.pop(name, []):
            self.report(name, report, now)

    def set_shortage(self, where: CapacityPool | str, shortage: Shortage, now: float) -> None:
        """Sets how long a capacity pool, or every pool of a type, is empty. Also affects jobs that already wait."""
        self.pass_time(now)
        pool = CapacityPool(where) if isinstance(where, str) else where
        self._capacity.set_shortage(pool, shortage)
        self.processing.capacity_changed(now)
        for job in self._active_jobs():
            waits = job.status is Status.IN_PROGRESS and job.up_since is None
            if waits and self._capacity.affects(pool, job.resolved_request):
                self.lifecycle.await_instances(job, now)
                self.mark_changed(job)

    def set_quotas(self, quotas: Quotas) -> None:
        self.behaviour = replace(self.behaviour, quotas=quotas)

    def set_unknowns(self, unknowns: Unknowns) -> None:
        """Chooses among the behaviours that AWS does not document."""
        self.behaviour = replace(self.behaviour, unknowns=unknowns)
        self.reschedule()

    def take_changed(self) -> set[str]:
        """Returns the names of jobs changed, created or deleted since the last call, for a store to save."""
        names, self._changed_names = self._changed_names, set()
        return names

    def mark_changed(self, job: TrainingJob) -> None:
        self._changed_names.add(job.name)
        self.reschedule()

    def record_undocumented_change(self, job: TrainingJob, now: float) -> None:
        """Records a change for which AWS documents no event."""
        self.mark_changed(job)
        if self.behaviour.unknowns.sends_undocumented_events:
            self._changed(job, now)

    def held_instances(self) -> Counter[str]:
        """Counts the instances of each type in use and in warm pools."""
        return held_instances(self._active_jobs())

    def jobs_in_quota(self, now: float) -> Iterator[TrainingJob]:
        """Yields the jobs whose instances count against the quotas. Instances may count even after a job's end."""
        for job in self.jobs.values():
            freed_at = (job.ended_at or now) + self.behaviour.unknowns.frees_quota_after_seconds
            if job.holds_instances or now < freed_at:
                yield job

    def create(
        self,
        request: dict[str, Any],
        tags: dict[str, str],
        now: float,
        tuning_job_arn: str | None = None,
        automl_job_arn: str | None = None,
    ) -> TrainingJob:
        """Creates a job on a matching warm pool, or else within the quotas."""
        pool = find_pool(request, self.jobs.values())
        if pool is None:
            self.behaviour.quotas.admit(request, self.jobs_in_quota(now))
        else:
            end_pool(pool, PoolStatus.REUSED, now, reused_by=request["TrainingJobName"])
            self.record_undocumented_change(pool, now)
        arn = self.arn("training-job", request["TrainingJobName"])
        job = TrainingJob(
            request,
            arn,
            created_at=now,
            modified_at=now,
            tags=tags,
            tuning_job_arn=tuning_job_arn,
            automl_job_arn=automl_job_arn,
        )
        self.add(job)
        self.lifecycle.start(job, now, on_warm_pool=pool is not None)
        return job

    def arn(self, kind: str, name: str) -> str:
        shown = name.lower() if self.behaviour.unknowns.lower_case_arns else name
        return f"arn:aws:sagemaker:{self.behaviour.region}:{self.behaviour.account}:{kind}/{shown}"

    def add(self, job: TrainingJob) -> None:
        self.jobs[job.name] = job
        self._active_names.add(job.name)
        self.reschedule()

    def remove(self, job: TrainingJob) -> None:
        self.mark_changed(job)
        del self.jobs[job.name]
        self._active_names.discard(job.name)
        self._withheld.pop(job.name, None)

    def _fire(self, job: TrainingJob, now: float) -> None:
        had_ended = job.is_terminal
        self.lifecycle.fire(job, now)
        self.mark_changed(job)
        if had_ended:
            self.record_undocumented_change(job, now)  # the job's warm pool expired
        self._deactivate_finished(job)

    def _work_due(self) -> float:
        return min(self._job_due(), self.processing.next_due())

    def _job_due(self) -> float:
        """Returns the next due time. Computes it once after each change, because simulations ask at every step."""
        if self._next_job_due is None:
            self._next_job_due = min((self.lifecycle.due(job) for job in self._active_jobs()), default=inf)
        return self._next_job_due

    def _active_jobs(self) -> list[TrainingJob]:
        return [self.jobs[name] for name in sorted(self._active_names)]

    def _deactivate_finished(self, job: TrainingJob) -> None:
        if not job.holds_instances:
            self._active_names.discard(job.name)

    def _changed(self, job: TrainingJob, now: float) -> None:
        self.mark_changed(job)
        self._note_trial(job)
        self._events.send_training(job, now)

    def _note_trial(self, job: TrainingJob) -> None:
        """Lets a trial's tuning job react to the trial's change."""
        if job.tuning_job_arn is not None:
            self.mark_changed(job)
            self.tuning.settle_later()
