"""The server of `sagequeue ui`: access, and its calls to the queue."""

import socket
from collections.abc import Iterator
from threading import Thread
from urllib.parse import urlsplit

import boto3
import pytest
import requests
from click.testing import CliRunner

from integration.sagequeue.fakes.aws import FakeAws
from integration.sagequeue.fakes.queue import FakeQueue
from sagequeue import QueueClient
from sagequeue.cli.main import main
from sagequeue.ui.server import PageServer
from unit.sagequeue.builders.history import a_change, a_run
from unit.sagequeue.builders.jobs import a_request

READS = ("queue", "jobs", "whoami", "calendar", "pools", "spending", "rules", "findings")
HTML = "<img src=x onerror=alert(1)>"


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


class TestAccess:
    def test_the_link_opens_the_page_and_is_given_for_a_pass(self, server: PageServer, address: str) -> None:
        answer = requests.get(server.link, timeout=5)
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
        headers = {"Authorization": f"Bearer {enter(server).json()['pass']}"}
        assert requests.get(f"{address}/api/whoami", headers=headers, timeout=5).status_code == 200

    def test_there_is_no_cookie_which_other_ports_would_get(self, server: PageServer) -> None:
        assert "Set-Cookie" not in requests.get(server.link, timeout=5).headers
        assert "Set-Cookie" not in enter(server).headers

    def test_the_link_works_once(self, server: PageServer) -> None:
        assert enter(server).status_code == 200
        again = enter(server)
        assert (again.status_code, again.json()["error"]) == (401, "no_access")
        assert "used before" in again.json()["message"]
        assert "start it again" in again.json()["remedy"]

    @pytest.mark.parametrize("guess", ["guess", "", "\udc80"])
    def test_a_guessed_link_opens_nothing_and_leaves_the_real_one_alone(self, server: PageServer, guess: str) -> None:
        assert enter(server, guess).status_code == 401
        assert enter(server).status_code == 200

    def test_another_page_cannot_give_the_link_for_a_pass(self, server: PageServer) -> None:
        assert enter(server, origin="http://evil.example").status_code == 403
        assert enter(server).status_code == 200

    @pytest.mark.parametrize("path", ["/api/queue", "/api/jobs/resnet/log", "/api/enter", "/api/"])
    def test_a_browser_without_the_link_gets_nothing(self, address: str, path: str, queue: FakeQueue) -> None:
        answer = requests.get(address + path, timeout=5)
        assert answer.status_code == 401
        assert "open the printed link" in answer.json()["remedy"]
        assert not queue.calls

    @pytest.mark.parametrize("said", ["Bearer guess", "Bearer ", "Bearer", "Basic Og==", "Bearer \xff"])
    def test_a_guessed_pass_opens_nothing(self, address: str, said: str) -> None:
        headers = {"Authorization": said.encode("latin-1")}
        assert requests.get(f"{address}/api/queue", headers=headers, timeout=5).status_code == 401

    def test_a_name_that_strangers_point_here_is_refused(self, browser: requests.Session, address: str) -> None:
        host = {"Host": f"evil.example:{urlsplit(address).port}"}
        assert browser.get(f"{address}/api/queue", headers=host).status_code == 403

    @pytest.mark.parametrize("origin", [{}, {"Origin": "http://evil.example"}, {"Origin": "http://127.0.0.1:1"}])
    def test_another_page_in_the_same_browser_changes_nothing(
        self, browser: requests.Session, address: str, client: QueueClient, origin: dict[str, str]
    ) -> None:
        client.submit(a_request())
        answer = browser.post(f"{address}/api/jobs/resnet/cancel", headers=origin)
        assert (answer.status_code, answer.json()["error"]) == (403, "foreign_page")
        assert client.get("resnet")["state"] == "pending"

    def test_it_listens_on_the_loopback_interface_alone(self, server: PageServer) -> None:
        assert server.socket.getsockname()[0] == "127.0.0.1"

    def test_the_headers_forbid_foreign_content_and_frames(self, browser: requests.Session, address: str) -> None:
        for path in ("/", "/page.js", "/api/queue", "/nowhere"):
            headers = browser.get(address + path).headers
            assert headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'")
            assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert headers["Cache-Control"] == "no-store"


