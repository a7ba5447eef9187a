"""Reads an attempt's metrics from CloudWatch, with the caller's own credentials.

SageMaker publishes the utilisation of each host, and the values that the request's MetricDefinitions find in the log.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import TYPE_CHECKING, Any, TypedDict

import boto3

from sagequeue.api.client import QueueClient
from sagequeue.contract.jobs import Attempt, Job
from sagequeue.jobs.description import TRAINING_JOBS

if TYPE_CHECKING:  # type stubs, which only developers install
    from mypy_boto3_cloudwatch import CloudWatchClient
    from mypy_boto3_cloudwatch.type_defs import MetricDataQueryTypeDef

#: Number of hosts shown, from the first one: CloudWatch charges for each metric that is read.
HOSTS = 4
#: Maximum number of values in one line, about as many as a chart has pixels.
POINTS = 360
_MINUTE = 60
#: The shortest period, in seconds, for which CloudWatch still has values, by age.
_KEPT = ((timedelta(days=15), _MINUTE), (timedelta(days=63), 5 * _MINUTE), (timedelta(days=455), 60 * _MINUTE))


class Line(TypedDict):
    name: str  # the name of the host or the MetricDefinition
    values: list[float | None]


class Chart(TypedDict):
    name: str
    unit: str
    times: list[int]  # milliseconds since 1970
    lines: list[Line]


class AttemptMetrics(TypedDict):
    attempt: str
    hosts: int  # of which HOSTS are shown
    charts: list[Chart]  # only those with values


class JobMetrics:
    """Reads the metrics of attempts. Thread-safe."""

    def __init__(self, session: boto3.Session, queue: QueueClient) -> None:
        self._session = session
        self._queue = queue
        self._once = Lock()
        self._made: CloudWatchClient | None = None
        self._gpus: Mapping[str, int] | None = None

    def of(self, job: Job, attempt: str, now: datetime) -> AttemptMetrics:
        """Returns the metrics of this attempt, or of the last attempt if the job has no such attempt."""
        by_name = {known["name"]: known for known in job["attempts"]}
        chosen = by_name.get(attempt) or (job["attempts"][-1] if job["attempts"] else None)
        if chosen is None:
            return {"attempt": "", "hosts": 0, "charts": []}
        instances = _instances(job, chosen)
        found = self._read([*_wanted(chosen["name"], job, sum(instances.values()))], chosen, now)
        charts = [_chart(name, lines, self._gpus_of(instances)) for name, lines in found.items()]
        return {"attempt": chosen["name"], "hosts": sum(instances.values()), "charts": charts}

    def _read(
        self, wanted: Sequence["_Metric"], attempt: Attempt, now: datetime
    ) -> dict[str, dict[str, Mapping[datetime, float]]]:
        """Returns the values by chart and line."""
        begin = datetime.fromisoformat(attempt["training_started_at"] or attempt["reserved_at"])
        end = datetime.fromisoformat(attempt["ended_at"]) + timedelta(minutes=2) if attempt["ended_at"] else now
        period = _period(begin, end, now)
        queries = [_query(number, metric, period) for number, metric in enumerate(wanted)]
        pages = self._cloudwatch.get_paginator("get_metric_data").paginate(
            MetricDataQueries=queries,
            StartTime=_floor(begin, period),
            EndTime=max(end, begin + timedelta(seconds=period)),
            ScanBy="TimestampAscending",
        )
        found: dict[str, dict[str, dict[datetime, float]]] = {}
        for result in (result for page in pages for result in page["MetricDataResults"]):
            metric = wanted[int(result["Id"].removeprefix("m"))]
            values = dict(zip(result["Timestamps"], result["Values"], strict=True))
            if values:
                found.setdefault(metric["chart"], {}).setdefault(metric["line"], {}).update(values)
        return {chart: dict(lines) for chart, lines in found.items()}

    @property
    def _cloudwatch(self) -> "CloudWatchClient":
        with self._once:  # boto3 sessions are not thread-safe; a client is created only when metrics are shown
            self._made = self._made or self._session.client("cloudwatch", region_name=self._queue.region)
            return self._made

    def _gpus_of(self, instances: Mapping[str, int]) -> int:
        """Returns the number of GPUs per host, or 1 if it is unknown or differs between the hosts."""
        if self._gpus is None:
            self._gpus = {kind: price["gpus"] for kind, price in self._queue.prices()["prices"].items()}
        counts = {self._gpus.get(kind) or 1 for kind in instances}
        return counts.pop() if len(counts) == 1 else 1


class _Metric(TypedDict):
    chart: str
    line: str
    metric: str
    dimension: dict[str, Any]


#: Charts of hosts: the metric, and its unit. GPU metrics go up to 100 for each GPU, and CPU metrics to 100 for each
#: core.
_OF_HOSTS = {
    "GPU": ("GPUUtilization", "%"),
    "GPU memory": ("GPUMemoryUtilization", "%"),
    "CPU": ("CPUUtilization", "cores"),
    "Memory": ("MemoryUtilization", "%"),
}


def _wanted(attempt: str, job: Job, hosts: int) -> Iterator[_Metric]:
    for chart, (metric, _) in _OF_HOSTS.items():
        for number in range(1, min(hosts, HOSTS) + 1):
            host = f"algo-{number}"
            dimension = {"Name": "Host", "Value": f"{attempt}/{host}"}
            yield {"chart": chart, "line": host, "metric": metric, "dimension": dimension}
    algorithm: Any = job["request"].get("AlgorithmSpecification") or {}
    for definition in algorithm.get("MetricDefinitions") or ():
        name = definition["Name"]
        chart = f"{name} of the log" if name in _OF_HOSTS else name
        dimension = {"Name": "TrainingJobName", "Value": attempt}
        yield {"chart": chart, "line": name, "metric": name, "dimension": dimension}


def _query(number: int, metric: _Metric, period: int) -> "MetricDataQueryTypeDef":
    named: Any = {
        "Namespace": TRAINING_JOBS,
        "MetricName": metric["metric"],
        "Dimensions": [metric["dimension"]],
    }
    return {"Id": f"m{number}", "MetricStat": {"Metric": named, "Period": period, "Stat": "Average"}}


def _chart(name: str, lines: Mapping[str, Mapping[datetime, float]], gpus: int) -> Chart:
    _, unit = _OF_HOSTS.get(name, ("", ""))
    scale = {"GPU": gpus, "GPU memory": gpus, "CPU": 100}.get(name, 1)
    times = sorted({time for values in lines.values() for time in values})
    return {
        "name": name,
        "unit": unit,
        "times": [round(time.timestamp() * 1000) for time in times],
        "lines": [{"name": line, "values": [*_scaled(values, times, scale)]} for line, values in lines.items()],
    }


def _scaled(values: Mapping[datetime, float], times: Iterable[datetime], scale: int) -> Iterator[float | None]:
    for time in times:
        value = values.get(time)
        yield None if value is None else float(f"{value / scale:.6g}")


def _period(begin: datetime, end: datetime, now: datetime) -> int:
    """Returns a period of whole minutes, in seconds: one that CloudWatch still keeps, with at most POINTS values."""
    kept = next((period for age, period in _KEPT if now - begin < age), _KEPT[-1][1])
    minutes = -(-int((end - begin).total_seconds()) // (POINTS * kept))
    return kept * max(1, minutes)


def _floor(time: datetime, period: int) -> datetime:
    return datetime.fromtimestamp(time.timestamp() // period * period, UTC)


def _instances(job: Job, attempt: Attempt) -> Mapping[str, int]:
    if attempt["selected"]:
        return attempt["selected"]
    return job["choices"][attempt["choice"]]["instances"] if job["choices"] else job["instances"]
