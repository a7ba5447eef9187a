"""The server of `sagequeue ui`: access, and its calls to the queue."""

import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import boto3
import pytest
import requests
from click.testing import CliRunner

from integration.sagequeue.fakes.aws import STREAMS, FakeAws
from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import DEFAULTS, FakeQueue
from sagequeue import QueueClient
from sagequeue.cli.main import main
from sagequeue.ui import log_tails
from sagequeue.ui.server import PageServer
from support.deployed.waiting import eventually
from unit.sagequeue.builders.history import GPU, a_change, a_run
from unit.sagequeue.builders.jobs import a_request

READS = ("queue", "jobs", "whoami", "budget", "pools", "spending", "findings", "config", "config/versions")
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

    @pytest.mark.parametrize(("days", "steps"), [(1, 96), (7, 168)])
    def test_instances_over_time_are_summed_up_with_the_jobs_of_now(
        self, browser: requests.Session, address: str, client: QueueClient, queue: FakeQueue, days: int, steps: int
    ) -> None:
        client.submit(a_request())
        now = datetime.now(UTC)
        times: dict[str, Any] = {
            name: (now - timedelta(minutes=ago)).isoformat()
            for name, ago in {"waited_since": 100, "reserved_at": 90, "ended_at": 30}.items()
        }
        queue.changes = [a_change("other", team="vision", run=a_run(**times))]
        queue.past_budgets = [
            {"begins": now.isoformat(), "budget": {GPU: 3}, "source": "parameter", "changed_by": None}
        ]
        found = browser.get(f"{address}/api/usage?days={days}&by=team").json()
        assert (found["steps"], found["steps"] * found["step_seconds"]) == (steps, days * 86_400)
        assert {group["name"] for group in found["groups"]} == {"vision", "(none)"}
        (vision,) = (group for group in found["groups"] if group["name"] == "vision")
        assert sum(vision["held"]) * found["step_seconds"] == pytest.approx(3600, abs=60)
        asked = [parse_qs(urlsplit(call.path).query) for call in queue.calls if call.path.startswith("/history")]
        begin = datetime.fromisoformat(asked[0]["since"][0])
        assert abs(begin - (now - timedelta(days=days))) < timedelta(minutes=1)

    @pytest.mark.parametrize("query", ["", "days=1", "days=2&by=type", "days=1&by=job"])
    def test_other_charts_do_not_reach_the_queue(
        self, browser: requests.Session, address: str, queue: FakeQueue, query: str
    ) -> None:
        assert browser.get(f"{address}/api/usage?{query}").status_code == 400
        assert not queue.calls

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

    def test_many_jobs_are_changed_and_their_progress_is_read(
        self, browser: requests.Session, address: str, client: QueueClient
    ) -> None:
        client.submit(a_request())
        batch = post(browser, address, "batches", verb="priority", names=["resnet"], priority=9).json()
        assert (batch["verb"], batch["total"], batch["priority"]) == ("priority", 1, 9)
        read = f"{address}/api/batches/{batch['id']}"
        over = eventually(lambda: browser.get(read).json(), lambda seen: bool(seen["is_over"]))
        assert (over["changed"], client.get("resnet")["priority"]) == (["resnet"], 9)
        assert browser.get(f"{address}/api/batches").json() == {"batches": [over]}
        assert post(browser, address, f"batches/{batch['id']}/stop").status_code == 200
        assert browser.get(f"{address}/api/batches/unknown").status_code == 404

    @pytest.mark.parametrize(
        "wrong",
        [
            {"verb": "delete", "names": ["resnet"]},
            {"verb": "hold", "names": []},
            {"verb": "hold", "names": "resnet"},
            {"verb": "hold", "names": ["resnet"], "priority": 5},
            {"verb": "priority", "names": ["resnet"]},
            {"verb": "requeue", "names": ["resnet"]},
            {"verb": "requeue", "names": ["resnet", "bert"], "attempts": {"resnet": 1}},
            {"verb": "requeue", "names": ["resnet"], "attempts": {"resnet": "1"}},
            {"verb": "hold", "names": ["resnet"], "attempts": {"resnet": 1}},
        ],
    )
    def test_a_change_of_many_jobs_that_is_none_does_not_reach_the_queue(
        self, browser: requests.Session, address: str, queue: FakeQueue, wrong: dict[str, object]
    ) -> None:
        assert post(browser, address, "batches", **wrong).status_code == 400
        assert not queue.calls

    def test_the_page_asks_what_another_priority_would_stop(
        self, browser: requests.Session, address: str, queue: FakeQueue
    ) -> None:
        told = post(browser, address, "what-if-priority", names=["resnet"], priority=9)
        assert told.json() == {"preempts": ["bert"], "starts_now": []}
        assert post(browser, address, "what-if-priority", names=["resnet"], priority="9").status_code == 400
        assert [call.path for call in queue.calls] == ["/what-if-priority"]

    def test_the_page_forecasts_a_request_and_submits_it(
        self, browser: requests.Session, address: str, client: QueueClient, queue: FakeQueue
    ) -> None:
        told = post(browser, address, "what-if", **a_request()).json()
        assert {"starts_now", "preempts", "starts"} <= told.keys()
        assert not queue.requests
        answer = post(browser, address, "submit", **a_request())
        assert (answer.status_code, answer.json()["is_new"]) == (201, True)
        assert client.get("resnet")["request"] == a_request()
        assert post(browser, address, "submit", **a_request()).json()["is_new"] is False

    def test_alternatives_beside_a_request_are_forecast_and_submitted_with_it(
        self, browser: requests.Session, address: str, queue: FakeQueue
    ) -> None:
        options = {"alternatives": [{"request": {"EnableManagedSpotTraining": True}}]}
        for call in ("what-if", "submit"):
            post(browser, address, call, request=a_request(), options=options)
        assert [(call.path, call.body) for call in queue.calls] == [
            (path, {"request": a_request(), "options": options}) for path in ("/what-if", "/jobs")
        ]

    def test_the_refusal_of_a_request_names_its_field(
        self, browser: requests.Session, address: str, queue: FakeQueue
    ) -> None:
        words = {"error": "over_budget", "message": "Too many.", "field": "ResourceConfig", "remedy": "Use fewer."}
        queue.faults = [(400, words), (400, words)]
        for call in ("what-if", "submit"):
            answer = post(browser, address, call, **a_request())
            assert (answer.status_code, answer.json()["field"]) == (400, "ResourceConfig")
        assert not queue.requests

    @pytest.mark.parametrize("body", [b"", b"{", b"[1]", b'"text"', b"[" * 100_000])
    def test_a_text_that_is_no_request_does_not_reach_the_queue(
        self, browser: requests.Session, address: str, queue: FakeQueue, body: bytes
    ) -> None:
        for call in ("what-if", "submit"):
            answer = browser.post(f"{address}/api/{call}", body, headers={"Origin": address})
            assert (answer.status_code, answer.json()["error"]) == (400, "QueueError")
        assert not queue.calls

    def test_a_job_that_another_window_ended_is_refused_with_the_queues_words(
        self, browser: requests.Session, address: str, client: QueueClient, queue: FakeQueue
    ) -> None:
        client.submit(a_request())
        gone = {"error": "already_finished", "message": "resnet has ended.", "field": None, "remedy": "Leave it."}
        queue.faults = [(409, gone)]
        answer = post(browser, address, "jobs/resnet/cancel")
        assert answer.status_code == 409
        gone["error"] = "AlreadyFinished"
        assert answer.json() == gone

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

    @pytest.mark.parametrize(
        "path", ["drain", "budget", "jobs/resnet/resubmit", "jobs", "config", "config/rollback", "../queue"]
    )
    def test_what_the_page_has_no_button_for_cannot_be_called(
        self, browser: requests.Session, address: str, queue: FakeQueue, path: str
    ) -> None:
        assert post(browser, address, path).status_code == 404
        assert not queue.calls

    @pytest.mark.parametrize("path", ["/..%2fserver.py", "/../server.py", "/page.tsx", "/built/page.js"])
    def test_only_the_pages_own_files_are_served(self, browser: requests.Session, address: str, path: str) -> None:
        assert browser.get(address + path).status_code == 404

    @pytest.fixture
    def ran_twice(self, client: QueueClient, queue: FakeQueue) -> None:
        client.submit(a_request())
        queue.life = queue.life[-1:]

    @pytest.mark.usefixtures("ran_twice")
    def test_the_log_is_that_of_the_chosen_attempt(self, browser: requests.Session, address: str, aws: FakeAws) -> None:
        first = browser.get(f"{address}/api/jobs/resnet/log?attempt=resnet-sq-1").json()
        assert [line["text"] for line in first["lines"]] == ["attempt 1: epoch 1", "attempt 1: epoch 2"]
        assert first["lines"][0]["host"] == "algo-1"
        assert aws.asked("GetLogEvents")["startFromHead"] is False
        assert first["read"] == 2

    @pytest.mark.usefixtures("ran_twice")
    @pytest.mark.parametrize("attempt", ["", "of-somebody-else"])
    def test_without_a_known_attempt_the_log_goes_on_from_attempt_to_attempt(
        self, browser: requests.Session, address: str, attempt: str
    ) -> None:
        found = browser.get(f"{address}/api/jobs/resnet/log?attempt={attempt}").json()
        assert [(line["attempt"][-1], line["text"]) for line in found["lines"]] == [
            ("1", "attempt 1: epoch 1"),
            ("1", "attempt 1: epoch 2"),
            ("2", "attempt 2: resumed"),
            ("2", "attempt 2: epoch 3"),
        ]

    @pytest.mark.usefixtures("ran_twice")
    def test_the_end_of_a_complete_log_is_read_once(
        self, browser: requests.Session, address: str, aws: FakeAws, clock: Clock
    ) -> None:
        url, ended = f"{address}/api/jobs/resnet/log", datetime.fromisoformat("2026-11-21T10:02:40Z").timestamp()
        for now, calls in ((ended + 60, 2), (ended + 600, 2), (ended + 601, 0)):
            clock.now, before = now, len(aws.calls)
            assert len(browser.get(url).json()["lines"]) == 4
            read = [operation for operation in aws.operations[before:] if operation == "DescribeLogStreams"]
            assert len(read) == calls

    @pytest.mark.usefixtures("ran_twice")
    @pytest.mark.parametrize(
        ("query", "texts", "read"),
        [
            ("search=EPOCH", ["attempt 1: epoch 1", "attempt 1: epoch 2", "attempt 2: epoch 3"], 4),
            ("search=epoch&attempt=resnet-sq-2", ["attempt 2: epoch 3"], 2),
            ("search=nowhere", [], 4),
        ],
    )
    def test_a_search_finds_the_lines_of_all_attempts_or_of_one(
        self, browser: requests.Session, address: str, query: str, texts: list[str], read: int
    ) -> None:
        found = browser.get(f"{address}/api/jobs/resnet/log?{query}").json()
        assert ([line["text"] for line in found["lines"]], found["read"], found["is_whole"]) == (texts, read, True)

    @pytest.mark.usefixtures("ran_twice")
    def test_a_search_ends_after_some_pages_and_says_so(
        self, browser: requests.Session, address: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(log_tails, "PAGES", 1)
        found = browser.get(f"{address}/api/jobs/resnet/log?search=epoch").json()
        assert ([line["text"] for line in found["lines"]], found["is_whole"]) == (["attempt 2: epoch 3"], False)

    @pytest.mark.usefixtures("ran_twice")
    def test_a_search_says_when_it_left_hosts_out(
        self, browser: requests.Session, address: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(STREAMS, "resnet-sq-2/algo-2-1700000000", ["attempt 2: epoch 3 of another host"])
        monkeypatch.setattr(log_tails, "HOSTS", 1)
        found = browser.get(f"{address}/api/jobs/resnet/log?search=epoch&attempt=resnet-sq-2").json()
        assert ([line["text"] for line in found["lines"]], found["is_whole"]) == (["attempt 2: epoch 3"], False)

    def test_a_job_that_never_ran_has_no_log(
        self, browser: requests.Session, address: str, client: QueueClient, aws: FakeAws
    ) -> None:
        client.submit(a_request())
        assert browser.get(f"{address}/api/jobs/resnet/log").json() == {"lines": [], "read": 0, "is_whole": False}
        assert not aws.calls


class TestConfiguration:
    def test_sections_have_their_texts(self, browser: requests.Session, address: str, queue: FakeQueue) -> None:
        queue.sections = {"notices": {"owners": ["idle"]}, "pools": []}
        found = browser.get(f"{address}/api/config").json()
        assert found["texts"] == {"notices": "owners:\n- idle\n", "pools": "[]\n"}
        assert found["text"] == "notices:\n  owners:\n  - idle\npools: []\n"

    def test_the_schema_is_that_of_the_package(self, browser: requests.Session, address: str, queue: FakeQueue) -> None:
        schema = browser.get(f"{address}/api/config/schema").json()
        assert {"rules", "calendar", "callers"} <= schema["properties"].keys()
        assert not queue.calls

    def test_versions_are_compared_by_section_with_some_lines_around_each_difference(
        self, browser: requests.Session, address: str, queue: FakeQueue
    ) -> None:
        tags = {f"tag-{number:02}": 0 for number in range(20)}
        before = {"rules": tags, "shares": {}, "notices": {}}
        after = {"rules": tags | {"tag-02": 1, "tag-18": 1}, "shares": {}, "spending": {"limits": []}}
        queue.faults = [(200, {**DEFAULTS, "sections": sections}) for sections in (before, after)]
        found = browser.get(f"{address}/api/config/difference?from=3&to=7").json()["differences"]
        assert [call.path for call in queue.calls] == ["/config?version=3", "/config?version=7"]
        assert [*found] == ["rules", "notices", "spending"]
        assert [line for line in found["rules"] if line[0] != " "] == [
            "-tag-02: 0", "+tag-02: 1", "…", "-tag-18: 0", "+tag-18: 1"
        ]  # fmt: skip
        assert (found["notices"], found["spending"]) == (["-{}"], ["+limits: []"])

    def test_a_text_is_planned_and_applied_as_it_is(
        self, browser: requests.Session, address: str, queue: FakeQueue
    ) -> None:
        text = "limits: []  # ä\n".encode()
        plan = {
            "version": 3,
            "changed": ["spending"],
            "before": {"spending": {}},
            "after": {"spending": {"limits": []}},
        }
        applied = {**DEFAULTS, "version": 4, "sections": {}}
        queue.faults = [(200, plan), (200, plan), (200, applied), (200, applied), (200, applied)]
        of_page = {"Origin": address}
        planned = browser.post(f"{address}/api/config/spending/plan", text, headers=of_page).json()
        assert planned["differences"] == {"spending": ["-{}", "+limits: []"]}
        browser.post(f"{address}/api/config/plan", text, headers=of_page)
        browser.put(f"{address}/api/config/spending?replaces=3&comment=no%20%26%20more", text, headers=of_page)
        browser.put(f"{address}/api/config?replaces=0", text, headers=of_page)
        browser.post(f"{address}/api/config/rollback?version=2&replaces=4&comment=back", headers=of_page)
        assert [(call.method, call.path) for call in queue.calls] == [
            ("POST", "/config/spending/plan"),
            ("POST", "/config/plan"),
            ("PUT", "/config/spending?replaces=3&comment=no%20%26%20more"),
            ("PUT", "/config?replaces=0"),
            ("POST", "/config/rollback?version=2&replaces=4&comment=back"),
        ]
        assert [call.raw for call in queue.calls[:4]] == [text] * 4

    def test_further_versions_are_read_with_the_token_of_the_page_before(
        self, browser: requests.Session, address: str, queue: FakeQueue
    ) -> None:
        queue.faults = [(200, {"versions": [], "next": "7"}), (200, {"versions": [], "next": None})]
        token = browser.get(f"{address}/api/config/versions").json()["next"]
        assert browser.get(f"{address}/api/config/versions?next={token}").json() == {"versions": [], "next": None}
        assert [call.path for call in queue.calls] == ["/config/versions", "/config/versions?next=7"]

    def test_all_problems_of_a_text_are_handed_on(
        self, browser: requests.Session, address: str, queue: FakeQueue
    ) -> None:
        problem = {"line": 2, "field": HTML, "message": "is not a kind of settings"}
        words = {"error": "bad_config", "message": "no", "field": None, "remedy": "", "problems": [problem]}
        queue.faults = [(400, words)]
        answer = browser.post(f"{address}/api/config/plan", "a: 1\n", headers={"Origin": address})
        assert (answer.status_code, answer.json()["error"]) == (400, "BadConfig")
        assert answer.json()["problems"] == [problem]

    def test_a_version_that_is_no_longer_in_force_is_refused_by_a_name_of_its_own(
        self, browser: requests.Session, address: str, queue: FakeQueue
    ) -> None:
        queue.faults = [(409, {"error": "stale_config", "message": "no", "field": "replaces", "remedy": ""})]
        answer = browser.put(f"{address}/api/config?replaces=3", "a: 1\n", headers={"Origin": address})
        assert (answer.status_code, answer.json()["error"]) == (409, "StaleConfig")

    @pytest.mark.parametrize(
        "call", ["GET config/difference?from=x", "PUT config?replaces=-1", "PUT config?replaces=²"]
    )
    def test_a_version_that_is_no_number_does_not_reach_the_queue(
        self, browser: requests.Session, address: str, queue: FakeQueue, call: str
    ) -> None:
        method, path = call.split()
        assert browser.request(method, f"{address}/api/{path}", headers={"Origin": address}).status_code == 400
        assert not queue.calls

    def test_another_page_in_the_same_browser_applies_nothing(
        self, browser: requests.Session, address: str, queue: FakeQueue
    ) -> None:
        evil = {"Origin": "http://evil.example"}
        assert browser.put(f"{address}/api/config?replaces=0", "{}", headers=evil).status_code == 403
        assert not queue.calls


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
