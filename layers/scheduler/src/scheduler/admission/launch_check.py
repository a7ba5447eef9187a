"""Checks jobs again before they start, since rules and permissions may have changed. Then makes plans without the
refused jobs.

A job that is not allowed to start would keep instances from the jobs behind it. So a plan is final only when every job
that it starts, or for which it keeps instances, has been judged. Cycles execute these plans, and `sagequeue config
plan` bases its predictions on them.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from scheduler.admission.admission import Admission
from scheduler.core.configuration.configuration import Configuration
from scheduler.core.guardrails.approvals import waits_for_approval
from scheduler.core.jobs.attempt import attempt_name
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.planner.plan import Park, Plan
from scheduler.core.planner.planning import plan
from scheduler.core.planner.snapshot import Snapshot
from scheduler.errors.internal import DATA_ERRORS, BodyUnavailable
from scheduler.errors.unreadable import UnreadableBody
from scheduler.ports.clock import Clock
from scheduler.ports.training import TrainingRequest

logger = logging.getLogger(__name__)

#: The type of `JobStore.requests_of`.
ReadRequests = Callable[[Sequence[Job]], list[TrainingRequest | UnreadableBody | BodyUnavailable]]

#: The most jobs that one plan adds to the judged ones: as many as one call can read requests for. Later passes start
#: the other jobs.
MOST_JUDGED = 100
#: The most requests held in memory only for a verdict: a request may take a megabyte, and a function has 512 MB.
MOST_AT_ONCE = 50
#: The most plans in one pass. After these, refused jobs keep instances from others until the next pass.
MOST_PLANS = 200


@dataclass(frozen=True, slots=True)
class Judged:
    """A job with the request that starts it, or the reason for its refusal. With neither, it cannot be judged now."""

    job: Job
    request: TrainingRequest | None = None
    refusal: Reason | None = None

    @property
    def choice(self) -> tuple[str, int]:
        return self.job.name, self.job.spec.choice

    @property
    def needs_approval(self) -> bool:
        return self.refusal is not None and self.refusal.code is ReasonCode.NEEDS_APPROVAL


@dataclass(frozen=True, slots=True)
class LaunchCheck:
    """Judges jobs under one configuration."""

    configuration: Configuration
    admission: Admission
    read_requests: ReadRequests
    clock: Clock

    def judge(self, jobs: Sequence[Job]) -> list[Judged]:
        """Judges each job with the choice in its `spec`. Judges none while the configuration is unreadable."""
        if not (jobs and self.configuration.is_readable):
            return [Judged(job) for job in jobs]
        return [self._judged(job, request) for job, request in zip(jobs, self.read_requests(jobs), strict=True)]

    def parks(self, jobs: Iterable[Job]) -> Iterator[Park]:
        """Yields parks for the jobs for which no choice is allowed to start. Reads few requests at a time."""
        choices: list[Job] = []
        for job in jobs:
            choices += job.each_choice
            if len(choices) >= MOST_AT_ONCE:
                yield from self._parks_of(choices)
                choices = []
        yield from self._parks_of(choices)

    def _parks_of(self, choices: Sequence[Job]) -> list[Park]:
        """Returns parks with each job's best choice, which is what an approver has to see.

        If an approval would allow a choice, the job waits for it, whatever refuses its other choices.
        """
        judged = self.judge(choices)
        allowed = {found.job.name for found in judged if found.refusal is None}
        parks: dict[str, Park] = {}
        for found in sorted(judged, key=lambda found: not found.needs_approval):
            if found.refusal is not None and found.job.name not in allowed:
                parks.setdefault(found.job.name, Park(found.job.each_choice[0], found.refusal))
        return [*parks.values()]

    def _judged(self, job: Job, request: TrainingRequest | UnreadableBody | BodyUnavailable) -> Judged:
        if isinstance(request, BodyUnavailable):
            return Judged(job)
        if isinstance(request, UnreadableBody):
            return Judged(job, refusal=Reason(ReasonCode.UNREADABLE_REQUEST, str(request)))
        try:
            return self._checked(job, request)
        except DATA_ERRORS as error:
            cause = type(error).__name__  # its text may quote the request
            logger.error("skipped job", extra={"step": "check", "job": job.name, "cause": cause})  # noqa: TRY400 - same
            return Judged(job, refusal=Reason(ReasonCode.JOB_ERROR, f"its request cannot be checked: {cause}"))

    def _checked(self, job: Job, request: TrainingRequest) -> Judged:
        if denials := self.admission.authorization.callers(self.configuration).violations(job, request):
            return Judged(job, refusal=Reason(ReasonCode.NOT_PERMITTED, "; ".join(map(str, denials))))
        verdict = self.admission.verdict(self.configuration, job, request, self.clock.now())
        if violations := verdict.refusals(self.configuration.rules.failing.launching):
            return Judged(job, refusal=Reason(ReasonCode.RULE_VIOLATED, "; ".join(map(str, violations))))
        if verdict.approvable:
            return Judged(job, refusal=waits_for_approval(verdict.approvable))
        return Judged(job, request)


class RequestCache:
    """Keeps the most recently read requests, as many as one plan judges. They stay valid: requests never change."""

    def __init__(self, read: ReadRequests) -> None:
        self._read = read
        self._known: dict[tuple[str, int], TrainingRequest | UnreadableBody | BodyUnavailable] = {}

    def requests_of(self, jobs: Sequence[Job]) -> list[TrainingRequest | UnreadableBody | BodyUnavailable]:
        unknown = {Judged(job).choice: job for job in jobs if Judged(job).choice not in self._known}
        if unknown:
            self._known |= zip(unknown, self._read([*unknown.values()]), strict=True)
        found = [self._known[Judged(job).choice] for job in jobs]
        for choice in [*self._known][:-MOST_JUDGED]:
            del self._known[choice]
        return found


class JudgedPlan(NamedTuple):
    """A plan with only allowed launches and preemptions, and the launched jobs' requests. It parks refused jobs."""

    plan: Plan
    requests: Mapping[tuple[str, int], TrainingRequest]  # by job name and choice number


