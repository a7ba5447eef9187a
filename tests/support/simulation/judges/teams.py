"""Finds the team of a job and the settings that apply to it, without the queue's own code."""

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from scheduler.core.jobs.job import Job
from scheduler.core.sections.durations import parse_duration
from support.simulation.judges.configurations import ConfigurationJudge

#: The section `shares`, as operators write it.
Shares = Mapping[str, Mapping[str, Any]]
#: The policy's defaults. A team may replace the first three.
_DEFAULTS: Mapping[str, Any] = {
    "patience": "5m",
    "protected_run_time": "3h",
    "preemptions_per_job": 2,
    "restart_time": "5m",
}


def team_of(job: Job, shares: Shares) -> str:
    """Returns the name of the job's team; empty if it has none."""
    owner, chosen = job.owner.replace(":sts:", ":*:"), shares.get(job.options.team, {})
    if any(fnmatchcase(owner, each) for each in (*chosen.get("members", ()), *chosen.get("submitters", ()))):
        return job.options.team
    teams = sorted(name for name, team in shares.items() if any(fnmatchcase(owner, each) for each in team["members"]))
    return teams[0] if teams else ""


def settings_of(job: Job, configurations: ConfigurationJudge) -> Iterator[Mapping[str, Any]]:
    """Yields the job's settings in each configuration that a cycle may have read."""
    for policy in configurations.seen("policy"):
        for shares in configurations.seen("shares"):
            yield {**_DEFAULTS, **policy, **shares.get(team_of(job, shares), {})}


def shortest_protection(job: Job, configurations: ConfigurationJudge) -> float:
    """Returns the seconds for which an attempt of the job is protected, however little a stop would lose."""
    # Without unsaved work, an attempt is protected until its restart would be a tenth of it.
    return min(
        min(parse_duration(each["protected_run_time"]), 10 * parse_duration(each["restart_time"]))
        for each in settings_of(job, configurations)
    )
