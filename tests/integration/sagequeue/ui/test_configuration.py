"""The configuration on the page: its texts, differences, plans and versions."""

import pytest
import requests

from integration.sagequeue.fakes.queue import DEFAULTS, FakeQueue
from integration.sagequeue.ui.page_script import HTML


def test_sections_have_their_texts(browser: requests.Session, address: str, queue: FakeQueue) -> None:
    queue.sections = {"notices": {"owners": ["idle"]}, "pools": []}
    found = browser.get(f"{address}/api/config").json()
    assert found["texts"] == {"notices": "owners:\n- idle\n", "pools": "[]\n"}
    assert found["text"] == "notices:\n  owners:\n  - idle\npools: []\n"


def test_the_schema_is_that_of_the_package(browser: requests.Session, address: str, queue: FakeQueue) -> None:
    schema = browser.get(f"{address}/api/config/schema").json()
    assert {"rules", "calendar", "callers"} <= schema["properties"].keys()
    assert not queue.calls


def test_versions_are_compared_by_section_with_some_lines_around_each_difference(
    browser: requests.Session, address: str, queue: FakeQueue
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


def test_a_text_is_planned_and_applied_as_it_is(browser: requests.Session, address: str, queue: FakeQueue) -> None:
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
    browser: requests.Session, address: str, queue: FakeQueue
) -> None:
    queue.faults = [(200, {"versions": [], "next": "7"}), (200, {"versions": [], "next": None})]
    token = browser.get(f"{address}/api/config/versions").json()["next"]
    assert browser.get(f"{address}/api/config/versions?next={token}").json() == {"versions": [], "next": None}
    assert [call.path for call in queue.calls] == ["/config/versions", "/config/versions?next=7"]


def test_all_problems_of_a_text_are_handed_on(browser: requests.Session, address: str, queue: FakeQueue) -> None:
    problem = {"line": 2, "field": HTML, "message": "is not a kind of settings"}
    words = {"error": "bad_config", "message": "no", "field": None, "remedy": "", "problems": [problem]}
    queue.faults = [(400, words)]
    answer = browser.post(f"{address}/api/config/plan", "a: 1\n", headers={"Origin": address})
    assert (answer.status_code, answer.json()["error"]) == (400, "BadConfig")
    assert answer.json()["problems"] == [problem]


def test_a_version_that_is_no_longer_in_force_is_refused_by_a_name_of_its_own(
    browser: requests.Session, address: str, queue: FakeQueue
) -> None:
    queue.faults = [(409, {"error": "stale_config", "message": "no", "field": "replaces", "remedy": ""})]
    answer = browser.put(f"{address}/api/config?replaces=3", "a: 1\n", headers={"Origin": address})
    assert (answer.status_code, answer.json()["error"]) == (409, "StaleConfig")


@pytest.mark.parametrize("call", ["GET config/difference?from=x", "PUT config?replaces=-1", "PUT config?replaces=²"])
def test_a_version_that_is_no_number_does_not_reach_the_queue(
    browser: requests.Session, address: str, queue: FakeQueue, call: str
) -> None:
    method, path = call.split()
    assert browser.request(method, f"{address}/api/{path}", headers={"Origin": address}).status_code == 400
    assert not queue.calls


def test_another_page_in_the_same_browser_applies_nothing(
    browser: requests.Session, address: str, queue: FakeQueue
) -> None:
    evil = {"Origin": "http://evil.example"}
    assert browser.put(f"{address}/api/config?replaces=0", "{}", headers=evil).status_code == 403
    assert not queue.calls
