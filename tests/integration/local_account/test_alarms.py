"""The local account evaluates the alarms that the queue's adapter creates."""

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from local_account import LocalAccount
from scheduler.adapters.aws.cloudwatch_gpus import CloudWatchAlarms
from scheduler.core.idle_gpus.alarms import AlarmState, Metric, UseAlarm

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient

ALARM = UseAlarm(
    "sagequeue-sq/resnet-sq-1/idle", ("resnet-sq-1/algo-1", "resnet-sq-1/algo-2"), Metric.GPU, 1, "Maximum", 60, 1
)


@pytest.fixture
def cloudwatch(account: LocalAccount) -> "CloudWatchClient":
    return account.session().client("cloudwatch", endpoint_url=account.settings.endpoint)


def test_an_alarm_on_several_hosts_fires_and_ends_with_their_metrics(
    account: LocalAccount, cloudwatch: "CloudWatchClient"
) -> None:
    sqs = account.session().client("sqs", endpoint_url=account.settings.endpoint)
    sns = account.session().client("sns", endpoint_url=account.settings.endpoint)
    topic, queue = sns.create_topic(Name="alarms")["TopicArn"], sqs.create_queue(QueueName="alarms")["QueueUrl"]
    queue_arn = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    sqs.set_queue_attributes(QueueUrl=queue, Attributes={"Policy": json.dumps(anybody_may_send(queue_arn))})
    sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=queue_arn, Attributes={"RawMessageDelivery": "true"})
    alarms = CloudWatchAlarms(cloudwatch, topic)

    alarms.put(ALARM)
    assert alarms.list("sagequeue-sq/") == (AlarmState(ALARM.name, is_firing=False, alarm=ALARM),)
    measure(cloudwatch, 0, 0.5)
    assert alarms.list("sagequeue-sq/") == (AlarmState(ALARM.name, is_firing=True, alarm=ALARM),)
    (message,) = sqs.receive_message(QueueUrl=queue, WaitTimeSeconds=5)["Messages"]
    sent = json.loads(message["Body"])
    assert (sent["AlarmName"], sent["NewStateValue"]) == (ALARM.name, "ALARM")
    measure(cloudwatch, 0, 90)
    assert not alarms.list("sagequeue-sq/")[0].is_firing
    alarms.delete([ALARM.name])


def measure(cloudwatch: "CloudWatchClient", *percents: float) -> None:
    """Sends a value of each host for the last full minute, and for this one, which may end before the next call."""
    now = datetime.now(UTC).replace(second=0, microsecond=0)
    for host, percent in zip(ALARM.hosts, percents, strict=True):
        for age in (30, -30):
            cloudwatch.put_metric_data(
                Namespace="/aws/sagemaker/TrainingJobs",
                MetricData=[
                    {
                        "MetricName": "GPUUtilization",
                        "Dimensions": [{"Name": "Host", "Value": host}],
                        "Timestamp": now - timedelta(seconds=age),
                        "Value": percent,
                    }
                ],
            )


def anybody_may_send(queue_arn: str) -> dict[str, Any]:
    statement = {"Effect": "Allow", "Principal": "*", "Action": "sqs:SendMessage", "Resource": queue_arn}
    return {"Version": "2012-10-17", "Statement": [statement]}
