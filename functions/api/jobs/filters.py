"""Reads job filters from a query or a body."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from api.call import members
from scheduler.core.jobs.job_filter import JobFilter
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.team import Team
from scheduler.errors.refusals import bad_field, shortened, shown
from scheduler.wiring import shared

FILTERS = {
    "state": list,
    "owner": str,
    "mine": bool,
    "team": str,
    "instance_type": str,
    "name": str,
    "array": str,
    "children": bool,
}
_FLAGS = ("mine", "children")
_STATES = frozenset(state.value for state in JobState)
_TRUTHS = {"true": True, "false": False}


def filter_in_query(query: Mapping[str, str], caller: str) -> JobFilter:
    """Returns a filter that requires all given parameters. Commas separate several states. Raises BadRequest."""
    given: dict[str, Any] = {**query}
    if "state" in query:
        given["state"] = query["state"].split(",")
    for flag in (name for name in _FLAGS if name in query):
        if query[flag] not in _TRUTHS:
            raise bad_field(flag, f"is {shown(query[flag])}", "Use true or false, or leave it out.")
        given[flag] = _TRUTHS[query[flag]]
    return _filter_of(given, caller)


def filter_in_body(given: Mapping[str, Any], caller: str) -> JobFilter:
    """Returns the filter in a member of the body. Raises BadRequest."""
    for name, value in given.items():
        if value in (None, [], ""):  # a script's empty variable must not mean all jobs
            raise bad_field(f"filter.{shortened(name)}", "is empty", "Leave it out, or give a value.")
    return _filter_of(given, caller, "filter.")


def _filter_of(document: Mapping[str, Any], caller: str, path: str = "") -> JobFilter:
    given = members(document, FILTERS, path)
    states = given.get("state", [])
    for state in states:
        if not isinstance(state, str) or state not in _STATES:
            raise bad_field(f"{path}state", f"is {shown(state)}", f"Use {', '.join(JobState)}.")
    teams = shared.configuration_reader().current().teams
    job_filter = JobFilter(
        states=frozenset(map(JobState, states)),
        owner=given.get("owner"),
        team=_team(given["team"], teams, path) if "team" in given else None,
        teams=teams if "team" in given else (),
        instance_type=given.get("instance_type"),
        name_prefix=given.get("name", ""),
        array=given.get("array"),
        with_children=given.get("children", True),
    )
    return replace(job_filter, owners=shared.authorization().owned_by(caller)) if given.get("mine") else job_filter


def _team(name: str, teams: Sequence[Team], path: str) -> Team:
    found = next((team for team in teams if team.name == name), None)
    if found is None:
        remedy = f"Use {', '.join(team.name for team in teams)}." if teams else "The configuration has no teams."
        raise bad_field(f"{path}team", f"is {shown(name)}, which is not a team", remedy)
    return found
