"""The plan: who starts now, who makes room, who waits and for what.

The policy in one sentence: the job of the highest priority starts first, among equals the one that waits longest; if
it does not fit, running jobs of strictly lower priority make room, but only if it fits then.

A job that has to wait keeps its claim: what is free of the types it needs, and what is about to be released, is not
given to jobs behind it.
"""

from dataclasses import dataclass, field

from scheduler.domain.demand import Demand, total
from scheduler.domain.job import Job, JobState
from scheduler.domain.plan import Launch, Park, Plan, Preempt, Wait
from scheduler.domain.reason import Reason, ReasonCode
from scheduler.domain.snapshot import LiveJob, Snapshot
from scheduler.policy.checkpoints import prefixes_clash
from scheduler.policy.ordering import queue_order
from scheduler.policy.preemption import choose_victims


def plan(snapshot: Snapshot) -> Plan:
    """Decide on every queued job of the snapshot. Pure: the same snapshot gives the same plan."""
    drafting = _Drafting(snapshot)
    for job in sorted(snapshot.queued, key=queue_order):
        drafting.decide(job)
    return drafting.finished()


@dataclass
class _Drafting:
    """A plan in the making: what is left after the decisions so far."""

    snapshot: Snapshot
    launches: list[Launch] = field(default_factory=list)
    preemptions: list[Preempt] = field(default_factory=list)
    waits: list[Wait] = field(default_factory=list)
    parks: list[Park] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.free = self.snapshot.budget.limit - self.snapshot.held
        # What is free and not claimed by a job that waits.
        self.unclaimed = self.free
        stopping = total(one.attempt.demand for one in self.snapshot.live if one.job.state is JobState.STOPPING)
        # What is there once all stopping attempts are gone, less all claims; negative where a claim cannot be met.
        self.prospect = self.unclaimed + stopping

    def decide(self, job: Job) -> None:
        if not self.snapshot.budget.could_ever_run(job.demand):
            self._park(job)
        elif holder := self._holder_of_checkpoint_prefix(job):
            self._wait(job, ReasonCode.WAITS_FOR_CHECKPOINT_PREFIX, f"{holder} writes to the same checkpoint prefix")
        elif job.demand.fits(self.unclaimed) and job.demand.fits(self.prospect):
            self._launch(job)
        elif job.demand.fits(self.prospect):
            self._wait(job, ReasonCode.WAITS_FOR_STOPPING, f"needs {job.demand}; stopping jobs are about to free it")
            self._claim(job)
        elif victims := choose_victims(job, self.prospect, self._not_yet_victims()):
            self._preempt(job, victims)
            self._claim(job)
        else:
            self._wait_for_budget(job)
            self._claim(job)

    def finished(self) -> Plan:
        return Plan(tuple(self.launches), tuple(self.preemptions), tuple(self.waits), tuple(self.parks))

    def _launch(self, job: Job) -> None:
        self.launches.append(Launch(job, Reason(ReasonCode.FITS, f"{job.demand} of the budget is free")))
        self.free -= job.demand
        self.unclaimed -= job.demand
        self.prospect -= job.demand

    def _preempt(self, job: Job, victims: tuple[LiveJob, ...]) -> None:
        for victim in victims:
            message = f"preempted by {job.name} (priority {job.priority} over {victim.job.priority})"
            self.preemptions.append(Preempt(victim, job, Reason(ReasonCode.OUTRANKED, message)))
            self.prospect += victim.attempt.demand
        names = ", ".join(victim.job.name for victim in victims)
        self._wait(job, ReasonCode.WAITS_FOR_PREEMPTION, f"{names} of lower priority is being stopped for it")

    def _park(self, job: Job) -> None:
        limit = ", ".join(f"{self.snapshot.budget.limit[kind]} × {kind}" for kind in job.demand)
        message = f"needs {job.demand}, but the whole budget is {limit}"
        self.parks.append(Park(job, Reason(ReasonCode.EXCEEDS_BUDGET, message)))

    def _wait_for_budget(self, job: Job) -> None:
        if job.demand.fits(self.free):
            ahead = next(wait.job.name for wait in self.waits if wait.job.demand.shares_a_type_with(job.demand))
            self._wait(job, ReasonCode.WAITS_BEHIND, f"{ahead} is ahead of it and waits for the same instances")
        else:
            self._wait(job, ReasonCode.WAITS_FOR_BUDGET, f"needs {job.demand}; {self._holders(job.demand)}")

    def _wait(self, job: Job, code: ReasonCode, message: str) -> None:
        self.waits.append(Wait(job, Reason(code, message)))

    def _claim(self, job: Job) -> None:
        self.prospect -= job.demand
        left = {kind: max(0, self.unclaimed[kind] - job.demand[kind]) for kind in job.demand}
        self.unclaimed = Demand.of({**self.unclaimed.as_dict(), **left})

    def _not_yet_victims(self) -> list[LiveJob]:
        chosen = {preemption.victim.job.name for preemption in self.preemptions}
        return [live for live in self.snapshot.live if live.job.name not in chosen]

    def _holder_of_checkpoint_prefix(self, job: Job) -> str | None:
        others = [live.job for live in self.snapshot.live] + [launch.job for launch in self.launches]
        return next((o.name for o in others if prefixes_clash(o.checkpoint_uri, job.checkpoint_uri)), None)

    def _holders(self, demand: Demand) -> str:
        holders = [live.job.name for live in self.snapshot.live if live.attempt.demand.shares_a_type_with(demand)]
        named = ", ".join(sorted(holders)[:3]) or "jobs ahead of it"
        return f"held by {named}" + (f" and {len(holders) - 3} more" if len(holders) > 3 else "")
