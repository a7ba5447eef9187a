"""`verify` finds every client that would send a training job to SageMaker, and sends none itself."""

from weakref import WeakKeyDictionary

import boto3
import pytest

from integration.sagequeue.fake_aws import FakeAws
from integration.sagequeue.fake_queue import FakeQueue
from sagequeue import install, verify
from sagequeue.errors import GoesRound, QueueUnreachable


@pytest.fixture(autouse=True)
def only_our_own_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests of this process keep clients and installed sessions, too."""
    monkeypatch.setattr("sagequeue.hooks._ways", WeakKeyDictionary())
    from sagequeue.verification import sagemaker_clients

    before = {id(client) for client in sagemaker_clients()}
    monkeypatch.setattr(
        "sagequeue.verification.sagemaker_clients",
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
    with pytest.raises(GoesRound, match="1 of 2 SageMaker clients"):
        verify()
    assert aws.calls == []
    install(early)
    assert verify() == len([early, late])


def test_a_client_hidden_in_another_object_is_found(hooked: boto3.Session) -> None:
    hidden = {"deep": [boto3.Session().client("sagemaker")]}
    with pytest.raises(GoesRound):
        verify()
    assert hidden


def test_a_queue_that_does_not_answer_is_told(hooked: boto3.Session, queue: FakeQueue) -> None:
    queue.faults = [(503, {})] * 6
    with pytest.raises(QueueUnreachable):
        verify()
