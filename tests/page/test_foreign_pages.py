"""Pages of other origins in the browser of a developer: nothing that they send to the local account has an effect."""

import base64
import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import boto3
import pytest
from playwright.sync_api import Browser, Page, Response

from integration.sagequeue.fakes.http import Call, serving
from local_account import LocalAccount
from support.deployed.container_requests import body

#: Sends each call, and returns the texts that the page was allowed to read.
SEND = """async (calls) => {
  const read = [];
  for (const { url, ...call } of calls) {
    const answer = await fetch(url, call).catch(() => null);
    if (answer && answer.type !== "opaque") read.push(`${answer.status} ${await answer.text()}`);
  }
  return read;
}"""
SEND_FORM = """(address) => {
  const form = document.body.appendChild(document.createElement("form"));
  Object.assign(form, { method: "post", action: address, enctype: "text/plain", target: "_blank" });
  form.submit();
}"""
HTML = b"<!doctype html><title>Foreign</title><body>"
#: A signature that anybody can write: ministack takes the key "test" for the root user's, and does not check it.
FORGED = urlencode(
    {
        "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
        "X-Amz-Credential": "test/20260101/us-east-1/lambda/aws4_request",
        "X-Amz-Date": "20260101T000000Z",
        "X-Amz-Expires": "600",
        "X-Amz-SignedHeaders": "host",
        "X-Amz-Signature": "00",
    }
)
#: Statuses of a refusal: without the key or with a foreign Origin, and with a foreign Host.
REFUSED = {403, 421}


class Website:
    """Any web page."""

    def answer(self, _call: Call) -> tuple[int, bytes]:
        return 200, HTML


@dataclass
class Window:
    """A window that shows a foreign page, and the answers of the account to it."""

    page: Page
    account: LocalAccount
    statuses: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.context.on("response", self._note)

    def send(self, *calls: dict[str, Any]) -> list[str]:
        read: list[str] = self.page.evaluate(SEND, calls)
        return read

    def _note(self, response: Response) -> None:
        servers = (f":{self.account.settings.port}/", f":{self.account.settings.sagemaker_port}/")
        if any(server in response.url for server in servers) and not response.url.endswith("/start"):
            self.statuses.append(response.status)


@pytest.fixture
def window(browser: Browser, account: LocalAccount) -> Iterator[Window]:
    """A window at a page of another port of this machine, from which Chromium lets every call out."""
    with serving(Website()) as url:
        context = browser.new_context()
        page = context.new_page()
        page.goto(url)
        yield Window(page, account)
        context.close()


@pytest.fixture
def traces(session: boto3.Session, tmp_path: Path) -> Iterator[Path]:
    """The file that foreign code would write. Checks afterwards that no call had an effect."""
    tables, functions = _tables(session), _functions(session)
    proof = tmp_path / "proof"
    yield proof
    assert not proof.exists()
    assert _tables(session) == tables
    assert _functions(session) == functions
    assert _training_jobs(session) == []  # the call itself shows that no fault is injected


def test_simple_requests_run_no_function_and_wipe_nothing(window: Window, traces: Path) -> None:
    """No preflight asks for them: a page may send them anywhere, and cannot read the answer."""
    simple = {"method": "POST", "mode": "no-cors", "headers": {"Content-Type": "text/plain"}}
    aws, sagemaker = window.account.settings.endpoint, window.account.settings.sagemaker_endpoint
    functions = f"{aws}/2015-03-31/functions"
    calls = (
        {"url": f"{functions}?{FORGED}", "body": json.dumps(_function(traces)), **simple},
        {"url": f"{functions}/foreign/invocations?{FORGED}", "body": "{}", **simple},
        {"url": f"{sagemaker}/_control/calls", "body": json.dumps({"error": "no answer"}), **simple},
        {"url": f"{aws}/_ministack/reset", **simple},
    )
    assert window.send(*calls) == []
    assert len(window.statuses) == len(calls)
    assert set(window.statuses) <= REFUSED


