"""A preempted tuning job continues with warm start: with its parents, and the trials and time that are left."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from scheduler.core.history.change import WRITTEN_BY_CYCLE, change_of
from scheduler.core.history.notices import NoticeKind, notice_in
from scheduler.core.jobs import transitions, user_actions
from scheduler.core.jobs.attempt import Observation, Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ActionKind, JobState, Stop, StopCause
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.work.kind import WorkKind
from scheduler.core.jobs.work.tuning import NO_PROGRESS, Trial, TuningLimits, TuningProgress
from scheduler.core.requests.attempt_request import attempt_request
from scheduler.core.retries.retry_decision import decide_retry
from scheduler.core.retries.retry_policy import RetryPolicy
from support.builders.jobs import NOON, a_job, an_attempt
from support.builders.tuning_requests import a_tuning_request

LATER = NOON + timedelta(minutes=10)
STOP = Stop(StopCause.PREEMPTION, NOON + timedelta(minutes=5), "urgent")
DONE, FAILED = Trial("Completed", NOON), Trial("Failed", NOON)
CUT = Trial("Stopped", NOON + timedelta(minutes=6))
EARLY = Trial("Stopped", NOON + timedelta(minutes=1))


def a_tuning_job(limits: TuningLimits, progress: TuningProgress = NO_PROGRESS, **changes: Any) -> Job:
    demand = Demand.of({"ml.m5.large": limits.parallel})
    return a_job("sweep", kind=WorkKind.TUNING, tuning=limits, demand=demand, tuning_progress=progress, **changes)


def stopped(limits: TuningLimits, *trials: Trial, stop: Stop | None = STOP, status: str = "Stopped") -> Job:
    job = a_tuning_job(limits, state=JobState.STOPPING, stop=stop, reason=Reason(ReasonCode.OUTRANKED, "for urgent"))
    seen = Observation(status, status, LATER, training_started_at=NOON, ended_at=LATER, trials=trials)
    return transitions.end_attempt(job, an_attempt(job), seen, LATER)


def sent(job: Job, request: dict[str, Any]) -> dict[str, Any]:
    return attempt_request(request, job, an_attempt(job, 2))


def test_the_next_attempt_repeats_no_finished_trial() -> None:
    job = stopped(TuningLimits(parallel=2, most_trials=6), DONE, FAILED, EARLY, CUT, CUT)
    assert job.status.state is JobState.PREEMPTED
    assert job.status.tuning_progress == TuningProgress(("sweep-sq-1",), 3, 600)


def test_a_stop_after_the_last_trial_completes_the_job() -> None:
    job = stopped(TuningLimits(parallel=2, most_trials=2), DONE, DONE)
    assert (job.status.state, job.status.history[-1].outcome) == (JobState.COMPLETED, Outcome.COMPLETED)


def test_a_stop_after_the_last_of_failed_trials_fails_the_job() -> None:
    job = stopped(TuningLimits(2, 2), FAILED, FAILED, status="Failed")
    assert (job.status.state, job.status.history[-1].outcome) == (JobState.FAILED, Outcome.FAILED)


def test_a_tuning_job_that_fails_at_a_stop_continues_with_the_trials_that_are_left() -> None:
    job = stopped(TuningLimits(2, 3), FAILED, FAILED, status="Failed")
    assert (job.status.state, job.status.tuning_progress.trials) == (JobState.PREEMPTED, 2)


VALUE = TuningProgress(("sweep-sq-1",), trials=3, has_value=True)


def failed(limits: TuningLimits, *trials: Trial, progress: TuningProgress = VALUE) -> Job:
    job = a_tuning_job(limits, progress, state=JobState.RUNNING)
    seen = Observation("Failed", "Failed", LATER, training_started_at=NOON, ended_at=LATER, trials=trials)
    return transitions.end_attempt(job, an_attempt(job, 2), seen, LATER)


def test_a_trial_with_a_value_counts_in_all_later_attempts() -> None:
    job = stopped(TuningLimits(2, most_trials=9), Trial("Completed", NOON, has_value=True), FAILED)
    assert job.status.tuning_progress.has_value
    assert not stopped(TuningLimits(2, most_trials=9), DONE, CUT).status.tuning_progress.has_value


def test_a_tuning_job_continues_after_an_attempt_whose_trials_all_failed() -> None:
    job = failed(TuningLimits(2, most_trials=9), *[FAILED] * 5)
    assert (job.status.state, job.status.reason.code) == (JobState.PENDING, ReasonCode.RETRYING)
    assert job.status.history[-1].outcome is Outcome.FAILED
    assert job.status.tuning_progress.trials == 8
    assert job.status.history[-1].action == "continues with the trials that are left"
    assert [action.kind for action in job.status.actions] == [ActionKind.RETRIED]


def test_the_notice_about_failed_trials_tells_that_the_job_continues() -> None:
    job = failed(TuningLimits(2, most_trials=9), *[FAILED] * 5)
    notice = notice_in(change_of(job, WRITTEN_BY_CYCLE, LATER, ()), job)
    assert notice is not None
    assert (notice.kind, notice.reason) == (
        NoticeKind.RETRIED,
        "All trials of the last attempt failed: it continues with the trials that are left.",
    )


@pytest.mark.parametrize(("most", "parents"), [(4, 0), (9, 3)], ids=["no trials left", "no parents left"])
def test_a_tuning_job_with_earlier_results_completes_if_it_cannot_continue(most: int, parents: int) -> None:
    job = failed(TuningLimits(2, most, parents=parents), FAILED)
    assert (job.status.state, job.status.history[-1].outcome) == (JobState.COMPLETED, Outcome.COMPLETED)
    assert job.status.reason.message == "its last trials failed; the results of its earlier attempts remain"


@pytest.mark.parametrize(
    ("trials", "progress"),
    [
        ((FAILED,), replace(VALUE, has_value=False)),
        ((FAILED, Trial("Completed", NOON, has_value=True)), VALUE),
        ((), VALUE),
    ],
    ids=["no earlier results", "not for its trials", "before its first trial"],
)
def test_a_tuning_job_fails_where_a_single_one_would(trials: tuple[Trial, ...], progress: TuningProgress) -> None:
    assert failed(TuningLimits(2, most_trials=9), *trials, progress=progress).status.state is JobState.FAILED


def test_a_failed_tuning_job_without_a_value_starts_over() -> None:
    job = failed(TuningLimits(2, most_trials=9), *[FAILED] * 5, progress=NO_PROGRESS)
    assert (job.status.state, job.status.tuning_progress.trials) == (JobState.FAILED, 5)
    asking = replace(job, options=replace(job.options, retries=1))
    for again in (user_actions.requeue(job, "ada", LATER), decide_retry(asking, RetryPolicy(), LATER)):
        assert (again.status.state, again.status.tuning_progress) == (JobState.PENDING, NO_PROGRESS)


def test_a_tuning_job_that_failed_before_its_first_trial_keeps_the_time_that_it_has_used() -> None:
    job = failed(TuningLimits(2, most_trials=9), progress=replace(NO_PROGRESS, seconds=3600))
    assert user_actions.requeue(job, "ada", LATER).status.tuning_progress.seconds >= 3600


def test_a_failed_tuning_job_with_a_value_continues_when_it_is_requeued() -> None:
    job = failed(TuningLimits(2, most_trials=9), Trial("Completed", NOON, has_value=True))
    assert (job.status.state, job.status.tuning_progress.trials) == (JobState.FAILED, 4)
    assert user_actions.requeue(job, "ada", LATER).status.tuning_progress == job.status.tuning_progress


def test_a_stop_with_too_little_time_left_completes_the_job() -> None:
    assert stopped(TuningLimits(2, most_trials=9, max_runtime=700), DONE).status.state is JobState.COMPLETED


def test_a_cancelled_tuning_job_stays_cancelled() -> None:
    cancelled = replace(STOP, cause=StopCause.CANCELLATION)
    assert stopped(TuningLimits(2, most_trials=1), DONE, stop=cancelled).status.state is JobState.STOPPED


def test_an_attempt_without_a_finished_trial_is_no_parent() -> None:
    assert stopped(TuningLimits(2, most_trials=6), CUT, CUT).status.tuning_progress.parents == ()


def test_a_tuning_job_that_restarts_forgets_its_attempts() -> None:
    limits = TuningLimits(2, most_trials=6, continues=False)
    assert stopped(limits, DONE, CUT).status.tuning_progress == NO_PROGRESS


def test_the_first_attempt_changes_only_the_name_and_the_tags() -> None:
    request = a_tuning_request(config={"RandomSeed": 7})
    changed = sent(a_tuning_job(TuningLimits(2, 4)), request)
    assert changed.pop("HyperParameterTuningJobName") == "sweep-sq-2"
    assert [tag["Key"] for tag in changed.pop("Tags")] == ["sagequeue:job", "sagequeue:attempt"]
    assert changed == {name: value for name, value in request.items() if name != "HyperParameterTuningJobName"}


def test_a_later_attempt_names_all_parents_and_has_the_rest_of_the_limits() -> None:
    given = {
        "ParentHyperParameterTuningJobs": [{"HyperParameterTuningJobName": "users-own"}],
        "WarmStartType": "IdenticalDataAndAlgorithm",
    }
    limits = {"MaxRuntimeInSeconds": 3600}
    request = a_tuning_request(trials=9, parallel=4, limits=limits, config={"RandomSeed": 7}, WarmStartConfig=given)
    progress = TuningProgress(("sweep-sq-1", "sweep-sq-2"), trials=6, seconds=1000)
    changed = sent(a_tuning_job(TuningLimits(4, 9, 3600, parents=1), progress), request)
    assert changed["WarmStartConfig"] == {
        "ParentHyperParameterTuningJobs": [
            {"HyperParameterTuningJobName": name} for name in ("users-own", "sweep-sq-1", "sweep-sq-2")
        ],
        "WarmStartType": "IdenticalDataAndAlgorithm",
    }
    config = changed["HyperParameterTuningJobConfig"]
    assert config["ResourceLimits"] == {
        "MaxNumberOfTrainingJobs": 3,
        "MaxParallelTrainingJobs": 3,
        "MaxRuntimeInSeconds": 2600,
    }
    assert config["RandomSeed"] == 13  # other values than those of the finished trials


@pytest.mark.parametrize("earlier", [5, 6])
def test_a_warm_start_never_names_more_parents_than_sagemaker_allows(earlier: int) -> None:
    progress = TuningProgress(tuple(f"sweep-sq-{number}" for number in range(1, earlier + 1)), trials=2)
    changed = sent(a_tuning_job(TuningLimits(2, 9), progress), a_tuning_request(trials=9))
    parents = changed["WarmStartConfig"]["ParentHyperParameterTuningJobs"]
    assert [parent["HyperParameterTuningJobName"] for parent in parents] == list(progress.parents[-5:])
