"""Predicts the decisions of the next cycle under a configuration, on a copy of the queue. Changes nothing."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from scheduler.admission.admission import Admission
from scheduler.admission.launch_check import JudgedPlans, LaunchCheck, RequestCache
from scheduler.config.queue_copy import candidates, carried_out
from scheduler.core.capacity.capacity_learning import evidence_of_live, with_new_evidence
from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.configuration.configuration import Configuration
from scheduler.core.jobs.attempt import FailureClass
from scheduler.core.jobs.demand import Demand, type_of
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.plan_effects import MAX_PASSES
from scheduler.core.planner.snapshot import Snapshot
from scheduler.observe.queue_reading import QueueReading
from scheduler.observe.snapshot_reader import SnapshotReader


class DecisionKind(StrEnum):
    START = "start"
    PREEMPT = "preempt"  # a job with higher priority, or from a team below its quota, needs the instances
    STOP = "stop"  # the budget was shrunk, a spending limit is used up, or an elastic job continues on more instances
    PARK = "park"
    RELEASE = "release"  # releases a warm pool that the job left


@dataclass(frozen=True, slots=True)
class Decision:
    """A cycle's decision about a job, and the reason for it."""

    job: str
    kind: DecisionKind
    demand: Demand
    reason: str

    @property
    def instance_types(self) -> list[str]:
        return [type_of(line) for line in self.demand]


@dataclass(frozen=True, slots=True)
class Predictions:
    """Predicts cycles with the planner, the launch check and the transitions that cycles use.

    A prediction matches the next cycle if nothing happens in between and all attempts in the table are confirmed. It
    assumes that SageMaker creates each attempt and ends each released pool at once, without rate limits. The cost of
    such a pool does not count against spending limits. It also assumes that all waiting jobs have been judged by the
    current configuration, as is the case after one cycle.
    """

    snapshot_reader: SnapshotReader  # with a stopped clock
    admission: Admission
    name_mark: str
    requests: RequestCache

    def of(self, configuration: Configuration, reading: QueueReading, *, judges_queue: bool) -> Iterator[Decision]:
        """Yields the decisions. With `judges_queue`, the cycle first judges all waiting jobs by the changed rules."""
        plans, clock = JudgedPlans(self.name_mark), self.snapshot_reader.clock
        check = LaunchCheck(configuration, self.admission, self.requests.requests_of, clock)
        decided = Plan(parks=tuple(check.parks(reading.queued)) if judges_queue else ())
        yield from _decisions(decided)
        for _ in range(MAX_PASSES):
            reading = carried_out(reading, decided, self.name_mark, clock.now())
            reading = replace(reading, capacity=self._capacity(reading, configuration))
            decided, _requests = plans.make(self._snapshot(reading, configuration), check, clock.now())
            if decided.changes_nothing:
                return
            yield from _decisions(decided)

    def _snapshot(self, reading: QueueReading, configuration: Configuration) -> Snapshot:
        """Returns the snapshot that a cycle would read. It has only a plan's candidates."""
        budget = self.snapshot_reader.budgets_with(configuration, reading.controls).now.budget
        return self.snapshot_reader.snapshot_of(candidates(reading, budget), configuration)

    def _capacity(self, reading: QueueReading, configuration: Configuration) -> CapacityMemory:
        """Returns the capacity memory with the evidence from live attempts, as a cycle would save it."""
        now = self.snapshot_reader.clock.now()
        delay_of = configuration.retries.treatment_of(FailureClass.CAPACITY).delay_of
        return with_new_evidence(reading.capacity, evidence_of_live(reading.live, now), delay_of, now)


def _decisions(decided: Plan) -> Iterator[Decision]:
    for launch in decided.launches:
        yield Decision(launch.job.name, DecisionKind.START, launch.job.spec.demand, launch.reason.message)
    for pool in decided.releases:
        yield Decision(
            pool.job_name, DecisionKind.RELEASE, pool.demand, f"other jobs need the warm pool of {pool.name}"
        )
    for preemption in decided.preemptions:
        victim = preemption.victim
        yield Decision(victim.job.name, DecisionKind.PREEMPT, victim.attempt.demand, preemption.reason.message)
    for eviction in decided.evictions:
        victim = eviction.victim
        yield Decision(victim.job.name, DecisionKind.STOP, victim.attempt.demand, eviction.reason.message)
    for growth in decided.growths:
        live = growth.live
        yield Decision(live.job.name, DecisionKind.STOP, live.attempt.demand, growth.reason.message)
    for park in decided.parks:
        yield Decision(park.job.name, DecisionKind.PARK, park.job.spec.demand, park.reason.message)
