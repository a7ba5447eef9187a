"""Each property fails on a planner with a planted defect."""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import Phase, settings

from local_sagemaker.state_machine.tuning import description, strategies
from local_sagemaker.state_machine.tuning.job import TuningJob
from local_sagemaker.state_machine.tuning.lifecycle import TuningJobs
from property import (
    test_arrays,
    test_callbacks,
    test_candidate_selection,
    test_chosen_teams,
    test_dependencies,
    test_fair_owners,
    test_fair_share,
    test_growing,
    test_narrowing,
    test_plan,
    test_queue_order,
    test_shares,
    test_team_settings,
    test_tuning_jobs,
    test_updates,
)
from scheduler.core.calendar.times import timers
from scheduler.core.history.callbacks import outcome, timing
from scheduler.core.history.callbacks.callback import OpenCallback
from scheduler.core.jobs import live_job, team
from scheduler.core.jobs.demand import NOTHING, Demand
from scheduler.core.jobs.dependencies.verdict import SATISFIED
from scheduler.core.jobs.job import Job, JobSpec
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.team import Team
from scheduler.core.jobs.unsaved_work import unsaved_work
from scheduler.core.planner import learned, planning, preemption
from scheduler.core.planner.elastic import growing, narrowing
from scheduler.core.planner.learned import Learned, run_record_of
from scheduler.core.planner.ordering import candidate_selection, fair_share, queue_order
from scheduler.core.planner.ordering.fair_share import Rank, Ranks
from scheduler.core.planner.placement.capacity_ledger import CapacityLedger
from scheduler.core.planner.placement.reservations import BackfillReservation
from scheduler.core.planner.placement.share_check import ShareCheck
from scheduler.core.planner.planning import _JobDecisions
from scheduler.core.planner.policy import JobSettings, Policy
from scheduler.core.planner.preemption import preemptible_jobs
from scheduler.core.planner.shared_capacity import SharedCapacity
from scheduler.core.planner.snapshot import Snapshot
from scheduler.core.requests import attempt_request, job_update
from scheduler.core.requests.arrays.job_array import JobArray
from scheduler.core.spending.prices.usage_weights import UsageWeights
from scheduler.cycle import callbacks
from scheduler.cycle.arrays import Arrays
from scheduler.cycle.callbacks import CallbackDelivery
from scheduler.errors.internal import CallbackClosed, CallbackFailed
from scheduler.queue import submission
from support.memory.arrays import MemoryArrays

Bug = tuple[object, str, Any]


def upside_down(ranks: Ranks, job: Job) -> tuple[bool, int]:
    return (job.name not in ranks.below_quota, -job.options.priority)


def by_priority_alone(_: Ranks, job: Job) -> tuple[bool, int]:
    return (False, job.options.priority)


def spare_nobody(_demand: object, _room: object, taken: Any) -> tuple[Any, ...]:
    return tuple(taken)


def first_come_first_stopped(*args: Any) -> Any:
    order = [live.job.name for live in args[0].live]
    return sorted(preemptible_jobs(*args), key=lambda live: order.index(live.job.name))


def forget(_decisions: _JobDecisions, _job: Job, _ahead: BackfillReservation) -> None:
    """No entry, no reason."""


def over_equals(ledger: CapacityLedger, job: Job, rank: Rank) -> BackfillReservation | None:
    return _reservation_ahead_of(ledger, job, (rank[0], rank[1] + 1))


def without_grace(live: LiveJob, _policy: object, now: datetime) -> tuple[bool, float, str]:
    return (live.has_no_save, live.unsaved_work(now).seconds, live.job.name)


def as_if_nobody_were_ahead(decisions: _JobDecisions, job: Job, subnet: str, _passed: BackfillReservation) -> None:
    _free_instances_for(decisions, job, subnet, None)


