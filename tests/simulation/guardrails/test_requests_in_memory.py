"""However long the queue is, few requests are in memory at once: one may have megabytes, and a function has 512 MB."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import ReferenceType, ref

import pytest

from scheduler.admission.launch_check import ReadRequests
from scheduler.config.change_plan import ChangePlans
from scheduler.config.editor import ConfigEditor
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.queue.submission import Submission
from support.account.simulated_queue import ADA, SimulatedQueue, request
from support.builders.rules import a_rule, rule_set

JOBS = 150
MOST_AT_ONCE = 200  # of 300 requests
NARROW = rule_set(a_rule("instances_per_job", most=1))


class Body(dict[str, Any]):
    """A request that shows whether it is still in memory."""


@dataclass
class CountedRequests:
    """Reads requests, and counts how many are in memory at once."""

    source: ReadRequests
    most: int = 0
    _bodies: list[ReferenceType[Body]] = field(default_factory=list)

    def read(self, jobs: Sequence[Job]) -> list[Any]:
        bodies = [Body(found) for found in self.source(jobs) if isinstance(found, Mapping)]
        self._bodies = [body for body in self._bodies if body() is not None] + [ref(body) for body in bodies]
        self.most = max(self.most, len(self._bodies))
        return bodies


@pytest.fixture
def world() -> SimulatedQueue:
    world = SimulatedQueue(budget="ml.m5.large=3", durations={"first": 5000.0})
    world.submit("first", instances=3)
    world.cycle()
    alternatives = [{"request": {"StoppingCondition": {"MaxRuntimeInSeconds": 100}}}]
    for number in range(JOBS):
        options = {"alternatives": alternatives}
        world.queue.submit(Submission(request(f"job-{number:03}", instances=2), options), ADA)
    return world


@pytest.fixture
def counted(world: SimulatedQueue) -> CountedRequests:
    requests = CountedRequests(world.store.requests_of)
    world.store.requests_of = requests.read  # type: ignore[method-assign]  # reads the same
    return requests


def test_a_cycle_that_judges_the_queue_again_drops_what_it_has_judged(
    world: SimulatedQueue, counted: CountedRequests
) -> None:
    world.configure(rules=NARROW)
    world.cycle()
    parked = [job for job in world.store.jobs.values() if job.status.state is JobState.PARKED]
    assert (len(parked), world.store.judged_queue.is_complete) == (JOBS, True)
    assert counted.most <= MOST_AT_ONCE


def test_the_plan_of_a_change_drops_what_it_has_judged(world: SimulatedQueue, counted: CountedRequests) -> None:
    reader = world.queue.snapshot_reader
    change = ConfigEditor(reader.configuration, world.clock).change(json.dumps({"rules": NARROW}))
    planned = ChangePlans(reader, world.store, world.queue.admission, "sq").plan(change)
    assert len(planned.dry_run.changes) == JOBS + 1
    assert len(planned.after) == JOBS
    assert counted.most <= MOST_AT_ONCE
