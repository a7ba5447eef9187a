"""Causes SageMaker's faults: spot interruptions, internal errors, hanging jobs, shortages and changed quotas."""

from local_sagemaker.state_machine.capacity import CapacityPool, Shortage
from local_sagemaker.state_machine.lifecycle import INTERNAL_ERROR
from local_sagemaker.state_machine.limits import Quotas
from support.simulation.actors.context import ActorContext, Acts, Emphasis
from support.simulation.submissions.training_requests import TYPES


class SageMakerFaults:
    def __init__(self, context: ActorContext) -> None:
        self._context = context
        self._simulation, self._random = context.account.simulation, context.random

    def acts(self) -> Acts:
        return {
            self._interrupt: 5 if self._context.emphasis is Emphasis.SPOT_INTERRUPTIONS else 1,
            self._break: 0.5,
            self._hang: 0.3,
            self._shorten: 3.0 if self._context.emphasis is Emphasis.SHORTAGES else 0.5,
            self._limit: 0.3,
        }

    def clear(self) -> None:
        """Ends all faults."""
        machine, now = self._simulation.machine, self._simulation.now
        machine.set_quotas(Quotas())
        for kind in TYPES:
            machine.set_shortage(kind, Shortage(now), now)
        for name in [*machine.jobs]:
            machine.release(name, now)

    def _interrupt(self) -> None:
        names = self._context.attempts(lambda job: job.is_spot)
        if names:
            self._simulation.interrupt(self._random.choice(names))
            self._context.done["spot interruption"] += 1

    def _break(self) -> None:
        names = self._context.attempts(lambda job: not job.is_terminal and job.up_since is not None)
        if names:
            self._simulation.fail(self._random.choice(names), INTERNAL_ERROR)
            self._context.done["internal error"] += 1

    def _hang(self) -> None:
        names = self._context.attempts(lambda job: not job.is_terminal)
        if names:
            self._simulation.machine.hang(self._random.choice(names))
            self._context.done["hanging job"] += 1

    def _shorten(self) -> None:
        now = self._simulation.now
        is_drought = self._context.emphasis is Emphasis.SHORTAGES
        back_at = now + (self._random.uniform(600, 3600) if is_drought else self._random.uniform(0, 1800))
        shortage = Shortage(back_at, self._random.choice([0.0] * 5 * is_drought + [0.0, 600.0, float("inf")]))
        kind = self._random.choice(TYPES)
        parts = [
            CapacityPool(kind, spot=spot, subnet=subnet) for spot in (True, False) for subnet in (None, "subnet-1")
        ]
        place = self._random.choice([*[CapacityPool(kind)] * 8, *parts])
        self._simulation.machine.set_shortage(place, shortage, now)
        self._context.done["no capacity" if place == CapacityPool(kind) else "no capacity, of a part"] += 1

    def _limit(self) -> None:
        limits = {kind: self._random.choice([1, 2, 3, 4, 100]) for kind in TYPES}
        self._simulation.machine.set_quotas(Quotas(on_demand=limits))
        self._context.done["quota changed"] += 1
