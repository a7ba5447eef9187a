"""Simulates CloudWatch, SNS, EventBridge and CloudWatch Logs for the functions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from scheduler.core.history.metrics import FlowMetrics, Gauges
from scheduler.core.idle_gpus.alarms import Metric, UseAlarm
from scheduler.ports.notifications import EventKind
from support.account.gpu_metrics import CloudWatch

if TYPE_CHECKING:
    from support.account.service_calls import ServiceCalls

_STATES = {True: "ALARM", False: "OK"}


@dataclass
class Monitoring:
    """Replaces all clients and the meter: no two of them have an operation with the same name.

    `on_alarm` is called when an alarm fires.
    """

    calls: ServiceCalls
    cloudwatch: CloudWatch
    on_alarm: Callable[[str], object]
    notices: list[str] = field(default_factory=list)
    sent: set[tuple[str, str]] = field(default_factory=set)  # topics and ids of notices
    subscriptions: dict[str, str] = field(default_factory=dict)  # filters of subscriptions by email address
    events: list[dict[str, Any]] = field(default_factory=list)  # events that the queue sends: changes to jobs …
    heads: list[dict[str, Any]] = field(default_factory=list)  # … the queue's head …
    spending_warnings: list[dict[str, Any]] = field(default_factory=list)  # … and spending limits that are nearly used
    last_line: Callable[[str], float | None] = lambda _attempt: None  # when each attempt wrote its last line
    line: Callable[[str], str] = lambda _attempt: "step"  # … and its text
    ends: list[tuple[str, dict[str, Any]]] = field(default_factory=list)  # the bus and the detail of callbacks' events
    is_on: bool = False  # whether metrics are recorded
    gauges: list[Gauges] = field(default_factory=list)
    flow: FlowMetrics = field(default_factory=FlowMetrics)  # the sum of all records
    _firing: set[str] = field(default_factory=set)
    _put_calls: dict[str, dict[str, Any]] = field(default_factory=dict)  # by the name of the alarm

    @property
    def alarms(self) -> set[str]:
        """Returns the names of all alarms."""
        return {*self.cloudwatch.alarms}

    def record_gauges(self, gauges: Gauges) -> None:
        self.gauges.append(gauges)

    def record_flow(self, flow: FlowMetrics) -> None:
        self.flow = FlowMetrics(
            self.flow.launch_waits + flow.launch_waits,
            self.flow.preemptions + flow.preemptions,
            self.flow.lost_instance_seconds + flow.lost_instance_seconds,
        )

    def evaluate(self) -> None:
        """Calls `on_alarm` for each alarm that has begun to fire (aws-facts 3.10: once per change)."""
        firing = {state.name for state in self.cloudwatch.list("") if state.is_firing}
        for name in sorted(firing - self._firing):
            self.on_alarm(name)
        self._firing = firing

    def put_metric_alarm(self, **call: Any) -> None:
        def put() -> None:
            self._put_calls[call["AlarmName"]] = call
            self.cloudwatch.put(_alarm(call))

        self._pass("cloudwatch", "PutMetricAlarm", put)

    def delete_alarms(self, **call: Any) -> None:
        self._pass("cloudwatch", "DeleteAlarms", lambda: self.cloudwatch.delete(call["AlarmNames"]))

    def publish(self, **call: Any) -> None:
        def publish() -> None:
            self.notices.append(json.dumps(call))
            topic = call["TopicArn"].rpartition(":")[2]
            self.sent.add((topic, json.loads(json.loads(call["Message"])["sqs"])["id"]))

        self._pass("sns", "Publish", publish)

    def subscribe(self, **call: Any) -> None:
        def subscribe() -> None:
            self.subscriptions[call["Endpoint"]] = call["Attributes"]["FilterPolicy"]

        self._pass("sns", "Subscribe", subscribe)

    def put_events(self, **call: Any) -> Any:
        assert len(call["Entries"]) <= 10  # EventBridge's limit
        if call["Entries"][0]["DetailType"] == EventKind.JOB_END:
            return self._pass("events", "PutEvents", partial(self._put_end, call["Entries"]))
        sent = {
            EventKind.JOB_CHANGE: self.events,
            EventKind.BLOCKED_HEAD: self.heads,
            EventKind.SPENDING_LIMIT: self.spending_warnings,
        }
        for entry in call["Entries"]:
            sent[EventKind(entry["DetailType"])].append(json.loads(entry["Detail"]))
        return self._pass("events", "PutEvents", lambda: {"Entries": []})

    def _put_end(self, entries: list[dict[str, Any]]) -> dict[str, list[str]]:
        self.ends += [(entry["EventBusName"], json.loads(entry["Detail"])) for entry in entries]
        return {"Entries": []}

    def describe_log_streams(self, **call: Any) -> Any:
        streams = [{"logStreamName": f"{call['logStreamNamePrefix']}algo-1-1795264500"}]
        return self._pass("logs", "DescribeLogStreams", lambda: {"logStreams": streams})

    def get_log_events(self, **call: Any) -> Any:
        return self._pass("logs", "GetLogEvents", lambda: self._page_of_log(**call))

    def _page_of_log(self, **call: Any) -> dict[str, Any]:
        """Returns an empty page first, as AWS may, then the last line, and then the same token until the end."""
        token = call.get("nextToken", "")
        attempt = call["logStreamName"].partition("/")[0]
        written = self.last_line(attempt) if token == "b/1" else None
        is_asked = written is not None and written * 1000 >= call.get("startTime", 0)
        events = [{"timestamp": int(1000 * (written or 0)), "message": self.line(attempt)}] if is_asked else []
        return {"events": events, "nextBackwardToken": "b/2" if token else "b/1"}

    def get_paginator(self, operation: str) -> Any:
        paginate = {
            "describe_alarms": self._alarm_pages,
            "describe_log_streams": self._stream_pages,
            "get_metric_data": self._data_pages,
            "list_subscriptions_by_topic": self._subscription_pages,
        }[operation]
        return SimpleNamespace(paginate=paginate)

    def _stream_pages(self, **call: Any) -> Iterator[dict[str, Any]]:
        yield self.describe_log_streams(**call)

    def _subscription_pages(self, **_call: Any) -> Iterator[dict[str, Any]]:
        for address in self._pass("sns", "ListSubscriptionsByTopic", lambda: [*self.subscriptions]):
            yield {"Subscriptions": [{"Endpoint": address, "SubscriptionArn": "PendingConfirmation"}]}

    def _alarm_pages(self, **call: Any) -> Iterator[dict[str, Any]]:
        found = self._pass("cloudwatch", "DescribeAlarms", lambda: self.cloudwatch.list(call["AlarmNamePrefix"]))
        states = ((alarm.name, _STATES[alarm.is_firing]) for alarm in found)
        yield {"MetricAlarms": [self._put_calls[name] | {"StateValue": state} for name, state in states]}

    def _data_pages(self, **call: Any) -> Iterator[dict[str, Any]]:
        read = partial(self._result, since=call["StartTime"], until=call["EndTime"])
        results = self._pass(
            "cloudwatch", "GetMetricData", lambda: [read(query) for query in call["MetricDataQueries"]]
        )
        yield {"MetricDataResults": results}

    def _result(self, query: dict[str, Any], since: Any, until: Any) -> dict[str, Any]:
        metric = query["MetricStat"]
        readings = self.cloudwatch.read(
            Metric(metric["Metric"]["MetricName"]), [_host(query)], since, until, metric["Period"]
        )
        values = [reading.highest if metric["Stat"] == "Maximum" else reading.average for reading in readings]
        return {"Id": query["Id"], "Timestamps": [reading.at for reading in readings], "Values": values}

    def _pass(self, service: str, operation: str, perform: Any) -> Any:
        return self.calls.pass_on(service, operation, "", perform)


def _alarm(call: dict[str, Any]) -> UseAlarm:
    queries = [metric for metric in call["Metrics"] if "MetricStat" in metric]
    return UseAlarm(
        name=call["AlarmName"],
        hosts=tuple(_host(query) for query in queries),
        metric=Metric(queries[0]["MetricStat"]["Metric"]["MetricName"]),
        threshold=call["Threshold"],
        statistic=queries[0]["MetricStat"]["Stat"],
        period=queries[0]["MetricStat"]["Period"],
        periods=call["EvaluationPeriods"],
    )


def _host(query: dict[str, Any]) -> str:
    (dimension,) = query["MetricStat"]["Metric"]["Dimensions"]
    return str(dimension["Value"])
