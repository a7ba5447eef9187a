"""Each property of teams, shares and owners fails on a planner with a planted defect."""

from collections import deque
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from property import (
    test_chosen_teams,
    test_fair_owners,
    test_fair_share,
    test_shares,
    test_team_settings,
)
from scheduler.core.jobs import team
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.team import Team
from scheduler.core.planner import learned, planning, preemption
from scheduler.core.planner.learned import Learned, run_record_of
from scheduler.core.planner.ordering import fair_share, queue_order
from scheduler.core.planner.ordering.fair_share import Ranks
from scheduler.core.planner.placement.share_check import ShareCheck
from scheduler.core.planner.policy import JobSettings, Policy
from scheduler.core.planner.shared_capacity import SharedCapacity
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.spending.prices.usage_weights import UsageWeights
from support.planted_defects import Planted, expect_failure

_weight_of = UsageWeights.of
_team_of = fair_share._team
_team_chosen = team.team_chosen
_usage_keys = learned.usage_keys
_usage_in = Learned.usage_in
_may_be_preempted = preemption._may_be_preempted
_sort_by_priority = queue_order.sort_by_priority
policy_of = Policy.of
_takes_back = ShareCheck.takes_back


def upside_down(ranks: Ranks, job: Job) -> tuple[bool, int]:
    return (job.name not in ranks.below_quota, -job.options.priority)


def by_priority_alone(_: Ranks, job: Job) -> tuple[bool, int]:
    return (False, job.options.priority)


def without_weights(job: Job, snapshot: Any) -> Any:
    team = _team_of(job, snapshot)
    return type(team)(team.name, team.members, 1.0, team.quota)


def from_used_up_borrowers_only(check: ShareCheck, job: Job, borrower: Job) -> bool:
    return borrower.status.preemptions >= 2 and _takes_back(check, job, borrower)


def as_patient_as_the_policy(job: Job, policy: Policy, now: datetime) -> bool:
    return (now - job.waits_since).total_seconds() >= policy.patience


def as_protected_as_the_policy(live: LiveJob, snapshot: Snapshot, now: datetime) -> bool:
    return _may_be_preempted(live, replace(snapshot, policy=replace(snapshot.policy, teams=())), now)


def sorted_as_the_policy(jobs: Any, policy: Policy, stats: Any) -> list[Job]:
    return _sort_by_priority(jobs, replace(policy, teams=()), stats)


def without_type_weights(live: Any, _attempt: str, policy: Any) -> Any:
    return run_record_of(live, _attempt, replace(policy, weights=UsageWeights()))


def of_its_owner_alone(_name: str, owner: str, teams: Any) -> Team | None:
    return _team_chosen("", owner, teams)


def of_its_team_alone(job: Job, teams: Any) -> tuple[str, ...]:
    return _usage_keys(job, teams)[:1]


def without_past_use_of_owners(known: Learned, teams: Any) -> Any:
    return {key: usage for key, usage in _usage_in(known, teams).items() if "@" not in key}


def with_a_floor(weights: UsageWeights, demand: Demand) -> float:
    return max(1.0, _weight_of(weights, demand))


