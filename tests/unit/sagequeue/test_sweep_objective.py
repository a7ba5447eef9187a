"""The values of the objective in a log."""

import re

import pytest

from sagequeue.jobs.logs import LogLine
from sagequeue.sweeps.objective import Objective, ObjectiveLog


def log_of(pattern: str) -> ObjectiveLog:
    return ObjectiveLog(Objective(re.compile(pattern)))


def test_steps_are_counted_from_zero_in_each_attempt() -> None:
    log = log_of("loss=([0-9.]+)")
    lines = [LogLine("loss=3", "algo-1"), LogLine("loss=2", "algo-1"), LogLine("a-sq-2 starts"), LogLine("loss=1", "x")]
    assert [log.read(line) for line in lines] == [(0, 3.0), (1, 2.0), None, (0, 1.0)]
    assert log.last == 1.0


def test_a_group_gives_the_step() -> None:
    log = log_of(r"loss=(?P<value>\S+) at (?P<step>\d+)")
    assert log.read(LogLine("loss=3e-2 at 40", "algo-1")) == (40, 0.03)


@pytest.mark.parametrize("text", ["nothing", "loss=high", "loss="])
def test_a_line_without_a_number_is_no_value(text: str) -> None:
    log = log_of(r"loss=(\S*)")
    assert (log.read(LogLine(text, "algo-1")), log.last) == (None, None)
