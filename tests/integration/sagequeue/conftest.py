"""Fakes of the queue and of AWS on this machine; every other call fails."""

from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest

from integration.sagequeue.fakes.aws import NO_TELEMETRY, FakeAws
from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.http import serving
from integration.sagequeue.fakes.queue import FakeQueue
from sagequeue import QueueClient, install, uninstall
from sagequeue.hooks.installation import jumpstart_targets
from unit.sagequeue.builders.jobs import a_whole_life


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The time of the fakes, of urllib3's pauses between tries, and of the client's cache."""
    clock = Clock()
    monkeypatch.setattr("urllib3.util.retry.time", clock)
    monkeypatch.setattr("sagequeue.hooks.handlers.monotonic", clock.time)
    for module in ("jobs.logs", "jobs.polling", "submission.queued_job"):
        monkeypatch.setattr(f"sagequeue.{module}.time", clock)
    return clock


@pytest.fixture
def queue(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeQueue]:
    fake = FakeQueue(clock, a_whole_life())
    with serving(fake) as url:
        monkeypatch.setenv("SAGEQUEUE_API_URL", url)
        yield fake


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeAws]:
    fake = FakeAws()
    with serving(fake) as url:
        for service in ("SAGEMAKER", "CLOUDWATCH", "CLOUDWATCH_LOGS", "SSM"):
            monkeypatch.setenv(f"AWS_ENDPOINT_URL_{service}", url)
        yield fake


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")  # nobody listens there
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TZ", "UTC")


@pytest.fixture
def client(queue: FakeQueue) -> QueueClient:
    return QueueClient()


@pytest.fixture
def hooked(session: boto3.Session, client: QueueClient, aws: FakeAws) -> boto3.Session:
    install(session, client)
    return session


@pytest.fixture
def sagemaker(hooked: boto3.Session) -> Any:
    return hooked.client("sagemaker")


@pytest.fixture
def session() -> boto3.Session:
    return boto3.Session()


@pytest.fixture
def queue_session(queue: FakeQueue, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """SDK v2's; its sleeps are the clock's ticks."""
    monkeypatch.setenv("SAGEMAKER_SUPPRESS_V2_WARNING", "1")  # importing SDK v2 warns that there is a v3
    from sagequeue import QueueSession

    monkeypatch.setattr("sagemaker.session.time", clock)
    yield QueueSession(default_bucket="bucket", sagemaker_config=NO_TELEMETRY)
    for target in jumpstart_targets():  # the process keeps them
        uninstall(target)


@pytest.fixture
def make_estimator(queue_session: Any) -> Callable[..., Any]:
    from sagemaker.estimator import Estimator

    def make(**changes: Any) -> Any:
        given = {"instance_count": 1, "instance_type": "ml.g5.xlarge", "sagemaker_session": queue_session, **changes}
        return Estimator(
            image_uri="image",
            role="arn:aws:iam::123456789012:role/Training",
            output_path="s3://bucket/out",
            tags=[{"Key": "priority", "Value": "4"}],
            **given,
        )

    return make
