"""QueueClient: the queue's REST API in Python, signed, retried and typed. All other parts of the client use it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from sagequeue.api.array_calls import ArrayCalls
from sagequeue.api.config_calls import ConfigCalls
from sagequeue.api.job_calls import JobCalls
from sagequeue.api.transport import SAFE, with_query
from sagequeue.contract.config import People, WhoAmI
from sagequeue.contract.costs import Prices, Spending
from sagequeue.contract.history import Change, Changes
from sagequeue.contract.queue import Budget, Findings, Intake, PastBudget, PastBudgets, Pools, Queue


class QueueClient(JobCalls, ArrayCalls, ConfigCalls):
    """Calls one queue. Without `api_url`, finds the address as described in docs/use/client.md.

    `session` provides the credentials. Every method raises a QueueError: a QueueRefusal if the queue refuses the call,
    and another QueueError if the queue cannot be called.
    """

    def queue(self) -> Queue:
        """Returns a summary of the queue: job counts, budget use by type and team, and the next jobs."""
        return cast(Queue, self._call("GET", "/queue"))

    def budget(self) -> Budget:
        """Returns the current budget, its source, and the budgets for the coming weeks."""
        return cast(Budget, self._call("GET", "/budget"))

    def past_budgets(self, since: str) -> Sequence[PastBudget]:
        """Returns the budgets since a time within the last 31 days, oldest first.

        `since` is in ISO 8601, with a time zone.
        """
        return cast(PastBudgets, self._call("GET", with_query("/budget/history", {"since": since})))["budgets"]

    def set_budget(self, budget: Mapping[str, int], *, stop_over_budget: bool = False) -> Budget:
        """Overrides the stack's budget. Running jobs that exceed it finish, unless `stop_over_budget` is set."""
        body = {"budget": dict(budget), "stop_over_budget": stop_over_budget}
        return cast(Budget, self._call("PUT", "/budget", body, SAFE))

    def reset_budget(self) -> Budget:
        """Removes the operators' budget, so that the calendar's or the stack's budget applies again."""
        return cast(Budget, self._call("DELETE", "/budget", if_lost=SAFE))

    def drain(self) -> Intake:
        """Closes the queue to new jobs: submissions raise IntakeClosed. Jobs in the queue continue."""
        return cast(Intake, self._call("POST", "/drain", if_lost=SAFE))

    def resume(self) -> Intake:
        """Accepts new jobs again."""
        return cast(Intake, self._call("POST", "/resume", if_lost=SAFE))

    def whoami(self) -> WhoAmI:
        """Returns your identity and your permissions in the queue."""
        return cast(WhoAmI, self._call("GET", "/whoami"))

    def pools(self) -> Pools:
        """Returns the warm pools: their instances, when they end, their cost, and the jobs that could start on them."""
        return cast(Pools, self._call("GET", "/pools"))

    def people(self) -> People:
        """Returns the names of people who sign in at the hosted page."""
        return cast(People, self._call("GET", "/people"))

    def prices(self) -> Prices:
        """Returns the known prices of instances."""
        return cast(Prices, self._call("GET", "/prices"))

    def spending(self) -> Spending:
        """Returns how much of each monthly spending limit is used."""
        return cast(Spending, self._call("GET", "/spending"))

    def findings(self, limit: int | None = None) -> Findings:
        """Returns training jobs that were started outside the queue and break a rule, newest first."""
        return cast(Findings, self._call("GET", with_query("/findings", {"limit": limit})))

    def history(self, since: str | None = None, until: str | None = None, job: str | None = None) -> Iterator[Change]:
        """Yields the changes to all jobs, or to one job, oldest first. Without times, covers the last day.

        Times are in ISO 8601, with a time zone. Reads further pages as needed.
        """
        span = {"since": since, "until": until, "job": job}
        token: str | None = None
        while True:
            page = cast(Changes, self._call("GET", with_query("/history", {**span, "next": token})))
            yield from page["changes"]
            token = page["next"]
            if token is None:
                return
