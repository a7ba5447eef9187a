"""Sends an event for each change of a job's status, in the form that the account's unknowns select."""

from collections.abc import Callable
from random import Random
from typing import Any

from local_sagemaker.state_machine import description as training
from local_sagemaker.state_machine.behaviour import Unknowns
from local_sagemaker.state_machine.commands import Effect
from local_sagemaker.state_machine.fault_injection import EventQueue
from local_sagemaker.state_machine.job import TrainingJob
from local_sagemaker.state_machine.processing import description as processing
from local_sagemaker.state_machine.processing.job import ProcessingJob
from local_sagemaker.state_machine.tuning import description as tuning
from local_sagemaker.state_machine.tuning.job import TuningJob
from local_sagemaker.state_machine.tuning.results import Result


class EventSender:
    """Adds the events to `effects`, or to the queue if a rule delays them. Their ids come from `chance`."""

    def __init__(
        self, queue: EventQueue, chance: Random, unknowns: Callable[[], Unknowns], effects: list[Effect]
    ) -> None:
        self._queue = queue
        self._random = chance
        self._unknowns = unknowns
        self._effects = effects

    def send_training(self, job: TrainingJob, now: float) -> None:
        if job.secondary not in self._unknowns().silent_statuses:
            self._post(training.state_change(job, self._id(), now, as_documented=self._as_documented()), now)

    def send_tuning(self, job: TuningJob, found: list[Result], now: float) -> None:
        self._post(tuning.state_change(job, found, self._id(), now, as_documented=self._as_documented()), now)

    def send_processing(self, job: ProcessingJob, now: float) -> None:
        self._post(processing.state_change(job, self._id(), now, as_documented=self._as_documented()), now)

    def _as_documented(self) -> bool:
        return self._unknowns().events_as_documented

    def _id(self) -> str:
        return f"{self._random.getrandbits(128):032x}"

    def _post(self, event: dict[str, Any], now: float) -> None:
        self._effects.extend(self._queue.post(event, now))
