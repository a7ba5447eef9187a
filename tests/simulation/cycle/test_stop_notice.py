"""A program gets notice before its attempt is stopped, and is stopped when it has saved or when the time is up."""

import json
from dataclasses import replace
from datetime import timedelta

from scheduler.core.jobs import transitions
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job_state import JobState
from simulation.cycle.victim import NOTICE, VICTIM, WITH_NOTICE, acknowledge, is_stopped, status, training
from support.account.simulated_queue import ADA, SWEEP_SECONDS, SimulatedQueue

#: The most seconds between a deadline and its stop, if only a sweep notices it.
BOUND = SWEEP_SECONDS


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


def test_a_program_that_does_not_answer_is_stopped_at_the_deadline() -> None:
    queue = training()
    queue.submit("urgent", 9)
    queue.cycle()
    queue.run(NOTICE - 10)
    assert not is_stopped(queue)
    queue.run(10 + BOUND)
    assert is_stopped(queue)


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


def test_a_job_that_completes_under_notice_is_completed() -> None:
    queue = SimulatedQueue("ml.m5.large=1", WITH_NOTICE, durations={"victim": 120, "urgent": 60})
    queue.submit("victim")
    queue.run_until(lambda: status(queue) == "InProgress/Training")
    queue.submit("urgent", 9)
    queue.run_until_empty()
    assert queue.job("victim").status.state is JobState.COMPLETED