def with_the_top_last(jobs: Any, *_: Any) -> list[Job]:
    return sorted(jobs, key=lambda job: (-job.options.priority, test_queue_order.moved_at(job)))


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
    return max(10.0, _weight_of(weights, demand))


def one_more_than_its_most(job: Job, *_: object) -> list[Job]:
    ((line, count),) = job.choices[0].demand.counts
    return [replace(job, spec=replace(job.spec, demand=Demand.of({line: count + 1})))]


_weight_of = UsageWeights.of


def close_before_the_report(delivery: CallbackDelivery, due: OpenCallback) -> None:
    delivery.store.close(due.callback)
    _report(delivery, due)


def repeat_used_tokens(delivery: CallbackDelivery, due: OpenCallback) -> None:
    with suppress(CallbackClosed, CallbackFailed):
        delivery.receivers.report(due.callback, outcome.outcome_of(due))
        delivery.store.close(due.callback)


def forget_what_fails(delivery: CallbackDelivery, due: OpenCallback) -> None:
    with suppress(CallbackClosed, CallbackFailed):
        delivery.receivers.report(due.callback, outcome.outcome_of(due))
    delivery.store.close(due.callback)


def report_while_it_waits(one: OpenCallback) -> bool:
    return one.job is None or not one.job.is_live


def without_the_last_trial(tuning: Any, job: TuningJob, now: float) -> None:
    listed = tuning.results
    tuning.results = lambda of: listed(of)[:-1]
    try:
        _step(tuning, job, now)
    finally:
        del tuning.results


def with_the_worst(found: Any) -> Any:
    return min((one for one in found if one.final_value is not None), key=lambda one: one.final_value, default=None)


def without_the_id_of_the_end(*_: object) -> str:
    return uuid4().hex


_report = CallbackDelivery._report
_step = TuningJobs._step
_team_of = fair_share._team
_team_chosen = team.team_chosen
_usage_keys = learned.usage_keys
_usage_in = Learned.usage_in
_may_be_preempted = preemption._may_be_preempted
_sort_by_priority = queue_order.sort_by_priority
policy_of = Policy.of
_reservation_ahead_of = CapacityLedger.reservation_ahead_of
_takes_back = ShareCheck.takes_back
_free_instances_for = _JobDecisions._free_instances_for


def limit_every_choice(job: Job, seconds: int | None) -> Job:
    limit = seconds or job.spec.max_runtime
    choices = tuple(replace(choice, max_runtime=limit) for choice in job.choices)
    return replace(job, spec=replace(job.spec, max_runtime=limit), choices=choices) if seconds else job


def set_the_limit_alone(request: dict[str, Any], spec: JobSpec) -> dict[str, Any]:
    return {**request, "StoppingCondition": {**request["StoppingCondition"], "MaxRuntimeInSeconds": spec.max_runtime}}


def mark_only(store: MemoryArrays, array: JobArray, _child: Job) -> JobArray:
    return store.save_array(array, by="schedule")


def count_an_end_twice(array: JobArray, states: Any, now: datetime) -> JobArray:
    ended = {index + 1: state for index, state in states.items() if state in "cf" and index + 1 < array.size}
    return _with_states(array, ended | states, now)


def without_at_most(store: MemoryArrays, array: JobArray, *rest: Any) -> None:
    _submit_array(store, replace(array, at_most=0), *rest)


_with_states = JobArray.with_states
_submit_array = MemoryArrays.submit_array


