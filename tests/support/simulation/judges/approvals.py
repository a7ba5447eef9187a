"""Judges approvals: no job above a rule's limit starts without an approval, and nobody approves their own jobs."""

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.requests.arrays.job_array import JobArray
from support.account.function_calls import ADA, OLGA
from support.simulation.judges.checks import Checks
from support.simulation.judges.configurations import OLD_VIEW_SECONDS, ConfigurationJudge

#: The maximum difference between the functions' clocks.
_SKEW = 5.0


class ApprovalJudge:
    def __init__(self, checks: Checks, configurations: ConfigurationJudge) -> None:
        self._check, self._configurations = checks.check, configurations
        self._approved: dict[str, tuple[int, ...]] = {}  # time limits of the choices at the approval, by job
        self._arrays: dict[str, Job] = {}  # the pattern of each approved array

    def array_changed(self, array: JobArray) -> None:
        if array.first.status.approval:
            self._arrays[array.name] = array.first

    def job_changed(self, old: Job | None, new: Job) -> None:
        approval = new.status.approval
        if approval is None or (old and old.status.approval == approval):
            return
        self._check("approval", approval.by in {ADA, OLGA}, f"{new.name} is approved by {approval.by}")
        is_own = _role(approval.by) == _role(new.owner)
        self._check("approval", not is_own, f"{new.name} of {new.owner} is approved by {approval.by}")
        pattern = self._arrays.get(new.array)
        seen = pattern if pattern and pattern.status.approval == approval else new
        self._approved[new.name] = tuple(choice.spec.max_runtime for choice in seen.each_choice)

    def check_start(self, job: Job, attempt: Attempt) -> None:
        """Checks a new attempt by all rules that its cycle may have read."""
        since = attempt.reserved_at.timestamp() - OLD_VIEW_SECONDS - _SKEW
        if not all(_is_needed(job, rules) for rules in self._configurations.seen("rules", since)):
            return
        limits = self._approved.get(job.name, ())
        covers = job.spec.choice < len(limits) and job.spec.max_runtime <= limits[job.spec.choice]
        self._check("approval", covers, f"{attempt.name} starts without an approval: {limits}")


def _role(arn: str) -> str:
    return arn.rpartition("/")[0]


def _is_needed(job: Job, rules: Mapping[str, Any]) -> bool:
    """Returns whether the job needs an approval. An exemption from the rule never applies: it has another name."""
    counts = [count for _, count in job.spec.demand.counts]
    count = max(counts) if job.spec.has_preferences else sum(counts)
    return any(
        rule["kind"] == "approval"
        and rule["mode"] == "enforce"
        and fnmatchcase(job.name, rule["applies_to"]["name"])
        and count > rule["above_instances"]
        for rule in rules.get("rules", ())
    )
