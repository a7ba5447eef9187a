"""The plan, case by case."""

from dataclasses import replace
from datetime import timedelta

from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.jobs.start_conditions import ArrayPlace
from scheduler.core.planner.plan import Plan
from scheduler.core.planner.planning import plan
from scheduler.core.planner.policy import IMMEDIATE_PREEMPTION, Policy
from scheduler.core.planner.snapshot import Snapshot
from support.builders.jobs import GPU, NOON, Choice
from support.builders.snapshots import a_snapshot, running, stopping, training, waiting

LATER = NOON + timedelta(hours=1)


def launched(decided: Plan) -> list[str]:
    return [entry.job.name for entry in decided.launches]


def preempted(decided: Plan) -> list[str]:
    return [entry.victim.job.name for entry in decided.preemptions]


def reason(decided: Plan, name: str) -> ReasonCode:
    found = decided.reason_for(name)
    assert found is not None
    return found.code


def test_launches_the_highest_priority_first_then_the_longest_waiting() -> None:
    decided = plan(
        a_snapshot(2, waiting("old", 1, after=0), waiting("new", 1, after=1), waiting("high", 2, after=9)), LATER
    )
    assert launched(decided) == ["high", "old"]
    assert reason(decided, "new") is ReasonCode.WAITS_FOR_BUDGET


def test_launches_jobs_on_top_first_in_their_priority_the_last_moved_first() -> None:
    first, last = (
        waiting(f"moved{minute}", after=9, on_top_since=LATER + timedelta(minutes=minute)) for minute in (0, 1)
    )
    snapshot = a_snapshot(3, waiting("old"), first, last, waiting("high", 1, after=9))
    assert launched(plan(snapshot, LATER)) == ["high", "moved1", "moved0"]


def test_preempts_a_lower_priority_only_for_a_proven_fit() -> None:
    fits = plan(a_snapshot(2, running("low", 0), running("mid", 2), waiting("high", 3)), LATER)
    assert preempted(fits) == ["low"]
    assert reason(fits, "high") is ReasonCode.WAITS_FOR_PREEMPTION
    would_not_fit = plan(
        a_snapshot(3, running("low", 0), running("high", 3, holds=2), waiting("big", 3, needs=3)), LATER
    )
    assert preempted(would_not_fit) == []


def test_never_preempts_its_own_priority() -> None:
    assert preempted(plan(a_snapshot(1, running("one", 3), waiting("two", 3)), LATER)) == []


def test_preempts_no_job_whose_protected_run_time_has_not_passed() -> None:
    low, policy = training(running("low", 0)), Policy(protected_run_time=7200)
    snapshot = replace(a_snapshot(1, low, waiting("high", 3)), policy=policy)
    assert preempted(plan(snapshot, LATER)) == []
    assert preempted(plan(snapshot, LATER + timedelta(hours=1))) == ["low"]


def test_takes_the_lowest_priority_then_the_most_recently_started() -> None:
    live = [running("lowest", 0, after=1), running("young", 1, after=5), running("old", 1, after=2)]
    assert preempted(plan(a_snapshot(3, *live, waiting("high", 9, needs=2)), LATER)) == ["lowest", "young"]


def test_stops_no_job_if_instances_are_about_to_come_free_anyway() -> None:
    live = [running("low", 0, max_runtime=86_400), running("ending", 0, max_runtime=3660)]
    snapshot = replace(a_snapshot(2, *live, waiting("high", 3)), policy=Policy(patience=120, protected_run_time=0))
    assert preempted(plan(snapshot, LATER)) == []
    assert preempted(plan(snapshot, LATER - timedelta(minutes=5))) == ["ending"]


def test_does_not_count_on_instances_of_a_job_that_is_preempted_for_another_job() -> None:
    live = [
        running("ending", max_runtime=3660),
        running("low1", max_runtime=86_400),
        running("low2", max_runtime=86_400),
    ]
    queued = [waiting("wide", 3, needs=2), waiting("narrow", 2)]
    snapshot = replace(a_snapshot(3, *live, *queued), policy=Policy(patience=120, protected_run_time=0))
    assert preempted(plan(snapshot, LATER)) == ["ending", "low1", "low2"]


def test_spares_a_victim_that_the_newcomer_turns_out_not_to_need() -> None:
    live = [running("small", 0, holds=1), running("large", 1, holds=4)]
    assert preempted(plan(a_snapshot(5, *live, waiting("high", 9, needs=4)), LATER)) == ["large"]


