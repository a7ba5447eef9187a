"""Judges rules (S11): they are checked when a job is submitted and when it starts.

In stacks that stop unmanaged jobs, also judges S8: only jobs that break an enforced rule, are idle or hang are stopped.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatchcase
from typing import Any

from local_sagemaker.state_machine.capacity import demand
from local_sagemaker.state_machine.job import Status, TrainingJob
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.sections.durations import parse_duration
from support.account.account import Account
from support.simulation.judges.checks import Checks
from support.simulation.judges.configurations import OLD_VIEW_SECONDS, ConfigurationJudge
from support.simulation.judges.unmanaged_job_watch import UnmanagedJobWatchJudge
from support.simulation.submissions.tuning_requests import TRIAL_SECONDS

#: The maximum difference between the functions' clocks.
_SKEW = 5.0
#: Without faults, a cycle ends within this time after a change to the rules: the lease of a dead cycle, and three
#: sweeps.
_JUDGED_WITHIN = 90 + 3 * 60.0
#: Without faults, reading SageMaker's list in parts, and checking each job, takes no longer than this.
_SEEN_WITHIN = 15 * 60.0


@dataclass(frozen=True, slots=True)
class _Subject:
    """The fields of a job that the rules of random worlds check."""

    name: str
    instances: int
    runtime: float
    tags: frozenset[str] = frozenset()
    is_ours: bool = True


_MEETS: Mapping[str, Callable[[_Subject, dict[str, Any]], bool]] = {
    "instances_per_job": lambda subject, rule: subject.instances <= rule["most"],
    "max_runtime": lambda subject, rule: subject.runtime <= parse_duration(rule["at_most"]),
    "required_tags": lambda subject, rule: subject.tags >= rule["tags"].keys(),
    **dict.fromkeys(("set_default", "append_tags", "no_automl"), lambda *_: True),  # no training job violates them
    # `approvals.py` judges the queue's own jobs. Nobody approves other training jobs.
    "approval": lambda subject, rule: subject.is_ours or subject.instances <= rule["above_instances"],
}


class RuleJudge:
    def __init__(self, account: Account, checks: Checks, configurations: ConfigurationJudge) -> None:
        self._account, self._check, self._configurations = account, checks.check, configurations
        self._closed_since: float | None = None
        self._queued_since: dict[str, float] = {}
        self._watch = UnmanagedJobWatchJudge(account, configurations)
        self._stops = account.settings["GUARD_UNMANAGED_JOBS"] == "stop"

    def intake_changed(self, *, is_open: bool) -> None:
        if is_open:
            self._closed_since = None
        elif self._closed_since is None:
            self._closed_since = self._account.now

    def check_submission(self, job: Job) -> None:
        self._check("S11", self.allow(job), f"{job.name} is accepted against the rules")
        is_closed = self._closed_since is not None and self._closed_since < self._account.now - OLD_VIEW_SECONDS
        self._check("S11", not is_closed, f"{job.name} is accepted by a queue that is closed")

    def check_start(self, job: Job, attempt: Attempt) -> None:
        """Checks the rules as of the decision. The transaction may come later if no other cycle took over the lease."""
        is_allowed = self.allow(job, at=attempt.reserved_at.timestamp())
        self._check("S11", is_allowed, f"{job.name} starts against the rules")

    def job_changed(self, job: Job, *, is_readable: bool = True) -> None:
        """Records the time since which the job has been waiting with a readable record."""
        if job.is_queued and is_readable:
            self._queued_since.setdefault(job.name, self._account.now)
        else:
            self._queued_since.pop(job.name, None)

    def check_queue(self, jobs: Mapping[str, Job], calm_since: float) -> None:
        """Checks that no job still waits if changed rules forbid all its choices.

        Jobs that joined the queue around the time of the change are judged at their submission or start.
        """
        since, rules = self._configurations.in_force("rules")
        if self._configurations.now.version is None or self._account.now < max(since, calm_since) + _JUDGED_WITHIN:
            return
        for name, queued_since in self._queued_since.items():
            if calm_since <= since and queued_since < since - OLD_VIEW_SECONDS:
                choices = [_subject(choice) for choice in jobs[name].each_choice]
                is_closed = all(_breaks(subject, rules, since - _SKEW) for subject in choices)
                self._check("S11", not is_closed, f"{name} still waits, against the rules since {since}")

    def check_stop_of_unmanaged_job(self, job: TrainingJob) -> None:
        """Checks S8: the job broke an enforced rule without a valid exemption, left its GPUs idle, or hung."""
        self._check("S8", self._stops, f"{job.name} is not ours, and is stopped")
        self._check("S8", job.automl_job_arn is None, f"{job.name} is stopped instead of its AutoML job")
        if job.is_terminal or job.status == Status.STOPPING:
            return  # SageMaker stopped the job first, for example at its time limit: the queue's call changes nothing
        latest = self._account.now + _SKEW  # an exemption may have expired by then
        is_broken = any(_breaks(_foreign(job), rules, latest) for rules in self._configurations.seen("rules"))
        is_unused = self._watch.may_stop(job)
        self._check("S8", is_broken or is_unused, f"{job.name} is not ours, broke no rule, was used, and is stopped")

    def check_stop_of_automl_job(self, name: str) -> None:
        """Checks S8: a rule that operators enforce forbids AutoML jobs."""
        forbidding = [
            rule
            for rules in self._configurations.seen("rules")
            for rule in rules.get("rules", ())
            if rule["kind"] == "no_automl" and rule["mode"] == "enforce"
        ]
        self._check("S8", self._stops and bool(forbidding), f"the AutoML job {name} is allowed, and is stopped")

    def is_stop_due(self, calm_since: float) -> bool:
        """Returns whether an unmanaged job that broke the rules at its creation still has to be stopped."""
        since, rules = self._configurations.in_force("rules")
        for job in self._account.simulation.machine.jobs.values() if self._stops else ():
            # A job with the name of one of the queue's attempts may pass for that attempt for a while.
            is_meant = job.name.startswith("theirs-") and job.created_at > since
            if is_meant and _breaks(_foreign(job), rules, job.created_at - _SKEW):
                goes_on = not job.is_terminal and job.status != "Stopping"
                is_late = self._account.now > max(calm_since, job.created_at) + _SEEN_WITHIN
                self._check("guard", not (goes_on and is_late), f"{job.name} breaks the rules and goes on")
                if goes_on:
                    return True
        return False

    def allow(self, job: Job, at: float | None = None) -> bool:
        """Returns whether any version that a function may have read then, or now, allows the job."""
        subject = _subject(job)
        # An exemption that has expired since may have applied.
        earliest = (self._account.now if at is None else at) - OLD_VIEW_SECONDS - _SKEW
        return not all(_breaks(subject, rules, earliest) for rules in self._configurations.seen("rules", earliest))


def _subject(job: Job) -> _Subject:
    counts = [count for _, count in job.spec.demand.counts]
    runtime = TRIAL_SECONDS if job.spec.tuning else job.spec.max_runtime  # rules judge each trial
    return _Subject(job.name, max(counts) if job.spec.has_preferences else sum(counts), runtime)


def _foreign(job: TrainingJob) -> _Subject:
    runtime = job.request["StoppingCondition"]["MaxRuntimeInSeconds"]
    return _Subject(job.name, demand(job.request).total(), runtime, frozenset(job.tags), is_ours=False)


def _breaks(subject: _Subject, rules: dict[str, Any], at: float) -> bool:
    exempt = {
        rule
        for exemption in rules.get("exemptions", ())
        if fnmatchcase(subject.name, exemption["jobs"]["name"])
        and at < datetime.fromisoformat(exemption["expires_at"]).timestamp()
        for rule in exemption["rules"]
    }
    return any(
        rule["mode"] == "enforce"
        and rule["name"] not in exempt
        and fnmatchcase(subject.name, rule["applies_to"]["name"])
        and not _MEETS[rule["kind"]](subject, rule)
        for rule in rules.get("rules", ())
    )
