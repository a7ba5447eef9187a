"""Explanations and forecasts, case by case."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.calendar.times.deadlines import DeadlineOutlook
from scheduler.core.capacity.capacity_memory import CapacityMemory, Shortage
from scheduler.core.capacity.locations import Location
from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job_state import QUEUE, JobState, Stop, StopCause
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.jobs.start_conditions import JobTimes
from scheduler.core.jobs.team import OwnerOrder, Team
from scheduler.core.planner.explanation import explain, explain_job, forecast_submission
from scheduler.core.planner.learned import Usage
from scheduler.core.planner.policy import Policy
from support.builders.jobs import GPU, NOON, Choice, changed_job
from support.builders.snapshots import a_snapshot, gpus, running, waiting

HOUR = timedelta(hours=1)
P5_TYPE = "ml.p5.48xlarge"
P5 = Demand.of({P5_TYPE: 1})
NOW = NOON + HOUR


def test_a_waiting_job_shows_its_position_and_the_jobs_it_waits_for() -> None:
    live = [running("long", 5, max_runtime=7200 * 2), running("short", 5, max_runtime=7200)]
    told = explain(a_snapshot(2, *live, waiting("first", 1), waiting("second", 1, after=1)), NOW)
    assert (told["first"].position, told["first"].waits_for) == (1, ("short",))
    assert (told["second"].position, told["second"].waits_for) == (2, ("first", "long"))
    assert told["first"].starts.latest == NOON + 2 * HOUR
    assert told["second"].reason.code is ReasonCode.WAITS_BEHIND


def test_a_job_that_backs_off_starts_no_sooner_than_its_reason_says() -> None:
    told = explain(a_snapshot(1, waiting("failed", not_before=NOW + HOUR)), NOW)["failed"]
    assert told.reason.code is ReasonCode.BACKING_OFF
    assert (told.starts.earliest, told.starts.latest, told.starts.after) == (NOW + HOUR, NOW + HOUR, "")


def test_a_job_for_which_sagemaker_has_no_instances_starts_no_sooner_than_the_next_try() -> None:
    until = NOW + HOUR
    shortage = Shortage(Location(GPU, spot=False), 2, NOON, until)
    snapshot = replace(a_snapshot(1, waiting("job")), capacity=CapacityMemory((shortage,)))
    told = explain(snapshot, NOW)["job"]
    assert told.reason.code is ReasonCode.WAITS_FOR_CAPACITY
    assert (told.starts.earliest, told.starts.latest, told.waits_for) == (until, None, ())


def test_a_shortage_of_other_instances_of_its_type_does_not_change_the_next_try() -> None:
    until = NOW + HOUR
    own = Shortage(Location(GPU, spot=False, subnet="subnet-a"), 2, NOON, until)
    others = [Location(GPU, spot=True, subnet="subnet-a"), Location(GPU, spot=False, subnet="subnet-b")]
    sooner = [Shortage(location, 1, NOON, NOW + timedelta(minutes=1)) for location in others]
    job = waiting("job", subnets=("subnet-a",))
    told = explain(replace(a_snapshot(1, job), capacity=CapacityMemory((own, *sooner))), NOW)["job"]
    assert (told.reason.code, told.starts.earliest) == (ReasonCode.WAITS_FOR_CAPACITY, until)


def test_the_deadline_counts_with_the_choice_that_starts() -> None:
    slow = Choice(P5, 10 * 3600)
    fast_first = waiting("job", choices=[Choice(gpus(1), 3600), slow], times=JobTimes(deadline=NOW + 2 * HOUR))
    job = fast_first.as_choice(0)
    full = replace(a_snapshot(1, running("other")), budget=Budget.of({GPU: 1, P5_TYPE: 1}))
    forecast, told = forecast_submission(full, job, NOW), explain_job(replace(full, queued=(job,)), job, NOW)
    assert forecast.starts_now
    assert (forecast.deadline, told.deadline) == (DeadlineOutlook.MISSED, DeadlineOutlook.MISSED)


@pytest.mark.parametrize(
    ("checkpoints", "outlook"), [("s3://bucket/a", DeadlineOutlook.AT_RISK), (None, DeadlineOutlook.MISSED)]
)
def test_the_deadline_of_a_job_that_resumes_counts_only_the_training_that_is_left(
    checkpoints: str | None, outlook: DeadlineOutlook
) -> None:
    began, ended = NOW - 9.5 * HOUR, NOW - timedelta(minutes=1)
    preempted = EndedAttempt("a-sq-1", 1, Outcome.PREEMPTED, began, ended, began)
    job = waiting("a", max_runtime=10 * 3600, checkpoint_uri=checkpoints, history=(preempted,), attempts=1)
    job = changed_job(job, times=JobTimes(deadline=NOW + 2 * HOUR))
    full = a_snapshot(1, running("other", 5, max_runtime=3660), job)
    told, empty = explain(full, NOW)["a"], replace(full, live=())
    assert (told.deadline, explain_job(empty, job, NOW).deadline) == (outlook, outlook)


def test_a_job_at_its_owners_cap_or_behind_a_writer_has_no_estimate_although_instances_are_free() -> None:
    running_one, second = running("one", max_runtime=7200), waiting("second")
    capped = replace(a_snapshot(2, running_one, second), policy=Policy(running_per_owner=1))
    told = explain(capped, NOW)["second"]
    assert (told.reason.code, told.starts.earliest, told.waits_for) == (ReasonCode.OWNER_CAP, None, ())


def test_the_reason_of_a_beneficiary_names_the_stopped_job() -> None:
    told = explain(a_snapshot(1, running("low", 0), waiting("high", 3)), NOW)
    assert told["high"].waits_for == ("low",)
    assert told["high"].starts.latest == NOW


def test_a_job_that_may_preempt_later_names_the_jobs_and_the_time() -> None:
    snapshot = a_snapshot(1, running("low", 0, max_runtime=7200), waiting("high", 3, after=58))
    told = explain(replace(snapshot, policy=Policy(patience=300, protected_run_time=0)), NOW)["high"]
    assert told.reason.code is ReasonCode.WAITS_TO_PREEMPT
    assert told.reason.message.endswith("it will preempt low after 2026-11-21 13:03:00 UTC")
    assert (told.waits_for, told.starts.latest) == (("low",), NOON + 2 * HOUR)


def test_a_job_that_may_preempt_later_may_start_then_and_meet_its_deadline() -> None:
    urgent = waiting("high", 5, after=58, max_runtime=6 * 3600, times=JobTimes(deadline=NOW + 12 * HOUR))
    snapshot = a_snapshot(1, running("low", max_runtime=20 * 3600), urgent)
    snapshot = replace(snapshot, policy=Policy(patience=300, protected_run_time=0))
    told = explain(snapshot, NOW)["high"]
    assert (told.reason.code, told.deadline) == (ReasonCode.WAITS_TO_PREEMPT, DeadlineOutlook.AT_RISK)
    assert (told.starts.earliest, told.starts.latest) == (NOW + timedelta(minutes=3), NOON + 20 * HOUR)
    forecast = forecast_submission(replace(snapshot, queued=()), replace(urgent, submitted_at=NOW), NOW)
    assert (forecast.starts.earliest, forecast.deadline) == (NOW + timedelta(minutes=5), DeadlineOutlook.AT_RISK)


def test_a_job_that_may_preempt_later_may_start_sooner_if_instances_become_free() -> None:
    snapshot = a_snapshot(1, running("low", max_runtime=3660), waiting("high", 5, after=58))
    told = explain(replace(snapshot, policy=Policy(patience=300, protected_run_time=0)), NOW)["high"]
    assert (told.reason.code, told.starts.earliest) == (ReasonCode.WAITS_TO_PREEMPT, NOW + timedelta(minutes=1))


def test_a_job_named_like_the_queue_waits_for_no_job_that_the_queue_stops_for_another_reason() -> None:
    switching = running("switching", state=JobState.STOPPING, stop=Stop(StopCause.REQUEUE, NOON, QUEUE))
    holder = running("holder", 5, max_runtime=7200)
    told = explain(a_snapshot(2, holder, switching, waiting(QUEUE, needs=2)), NOW)
    assert told[QUEUE].waits_for == ("holder",)


def test_a_beneficiary_waits_for_the_job_that_is_being_stopped_for_it() -> None:
    victim = running("victim", state=JobState.STOPPING, stop=Stop(StopCause.PREEMPTION, NOON, "high"))
    assert explain(a_snapshot(1, victim, waiting("high", 3)), NOW)["high"].waits_for == ("victim",)


def test_a_job_whose_instances_others_hold_for_ever_has_no_estimate() -> None:
    told = explain(a_snapshot(1, waiting("a"), waiting("b", needs=1, after=1)), NOW)
    assert told["b"].starts.latest == NOW + timedelta(days=1)


def test_a_job_of_a_type_that_the_budget_leaves_out_has_no_estimate_and_takes_none_from_the_others() -> None:
    live, queued = running("holder", max_runtime=7200), [waiting("next"), waiting("other", demand=gpus(1) + P5)]
    told = explain(
        replace(a_snapshot(1, live, *queued), largest_later_budget=Budget(gpus(1) + P5, (GPU, P5_TYPE))), NOW
    )
    assert (told["other"].starts.earliest, told["other"].starts.latest) == (None, None)
    assert told["next"].starts.latest == NOON + 2 * HOUR


def test_the_latest_start_of_a_job_with_a_place_is_what_is_reserved_for_it() -> None:
    later = waiting("later", 9, not_before=NOW + HOUR, max_runtime=86_400)
    told = explain(a_snapshot(1, running("holder", 9, max_runtime=7200), later, waiting("next")), NOW)
    assert told["next"].starts.latest == NOON + 2 * HOUR


def test_what_if_says_that_a_job_would_start_now() -> None:
    assert forecast_submission(a_snapshot(1), waiting("new"), NOW).starts_now


def test_what_if_counts_the_jobs_that_would_be_ahead() -> None:
    snapshot = a_snapshot(1, running("holder", 5), waiting("a", 2), waiting("b", 1))
    forecast = forecast_submission(snapshot, waiting("new", 1, after=30), NOW)
    assert (forecast.starts_now, forecast.behind, forecast.preempts) == (False, 2, ())


def test_what_if_names_the_jobs_that_would_be_preempted_and_changes_nothing() -> None:
    snapshot = a_snapshot(1, running("low", 0))
    assert forecast_submission(snapshot, waiting("new", 1), NOW).preempts == ("low",)
    assert snapshot.queued == ()


def test_the_factors_of_a_job_show_its_owners_use_if_owners_take_turns() -> None:
    jobs = [waiting("first", owner="ada"), waiting("second", owner="bob", after=1)]
    used = {"all": Usage(7200.0, NOW), "all@ada": Usage(7200.0, NOW)}
    snapshot = replace(a_snapshot(1, running("busy", 5, owner="bob", max_runtime=3600), *jobs), usage=used)
    told = {
        owners: explain(replace(snapshot, policy=Policy(teams=(Team("all", ("*",), owners=owners),))), NOW)
        for owners in OwnerOrder
    }
    fair, together = told[OwnerOrder.FAIR], told[OwnerOrder.TOGETHER]
    assert (fair["second"].position, fair["second"].priority.owner_use) == (1, 3600.0)
    assert (fair["first"].position, fair["first"].priority.owner_use) == (2, 7200.0)
    assert (together["first"].position, together["first"].priority.owner_use) == (1, None)
