"""The targets of `install`, and the complete reversal by `uninstall`."""

import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import boto3
import pytest
from botocore.exceptions import ClientError, NoRegionError

from integration.sagequeue.fakes.aws import FakeAws
from integration.sagequeue.fakes.queue import FakeQueue
from sagequeue import QueueClient, install, queueing, uninstall
from sagequeue.errors import NotConfigured, QueueUnreachable, UnsupportedSdk, WrongRegion
from sagequeue.hooks.training_jobs import AutoMLIsNotQueued
from unit.sagequeue.builders.jobs import a_request

pytestmark = pytest.mark.usefixtures("queue", "aws")


@pytest.fixture
def default_session(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    yield
    uninstall()


def submit(client: Any) -> None:
    client.create_training_job(**a_request())


def assert_goes_to_sagemaker(client: Any) -> None:
    with pytest.raises(ClientError, match="Requested resource not found"):
        submit(client)


@pytest.mark.usefixtures("default_session")
def test_without_a_target_it_is_the_default_session(queue: FakeQueue) -> None:
    install()
    submit(boto3.client("sagemaker"))
    assert "resnet" in queue.requests


def keep_as_default(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """SDK v3 is loaded, and keeps this client for calls without a session."""
    kept = SimpleNamespace(SageMakerClient=lambda: SimpleNamespace(sagemaker_client=client))
    monkeypatch.setitem(sys.modules, "sagemaker.core.utils.utils", cast(ModuleType, kept))


@pytest.mark.usefixtures("default_session")
def test_without_a_target_it_is_also_the_client_that_sdk_v3_keeps(
    session: boto3.Session, queue: FakeQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = session.client("sagemaker")
    keep_as_default(kept, monkeypatch)
    install()
    submit(kept)
    assert "resnet" in queue.requests
    uninstall()
    assert_goes_to_sagemaker(kept)


@pytest.mark.usefixtures("default_session")
def test_a_client_that_sdk_v3_keeps_of_an_installed_session_stays_with_its_queue(
    hooked: boto3.Session, queue: FakeQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = hooked.client("sagemaker")
    keep_as_default(kept, monkeypatch)
    install(queue=QueueClient("http://127.0.0.1:9"))
    uninstall()
    submit(kept)
    assert "resnet" in queue.requests


@pytest.mark.usefixtures("default_session")
def test_without_a_region_sdk_v3_keeps_no_client(queue: FakeQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_client() -> None:
        raise NoRegionError

    kept = SimpleNamespace(SageMakerClient=no_client)
    monkeypatch.setitem(sys.modules, "sagemaker.core.utils.utils", cast(ModuleType, kept))
    install()
    submit(boto3.client("sagemaker"))
    assert "resnet" in queue.requests


def test_a_client_that_exists_can_be_led_through_the_queue(session: boto3.Session, queue: FakeQueue) -> None:
    client = session.client("sagemaker")
    install(client)
    submit(client)
    assert "resnet" in queue.requests


def test_the_last_of_two_installs_counts(hooked: boto3.Session) -> None:
    install(hooked, QueueClient("http://127.0.0.1:9"))
    with pytest.raises(QueueUnreachable):
        submit(hooked.client("sagemaker"))


def test_a_second_install_changes_the_queue_of_earlier_clients_too(hooked: boto3.Session, aws: FakeAws) -> None:
    early = hooked.client("sagemaker")
    install(hooked, QueueClient("http://127.0.0.1:9"))
    with pytest.raises(QueueUnreachable):
        submit(early)
    assert aws.calls == []


def test_an_install_reaches_clients_that_an_uninstall_led_back(hooked: boto3.Session, queue: FakeQueue) -> None:
    client = hooked.client("sagemaker")
    uninstall(hooked)
    install(hooked)
    submit(client)
    assert "resnet" in queue.requests


def test_a_client_that_was_uninstalled_or_has_its_own_queue_does_not_follow_its_session(
    hooked: boto3.Session, queue: FakeQueue
) -> None:
    straight, own = hooked.client("sagemaker"), hooked.client("sagemaker")
    uninstall(straight)
    install(own)
    install(hooked, QueueClient("http://127.0.0.1:9"))
    assert_goes_to_sagemaker(straight)
    submit(own)
    assert "resnet" in queue.requests


def test_uninstalling_reaches_the_clients_that_were_made_meanwhile(hooked: boto3.Session, aws: FakeAws) -> None:
    client = hooked.client("sagemaker")
    uninstall(hooked)
    assert_goes_to_sagemaker(client)
    assert_goes_to_sagemaker(hooked.client("sagemaker"))
    assert aws.operations == ["CreateTrainingJob"] * 2


def test_uninstalling_what_was_never_installed_changes_nothing(session: boto3.Session) -> None:
    uninstall(session)
    assert_goes_to_sagemaker(session.client("sagemaker"))
    install(session)
    uninstall(boto3.Session())
    submit(session.client("sagemaker"))


def test_a_with_block_leads_to_the_queue_and_its_end_back(session: boto3.Session, queue: FakeQueue) -> None:
    with queueing(session):
        client = session.client("sagemaker")
        submit(client)
    assert "resnet" in queue.requests
    assert_goes_to_sagemaker(client)


def test_a_with_block_that_fails_leads_back_too(session: boto3.Session) -> None:
    with pytest.raises(KeyError), queueing(session):
        raise KeyError
    assert_goes_to_sagemaker(session.client("sagemaker"))


def test_the_end_of_a_with_block_leads_back_to_the_queue_of_an_earlier_install(
    hooked: boto3.Session, queue: FakeQueue
) -> None:
    early = hooked.client("sagemaker")
    unreachable = QueueClient("http://127.0.0.1:9")
    for target in (hooked, early):
        with queueing(target, unreachable), pytest.raises(QueueUnreachable):
            submit(early)
    for number, client in enumerate((early, hooked.client("sagemaker"))):
        client.create_training_job(**a_request(f"job-{number}"))
    assert set(queue.requests) == {"job-0", "job-1"}


def test_a_client_follows_its_session_again_after_a_with_block(hooked: boto3.Session) -> None:
    client = hooked.client("sagemaker")
    with queueing(client, QueueClient("http://127.0.0.1:9")), pytest.raises(QueueUnreachable):
        submit(client)
    uninstall(hooked)
    assert_goes_to_sagemaker(client)


def test_without_a_queue_nothing_is_installed(session: boto3.Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAGEQUEUE_API_URL", "not a url")
    with pytest.raises(NotConfigured):
        install(session)


def test_a_session_in_another_region_than_the_queue_submits_nothing(
    session: boto3.Session, queue: FakeQueue, aws: FakeAws
) -> None:
    install(session, QueueClient("https://x.execute-api.us-west-2.amazonaws.com/v1"))
    with pytest.raises(WrongRegion, match="in us-west-2, but this session is in eu-west-1"):
        submit(session.client("sagemaker"))
    assert (queue.calls, aws.calls) == ([], [])


def test_jobs_in_another_region_are_those_of_aws_whatever_their_names(
    session: boto3.Session, queue: FakeQueue, aws: FakeAws
) -> None:
    install(session, QueueClient("https://x.execute-api.us-west-2.amazonaws.com/v1"))
    sagemaker, logs = session.client("sagemaker"), session.client("logs")
    for call in (sagemaker.describe_training_job, sagemaker.stop_training_job):
        with pytest.raises(ClientError, match="Requested resource not found"):
            call(TrainingJobName="resnet")
    logs.describe_log_streams(logGroupName="/aws/sagemaker/TrainingJobs", logStreamNamePrefix="resnet/")
    assert aws.operations == ["DescribeTrainingJob", "StopTrainingJob", "DescribeLogStreams"]
    assert aws.asked("DescribeLogStreams")["logStreamNamePrefix"] == "resnet/"


@pytest.mark.parametrize("core", ["2.1.0", "2.13.1", "2.23.9"])
def test_a_sagemaker_core_that_can_ignore_the_session_is_refused(
    session: boto3.Session, monkeypatch: pytest.MonkeyPatch, core: str
) -> None:
    monkeypatch.setattr("sagequeue.hooks.installation.version", lambda _: core)
    with pytest.raises(UnsupportedSdk, match=r"can ignore the session that it is given.*sagemaker-core>=2\.24"):
        install(session)
    assert_goes_to_sagemaker(session.client("sagemaker"))


@pytest.mark.parametrize("core", ["1.0.78", "2.24.0", "2.27.0", "3.0rc1"])
def test_other_sagemaker_cores_are_welcome(
    session: boto3.Session, monkeypatch: pytest.MonkeyPatch, queue: FakeQueue, core: str
) -> None:
    monkeypatch.setattr("sagequeue.hooks.installation.version", lambda _: core)
    install(session)
    submit(session.client("sagemaker"))
    assert "resnet" in queue.requests


def test_an_automl_job_goes_to_sagemaker_with_a_warning(sagemaker: Any, aws: FakeAws) -> None:
    with pytest.warns(AutoMLIsNotQueued, match="bypasses the queue"), pytest.raises(ClientError):
        sagemaker.create_auto_ml_job_v2(
            AutoMLJobName="search",
            AutoMLJobInputDataConfig=[
                {"DataSource": {"S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": "s3://bucket/in"}}}
            ],
            OutputDataConfig={"S3OutputPath": "s3://bucket/out"},
            AutoMLProblemTypeConfig={
                "TextClassificationJobConfig": {"ContentColumn": "text", "TargetLabelColumn": "label"}
            },
            RoleArn="arn:aws:iam::123456789012:role/Training",
        )
    assert aws.operations == ["CreateAutoMLJobV2"]
