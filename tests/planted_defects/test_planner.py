"""Each property of the plan fails on a planner with a planted defect."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from property import (
    test_candidate_selection,
    test_choice_costs,
    test_interactive_jobs,
    test_plan,
    test_queue_order,
)
from scheduler.core.calendar.times import timers
from scheduler.core.jobs import live_job
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.jobs.unsaved_work import unsaved_work
from scheduler.core.planner import planning, preemption
from scheduler.core.planner.ordering import candidate_selection, queue_order
from scheduler.core.planner.ordering.fair_share import Rank, Ranks
from scheduler.core.planner.ordering.running_caps import InteractiveCap
from scheduler.core.planner.placement.capacity_ledger import CapacityLedger
from scheduler.core.planner.placement.reservations import BackfillReservation
from scheduler.core.planner.planning import _JobDecisions
from scheduler.core.planner.policy import Policy
from scheduler.core.planner.preemption import preemptible_jobs
from scheduler.core.spending.prices import choice_costs
from scheduler.core.spending.prices.choice_costs import ChoiceCosts
from support.planted_defects import Planted, expect_failure

_reservation_ahead_of = CapacityLedger.reservation_ahead_of
_would_lose_much = preemption._would_lose_much
_free_instances_for = _JobDecisions._free_instances_for


def upside_down(ranks: Ranks, job: Job) -> tuple[bool, int]:
    return (job.name not in ranks.below_quota, -job.options.priority)


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


def is_young(live: LiveJob, policy: Policy, now: datetime) -> bool:
    return (now - live.started_at).total_seconds() < policy.of(live.job).protected_run_time


def loses_much_without_a_restart(live: LiveJob, policy: Policy, now: datetime) -> bool:
    return _would_lose_much(live, replace(policy, restart_time=0), now)


def as_if_nobody_were_ahead(decisions: _JobDecisions, job: Job, subnet: str, _passed: BackfillReservation) -> None:
    _free_instances_for(decisions, job, subnet, None)


def most_expensive_first(costs: ChoiceCosts, job: Job) -> list[int]:
    return sorted(range(len(job.choices)), key=lambda number: -(costs.cost_of(job.as_choice(number)) or 0.0))


def with_the_top_last(jobs: Any, *_: Any) -> list[Job]:
    return sorted(jobs, key=lambda job: (-job.options.priority, test_queue_order.moved_at(job)))


PLANTED: dict[str, Planted] = {
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
    "only the run time protects a young attempt": (
        test_plan.test_a_young_attempt_is_preempted_where_that_loses_little_and_nowhere_else,
        (preemption, "_would_lose_much", is_young),
    ),
    "a restart counts as no loss": (
        test_plan.test_a_young_attempt_is_preempted_where_that_loses_little_and_nowhere_else,
        (preemption, "_would_lose_much", loses_much_without_a_restart),
    ),
    "patience is ignored": (
        test_plan.test_no_protected_job_is_preempted,
        (planning, "has_run_out_of_patience", lambda *_: True),
    ),
    "victims that are not needed are stopped too": (
        test_plan.test_no_victim_is_spare,
        (preemption, "_spare_unneeded", spare_nobody),
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
    "jobs moved to the top come last": (
        test_queue_order.test_jobs_on_top_come_first_in_their_priority_the_last_moved_first,
        (queue_order, "sort_by_priority", with_the_top_last),
    ),
    "interactive jobs have no cap": (
        test_interactive_jobs.test_interactive_jobs_neither_start_nor_preempt_beyond_the_cap,
        (InteractiveCap, "refusal", lambda *_: None),
    ),
    "interactive jobs that a plan starts do not count": (
        test_interactive_jobs.test_interactive_jobs_neither_start_nor_preempt_beyond_the_cap,
        (InteractiveCap, "record_start", lambda *_: None),
    ),
    "the most expensive choice comes first": (
        test_choice_costs.test_a_job_starts_with_no_choice_that_costs_more_than_another_that_could_start,
        (ChoiceCosts, "numbers_in_order", most_expensive_first),
    ),
    "few attempts are believed": (
        test_choice_costs.test_without_enough_attempts_the_order_is_the_users,
        (choice_costs, "MIN_ATTEMPTS", 0),
    ),
    "too few candidates of a group": (
        test_candidate_selection.test_the_candidates_start_and_preempt_exactly_what_the_backlog_would,
        (candidate_selection, "max_concurrent_jobs", lambda *_: 0),
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_defect_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expect_failure(PLANTED[name], monkeypatch)
