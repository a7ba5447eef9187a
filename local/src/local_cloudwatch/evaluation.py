"""Computes the state of an alarm on the largest of several metrics, the only form of metric math that the queue uses.

As in CloudWatch, the window ends with the last full minute, so it slides by a minute at a time. A host without data
does not count (aws-facts 3.5), and a period without any data is not breaching.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Alarm = Mapping[str, Any]  # the members of PutMetricAlarm
Query = Mapping[str, Any]  # an element of `Metrics` with the member `MetricStat`
#: Returns the statistic of a query's metric between two times in seconds; None without data.
Read = Callable[[Query, float, float], float | None]

_MINUTE = 60
_LARGEST = re.compile(r"MAX\(\[(\w+(?:,\w+)*)\]\)")
_SAME_FORM = {"ComparisonOperator": "LessThanOrEqualToThreshold", "TreatMissingData": "notBreaching"}


def state_of(alarm: Alarm, read: Read, now: float) -> str | None:
    """Returns `ALARM` or `OK`; None if the alarm does not have the form that the queue creates."""
    queries = _queries(alarm)
    if not queries or any(alarm.get(name) != value for name, value in _SAME_FORM.items()):
        return None
    period = queries[0]["MetricStat"]["Period"]
    breaching = 0
    for start in _starts(now, period, alarm["EvaluationPeriods"]):
        values = [value for query in queries if (value := read(query, start, start + period)) is not None]
        breaching += bool(values) and max(values) <= alarm["Threshold"]
    return "ALARM" if breaching >= alarm["DatapointsToAlarm"] else "OK"


def _queries(alarm: Alarm) -> Sequence[Query]:
    """Returns the queries of the metrics whose maximum the alarm watches."""
    metrics = {metric["Id"]: metric for metric in alarm.get("Metrics", ())}
    expressions = [metric["Expression"] for metric in metrics.values() if "Expression" in metric]
    found = _LARGEST.fullmatch(expressions[0]) if len(expressions) == 1 else None
    return [metrics[name] for name in found[1].split(",")] if found else ()


def _starts(now: float, period: int, periods: int) -> Iterator[float]:
    end = now // _MINUTE * _MINUTE
    return (end - number * period for number in range(1, periods + 1))
