"""Tracks SageMaker's capacity during one cycle: reads the memory once, and saves it when attempts add new evidence."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from scheduler.core.capacity.alternative_switch import open_alternatives, reason_to_switch
from scheduler.core.capacity.capacity_learning import (
    CapacityEvidence,
    DelayOf,
    evidence_of_end,
    evidence_of_live,
    with_new_evidence,
    with_refused_keep_alive,
    with_refused_pools,
)
from scheduler.core.capacity.capacity_memory import CapacityMemory
from scheduler.core.jobs.attempt import Attempt, FailureClass, Observation
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.reason import Reason
from scheduler.core.reconciliation.lease import Lease
from scheduler.cycle.services import CycleServices

logger = logging.getLogger(__name__)


@dataclass
class CapacityTracker:
    services: CycleServices
    lease: Lease
    _known: CapacityMemory | None = field(default=None, init=False)

    def after(self, live: Iterable[LiveJob]) -> CapacityMemory:
        """Returns the capacity memory with the evidence from the live attempts, and saves it if any evidence is new.

        An attempt is evidence if it got instances, or has waited long for them. Raises LeaseLost.
        """
        memory = self._with(evidence_of_live(live, self.services.clock.now()))
        if memory != self._memory:
            self.services.stores.state.save_capacity(memory, self.lease)
            self.replace(memory)
        return memory

    def after_end(self, live: LiveJob, ended: Job, observation: Observation) -> CapacityMemory | None:
        """Returns the memory with the evidence from the attempt's end, not saved yet; None if that adds nothing new."""
        memory = with_refused_pools(
            self._with([evidence_of_end(live, ended.status.history[-1])]), live.attempt, observation
        )
        if len(memory.refused_pools) > len(self._memory.refused_pools):
            logger.warning("no warm pool appeared", extra={"attempt": live.attempt.name})
        return memory if memory != self._memory else None

    def refuse_keep_alive(self, attempt: Attempt) -> None:
        """Saves that Create refused the attempt's keep-alive period. Raises LeaseLost."""
        memory = with_refused_keep_alive(self._memory, attempt, self.services.clock.now())
        self.services.stores.state.save_capacity(memory, self.lease)
        self.replace(memory)

    def reason_to_switch_alternative(self, live: LiveJob, observation: Observation) -> Reason | None:
        """Returns the reason to stop the job and use another choice; None if no other choice is possible."""
        now = self.services.clock.now()
        if live.job.status.attempts >= self.services.configuration.current().retries.attempts_per_job:
            return None
        for option in open_alternatives(live, observation, self._memory, now):
            if self.services.snapshot_reader.budgets().now.budget.could_ever_run(
                option.spec.demand
            ) and self._may_start(option):
                return reason_to_switch(live, observation, now)
        return None

    def replace(self, memory: CapacityMemory) -> None:
        """Replaces the memory with the memory that was just saved."""
        self._known = memory

    def _may_start(self, option: Job) -> bool:
        (judged,) = self.services.launch_check(self.services.configuration.current()).judge([option])
        return judged.request is not None

    def _with(self, evidence: Iterable[CapacityEvidence]) -> CapacityMemory:
        return with_new_evidence(self._memory, evidence, self._delay_of, self.services.clock.now())

    @property
    def _memory(self) -> CapacityMemory:
        if self._known is None:
            self._known = self.services.stores.state.capacity()
        return self._known

    @cached_property
    def _delay_of(self) -> DelayOf:
        """Returns the retry delay that the rules set for capacity failures."""
        return self.services.configuration.current().retries.treatment_of(FailureClass.CAPACITY).delay_of
