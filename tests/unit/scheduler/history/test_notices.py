"""The notices that owners get."""

from datetime import timedelta

import pytest

from scheduler.core.calendar.times.timers import warn_of_deadline
from scheduler.core.history.change import change_of
from scheduler.core.history.notices import Notice, NoticeKind, notice_in
from scheduler.core.jobs import transitions
from scheduler.core.jobs.attempt import EndedAttempt, FailureClass, Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import ActionKind, JobState, NotifyMoment
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.jobs.start_conditions import ArrayPlace, JobTimes
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


def notice_for(job: Job, written_by: str = "schedule") -> Notice | None:
    return notice_in(change_of(job, written_by, NOON, ()), job)


def kind_for(job: Job, written_by: str = "schedule") -> NoticeKind | None:
    notice = notice_for(job, written_by)
    return notice.kind if notice else None


@pytest.mark.parametrize(
    ("state", "code", "kind"),
    [
        (JobState.PREEMPTED, ReasonCode.OUTRANKED, NoticeKind.PREEMPTED),
        (JobState.PREEMPTED, ReasonCode.OVER_BUDGET, NoticeKind.PREEMPTED),
        (JobState.PREEMPTED, ReasonCode.NARROWED, NoticeKind.PREEMPTED),
        (JobState.PENDING, ReasonCode.RETRYING, NoticeKind.RETRIED),
        (JobState.PREEMPTED, ReasonCode.LEAVES_SPOT, NoticeKind.RETRIED),
        (JobState.PARKED, ReasonCode.EXCEEDS_BUDGET, NoticeKind.PARKED),
        (JobState.PARKED, ReasonCode.RULE_VIOLATED, NoticeKind.RULE_VIOLATED),
        (JobState.FAILED, ReasonCode.FAILED, NoticeKind.FAILED),
        (JobState.STOPPED, ReasonCode.IDLE_GPU, NoticeKind.STOPPED),
        (JobState.STOPPED, ReasonCode.HUNG, NoticeKind.STOPPED),
        (JobState.PREEMPTED, ReasonCode.HUNG, NoticeKind.RETRIED),
        (JobState.PENDING, ReasonCode.HUNG, NoticeKind.RETRIED),
        (JobState.STOPPED, ReasonCode.TIME_LIMIT, NoticeKind.STOPPED),
        (JobState.STOPPED, ReasonCode.EXPIRED, NoticeKind.EXPIRED),
        (JobState.STOPPED, ReasonCode.CANCELLED, None),
        (JobState.PREEMPTED, ReasonCode.REQUEUED, None),
        (JobState.PENDING, ReasonCode.CAPACITY, None),
        (JobState.COMPLETED, ReasonCode.COMPLETED, NoticeKind.COMPLETED),
        (JobState.STOPPING, ReasonCode.OUTRANKED, None),
        (JobState.LAUNCHING, ReasonCode.FITS, None),
    ],
)
def test_each_change_has_its_kind_of_notice(state: JobState, code: ReasonCode, kind: NoticeKind | None) -> None:
    job = changed_job(a_job(), state=state, reason=Reason(code, "why"), history=(FAILED,))
    if state is JobState.PARKED:
        job = job.with_action(ActionKind.PARKED, job.status.updated_at, "why")
    assert kind_for(job) is kind
    assert {kind_for(job, by) for by in ("api", "idle_alarm", "pools", "unknown")} == {None}


def test_a_later_change_to_a_parked_job_is_not_reported() -> None:
    parked = transitions.park(a_job(), Reason(ReasonCode.EXCEEDS_BUDGET, "why"), NOON)
    assert kind_for(parked) is NoticeKind.PARKED
    assert kind_for(changed_job(parked, deferred=False, updated_at=NOON + timedelta(minutes=1))) is None


@pytest.mark.parametrize("written_by", ["api", "schedule"])
def test_a_job_that_needs_an_approval_is_reported_whoever_parked_it(written_by: str) -> None:
    parked = transitions.park(a_job(), Reason(ReasonCode.NEEDS_APPROVAL, "needs approval: it is large"), NOON)
    notice = notice_for(parked, written_by)
    assert notice is not None
    assert (notice.kind, notice.reason) == (NoticeKind.APPROVAL, "Needs approval: it is large.")
    assert f"`sagequeue approve resnet --max-runtime {parked.spec.max_runtime}`" in notice.remedy
    assert notice_for(changed_job(parked, priority=3, updated_at=NOON + timedelta(minutes=1)), written_by) is None


def test_the_notice_about_a_child_names_the_command_for_its_array() -> None:
    child = changed_job(a_job(), place=ArrayPlace("sweep", 3))
    notice = notice_for(transitions.park(child, Reason(ReasonCode.NEEDS_APPROVAL, "needs approval"), NOON))
    assert notice is not None
    assert f"`sagequeue arrays approve sweep --max-runtime {child.spec.max_runtime}`" in notice.remedy


