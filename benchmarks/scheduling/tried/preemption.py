"""Defines rejected rules about preemption: when a job may preempt, and which running jobs may be preempted."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from benchmarks.scheduling import replay
from benchmarks.scheduling.engine import Timers
from benchmarks.scheduling.production import Production
from benchmarks.scheduling.tried import Change
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.planner import preemption
from scheduler.core.planner.plan import Victim
from scheduler.core.planner.planning import _JobDecisions
from scheduler.core.planner.policy import Policy
from scheduler.core.warm_pools.warm_pool import WarmPool

_HINDRANCE = _JobDecisions._hindrance
#: Seconds.
_PROTECTED = 5400


class _PlansAtTwiceThePatience(Production):
    @property
    def timers(self) -> Timers:
        patience = self._policy.patience
        return Timers((patience, 2 * patience), super().timers.running)


class _PlansWhenProtectionEnds(Production):
    @property
    def timers(self) -> Timers:
        return Timers(super().timers.waiting, (_PROTECTED,))


def _has_waited_twice_its_patience(decisions: _JobDecisions, job: Job) -> bool:
    patience = decisions._snapshot.policy.of(job).patience
    return decisions._now - job.waits_since >= timedelta(seconds=2 * patience)


def _at_most_twice_the_patience(
    self: _JobDecisions, job: Job, pools: Iterable[WarmPool], victims: Iterable[Victim]
) -> str:
    """Lets a job preempt after twice its patience, even if instances are expected to become free soon."""
    return "" if _has_waited_twice_its_patience(self, job) else _HINDRANCE(self, job, pools, victims)


def _longer_before_a_near_priority(
    self: _JobDecisions, job: Job, pools: Iterable[WarmPool], victims: Iterable[Victim]
) -> str:
    """Makes a job wait twice its patience if it needs instances of a job one priority below it."""
    victims = tuple(victims)
    is_near = any(job.options.priority - victim.live.job.options.priority == 1 for victim in victims)
    if is_near and not _has_waited_twice_its_patience(self, job):
        return "after twice its patience"
    return _HINDRANCE(self, job, pools, victims)


def _is_young(live: LiveJob, _: Policy, now: datetime) -> bool:
    """Protects each attempt for 90 minutes, however much a preemption would lose before or after that."""
    return now - live.started_at < timedelta(seconds=_PROTECTED)


PREEMPTION = {
    "preemptions wait for expected instances for at most twice the patience": (
        Change(_JobDecisions, "_hindrance", _at_most_twice_the_patience),
        Change(replay, "Production", _PlansAtTwiceThePatience),
    ),
    "protection by run time alone, for 90 minutes": (
        Change(preemption, "_would_lose_much", _is_young),
        Change(replay, "Production", _PlansWhenProtectionEnds),
    ),
    "a job waits twice as long before it preempts a job one priority lower": (
        Change(_JobDecisions, "_hindrance", _longer_before_a_near_priority),
        Change(replay, "Production", _PlansAtTwiceThePatience),
    ),
}