PLANTED: dict[str, tuple[Callable[..., None], Bug]] = {
    "jobs start before their time": (
        test_plan.test_no_job_starts_before_its_time_or_after_its_expiry_nor_keeps_instances,
        (planning, "reason_to_wait", lambda *_: None),
    ),
    "jobs start after their expiry": (
        test_plan.test_no_job_starts_before_its_time_or_after_its_expiry_nor_keeps_instances,
        (timers, "has_expired", lambda *_: False),
    ),
    "started instances stay free": (
        test_plan.test_launches_stay_within_the_budget,
        (CapacityLedger, "start", lambda *_: None),
    ),
    "held instances are given away": (
        test_plan.test_no_instance_is_reserved_twice,
        (CapacityLedger, "hold_for", lambda *_: None),
    ),
    "lower priorities preempt higher ones": (
        test_plan.test_a_victim_has_strictly_lower_priority_and_is_taken_once,
        (Ranks, "of", upside_down),
    ),
    "protection is ignored": (
        test_plan.test_no_protected_job_is_preempted,
        (preemption, "_may_be_preempted", lambda live, *_: preemption._can_be_stopped(live)),
    ),
    "patience is ignored": (
        test_plan.test_no_protected_job_is_preempted,
        (planning, "has_run_out_of_patience", lambda *_: True),
    ),
    "victims that are not needed are stopped too": (
        test_plan.test_no_victim_is_spare,
        (preemption, "_spare_unneeded", spare_nobody),
    ),
    "elastic jobs are stopped like others": (
        test_narrowing.test_nobody_is_stopped_outright_while_elastic_jobs_can_give_enough,
        (narrowing, "narrower_widths", lambda _: ()),
    ),
    "elastic jobs give all that they can": (
        test_narrowing.test_a_narrowed_job_gives_up_no_more_than_needed,
        (narrowing._Search, "_give_back", lambda *_: None),
    ),
    "the instances of a narrowed job are given away": (
        test_narrowing.test_a_narrowed_job_continues_on_what_is_held_for_it_whoever_else_of_its_rank_waits,
        (queue_order, "move_continuing_first", lambda jobs, _: jobs),
    ),
    "the instances of a narrowed job are not held while it stops": (
        test_narrowing.test_a_narrowed_job_continues_on_what_is_held_for_it_whoever_else_of_its_rank_waits,
        (LiveJob, "continues_on", NOTHING),
    ),
    "a narrowed job takes the instances of another": (
        test_narrowing.test_a_narrowed_job_continues_on_what_is_held_for_it_whoever_else_of_its_rank_waits,
        (Job, "is_narrowed", False),
    ),
    "jobs grow onto instances that waiting jobs can use": (
        test_growing.test_no_waiting_job_can_use_the_instances,
        (growing, "_is_delayed", lambda *_: False),
    ),
    "jobs grow while they are protected": (
        test_growing.test_only_jobs_that_may_be_preempted_and_can_resume_grow,
        (preemption, "_may_be_preempted", lambda live, *_: preemption._can_be_stopped(live)),
    ),
    "jobs grow although they lose more than they gain": (
        test_growing.test_the_gain_exceeds_the_cost,
        (growing, "seconds_saved", lambda *_: 1.0),
    ),
    "jobs grow beyond their largest number": (
        test_growing.test_a_job_grows_to_a_larger_number_of_its_range,
        (growing, "open_choices", one_more_than_its_most),
    ),
    "two jobs grow onto the same instances": (
        test_growing.test_all_growths_fit_the_budget_together,
        (CapacityLedger, "widen", lambda *_: None),
    ),
    "another job grows before the first has started again": (
        test_growing.test_while_it_stops_no_other_job_grows,
        (growing, "_is_growing", lambda _: False),
    ),
    "the instances of a growing job are given away": (
        test_growing.test_it_continues_on_at_least_as_many_instances_whoever_else_of_its_rank_waits,
        (Job, "continues", False),
    ),
    "typed intervals are believed where saves are known": (
        test_plan.test_of_victims_alike_those_are_stopped_whose_last_save_is_newest,
        (live_job, "unsaved_work", lambda since, until, _, interval: unsaved_work(since, until, None, interval)),
    ),
    "jobs without a save are not spared": (
        test_plan.test_of_victims_alike_those_are_stopped_whose_last_save_is_newest,
        (LiveJob, "has_no_save", False),
    ),
    "never saving is a protection": (
        test_plan.test_of_victims_alike_those_are_stopped_whose_last_save_is_newest,
        (preemption, "_preemption_cost", without_grace),
    ),
    "any job may pass": (
        test_plan.test_a_job_that_passes_cannot_delay_a_reservation,
        (BackfillReservation, "may_be_passed", lambda *_: True),
    ),
    "a job overtakes a reservation of the same rank": (
        test_plan.test_only_a_higher_rank_or_a_job_that_passes_a_claim_delays_a_reservation,
        (CapacityLedger, "reservation_ahead_of", over_equals),
    ),
    "victims of a claim are given to any job": (
        test_plan.test_a_job_of_lower_rank_or_narrower_takes_nothing_that_a_claim_needs,
        (CapacityLedger, "claimed_ahead_of", lambda *_: set()),
    ),
    "pools of a claim are given to any job": (
        test_plan.test_a_job_of_lower_rank_or_narrower_takes_nothing_that_a_claim_needs,
        (_JobDecisions, "_free_instances_for", as_if_nobody_were_ahead),
    ),
    "reservations are not renewed after instances are held": (
        test_plan.test_a_reservation_moves_if_a_higher_rank_takes_what_it_counted_on,
        (CapacityLedger, "_renew_reservations", lambda *_: None),
    ),
    "victims are taken in the order of the records": (
        test_plan.test_the_plan_depends_on_nothing_but_the_snapshot_and_the_time,
        (planning, "preemptible_jobs", first_come_first_stopped),
    ),
    "jobs that wait behind a reservation are left out": (
        test_plan.test_every_queued_job_leaves_the_plan_with_one_reason,
        (_JobDecisions, "_wait_behind", forget),
    ),
    "weights count for nothing": (
        test_fair_share.test_instance_hours_converge_to_the_weights,
        (fair_share, "_team", without_weights),
    ),
    "quotas count for nothing": (
        test_fair_share.test_a_quota_is_honoured_within_one_preemption_wave,
        (fair_share, "_within_quota", lambda *_: frozenset()),
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
    "jobs moved to the top come last": (
        test_queue_order.test_jobs_on_top_come_first_in_their_priority_the_last_moved_first,
        (queue_order, "sort_by_priority", with_the_top_last),
    ),
    "no job is ever aged": (
        test_fair_share.test_the_oldest_job_starts_within_a_run_time_after_it_may_use_the_share,
        (queue_order, "aged_jobs", lambda *_: []),
    ),
    "too few candidates of a group": (
        test_candidate_selection.test_the_candidates_start_and_preempt_exactly_what_the_backlog_would,
        (candidate_selection, "max_concurrent_jobs", lambda *_: 0),
    ),
    "a callback is closed before it is reported": (
        test_callbacks.test_every_orchestrator_learns_of_the_end_once_the_faults_are_over,
        (CallbackDelivery, "_report", close_before_the_report),
    ),
    "a used token is tried again for ever": (
        test_callbacks.test_every_orchestrator_learns_of_the_end_once_the_faults_are_over,
        (CallbackDelivery, "_report", repeat_used_tokens),
    ),
    "a failed report is forgotten": (
        test_callbacks.test_an_end_is_given_up_only_after_hours_and_never_without_a_dead_letter,
        (CallbackDelivery, "_report", forget_what_fails),
    ),
    "a waiting job is reported as ended": (
        test_callbacks.test_nobody_is_told_of_an_end_that_did_not_happen,
        (OpenCallback, "is_due", property(report_while_it_waits)),
    ),
    "each report of an end has another id": (
        test_callbacks.test_a_repeated_report_has_the_id_of_the_first,
        (outcome, "_id", without_the_id_of_the_end),
    ),
    "the log shows tokens": (
        test_callbacks.test_no_token_reaches_the_log_or_a_dead_letter,
        (callbacks, "_shown", lambda callback: {"job": callback.job, "callback": callback.address}),
    ),
    "a child is marked as created and is not": (
        test_arrays.test_no_child_is_lost_doubled_or_beyond_the_limits,
        (MemoryArrays, "create_child", mark_only),
    ),
    "the end of a child counts twice": (
        test_arrays.test_no_child_is_lost_doubled_or_beyond_the_limits,
        (JobArray, "with_states", count_an_end_twice),
    ),
    "an array runs more children at once than it allows": (
        test_arrays.test_no_child_is_lost_doubled_or_beyond_the_limits,
        (MemoryArrays, "submit_array", without_at_most),
    ),
    "an array ignores its limit of failures": (
        test_arrays.test_no_child_is_lost_doubled_or_beyond_the_limits,
        (JobArray, "ended_if_failing", lambda array: array),
    ),
    "an array with failures counts as a success": (
        test_arrays.test_a_job_starts_exactly_if_the_array_before_it_ended_as_asked,
        (JobArray, "has_succeeded", property(lambda _: True)),
    ),
    "an array ends before its last children": (
        test_arrays.test_a_job_starts_exactly_if_the_array_before_it_ended_as_asked,
        (JobArray, "is_finished", property(lambda array: array.next_index is None)),
    ),
    "a job may wait for a job or an array that does not exist yet": (
        test_dependencies.test_jobs_and_arrays_never_wait_for_each_other,
        (submission, "verdict_on", lambda *_: SATISFIED),
    ),
    "no sweep checks arrays": (
        test_arrays.test_no_child_is_lost_doubled_or_beyond_the_limits,
        (Arrays, "sweep", lambda _, token: token),
    ),
    "an update changes the limit of every alternative": (
        test_updates.test_an_update_changes_what_it_names_and_its_repeat_nothing,
        (job_update, "_with_time_limit", limit_every_choice),
    ),
    "a new time limit shortens the wait for spot instances": (
        test_updates.test_an_attempt_runs_as_long_as_its_job_may_and_waits_for_spot_as_long_as_asked,
        (attempt_request, "with_time_limit", set_the_limit_alone),
    ),
    "only half of the states get a heartbeat": (
        test_callbacks.test_waiting_states_get_a_heartbeat_in_every_run,
        (timing, "MOST_IN_TURN", 1),
    ),
    "a tuning job of the emulator forgets its last trial": (
        test_tuning_jobs.test_a_tuning_job_keeps_its_limits_and_ends_after_its_last_trial,
        (TuningJobs, "_step", without_the_last_trial),
    ),
    "a tuning job of the emulator launches one trial too many": (
        test_tuning_jobs.test_a_tuning_job_keeps_its_limits_and_ends_after_its_last_trial,
        (TuningJob, "parallel", property(lambda job: job.config["ResourceLimits"]["MaxParallelTrainingJobs"] + 1)),
    ),
    "a tuning job of the emulator repeats values": (
        test_tuning_jobs.test_a_tuning_job_keeps_its_limits_and_ends_after_its_last_trial,
        (strategies, "_MOST_DRAWS", 1),
    ),
    "a tuning job of the emulator takes the worst trial for the best": (
        test_tuning_jobs.test_a_tuning_job_keeps_its_limits_and_ends_after_its_last_trial,
        (description, "best", with_the_worst),
    ),
}


#: Content with the first example that fails, however large, and with the same examples each time.
FIRST_FAILURE = settings(
    phases=[Phase.generate],
    max_examples=2000,
    database=None,
    derandomize=True,
    deadline=None,
    report_multiple_bugs=False,
)


@pytest.mark.filterwarnings("ignore:Generating overly large repr")  # of an example that is not shrunk
@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_defect_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    a_property, (where, what, bug) = PLANTED[name]
    monkeypatch.setattr(where, what, bug)
    # Hypothesis has no public way to run a finished test with other settings.
    monkeypatch.setattr(a_property, "_hypothesis_internal_use_settings", FIRST_FAILURE)
    with pytest.raises(AssertionError):
        a_property()
