"""Tuning jobs in the queue, on a simulated SageMaker that starts their children by itself."""

from typing import Any

import pytest

from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from local_sagemaker.state_machine.tuning.job import TuningJob
from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.job_state import JobState
from scheduler.core.reconciliation.reconciliation_state import BudgetScope
from scheduler.core.reconciliation.unmanaged_job import GuardMode
from support.account.simulated_queue import ADA, PREEMPTS_AT_ONCE, SimulatedQueue
from support.builders.tuning_requests import a_tuning_request

UNKNOWNS = [
    Unknowns(),
    Unknowns(refuses_second_stop=True, lower_case_arns=True),
    Unknowns(frees_quota_after_seconds=60),
]


@pytest.fixture(params=[True, False], ids=["events", "sweeps only"])
def events(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(params=UNKNOWNS, ids=["usual", "strict", "slow"])
def world(request: pytest.FixtureRequest, events: bool) -> SimulatedQueue:
    behaviour = Behaviour(unknowns=request.param)
    policy = {"policy": {**PREEMPTS_AT_ONCE, "preemptions_per_job": 10}}
    return SimulatedQueue(configuration=policy, durations={"urgent": 1200}, deliver_events=events, behaviour=behaviour)


def tuning_jobs(world: SimulatedQueue) -> dict[str, TuningJob]:
    return world.simulation.machine.tuning.by_name


def statuses(world: SimulatedQueue, attempt: str) -> list[str]:
    machine = world.simulation.machine
    return sorted(machine.jobs[trial.name].status for trial in machine.tuning.by_name[attempt].trials)


def test_a_tuning_job_waits_for_all_its_instances(world: SimulatedQueue) -> None:
    world.submit("first", 1)
    world.tune("sweep", parallel=2, trials=2)
    world.run(300)
    assert world.job("sweep").status.state is JobState.PENDING  # one instance is free
    assert not tuning_jobs(world)
    world.run_until_empty()
    assert world.job("sweep").status.state is JobState.COMPLETED
    assert statuses(world, "sweep-sq-1") == ["Completed"] * 2


def test_a_preempted_tuning_job_continues_with_the_trials_that_are_left(world: SimulatedQueue) -> None:
    world.tune("sweep", parallel=2, trials=6)
    world.run_until(lambda: bool(tuning_jobs(world)) and statuses(world, "sweep-sq-1").count("Completed") >= 2)
    world.run(200)
    world.submit("urgent", 5, instances=2)
    world.run_until_empty()
    sweep = world.job("sweep")
    assert sweep.status.state is JobState.COMPLETED
    assert [ended.outcome for ended in sweep.status.history] == [Outcome.PREEMPTED, Outcome.COMPLETED]
    assert sweep.status.history[0].beneficiary == "urgent"
    assert world.job("urgent").status.history[0].reserved_at >= sweep.status.history[0].ended_at
    first, second = tuning_jobs(world)["sweep-sq-1"], tuning_jobs(world)["sweep-sq-2"]
    assert second.parents == [first.name]
    completed = statuses(world, first.name).count("Completed") + statuses(world, second.name).count("Completed")
    assert (completed, second.most_trials) == (6, 6 - statuses(world, first.name).count("Completed"))
    tuned = [trial.tuned["rate"] for job in (first, second) for trial in job.trials]
    assert len({*tuned}) == len(tuned)


def test_every_earlier_attempt_is_a_direct_parent(world: SimulatedQueue) -> None:
    world.tune("sweep", parallel=2, trials=20)
    for number in range(1, 4):
        name = f"sweep-sq-{number}"
        world.run_until(lambda name=name: name in tuning_jobs(world) and "Completed" in statuses(world, name))  # type: ignore[misc]
        world.submit(f"urgent-{number}", 5, instances=2)
        world.run_until(lambda number=number: world.job(f"urgent-{number}").is_finished)  # type: ignore[misc]
    world.run_until_empty()
    assert tuning_jobs(world)["sweep-sq-4"].parents == ["sweep-sq-1", "sweep-sq-2", "sweep-sq-3"]
    assert sum(statuses(world, name).count("Completed") for name in tuning_jobs(world)) == 20


def test_a_tuning_job_with_five_parents_is_not_preempted(world: SimulatedQueue) -> None:
    parents = [f"users-{number}" for number in range(1, 5)]
    for name in parents:
        world.tune(name, parallel=2, trials=2)
    world.run_until_empty()
    names = [{"HyperParameterTuningJobName": f"{name}-sq-1"} for name in parents]
    start = {"ParentHyperParameterTuningJobs": names, "WarmStartType": "IdenticalDataAndAlgorithm"}
    world.tune("sweep", parallel=2, trials=8, WarmStartConfig=start)
    world.run_until(lambda: "sweep-sq-1" in tuning_jobs(world) and "Completed" in statuses(world, "sweep-sq-1"))
    world.submit("urgent", 5, instances=2)
    world.run_until(lambda: world.job("urgent").is_finished)
    world.run_until(lambda: "sweep-sq-2" in tuning_jobs(world) and "Completed" in statuses(world, "sweep-sq-2"))
    world.submit("later", 5, instances=2)
    world.run_until_empty()
    assert [ended.outcome for ended in world.job("sweep").status.history] == [Outcome.PREEMPTED, Outcome.COMPLETED]


def test_a_cancelled_tuning_job_stops_its_children(world: SimulatedQueue) -> None:
    world.tune("sweep", parallel=2, trials=6)
    world.run(400)
    world.control.cancel("sweep", ADA)
    world.run_until_empty()
    assert world.job("sweep").status.state is JobState.STOPPED
    assert tuning_jobs(world)["sweep-sq-1"].status == "Stopped"


def test_a_failed_tuning_job_fails(world: SimulatedQueue) -> None:
    world.crashing = {"sweep"}
    world.tune("sweep", parallel=2, trials=2)
    world.run_until_empty()
    assert world.job("sweep").status.state is JobState.FAILED


def test_a_requeued_tuning_job_whose_trials_all_failed_runs_all_its_trials(world: SimulatedQueue) -> None:
    world.crashing = {"sweep"}
    world.tune("sweep", parallel=2, trials=2)
    world.run_until_empty()
    world.crashing = set()
    world.control.requeue("sweep", ADA)
    world.run_until_empty()
    assert world.job("sweep").status.state is JobState.COMPLETED
    assert (statuses(world, "sweep-sq-2"), tuning_jobs(world)["sweep-sq-2"].parents) == (["Completed"] * 2, [])


def test_a_tuning_job_with_good_trials_survives_an_attempt_whose_trials_all_fail(world: SimulatedQueue) -> None:
    world.tune("sweep", parallel=2, trials=14)
    world.run_until(lambda: bool(tuning_jobs(world)) and statuses(world, "sweep-sq-1").count("Completed") >= 2)
    world.submit("urgent", 5, instances=2)
    world.crashing = {"sweep"}
    world.run_until(lambda: "sweep-sq-2" in tuning_jobs(world) and tuning_jobs(world)["sweep-sq-2"].is_terminal)
    assert tuning_jobs(world)["sweep-sq-2"].status == "Failed"
    world.crashing = set()
    world.run_until_empty()
    sweep = world.job("sweep")
    assert sweep.status.state is JobState.COMPLETED
    assert [ended.outcome for ended in sweep.status.history] == [Outcome.PREEMPTED, Outcome.FAILED, Outcome.COMPLETED]
    assert tuning_jobs(world)["sweep-sq-3"].parents == ["sweep-sq-1", "sweep-sq-2"]
    assert sweep.status.tuning_progress.trials == 14


def test_a_tuning_job_whose_last_trial_fails_keeps_its_earlier_results(world: SimulatedQueue) -> None:
    world.tune("sweep", parallel=1, trials=3)
    world.run_until(lambda: bool(tuning_jobs(world)) and statuses(world, "sweep-sq-1").count("Completed") == 2)
    world.submit("urgent", 5, instances=2)
    world.crashing = {"sweep"}
    world.run_until_empty()
    assert tuning_jobs(world)["sweep-sq-2"].status == "Failed"
    assert world.job("sweep").status.state is JobState.COMPLETED


def test_a_tuning_job_starts_narrower_and_its_next_attempt_is_wider(world: SimulatedQueue) -> None:
    world.submit("first", 1)
    world.tune("sweep", parallel=2, trials=6, options={"min_parallel": 1})
    world.run_until(lambda: bool(tuning_jobs(world)) and "Completed" in statuses(world, "sweep-sq-1"))
    assert tuning_jobs(world)["sweep-sq-1"].parallel == 1
    world.run_until(lambda: world.job("first").is_finished)
    world.run(200)
    assert [*tuning_jobs(world)] == ["sweep-sq-1"]  # it never grows while it runs
    world.submit("urgent", 5, instances=2)
    world.run_until_empty()
    assert [job.parallel for job in tuning_jobs(world).values()] == [1, 2]
    assert world.job("sweep").status.state is JobState.COMPLETED
    assert sum(statuses(world, name).count("Completed") for name in tuning_jobs(world)) == 6


def test_children_are_never_counted_or_judged_as_jobs_of_others(events: bool) -> None:
    world = SimulatedQueue(
        budget="ml.m5.large=3", scope=BudgetScope.ACCOUNT, guard=GuardMode.STOP, deliver_events=events
    )
    world.run(120)
    world.tune("sweep", parallel=2, trials=8)
    world.run(1500)
    assert not world.store.last_reconciliation.unmanaged
    assert not world.foreign.findings(1)
    world.submit("small")  # fits beside the tuning job
    world.run(300)
    assert world.job("small").status.state is JobState.RUNNING
    world.run_until_empty()
    assert statuses(world, "sweep-sq-1") == ["Completed"] * 8


def test_reconciliation_lists_no_tags_of_trials(events: bool) -> None:
    world, listed = (
        SimulatedQueue(budget="ml.m5.large=3", scope=BudgetScope.ACCOUNT, deliver_events=events),
        list[str](),
    )

    def note(params: dict[str, Any], **_: object) -> None:
        listed.append(params["ResourceArn"])

    world.client.meta.events.register("provide-client-params.sagemaker.ListTags", note)
    world.run(120)
    world.tune("sweep", parallel=2, trials=8)
    world.run(1500)
    assert statuses(world, "sweep-sq-1")
    assert not [arn for arn in listed if ":training-job/" in arn]


def test_a_lost_tuning_job_is_adopted_by_its_children(events: bool) -> None:
    world = SimulatedQueue(durations={"sweep": 1200}, deliver_events=events)
    world.run(600)
    world.tune("sweep", parallel=2, trials=4)
    backup = world.store.copy()
    world.run(600)
    assert list(world.store.attempts) == ["sweep-sq-1"]
    for name, value in vars(backup.copy()).items():
        setattr(world.store, name, value)
    world.submit("other")
    world.run(60)
    assert (world.job("sweep").status.state, list(world.store.attempts)) == (JobState.RUNNING, ["sweep-sq-1"])
    world.run_until_empty()
    assert [*tuning_jobs(world)] == ["sweep-sq-1"]


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_a_name_that_another_tuning_job_has_in_other_letters_is_given_up_after_some_minutes(is_cancelled: bool) -> None:
    """SageMaker takes both names for one, but may describe only the other."""
    world = SimulatedQueue(budget="ml.m5.large=4")
    world.client.create_hyper_parameter_tuning_job(**a_tuning_request("Sweep-sq-1"))
    world.tune("sweep")
    world.run(200)
    assert [*world.store.attempts] == ["sweep-sq-1"]  # it may exist, because Describe may be late
    if is_cancelled:
        world.control.cancel("sweep", ADA)
    world.run(300)
    state, attempts = (JobState.STOPPED, []) if is_cancelled else (JobState.RUNNING, ["sweep-sq-2"])
    assert (world.job("sweep").status.state, [*world.store.attempts]) == (state, attempts)