def test_requests_with_a_preflight_are_not_sent(window: Window, traces: Path) -> None:
    aws, sagemaker = window.account.settings.endpoint, window.account.settings.sagemaker_endpoint
    any_key = {"Authorization": "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/dynamodb/aws4_request"}
    calls = (
        {"url": aws, "method": "POST", "headers": {"X-Amz-Target": "DynamoDB_20120810.ListTables"}, "body": "{}"},
        {"url": aws, "method": "POST", "headers": any_key, "body": "{}"},
        {"url": f"{sagemaker}/_control/rules", "method": "DELETE"},
        {"url": sagemaker, "method": "POST", "headers": {"X-Amz-Target": "SageMaker.ListTrainingJobs"}, "body": "{}"},
    )
    assert window.send(*calls) == []


def test_a_page_reads_nothing(window: Window, traces: Path) -> None:
    aws, sagemaker = window.account.settings.endpoint, window.account.settings.sagemaker_endpoint
    paths = (f"{aws}/_ministack/health", f"{aws}/2015-03-31/functions?{FORGED}", f"{sagemaker}/health")
    assert window.send(*({"url": url} for url in paths)) == []
    window.send(*({"url": url, "mode": "no-cors"} for url in paths))  # like an image: without the header Origin
    assert len(window.statuses) == len(paths)
    assert set(window.statuses) <= REFUSED


def test_a_form_wipes_nothing(window: Window, traces: Path) -> None:
    with window.page.context.expect_event("response"):
        window.page.evaluate(SEND_FORM, f"{window.account.settings.endpoint}/_ministack/reset")
    assert len(window.statuses) == 1
    assert set(window.statuses) <= REFUSED


def test_a_foreign_name_of_this_machine_runs_and_reads_nothing(window: Window, traces: Path) -> None:
    """After DNS rebinding the page and the server have one origin: the page may send and read everything."""
    aws, sagemaker = window.account.settings.port, window.account.settings.sagemaker_port
    called = [
        _call("DynamoDB_20120810.ListTables", {}),
        {"url": f"/2015-03-31/functions?{FORGED}", "method": "POST", "body": json.dumps(_function(traces))},
        {"url": f"/2015-03-31/functions/foreign/invocations?{FORGED}", "method": "POST", "body": "{}"},
        {"url": "/_ministack/reset", "method": "POST"},
    ]
    _rebind(window.page, aws)
    read = window.send(*called)
    _rebind(window.page, sagemaker)
    job = body("foreign", f"touch {traces}")
    read += window.send(
        _call("SageMaker.CreateTrainingJob", job),
        {"url": "/_control/calls", "method": "POST", "body": json.dumps({"error": "no answer"})},
    )
    assert len(read) == 6
    assert {int(text.split()[0]) for text in read} <= REFUSED


def _rebind(page: Page, port: int) -> None:
    """Opens a page at a foreign name that leads to this port, as Chromium's *.localhost does."""
    start = f"http://foreign.localhost:{port}/start"
    page.route(start, lambda route: route.fulfill(body=HTML, content_type="text/html"))
    page.goto(start)


def _call(target: str, request: dict[str, Any]) -> dict[str, Any]:
    headers = {"X-Amz-Target": target, "Content-Type": "application/x-amz-json-1.1"}
    return {"url": "/", "method": "POST", "headers": headers, "body": json.dumps(request)}


def _function(proof: Path) -> dict[str, Any]:
    """A CreateFunction request for code that writes the file as soon as it is loaded."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as code:
        code.writestr("run.py", f"open({str(proof)!r}, 'w')\ndef handle(*_): pass\n")
    return {
        "FunctionName": "foreign",
        "Runtime": "python3.11",
        "Role": "arn:aws:iam::000000000000:role/SageMakerLocalRole",
        "Handler": "run.handle",
        "Code": {"ZipFile": base64.b64encode(archive.getvalue()).decode()},
    }


def _tables(session: boto3.Session) -> list[str]:
    return session.client("dynamodb").list_tables()["TableNames"]


def _functions(session: boto3.Session) -> set[str]:
    return {function["FunctionName"] for function in session.client("lambda").list_functions()["Functions"]}


def _training_jobs(session: boto3.Session) -> list[str]:
    found = session.client("sagemaker").list_training_jobs(NameContains="foreign")
    return [job["TrainingJobName"] for job in found["TrainingJobSummaries"]]
