"""Our Lambda functions as processes that wait at each call: any number at once, in one thread, in one order.

A process runs until its next call to a service, waits there for its turn, and may never get it.
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
    delayed_by: float = 0.0  # seconds that slow calls cost it
    dies_after_call: bool = False  # dies when the call that it makes now is over
    result: Any = None
    error: BaseException | None = None
    is_over: bool = False
    missed: set[str] = field(default_factory=set)  # services that did not give it what it asked for


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
        self, function: str, timeout: float, run: Callable[[], Any], on_end: Callable[[Process], object]
    ) -> Process:
        """Runs at once until its first call."""
        process = Process(function, self._now(), self._now() + timeout)

        def live() -> None:
            try:
                process.result = run()
            except (Exception, Killed) as error:  # noqa: BLE001 - whoever waits for its end judges it
                process.error = error
            process.is_over = True
            del self._of[getcurrent()]
            on_end(process)

        body = greenlet(live, parent=self._hub)
        self._of[body] = process
        body.switch()
        return process

    def wait(self, seconds: float) -> None:
        """Let others have their turn. Outside of a process nothing waits. Raises Killed when Lambda's time is up."""
        process = self.current
        if process is None:
            return
        body = getcurrent()
        self._agenda.at(self._now() + seconds, body.switch)
        self._hub.switch()
        if self._now() > process.dies_at:
            raise Killed

    def end_all(self) -> None:
        """The world ends."""
        for body in [*self._of]:
            body.throw(Killed)
