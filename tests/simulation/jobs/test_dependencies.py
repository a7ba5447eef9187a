"""Jobs that wait for others, on the emulated SageMaker."""

from datetime import timedelta

import pytest

from local_sagemaker.state_machine.description import model_artifacts_uri
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.requests.job_update import JobUpdate
from scheduler.cycle import successors
from scheduler.cycle.successors import Successors
from scheduler.errors.refusals import BadRequest
from support.account.simulated_queue import ADA, SWEEP_SECONDS, SimulatedQueue
from support.builders.callers import ACCOUNT
from support.memory import store

TWO = "ml.m5.large=2"
BEN, EVE = (f"arn:aws:iam::{ACCOUNT}:user/{name}" for name in ("ben", "eve"))
OWN = {"name": "users", "principals": ["user/*"], "execution_roles": ["*"], "verbs": ["submit", "control_own"]}


def submit(world: SimulatedQueue, name: str, **predecessors: str) -> Job:
    world.submit(name, tags={f"queue:{option.replace('_', '-')}": value for option, value in predecessors.items()})
    return world.job(name)


def state(world: SimulatedQueue, name: str) -> tuple[JobState, ReasonCode]:
    status = world.job(name).status
    return status.state, status.reason.code


def test_a_chain_starts_link_by_link_in_the_cycle_in_which_the_link_before_ends() -> None:
    world = SimulatedQueue(budget=TWO, durations={"prep": 300, "train": 300})
    submit(world, "prep")
    job = submit(world, "train", after_ok="prep")
    submit(world, "report", after_ok="prep+train")
    assert (job.status.reason.code, job.status.reason.waits_for) == (ReasonCode.WAITS_FOR_JOB, "prep")
    world.run(200)
    assert (world.job("train").is_deferred, world.job("report").is_deferred) == (True, True)
    world.run_until(lambda: world.job("prep").is_finished)
    assert (world.job("train").is_live, world.job("report").status.awaits) == (True, "train")
    world.run_until_empty()
    assert {job.status.state for job in world.store.jobs.values()} == {JobState.COMPLETED}


def test_jobs_and_arrays_get_the_model_of_a_predecessor_in_each_attempt() -> None:
    world = SimulatedQueue(budget=TWO, durations={"prep": 300})
    submit(world, "prep")
    uses = {"MODEL": "${jobs.prep.model}"}
    world.submit("train", tags={"queue:after-ok": "prep"}, Environment=uses)
    world.submit_array("sweep", 2, options={"after_ok": ["prep"]}, Environment=uses)
    world.run_until(lambda: world.job("train").is_live)
    world.control.requeue("train", ADA)
    world.run_until_empty()
    world.submit("late", tags={"queue:after-ok": "prep"}, Environment=uses)
    world.run_until_empty()
    attempts = world.simulation.machine.jobs
    model = model_artifacts_uri(attempts["prep-sq-1"].request)
    names = {"train-sq-1", "train-sq-2", "sweep-0-sq-1", "sweep-1-sq-1", "late-sq-1"}
    assert {name: attempts[name].request["Environment"]["MODEL"] for name in names} == dict.fromkeys(names, model)


def test_no_attempt_starts_with_a_placeholder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "with_models", lambda request, _: request)
    world = SimulatedQueue(budget=TWO, durations={"prep": 300})
    submit(world, "prep")
    world.submit("train", tags={"queue:after-ok": "prep"}, Environment={"MODEL": "${jobs.prep.model}"})
    world.run_until(lambda: world.job("prep").is_finished)
    world.run(120)
    assert state(world, "train") == (JobState.PARKED, ReasonCode.UNREADABLE_REQUEST)
    assert "train-sq-1" not in world.simulation.machine.jobs


