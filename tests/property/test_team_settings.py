"""Settings of teams: they replace the policy's for the jobs of the team, and for no others."""

from dataclasses import asdict, replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from property.test_fair_share import after_one_wave, held_by
from property.test_shares import NOW, busy_stacks, changed_limit, empty_stacks, run_limits, worn, worn_stacks
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.jobs.team import Ordering, Team, TeamSettings
from scheduler.core.planner.ordering.queue_order import order_queue
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import TEAM_SETTINGS, Policy
from scheduler.core.planner.snapshot import Snapshot
from support.builders.jobs import GPU, NOON, changed_job
from support.builders.random_snapshots import NOW as NOW_OF_RANDOM
from support.builders.random_snapshots import snapshots
from support.builders.snapshots import waiting
from support.protection import has_ended_protection

patience, protection, preemptions = st.sampled_from([0, 300, 1800]), st.sampled_from([0, 600, 5400]), st.integers(0, 3)
team_settings = st.builds(
    TeamSettings,
    ordering=st.sampled_from([None, *Ordering]),
    patience=st.none() | patience,
    protected_run_time=st.none() | protection,
    preemptions_per_job=st.none() | st.integers(1, 3),
)


@st.composite
def policies(draw: st.DrawFn, *teams: Team) -> Policy:
    """Draws a policy, and separate settings for each team."""
    settled = tuple(replace(team, settings=draw(team_settings)) for team in teams)
    return Policy(patience=draw(patience), protected_run_time=draw(protection), teams=settled)


@given(snapshots(), team_settings)
def test_the_settings_of_one_team_alone_count_like_the_policys(snapshot: Snapshot, own: TeamSettings) -> None:
    given_values = {name: value for name, value in asdict(own).items() if value is not None}
    in_policy = replace(snapshot.policy, teams=(), **given_values)
    in_team = replace(snapshot.policy, teams=(Team("all", ("*",), settings=own),))
    plans = [plan(replace(snapshot, policy=policy), NOW_OF_RANDOM) for policy in (in_policy, in_team)]
    assert plans[0] == plans[1]


@given(snapshots())
def test_settings_equal_to_the_policys_change_nothing(snapshot: Snapshot) -> None:
    equal = TeamSettings(**{name: getattr(snapshot.policy, name) for name in TEAM_SETTINGS})
    unset = (Team("ada", ("ada",)), Team("vision", ("*Vision*",), 2.0))
    teams = (unset, tuple(replace(team, settings=equal) for team in unset))
    plans = [plan(replace(snapshot, policy=replace(snapshot.policy, teams=each)), NOW_OF_RANDOM) for each in teams]
    assert plans[0] == plans[1]


@given(worn_stacks(), st.data(), st.integers(0, 7200))
def test_patience_protection_and_preemptions_are_those_of_each_jobs_team(
    snapshot: Snapshot, data: st.DataObject, seconds: int
) -> None:
    policy = data.draw(policies(*snapshot.policy.teams))
    now, snapshot = NOON + timedelta(seconds=seconds), replace(snapshot, policy=policy)
    below_quota = order_queue(snapshot, now).ranks.below_quota
    for entry in plan(snapshot, now).preemptions:
        victim, beneficiary = entry.victim, entry.beneficiary
        assert now - beneficiary.waits_since >= timedelta(seconds=policy.of(beneficiary).patience)
        assert has_ended_protection(victim, policy, now)
        if victim.job.status.preemptions >= policy.of(victim.job).preemptions_per_job:
            assert beneficiary.name in below_quota


@given(empty_stacks(), st.data())
def test_the_stop_that_reclaims_is_sent_within_the_owners_patience_and_the_borrowers_protection(
    snapshot: Snapshot, data: st.DataObject
) -> None:
    """Whatever borrowed the instances, however often it was preempted, and whenever it is expected to end."""
    later = after_one_wave(snapshot, plan(snapshot, NOW))
    policy = data.draw(policies(*snapshot.policy.teams))
    borrowers = [worn(changed_limit(live, data.draw(run_limits)), data.draw(preemptions)) for live in later.live]
    protected = max((policy.of(live.job).protected_run_time for live in borrowers), default=0)
    for team in policy.teams:
        mine = waiting("mine", 9, owner=team.name, after=60)
        due = NOW + timedelta(seconds=max(policy.of(mine).patience, protected))
        running_then = tuple(live for live in borrowers if live.ends_by > due.timestamp())
        asking = replace(later, live=running_then, policy=policy)
        unused = team.quota[GPU] - held_by(team.name, asking)
        queued = tuple(replace(mine, name=f"mine{n}") for n in range(unused))
        decided = plan(replace(asking, queued=queued), due)
        assert {entry.reason.code for entry in decided.waits} <= {
            ReasonCode.WAITS_FOR_PREEMPTION,
            ReasonCode.WAITS_FOR_STOPPING,
        }


@given(busy_stacks(), st.data())
def test_a_teams_ordering_sorts_its_jobs(snapshot: Snapshot, data: st.DataObject) -> None:
    policy = data.draw(policies(*snapshot.policy.teams))
    queued = tuple(changed_job(job, max_runtime=data.draw(run_limits)) for job in snapshot.queued)
    snapshot = replace(snapshot, policy=policy, queued=queued)
    order = order_queue(snapshot, NOW)
    for team in policy.teams:
        jobs = [job for job in order.jobs if job.owner == team.name]
        if policy.of(waiting("any", owner=team.name)).ordering is Ordering.SHORTEST:
            ranked = [(order.ranks.of(job), -job.spec.max_runtime) for job in jobs]
            assert ranked == sorted(ranked, reverse=True)
