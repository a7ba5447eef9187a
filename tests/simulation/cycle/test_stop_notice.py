"""A program gets notice before its attempt is stopped, and is stopped when it has saved or when the time is up."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from scheduler.core.jobs import transitions
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.stop_notice import Save
from scheduler.errors.internal import RecordRefused
from scheduler.queue.submission import Submission
from support.account.simulated_queue import ADA, SWEEP_SECONDS, SimulatedQueue, request

NOTICE = 120
WITH_NOTICE = {"policy": {"patience": "0s", "protected_run_time": "0s", "notice": f"{NOTICE}s"}}
VICTIM = "victim-sq-1"
#: The most seconds between a deadline and its stop, if only a sweep notices it.
BOUND = SWEEP_SECONDS


def training(configuration: Mapping[str, Any] = WITH_NOTICE, **members: Any) -> SimulatedQueue:
    """Returns a queue whose only job trains, with a program that has reported its start."""
    queue = training_silently(configuration, **members)
    report_start(queue)
    return queue


def training_silently(configuration: Mapping[str, Any] = WITH_NOTICE, **members: Any) -> SimulatedQueue:
    """Returns a queue whose only job trains, with a program that has reported nothing."""
    queue = SimulatedQueue("ml.m5.large=1", configuration, durations={"victim": 7200, "urgent": 60})
    queue.submit("victim", **members)
    queue.run_until(lambda: status(queue) == "InProgress/Training")
    return queue


def status(queue: SimulatedQueue, name: str = VICTIM) -> str:
    found = queue.simulation.machine.jobs.get(name)
    return "" if found is None else f"{found.status}/{found.secondary}"


def is_stopped(queue: SimulatedQueue) -> bool:
    return status(queue) != "InProgress/Training"


def asked_at(queue: SimulatedQueue) -> str:
    return str(json.loads(queue.stop_objects.requests[VICTIM])["asked_at"])


def acknowledge(queue: SimulatedQueue, **members: Any) -> None:
    write_acknowledgement(queue, {"step": 1200, "stop_asked_at": asked_at(queue), "uploaded": True} | members)


def write_start(queue: SimulatedQueue) -> None:
    """Writes what the package writes at its start, as if the event about it were lost."""
    write_acknowledgement(queue, {"step": None, "stop_asked_at": None, "uploaded": None})


def report_start(queue: SimulatedQueue) -> None:
    write_start(queue)
    queue.store.record_save(VICTIM, Save(None, queue.clock.now()), by="observation")


def write_acknowledgement(queue: SimulatedQueue, members: Mapping[str, Any]) -> None:
    content = {"attempt": VICTIM, "saved_at": queue.clock.now().isoformat(), "save_seconds": 3.2, **members}
    queue.stop_objects.acknowledgements[VICTIM] = json.dumps(content).encode()


def test_a_program_is_asked_first_and_its_attempt_stopped_once_it_has_saved() -> None:
    queue = training()
    queue.submit("urgent", 9)
    queue.cycle()
    asked = json.loads(queue.stop_objects.requests[VICTIM])
    notice = queue.store.attempts[VICTIM].notice
    assert notice is not None
    assert asked == {"state": "stop", "notice_seconds": NOTICE, "asked_at": notice.asked_at.isoformat()}
    assert notice.deadline == notice.asked_at + timedelta(seconds=NOTICE)
    assert (queue.job("victim").status.state, is_stopped(queue)) == (JobState.STOPPING, False)
    acknowledge(queue)
    queue.cycle()
    assert is_stopped(queue)
    queue.run_until(lambda: bool(queue.job("victim").status.history))
    saved = queue.job("victim").status.history[0].saved
    assert saved is not None
    assert (saved.step, saved.answers) == (1200, notice.asked_at)
    queue.run_until_empty()
    assert {job.status.state for job in queue.store.jobs.values()} == {JobState.COMPLETED}


def test_the_variables_lead_to_the_objects_of_the_attempt() -> None:
    queue = training(Environment={"MINE": "1", "SAGEQUEUE_ATTEMPT": "copied"})
    environment = queue.simulation.machine.jobs[VICTIM].request["Environment"]
    assert environment == {
        "MINE": "1",
        "SAGEQUEUE_ATTEMPT": VICTIM,
        "SAGEQUEUE_REGION": "us-east-1",
        "SAGEQUEUE_STOP_URI": f"s3://queue-bodies/stops/{VICTIM}",
        "SAGEQUEUE_ACK_URI": f"s3://queue-bodies/acks/{VICTIM}",
        "SAGEQUEUE_CHECKPOINT_PATH": "/opt/ml/checkpoints",
        "SAGEQUEUE_CHECKPOINT_URI": "s3://bucket/checkpoints/victim",
    }
    assert json.loads(queue.stop_objects.requests[VICTIM]) == {"state": "run"}


def test_a_program_without_the_package_is_stopped_at_once() -> None:
    queue = training_silently()
    queue.submit("urgent", 9)
    queue.cycle()
    assert is_stopped(queue)
    assert json.loads(queue.stop_objects.requests[VICTIM]) == {"state": "run"}


def test_a_program_whose_report_got_lost_on_the_way_is_asked_to_save() -> None:
    queue = training_silently()
    write_start(queue)
    queue.submit("urgent", 9)
    queue.cycle()
    assert (json.loads(queue.stop_objects.requests[VICTIM])["state"], is_stopped(queue)) == ("stop", False)
    saved = queue.store.attempts[VICTIM].saved
    assert saved is not None
    assert saved.step is None
    acknowledge(queue)
    queue.cycle()
    assert is_stopped(queue)


def test_a_program_whose_report_cannot_be_read_is_stopped_at_once() -> None:
    queue = training_silently()
    write_start(queue)
    queue.stop_objects.is_down = True
    queue.submit("urgent", 9)
    queue.cycle()
    assert is_stopped(queue)


@pytest.mark.parametrize(
    "saved_at", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:00", "0001-01-01T00:00:00+00:00"]
)
def test_a_report_with_an_impossible_time_prevents_no_stop(saved_at: str) -> None:
    queue = training_silently()
    write_acknowledgement(queue, {"step": 1, "stop_asked_at": None, "uploaded": None, "saved_at": saved_at})
    queue.submit("urgent", 9)
    queue.cycle()
    assert (is_stopped(queue), queue.store.attempts[VICTIM].saved) == (True, None)


@pytest.mark.parametrize("error", [RecordRefused("Item size has exceeded"), OverflowError("date value out of range")])
def test_a_report_that_the_table_refuses_prevents_no_stop(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = training_silently()
    write_start(queue)

    def refuse(*_: object, **__: object) -> bool:
        raise error

    monkeypatch.setattr(queue.store, "record_save", refuse)
    queue.submit("urgent", 9)
    queue.cycle()
    assert is_stopped(queue)


def test_a_program_that_does_not_answer_is_stopped_at_the_deadline() -> None:
    queue = training()
    queue.submit("urgent", 9)
    queue.cycle()
    queue.run(NOTICE - 10)
    assert not is_stopped(queue)
    queue.run(10 + BOUND)
    assert is_stopped(queue)


@pytest.mark.parametrize(
    "wrong",
    [
        {"stop_asked_at": None},
        {"stop_asked_at": "2026-01-01T00:00:00+00:00"},
        {"uploaded": False},
        {"attempt": "other-sq-1"},
        {"step": -1},
        {"step": None},
        {"step": "1200"},
        {"saved_at": "2026-01-01T00:00:00"},
        {"saved_at": "2099-01-01T00:00:00+00:00"},
        {"saved_at": "0001-01-01T00:00:00+00:00"},
        {"saved_at": "0001-01-01T00:00:00+23:59"},
        {"stop_asked_at": "9999-12-31T23:59:59-23:00"},
        {"uploaded": "yes"},
    ],
)
def test_an_acknowledgement_of_something_else_stops_nothing(wrong: dict[str, Any]) -> None:
    queue = training()
    queue.submit("urgent", 9)
    queue.cycle()
    acknowledge(queue, **wrong)
    queue.cycle()
    assert not is_stopped(queue)


@pytest.mark.parametrize("content", [b"", b"{", b"[" * 4096, b"7", b"null", b"\xff"])
def test_a_broken_acknowledgement_is_none(content: bytes) -> None:
    queue = training()
    queue.submit("urgent", 9)
    queue.cycle()
    queue.stop_objects.acknowledgements[VICTIM] = content
    queue.cycle()
    saved = queue.store.attempts[VICTIM].saved
    assert saved is not None
    assert (is_stopped(queue), saved.step) == (False, None)


def test_a_job_under_notice_is_no_second_victim_and_its_instances_are_kept_for_the_first_beneficiary() -> None:
    queue = training()
    queue.submit("urgent", 9)
    queue.cycle()
    actions = queue.job("victim").status.actions
    queue.submit("later", 8)
    queue.cycle()
    assert queue.job("victim").status.actions == actions
    acknowledge(queue)
    queue.run_until(lambda: queue.job("urgent").is_live)
    assert queue.job("later").is_queued


def test_a_stop_goes_on_although_its_beneficiary_was_cancelled() -> None:
    queue = training()
    queue.submit("urgent", 9)
    queue.cycle()
    queue.control.cancel("urgent", ADA)
    acknowledge(queue)
    queue.cycle()
    assert is_stopped(queue)


def test_a_cancel_stops_at_once_also_under_notice() -> None:
    queue = training()
    queue.submit("urgent", 9)
    queue.cycle()
    queue.control.cancel("victim", ADA)
    queue.cycle()
    assert is_stopped(queue)


def test_a_cancel_may_let_the_program_save_first() -> None:
    queue = training()
    queue.control.cancel("victim", ADA, save_first=True)
    queue.cycle()
    assert (json.loads(queue.stop_objects.requests[VICTIM])["state"], is_stopped(queue)) == ("stop", False)
    acknowledge(queue)
    queue.cycle()
    queue.run_until_empty()
    assert queue.job("victim").status.state is JobState.STOPPED


def test_a_second_cancel_waits_no_longer() -> None:
    queue = training()
    queue.control.cancel("victim", ADA, save_first=True)
    queue.cycle()
    queue.control.cancel("victim", ADA, save_first=True)
    queue.cycle()
    assert not is_stopped(queue)
    queue.control.cancel("victim", ADA)
    queue.cycle()
    assert is_stopped(queue)


def test_a_smaller_budget_gives_notice() -> None:
    queue = training()
    controls = replace(queue.store.read(), budget=Budget.parse("ml.m5.large=0"), stop_over_budget=True)
    queue.store.write(controls, by="api")
    queue.cycle()
    assert (json.loads(queue.stop_objects.requests[VICTIM])["state"], is_stopped(queue)) == ("stop", False)
    acknowledge(queue)
    queue.cycle()
    assert is_stopped(queue)


def test_a_stop_for_idle_gpus_gives_notice() -> None:
    queue = training()
    queue.run(3600)  # longer than the grace period
    stopped = transitions.stop_idle(queue.job("victim"), 15, queue.clock.now())
    queue.store.save_idle_check(stopped, by="idle_alarm")
    queue.cycle()
    assert (json.loads(queue.stop_objects.requests[VICTIM])["state"], is_stopped(queue)) == ("stop", False)
    acknowledge(queue)
    queue.cycle()
    assert is_stopped(queue)


def test_the_reason_says_when_the_program_was_asked_and_when_it_is_stopped() -> None:
    queue = training()
    queue.submit("urgent", 9)
    queue.cycle()
    notice = queue.store.attempts[VICTIM].notice
    assert notice is not None
    times = f"asked to save at {notice.asked_at:%H:%M:%S}, stops at {notice.deadline:%H:%M:%S} UTC at the latest"
    assert queue.job("victim").status.reason.message == f"preempted by urgent (priority 9 over 0); {times}"


def test_a_requeue_stops_at_once() -> None:
    queue = training()
    queue.control.requeue("victim", ADA)
    queue.cycle()
    assert is_stopped(queue)


@pytest.mark.parametrize(
    "members",
    [
        {"EnableNetworkIsolation": True},
        {"Environment": {f"V{number}": "" for number in range(96)}},
        {"CheckpointConfig": {"S3Uri": "s3://bucket/" + 512 * "x"}},
    ],
)
def test_a_job_that_cannot_use_a_notice_gets_none(members: dict[str, Any]) -> None:
    queue = training_silently(**members)
    assert queue.stop_objects.requests == {}
    assert not any("SAGEQUEUE" in name for name in queue.simulation.machine.jobs[VICTIM].request.get("Environment", {}))
    queue.submit("urgent", 9)
    queue.cycle()
    assert is_stopped(queue)


def test_a_job_without_checkpoints_gets_no_notice() -> None:
    queue = SimulatedQueue("ml.m5.large=1", WITH_NOTICE, durations={"victim": 7200})
    body = {name: value for name, value in request("victim").items() if name != "CheckpointConfig"}
    queue.queue.submit(Submission(body), caller=ADA)
    queue.run_until(lambda: status(queue) == "InProgress/Training")
    assert queue.stop_objects.requests == {}


def test_without_notice_in_the_policy_nothing_is_written() -> None:
    queue = training({"policy": WITH_NOTICE["policy"] | {"notice": "0s"}})
    assert queue.stop_objects.requests == {}
    queue.submit("urgent", 9)
    queue.cycle()
    assert is_stopped(queue)


def test_a_job_starts_without_notice_while_s3_fails() -> None:
    queue = SimulatedQueue("ml.m5.large=1", WITH_NOTICE, durations={"victim": 7200})
    queue.stop_objects.is_down = True
    queue.submit("victim")
    queue.run_until(lambda: status(queue) == "InProgress/Training")
    assert not queue.store.attempts[VICTIM].takes_notice
    queue.stop_objects.is_down = False
    queue.submit("urgent", 9)
    queue.cycle()
    assert is_stopped(queue)


def test_a_notice_that_cannot_be_written_is_tried_again_until_its_deadline() -> None:
    queue = training()
    queue.stop_objects.is_down = True
    queue.submit("urgent", 9)
    queue.cycle()
    assert (queue.store.attempts[VICTIM].notice, is_stopped(queue)) == (None, False)
    queue.stop_objects.is_down = False
    queue.cycle()
    assert json.loads(queue.stop_objects.requests[VICTIM])["state"] == "stop"
    queue.stop_objects.is_down = True
    queue.run(NOTICE + BOUND)
    assert is_stopped(queue)


def test_a_program_that_never_reported_is_looked_for_once_and_only_before_a_stop() -> None:
    queue = training_silently()
    queue.run(5 * SWEEP_SECONDS)
    assert queue.stop_objects.reads == []
    queue.submit("urgent", 9)
    queue.run(2 * SWEEP_SECONDS)
    assert queue.stop_objects.reads == [VICTIM]


def test_acknowledgements_are_read_once_in_a_cycle_and_only_under_notice() -> None:
    queue = training()
    queue.run(5 * SWEEP_SECONDS)
    assert queue.stop_objects.reads == []
    queue.submit("urgent", 9)
    queue.cycle()
    given = list(queue.stop_objects.reads)
    queue.cycle()
    assert queue.stop_objects.reads == [*given, VICTIM]


def test_an_answer_that_an_event_has_recorded_is_not_read_again() -> None:
    queue = training()
    queue.submit("urgent", 9)
    queue.cycle()
    notice = queue.store.attempts[VICTIM].notice
    assert notice is not None
    reads = len(queue.stop_objects.reads)
    queue.store.record_save(VICTIM, Save(7, queue.clock.now(), notice.asked_at), by="training_events")
    queue.cycle()
    assert (is_stopped(queue), len(queue.stop_objects.reads)) == (True, reads)


def test_a_job_that_completes_under_notice_is_completed() -> None:
    queue = SimulatedQueue("ml.m5.large=1", WITH_NOTICE, durations={"victim": 120, "urgent": 60})
    queue.submit("victim")
    queue.run_until(lambda: status(queue) == "InProgress/Training")
    queue.submit("urgent", 9)
    queue.run_until_empty()
    assert queue.job("victim").status.state is JobState.COMPLETED


def test_an_attempt_without_instances_is_stopped_at_once() -> None:
    queue = SimulatedQueue("ml.m5.large=1", WITH_NOTICE, durations={"victim": 7200})
    queue.submit("victim")
    queue.cycle()
    assert queue.store.attempts[VICTIM].takes_notice
    queue.submit("urgent", 9)
    queue.cycle()
    assert status(queue).startswith("Stopp")
