"""Chosen teams: the jobs of members and submitters may choose a team, and all others count for their owner's team."""

from dataclasses import replace

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.team import Team, team_of, violations
from scheduler.core.planner.ordering.candidate_selection import candidate_group
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import Policy
from support.builders.jobs import GPU, NOON
from support.builders.snapshots import a_snapshot, gpus, waiting

RED = Team("red", ("red",))
BLUE = Team("blue", ("blue",), submitters=("ci",), priority_ceiling=3)
TEAMS = (BLUE, RED)


def choosing(team: str, owner: str, priority: int = 0) -> Job:
    job = waiting("job", priority, owner=owner)
    return replace(job, options=replace(job.options, team=team))


def test_members_and_submitters_may_choose_a_team() -> None:
    for owner in ("blue", "ci"):
        assert team_of(choosing("blue", owner), TEAMS) == BLUE
        assert violations(choosing("blue", owner), TEAMS) == ()
    assert team_of(choosing("", "ci"), TEAMS) is None


def test_any_other_choice_is_refused_and_counts_for_the_owners_team() -> None:
    job = choosing("blue", "red")
    assert team_of(job, TEAMS) == RED
    (violation,) = violations(job, TEAMS)
    assert (violation.rule, violation.field, violation.remedy) == ("blue", "options.team", "Use red.")
    (unknown,) = violations(choosing("green", "nobody"), TEAMS)
    assert unknown.remedy == "Leave the option out."


def test_the_limit_of_the_chosen_team_counts() -> None:
    assert [found.field for found in violations(choosing("blue", "ci", priority=4), TEAMS)] == ["priority"]


def test_a_job_uses_the_ceiling_of_its_chosen_team() -> None:
    full = replace(BLUE, ceiling=((GPU, 0),))
    snapshot = replace(a_snapshot(1, choosing("blue", "ci")), policy=Policy(teams=(full, RED)))
    assert not plan(snapshot, NOON).launches
    snapshot = replace(snapshot, queued=(choosing("", "ci"),))
    assert len(plan(snapshot, NOON).launches) == 1


def test_jobs_of_one_owner_for_two_teams_do_not_hide_each_other_from_plans() -> None:
    assert candidate_group(choosing("blue", "ci")) != candidate_group(choosing("red", "ci"))
    assert gpus(1) == choosing("blue", "ci").spec.demand
