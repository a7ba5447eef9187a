"""The state of an alarm on the largest of several metrics, as the adapter creates it."""

from typing import Any

import pytest
from mypy_boto3_cloudwatch.type_defs import PutMetricAlarmInputTypeDef

from local_cloudwatch.evaluation import Query, state_of
from scheduler.adapters.aws.cloudwatch_gpus import CloudWatchAlarms
from scheduler.core.idle_gpus.alarms import Metric, UseAlarm

NOON = 43_200.0
Points = dict[tuple[str, float], float]  # by host and time


class Client:
    """Remembers the alarm that the adapter puts."""

    def __init__(self) -> None:
        self.put: Any = None

    def put_metric_alarm(self, **call: Any) -> None:
        self.put = call


def alarm(*, hosts: int = 2, threshold: float = 1, period: int = 60, periods: int = 3) -> PutMetricAlarmInputTypeDef:
    names = tuple(f"algo-{number}" for number in range(1, hosts + 1))
    client: Any = Client()
    CloudWatchAlarms(client, "arn:topic").put(
        UseAlarm("sagequeue-sq/a/idle", names, Metric.GPU, threshold, "Maximum", period, periods)
    )
    return client.put  # type: ignore[no-any-return] # it has what the adapter sent


def state(alarm: Any, points: Points, now: float = NOON) -> str | None:
    def read(query: Query, start: float, end: float) -> float | None:
        (host,) = query["MetricStat"]["Metric"]["Dimensions"]
        values = [value for (name, at), value in points.items() if name == host["Value"] and start <= at < end]
        return max(values, default=None)

    return state_of(alarm, read, now)


def minutes(host: str, *values: float | None, now: float = NOON) -> Points:
    """Points in the minutes before `now`, the last value in the last minute."""
    ages = range(len(values), 0, -1)
    return {(host, now - 60 * age + 20): value for age, value in zip(ages, values, strict=True) if value is not None}


def test_an_alarm_fires_if_every_host_is_idle_in_every_minute() -> None:
    assert state(alarm(), minutes("algo-1", 0, 1, 0) | minutes("algo-2", 1, 0, 0)) == "ALARM"


def test_one_busy_minute_of_one_host_is_enough_against_it() -> None:
    assert state(alarm(), minutes("algo-1", 0, 0, 0) | minutes("algo-2", 0, 90, 0)) == "OK"


def test_the_maximum_leaves_out_a_host_without_data() -> None:
    assert state(alarm(), minutes("algo-1", 0, 0, 0)) == "ALARM"


def test_a_minute_without_data_is_not_breaching() -> None:
    assert state(alarm(), minutes("algo-1", 0, None, 0) | minutes("algo-2", 0, None, 0)) == "OK"


@pytest.mark.parametrize("seconds", [0, 59])
def test_the_window_ends_with_the_last_full_minute(seconds: int) -> None:
    busy_now = {("algo-1", NOON + 1): 90.0, ("algo-1", NOON - 181): 90.0}
    assert state(alarm(), minutes("algo-1", 0, 0, 0) | busy_now, now=NOON + seconds) == "ALARM"


def test_longer_periods_slide_by_a_minute() -> None:
    five = alarm(period=300, periods=1)
    points = minutes("algo-1", 90, 0, 0, 0, 0, 0)
    assert state(five, points, now=NOON - 60) == "OK"
    assert state(five, points) == "ALARM"


def test_an_alarm_of_ten_hosts_is_read() -> None:
    idle: Points = {}
    for number in range(1, 11):
        idle |= minutes(f"algo-{number}", 0, 0, 0)
    assert state(alarm(hosts=10), idle) == "ALARM"
    assert state(alarm(hosts=10), idle | minutes("algo-10", 0, 0, 2)) == "OK"


@pytest.mark.parametrize(
    "change",
    [
        {"ComparisonOperator": "GreaterThanThreshold"},
        {"TreatMissingData": "breaching"},
        {"Metrics": [{"Id": "e", "Expression": "AVG([m1])"}]},
        {"Metrics": []},
    ],
)
def test_any_other_form_has_no_state(change: dict[str, Any]) -> None:
    assert state({**alarm(), **change}, minutes("algo-1", 0, 0, 0)) is None
