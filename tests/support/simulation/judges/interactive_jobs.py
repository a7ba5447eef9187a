"""Judges interactive jobs: none starts while these jobs hold as many instances as they may.

A new cap stops no running job, so each start is judged, not what is held.
"""

from collections import Counter
from collections.abc import Iterable

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from support.simulation.judges.checks import Checks
from support.simulation.judges.configurations import ConfigurationJudge
from support.simulation.submissions.user_requests import UserRequests


class InteractiveJobJudge:
    def __init__(self, checks: Checks, configurations: ConfigurationJudge, user_requests: UserRequests) -> None:
        self._check, self._configurations, self._user_requests = checks.check, configurations, user_requests

    def check_start(self, attempt: Attempt, live: Iterable[tuple[Job, Attempt]]) -> None:
        """Checks a new attempt, which `live` includes, by all policies that its cycle may have read."""
        caps = [policy.get("interactive_at_most", {}) for policy in self._configurations.seen("policy")]
        if not all(caps) or not self._is_interactive(attempt):
            return
        held: Counter[str] = Counter()
        for _, other in live:
            if self._is_interactive(other):
                held.update(dict(other.demand.counts))
        is_below = any(all(held[kind] <= cap.get(kind, held[kind]) for kind in attempt.demand) for cap in caps)
        self._check("interactive", is_below, f"{attempt.name} starts beyond the cap {caps} on interactive jobs: {held}")

    def _is_interactive(self, attempt: Attempt) -> bool:
        """Returns whether the submitted request says so, if its submission has been answered."""
        body = self._user_requests.accepted.get(attempt.job_name, {})
        tags = {tag["Key"]: tag["Value"] for tag in body.get("Tags", ())}
        return "RemoteDebugConfig" in body or tags.get("queue:interactive") == "true"
