"""Reads a filter of jobs, and the size of a page."""

import re
from collections.abc import Iterable, Mapping

from scheduler.core.jobs.job import JobState
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.team import Team
from scheduler.errors.refusals import BadRequest
from scheduler.wiring import shared

DEFAULT_PAGE = 50
MAX_PAGE = 200
_STATES = frozenset(state.value for state in JobState)
FILTERS = ("state", "owner", "team", "instance_type", "name")


def filter_of(given: Mapping[str, str]) -> JobFilter:
    """Returns a filter for jobs that match every member; commas separate several states. Raises BadRequest."""
    for name in given:
        if name not in FILTERS:
            raise BadRequest(f"{name[:100]!r} is not a filter", field=name[:100], remedy=f"Use {', '.join(FILTERS)}.")
    return JobFilter(
        states=frozenset(_states(given["state"].split(","))) if "state" in given else frozenset(),
        owner=given.get("owner"),
        team=_team(given["team"]) if "team" in given else None,
        instance_type=given.get("instance_type"),
        name_prefix=given.get("name", ""),
    )


def limit_in(text: str | None) -> int:
    """Returns the size of a page. Raises BadRequest."""
    if text is None:
        return DEFAULT_PAGE
    if not re.fullmatch("[0-9]{1,3}", text) or not 1 <= int(text) <= MAX_PAGE:
        raise BadRequest(f"{text[:20]!r} is not a page size", field="limit", remedy=f"Use 1 to {MAX_PAGE}.")
    return int(text)


def _states(names: Iterable[str]) -> Iterable[JobState]:
    for name in names:
        if name not in _STATES:
            raise BadRequest(f"{name[:100]!r} is not a state", field="state", remedy=f"Use {', '.join(JobState)}.")
        yield JobState(name)


def _team(name: str) -> Team:
    teams = {team.name: team for team in shared.settings().policy.teams}
    if name not in teams:
        remedy = f"Use {', '.join(teams)}." if teams else "The stack has no teams."
        raise BadRequest(f"{name[:100]!r} is not a team", field="team", remedy=remedy)
    return teams[name]
