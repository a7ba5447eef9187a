"""Both signals of a hang have to agree, and missing evidence is none."""

from datetime import timedelta

import pytest

from scheduler.core.idle_gpus.alarms import Metric
from scheduler.core.idle_gpus.hangs.activity import Activity, activity_of
from scheduler.core.idle_gpus.hangs.hang_check import HangFinding, LastLine, are_unused, hang_finding
from scheduler.core.idle_gpus.hangs.hang_rule import HangRule
from scheduler.core.idle_gpus.idle_check import UseReading
from scheduler.core.jobs.demand import Demand
from support.builders.jobs import NOON, a_job, an_attempt

RULE = HangRule(minutes=4, gpu_percent=1, cpu_percent=5)
MINUTES = [NOON + timedelta(minutes=minute) for minute in range(6)]


@pytest.mark.parametrize(
    ("instances", "activity"),
    [
        ({"ml.m5.large": 3}, Activity(Metric.CPU, 5, 3)),
        ({"ml.g5.12xlarge": 2}, Activity(Metric.GPU, 4, 2)),
        ({"ml.g5.xlarge": 2, "ml.m5.large": 1}, Activity(Metric.GPU, 1, 2)),
        ({"ml.trn1.2xlarge": 1}, None),
        ({"ml.trn1.2xlarge": 1, "ml.m5.large": 1}, None),
    ],
)
def test_the_metric_depends_on_the_instances(instances: dict[str, int], activity: Activity | None) -> None:
    attempt = an_attempt(a_job(demand=Demand.of(instances)), demand=Demand.of(instances))
    assert activity_of(attempt, RULE) == activity


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"a": [0, 0, 0, 0], "b": [5, 5, 5, 5]}, True),
        ({"a": [0, 0, 0, 0], "b": [0, 0, 5.1, 0]}, False),
        ({"a": [0, 0, 0, 0], "b": [0, 0, 0]}, False),
        ({"a": [0, 0, 0, 0]}, False),
        ({"a": [0, None, 0, 0, 0, 0]} | {"b": [None, 0, 0, 0, 0, 0]}, True),
        ({"a": [0, 0, 0, None, 0, 0], "b": [0, 0, 0, 0, 0, 0]}, False),
        ({"a": [0, 0, 0, 0, None, None], "b": [None, None, 0, 0, 0, 0]}, False),
        ({"a": [9, 0, 0, 0, 0, 0], "b": [0, 0, 0, 0, 0, 0]}, False),
    ],
)
def test_every_host_has_to_be_unused_in_the_same_minutes_of_a_window(
    values: dict[str, list[float | None]], expected: bool
) -> None:
    readings = [
        UseReading(host, at, value, value)
        for host, of_host in values.items()
        for at, value in zip(MINUTES, of_host, strict=False)
        if value is not None
    ]
    assert are_unused(Activity(Metric.CPU, 5, 2), readings, RULE) is expected


@pytest.mark.parametrize(
    ("minutes", "expected"), [(3, HangFinding.LOGS), (4, HangFinding.HUNG), (None, HangFinding.UNKNOWN)]
)
def test_a_program_hangs_if_its_last_line_is_known_and_was_old_when_the_log_was_read(
    minutes: int | None, expected: HangFinding
) -> None:
    last = None if minutes is None else LastLine(NOON - timedelta(minutes=minutes), NOON)
    assert hang_finding(last, RULE) is expected
