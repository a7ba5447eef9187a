"""Users act on jobs while the scheduler runs."""

from datetime import timedelta

import pytest

from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.requests.job_update import JobUpdate
from scheduler.errors.internal import LimitExceeded, StaleJob
from scheduler.errors.refusals import BadRequest, RuleViolated
from scheduler.errors.wrong_state import NotQueued
from support.account.account import Account
from support.account.simulated_queue import ADA, SimulatedQueue, request
from support.faults.call_faults import NoFaults
from support.faults.fault_points import FaultPoint, Killed
from support.faults.scripted_faults import ScriptedCalls


def outcomes(world: SimulatedQueue, name: str) -> list[Outcome]:
    return [past.outcome for past in world.job(name).status.history]


def test_a_requeued_job_is_stopped_and_starts_anew_as_the_next_attempt() -> None:
    world = SimulatedQueue(durations={"job": 3000})
    world.submit("job")
    world.run(100)
    world.control.requeue("job", ADA)
    world.run_until_empty()
    assert outcomes(world, "job") == [Outcome.REQUEUED, Outcome.COMPLETED]
    assert (world.job("job").status.attempts, world.job("job").status.preemptions) == (2, 0)


def test_a_requeued_job_waits_its_turn_and_says_why() -> None:
    world = SimulatedQueue(budget="ml.m5.large=1", durations={"job": 3000, "urgent": 3000})
    world.submit("job", 1)
    world.run(100)
    world.submit("urgent", 1)
    world.control.update("urgent", JobUpdate({"priority": 1}), ADA)
    world.control.requeue("job", ADA)
    world.control.top("urgent", ADA)
    world.run(600)
    assert world.job("urgent").status.state is JobState.RUNNING
    assert (world.job("job").status.state, world.job("job").status.reason.code) == (JobState.PENDING, "requeued")


def test_a_failed_job_runs_again_when_it_is_requeued() -> None:
    refuses = ScriptedCalls("create", [refuse_for_ever])
    world = SimulatedQueue(durations={"job": 60}, wrapped_port="training", fault_point=refuses)
    world.submit("job")
    world.run(60)
    assert world.job("job").status.state is JobState.PARKED
    world.control.requeue("job", ADA)
    world.run_until_empty()
    assert outcomes(world, "job") == [Outcome.NEVER_STARTED, Outcome.COMPLETED]


def test_a_held_job_stays_back_until_it_is_released() -> None:
    world = SimulatedQueue(durations={"job": 60})
    world.submit("job")
    world.control.hold("job", ADA)
    world.run(600)
    assert (world.job("job").status.state, world.job("job").status.attempts) == (JobState.HELD, 0)
    world.control.release("job", ADA)
    world.run_until_empty()
    assert outcomes(world, "job") == [Outcome.COMPLETED]


def test_a_raised_priority_preempts() -> None:
    world = SimulatedQueue(budget="ml.m5.large=1", durations={"low": 3000, "raised": 60})
    world.submit("low", 1)
    world.run(100)
    world.submit("raised", 1)
    world.run(100)
    assert world.job("low").status.state is JobState.RUNNING
    world.control.update("raised", JobUpdate({"priority": 2}), ADA)
    world.run_until_empty()
    assert outcomes(world, "low") == [Outcome.PREEMPTED, Outcome.COMPLETED]


def test_a_job_on_top_starts_before_older_ones_of_its_priority_but_not_before_higher_ones() -> None:
    world = SimulatedQueue(budget="ml.m5.large=1", durations=dict.fromkeys(("running", "high", "old", "moved"), 300))
    for name, priority in (("running", 9), ("high", 5), ("old", 1), ("moved", 1)):
        world.submit(name, priority)
    world.control.top("moved", ADA)
    world.run_until_empty()
    by_start = sorted(world.store.jobs.values(), key=lambda job: job.status.history[0].reserved_at)
    assert [job.name for job in by_start] == ["running", "high", "moved", "old"]


class LaggingIndex(NoFaults):
    def index_lag(self) -> float:
        return 30.0


def test_the_last_job_of_a_list_comes_first_though_the_index_still_shows_it_there() -> None:
    account = Account(LaggingIndex(), parameters={"InstanceBudget": "ml.m5.large=1"})
    try:
        account.ask("POST", "/add-job", request("running"))
        account.run(90)
        for name in ("first", "second"):
            account.ask("POST", "/add-job", request(name))
        account.ask("POST", "/jobs/second/top")
        account.run(60)
        changed = account.ask("POST", "/change-jobs", {"change": "top", "names": ["first", "second"]}).body["changed"]
        account.run(60)
        waiting = account.ask("GET", "/queue").body["head"]
        assert ([job["name"] for job in waiting], changed) == (["second", "first"], ["first", "second"])
    finally:
        account.close()


