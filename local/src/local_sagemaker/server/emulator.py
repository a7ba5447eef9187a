"""Runs the state machine in real time: answers calls, applies timed changes, passes commands on and saves jobs."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Any, Protocol

from local_sagemaker.api.protocol import Answer, answer, fault_of, refuse
from local_sagemaker.errors import AwsError
from local_sagemaker.server.control_api import control
from local_sagemaker.server.job_store import JobStore
from local_sagemaker.state_machine.commands import Command, MessageSent, Report, StateChanged
from local_sagemaker.state_machine.fault_injection import Unanswered
from local_sagemaker.state_machine.machine import StateMachine

_SHUTTING_DOWN = refuse(AwsError("ServiceUnavailable", "local_sagemaker is shutting down", 503))


class Worker(Protocol):
    """Does the work of jobs in the background."""

    def carry_out(
        self, command: Command, request: dict[str, Any], arn: str, report: Callable[[str, Report], None]
    ) -> None: ...


class Emulator:
    def __init__(
        self,
        machine: StateMachine,
        store: JobStore,
        worker: Worker,
        send: Callable[[StateChanged | MessageSent], None],
    ) -> None:
        self._machine = machine
        self._store = store
        self._worker = worker
        self._send = send
        self._changed = threading.Condition()  # guards all fields; notified when the next due time may change
        self._closed = False
        self._latest = 0.0

    def start(self) -> None:
        with self._changed:
            self._machine.recover(self._now())
            self._step()
        threading.Thread(target=self._tick, name="clock", daemon=True).start()

    def answer(self, target: str, body: bytes) -> Answer:
        with self._changed:
            if self._closed:
                return _SHUTTING_DOWN
            fault = fault_of(self._machine, target, body)
            try:
                reply = answer(self._machine, target, body, self._now(), fault)
            except Unanswered:
                reply = Answer(0, b"", is_lost=True)
            self._step()
            return replace(reply, delay_seconds=fault.delay_seconds)

    def control(self, method: str, path: str, body: bytes) -> Answer:
        """Carries out a request to the control API (see the module `control_api`)."""
        with self._changed:
            if self._closed:
                return _SHUTTING_DOWN
            reply = control(self._machine, method, path, body, self._now())
            self._step()
            return reply

    def close(self) -> None:
        """Stops recording: the shutdown itself changes running jobs, and these changes must not be saved."""
        with self._changed:
            self._closed = True
            self._store.close()
            self._changed.notify_all()

    def count(self) -> int:
        return len(self._machine.jobs)

    def _report(self, name: str, report: Report) -> None:
        with self._changed:
            if not self._closed:
                self._machine.report(name, report, self._now())
                self._step()

    def _tick(self) -> None:
        with self._changed:
            while not self._closed:
                self._step()
                due = self._machine.next_due()
                self._changed.wait(None if due == inf else max(0.0, due - self._now()))

    def _step(self) -> None:
        effects = self._machine.advance(self._now())
        self._save()
        for effect in effects:
            if isinstance(effect, StateChanged | MessageSent):
                self._send(effect)
            else:
                request, arn = self._machine.work_of(effect.name)
                self._worker.carry_out(effect, request, arn, self._report)
        self._changed.notify_all()

    def _now(self) -> float:
        """Returns the time, which never goes backwards, even if the computer's clock does."""
        self._latest = max(self._latest, time.time())
        return self._latest

    def _save(self) -> None:
        machine, store = self._machine, self._store
        store.save(machine.take_changed(), machine.jobs)
        store.save_tuning_jobs(machine.tuning.take_changed(), machine.tuning.by_name)
        store.save_processing_jobs(machine.processing.take_changed(), machine.processing.by_key)
