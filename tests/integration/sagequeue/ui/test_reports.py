"""Reports and usage charts, which the page's server computes from the queue's history."""

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.ui.page_script import HTML
from sagequeue import QueueClient
from unit.sagequeue.builders.history import GPU, a_change, a_run
from unit.sagequeue.builders.jobs import a_request


def test_what_ended_is_summed_up_by_all_that_it_may_be_asked_by(
    browser: requests.Session, address: str, queue: FakeQueue
) -> None:
    tags = {"project": HTML}
    queue.changes = [a_change(run=a_run(), tags=tags), a_change("b", version=2, run=a_run(outcome="idle"))]
    found = browser.get(f"{address}/api/report?since=2026-11-20T00:00:00.000Z").json()
    assert [*found["groups"]] == ["team", "owner", "type", "day", "tag:project"]
    assert found["groups"]["tag:project"][HTML]["completed_instance_seconds"] == 3600
    assert (found["total"]["runs"], found["total"]["idle_instance_seconds"]) == (2, 3600)
    assert found["notes"] == ["The history lacks 2 changes to b."]


@pytest.mark.parametrize(("days", "steps"), [(1, 96), (7, 168)])
def test_instances_over_time_are_summed_up_with_the_jobs_of_now(
    browser: requests.Session, address: str, client: QueueClient, queue: FakeQueue, days: int, steps: int
) -> None:
    client.submit(a_request())
    now = datetime.now(UTC)
    times: dict[str, Any] = {
        name: (now - timedelta(minutes=ago)).isoformat()
        for name, ago in {"waited_since": 100, "reserved_at": 90, "ended_at": 30}.items()
    }
    queue.changes = [a_change("other", team="vision", run=a_run(**times))]
    queue.past_budgets = [{"begins": now.isoformat(), "budget": {GPU: 3}, "source": "parameter", "changed_by": None}]
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
    browser: requests.Session, address: str, queue: FakeQueue, query: str
) -> None:
    assert browser.get(f"{address}/api/usage?{query}").status_code == 400
    assert not queue.calls


def test_a_tag_that_numbers_the_jobs_is_no_group(browser: requests.Session, address: str, queue: FakeQueue) -> None:
    jobs = [f"job-{number}" for number in range(201)]
    queue.changes = [a_change(job, run=a_run(), tags={"commit": job, "project": "moon"}) for job in jobs]
    found = browser.get(f"{address}/api/report?since=2026-11-20T00:00:00.000Z").json()
    assert [*found["groups"]] == ["team", "owner", "type", "day", "tag:project"]


@pytest.mark.parametrize("since", ["", "yesterday", "2026-13-01", "0001-01-01T00:00:00%2B23:59"])
def test_a_time_that_is_none_does_not_reach_the_queue(
    browser: requests.Session, address: str, queue: FakeQueue, since: str
) -> None:
    assert browser.get(f"{address}/api/report?since={since}").status_code == 400
    assert not queue.calls
