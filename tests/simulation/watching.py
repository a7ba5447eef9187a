"""CloudWatch, its logs and SNS inside the process: alarms that are there or not, and what was told.

No alarm ever rings, and no training job prints anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simulation.calls import Calls


@dataclass
class Watching:
    """All three clients in one: no operation of one has a name of the other's."""

    calls: Calls
    alarms: set[str] = field(default_factory=set)
    told: list[str] = field(default_factory=list)

    def put_metric_alarm(self, **call: Any) -> None:
        self._pass("PutMetricAlarm", lambda: self.alarms.add(call["AlarmName"]))

    def delete_alarms(self, **call: Any) -> None:
        self._pass("DeleteAlarms", lambda: self.alarms.difference_update(call["AlarmNames"]))

    def publish(self, **call: Any) -> None:
        self._pass("Publish", lambda: self.told.append(json.dumps(call)))

    def describe_log_streams(self, **_call: Any) -> Any:
        return self._pass("DescribeLogStreams", lambda: {"logStreams": []})

    def get_paginator(self, operation: str) -> Any:
        paginate = {"describe_alarms": self._alarm_pages, "get_metric_data": self._data_pages}[operation]
        return SimpleNamespace(paginate=paginate)

    def _alarm_pages(self, **call: Any) -> Iterator[dict[str, Any]]:
        found = self._pass("DescribeAlarms", lambda: sorted(self.alarms))
        names = [name for name in found if name.startswith(call["AlarmNamePrefix"])]
        yield {"MetricAlarms": [{"AlarmName": name, "StateValue": "OK"} for name in names]}

    def _data_pages(self, **_call: Any) -> Iterator[dict[str, Any]]:
        yield {"MetricDataResults": self._pass("GetMetricData", list)}

    def _pass(self, operation: str, perform: Any) -> Any:
        return self.calls.pass_on("cloudwatch", operation, "", perform)
