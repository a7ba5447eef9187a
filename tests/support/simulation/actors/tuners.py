"""Plays users who tune: they submit, requeue and cancel tuning jobs, and stop trials in the console."""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from botocore.exceptions import ClientError

from local_sagemaker.state_machine.job import TrainingJob
from local_sagemaker.state_machine.lifecycle import INTERNAL_ERROR
from support.account.function_calls import Answer
from support.simulation.actors.context import ActorContext
from support.simulation.submissions.tuning_requests import random_tuning_body

#: The mean time between two acts, in seconds.
_PACE = 45.0


class Tuners:
    """They act in only some worlds. Their draws are separate, so that all other worlds stay as they are."""

    def __init__(self, context: ActorContext, random: Random) -> None:
        self._context = context
        self._account, self._user_requests, self._random = context.account, context.user_requests, random
        self._names = [f"sweep{number}" for number in range(1, random.choice([1, 2, 2]) + 1)]
        self._bodies: dict[str, dict[str, Any]] = {}
        self._is_resting = False
        if random.random() < 0.5:
            event = "after-call.sagemaker.DescribeHyperParameterTuningJob"
            self._account.sagemaker.meta.events.register(event, _end_before_the_trials)
        self._account.agenda.at(self._account.now + random.choice([1.0, 60.0]), self._act)

    def rest(self) -> None:
        self._is_resting = True

    def _later(self) -> None:
        self._account.agenda.at(self._account.now + self._random.expovariate(1 / _PACE), self._act)

    def _act(self) -> None:
        if self._is_resting:
            return
        acts: list[Callable[[], object]] = [self._submit, self._submit_again, self._stop_a_trial, self._break_a_trial]
        (act,) = self._random.choices([*acts, self._requeue, self._cancel], [3, 0.3, 0.5, 0.3, 3, 0.1])
        act()
        self._later()

    def _submit(self) -> None:
        fresh = [name for name in self._names if name not in self._bodies]
        if fresh:
            self._bodies[fresh[0]] = random_tuning_body(self._random, fresh[0])
            self._context.done["submission of a tuning job"] += 1
            self._send(fresh[0])

    def _submit_again(self) -> None:
        """Submits a tuning job again, as a client that got no answer does."""
        if self._bodies:
            self._send(self._random.choice([*self._bodies]))

    def _send(self, name: str) -> None:
        def then(answer: Answer) -> None:
            if answer.status in {200, 201} or answer.body["error"] == "name_used":  # then the answer had been lost
                self._user_requests.tuning[name] = self._bodies[name]

        self._account.request("POST", "/add-job", self._bodies[name], then=then)

    def _requeue(self) -> None:
        """Stops a tuning job, so that another attempt continues it, or runs a finished tuning job again."""
        self._ask("requeue", first=self._user_requests.revived.add)

    def _cancel(self) -> None:
        self._ask("cancel", on_accepted=self._user_requests.cancelled.add)

    def _ask(
        self,
        action: str,
        *,
        first: Callable[[str], object] = lambda _: None,
        on_accepted: Callable[[str], object] = lambda _: None,
    ) -> None:
        if not self._bodies:
            return
        name = self._random.choice([*self._bodies])
        first(name)

        def then(answer: Answer) -> None:
            if answer.status == 202:
                on_accepted(name)
                self._context.done[f"{action} of a tuning job"] += 1

        self._account.request("POST", f"/jobs/{name}/{action}", then=then)

    def _stop_a_trial(self) -> None:
        name = self._a_trial(lambda trial: not trial.is_terminal)
        if name:
            with suppress(ClientError):
                self._account.sagemaker.stop_training_job(TrainingJobName=name)
                self._user_requests.stopped_in_console.add(name)
                self._context.done["stop of a trial in the console"] += 1

    def _break_a_trial(self) -> None:
        name = self._a_trial(lambda trial: not trial.is_terminal and trial.up_since is not None)
        if name:
            self._account.simulation.fail(name, INTERNAL_ERROR)
            self._context.done["internal error of a trial"] += 1

    def _a_trial(self, which: Callable[[TrainingJob], bool]) -> str:
        jobs = self._account.simulation.machine.jobs.values()
        names = sorted(job.name for job in jobs if job.tuning_job_arn and which(job))
        return self._random.choice(names) if names else ""


def _end_before_the_trials(parsed: dict[str, Any], **_: object) -> None:
    """Reports a stopping tuning job as stopped. AWS does not document that its trials end first."""
    if parsed.get("HyperParameterTuningJobStatus") == "Stopping":
        parsed["HyperParameterTuningJobStatus"] = "Stopped"
