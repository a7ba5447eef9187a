"""Judges preemptions: a job is preempted only for a job that may preempt it and can use its instances."""

from math import inf

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.sections.durations import parse_duration
from support.account.account import Account
from support.simulation.judges.checks import Checks
from support.simulation.judges.configurations import ConfigurationJudge
from support.simulation.judges.teams import settings_of, shortest_protection
from support.simulation.submissions.user_requests import UserRequests

#: The maximum age of a decision's priorities: an index's lag and a cycle's duration.
_OLD_VIEW_SECONDS = 100.0
#: The maximum difference between the functions' clocks.
_SKEW = 5.0


class PreemptionJudge:
    def __init__(
        self, account: Account, checks: Checks, configurations: ConfigurationJudge, user_requests: UserRequests
    ) -> None:
        self._account, self._check = account, checks.check
        self._configurations, self._user_requests = configurations, user_requests

    def check(self, victim: Job, attempt: Attempt | None, beneficiary: Job) -> None:
        """Checks S5: the beneficiary has a higher priority or a quota, waits, and can use the instances.

        The victim's attempt must have been protected for as long as each attempt is.
        """
        is_higher = beneficiary.options.priority > victim.options.priority or self.is_within_a_quota(beneficiary)
        self._check(
            "S5",
            is_higher or not self._is_settled(victim, beneficiary),
            f"{victim.name} gives way to {beneficiary.name}, which has no higher priority",
        )
        # A user may have cancelled it a moment ago, but only a cycle can have started it.
        self._check(
            "S5",
            not beneficiary.is_live,
            f"{victim.name} gives way to {beneficiary.name}, which is {beneficiary.status.state}",
        )
        waited = self._account.now + _SKEW - beneficiary.waits_since.timestamp()
        patience = min(
            parse_duration(settings["patience"]) for settings in settings_of(beneficiary, self._configurations)
        )
        has_waited = beneficiary.is_live or waited >= patience
        self._check("S5", has_waited, f"{victim.name} gives way to {beneficiary.name}, whose patience is {patience} s")
        helps = any(option.spec.demand.shares_a_type_with(victim.spec.demand) for option in beneficiary.each_choice)
        self._check("S5", helps, f"{victim.name} gives way to {beneficiary.name}, which cannot use its instances")
        if attempt:
            self._check_protection(victim, attempt)

    def _check_protection(self, victim: Job, attempt: Attempt) -> None:
        age = self._account.now + _SKEW - attempt.reserved_at.timestamp()
        protected = shortest_protection(victim, self._configurations)
        self._check(
            "S5", age >= protected, f"{victim.name} is preempted after {age} s, and protected for {protected} s"
        )

    def is_within_a_quota(self, job: Job) -> bool:
        """Returns whether a team's quota covers the instances of one of the job's choices."""
        quotas = [team.get("quota", {}) for shares in self._configurations.seen("shares") for team in shares.values()]
        return any(
            all(count <= quota.get(kind, 0) for kind, count in option.spec.demand.counts)
            for option in job.each_choice
            for quota in quotas
        )

    def _is_settled(self, *jobs: Job) -> bool:
        """Returns whether the cycle knew the current priorities of these jobs."""
        changes = self._user_requests.priorities_changed_at
        return max(changes.get(job.name, -inf) for job in jobs) < self._account.now - _OLD_VIEW_SECONDS
