"""Tracks what one cycle knows of SageMaker's capacity: reads it once, and saves it when attempts add new evidence."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from scheduler.admission.admission import LaunchRefused
from scheduler.core.capacity.alternative_switch import open_alternatives, reason_to_switch
from scheduler.core.capacity.capacity_learning import (
    CapacityEvidence,
    DelayOf,
    evidence_of_end,
    evidence_of_live,
    with_evidence,
    with_refused_pools,
)
from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.jobs.attempt import FailureClass, Observation
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason
from scheduler.core.reconciliation.lease import Lease
from scheduler.cycle.services import CycleServices
from scheduler.errors.internal import BodyUnavailable, DocumentUnreadable

logger = logging.getLogger(__name__)


@dataclass
class CapacityTracker:
    services: CycleServices
    lease: Lease
    _known: CapacityMemory | None = field(default=None, init=False)

    def after(self, live: Iterable[LiveJob]) -> CapacityMemory:
        """Returns the capacity memory with the evidence of the live attempts, and saves it if it is new.

        Evidence is an attempt that got instances, or waits for them for long. Raises LeaseLost.
        """
        memory = self._with(evidence_of_live(live, self.services.clock.now()))
        if memory != self._memory:
            self.services.stores.state.save_capacity(memory, self.lease)
            self.replace(memory)
        return memory

    def after_end(self, live: LiveJob, ended: Job, observation: Observation) -> CapacityMemory | None:
        """Returns the memory with the evidence of the attempt's end, not saved yet; None if it is not new."""
        memory = with_refused_pools(
            self._with([evidence_of_end(live, ended.status.history[-1])]), live.attempt, observation
        )
        if len(memory.refused_pools) > len(self._memory.refused_pools):
            logger.warning("no warm pool appeared", extra={"attempt": live.attempt.name})
        return memory if memory != self._memory else None

    def reason_to_switch_alternative(self, live: LiveJob, observation: Observation) -> Reason | None:
        """Returns why the job should stop and take another choice; None if it may take no other choice."""
        now = self.services.clock.now()
        for option in open_alternatives(live, observation, self._memory, now):
            if self.services.snapshot_reader.current_budget().could_ever_run(option.spec.demand) and self._may_start(
                option
            ):
                return reason_to_switch(option, live, observation, now)
        return None

    def replace(self, memory: CapacityMemory) -> None:
        """Takes over a memory that was just saved."""
        self._known = memory

    def _may_start(self, option: Job) -> bool:
        try:
            self.services.launch_check().request(option)
        except (LaunchRefused, BodyUnavailable, DocumentUnreadable):
            return False
        return True

    def _with(self, evidence: Iterable[CapacityEvidence]) -> CapacityMemory:
        memory = self._memory
        for attempt_evidence in evidence:
            if attempt_evidence.is_new_to(memory):
                memory = with_evidence(memory, attempt_evidence, self._delay_of, self.services.clock.now())
        return memory

    @property
    def _memory(self) -> CapacityMemory:
        if self._known is None:
            self._known = self.services.stores.state.capacity()
        return self._known

    @cached_property
    def _delay_of(self) -> DelayOf:
        """The retry delay that the rules set for capacity failures."""
        return self.services.admission.rules().recovery.treatment_of(FailureClass.CAPACITY).delay_of
