"""Compares the verdicts on current jobs under two configurations, to find the jobs whose verdicts would change."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scheduler.admission.admission import Admission
from scheduler.admission.launch_check import MOST_AT_ONCE, RequestCache
from scheduler.config.queue_copy import QueueCopy
from scheduler.core.configuration.configuration import Configuration
from scheduler.core.guardrails.rules import Verdict
from scheduler.core.jobs.job import Job
from scheduler.errors.internal import BodyUnavailable
from scheduler.errors.unreadable import UnreadableBody
from scheduler.ports.training import TrainingRequest


@dataclass(frozen=True, slots=True)
class ChangedVerdict:
    """A job's verdicts under the two configurations."""

    job: Job
    before: Verdict
    after: Verdict


@dataclass(frozen=True, slots=True)
class DryRun:
    """The result of a dry run."""

    changes: tuple[ChangedVerdict, ...]  # the jobs whose verdicts would change
    checked: int  # number of checked jobs
    is_complete: bool  # whether every waiting and running job was checked; jobs with unreadable requests are not


@dataclass(frozen=True, slots=True)
class DryRuns:
    """Compares the verdicts on waiting and running jobs. Changes nothing."""

    admission: Admission

    def compare(
        self, before: Configuration, after: Configuration, queue: QueueCopy, requests: RequestCache, now: datetime
    ) -> DryRun:
        choices = [choice for job in queue.jobs for choice in ((job,) if job.is_live else job.each_choice)]
        checked = list[ChangedVerdict]()
        for first in range(0, len(choices), MOST_AT_ONCE):
            some = choices[first : first + MOST_AT_ONCE]
            checked += self._checked(some, requests.requests_of(some), (before, after), now)
        changes = dict[str, ChangedVerdict]()  # by job: that of its best choice
        for found in checked:
            if found.before != found.after:
                changes.setdefault(found.job.name, found)
        is_complete = queue.is_complete and len(checked) == len(choices)
        return DryRun(tuple(changes.values()), len({found.job.name for found in checked}), is_complete)

    def _checked(
        self,
        jobs: Sequence[Job],
        requests: Sequence[TrainingRequest | UnreadableBody | BodyUnavailable],
        configurations: tuple[Configuration, Configuration],
        now: datetime,
    ) -> Iterator[ChangedVerdict]:
        for job, request in zip(jobs, requests, strict=True):
            if not isinstance(request, (UnreadableBody, BodyUnavailable)):
                before, after = (self._verdict(configuration, job, request, now) for configuration in configurations)
                yield ChangedVerdict(job, before, after)

    def _verdict(self, configuration: Configuration, job: Job, request: Mapping[str, Any], now: datetime) -> Verdict:
        verdict = self.admission.verdict(configuration, job, request, now)
        denials = self.admission.authorization.callers(configuration).violations(job, request)
        return Verdict((*denials, *verdict.enforced), verdict.warnings)


def unchanged(queue: QueueCopy) -> DryRun:
    """Returns the result for two configurations that judge all jobs alike. No request has to be read."""
    return DryRun((), len(queue.jobs), queue.is_complete)
