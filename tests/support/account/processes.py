"""Runs Lambda functions as processes that wait at each call: many at once, in one thread and in a fixed order. A
process runs until its next call to a service, and waits there. A fault may prevent it from continuing.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from greenlet import getcurrent, greenlet

from support.account.agenda import Agenda
from support.faults.fault_points import Killed


@dataclass
class Process:
    function: str
    started_at: float
    dies_at: float  # Lambda's timeout
    skew: float  # seconds by which its machine's clock is fast
    delayed_by: float = 0.0  # seconds spent on slow calls
    dies_after_call: bool = False  # dies after its current call
    result: Any = None
    error: BaseException | None = None
    is_over: bool = False
    failed_services: set[str] = field(default_factory=set)  # services whose calls failed


class Processes:
    def __init__(self, agenda: Agenda, now: Callable[[], float]) -> None:
        self._agenda = agenda
        self._now = now
        self._hub = getcurrent()
        self._of: dict[greenlet, Process] = {}

    @property
    def alive(self) -> list[Process]:
        return [*self._of.values()]

    @property
    def current(self) -> Process | None:
        return self._of.get(getcurrent())

    def start(
        self, function: str, timeout: float, skew: float, run: Callable[[], Any], on_end: Callable[[Process], object]
    ) -> Process:
        """Starts a process, and runs it until its first call."""
        process = Process(function, self._now(), self._now() + timeout, skew)

        def live() -> None:
            try:
                process.result = run()
            except (Exception, Killed) as error:  # noqa: BLE001 - on_end judges it
                process.error = error
            process.is_over = True
            del self._of[getcurrent()]
            on_end(process)

        body = greenlet(live, parent=self._hub)
        self._of[body] = process
        body.switch()
        return process

    def wait(self, seconds: float) -> None:
        """Lets other processes run. Returns at once outside of a process. Raises Killed at Lambda's timeout."""
        process = self.current
        if process is None:
            return
        body = getcurrent()
        self._agenda.at(self._now() + seconds, body.switch)
        self._hub.switch()
        if self._now() > process.dies_at:
            raise Killed

    def end_all(self) -> None:
        """Kills all processes at the end of a world."""
        for body in [*self._of]:
            body.throw(Killed)
