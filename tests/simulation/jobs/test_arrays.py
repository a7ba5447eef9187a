"""Arrays on the emulated SageMaker: their children are created, run and counted, and whole arrays are acted on."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.requests.arrays.job_array import WINDOW, ArrayEnd, ArrayState, ChildState, JobArray
from scheduler.cycle import arrays
from scheduler.cycle.arrays import MOST_PER_PASS, Arrays
from scheduler.errors.internal import RecordRefused, UnknownJob
from scheduler.errors.refusals import NameTaken, NotPermitted
from scheduler.errors.unreadable import UnreadableBody
from scheduler.errors.wrong_state import AlreadyFinished, ArrayEnded, ArrayHeld
from support.account.account import Account
from support.account.simulated_queue import ADA, PREEMPTS_AT_ONCE, SWEEP_SECONDS, SimulatedQueue, request
from support.builders.callers import ACCOUNT
from support.faults.call_faults import NoFaults

BEN = f"arn:aws:iam::{ACCOUNT}:user/ben"
THREE = "ml.m5.large=3"
OWN = {"name": "users", "principals": ["user/*"], "execution_roles": ["*"], "verbs": ["submit", "control_own"]}


def array(world: SimulatedQueue, name: str = "sweep") -> JobArray:
    return world.store.array(name)


def live(world: SimulatedQueue) -> int:
    return sum(job.is_live for job in world.store.jobs.values())


def run_until_ended(world: SimulatedQueue, name: str = "sweep") -> None:
    world.run_until(lambda: array(world, name).state is ArrayState.ENDED, limit=10 * 24 * 3600)


def test_every_child_runs_once_with_its_own_parameters() -> None:
    world = SimulatedQueue(budget=THREE)
    world.submit_array("sweep", 60)
    run_until_ended(world)
    assert array(world).count(ChildState.COMPLETED) == 60
    attempts = world.simulation.machine.jobs
    assert {name: job.resolved_request["HyperParameters"]["seed"] for name, job in attempts.items()} == {
        f"sweep-{number}-sq-1": str(number) for number in range(60)
    }
    assert {job.resolved_request["CheckpointConfig"]["S3Uri"] for job in attempts.values()} == {
        f"s3://bucket/checkpoints/sweep/{number}" for number in range(60)
    }


@pytest.mark.parametrize(("cap", "calls"), [(0, 5), (1000, 10)])
@pytest.mark.parametrize("size", [10, 3000])
def test_a_submission_makes_the_same_few_calls_for_each_length(size: int, cap: int, calls: int) -> None:
    account, made = Account(NoFaults(), configuration={"policy": {"queued_per_owner": cap}}), list[str]()
    account.service_calls.on_call = lambda call: made.append(call.operation) if call.function == "api" else None
    checkpoints = {"S3Uri": "s3://bucket/checkpoints/sweep/${index}"}
    body = request("sweep", HyperParameters={"seed": "${seed}"}, CheckpointConfig=checkpoints)
    answer = account.ask("POST", "/arrays", {"request": body, "parameters": {"seed": [*range(size)]}})
    account.close()
    assert (answer.status, len(made)) == (201, calls)


def test_only_a_window_of_children_waits_at_once() -> None:
    world = SimulatedQueue(budget=THREE)
    world.submit_array("sweep", 500)
    world.run(1000)
    waiting = [job for job in world.store.jobs.values() if job.is_queued]
    assert len(waiting) == WINDOW
    assert array(world).count(ChildState.NOT_CREATED) == 500 - len(world.store.jobs)
    child = world.children_to_come.job("sweep-499")
    assert (child.status.reason.code, f"at most {WINDOW} wait at once" in child.status.reason.message) == (
        ReasonCode.ARRAY_LIMIT,
        True,
    )
    for name in ("sweep-500", "sweep-007", "other-0", "-"):
        with pytest.raises(UnknownJob):
            world.children_to_come.job(name)


def test_no_more_children_run_at_once_than_the_array_allows() -> None:
    world = SimulatedQueue(budget="ml.m5.large=9")
    world.submit_array("sweep", 12, at_most=4)
    most = 0
    while array(world).state is not ArrayState.ENDED:
        world.run(30)
        most = max(most, live(world))
    assert (most, array(world).count(ChildState.COMPLETED)) == (4, 12)


def test_a_requeued_child_waits_while_as_many_run_as_the_array_allows() -> None:
    world = SimulatedQueue(budget="ml.m5.large=9", crashing=(failing := {"sweep-0"}))
    world.submit_array("sweep", 20, at_most=2)
    world.run_until(lambda: array(world).count(ChildState.FAILED) == 1)
    failing.clear()
    world.control.requeue("sweep-0", ADA)
    world.run(SWEEP_SECONDS)
    job = world.job("sweep-0")
    status = world.queue.job_status_reader.of(job)
    assert (live(world), status.reason.code) == (2, ReasonCode.ARRAY_LIMIT)
    run_until_ended(world)
    assert array(world).count(ChildState.COMPLETED) == 20


def test_children_end_as_failed_and_the_limit_of_failures_ends_the_array() -> None:
    world = SimulatedQueue(budget=THREE, crashing={f"sweep-{number}" for number in range(0, 100, 2)})
    world.submit_array("sweep", 100, most_failures=5)
    run_until_ended(world)
    ended = array(world)
    assert ended.end is ArrayEnd.TOO_MANY_FAILURES
    assert 6 <= ended.count(ChildState.FAILED) <= 8  # those that ran on when the sixth failed
    assert ended.count(ChildState.NOT_CREATED) > 40
    cancelled = [job for job in world.store.jobs.values() if job.status.state is JobState.STOPPED]
    assert {job.status.reason.message for job in cancelled} == {"cancelled by the limit of failures of sweep"}
    assert len(cancelled) == ended.count(ChildState.STOPPED)


def test_a_child_that_has_run_continues_after_too_many_failures() -> None:
    world = SimulatedQueue(budget="ml.m5.large=2", crashing={"sweep-0"}, durations={"sweep-1": 7200})
    world.submit_array("sweep", 4, at_most=2, most_failures=0)
    world.run_until(lambda: array(world).end is ArrayEnd.TOO_MANY_FAILURES)
    world.submit("urgent", priority=9, instances=2)
    world.run_until(lambda: world.job("sweep-1").status.state is JobState.PREEMPTED)
    world.cycle()
    assert (array(world).children[1], array(world).is_due) == (ChildState.WAITING, False)
    run_until_ended(world)
    assert array(world).children.startswith("fc")
    assert world.job("sweep-1").status.preemptions == 1


def test_a_hold_reaches_a_child_that_continues_after_too_many_failures() -> None:
    world = SimulatedQueue(budget="ml.m5.large=2", crashing={"sweep-0"}, durations={"sweep-1": 7200})
    world.submit_array("sweep", 2, most_failures=0)
    world.run_until(lambda: array(world).end is ArrayEnd.TOO_MANY_FAILURES)
    world.arrays.hold("sweep", ADA)
    world.submit("urgent", priority=9, instances=2)
    world.run_until(lambda: world.job("sweep-1").status.state is JobState.HELD)
    world.arrays.release("sweep", ADA)
    run_until_ended(world)
    assert array(world).children == "fc"


def test_a_cancelled_array_cancels_running_and_waiting_children_and_creates_no_more() -> None:
    world = SimulatedQueue(budget=THREE)
    world.submit_array("sweep", 100)
    world.run(120)
    created = len(world.store.jobs)
    world.arrays.cancel("sweep", ADA)
    run_until_ended(world)
    assert {job.status.state for job in world.store.jobs.values()} == {JobState.STOPPED}
    assert (len(world.store.jobs), array(world).count(ChildState.STOPPED)) == (created, created)
    with pytest.raises(AlreadyFinished):
        world.arrays.cancel("sweep", ADA)


def test_a_cycle_without_a_sweep_cancels_the_waiting_children_of_a_cancelled_array() -> None:
    world = SimulatedQueue(budget=THREE)
    world.submit_array("sweep", 40)
    world.run(120)
    started = {job.name for job in world.store.jobs.values() if job.status.attempts}
    world.arrays.cancel("sweep", ADA)
    world.cycle()
    assert not [job.name for job in world.store.jobs.values() if job.is_queued]
    assert {job.name for job in world.store.jobs.values() if job.status.attempts} == started


def test_a_cycle_without_a_sweep_stops_the_running_children_of_a_cancelled_array() -> None:
    world = SimulatedQueue(budget=THREE)
    world.submit_array("sweep", 3)
    world.run(120)
    assert array(world).children == "rrr"
    world.arrays.cancel("sweep", ADA)
    world.cycle()
    assert all(job.was_cancelled for job in world.store.jobs.values())
    assert (array(world).wish, array(world).is_due) == (None, False)


def test_cancelling_an_array_writes_no_child_whose_record_cannot_be_read() -> None:
    world = SimulatedQueue(budget=THREE)
    world.submit_array("sweep", 40)
    world.run(120)
    job = next(job for job in world.store.jobs.values() if job.is_queued)
    parked = replace(job.status, state=JobState.PARKED, reason=Reason(ReasonCode.UNREADABLE_RECORD, "unreadable"))
    unreadable = replace(job, status=parked)
    world.store.jobs[job.name] = unreadable
    world.arrays.cancel("sweep", ADA)
    world.cycle(sweep=True)
    assert world.job(job.name) == unreadable
    assert not [job.name for job in world.store.jobs.values() if job.is_queued]


def test_one_unreadable_child_keeps_no_other_from_being_held() -> None:
    world = SimulatedQueue(budget=THREE)
    world.submit_array("sweep", 40)
    world.run(120)
    job = next(job for job in world.store.jobs.values() if job.is_queued)
    parked = replace(job.status, state=JobState.PARKED, reason=Reason(ReasonCode.UNREADABLE_RECORD, "unreadable"))
    world.store.jobs[job.name] = replace(job, status=parked)
    world.arrays.hold("sweep", ADA)
    world.cycle()
    assert not [other.name for other in world.store.jobs.values() if other.is_queued]


def test_a_held_array_starts_nothing_until_it_is_released() -> None:
    world = SimulatedQueue(budget=THREE)
    world.submit_array("sweep", 40)
    world.run(120)
    running = {job.name for job in world.store.jobs.values() if job.is_live}
    world.arrays.hold("sweep", ADA)
    world.run(3600)
    started = {job.name for job in world.store.jobs.values() if job.status.attempts}
    assert (started, array(world).state) == (running, ArrayState.HELD)
    world.arrays.release("sweep", ADA)
    run_until_ended(world)
    assert array(world).count(ChildState.COMPLETED) == 40


def test_a_new_priority_applies_to_created_and_later_children() -> None:
    world = SimulatedQueue(budget=THREE)
    world.submit_array("sweep", 40)
    world.run(60)
    world.arrays.prioritise("sweep", 7, ADA)
    run_until_ended(world)
    priorities = Counter(job.options.priority for job in world.store.jobs.values())
    assert priorities == {7: 40}


def test_an_array_on_hold_creates_no_child() -> None:
    world = SimulatedQueue(budget=THREE)
    world.submit_array("sweep", 3, options={"hold": True})
    world.run(600)
    assert not world.store.jobs
    world.arrays.release("sweep", ADA)
    run_until_ended(world)
    assert len(world.store.jobs) == 3


def test_others_may_neither_act_on_an_array_nor_take_its_name() -> None:
    world = SimulatedQueue(budget=THREE, configuration={"callers": [OWN]})
    world.submit_array("sweep", 3)
    with pytest.raises(NotPermitted):
        world.arrays.cancel("sweep", BEN)
    with pytest.raises(NameTaken):
        world.submit_array("sweep", 3, owner=BEN)


def test_a_child_whose_name_is_taken_counts_as_failed() -> None:
    world = SimulatedQueue(budget=THREE)
    world.submit("sweep-2")
    world.submit_array("sweep", 4)
    run_until_ended(world)
    assert array(world).children == "ccfc"
    assert array(world).problem == "The queue has another job named sweep-2"


def test_children_wait_for_the_jobs_that_the_array_names() -> None:
    world = SimulatedQueue(budget=THREE, durations={"prep": 1200})
    world.submit("prep")
    world.submit_array("sweep", 40, options={"after_ok": ["prep"]})
    world.run(900)
    assert {job.status.awaits for name, job in world.store.jobs.items() if name != "prep"} == {"prep"}
    run_until_ended(world)
    assert array(world).count(ChildState.COMPLETED) == 40


def test_a_sweep_finds_the_ends_that_the_check_after_them_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Arrays, "check_changed", lambda _: False)
    world = SimulatedQueue(budget=THREE)
    world.submit_array("sweep", 4)
    run_until_ended(world)
    assert array(world).count(ChildState.COMPLETED) == 4


def test_a_job_of_another_user_waits_for_no_more_children_than_the_window() -> None:
    world = SimulatedQueue(budget="ml.m5.large=1")
    world.submit_array("sweep", 200)
    world.run(30)
    world.submit("single", owner=BEN)
    world.run_until(lambda: world.job("single").is_live)
    assert sum(job.status.attempts for job in world.store.jobs.values()) <= WINDOW + 2


def test_an_action_on_an_array_reads_none_of_its_children(monkeypatch: pytest.MonkeyPatch) -> None:
    world = SimulatedQueue(budget=THREE)
    world.submit_array("sweep", 40)
    world.run(120)
    with monkeypatch.context() as patches:
        patches.setattr(world.store, "get", None)
        patches.setattr(world.store, "predecessors", None)
        world.arrays.prioritise("sweep", 3, ADA)
        world.arrays.hold("sweep", ADA)
    world.cycle()
    assert {job.options.priority for job in world.store.jobs.values() if not job.is_finished} == {3}
    assert array(world).wish is None


def test_a_child_that_stops_running_is_held_with_its_array() -> None:
    world = SimulatedQueue(budget="ml.m5.large=1", configuration={"policy": PREEMPTS_AT_ONCE})
    world.submit_array("sweep", 3)
    world.run(120)
    world.arrays.hold("sweep", ADA)
    world.submit("urgent", priority=9)
    world.run(3600)
    assert [world.job(name).status.state for name in ("urgent", "sweep-0")] == [JobState.COMPLETED, JobState.HELD]
    world.arrays.release("sweep", ADA)
    run_until_ended(world)
    assert array(world).children == "ccc"


def test_a_live_child_whose_record_cannot_be_read_counts_as_running() -> None:
    world = SimulatedQueue(budget="ml.m5.large=9")
    world.submit_array("sweep", 12, at_most=2)
    world.run(120)
    job = world.job("sweep-0")
    parked = replace(job.status, state=JobState.PARKED, reason=Reason(ReasonCode.UNREADABLE_RECORD, "unreadable"))
    world.store.jobs["sweep-0"] = replace(job, status=parked, place=None)
    world.run(240)
    assert (array(world).children[0], live(world)) == (ChildState.LIVE, 1)
    world.store.jobs["sweep-0"] = job
    run_until_ended(world)
    assert array(world).count(ChildState.COMPLETED) == 12


def test_a_child_of_an_ended_or_held_array_is_neither_requeued_nor_released() -> None:
    world = SimulatedQueue(budget=THREE, crashing={"sweep-0"})
    world.submit_array("sweep", 40)
    world.run_until(lambda: array(world).count(ChildState.FAILED) == 1)
    world.arrays.hold("sweep", ADA)
    world.cycle()
    with pytest.raises(ArrayHeld, match="sweep-0 cannot start: its array sweep is held by"):
        world.control.requeue("sweep-0", ADA)
    held = next(job.name for job in world.store.jobs.values() if job.status.state is JobState.HELD)
    with pytest.raises(ArrayHeld):
        world.control.release(held, ADA)
    world.arrays.cancel("sweep", ADA)
    with pytest.raises(ArrayHeld):  # the next cycle would hold it again, if it does not cancel it
        world.control.release(held, ADA)
    with pytest.raises(ArrayEnded, match="sweep-0 cannot run again: its array sweep was cancelled"):
        world.control.requeue("sweep-0", ADA)


def test_an_array_whose_request_cannot_be_read_is_held_until_a_user_releases_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unreadable(*_: object) -> None:
        raise UnreadableBody("sweep")

    world = SimulatedQueue(budget=THREE)
    world.submit_array("sweep", 3)
    with monkeypatch.context() as patches:
        patches.setattr(world.store, "parameters_of", unreadable)
        world.run(300)
    assert (array(world).held_by, array(world).children) == ("the queue", "...")
    assert "REQUEST#sweep" in array(world).problem
    world.arrays.release("sweep", ADA)
    run_until_ended(world)
    assert (array(world).children, array(world).problem) == ("ccc", "")


def test_an_expired_array_ends_at_once_and_its_running_children_go_on() -> None:
    world = SimulatedQueue(budget="ml.m5.large=1")
    expires = world.clock.now() + timedelta(minutes=20)
    world.submit_array("sweep", 500, options={"expires": expires.isoformat()})
    world.run_until(lambda: array(world).state is ArrayState.ENDED, limit=3600)
    ended = array(world)
    assert ended.end is ArrayEnd.EXPIRED
    assert (ended.count(ChildState.COMPLETED) >= 1, ended.count(ChildState.NOT_CREATED) > 400) == (True, True)


def test_arrays_with_errors_keep_no_other_from_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    world = SimulatedQueue(budget=THREE)
    create = world.store.create_child

    def failing(array_: JobArray, child: Job) -> JobArray:
        if array_.name != "last":
            raise RecordRefused(child.name)
        return create(array_, child)

    monkeypatch.setattr(world.store, "create_child", failing)
    for number in range(MOST_PER_PASS + 2):
        world.submit_array(f"broken{number}", 2)
    world.submit_array("last", 2)
    world.cycle()
    assert array(world, "last").children == "rr"


def test_each_of_many_arrays_is_swept_in_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Arrays, "check_changed", lambda _: False)
    monkeypatch.setattr(arrays, "MOST_PER_SWEEP", 2)
    world = SimulatedQueue(budget=THREE)
    for number in range(5):
        world.submit_array(f"sweep{number}", 1)
    world.run_until(lambda: all(array(world, f"sweep{number}").state is ArrayState.ENDED for number in range(5)))