PLANTED: dict[str, Planted] = {
    "weights count for nothing": (
        test_fair_share.test_instance_hours_converge_to_the_weights,
        (fair_share, "_team", without_weights),
    ),
    "quotas count for nothing": (
        test_fair_share.test_a_quota_is_honoured_within_one_preemption_wave,
        (fair_share, "within_quota", lambda *_: frozenset()),
    ),
    "quotas are not taken back": (
        test_fair_share.test_a_quota_is_honoured_within_one_preemption_wave,
        (Ranks, "of", by_priority_alone),
    ),
    "borrowers preempt jobs within a quota": (
        test_fair_share.test_a_victim_ranks_strictly_lower_and_without_teams_by_priority_alone,
        (Ranks, "of", upside_down),
    ),
    "reserves are lent": (
        test_shares.test_a_reserve_is_never_lent,
        (SharedCapacity, "_reserved_for_others", lambda *_: 0),
    ),
    "a reserve is lent while its owner has no job": (
        test_shares.test_an_owner_starts_on_its_reserve_at_once,
        (SharedCapacity, "_reserved_for_others", lambda *_: 0),
    ),
    "ceilings count for nothing": (
        test_shares.test_a_ceiling_is_never_passed,
        (SharedCapacity, "_is_over_ceiling", lambda *_: False),
    ),
    "what teams hold is not counted": (
        test_shares.test_a_ceiling_is_never_passed,
        (SharedCapacity, "_record", lambda *_: None),
    ),
    "never-preempt jobs borrow any quota": (
        test_shares.test_never_preempt_jobs_keep_no_owner_of_a_quota_waiting,
        (ShareCheck, "_keeps_an_owner_waiting", lambda *_: False),
    ),
    "used-up preemptions keep an owner from its quota": (
        test_team_settings.test_the_stop_that_reclaims_is_sent_within_the_owners_patience_and_the_borrowers_protection,
        (planning, "used_up_borrowers", lambda *_: []),
    ),
    "an owner waits for as long as the policy says": (
        test_team_settings.test_the_stop_that_reclaims_is_sent_within_the_owners_patience_and_the_borrowers_protection,
        (planning, "has_run_out_of_patience", as_patient_as_the_policy),
    ),
    "teams have no settings of their own": (
        test_team_settings.test_the_settings_of_one_team_alone_count_like_the_policys,
        (Policy, "of", lambda policy, _: policy),
    ),
    "settings that a team leaves out are the defaults": (
        test_team_settings.test_settings_equal_to_the_policys_change_nothing,
        (Policy, "of", lambda policy, job: policy if policy_of(policy, job) is policy else JobSettings()),
    ),
    "the protection of the policy counts for every team": (
        test_team_settings.test_patience_protection_and_preemptions_are_those_of_each_jobs_team,
        (preemption, "_may_be_preempted", as_protected_as_the_policy),
    ),
    "the jobs of all teams are sorted as the policy says": (
        test_team_settings.test_a_teams_ordering_sorts_its_jobs,
        (queue_order, "sort_by_priority", sorted_as_the_policy),
    ),
    "an owner waits for expected ends": (
        test_team_settings.test_the_stop_that_reclaims_is_sent_within_the_owners_patience_and_the_borrowers_protection,
        (ShareCheck, "takes_back", from_used_up_borrowers_only),
    ),
    "a team's jobs preempt each other whatever it says": (
        test_shares.test_a_team_without_preemption_never_stops_its_own_jobs_for_each_other,
        (ShareCheck, "spares", lambda *_: False),
    ),
    "a team takes its quota back from its own jobs": (
        test_shares.test_within_a_team_jobs_are_stopped_only_for_a_higher_priority,
        (ShareCheck, "spares", lambda *_: False),
    ),
    "used-up preemptions protect from nobody": (
        test_shares.test_used_up_preemptions_protect_from_all_but_the_owners_of_quotas,
        (preemption, "_is_used_up", lambda *_: False),
    ),
    "an owner preempts used-up jobs of its own team": (
        test_shares.test_used_up_preemptions_protect_from_all_but_the_owners_of_quotas,
        (ShareCheck, "takes_back", lambda check, job, _: job.name in check._below_quota),
    ),
    "a quota ranks jobs of one team alone": (
        test_shares.test_one_team_alone_sees_no_difference,
        (fair_share, "_is_one_team_alone", lambda *_: False),
    ),
    "launches take nothing from free instances that teams share": (
        test_shares.test_limits_that_no_team_reaches_change_nothing,
        (SharedCapacity, "take_for", lambda *_: None),
    ),
    "ended jobs are charged by the count of their instances": (
        test_shares.test_weighted_use_is_conserved,
        (test_shares, "run_record_of", without_type_weights),
    ),
    "the choice of a team counts for nothing": (
        test_chosen_teams.test_jobs_that_choose_a_team_are_planned_like_those_of_its_members,
        (team, "team_chosen", of_its_owner_alone),
    ),
    "everybody may choose any team": (
        test_chosen_teams.test_a_job_is_in_the_team_that_it_chose_if_its_owner_may_choose_it,
        (Team, "may_be_chosen_by", lambda *_: True),
    ),
    "the owners in a fair team form one queue": (
        test_fair_owners.test_the_owner_with_the_least_use_comes_next,
        (fair_share._Turns, "within", lambda _turns, _team, jobs: jobs),
    ),
    "jobs ahead are not charged to their owner": (
        test_fair_owners.test_the_owner_with_the_least_use_comes_next,
        (fair_share._Turns, "_charge_for", lambda *_: 0.0),
    ),
    "past use of owners is not read": (
        test_fair_owners.test_owners_come_to_use_the_same_and_their_team_uses_its_part,
        (Learned, "usage_in", without_past_use_of_owners),
    ),
    "ended jobs are charged to their team alone": (
        test_fair_owners.test_the_use_of_a_team_is_that_of_its_owners,
        (learned, "usage_keys", of_its_team_alone),
    ),
    "turns reverse the jobs of an owner": (
        test_fair_owners.test_fair_owners_change_nothing_for_one_owner,
        (fair_share, "deque", lambda jobs: deque(reversed([*jobs]))),
    ),
    "the weight of a type has a floor": (
        test_shares.test_only_the_ratios_of_weights_count,
        (UsageWeights, "of", with_a_floor),
    ),
    "no job is ever aged": (
        test_fair_share.test_the_oldest_job_starts_within_a_run_time_after_it_may_use_the_share,
        (queue_order, "aged_jobs", lambda *_: []),
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_defect_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expect_failure(PLANTED[name], monkeypatch)
