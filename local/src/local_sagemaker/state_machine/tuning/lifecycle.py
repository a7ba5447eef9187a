"""Moves tuning jobs through their statuses: launches trials in parallel, stops them, and ends after the last trial."""

from collections.abc import Callable, Iterable, Mapping
from math import inf
from typing import Any

from local_sagemaker.errors import AwsError
from local_sagemaker.state_machine.behaviour import Unknowns
from local_sagemaker.state_machine.job import Status, TrainingJob
from local_sagemaker.state_machine.tuning.completion import failure_reason, final_status, reached_end
from local_sagemaker.state_machine.tuning.early_stopping import hopeless
from local_sagemaker.state_machine.tuning.job import Trial, TuningJob, TuningStatus
from local_sagemaker.state_machine.tuning.results import Result, results
from local_sagemaker.state_machine.tuning.strategies import next_values
from local_sagemaker.state_machine.tuning.trial_request import trial_requests

# A trial that the quotas do not admit is launched later.
_RETRY_SECONDS = 60.0

#: Creates a training job of a tuning job from its request. Raises AwsError if a quota refuses it.
Launch = Callable[[dict[str, Any], TuningJob, float], object]


class TuningJobs:
    """The tuning jobs of the account. `advance` applies what is due, and `launch` and `stop` act on training jobs."""

    def __init__(
        self,
        tuning_jobs: Iterable[TuningJob],
        jobs: Mapping[str, TrainingJob],
        launch: Launch,
        stop: Callable[[TrainingJob, float], None],
        changed: Callable[[TuningJob, float], None],
        unknowns: Callable[[], Unknowns],
    ) -> None:
        self.by_name = {job.name: job for job in tuning_jobs}
        self._jobs = jobs
        self._launch = launch
        self._stop = stop
        self._changed = changed
        self._unknowns = unknowns
        self._active_names = {name for name, job in self.by_name.items() if not job.is_terminal}
        self._changed_names: set[str] = set()
        self.is_unsettled = bool(self._active_names)  # something changed since the last `advance`

    def add(self, job: TuningJob, now: float) -> None:
        self.by_name[job.name] = job
        self._active_names.add(job.name)
        self._enter(job, TuningStatus.IN_PROGRESS, now)

    def remove(self, job: TuningJob) -> None:
        del self.by_name[job.name]
        self._changed_names.add(job.name)

    def stop(self, job: TuningJob, now: float) -> None:
        """Stops every trial. The job itself is Stopped after the last of them has ended."""
        job.ends_as = TuningStatus.STOPPED
        self._enter(job, TuningStatus.STOPPING, now)

    def next_due(self) -> float:
        return min((_due(self.by_name[name]) for name in self._active_names), default=inf)

    def settle_later(self) -> None:
        """Records that a trial has changed."""
        self.is_unsettled = True

    def advance(self, now: float) -> None:
        while self.is_unsettled or self.next_due() <= now:
            self.is_unsettled = False
            for name in sorted(self._active_names):
                self._step(self.by_name[name], now)

    def results(self, job: TuningJob) -> list[Result]:
        return results(job, self._jobs, stopped_trials_count=self._unknowns().stopped_trials_count)

    def parents_results(self, job: TuningJob) -> list[Result]:
        """Lists the trials of the direct parents of a warm start: it is not recursive."""
        parents = (self.by_name[name] for name in job.parents if name in self.by_name)
        return [result for parent in parents for result in self.results(parent)]

    def mark_changed(self, job: TuningJob) -> None:
        self._changed_names.add(job.name)

    def take_changed(self) -> set[str]:
        """Returns the names of tuning jobs changed, created or deleted since the last call, for a store to save."""
        names, self._changed_names = self._changed_names, set()
        return names

    def _step(self, job: TuningJob, now: float) -> None:
        found = self.results(job)
        if job.ends_as is None:
            for result in hopeless(job, found):
                job.stopped_early.append(result.trial.name)
                self._stop(result.job, now)
            stops = self._unknowns().limits_stop_tuning_jobs
            job.ends_as = reached_end(job, found, now, limits_stop_tuning_jobs=stops)
        live = [result.job for result in found if not result.job.is_terminal]
        if job.ends_as is None:
            self._launch_trials(job, job.parallel - len(live), now)
        else:
            for trial in live:
                if trial.status is Status.IN_PROGRESS:
                    self._stop(trial, now)
        self.mark_changed(job)
        self._end_after_last_trial(job, now)

    def _launch_trials(self, job: TuningJob, count: int, now: float) -> None:
        job.retry_at = None
        tried = [trial.tuned for known in (job, *self._parents(job)) for trial in known.trials]
        for _ in range(min(count, job.most_trials - len(job.trials))):
            definition, tuned = next_values(job, tried)
            trial = Trial(job.next_trial_name(), definition, tuned)
            if not self._is_launched(job, trial, now):
                job.retry_at = now + _RETRY_SECONDS
                return
            job.trials.append(trial)
            tried.append(tuned)

    def _parents(self, job: TuningJob) -> list[TuningJob]:
        return [self.by_name[name] for name in job.parents if name in self.by_name]

    def _is_launched(self, job: TuningJob, trial: Trial, now: float) -> bool:
        """Launches the trial on the first of its instance configurations that the quotas allow."""
        for request in trial_requests(job, trial):
            try:
                self._launch(request, job, now)
            except AwsError:
                continue  # the quotas refuse it
            return True
        return False

    def _end_after_last_trial(self, job: TuningJob, now: float) -> None:
        found = self.results(job)
        is_done = job.ends_as is not None or len(job.trials) >= job.most_trials
        if not is_done or any(not result.job.is_terminal for result in found):
            return
        status = TuningStatus.STOPPED if job.ends_as is TuningStatus.STOPPED else final_status(found)
        if status is TuningStatus.FAILED:
            job.failure_reason = failure_reason(found)
        job.ended_at = now
        job.retry_at = None
        self._active_names.discard(job.name)
        self._enter(job, status, now)

    def _enter(self, job: TuningJob, status: TuningStatus, now: float) -> None:
        job.status = status
        job.modified_at = now
        self.mark_changed(job)
        self.is_unsettled = True
        self._changed(job, now)


def _due(job: TuningJob) -> float:
    """Returns the time of the job's next timed change."""
    if job.ends_as is not None:
        return inf
    return min(job.runtime_end, inf if job.retry_at is None else job.retry_at)