def test_a_model_of_a_stranger_or_an_array_is_refused() -> None:
    world = SimulatedQueue(configuration={"callers": [OWN]})
    world.submit("prep", owner=BEN)
    world.submit_array("sweep", 2, owner=BEN)
    for name, problem in (("prep", "results you cannot read"), ("sweep", "an array")):
        with pytest.raises(BadRequest, match=problem):
            world.submit(
                "train", owner=EVE, tags={"queue:after-ok": name}, Environment={"M": f"${{jobs.{name}.model}}"}
            )
    assert "train" not in world.store.jobs


def test_a_sweep_releases_what_the_check_after_an_end_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Successors, "check_after_ends", lambda _: False)
    monkeypatch.setattr(successors, "MAX_CHECKED", 1)  # several sweeps then check all
    world = SimulatedQueue(budget=TWO, durations={"prep": 300, "slow": 3600})
    for name in ("prep", "slow"):
        submit(world, name)
    for number in range(3):
        submit(world, f"behind{number}", after_ok="slow")
        submit(world, f"next{number}", after_ok="prep")
    world.run_until(lambda: world.job("prep").is_finished)
    world.run(8 * SWEEP_SECONDS)
    assert not any(world.job(f"next{number}").is_deferred for number in range(3))
    assert all(world.job(f"behind{number}").is_deferred for number in range(3))


def test_a_sweep_without_time_leaves_the_jobs_that_wait_for_others_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(successors, "MAX_CHECKED", 1)
    world = SimulatedQueue(budget=TWO)
    submit(world, "slow")
    for number in range(3):
        submit(world, f"behind{number}", after_ok="slow")
    world.cycle(sweep=True)
    next_token = world.store.successors_token
    assert next_token is not None
    world.scheduler.run_cycle(timedelta(), sweep=True)
    assert world.store.successors_token == next_token


def test_a_failed_predecessor_parks_or_cancels_the_job_with_a_notice() -> None:
    world = SimulatedQueue(budget=TWO, crashing={"prep"})
    submit(world, "prep")
    submit(world, "train", after_ok="prep")
    submit(world, "report", after_ok="prep", if_never_satisfied="cancel")
    submit(world, "cleanup", after_not_ok="prep")
    submit(world, "always", after_any="prep")
    world.run(3600)
    assert state(world, "train") == (JobState.PARKED, ReasonCode.DEPENDENCY_NEVER_SATISFIED)
    assert state(world, "report") == (JobState.STOPPED, ReasonCode.DEPENDENCY_NEVER_SATISFIED)
    assert {world.job(name).status.state for name in ("cleanup", "always")} == {JobState.COMPLETED}
    told = {notice.job: notice.remedy for notice in world.notices.sent if notice.job in {"train", "report"}}
    assert told["train"] == "Requeue that job, or run this job regardless: `sagequeue requeue train`."
    assert "report" in told


def test_a_requeue_of_the_failed_predecessor_lets_the_parked_job_wait_again() -> None:
    world = SimulatedQueue(budget=TWO, crashing=(failing := {"prep"}))
    submit(world, "prep")
    submit(world, "train", after_ok="prep")
    world.run_until(lambda: world.job("train").status.state is JobState.PARKED)
    failing.clear()
    world.control.requeue("prep", ADA)
    world.run(2 * SWEEP_SECONDS)
    assert world.job("train").is_deferred
    world.run_until_empty()
    assert world.job("train").status.state is JobState.COMPLETED


def test_a_requeue_of_the_parked_job_runs_it_regardless() -> None:
    world = SimulatedQueue(budget=TWO, crashing={"prep"})
    submit(world, "prep")
    submit(world, "train", after_ok="prep")
    world.run_until(lambda: world.job("train").status.state is JobState.PARKED)
    world.control.requeue("train", ADA)
    world.run_until_empty()
    assert world.job("train").status.state is JobState.COMPLETED


