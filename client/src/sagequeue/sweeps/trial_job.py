"""TrialJob: follows the job of one trial, and reports its values and its result to the study."""

from contextlib import suppress
from typing import TYPE_CHECKING

from sagequeue.api.client import QueueClient
from sagequeue.contract.jobs import FINISHED, LIVE, Job
from sagequeue.errors import AlreadyFinished
from sagequeue.jobs.logs import JobLog
from sagequeue.sweeps.objective import ObjectiveLog

if TYPE_CHECKING:  # Optuna is optional
    from optuna.trial import Trial

#: A trial's user attribute: whether its pruner has ended it. It is stored before the job is cancelled.
PRUNED = "pruned"


class TrialJob:
    """Follows the job of one running trial."""

    def __init__(self, queue: QueueClient, name: str, trial: "Trial", log: JobLog, objective: ObjectiveLog) -> None:
        self.name = name
        self.has_started = False
        self._queue = queue
        self._trial = trial
        self._log = log
        self._objective = objective
        self._is_pruned = bool(trial.user_attrs.get(PRUNED))
        self._is_cancelled = False
        frozen = trial.study.get_trials(deepcopy=False)[trial.number]
        self._reported = set(frozen.intermediate_values)  # by an earlier program, or an earlier attempt

    def follow(self) -> str | None:
        """Reads the job's state and log once. If the job has ended, reports and returns the result."""
        job = self._queue.get(self.name)
        self.has_started = job["state"] in LIVE | FINISHED
        for line in self._log.new_lines(job):
            if found := self._objective.read(line):
                self._report(*found)
        if self._is_pruned and not self._is_cancelled and job["state"] not in FINISHED:
            self._cancel()
        return self._result(job) if self._log.is_over(job) else None

    def _report(self, step: int, value: float) -> None:
        if step in self._reported:
            return
        self._reported.add(step)
        self._trial.report(value, step)
        if not self._is_pruned and self._trial.should_prune():
            self._trial.set_user_attr(PRUNED, True)  # noqa: FBT003 - a value
            self._is_pruned = True

    def _cancel(self) -> None:
        with suppress(AlreadyFinished):  # it has ended since the last answer
            self._queue.cancel(self.name)
        self._is_cancelled = True

    def _result(self, job: Job) -> str:
        """Reports to the study how the trial has ended, and returns a line about it."""
        from optuna.trial import TrialState  # the study's program has imported it

        study, value = self._trial.study, self._objective.last
        if job["state"] == "completed" and value is not None and value == value:  # not NaN
            study.tell(self._trial, value)
            return f"{self.name}: {value:g}"
        if job["state"] == "stopped" and self._is_pruned:
            study.tell(self._trial, state=TrialState.PRUNED)
            return f"{self.name}: pruned after step {max(self._reported)}"
        study.tell(self._trial, state=TrialState.FAIL)
        if job["state"] == "completed":
            return f"{self.name}: failed, because its log has no value for the objective"
        return f"{self.name}: {job['state']}: {job['reason']['message']}"
