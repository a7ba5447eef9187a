"""Makes ministack keep the metrics of an alarm, and evaluate the alarm whenever a metric arrives.

ministack evaluates an alarm on a single metric then, too. By itself, it drops an alarm's `Metrics`. A new state takes
the path of SetAlarmState: the history, and a message to the alarm's topics.
"""

import logging
import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from ministack.services import cloudwatch

from local_cloudwatch.evaluation import Query, state_of

_log = logging.getLogger(__name__)


def install() -> None:
    cloudwatch._put_metric_alarm = _keeping_metrics(cloudwatch._put_metric_alarm)
    cloudwatch._evaluate_alarm = _evaluating(cloudwatch._evaluate_alarm)


def _keeping_metrics(put: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(put)
    def put_and_keep(params: Any, call: dict[str, Any], *protocol: Any) -> Any:
        answer = put(params, call, *protocol)
        alarm = cloudwatch._alarms.get(call.get("AlarmName"))
        if alarm is not None and "Metrics" in call:  # SDKs send it in the protocols whose calls are structures
            alarm["Metrics"] = call["Metrics"]
            cloudwatch._evaluate_alarm(alarm)
        return answer

    return put_and_keep


def _evaluating(evaluate: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
    @wraps(evaluate)
    def evaluate_every_form(alarm: dict[str, Any]) -> None:
        if "Metrics" not in alarm:
            evaluate(alarm)
        elif (state := state_of(alarm, _statistic, time.time())) is None:
            _log.warning("alarm %s has a form that is not evaluated", alarm["AlarmName"])
        else:
            reason = f"Threshold {alarm['Threshold']} in {alarm['EvaluationPeriods']} periods"
            change = {"AlarmName": alarm["AlarmName"], "StateValue": state, "StateReason": reason}
            cloudwatch._set_alarm_state({}, change, False, True)  # without an effect in the same state  # noqa: FBT003 - ministack's own

    return evaluate_every_form


def _statistic(query: Query, start: float, end: float) -> float | None:
    metric, name = query["MetricStat"]["Metric"], query["MetricStat"]["Stat"]
    host = {dimension["Name"]: dimension["Value"] for dimension in metric["Dimensions"]}
    key = (metric["Namespace"], metric["MetricName"], cloudwatch._dims_key(host))
    points = [point for point in cloudwatch._metrics.get(key) or () if start <= point["Timestamp"] < end]
    statistics: dict[str, float] = cloudwatch._calc_stats(points)
    return statistics.get(name)
