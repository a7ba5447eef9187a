"""CloudWatch alarms on SageMaker's GPU and CPU metrics, and the metrics themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from scheduler.core.idle_gpus.alarms import AlarmState, Metric, UseAlarm
from scheduler.core.idle_gpus.idle_check import UseReading
from scheduler.errors.internal import AlarmServiceError

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient
    from mypy_boto3_cloudwatch.type_defs import MetricAlarmTypeDef, MetricDataQueryTypeDef

#: The most names in one DeleteAlarms call (aws-facts 3.7).
_NAMES_PER_CALL = 100
#: Seconds. SageMaker reports its metrics every minute (aws-facts 3.1).
_PERIOD = 60
#: The most hosts in one GetMetricData call: a call accepts 500 queries (aws-facts 3.4), and each host needs two.
_HOSTS_PER_CALL = 250


class CloudWatchAlarms:
    """Implements the port `Alarms`. An alarm that fires sends a message to `topic_arn`."""

    def __init__(self, client: CloudWatchClient, topic_arn: str) -> None:
        self._client = client
        self._topic_arn = topic_arn

    def put(self, alarm: UseAlarm) -> None:
        hosts = [_query(f"m{number}", host, alarm) for number, host in enumerate(alarm.hosts, start=1)]
        # The alarm uses the maximum over all hosts: an average would count a host without data as 0 (aws-facts 3.5).
        largest = f"MAX([{','.join(query['Id'] for query in hosts)}])"
        with _translated_errors():
            self._client.put_metric_alarm(
                AlarmName=alarm.name,
                AlarmDescription="SageQueue watches a training job, and deletes this alarm when the job ends.",
                ActionsEnabled=True,
                AlarmActions=[self._topic_arn],
                Metrics=[{"Id": "busiest", "Expression": largest, "Label": "busiest host", "ReturnData": True}, *hosts],
                ComparisonOperator="LessThanOrEqualToThreshold",
                Threshold=alarm.threshold,
                EvaluationPeriods=alarm.periods,
                DatapointsToAlarm=alarm.periods,
                TreatMissingData="notBreaching",
            )

    def delete(self, names: Sequence[str]) -> None:
        for start in range(0, len(names), _NAMES_PER_CALL):
            with _translated_errors():
                self._client.delete_alarms(AlarmNames=list(names[start : start + _NAMES_PER_CALL]))

    def list(self, prefix: str) -> tuple[AlarmState, ...]:
        with _translated_errors():
            pages = self._client.get_paginator("describe_alarms").paginate(AlarmNamePrefix=prefix)
            alarms = [alarm for page in pages for alarm in page["MetricAlarms"]]
        return tuple(
            AlarmState(alarm["AlarmName"], alarm["StateValue"] == "ALARM", self._described(alarm)) for alarm in alarms
        )

    def _described(self, alarm: MetricAlarmTypeDef) -> UseAlarm | None:
        queries = [query for query in alarm.get("Metrics", []) if "MetricStat" in query]
        if not queries or alarm.get("AlarmActions") != [self._topic_arn]:
            return None
        in_order = [query["MetricStat"] for query in sorted(queries, key=lambda query: (len(query["Id"]), query["Id"]))]
        return UseAlarm(
            name=alarm["AlarmName"],
            hosts=tuple(
                dimension["Value"] for metric in in_order for dimension in metric["Metric"].get("Dimensions", [])
            ),
            metric=Metric(in_order[0]["Metric"]["MetricName"]),
            threshold=alarm.get("Threshold", 0.0),
            statistic=in_order[0]["Stat"],
            period=in_order[0]["Period"],
            periods=alarm.get("EvaluationPeriods", 0),
        )


class CloudWatchMetrics:
    """Implements the port `UseMetrics`."""

    def __init__(self, client: CloudWatchClient) -> None:
        self._client = client

    def read(self, metric: Metric, hosts: Sequence[str], since: datetime, until: datetime) -> tuple[UseReading, ...]:
        return tuple(
            reading
            for start in range(0, len(hosts), _HOSTS_PER_CALL)
            for reading in self._read(metric, hosts[start : start + _HOSTS_PER_CALL], since, until)
        )

    def _read(self, metric: Metric, hosts: Sequence[str], since: datetime, until: datetime) -> Iterator[UseReading]:
        queries = [
            _metric(f"{kind}{number}", metric, host, statistic, _PERIOD)
            for number, host in enumerate(hosts)
            for kind, statistic in (("high", "Maximum"), ("mean", "Average"))
        ]
        values: dict[str, dict[datetime, float]] = {query["Id"]: {} for query in queries}
        with _translated_errors():
            pages = self._client.get_paginator("get_metric_data").paginate(
                MetricDataQueries=queries, StartTime=since, EndTime=until
            )
            for result in (result for page in pages for result in page["MetricDataResults"]):
                times = [moment.astimezone(UTC) for moment in result["Timestamps"]]
                values[result["Id"]].update(zip(times, result["Values"], strict=True))
        for number, host in enumerate(hosts):
            averages = values[f"mean{number}"]
            for moment, highest in values[f"high{number}"].items():
                yield UseReading(host, moment, highest, averages.get(moment, highest))


def _query(query_id: str, host: str, alarm: UseAlarm) -> MetricDataQueryTypeDef:
    return {**_metric(query_id, alarm.metric, host, alarm.statistic, alarm.period), "ReturnData": False}


def _metric(query_id: str, metric: Metric, host: str, statistic: str, period: int) -> MetricDataQueryTypeDef:
    return {
        "Id": query_id,
        "MetricStat": {
            "Metric": {
                "Namespace": "/aws/sagemaker/TrainingJobs",
                "MetricName": metric.value,
                "Dimensions": [{"Name": "Host", "Value": host}],
            },
            "Period": period,
            "Stat": statistic,
        },
    }


@contextmanager
def _translated_errors() -> Iterator[None]:
    try:
        yield
    except (ClientError, BotoCoreError) as error:
        raise AlarmServiceError(type(error).__name__) from error
