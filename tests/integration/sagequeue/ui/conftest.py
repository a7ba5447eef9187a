"""The server of `sagequeue ui`, and a browser that may call it."""

from collections.abc import Iterator
from threading import Thread

import boto3
import pytest
import requests

from integration.sagequeue.fakes.aws import FakeAws
from integration.sagequeue.ui.page_script import enter
from sagequeue import QueueClient
from sagequeue.ui.server import PageServer


@pytest.fixture
def server(client: QueueClient, session: boto3.Session, aws: FakeAws) -> Iterator[PageServer]:
    server = PageServer(client, session)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def address(server: PageServer) -> str:
    return f"http://127.0.0.1:{server.server_port}"


@pytest.fixture
def browser(server: PageServer) -> Iterator[requests.Session]:
    """A browser that has opened the link."""
    with requests.Session() as browser:
        browser.headers["Authorization"] = f"Bearer {enter(server).json()['pass']}"
        yield browser
