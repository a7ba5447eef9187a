"""The page in headless Chromium: Debian's, so that Playwright need not download one."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Thread
from typing import Literal, Protocol

import boto3
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from integration.sagequeue.fakes.http import serving
from local_account import LocalAccount, Settings, free_port
from page.crowd import Crowd
from page.pictures import Pictures
from sagequeue import QueueClient
from sagequeue.ui.server import PageServer
from support.deployed.rest_api import RestApi
from support.deployed.waiting import eventually

#: For a call that starts a function's process on a busy machine, in milliseconds.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)
#: Chromium's own words for an answer that is a refusal or of a queue that is not reached; the page shows it.
_REFUSED = re.compile("Failed to load resource: the server responded with a status of (4|503)")

Scheme = Literal["light", "dark"]


Chromium = Callable[..., Browser]


class OpenPage(Protocol):
    def __call__(self, view: str = "now", scheme: Scheme = "light") -> Page: ...


@pytest.fixture(scope="session")
def account(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalAccount]:
    settings = Settings(
        port=free_port(),
        sagemaker_port=free_port(),
        startup_seconds=0.5,
        budget="ml.m5.large=2,ml.g5.xlarge=4,ml.g5.2xlarge=1,ml.p4d.24xlarge=1",
    )
    with LocalAccount(settings, home=tmp_path_factory.mktemp("account")) as account:
        yield account


@pytest.fixture(scope="session")
def session(account: LocalAccount) -> Iterator[boto3.Session]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in account.env().items():
            patch.setenv(name, value)
        yield boto3.Session()


@pytest.fixture(scope="session")
def rest_api(session: boto3.Session, account: LocalAccount) -> RestApi:
    return RestApi(session, account.env()["SAGEQUEUE_API_URL"])


@pytest.fixture(scope="session")
def queue(session: boto3.Session) -> QueueClient:
    return QueueClient(session=session)


@pytest.fixture(scope="module")
def emptied(rest_api: RestApi, queue: QueueClient) -> None:
    """Ends the jobs and the rules that earlier tests left in the deployed account."""
    queue.apply_config("rules: []", "rules")
    for job in rest_api.jobs():
        rest_api.post(f"/jobs/{job['name']}/cancel")
    eventually(rest_api.jobs, lambda jobs: all(job["state"] in {"completed", "failed", "stopped"} for job in jobs))


@pytest.fixture(scope="session")
def pictures() -> Pictures:
    return Pictures(os.environ.get("PICTURES", ""))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """Returns a function that starts a browser. Playwright can run only once in a process."""
    program = shutil.which("chromium")
    assert program, "there is no chromium on the PATH: `make chromium` installs Debian's"
    with sync_playwright() as playwright:

        def start(*args: str) -> Browser:
            return playwright.chromium.launch(executable_path=program, args=["--no-sandbox", *args])  # CI runs as root

        yield start


@pytest.fixture(scope="session")
def browser(chromium: Chromium) -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def open_page(browser: Browser, queue: QueueClient, session: boto3.Session) -> Iterator[OpenPage]:
    """Opens the page of the deployed queue, with a server for each window. A script's error fails the test."""
    with _windows(browser, queue, session) as open_page:
        yield open_page


@pytest.fixture
def open_crowd(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Crowd], Page]]:
    """Opens the page of a fake queue."""
    for name, value in {
        "ACCESS_KEY_ID": "AKIAEXAMPLE",
        "SECRET_ACCESS_KEY": "s",
        "DEFAULT_REGION": "eu-west-1",
    }.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    with ExitStack() as undo:

        def open_crowd(crowd: Crowd) -> Page:
            session, url = boto3.Session(), undo.enter_context(serving(crowd))
            for service in ("CLOUDWATCH_LOGS", "CLOUDWATCH", "SAGEMAKER"):  # which the view of a job reads
                monkeypatch.setenv(f"AWS_ENDPOINT_URL_{service}", url)
            queue = QueueClient(url, session)
            return undo.enter_context(_windows(browser, queue, session))()

        yield open_crowd


@contextmanager
def _windows(browser: Browser, queue: QueueClient, session: boto3.Session) -> Iterator[OpenPage]:
    errors: list[str] = []
    with ExitStack() as undo:

        def open_page(view: str = "now", scheme: Scheme = "light") -> Page:
            link = undo.enter_context(_served(queue, session))
            context = browser.new_context(viewport={"width": 1360, "height": 820}, color_scheme=scheme)
            undo.callback(context.close)
            window = context.new_page()
            window.set_default_timeout(PATIENCE)
            window.on("pageerror", lambda error: errors.append(str(error)))
            window.on("console", lambda message: errors.extend(_mistakes(message)))
            window.goto(link)
            expect(window).to_have_url(re.compile("#/now$"))  # the link is given for a pass
            window.goto(f"{link.partition('#')[0]}#/{view}")
            return window

        yield open_page
    assert not errors


@contextmanager
def _served(queue: QueueClient, session: boto3.Session) -> Iterator[str]:
    with PageServer(queue, session) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server.link
        server.shutdown()
        thread.join()


def _mistakes(message: ConsoleMessage) -> list[str]:
    return [message.text] if message.type == "error" and not _REFUSED.match(message.text) else []
