"""`verify` finds every client that would send a training job to SageMaker, and sends none itself."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from weakref import WeakSet

import boto3
import pytest

from integration.sagequeue.fakes.aws import FakeAws
from integration.sagequeue.fakes.queue import FakeQueue
from sagequeue import install, verify
from sagequeue.errors import BypassesQueue, QueueUnreachable


@pytest.fixture(autouse=True)
def only_our_own_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests of this process keep clients and installed sessions, too."""
    monkeypatch.setattr("sagequeue.hooks.installation._routes", WeakSet())
    from sagequeue.hooks.verification import sagemaker_clients

    before = {id(client) for client in sagemaker_clients()}
    monkeypatch.setattr(
        "sagequeue.hooks.verification.sagemaker_clients",
        lambda: [client for client in sagemaker_clients() if id(client) not in before],
    )


def test_clients_of_an_installed_session_pass(hooked: boto3.Session, queue: FakeQueue, aws: FakeAws) -> None:
    clients = [hooked.client("sagemaker"), hooked.client("sagemaker", "us-east-1")]
    assert verify() == len(clients)
    assert (queue.requests, aws.calls) == ({}, [])


def test_a_client_that_was_made_before_the_install_is_found(
    session: boto3.Session, queue: FakeQueue, aws: FakeAws
) -> None:
    early = session.client("sagemaker")
    install(session)
    late = session.client("sagemaker")
    with pytest.raises(BypassesQueue, match="1 of 2 SageMaker clients") as caught:
        verify()
    assert aws.calls == []
    assert caught.value.clients == [early]
    install(early)
    assert verify() == len([early, late])


def test_a_client_hidden_in_another_object_is_found(hooked: boto3.Session) -> None:
    hidden = {"deep": [boto3.Session().client("sagemaker")]}
    with pytest.raises(BypassesQueue):
        verify()
    assert hidden


def test_a_session_can_be_verified_among_others(hooked: boto3.Session) -> None:
    others = boto3.Session().client("sagemaker")
    assert verify(hooked) == 1
    with pytest.raises(BypassesQueue):
        verify(boto3.Session())
    assert others


def test_a_program_of_sdk_v2_is_verified_as_a_whole(make_estimator: Callable[..., Any]) -> None:
    estimator = make_estimator()  # with apps whose clients are those of boto3's default session
    assert verify() >= 1
    assert estimator.tensorboard_app


def test_the_client_that_an_sdk_session_keeps_is_verified_too(session: boto3.Session, queue: FakeQueue) -> None:
    sdk_session = SimpleNamespace(boto_session=session, sagemaker_client=session.client("sagemaker"))
    install(session)
    with pytest.raises(BypassesQueue, match="1 of 2"):
        verify(sdk_session)


def test_an_unreachable_queue_is_an_error(hooked: boto3.Session, queue: FakeQueue) -> None:
    queue.faults = [(503, {})] * 6
    with pytest.raises(QueueUnreachable):
        verify()