def test_does_not_start_a_second_wave_while_the_first_is_stopping() -> None:
    decided = plan(a_snapshot(2, stopping("victim", 0), running("other", 0), waiting("high", 3)), LATER)
    assert preempted(decided) == []
    assert reason(decided, "high") is ReasonCode.WAITS_FOR_STOPPING


def test_a_smaller_job_does_not_pass_one_that_waits_for_the_same_instances() -> None:
    snapshot = a_snapshot(4, running("holder", 5, holds=2), waiting("wide", 3, needs=4), waiting("narrow", 1))
    decided = plan(snapshot, NOON + timedelta(minutes=1))
    assert launched(decided) == []
    assert reason(decided, "narrow") is ReasonCode.WAITS_BEHIND


def test_a_job_for_another_type_is_not_delayed() -> None:
    budget = Budget.parse(f"{GPU}=1,ml.m5.large=1")
    cpu = waiting("cpu", 0, demand=Demand.of({"ml.m5.large": 1}))
    snapshot = Snapshot(budget, (running("holder", 9),), (waiting("gpu", 5), cpu))
    assert launched(plan(snapshot, LATER)) == ["cpu"]


def test_a_lower_job_preempts_no_job_while_a_higher_one_waits_for_the_same_instances() -> None:
    # All that "mid" could free would go to "high", which would still not fit: no job would gain.
    live = [running("low", 0), running("top", 9, holds=2)]
    decided = plan(a_snapshot(3, *live, waiting("high", 5, needs=3), waiting("mid", 4)), LATER)
    assert preempted(decided) == []


def test_parks_a_job_that_the_whole_budget_cannot_hold_and_continues() -> None:
    decided = plan(a_snapshot(2, waiting("giant", 9, needs=3), waiting("small", 0)), LATER)
    assert [entry.job.name for entry in decided.parks] == ["giant"]
    assert launched(decided) == ["small"]


def test_two_jobs_never_share_a_checkpoint_prefix() -> None:
    uri = "s3://bucket/checkpoints"
    first = waiting("first", 1, checkpoint_uri=uri)
    nested = waiting("nested", 0, checkpoint_uri=f"{uri}/resnet")
    similar = waiting("similar", 0, after=1, checkpoint_uri=f"{uri}-2")
    decided = plan(a_snapshot(4, first, nested, similar), LATER)
    assert launched(decided) == ["first", "similar"]
    assert reason(decided, "nested") is ReasonCode.WAITS_FOR_CHECKPOINT_PREFIX


def test_of_two_jobs_with_one_checkpoint_prefix_only_the_first_preempts() -> None:
    uri = "s3://bucket/checkpoints"
    first, second = (
        waiting(name, 1, after=after, checkpoint_uri=uri) for after, name in enumerate(("first", "second"))
    )
    decided = plan(a_snapshot(2, running("low1"), running("low2"), first, second), LATER)
    assert reason(decided, "first") is ReasonCode.WAITS_FOR_PREEMPTION
    assert reason(decided, "second") is ReasonCode.WAITS_FOR_CHECKPOINT_PREFIX
    assert len(preempted(decided)) == 1


def test_a_budget_below_what_runs_launches_nothing() -> None:
    assert launched(plan(a_snapshot(1, running("a"), running("b"), waiting("c")), LATER)) == []


def test_long_jobs_pass_a_reservation_only_as_far_as_it_leaves_something_over() -> None:
    queue = [waiting("wide", 3, needs=3), waiting("long1", 1), waiting("long2", 1, after=1)]
    decided = plan(a_snapshot(4, running("holder", 5, holds=2), *queue), NOON + timedelta(minutes=2))
    assert launched(decided) == ["long1"]
    assert reason(decided, "long2") is ReasonCode.WAITS_BEHIND


def test_the_instances_of_a_victim_go_to_its_beneficiary() -> None:
    past = EndedAttempt("low-sq-1", 1, Outcome.PREEMPTED, NOON, NOON + timedelta(minutes=5), beneficiary="high")
    low = waiting("low", 0, state=JobState.PREEMPTED, preemptions=1, history=(past,))
    queue = [low, waiting("high", 3, after=4), waiting("higher", 9, after=6)]
    decided = plan(a_snapshot(1, *queue), NOON + timedelta(minutes=7))
    assert launched(decided) == ["high"]


