"""The work that the stop of an attempt loses."""

from datetime import timedelta
from math import inf

import pytest

from scheduler.core.jobs.stop_notice import Save
from scheduler.core.jobs.unsaved_work import UnsavedWork, interrupted_seconds, unsaved_work
from support.builders.jobs import NOON

MINUTE = timedelta(minutes=1)
NOW = NOON + 50 * MINUTE


def measured(minutes: float) -> UnsavedWork:
    return UnsavedWork(minutes * 60, minutes * 60, is_measured=True)


@pytest.mark.parametrize(
    ("saved", "lost"),
    [
        (Save(7, NOON + 46 * MINUTE), measured(4)),
        (Save(7, NOON + 46 * MINUTE, answers=NOON + 45 * MINUTE), measured(0)),  # it waits for its stop
        (Save(None, NOON), measured(50)),
        (Save(7, NOON - 90 * MINUTE), measured(50)),  # before an interruption: earlier work is lost already
        (Save(7, NOON + 54 * MINUTE), measured(0)),  # by a clock that is ahead
    ],
)
def test_a_report_of_the_program_is_believed_and_not_the_stated_interval(saved: Save, lost: UnsavedWork) -> None:
    assert unsaved_work(NOON, NOW, saved, interval=1800) == lost


@pytest.mark.parametrize(
    ("interval", "seconds", "at_most"), [(None, 3000, 3000), (1800, 1200, 1800), (7200, 3000, 3000)]
)
def test_without_reports_the_stated_interval_decides(interval: int | None, seconds: float, at_most: float) -> None:
    assert unsaved_work(NOON, NOW, None, interval) == UnsavedWork(seconds, at_most, is_measured=False)


def test_before_the_training_nothing_is_lost() -> None:
    assert unsaved_work(NOW, NOON, Save(None, NOON), None) == measured(0)


@pytest.mark.parametrize(
    ("stretches", "interval", "cost"),
    [
        ((), inf, 0),
        ((3600,), inf, 0),
        ((1200, 2000), inf, 1600),  # all training before the interruption, and 400 seconds without instances
        ((1200, 2000), 600, 700),  # half an interval, and the 400 seconds
        ((100, 1100, 2000), 600, 800),  # the first interruption came before a checkpoint
        ((1200, 0), 600, 2700),  # no instances came back
        ((1200, 2000), None, None),
        ((3600,), None, None),  # its next interruption would have an unknown cost
    ],
)
def test_an_interruption_costs_waiting_and_repeated_training(
    stretches: tuple[float, ...], interval: float | None, cost: float | None
) -> None:
    assert interrupted_seconds(3600, stretches, interval) == cost
