"""Judges interactive jobs: none starts if interactive jobs would then exceed their cap. A new cap stops no running job,
so this module judges each start, not the held instances.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from support.simulation.judges.checks import Checks
from support.simulation.judges.configurations import ConfigurationJudge


class InteractiveJobJudge:
    def __init__(self, checks: Checks, configurations: ConfigurationJudge) -> None:
        self._check, self._configurations = checks.check, configurations

    def check_start(self, job: Job, attempt: Attempt, live: Iterable[tuple[Job, Attempt]]) -> None:
        """Checks a new attempt by all policies that its cycle may have read. `live` includes the attempt."""
        caps = [policy.get("interactive_at_most", {}) for policy in self._configurations.seen("policy")]
        if job.options.interactive and all(caps):
            held, kinds = _held(live), dict(attempt.demand.counts)
            is_below = any(_is_below(held, kinds, cap) for cap in caps)
            self._check("interactive", is_below, f"{attempt.name} starts beyond the cap {caps}: {held}")

    def may_ever_hold(self, job: Job) -> bool:
        """Returns whether the job could start, if no job held instances."""
        return self.may_start(job, ())

    def may_start(self, job: Job, live: Iterable[tuple[Job, Attempt]]) -> bool:
        """Returns whether the cap lets the job start now."""
        if not job.options.interactive:
            return True
        demand = dict(job.spec.demand.counts)
        cap = self._configurations.now.content("policy").get("interactive_at_most", {})
        return _is_below(_held(live) + Counter(demand), demand, cap)


def _held(live: Iterable[tuple[Job, Attempt]]) -> Counter[str]:
    held: Counter[str] = Counter()
    for job, attempt in live:
        if job.options.interactive:
            held.update(dict(attempt.demand.counts))
    return held


def _is_below(held: Counter[str], kinds: Iterable[str], cap: Mapping[str, int]) -> bool:
    return all(held[kind] <= cap[kind] for kind in kinds if kind in cap)
