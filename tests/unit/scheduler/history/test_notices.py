"""The notices that owners get."""

import pytest

from scheduler.core.history.notices import NoticeKind, notice_of
from scheduler.core.jobs.attempt import EndedAttempt, FailureClass, Outcome
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from support.builders.jobs import NOON, a_job, changed_job

SECRET = "hyperparameter token=hunter2 is invalid"
FAILED = EndedAttempt(
    "resnet-sq-1",
    1,
    Outcome.FAILED,
    NOON,
    NOON,
    failure_reason=SECRET,
    failure_class=FailureClass.INTERNAL,
    action="tried again",
)


@pytest.mark.parametrize(
    ("state", "code", "kind"),
    [
        (JobState.PREEMPTED, ReasonCode.OUTRANKED, NoticeKind.PREEMPTED),
        (JobState.PREEMPTED, ReasonCode.OVER_BUDGET, NoticeKind.PREEMPTED),
        (JobState.PENDING, ReasonCode.RETRYING, NoticeKind.RETRIED),
        (JobState.PREEMPTED, ReasonCode.LEAVES_SPOT, NoticeKind.RETRIED),
        (JobState.PARKED, ReasonCode.EXCEEDS_BUDGET, NoticeKind.PARKED),
        (JobState.PARKED, ReasonCode.RULE_VIOLATED, NoticeKind.RULE_VIOLATED),
        (JobState.FAILED, ReasonCode.FAILED, NoticeKind.FAILED),
        (JobState.STOPPED, ReasonCode.IDLE_GPU, NoticeKind.STOPPED),
        (JobState.STOPPED, ReasonCode.HUNG, NoticeKind.STOPPED),
        (JobState.PREEMPTED, ReasonCode.HUNG, NoticeKind.RETRIED),
        (JobState.STOPPED, ReasonCode.TIME_LIMIT, NoticeKind.STOPPED),
        (JobState.STOPPED, ReasonCode.CANCELLED, None),
        (JobState.PREEMPTED, ReasonCode.REQUEUED, None),
        (JobState.PENDING, ReasonCode.CAPACITY, None),
        (JobState.RUNNING, ReasonCode.RUNNING, None),
        (JobState.COMPLETED, ReasonCode.COMPLETED, None),
    ],
)
def test_an_owner_is_notified_of_unexpected_changes(state: JobState, code: ReasonCode, kind: NoticeKind | None) -> None:
    notice = notice_of(changed_job(a_job(), state=state, reason=Reason(code, "why"), history=(FAILED,)))
    assert (notice.kind if notice else None) is kind


def test_a_job_that_runs_again_after_a_preemption_is_reported() -> None:
    notice = notice_of(changed_job(a_job(), state=JobState.RUNNING, preemptions=1))
    assert notice is not None
    assert notice.kind is NoticeKind.RESUMED


@pytest.mark.parametrize(
    ("state", "code"), [(JobState.FAILED, ReasonCode.FAILED), (JobState.PENDING, ReasonCode.RETRYING)]
)
def test_what_sagemaker_says_of_a_failure_is_not_passed_on_for_it_may_quote_the_request(
    state: JobState, code: ReasonCode
) -> None:
    notice = notice_of(changed_job(a_job(), state=state, reason=Reason(code, SECRET), history=(FAILED,)))
    assert notice is not None
    assert "hunter2" not in f"{notice}"


def test_a_quota_that_is_too_small_is_reported_in_the_queues_own_words() -> None:
    notice = notice_of(changed_job(a_job(), state=JobState.PARKED, reason=Reason(ReasonCode.CAPACITY, SECRET)))
    assert notice is not None
    assert notice.reason == "A SageMaker quota of this account is too small for it."
    assert "hunter2" not in f"{notice}"
