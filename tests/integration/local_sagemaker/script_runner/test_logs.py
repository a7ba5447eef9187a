"""The output of a host in moto's CloudWatch Logs."""

import boto3

from integration.local_sagemaker.endpoint import REGION
from local_sagemaker.script_runner.cloudwatch.logs import LOG_GROUP, LogStream


def lines_of(stream: str) -> list[str]:
    logs = boto3.client("logs", region_name=REGION)
    found = logs.get_log_events(logGroupName=LOG_GROUP, logStreamName=stream, startFromHead=True)
    return [event["message"] for event in found["events"]]


def write(stream: str, *lines: str) -> None:
    log = LogStream(boto3.client("logs", region_name=REGION), stream)
    for line in lines:
        log.write(line)
        log.flush()


def test_a_job_that_restarts_within_the_second_continues_its_log(aws: None) -> None:
    write("job/algo-1-17", "before the interruption")
    write("job/algo-1-17", "after it", "to the end")
    assert lines_of("job/algo-1-17") == ["before the interruption", "after it", "to the end"]
