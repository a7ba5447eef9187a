"""The metrics that changes add up to."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.history.change import Change, RecordedAction, Run
from scheduler.core.history.metrics import FlowMetrics, flow_of
from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job_state import ActionKind, JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.jobs.stop_notice import Save
from support.builders.changes import a_change
from support.builders.jobs import NOON

HOUR = timedelta(hours=1)
RUN = Run(1, "resnet-sq-1", Outcome.PREEMPTED, NOON, NOON, NOON + HOUR, Demand.of({"ml.g5.xlarge": 2}), NOON)
LAUNCH = a_change(state=JobState.LAUNCHING, waits_since=NOON, changed_at=NOON + HOUR)
GAVE_WAY = a_change(version=4, state=JobState.PREEMPTED, reason=ReasonCode.OUTRANKED, run=RUN)


def test_an_attempt_waited_since_the_job_could_start() -> None:
    assert flow_of([LAUNCH]).launch_waits == (3600.0,)
    requeued = replace(LAUNCH, run=RUN, waits_since=LAUNCH.changed_at - timedelta(seconds=90))
    assert flow_of([requeued]).launch_waits == (90.0,)


def test_the_end_of_a_pool_is_no_launch() -> None:
    assert flow_of([LAUNCH, replace(LAUNCH, written_by="pools", version=2)]).launch_waits == (3600.0,)


def test_a_change_of_a_user_during_a_launch_is_no_launch() -> None:
    assert flow_of([replace(LAUNCH, done=(RecordedAction(ActionKind.UPDATED, "ada"),))]) == FlowMetrics()


def test_a_preemption_counts_when_it_is_over() -> None:
    decided = a_change(version=3, state=JobState.STOPPING, done=(RecordedAction(ActionKind.PREEMPTED, "queue"),))
    assert flow_of([decided, GAVE_WAY]).preemptions == 1


@pytest.mark.parametrize(
    ("has_checkpoints", "interval", "lost"),
    [(False, None, 7200.0), (False, 600, 7200.0), (True, None, 7200.0), (True, 600, 1200.0), (True, 36_000, 7200.0)],
)
def test_what_no_checkpoint_can_have_is_lost(has_checkpoints: bool, interval: int | None, lost: float) -> None:
    change = replace(GAVE_WAY, has_checkpoints=has_checkpoints, checkpoint_interval=interval)
    assert flow_of([change]).lost_instance_seconds == lost


def test_a_reported_save_is_a_measurement() -> None:
    saved = replace(RUN, saved=Save(7, RUN.ended_at - timedelta(minutes=4)))
    change = replace(GAVE_WAY, run=saved, has_checkpoints=True, checkpoint_interval=600)
    assert flow_of([change]).lost_instance_seconds == 2 * 240


def test_an_attempt_that_never_trained_loses_nothing() -> None:
    flow = flow_of([replace(GAVE_WAY, run=replace(RUN, training_started_at=None))])
    assert (flow.preemptions, flow.lost_instance_seconds) == (1, 0.0)


@pytest.mark.parametrize(
    "change",
    [
        replace(GAVE_WAY, state=JobState.COMPLETED, reason=ReasonCode.COMPLETED),
        a_change(),
    ],
    ids=["finished first", "submitted"],
)
def test_nothing_else_is_lost(change: Change) -> None:
    assert flow_of([change]) == FlowMetrics()