def test_users_act_on_a_job_that_waits_for_another() -> None:
    world = SimulatedQueue(budget=TWO, durations={"prep": 600})
    submit(world, "prep")
    for name in ("held", "cancelled", "first", "last"):
        submit(world, name, after_ok="prep")
    world.control.hold("held", ADA)
    world.control.cancel("cancelled", ADA)
    world.control.update("first", JobUpdate({"priority": 5}), ADA)
    world.control.top("last", ADA)
    world.run_until(lambda: world.job("prep").is_finished)
    world.run(10)
    assert world.job("first").is_live
    assert [world.job(name).status.state for name in ("held", "cancelled")] == [JobState.HELD, JobState.STOPPED]
    world.control.release("held", ADA)
    world.run_until_empty()
    assert world.job("held").status.state is JobState.COMPLETED


def test_a_cancelled_predecessor_counts_as_ended_at_the_next_sweep() -> None:
    world = SimulatedQueue(budget=TWO)
    submit(world, "prep", hold="true")
    submit(world, "train", after_any="prep")
    world.control.cancel("prep", ADA)
    world.run(2 * SWEEP_SECONDS)
    assert world.job("train").is_live


@pytest.mark.parametrize("option", ["after_ok", "after_any", "after_not_ok"])
@pytest.mark.parametrize("name", ["train", "unknown"])
def test_a_job_may_wait_only_for_others_that_exist(option: str, name: str) -> None:
    world = SimulatedQueue(budget=TWO)
    with pytest.raises(BadRequest, match=f"options.{option}") as refused:
        submit(world, "train", **{option: name})
    assert refused.value.field == f"options.{option}"
    assert not world.store.jobs


def test_a_dependency_that_can_never_be_satisfied_is_refused_and_a_satisfied_one_starts_the_job_at_once() -> None:
    world = SimulatedQueue(budget=TWO)
    submit(world, "prep")
    world.run_until_empty()
    with pytest.raises(BadRequest, match="cannot be satisfied"):
        submit(world, "cleanup", after_not_ok="prep")
    assert not submit(world, "train", after_ok="prep").is_deferred


def test_a_job_and_an_array_wait_for_a_whole_array() -> None:
    world = SimulatedQueue(budget=TWO)
    world.submit_array("sweep", 3)
    job = submit(world, "report", after_ok="sweep")
    assert job.status.reason.message == "it starts only after the array sweep has completed"
    world.submit_array("next", 2, options={"after_any": ["sweep"]})
    world.run_until(lambda: world.store.array("sweep").children.count("c") == 2)
    waiting = {job.name for job in world.store.jobs.values() if not job.status.attempts}
    assert {"report", "next-0", "next-1"} <= waiting
    world.run_until(lambda: world.store.array("next").is_finished and world.job("report").is_finished)
    assert state(world, "report") == (JobState.COMPLETED, ReasonCode.COMPLETED)


def test_a_job_is_parked_after_an_array_that_failed_and_goes_on_when_the_failed_child_completes() -> None:
    world = SimulatedQueue(budget=TWO, crashing=(crashing := {"sweep-1"}))
    world.submit_array("sweep", 2)
    submit(world, "report", after_ok="sweep")
    world.run_until(lambda: world.job("report").status.state is JobState.PARKED)
    message = "it starts only after the array sweep has completed, but it has ended, and 1 of its 2 jobs completed"
    assert world.job("report").status.reason.message == message
    crashing.clear()
    world.control.requeue("sweep-1", ADA)
    world.run_until(lambda: world.job("report").status.state is JobState.COMPLETED)


def test_a_name_means_the_job_if_an_array_has_it_too() -> None:
    world = SimulatedQueue(budget=TWO, durations={"prep": 60})
    world.submit("prep")
    world.submit_array("prep", 20)
    submit(world, "train", after_ok="prep")
    world.run_until(lambda: world.job("prep").is_finished)
    assert (world.job("train").status.awaits, world.store.array("prep").is_finished) == ("", False)


def test_an_array_that_would_wait_for_itself_is_refused() -> None:
    with pytest.raises(BadRequest, match="there is no job or array named sweep"):
        SimulatedQueue().submit_array("sweep", 2, options={"after_ok": ["sweep"]})
