"""Adds the instance time of attempts and warm pools to the month's spending when they end."""

from collections.abc import Mapping
from dataclasses import dataclass

from scheduler.core.jobs.job import Job
from scheduler.core.spending import spent_time
from scheduler.core.spending.limits import Scope, SpendingRules
from scheduler.core.spending.spending_status import team_name
from scheduler.core.spending.spent_time import SpentTime, SpentTimeKey
from scheduler.core.warm_pools.warm_pool import WarmPool
from scheduler.cycle.services import CycleServices


@dataclass(frozen=True, slots=True)
class SpendingRecorder:
    services: CycleServices

    def after_end(self, job: Job) -> dict[SpentTimeKey, SpentTime]:
        """Returns the month's spending counts, including the job's attempt that just ended."""
        scopes, rules = self._scopes_and_rules(job)
        return self._counts(spent_time.added_by_attempt(job, job.status.history[-1], scopes, rules))

    def after_pool(self, job: Job, pool: WarmPool, retained: int) -> dict[SpentTimeKey, SpentTime]:
        """Returns the month's spending counts, including a finished warm pool that one of the job's attempts left.

        `retained` is the time in seconds for which SageMaker kept the pool's instances.
        """
        if pool.ended_at is None or not retained:
            return {}
        scopes, rules = self._scopes_and_rules(job)
        return self._counts(spent_time.added_by_pool(pool.instances, pool.ended_at, retained, scopes, rules))

    def _scopes_and_rules(self, job: Job) -> tuple[list[Scope], SpendingRules | None]:
        """Returns the scopes that the job counts towards, and the spending rules.

        While the rules cannot be read, the job counts towards all possible scopes.
        """
        configuration = self.services.configuration.current()
        rules = configuration.spending if configuration.is_readable else None
        return spent_time.scopes_of(job, team_name(job, configuration.teams), rules), rules

    def _counts(self, added: Mapping[SpentTimeKey, SpentTime]) -> dict[SpentTimeKey, SpentTime]:
        if not added:
            return {}
        return spent_time.totals_with(self.services.stores.learned.spent(added.keys()), added)