def test_a_start_is_reported_once() -> None:
    started = transitions.confirm_running(changed_job(a_job(), state=JobState.LAUNCHING, attempts=1), NOON)
    assert kind_for(started) is NoticeKind.STARTED
    later = NOON + timedelta(minutes=1)
    assert kind_for(transitions.record_selection(started, Demand.of({"ml.g5.xlarge": 1}), later)) is None
    assert kind_for(transitions.spare(started, later)) is None
    assert kind_for(started, "idle_alarm") is None  # it stores warnings, and leaves all else as it was


def test_a_job_that_runs_again_after_a_preemption_is_reported_with_the_time_it_waited() -> None:
    preempted = changed_job(a_job(), state=JobState.LAUNCHING, preemptions=1, history=(FAILED,))
    notice = notice_for(transitions.confirm_running(preempted, NOON + timedelta(minutes=7)))
    assert notice is not None
    assert (notice.kind, notice.reason) == (
        NoticeKind.RESUMED,
        "It runs again, 7 min after its last attempt ended.",
    )


@pytest.mark.parametrize(("uri", "where"), [("s3://data/checkpoints", "its last checkpoint"), (None, "the beginning")])
def test_an_interruption_is_reported(uri: str | None, where: str) -> None:
    running = changed_job(a_job(), state=JobState.RUNNING, preemptions=1, checkpoint_uri=uri)
    notice = notice_for(transitions.record_interruption(running, NOON + timedelta(hours=1)))
    assert notice is not None
    assert notice.kind is NoticeKind.INTERRUPTED
    assert where in notice.remedy


def test_a_warning_of_a_missed_deadline_is_reported_once() -> None:
    times = JobTimes(deadline=NOON + timedelta(hours=1))
    late = warn_of_deadline(changed_job(a_job(), times=times), "it has missed its deadline to end", NOON)
    notice = notice_for(late)
    assert notice is not None
    assert (notice.kind, notice.reason) == (
        NoticeKind.DEADLINE,
        f"It has missed its deadline to end. Its deadline to end: {NOON + timedelta(hours=1):%Y-%m-%d %H:%M} UTC.",
    )
    later = changed_job(late, updated_at=NOON + timedelta(minutes=1))
    assert kind_for(later) is None


def test_the_id_of_a_notice_names_the_version_and_is_the_same_each_time() -> None:
    job = changed_job(a_job(), state=JobState.COMPLETED, reason=Reason(ReasonCode.COMPLETED), version=4)
    first, again, other = notice_for(job), notice_for(job), notice_for(changed_job(job, version=5))
    assert first is not None
    assert other is not None
    assert (first.id, first) == ("resnet/4/completed", again)
    assert other.id != first.id


@pytest.mark.parametrize(
    ("notify", "chosen"),
    [
        ((), []),
        ((NotifyMoment.START,), [NoticeKind.STARTED]),
        ((NotifyMoment.END,), [NoticeKind.COMPLETED, NoticeKind.FAILED]),
        ((NotifyMoment.PREEMPTION, NotifyMoment.START), [NoticeKind.STARTED, NoticeKind.PREEMPTED]),
    ],
)
def test_owners_choose_the_moments_with_an_option(notify: tuple[NotifyMoment, ...], chosen: list[NoticeKind]) -> None:
    states = [
        (JobState.RUNNING, ReasonCode.RUNNING),
        (JobState.PREEMPTED, ReasonCode.OUTRANKED),
        (JobState.COMPLETED, ReasonCode.COMPLETED),
        (JobState.FAILED, ReasonCode.FAILED),
    ]
    jobs = (changed_job(a_job(), state=state, reason=Reason(code), notify=notify) for state, code in states)
    notices = [notice for notice in map(notice_for, jobs) if notice]
    assert len(notices) == len(states)
    assert [notice.kind for notice in notices if notice.is_chosen] == chosen


@pytest.mark.parametrize(
    ("state", "code"), [(JobState.FAILED, ReasonCode.FAILED), (JobState.PENDING, ReasonCode.RETRYING)]
)
def test_what_sagemaker_says_of_a_failure_is_not_passed_on_for_it_may_quote_the_request(
    state: JobState, code: ReasonCode
) -> None:
    notice = notice_for(changed_job(a_job(), state=state, reason=Reason(code, SECRET), history=(FAILED,)))
    assert notice is not None
    assert "hunter2" not in f"{notice}"


def test_a_quota_that_is_too_small_is_reported_in_the_queues_own_words() -> None:
    notice = notice_for(transitions.park(a_job(), Reason(ReasonCode.CAPACITY, SECRET), NOON))
    assert notice is not None
    assert notice.reason == "A SageMaker quota of this account is too small for it."
    assert "hunter2" not in f"{notice}"
