"""The world in real time: answers calls, lets what is due happen, has it carried out, and remembers it."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Any, Protocol

from local_sagemaker.api.protocol import Answer, answer, fault_of, refuse
from local_sagemaker.errors import AwsError
from local_sagemaker.server.control_api import control
from local_sagemaker.server.job_store import JobFile
from local_sagemaker.state_machine.commands import Command, Report, StateChanged
from local_sagemaker.state_machine.fault_injection import Unanswered
from local_sagemaker.state_machine.job import TrainingJob
from local_sagemaker.state_machine.machine import World

_SHUTTING_DOWN = refuse(AwsError("ServiceUnavailable", "local_sagemaker is shutting down", 503))


class Worker(Protocol):
    """Does the work of jobs, without making its caller wait."""

    def carry_out(
        self, command: Command, request: dict[str, Any], arn: str, report: Callable[[str, Report], None]
    ) -> None: ...


class Emulator:
    def __init__(self, world: World, jobs: JobFile, worker: Worker, send: Callable[[dict[str, Any]], None]) -> None:
        self._world = world
        self._jobs = jobs
        self._worker = worker
        self._send = send
        self._moved = threading.Condition()  # guards everything here; notified when the next due time may have changed
        self._closed = False
        self._latest = 0.0

    def start(self) -> None:
        with self._moved:
            self._world.recover(self._now())
            self._step()
        threading.Thread(target=self._tick, name="clock", daemon=True).start()

    def answer(self, target: str, body: bytes) -> Answer:
        with self._moved:
            if self._closed:
                return _SHUTTING_DOWN
            fault = fault_of(self._world, target, body)
            try:
                reply = answer(self._world, target, body, self._now(), fault)
            except Unanswered:
                reply = Answer(0, b"", is_lost=True)
            self._step()
            return replace(reply, delay_seconds=fault.delay_seconds)

    def control(self, method: str, path: str, body: bytes) -> Answer:
        """Mischief on demand; see the module `control`."""
        with self._moved:
            if self._closed:
                return _SHUTTING_DOWN
            reply = control(self._world, method, path, body, self._now())
            self._step()
            return reply

    def close(self) -> None:
        """From now on nothing is recorded: what still happens to running jobs is the doing of the shutdown."""
        with self._moved:
            self._closed = True
            self._jobs.close()
            self._moved.notify_all()

    def count(self) -> int:
        return len(self._world.jobs)

    def _report(self, name: str, report: Report) -> None:
        with self._moved:
            if not self._closed:
                self._world.report(name, report, self._now())
                self._step()

    def _tick(self) -> None:
        with self._moved:
            while not self._closed:
                self._step()
                due = self._world.next_due()
                self._moved.wait(None if due == inf else max(0.0, due - self._now()))

    def _step(self) -> None:
        effects = self._world.advance(self._now())
        self._save()
        for effect in effects:
            if isinstance(effect, StateChanged):
                self._send(effect.event)
            else:
                job = self._world.jobs[effect.name]
                self._worker.carry_out(effect, job.placed, job.arn, self._report)
        self._moved.notify_all()

    def _now(self) -> float:
        """The clock of the machine may be set back, the world's may not."""
        self._latest = max(self._latest, time.time())
        return self._latest

    def _save(self) -> None:
        changed = self._world.take_changed()
        jobs: list[TrainingJob] = [self._world.jobs[name] for name in changed if name in self._world.jobs]
        self._jobs.save(jobs)
        self._jobs.delete(name for name in changed if name not in self._world.jobs)