@dataclass(slots=True)
class JudgedPlans:
    """Makes the plans of one cycle."""

    name_mark: str
    #: Choices that are not allowed to start, as job name and number.
    closed_choices: set[tuple[str, int]] = field(default_factory=set)
    #: Names of jobs whose requests cannot be fetched. This cycle does not plan them again.
    unavailable: set[str] = field(default_factory=set)

    def make(self, snapshot: Snapshot, check: LaunchCheck, now: datetime) -> JudgedPlan:
        """Plans again without the refused jobs, until no refused job is started or has instances kept for it."""
        parks = {park.job.name: park for park in self._name_clashes(snapshot)}
        judged: dict[tuple[str, int], Judged] = {}
        for _ in range(MOST_PLANS):
            decided = plan(self._without_refused(snapshot, parks), now)
            new = self._judge_next(decided, judged, check)
            judged |= {found.choice: found for found in new}
            parks |= {park.job.name: park for park in self._close(new, check)}
            if all(found.request is not None for found in new):
                break
        requests = {choice: found.request for choice, found in judged.items() if found.request is not None}
        return JudgedPlan(_only_allowed(decided, requests, parks), requests)

    def _name_clashes(self, snapshot: Snapshot) -> Iterator[Park]:
        """Yields parks for jobs whose next attempt's name is in use, before other jobs are stopped for these jobs."""
        holders = {live.attempt.name: live.job.name for live in snapshot.live}
        holders |= {pool.name: pool.job_name for pool in snapshot.pools}
        for job in snapshot.queued:
            name = attempt_name(job.name, self.name_mark, job.status.attempts + 1, job.spec.kind)
            holder = holders.get(name, job.name)
            if holder != job.name:
                message = f"{name} is also the name of an attempt of {holder}: submit the job under another name"
                yield Park(job, Reason(ReasonCode.NAME_CLASH, message))

    def _judge_next(self, decided: Plan, judged: Mapping[tuple[str, int], Judged], check: LaunchCheck) -> list[Judged]:
        wanted = (job for job in decided.jobs_with_instances if Judged(job).choice not in judged)
        return check.judge([*islice(wanted, MOST_JUDGED)])

    def _close(self, judged: Sequence[Judged], check: LaunchCheck) -> Iterator[Park]:
        """Records the refused choices, and yields parks for the jobs that have no allowed choice.

        The budget may never fit their other choices, so these are judged without a plan for them.
        """
        refused = [found for found in judged if found.refusal is not None]
        self.closed_choices |= {found.choice for found in refused}
        self.unavailable |= {found.job.name for found in judged if found.request is None and found.refusal is None}
        return check.parks(found.job for found in refused)

    def _without_refused(self, snapshot: Snapshot, parks: Mapping[str, Park]) -> Snapshot:
        queued = tuple(job for job in snapshot.queued if job.name not in parks and job.name not in self.unavailable)
        return replace(snapshot, queued=queued, closed_choices=frozenset(self.closed_choices))


def _only_allowed(decided: Plan, allowed: Mapping[tuple[str, int], TrainingRequest], parks: Mapping[str, Park]) -> Plan:
    return replace(
        decided,
        launches=tuple(entry for entry in decided.launches if Judged(entry.job).choice in allowed),
        preemptions=tuple(entry for entry in decided.preemptions if Judged(entry.beneficiary).choice in allowed),
        growths=tuple(entry for entry in decided.growths if Judged(entry.wider).choice in allowed),
        parks=(*decided.parks, *parks.values()),
    )