class TestCalls:
    @pytest.mark.parametrize("path", [*READS, "jobs/resnet", "jobs/resnet/why"])
    def test_the_page_reads_what_the_api_answers(
        self, browser: requests.Session, address: str, client: QueueClient, path: str
    ) -> None:
        client.submit(a_request())
        answer = browser.get(f"{address}/api/{path}")
        assert answer.status_code == 200
        assert isinstance(answer.json(), dict)

    def test_what_ended_is_summed_up_by_all_that_it_may_be_asked_by(
        self, browser: requests.Session, address: str, queue: FakeQueue
    ) -> None:
        tags = {"project": HTML}
        queue.changes = [a_change(run=a_run(), tags=tags), a_change("b", version=2, run=a_run(outcome="idle"))]
        found = browser.get(f"{address}/api/report?since=2026-11-20T00:00:00.000Z").json()
        assert [*found["groups"]] == ["team", "owner", "type", "day", "tag:project"]
        assert found["groups"]["tag:project"][HTML]["completed_instance_seconds"] == 3600
        assert (found["total"]["runs"], found["total"]["idle_instance_seconds"]) == (2, 3600)
        assert found["notes"] == ["The history lacks 2 changes of b."]

    def test_a_tag_that_numbers_the_jobs_is_no_group(
        self, browser: requests.Session, address: str, queue: FakeQueue
    ) -> None:
        jobs = [f"job-{number}" for number in range(201)]
        queue.changes = [a_change(job, run=a_run(), tags={"commit": job, "project": "moon"}) for job in jobs]
        found = browser.get(f"{address}/api/report?since=2026-11-20T00:00:00.000Z").json()
        assert [*found["groups"]] == ["team", "owner", "type", "day", "tag:project"]

    @pytest.mark.parametrize("since", ["", "yesterday", "2026-13-01", "0001-01-01T00:00:00%2B23:59"])
    def test_a_time_that_is_none_does_not_reach_the_queue(
        self, browser: requests.Session, address: str, queue: FakeQueue, since: str
    ) -> None:
        assert browser.get(f"{address}/api/report?since={since}").status_code == 400
        assert not queue.calls

    def test_a_list_is_read_with_its_filter(
        self, browser: requests.Session, address: str, client: QueueClient, queue: FakeQueue
    ) -> None:
        client.submit(a_request("bert"))
        client.submit(a_request("resnet"))
        listed = browser.get(f"{address}/api/jobs?name=re&state=pending,held&limit=5&colour=red").json()
        assert [job["name"] for job in listed["jobs"]] == ["resnet"]
        assert queue.calls[-1].path == "/jobs?state=pending%2Cheld&name=re&limit=200"

    def test_the_page_changes_what_the_caller_may_change(
        self, browser: requests.Session, address: str, client: QueueClient
    ) -> None:
        client.submit(a_request())
        assert post(browser, address, "jobs/resnet/hold").json()["state"] == "held"
        assert post(browser, address, "jobs/resnet/release").json()["state"] == "pending"
        assert post(browser, address, "jobs/resnet/priority", priority=7).json()["priority"] == 7
        assert post(browser, address, "jobs/resnet/cancel").json()["state"] == "stopped"

    @pytest.mark.parametrize("priority", ["9", None, 1.5, True])
    def test_a_priority_that_is_no_whole_number_does_not_reach_the_queue(
        self, browser: requests.Session, address: str, client: QueueClient, queue: FakeQueue, priority: object
    ) -> None:
        client.submit(a_request())
        calls = len(queue.calls)
        assert post(browser, address, "jobs/resnet/priority", priority=priority).status_code == 400
        assert len(queue.calls) == calls

    def test_a_job_that_another_window_ended_is_refused_with_the_queues_words(
        self, browser: requests.Session, address: str, client: QueueClient, queue: FakeQueue
    ) -> None:
        client.submit(a_request())
        gone = {"error": "already_finished", "message": "resnet has ended.", "field": None, "remedy": "Leave it."}
        queue.faults = [(409, gone)]
        answer = post(browser, address, "jobs/resnet/cancel")
        assert answer.status_code == 409
        assert answer.json() == {"error": "AlreadyFinished", "message": "resnet has ended.", "remedy": "Leave it."}

    def test_an_unknown_job_is_a_plain_answer(self, browser: requests.Session, address: str) -> None:
        answer = browser.get(f"{address}/api/jobs/ghost")
        assert (answer.status_code, answer.json()["error"]) == (404, "UnknownJob")

    def test_expired_credentials_are_reported_with_a_remedy(
        self, browser: requests.Session, address: str, queue: FakeQueue
    ) -> None:
        queue.faults = [(403, {"message": "The security token included in the request is expired"})]
        answer = browser.get(f"{address}/api/queue")
        assert (answer.status_code, answer.json()["error"]) == (403, "AccessDenied")
        assert "signed in" in answer.json()["remedy"]

    def test_an_unreachable_queue_is_reported(self, browser: requests.Session, address: str, queue: FakeQueue) -> None:
        queue.faults = [(503, {})] * 6
        answer = browser.get(f"{address}/api/queue")
        assert (answer.status_code, answer.json()["error"]) == (503, "QueueUnreachable")

    def test_broken_rules_are_all_handed_on(
        self, browser: requests.Session, address: str, client: QueueClient, queue: FakeQueue
    ) -> None:
        client.submit(a_request())
        violation = {"rule": HTML, "field": "priority", "message": "too high", "remedy": "Less."}
        words = {"error": "rule_violated", "message": "no", "field": None, "remedy": "", "violations": [violation]}
        queue.faults = [(422, words)]
        answer = post(browser, address, "jobs/resnet/priority", priority=9)
        assert (answer.status_code, answer.json()["violations"]) == (422, [violation])
        assert answer.headers["Content-Type"] == "application/json"  # no browser takes that for HTML

    @pytest.mark.parametrize("path", ["drain", "budget", "jobs/resnet/resubmit", "jobs", "callers", "../queue"])
    def test_what_the_page_has_no_button_for_cannot_be_called(
        self, browser: requests.Session, address: str, queue: FakeQueue, path: str
    ) -> None:
        assert post(browser, address, path).status_code == 404
        assert not queue.calls

    @pytest.mark.parametrize("path", ["/..%2fserver.py", "/../server.py", "/page.tsx", "/built/page.js"])
    def test_only_the_pages_own_files_are_served(self, browser: requests.Session, address: str, path: str) -> None:
        assert browser.get(address + path).status_code == 404

    def test_the_log_is_that_of_the_chosen_attempt(
        self, browser: requests.Session, address: str, client: QueueClient, queue: FakeQueue, aws: FakeAws
    ) -> None:
        client.submit(a_request())
        queue.life = queue.life[-1:]
        first = browser.get(f"{address}/api/jobs/resnet/log?attempt=resnet-sq-1").json()
        assert [line["text"] for line in first["lines"]] == ["attempt 1: epoch 1", "attempt 1: epoch 2"]
        assert first["lines"][0]["host"] == "algo-1"
        assert aws.asked("GetLogEvents")["startFromHead"] is False
        last = browser.get(f"{address}/api/jobs/resnet/log?attempt=of-somebody-else").json()
        assert last["attempt"] == "resnet-sq-2"

    def test_a_job_that_never_ran_has_no_log(
        self, browser: requests.Session, address: str, client: QueueClient, aws: FakeAws
    ) -> None:
        client.submit(a_request())
        assert browser.get(f"{address}/api/jobs/resnet/log").json() == {"attempt": "", "lines": []}
        assert not aws.calls


def test_a_body_that_is_far_too_large_is_not_read(browser: requests.Session, address: str) -> None:
    assert browser.post(f"{address}/api/jobs/resnet/hold", data=b"x" * 20_000).status_code == 413


def test_a_taken_port_is_reported(queue: FakeQueue, aws: FakeAws) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        told = CliRunner().invoke(main, ["ui", "--port", str(port), "--no-browser"])
    assert told.exit_code == 1
    assert f"Port {port} is not available" in told.output


def enter(server: PageServer, link: str | None = None, origin: str | None = None) -> requests.Response:
    """Exchanges the link for the token as the page's script does."""
    address, _, secret = server.link.partition("/#link=")
    given = secret if link is None else link
    return requests.post(
        f"{address}/api/enter", given.encode(errors="surrogateescape"), headers={"Origin": origin or address}, timeout=5
    )


def post(browser: requests.Session, address: str, path: str, **body: object) -> requests.Response:
    """Calls the server as the page's script does."""
    return browser.post(f"{address}/api/{path}", json=body, headers={"Origin": address})
