"""The plan: who starts now, who makes room, who waits and for what.

The policy in one sentence: the job of the highest priority starts first, among equals the one that waits longest; if
it does not fit, running jobs of strictly lower priority make room, but only if it fits then.

The first job that does not fit gets a reservation; a job behind it may pass if it cannot delay it. What is about to be
released for a job is held for that job.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from functools import cached_property

from scheduler.domain.demand import Demand
from scheduler.domain.job import Job, JobState
from scheduler.domain.plan import Evict, Launch, Park, Plan, Preempt, Reservation, Wait
from scheduler.domain.reason import Reason, ReasonCode
from scheduler.domain.snapshot import LiveJob, Snapshot
from scheduler.policy.preemption import choose_victims, has_been_patient, in_eviction_order, to_fit_the_budget
from scheduler.policy.prefixes import PrefixesInUse
from scheduler.policy.reservation import Claim, Ending, claim, ending
from scheduler.policy.room import Room
from scheduler.policy.sharing import Ranks
from scheduler.policy.turns import in_turn


def plan(snapshot: Snapshot, now: datetime | None = None) -> Plan:
    """Decide on every queued job of the snapshot. Pure: the same snapshot at the same time gives the same plan.

    Without `now` it is the latest moment that the snapshot knows of.
    """
    now = now or _latest_moment(snapshot)
    turns = in_turn(snapshot, now)
    drafting = _Drafting(snapshot, now, turns.ranks)
    drafting.keep_the_budget()
    drafting.decide_each(turns.jobs, turns.elders)
    return drafting.finished()


class _Drafting:
    """A plan in the making: what is left after the decisions so far."""

    def __init__(self, snapshot: Snapshot, now: datetime, ranks: Ranks) -> None:
        self.snapshot, self.now, self._time, self._ranks = snapshot, now, now.timestamp(), ranks
        self.launches: list[Launch] = []
        self.preemptions: list[Preempt] = []
        self.evictions: list[Evict] = []
        self.waits: list[Wait] = []
        self.parks: list[Park] = []
        self._claims: list[Claim] = []
        self._hopeless: dict[tuple[object, int], Reason] = {}
        self._limit = Room(snapshot.budget.limit.counts)
        # What is free and not held for a job ahead.
        self._free = self._limit.copy()
        self._free.take(snapshot.held)
        # The same once all stopping attempts are gone; negative where the budget was shrunk.
        self._prospect = self._free.copy()
        for live in snapshot.live:
            if live.job.state is JobState.STOPPING:
                self._prospect.give(live.attempt.demand)

    def keep_the_budget(self) -> None:
        """Stop what a budget that was shrunk does not hold any more, if the operator wants that."""
        if not self.snapshot.stop_over_budget or min(self._prospect.values(), default=0) >= 0:
            return
        reason = Reason(ReasonCode.OVER_BUDGET, f"the budget was shrunk to {self.snapshot.budget.limit}")
        for victim in to_fit_the_budget(self.snapshot, self._prospect, self._ranks, self.now):
            self.evictions.append(Evict(victim, reason))
            self._prospect.give(victim.attempt.demand)
        gone = {entry.victim.job.name for entry in self.evictions}
        self._evictable = [live for live in self._evictable if live.job.name not in gone]

    def decide_each(self, jobs: Iterable[Job], elders: Collection[str]) -> None:
        for job in jobs:
            if reason := self._hopeless.get((job.demand.counts, job.max_runtime)):
                self.waits.append(Wait(job, reason))
            else:
                self._decide(job, is_elder=job.name in elders)

    def finished(self) -> Plan:
        reservations = tuple(Reservation(held.job, held.starts_at) for held in self._claims)
        return Plan(
            tuple(self.launches),
            tuple(self.preemptions),
            tuple(self.evictions),
            tuple(self.waits),
            tuple(self.parks),
            reservations,
        )

    def _decide(self, job: Job, *, is_elder: bool) -> None:
        if not self._limit.has(job.demand):
            self._set_aside(job)
        elif ahead := self._must_stay_behind(job):
            self._stay_behind(job, ahead)
        elif holder := self._prefixes.user_of(job.checkpoint_uri):
            self._wait(job, ReasonCode.WAITS_FOR_CHECKPOINT_PREFIX, f"{holder} writes to the same checkpoint prefix")
        elif self._owner_is_at_cap(job):
            cap = self.snapshot.policy.running_per_owner
            self._wait(job, ReasonCode.OWNER_CAP, f"its owner runs {cap} jobs, as many as one owner may")
        elif self._can_start(job):
            self._launch(job)
        else:
            self._make_room(job, is_elder=is_elder)

    def _can_start(self, job: Job) -> bool:
        if not self._free.has(job.demand) or not self._prospect.has(job.demand):
            return False
        ends = self._time + job.max_runtime
        return all(held.may_be_passed(job.demand, ends) for held in self._claims)

    def _must_stay_behind(self, job: Job) -> Claim | None:
        if not self._claims or self._can_start(job):
            return None
        # A place claimed through the starvation share keeps nobody from making room for its own.
        shared = (held for held in self._claims if held.job.demand.shares_a_type_with(job.demand))
        return next((held for held in shared if not held.is_elder), None)

    def _launch(self, job: Job) -> None:
        self.launches.append(Launch(job, Reason(ReasonCode.FITS, f"{job.demand} of the budget is free")))
        self._prefixes.add(job.checkpoint_uri, job.name)
        self._running_by_owner[job.owner] += 1
        ends = self._time + job.max_runtime
        for held in self._claims:
            held.note_launch(job.demand, ends)
        self._endings.append(Ending(ends, job.demand, job.name))
        self._free.take(job.demand)
        self._prospect.take(job.demand)

    def _stay_behind(self, job: Job, ahead: Claim) -> None:
        message = f"{ahead.job.name} is ahead of it and waits for the same instances"
        reason = Reason(ReasonCode.WAITS_BEHIND, message)
        # Room only shrinks from here on: nothing like it will find a way in this plan.
        self._hopeless[job.demand.counts, job.max_runtime] = reason
        self.waits.append(Wait(job, reason))

    def _make_room(self, job: Job, *, is_elder: bool) -> None:
        available = self._available_beside_elders(job)
        if available.has(job.demand):
            self._wait(job, ReasonCode.WAITS_FOR_STOPPING, f"needs {job.demand}; stopping jobs are about to free it")
            self._hold_place(job)
        elif victims := self._victims_for(job, available):
            self._preempt(job, victims)
            self._hold_place(job)
        else:
            self._claims.append(claim(job, available, self._endings_left(), is_elder=is_elder))
            self._wait(job, ReasonCode.WAITS_FOR_BUDGET, _what_it_lacks(job.demand, available))

    def _available_beside_elders(self, job: Job) -> Room:
        available = self._prospect.copy()
        for held in self._claims:
            if held.job.demand.shares_a_type_with(job.demand):
                available.take_up_to(held.job.demand)
        return available

    def _victims_for(self, job: Job, available: Room) -> tuple[LiveJob, ...]:
        if not has_been_patient(job, self.snapshot.policy, self.now):
            return ()
        rank = self._ranks.of(job)
        lower = [live for live in self._evictable if self._ranks.of(live.job) < rank]
        return choose_victims(job.demand, available, lower) if lower else ()

    def _preempt(self, job: Job, victims: tuple[LiveJob, ...]) -> None:
        for victim in victims:
            self.preemptions.append(Preempt(victim, job, self._why_preempted(victim.job, job)))
            self._evictable.remove(victim)
            self._prospect.give(victim.attempt.demand)
        names = ", ".join(victim.job.name for victim in victims)
        self._wait(job, ReasonCode.WAITS_FOR_PREEMPTION, f"{names} of lower priority is being stopped for it")

    def _why_preempted(self, victim: Job, job: Job) -> Reason:
        if victim.priority < job.priority:
            message = f"preempted by {job.name} (priority {job.priority} over {victim.priority})"
            return Reason(ReasonCode.OUTRANKED, message)
        return Reason(ReasonCode.RECLAIMED, f"it ran on instances that are guaranteed to the team of {job.name}")

    def _hold_place(self, job: Job) -> None:
        """What is about to be released for the job, and as much as it needs of what is free, goes to nobody else."""
        self._prospect.take(job.demand)
        self._free.take_up_to(job.demand)
        self._endings.append(Ending(self._time + job.max_runtime, job.demand, job.name))

    def _set_aside(self, job: Job) -> None:
        limit = ", ".join(f"{self._limit.get(kind, 0)} × {kind}" for kind in job.demand)
        message = f"needs {job.demand}, but the whole budget is {limit}"
        parameter = self.snapshot.parameter
        if parameter is not None and parameter.could_ever_run(job.demand):
            # What an operator set may be taken back tomorrow.
            self._wait(job, ReasonCode.EXCEEDS_BUDGET, f"{message} for now")
        else:
            self.parks.append(Park(job, Reason(ReasonCode.EXCEEDS_BUDGET, message)))

    def _wait(self, job: Job, code: ReasonCode, message: str) -> None:
        self.waits.append(Wait(job, Reason(code, message)))

    def _owner_is_at_cap(self, job: Job) -> bool:
        cap = self.snapshot.policy.running_per_owner
        return 0 < cap <= self._running_by_owner[job.owner]

    @cached_property
    def _prefixes(self) -> PrefixesInUse:
        prefixes = PrefixesInUse()
        for live in sorted(self.snapshot.live, key=lambda live: live.job.name):
            prefixes.add(live.job.checkpoint_uri, live.job.name)
        return prefixes

    @cached_property
    def _running_by_owner(self) -> Counter[str]:
        return Counter(live.job.owner for live in self.snapshot.live)

    @cached_property
    def _evictable(self) -> list[LiveJob]:
        return in_eviction_order(self.snapshot, self._ranks, self.now)

    @cached_property
    def _endings(self) -> list[Ending]:
        """When running jobs will have ended; those being stopped are in the prospect already."""
        running = (live for live in self.snapshot.live if live.job.state is not JobState.STOPPING)
        return [ending(live, self._time) for live in running]

    def _endings_left(self) -> list[Ending]:
        victims = {entry.victim.job.name for entry in self.preemptions}
        victims |= {entry.victim.job.name for entry in self.evictions}
        return [one for one in self._endings if one.job_name not in victims]


def _what_it_lacks(demand: Demand, available: Room) -> str:
    there = " + ".join(f"{max(0, available.get(kind, 0))} × {kind}" for kind in demand)
    return f"needs {demand}, free: {there}"


def _latest_moment(snapshot: Snapshot) -> datetime:
    known = [job.updated_at for job in snapshot.queued] + [job.submitted_at for job in snapshot.queued]
    known += [live.attempt.reserved_at for live in snapshot.live] + [live.job.updated_at for live in snapshot.live]
    return max(known, default=datetime.fromtimestamp(0, UTC))
