"""Chosen teams: a job counts for the team that its user chose, if its owner may choose it."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from property.test_shares import NOW, busy_stacks
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.team import NO_TEAM, Team, team_of, violations
from scheduler.core.planner.planning import plan
from scheduler.core.planner.snapshot import Snapshot
from support.builders.jobs import a_job

PEOPLE = ("ada", "bob", "cyd")
PROJECTS = ("p", "q", "r")
some_people = st.lists(st.sampled_from(PEOPLE), unique=True).map(tuple)
projects = st.tuples(
    *(st.builds(Team, st.just(name), some_people, submitters=some_people) for name in PROJECTS),
)
jobs = st.builds(
    lambda owner, team: chosen(a_job(owner=owner), team),
    st.sampled_from(PEOPLE),
    st.sampled_from(("", *PROJECTS, "unknown")),
)


def chosen(job: Job, team: str) -> Job:
    return replace(job, options=replace(job.options, team=team))


@given(projects, jobs)
def test_a_job_is_in_the_team_that_it_chose_if_its_owner_may_choose_it(teams: tuple[Team, ...], job: Job) -> None:
    """Any other choice is refused, and the job counts for the first team that has its owner as a member."""
    allowed = {team.name for team in teams if job.owner in {*team.members, *team.submitters}}
    own = [team.name for team in teams if job.owner in team.members]
    expected = job.options.team if job.options.team in allowed else (own or [""])[0]
    assert (team_of(job, teams) or NO_TEAM).name == expected
    assert bool(violations(job, teams)) == (job.options.team not in {"", *allowed})


@given(busy_stacks(), st.data())
def test_jobs_that_choose_a_team_are_planned_like_those_of_its_members(snapshot: Snapshot, data: st.DataObject) -> None:
    """Jobs of green, who is in no team, either choose the team red or belong to red."""
    red, blue = snapshot.policy.teams
    greens = [job.name for job in snapshot.queued if job.owner == "green"]
    guests = set(data.draw(st.lists(st.sampled_from(greens), unique=True))) if greens else set[str]()
    by_guests = tuple(chosen(job, "red") if job.name in guests else job for job in snapshot.queued)
    by_members = tuple(replace(job, owner="red") if job.name in guests else job for job in snapshot.queued)
    open_to_green = replace(snapshot.policy, teams=(replace(red, submitters=("green",)), blue))
    one = plan(replace(snapshot, queued=by_guests, policy=open_to_green), NOW)
    other = plan(replace(snapshot, queued=by_members), NOW)
    assert [entry.job.name for entry in one.launches] == [entry.job.name for entry in other.launches]
    assert one.victim_names == other.victim_names
    assert [(wait.job.name, wait.reason) for wait in one.waits] == [
        (wait.job.name, wait.reason) for wait in other.waits
    ]
