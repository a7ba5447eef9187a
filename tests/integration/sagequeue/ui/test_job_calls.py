"""The page's calls about jobs, and their refusals."""

import pytest
import requests

from integration.sagequeue.fakes.aws import FakeAws, a_trial
from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.ui.page_script import HTML, post
from sagequeue import QueueClient
from support.deployed.waiting import eventually
from unit.sagequeue.builders.jobs import a_request
from unit.sagequeue.builders.tuning import a_preempted_tuning_job

READS = ("queue", "jobs", "whoami", "people", "budget", "pools", "spending", "findings", "config", "config/versions")


@pytest.mark.parametrize("path", [*READS, "jobs/resnet", "jobs/resnet/why"])
def test_the_page_reads_what_the_api_answers(
    browser: requests.Session, address: str, client: QueueClient, path: str
) -> None:
    client.submit(a_request())
    answer = browser.get(f"{address}/api/{path}")
    assert answer.status_code == 200
    assert isinstance(answer.json(), dict)


def test_the_page_reads_the_trials_of_a_tuning_job(
    browser: requests.Session, address: str, client: QueueClient, queue: FakeQueue, aws: FakeAws
) -> None:
    job = a_preempted_tuning_job()
    queue.life, aws.trials = [job], {"sweep-sq-1": [a_trial("sweep-sq-1-1", value=0.5)]}
    client.submit(job["request"])
    found = browser.get(f"{address}/api/jobs/sweep/trials").json()
    assert (found["best"], found["remaining"]) == ("sweep-sq-1-1", 4)


def test_a_list_is_read_with_its_filter(
    browser: requests.Session, address: str, client: QueueClient, queue: FakeQueue
) -> None:
    client.submit(a_request("bert"))
    client.submit(a_request("resnet"))
    listed = browser.get(f"{address}/api/jobs?name=re&state=pending,held&limit=5&colour=red").json()
    assert [job["name"] for job in listed["jobs"]] == ["resnet"]
    assert queue.calls[-1].path == "/jobs?state=pending%2Cheld&name=re&limit=200"


def test_the_page_changes_what_the_caller_may_change(
    browser: requests.Session, address: str, client: QueueClient
) -> None:
    client.submit(a_request())
    assert post(browser, address, "jobs/resnet/hold").json()["state"] == "held"
    assert post(browser, address, "jobs/resnet/release").json()["state"] == "pending"
    assert post(browser, address, "jobs/resnet/update", options={"priority": 7}).json()["priority"] == 7
    assert post(browser, address, "jobs/resnet/cancel").json()["state"] == "stopped"


def test_an_approval_passes_on_the_time_limit_that_the_page_shows(
    browser: requests.Session, address: str, client: QueueClient, queue: FakeQueue
) -> None:
    client.submit(a_request())
    assert post(browser, address, "jobs/resnet/approve", max_runtime=3600).status_code == 200
    assert (queue.calls[-1].path, queue.calls[-1].body) == ("/jobs/resnet/approve", {"max_runtime": 3600})


def test_a_requeue_names_the_attempt_that_the_page_shows(
    browser: requests.Session, address: str, client: QueueClient, queue: FakeQueue
) -> None:
    client.submit(a_request())
    calls = len(queue.calls)
    assert post(browser, address, "jobs/resnet/requeue", attempt=0).status_code == 200
    (call,) = queue.calls[calls:]
    assert (call.path, call.body) == ("/jobs/resnet/requeue", {"attempt": 0})


@pytest.mark.parametrize("wrong", [{}, {"attempt": "1"}, {"attempt": True}])
def test_a_requeue_without_the_number_of_an_attempt_is_refused(
    browser: requests.Session, address: str, client: QueueClient, queue: FakeQueue, wrong: dict[str, object]
) -> None:
    client.submit(a_request())
    calls = len(queue.calls)
    assert post(browser, address, "jobs/resnet/requeue", **wrong).status_code == 400
    assert len(queue.calls) == calls


def test_many_jobs_are_changed_and_their_progress_is_read(
    browser: requests.Session, address: str, client: QueueClient
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
    browser: requests.Session, address: str, queue: FakeQueue, wrong: dict[str, object]
) -> None:
    assert post(browser, address, "batches", **wrong).status_code == 400
    assert not queue.calls


def test_the_page_asks_what_another_priority_would_stop(
    browser: requests.Session, address: str, queue: FakeQueue
) -> None:
    told = post(browser, address, "what-if-priority", names=["resnet"], priority=9)
    assert told.json() == {"preempts": ["bert"], "starts_now": []}
    assert post(browser, address, "what-if-priority", names=["resnet"], priority="9").status_code == 400
    assert [call.path for call in queue.calls] == ["/what-if-priority"]


def test_a_job_that_another_window_ended_is_refused_with_the_queues_words(
    browser: requests.Session, address: str, client: QueueClient, queue: FakeQueue
) -> None:
    client.submit(a_request())
    gone = {"error": "already_finished", "message": "resnet has ended.", "field": None, "remedy": "Leave it."}
    queue.faults = [(409, gone)]
    answer = post(browser, address, "jobs/resnet/cancel")
    assert answer.status_code == 409
    gone["error"] = "AlreadyFinished"
    assert answer.json() == gone


def test_an_unknown_job_is_a_plain_answer(browser: requests.Session, address: str) -> None:
    answer = browser.get(f"{address}/api/jobs/ghost")
    assert (answer.status_code, answer.json()["error"]) == (404, "UnknownJob")


def test_expired_credentials_are_reported_with_a_remedy(
    browser: requests.Session, address: str, queue: FakeQueue
) -> None:
    queue.faults = [(403, {"message": "The security token included in the request is expired"})]
    answer = browser.get(f"{address}/api/queue")
    assert (answer.status_code, answer.json()["error"]) == (403, "AccessDenied")
    assert "signed in" in answer.json()["remedy"]


def test_an_unreachable_queue_is_reported(browser: requests.Session, address: str, queue: FakeQueue) -> None:
    queue.faults = [(503, {})] * 6
    answer = browser.get(f"{address}/api/queue")
    assert (answer.status_code, answer.json()["error"]) == (503, "QueueUnreachable")


def test_broken_rules_are_all_handed_on(
    browser: requests.Session, address: str, client: QueueClient, queue: FakeQueue
) -> None:
    client.submit(a_request())
    violation = {"rule": HTML, "field": "priority", "message": "too high", "remedy": "Less."}
    words = {"error": "rule_violated", "message": "no", "field": None, "remedy": "", "violations": [violation]}
    queue.faults = [(422, words)]
    answer = post(browser, address, "jobs/resnet/update", options={"priority": 9})
    assert (answer.status_code, answer.json()["violations"]) == (422, [violation])
    assert answer.headers["Content-Type"] == "application/json"  # no browser takes that for HTML