def test_interactive_jobs_hold_no_more_instances_than_their_cap() -> None:
    shell = {"interactive": True}
    snapshot = a_snapshot(9, running("open", **shell), waiting("second", **shell), waiting("trains", after=1))
    capped = replace(snapshot, policy=Policy(interactive_at_most={GPU: 1}))
    decided = plan(capped, LATER)
    assert launched(decided) == ["trains"]
    (wait,) = decided.waits
    message = f"interactive jobs may hold at most 1 × {GPU} in total (held: 1, needed: 1)"
    assert (wait.reason.code, wait.reason.message) == (ReasonCode.INTERACTIVE_CAP, message)
    assert launched(plan(replace(capped, policy=Policy(interactive_at_most={"ml.p5.48xlarge": 0})), LATER)) == [
        "second",
        "trains",
    ]


def test_an_interactive_job_takes_a_choice_below_the_cap() -> None:
    larger, smaller = Choice(Demand.of({GPU: 2}), 3600), Choice(Demand.of({GPU: 1}), 3600)
    job = waiting("shell", interactive=True, choices=[larger, smaller])
    capped = replace(a_snapshot(4, job), policy=Policy(interactive_at_most={GPU: 1}))
    (launch,) = plan(capped, LATER).launches
    assert launch.job.spec.choice == 1


def test_an_interactive_job_preempts_for_a_choice_below_the_cap() -> None:
    larger, smaller = Choice(Demand.of({GPU: 2}), 3600), Choice(Demand.of({GPU: 1}), 3600)
    job = waiting("shell", priority=5, interactive=True, choices=[larger, smaller])
    policy = replace(IMMEDIATE_PREEMPTION, interactive_at_most={GPU: 1})
    capped = replace(a_snapshot(2, running("a"), running("b"), job), policy=policy)
    (preemption,) = plan(capped, LATER).preemptions
    assert preemption.beneficiary.spec.choice == 1
    full = replace(a_snapshot(2, running("a", interactive=True), running("b"), job), policy=policy)
    assert reason(plan(full, LATER), "shell") is ReasonCode.INTERACTIVE_CAP


def test_all_sessions_of_a_role_share_its_cap() -> None:
    one, two = (f"arn:aws:sts::123456789012:assumed-role/Vision/{session}" for session in ("one", "two"))
    full = a_snapshot(9, running("live", owner=one), waiting("again", owner=two), waiting("other", owner="ada"))
    decided = plan(replace(full, policy=Policy(running_per_owner=1)), LATER)
    assert launched(decided) == ["other"]
    assert reason(decided, "again") is ReasonCode.OWNER_CAP
    both = a_snapshot(9, waiting("first", owner=one), waiting("second", owner=two, after=1))
    assert launched(plan(replace(both, policy=Policy(running_per_owner=1)), LATER)) == ["first"]


def test_an_owner_preempts_for_no_more_jobs_than_its_cap() -> None:
    queue = [waiting(f"ada-{number}", 1, owner="ada", after=number) for number in range(3)]
    policy = replace(IMMEDIATE_PREEMPTION, running_per_owner=1)
    full = replace(a_snapshot(3, running("low1"), running("low2"), running("low3"), *queue), policy=policy)
    decided = plan(full, LATER)
    assert len(preempted(decided)) == 1
    assert [entry.job.name for entry in decided.waits if entry.reason.code is ReasonCode.OWNER_CAP] == [
        "ada-1",
        "ada-2",
    ]


def test_a_job_that_waits_for_a_stopping_job_counts_towards_its_owners_cap() -> None:
    snapshot = a_snapshot(2, stopping("ends"), running("low"), *(waiting(name, 1, owner="ada") for name in ("a", "b")))
    decided = plan(replace(snapshot, policy=replace(IMMEDIATE_PREEMPTION, running_per_owner=1)), LATER)
    assert (reason(decided, "a"), reason(decided, "b")) == (ReasonCode.WAITS_FOR_STOPPING, ReasonCode.OWNER_CAP)
    assert preempted(decided) == []


def test_an_array_preempts_for_no_more_jobs_than_it_runs_at_once() -> None:
    queue = [waiting(f"sweep-{index}", 1, place=ArrayPlace("sweep", index, at_most=1)) for index in range(2)]
    decided = plan(a_snapshot(2, running("low1"), running("low2"), *queue), LATER)
    assert len(preempted(decided)) == 1
    assert reason(decided, "sweep-1") is ReasonCode.ARRAY_LIMIT