@pytest.mark.parametrize("at", range(1, 30))
@pytest.mark.parametrize("after", [False, True])
def test_a_requeue_survives_the_death_of_a_cycle_at_each_of_its_writes(at: int, after: bool) -> None:
    world = SimulatedQueue(
        durations={"job": 900}, wrapped_port="store", fault_point=FaultPoint(at, after=after, fault=killed)
    )
    world.submit("job")
    world.run(300)
    if world.job("job").is_live:
        world.control.requeue("job", ADA)
    world.run_until_empty()
    assert world.job("job").status.state is JobState.COMPLETED
    assert not world.store.attempts


@pytest.mark.parametrize("seconds", range(0, 200, 10))
def test_a_cancel_wins_over_a_requeue_whenever_it_comes(seconds: int) -> None:
    world = SimulatedQueue(durations={"job": 3000})
    world.submit("job")
    world.run(100)
    world.control.requeue("job", ADA)
    world.run(seconds)
    world.control.cancel("job", ADA)
    world.run_until_empty()
    assert world.job("job").status.state is JobState.STOPPED


def test_a_requeue_that_met_a_conflict_does_not_count_itself_for_the_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    world = SimulatedQueue(configuration={"policy": {"queued_per_owner": 1}})
    world.submit("job")
    world.control.cancel("job", ADA)
    save, conflicts = world.store.save, [StaleJob("job")]

    def save_after_a_conflict(job: Job, *, by: str) -> Job:
        if conflicts:
            raise conflicts.pop()
        return save(job, by=by)

    monkeypatch.setattr(world.store, "save", save_after_a_conflict)
    assert world.control.requeue("job", ADA).is_queued


def refuse_for_ever(_call: object, *_args: object) -> None:
    raise LimitExceeded("ml.m5.large is not available in this region", may_pass=False)


def killed() -> None:
    raise Killed


def test_an_updated_time_limit_is_that_of_the_next_attempt() -> None:
    world = SimulatedQueue(budget="ml.m5.large=1", durations={"first": 600, "job": 3000})
    world.submit("first")
    world.submit("job")
    world.run(100)
    world.control.update("job", JobUpdate(max_runtime=1200), ADA)
    world.run_until_empty()
    assert world.job("job").status.history[-1].secondary_status == "MaxRuntimeExceeded"
    assert world.job("job").status.actions[0].message == "max_runtime from 86400 to 1200"


def test_a_running_job_keeps_its_time_limit_but_not_its_priority() -> None:
    world = SimulatedQueue(durations={"job": 3000})
    world.submit("job")
    world.run(100)
    with pytest.raises(NotQueued, match="job is running, so its max_runtime cannot change"):
        world.control.update("job", JobUpdate({"priority": 3}, 1200), ADA)
    assert world.job("job").options.priority == 0
    world.control.update("job", JobUpdate({"priority": 3, "retries": 1, "notify": ["end"]}), ADA)
    assert world.job("job").options.priority == 3


@pytest.mark.parametrize("at", range(1, 12))
@pytest.mark.parametrize("after", [False, True])
def test_an_update_survives_the_death_of_a_cycle_at_each_of_its_writes(at: int, after: bool) -> None:
    world = SimulatedQueue(
        budget="ml.m5.large=1",
        durations={"first": 300, "job": 900},
        wrapped_port="store",
        fault_point=FaultPoint(at, after=after, fault=killed),
    )
    world.submit("first")
    world.submit("job")
    world.control.update("job", JobUpdate(max_runtime=600), ADA)
    world.run_until_empty()
    assert world.job("job").status.history[-1].secondary_status == "MaxRuntimeExceeded"


def test_an_update_waits_for_its_earliest_start_or_gives_it_up() -> None:
    world = SimulatedQueue(durations={"job": 60})
    world.submit("job")
    later = world.clock.now() + timedelta(minutes=30)
    world.control.update("job", JobUpdate({"not_before": later.isoformat()}), ADA)
    world.run(600)
    assert world.job("job").status.reason.code is ReasonCode.WAITS_FOR_TIME
    world.control.update("job", JobUpdate({"not_before": None}), ADA)
    world.run(100)
    assert world.job("job").status.attempts == 1


def test_a_waiting_job_may_not_change_to_a_team_that_its_owner_may_not_choose() -> None:
    teams = {"vision": {"members": ["*:user/ada"]}, "speech": {"members": ["*:user/ben"]}}
    world = SimulatedQueue(configuration={"shares": teams})
    world.submit("job")
    with pytest.raises(RuleViolated, match="cannot choose the team speech"):
        world.control.update("job", JobUpdate({"team": "speech"}), ADA)
    assert world.control.update("job", JobUpdate({"team": "vision"}), ADA).options.team == "vision"


def test_a_tuning_job_without_warm_start_stays_protected_from_preemptions() -> None:
    world = SimulatedQueue()
    world.tune("sweep", options={"never_preempt": True}, config={"Strategy": "Grid"})
    with pytest.raises(BadRequest, match="no warm start could continue sweep"):
        world.control.update("sweep", JobUpdate({"never_preempt": False}), ADA)
    with pytest.raises(BadRequest, match="cannot change after the submission"):
        world.control.update("sweep", JobUpdate({"restart_tuning": True}), ADA)
