"""A queue whose only job trains until another job preempts it, and the reports of its program."""

import json
from collections.abc import Mapping
from typing import Any

from scheduler.core.jobs.stop_notice import Save
from support.account.simulated_queue import SimulatedQueue

NOTICE = 120
WITH_NOTICE = {"policy": {"patience": "0s", "protected_run_time": "0s", "notice": f"{NOTICE}s"}}
VICTIM = "victim-sq-1"


def training(configuration: Mapping[str, Any] = WITH_NOTICE, **members: Any) -> SimulatedQueue:
    """Returns a queue whose only job trains, with a program that has reported its start."""
    queue = training_silently(configuration, **members)
    report_start(queue)
    return queue


def training_silently(configuration: Mapping[str, Any] = WITH_NOTICE, **members: Any) -> SimulatedQueue:
    """Returns a queue whose only job trains, with a program that has reported nothing."""
    queue = SimulatedQueue("ml.m5.large=1", configuration, durations={"victim": 7200, "urgent": 60})
    queue.submit("victim", **members)
    queue.run_until(lambda: status(queue) == "InProgress/Training")
    return queue


def status(queue: SimulatedQueue, name: str = VICTIM) -> str:
    found = queue.simulation.machine.jobs.get(name)
    return "" if found is None else f"{found.status}/{found.secondary}"


def is_stopped(queue: SimulatedQueue) -> bool:
    return status(queue) != "InProgress/Training"


def asked_at(queue: SimulatedQueue) -> str:
    return str(json.loads(queue.stop_objects.requests[VICTIM])["asked_at"])


def acknowledge(queue: SimulatedQueue, **members: Any) -> None:
    write_acknowledgement(queue, {"step": 1200, "stop_asked_at": asked_at(queue), "uploaded": True} | members)


def write_start(queue: SimulatedQueue) -> None:
    """Writes what the package writes at its start, as if the event about it were lost."""
    write_acknowledgement(queue, {"step": None, "stop_asked_at": None, "uploaded": None})


def report_start(queue: SimulatedQueue) -> None:
    write_start(queue)
    queue.store.record_save(VICTIM, Save(None, queue.clock.now()), by="observation")


def write_acknowledgement(queue: SimulatedQueue, members: Mapping[str, Any]) -> None:
    content = {"attempt": VICTIM, "saved_at": queue.clock.now().isoformat(), "save_seconds": 3.2, **members}
    queue.stop_objects.acknowledgements[VICTIM] = json.dumps(content).encode()
