"""A failed attempt is retried, or fails its job."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from scheduler.core.jobs import transitions
from scheduler.core.jobs.attempt import EarlierAttempts, FailureClass
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState, Stop, StopCause
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.retries.memory_shortage import choices_of_other_types
from scheduler.core.retries.retry_decision import decide_retry
from scheduler.core.retries.retry_policy import RetryPolicy, Treatment
from scheduler.errors.refusals import BadRequest
from support.builders.configurations import a_configuration
from support.builders.jobs import NOON, a_job, a_sighting, an_attempt, changed_job

INTERNAL = "InternalServerError: We encountered an internal error. Please try again."
USER = "AlgorithmError: ExecuteUserScriptError:\nExitCode 1"


def failed(job: Job, text: str, trained: int = 600) -> Job:
    """The job after one more attempt that trained for some seconds and failed."""
    job = changed_job(job, state=JobState.RUNNING, attempts=job.status.attempts + 1)
    end = NOON + timedelta(seconds=trained)
    observation = a_sighting(
        "Failed", secondary_status="Failed", failure_reason=text, training_started_at=NOON, ended_at=end
    )
    return transitions.end_attempt(job, an_attempt(job, job.status.attempts), observation, end)


def after(text: str, times: int = 1, recovery: RetryPolicy | None = None, **how: Any) -> Job:
    job = a_job()
    for _ in range(times):
        job = decide_retry(failed(job, text), recovery or RetryPolicy(), NOON, **how)
    return job


def test_an_internal_error_is_retried_later_and_the_action_says_so() -> None:
    job = after(INTERNAL)
    assert (job.status.state, job.status.reason.code) == (JobState.PENDING, ReasonCode.RETRYING)
    assert job.status.not_before == NOON + timedelta(seconds=60)
    assert (job.status.history[-1].failure_class, job.status.history[-1].action) == (
        FailureClass.INTERNAL,
        "retried after 60 seconds",
    )


def test_each_further_retry_waits_twice_as_long_and_the_last_failure_stays() -> None:
    delays = []
    job = a_job()
    for _ in range(3):
        job = decide_retry(failed(job, INTERNAL), RetryPolicy(), NOON)
        assert job.status.not_before is not None
        delays.append((job.status.not_before - NOON).total_seconds())
    assert delays == [60, 120, 240]
    job = decide_retry(failed(job, INTERNAL), RetryPolicy(), NOON)
    assert job.status.state is JobState.FAILED
    assert job.status.history[-1].action == "given up: it was retried 3 times after failures of class internal"


def test_a_shortage_is_retried_practically_forever_but_at_most_every_half_hour() -> None:
    job = after("CapacityError: none left", times=30)
    assert job.status.state is JobState.PENDING
    assert job.status.not_before == NOON + timedelta(minutes=30)


def test_a_user_error_is_not_retried() -> None:
    job = after(USER)
    assert job.status.state is JobState.FAILED
    assert job.status.history[-1].failure_class is FailureClass.USER
    assert job.status.history[-1].action == "given up: failures of class user are not retried"


def test_a_failure_that_sagemaker_already_retried_is_not_retried() -> None:
    assert after(INTERNAL, retried_by_sagemaker=True).status.state is JobState.FAILED
    assert after("CapacityError: none", retried_by_sagemaker=True).status.state is JobState.PENDING


def test_an_attempt_that_trained_too_shortly_is_not_retried() -> None:
    recovery = RetryPolicy(treatments={FailureClass.USER: Treatment(retries=1, after_training=601)})
    assert decide_retry(failed(a_job(), USER, trained=600), recovery, NOON).status.state is JobState.FAILED
    assert decide_retry(failed(a_job(), USER, trained=601), recovery, NOON).status.state is JobState.PENDING


@pytest.mark.parametrize("cause", [StopCause.CANCELLATION, StopCause.PREEMPTION])
def test_a_failure_during_a_stop_counts_as_the_stop(cause: StopCause) -> None:
    stop = Stop(cause, NOON, "bob")
    job = failed(a_job(stop=stop), INTERNAL)
    assert decide_retry(job, RetryPolicy(), NOON) is job


def test_operators_set_how_failures_are_retried() -> None:
    section = {
        "patterns": [{"failure": "hardware", "pattern": "ExitCode 1"}],
        "treatments": {"hardware": {"retries": 1, "delay": "5s"}},
    }
    recovery = a_configuration(retries=section).retries
    job = after(USER, recovery=recovery)
    assert (job.status.history[-1].failure_class, job.status.state) == (FailureClass.HARDWARE, JobState.PENDING)
    assert after(USER, times=2, recovery=recovery).status.state is JobState.FAILED


OUT_OF_MEMORY = "AlgorithmError: ExecuteUserScriptError: torch.OutOfMemoryError: CUDA out of memory."


def with_choices(*types: str) -> Job:
    """Returns a job that may run on an instance of each of these types."""
    job = a_job()
    choices = (replace(job.spec, demand=Demand.of({kind: 1}), choice=number) for number, kind in enumerate(types))
    return replace(job, choices=tuple(choices), spec=replace(job.spec, demand=Demand.of({types[0]: 1})))


def test_a_job_without_enough_memory_continues_on_another_type_at_once() -> None:
    job = decide_retry(failed(with_choices("ml.g5.xlarge", "ml.g5.4xlarge"), OUT_OF_MEMORY), RetryPolicy(), NOON)
    assert (job.status.state, job.status.reason.code, job.status.not_before) == (
        JobState.PENDING,
        ReasonCode.RETRYING,
        None,
    )
    action = "retried on instances of another type: 1 × ml.g5.xlarge had too little memory"
    assert (job.status.history[-1].action, job.status.actions[-1].message) == (action, action)
    assert choices_of_other_types(job) == [1]


def test_a_job_that_ran_out_of_memory_on_each_type_is_given_up() -> None:
    job = with_choices("ml.g5.xlarge", "ml.g5.4xlarge")
    for number in (0, 1):
        job = decide_retry(failed(job.as_choice(number), OUT_OF_MEMORY), RetryPolicy(), NOON)
    assert job.status.state is JobState.FAILED
    assert job.status.history[-1].action == "given up: failures of class out_of_memory are not retried"


def test_a_job_that_repeats_the_type_that_was_too_small_is_given_up() -> None:
    job = with_choices("ml.g5.xlarge", "ml.g5.4xlarge")
    for _ in range(2):  # as if the rules refused the other choice
        job = decide_retry(failed(job.as_choice(0), OUT_OF_MEMORY), RetryPolicy(), NOON)
    assert job.status.state is JobState.FAILED


def test_other_numbers_of_the_same_type_do_not_help() -> None:
    elastic = with_choices("ml.g5.xlarge", "ml.g5.xlarge")
    assert decide_retry(failed(elastic, OUT_OF_MEMORY), RetryPolicy(), NOON).status.state is JobState.FAILED


def test_the_limit_of_attempts_holds_for_changes_of_the_type_too() -> None:
    job = with_choices("ml.g5.xlarge", "ml.g5.4xlarge")
    assert decide_retry(failed(job, OUT_OF_MEMORY), RetryPolicy(attempts_per_job=1), NOON).is_finished


def asking(retries: int) -> Job:
    job = a_job()
    return replace(job, options=replace(job.options, retries=retries))


@pytest.mark.parametrize("text", [INTERNAL, USER, OUT_OF_MEMORY])
def test_a_job_that_asks_for_retries_gets_them_whatever_the_cause(text: str) -> None:
    job = asking(2)
    for _ in range(2):
        job = decide_retry(failed(job, text), RetryPolicy(), NOON)
        assert job.status.reason.code is ReasonCode.RETRYING
    job = decide_retry(failed(job, text), RetryPolicy(), NOON)
    assert job.status.state is JobState.FAILED
    assert job.status.history[-1].action == "given up: its option retries allows 2"


def test_a_job_that_asks_for_no_retries_gets_none() -> None:
    assert decide_retry(failed(asking(0), INTERNAL), RetryPolicy(), NOON).status.state is JobState.FAILED
    elsewhere = with_choices("ml.g5.xlarge", "ml.g5.4xlarge")
    never = replace(elsewhere, options=replace(elsewhere.options, retries=0))
    assert decide_retry(failed(never, OUT_OF_MEMORY), RetryPolicy(), NOON).status.state is JobState.FAILED


def test_waiting_for_instances_uses_up_no_retry() -> None:
    job = asking(1)
    for text in ("CapacityError: no instances", "CapacityError: no instances", USER):
        job = decide_retry(failed(job, text), RetryPolicy(), NOON)
        assert job.status.reason.code is ReasonCode.RETRYING
    assert decide_retry(failed(job, USER), RetryPolicy(), NOON).status.state is JobState.FAILED


def test_failures_that_left_the_record_count_too() -> None:
    job = asking(3)
    earlier = EarlierAttempts(count=2, failures={FailureClass.USER: 2, FailureClass.CAPACITY: 7})
    job = replace(job, status=replace(job.status, earlier=earlier))
    job = decide_retry(failed(job, USER), RetryPolicy(), NOON)
    assert job.status.reason.code is ReasonCode.RETRYING
    assert decide_retry(failed(job, USER), RetryPolicy(), NOON).status.state is JobState.FAILED


def test_a_lower_limit_of_operators_holds_for_jobs_that_were_accepted_before() -> None:
    strict = RetryPolicy(requested_at_most=1)
    job = decide_retry(failed(asking(5), USER), strict, NOON)
    assert decide_retry(failed(job, USER), strict, NOON).status.history[-1].action.endswith("allows 1")


def test_more_retries_than_operators_allow_are_refused() -> None:
    with pytest.raises(BadRequest, match=r"options\.retries is 11") as refusal:
        RetryPolicy().refuse_more_retries(11)
    assert refusal.value.remedy == "Use at most 10, the limit of the section retries."
    RetryPolicy().refuse_more_retries(10)
    RetryPolicy().refuse_more_retries(None)
