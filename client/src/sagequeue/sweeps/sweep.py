"""Sweep: runs the trials of an Optuna study as queued jobs. After a kill, it can be restarted and then continues."""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import boto3

from sagequeue.api.client import QueueClient
from sagequeue.api.job_calls import JOB_NAME
from sagequeue.contract.jobs import JobOptions, TrainingRequest
from sagequeue.errors import InvalidSubmission, QueueUnreachable, TokenReused, Unavailable
from sagequeue.jobs.logs import JobLog
from sagequeue.jobs.polling import Outage
from sagequeue.sweeps.objective import Objective, ObjectiveLog
from sagequeue.sweeps.trial_job import TrialJob

if TYPE_CHECKING:  # Optuna is optional
    from optuna.study import Study
    from optuna.trial import Trial

#: Seconds between two polls.
EVERY = 3.0
#: A trial's user attribute: the name of its job. It is stored before the job is submitted.
JOB = "job"
#: A study's user attribute: the beginning of the client tokens of its jobs.
_TOKENS = "sagequeue:tokens"


class Sweep:
    """Runs the trials of an Optuna study as queued jobs.

    `request_of` suggests the parameters of a trial, and returns the request of its job. It must suggest the same
    parameters again if the program is restarted. `objective` is a regular expression; its group `value`, else its first
    group, finds the value in a line of the job's log. Its group `step` finds the step. The last value of a completed
    job is the value of the trial. The study's pruner sees each value, and can cancel the job.
    """

    def __init__(
        self,
        study: "Study",
        request_of: Callable[["Trial"], TrainingRequest],
        objective: str,
        *,
        trials: int,
        parallel: int | None = None,
        options: JobOptions | None = None,
        queue: QueueClient | None = None,
        session: boto3.Session | None = None,
        report: Callable[[str], Any] = print,
    ) -> None:
        """`trials` is the number of trials in the study, including earlier runs. At most `parallel` run at once.

        The default session is that of `queue`, if given.
        """
        self._study = study
        self._request_of = request_of
        self._objective = Objective(re.compile(objective))
        self._trials = trials
        self._parallel = parallel
        self._options = options
        self._queue = queue or QueueClient(session=session)
        self._logs = (session or self._queue.session).client("logs", region_name=self._queue.region)
        self._report = report
        self._to_begin: list[Trial] = []
        self._open: list[TrialJob] = []
        if problem := self._objective.problem:
            raise InvalidSubmission(f"objective {problem}.", "Put the value into parentheses.")
        if not JOB_NAME.fullmatch(self._name_of(trials)):
            remedy = "Use letters, digits and hyphens, and at most 63 of them with the number of the trial."
            raise InvalidSubmission(f"The study's name {study.study_name} cannot begin the names of its jobs.", remedy)

    def run(self) -> None:
        """Runs the study to its end. If an earlier run was killed, continues its unfinished trials.

        Run one program at a time for a study. If the program ends early, its jobs stay in the queue.
        """
        if _TOKENS not in self._study.user_attrs:
            self._study.set_user_attr(_TOKENS, token_hex(8))
        self._to_begin = self._unfinished()
        outage = Outage()
        while self._has_more(outage):
            time.sleep(EVERY)

    def _unfinished(self) -> list["Trial"]:
        from optuna.trial import Trial, TrialState  # the study's program has imported it

        found = self._study.get_trials(deepcopy=False, states=(TrialState.RUNNING,))
        return [Trial(self._study, frozen._trial_id) for frozen in found]  # Optuna has no public way to continue one

    def _has_more(self, outage: Outage) -> bool:
        """Advances, and returns whether any trial is left. While the queue does not answer, warns once."""
        try:
            has_more = self._advance()
        except (QueueUnreachable, Unavailable) as error:
            outage.raise_if_too_long(error, f"{self._study.study_name}: no answer from the queue")
            return True
        outage.end()
        return has_more

    def _advance(self) -> bool:
        """Follows each open trial once, and begins another if all have started. Returns whether any trial is open."""
        for trial_job in [*self._open]:
            if result := trial_job.follow():
                self._open.remove(trial_job)
                self._report(result)
        if not self._to_begin and self._has_room():
            self._to_begin.append(self._study.ask())
        while self._to_begin:  # if the queue does not answer, the trial stays in the list
            self._begin(self._to_begin[0])
            del self._to_begin[0]
        return bool(self._open)

    def _has_room(self) -> bool:
        """Returns whether to begin another trial.

        A trial begins only when all earlier trials have started, so that as many results as possible guide its
        parameters.
        """
        if self._parallel is not None and len(self._open) >= self._parallel:
            return False
        return all(trial_job.has_started for trial_job in self._open) and self._begun() < self._trials

    def _begun(self) -> int:
        """Returns the number of trials that have begun. Trials that a user has enqueued begin later."""
        return sum(trial.state.name != "WAITING" for trial in self._study.get_trials(deepcopy=False))

    def _begin(self, trial: "Trial") -> None:
        """Submits the trial's job, unless it was submitted before.

        The name is stored first, and the token makes the submission safe to repeat. So neither a kill nor an outage
        loses or doubles a trial.
        """
        request, name = self._request_of(trial), self._name_of(trial.number)
        trial.set_user_attr(JOB, name)
        token = f"{self._study.user_attrs[_TOKENS]}-{trial.number}"
        with suppress(TokenReused):  # the request was edited after the job of this trial was submitted
            job = self._queue.submit({**request, "TrainingJobName": name}, self._options, token)
            if job.get("is_new"):
                self._report(f"{name}: submitted with {trial.params}")
        self._open.append(TrialJob(self._queue, name, trial, JobLog(self._logs), ObjectiveLog(self._objective)))

    def _name_of(self, number: int) -> str:
        return f"{self._study.study_name}-{number}"
