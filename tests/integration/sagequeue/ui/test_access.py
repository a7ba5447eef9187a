"""Access to the server of `sagequeue ui`: the link, the pass, and refused calls."""

import socket
from urllib.parse import urlsplit

import pytest
import requests
from click.testing import CliRunner

from integration.sagequeue.fakes.aws import FakeAws
from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.ui.page_script import enter, post
from sagequeue import QueueClient
from sagequeue.cli.main import main
from sagequeue.ui.server import PageServer
from unit.sagequeue.builders.jobs import a_request


def test_the_link_opens_the_page_and_is_given_for_a_pass(server: PageServer, address: str) -> None:
    answer = requests.get(server.link, timeout=5)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    headers = {"Authorization": f"Bearer {enter(server).json()['pass']}"}
    assert requests.get(f"{address}/api/whoami", headers=headers, timeout=5).status_code == 200


def test_there_is_no_cookie_which_other_ports_would_get(server: PageServer) -> None:
    assert "Set-Cookie" not in requests.get(server.link, timeout=5).headers
    assert "Set-Cookie" not in enter(server).headers


def test_the_link_works_once(server: PageServer) -> None:
    assert enter(server).status_code == 200
    again = enter(server)
    assert (again.status_code, again.json()["error"]) == (401, "no_access")
    assert "used before" in again.json()["message"]
    assert "start it again" in again.json()["remedy"]


@pytest.mark.parametrize("guess", ["guess", "", "\udc80"])
def test_a_guessed_link_opens_nothing_and_leaves_the_real_one_alone(server: PageServer, guess: str) -> None:
    assert enter(server, guess).status_code == 401
    assert enter(server).status_code == 200


def test_another_page_cannot_give_the_link_for_a_pass(server: PageServer) -> None:
    assert enter(server, origin="http://evil.example").status_code == 403
    assert enter(server).status_code == 200


@pytest.mark.parametrize("path", ["/api/queue", "/api/jobs/resnet/log", "/api/enter", "/api/"])
def test_a_browser_without_the_link_gets_nothing(address: str, path: str, queue: FakeQueue) -> None:
    answer = requests.get(address + path, timeout=5)
    assert answer.status_code == 401
    assert "open the printed link" in answer.json()["remedy"]
    assert not queue.calls


@pytest.mark.parametrize("said", ["Bearer guess", "Bearer ", "Bearer", "Basic Og==", "Bearer \xff"])
def test_a_guessed_pass_opens_nothing(address: str, said: str) -> None:
    headers = {"Authorization": said.encode("latin-1")}
    assert requests.get(f"{address}/api/queue", headers=headers, timeout=5).status_code == 401


def test_a_name_that_strangers_point_here_is_refused(browser: requests.Session, address: str) -> None:
    host = {"Host": f"evil.example:{urlsplit(address).port}"}
    assert browser.get(f"{address}/api/queue", headers=host).status_code == 403


@pytest.mark.parametrize("origin", [{}, {"Origin": "http://evil.example"}, {"Origin": "http://127.0.0.1:1"}])
def test_another_page_in_the_same_browser_changes_nothing(
    browser: requests.Session, address: str, client: QueueClient, origin: dict[str, str]
) -> None:
    client.submit(a_request())
    answer = browser.post(f"{address}/api/jobs/resnet/cancel", headers=origin)
    assert (answer.status_code, answer.json()["error"]) == (403, "foreign_page")
    assert client.get("resnet")["state"] == "pending"


def test_it_listens_on_the_loopback_interface_alone(server: PageServer) -> None:
    assert server.socket.getsockname()[0] == "127.0.0.1"


def test_the_headers_forbid_foreign_content_and_frames(browser: requests.Session, address: str) -> None:
    for path in ("/", "/page.js", "/api/queue", "/nowhere"):
        headers = browser.get(address + path).headers
        assert headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'")
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "path", ["drain", "budget", "jobs/resnet/resubmit", "jobs", "config", "config/rollback", "../queue"]
)
def test_what_the_page_has_no_button_for_cannot_be_called(
    browser: requests.Session, address: str, queue: FakeQueue, path: str
) -> None:
    assert post(browser, address, path).status_code == 404
    assert not queue.calls


@pytest.mark.parametrize("path", ["/..%2fserver.py", "/../server.py", "/page.tsx", "/built/page.js"])
def test_only_the_pages_own_files_are_served(browser: requests.Session, address: str, path: str) -> None:
    assert browser.get(address + path).status_code == 404


def test_a_body_that_is_far_too_large_is_not_read(browser: requests.Session, address: str) -> None:
    assert browser.post(f"{address}/api/jobs/resnet/hold", data=b"x" * 5_000_001).status_code == 413


def test_a_taken_port_is_reported(queue: FakeQueue, aws: FakeAws) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        told = CliRunner().invoke(main, ["ui", "--port", str(port), "--no-browser"])
    assert told.exit_code == 1
    assert f"Port {port} is not available" in told.output
