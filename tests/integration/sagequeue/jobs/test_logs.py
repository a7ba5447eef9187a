"""The log of all attempts of a job as one stream."""

from datetime import UTC, datetime
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError, EndpointConnectionError, ReadTimeoutError

from integration.sagequeue.fakes import aws as fake_aws
from integration.sagequeue.fakes.aws import FakeAws
from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import STAGE_SECONDS, FakeQueue
from sagequeue import QueueClient
from sagequeue.jobs.logs import LogLine, follow_log, read_log
from unit.sagequeue.builders.jobs import a_job, a_request, an_attempt, preempted

COMPLETED = 8 * STAGE_SECONDS


@pytest.fixture
def logs(aws: FakeAws, session: boto3.Session) -> Any:
    return session.client("logs")


@pytest.fixture(autouse=True)
def pauses(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sagequeue.jobs.logs.time", clock)


def texts(lines: list[LogLine]) -> list[str]:
    return [f"({line.text})" if line.is_marker else line.text for line in lines]


def test_a_job_is_followed_over_a_preemption_to_its_end(client: QueueClient, logs: Any, aws: FakeAws) -> None:
    client.submit(a_request())
    assert texts(list(follow_log(client, logs, "resnet", every=30))) == [
        "(queued: position 2, priority 4: because of waits_for_budget)",
        "(queued: position 1, priority 4: because of waits_for_budget)",
        "(resnet-sq-1 starts)",
        "attempt 1: epoch 1",
        "attempt 1: epoch 2",
        "(resnet-sq-1: preempted for urgent; the job resumes at its next turn)",
        "(resnet-sq-2 starts)",
        "attempt 2: resumed",
        "attempt 2: epoch 3",
        "(resnet-sq-2: completed)",
    ]


def test_the_log_of_a_finished_job_is_read_without_waiting(client: QueueClient, logs: Any, clock: Clock) -> None:
    client.submit(a_request())
    clock.now = COMPLETED
    lines = texts(list(read_log(client, logs, "resnet")))
    assert (lines[0], lines[-1], len(lines)) == ("(resnet-sq-1 starts)", "(resnet-sq-2: completed)", 8)
    assert clock.now == COMPLETED


def test_the_log_of_a_job_that_ended_long_ago_is_followed_without_waiting(
    client: QueueClient, logs: Any, clock: Clock
) -> None:
    client.submit(a_request())
    clock.now = an_hour_later = datetime(2026, 11, 21, 11, 5, tzinfo=UTC).timestamp()
    assert list(follow_log(client, logs, "resnet")) == list(read_log(client, logs, "resnet"))
    assert clock.now == an_hour_later


def test_lines_that_come_in_after_the_end_are_not_lost(
    client: QueueClient, queue: FakeQueue, logs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue.life = [a_job("failed", "failed", attempts=[an_attempt(1, "failed")])]
    client.submit(a_request())
    late = {"resnet-sq-1/algo-1-1763719200": ["Traceback"]}
    monkeypatch.setattr(fake_aws, "STREAMS", {})
    queue.overtaking = [lambda: None, lambda: monkeypatch.setattr(fake_aws, "STREAMS", late)]  # at the second look
    assert "Traceback" in texts(list(follow_log(client, logs, "resnet")))


def test_hosts_are_merged_by_time_and_named(
    client: QueueClient, queue: FakeQueue, logs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue.life = [a_job("running", "running", attempts=[an_attempt(1)])]
    client.submit(a_request())
    streams = {"resnet-sq-1/algo-1-1": ["one", "three"], "resnet-sq-1/algo-2-1": ["two", "four"]}
    monkeypatch.setattr(fake_aws, "STREAMS", streams)
    lines = [line for line in read_log(client, logs, "resnet") if not line.is_marker]
    assert lines == [
        LogLine("one", "algo-1"),
        LogLine("two", "algo-2"),
        LogLine("three", "algo-1"),
        LogLine("four", "algo-2"),
    ]


class LostConnection:
    """Loses CloudWatch's answers to the calls from the `first` to the `last` one, counted from 1."""

    def __init__(self, error: Exception, first: int, last: int) -> None:
        self.error, self.first, self.last, self.calls = error, first, last, 0

    def __call__(self, **_: object) -> None:
        self.calls += 1
        if self.first <= self.calls <= self.last:
            raise self.error


def refusal(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "for the test"}}, "GetLogEvents")


@pytest.mark.parametrize(
    "error",
    [
        EndpointConnectionError(endpoint_url="https://logs"),
        ReadTimeoutError(endpoint_url="https://logs"),
        refusal("ThrottlingException"),
        refusal("ServiceUnavailableException"),
        refusal("InternalFailure"),
    ],
    ids=str,
)
@pytest.mark.parametrize("first", range(1, 10))
def test_a_lost_connection_skips_and_repeats_no_lines(
    client: QueueClient,
    queue: FakeQueue,
    logs: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    first: int,
) -> None:
    queue.life = [a_job("failed", "failed", attempts=[an_attempt(1, "failed")])]
    client.submit(a_request())
    streams = {"resnet-sq-1/algo-1-1": ["one", "three"], "resnet-sq-1/algo-2-1": ["two", "four"]}
    monkeypatch.setattr(fake_aws, "STREAMS", streams)
    logs.meta.events.register("before-call.logs", LostConnection(error, first, first + 2))
    assert texts(list(follow_log(client, logs, "resnet")))[1:-1] == ["one", "two", "three", "four"]
    assert capsys.readouterr().err.count("resnet-sq-1: no answer from CloudWatch Logs; asking again for up to") == 1


@pytest.mark.parametrize("first", [1, 2, 3])
def test_a_log_that_is_read_once_is_complete_or_an_error(
    client: QueueClient, logs: Any, clock: Clock, first: int
) -> None:
    client.submit(a_request())
    clock.now = COMPLETED
    logs.meta.events.register("before-call.logs", LostConnection(refusal("ThrottlingException"), first, first))
    with pytest.raises(ClientError):
        list(read_log(client, logs, "resnet"))


def test_the_last_lines_are_the_last_ones_even_if_the_first_read_was_cut_off(
    client: QueueClient, logs: Any, clock: Clock
) -> None:
    client.submit(a_request())
    clock.now = COMPLETED
    logs.meta.events.register("before-call.logs", LostConnection(refusal("ThrottlingException"), 1, 2))
    assert texts(list(follow_log(client, logs, "resnet", last=2))) == [
        "(resnet-sq-1 starts)",
        "attempt 2: epoch 3",
        "(resnet-sq-2: completed)",
    ]


def test_a_cloudwatch_that_does_not_answer_for_15_minutes_ends_the_following(
    client: QueueClient, logs: Any, clock: Clock
) -> None:
    client.submit(a_request())
    error = EndpointConnectionError(endpoint_url="https://logs")
    logs.meta.events.register("before-call.logs", LostConnection(error, 1, 100_000))
    with pytest.raises(EndpointConnectionError):
        list(follow_log(client, logs, "resnet", every=30))
    assert clock.now >= 900


@pytest.mark.parametrize("code", ["ExpiredTokenException", "InvalidParameterException"])
def test_a_refusal_by_cloudwatch_ends_the_following_at_once(client: QueueClient, logs: Any, code: str) -> None:
    client.submit(a_request())
    logs.meta.events.register("before-call.logs", LostConnection(refusal(code), 1, 1))
    with pytest.raises(ClientError, match=code):
        list(follow_log(client, logs, "resnet", every=30))


def test_before_any_job_has_printed_there_is_no_log_group_and_that_is_no_error(
    client: QueueClient, queue: FakeQueue, logs: Any, aws: FakeAws
) -> None:
    queue.life = [a_job("preempted", position=1, attempts=[preempted()])]
    client.submit(a_request())
    aws.has_log_group = False
    assert texts(list(read_log(client, logs, "resnet")))[-1].startswith("(queued: position 1")
