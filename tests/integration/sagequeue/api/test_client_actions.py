"""QueueClient's calls that explain and change jobs and the queue, against the API's contract."""

from collections.abc import Callable

import pytest

from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.queue import EXPECTED, STAGE_SECONDS, FakeQueue
from sagequeue import QueueClient
from sagequeue.errors import (
    IntakeClosed,
    NotHeld,
    NotQueued,
    OverBudget,
    OwnerCap,
    QueueRefusal,
    QueueUnreachable,
    RuleViolated,
    TokenReused,
    UnknownJob,
)
from unit.sagequeue.builders.jobs import a_request

RUNNING = 3 * STAGE_SECONDS
TOO_MANY = {"InstanceType": "ml.g5.xlarge", "InstanceCount": 3, "VolumeSizeInGB": 30}


def test_options_and_token_go_beside_the_request_which_stays_untouched(client: QueueClient, queue: FakeQueue) -> None:
    client.submit(a_request(), {"priority": 7, "never_preempt": True}, client_token="build-17")
    assert queue.calls[-1].body == {
        "request": a_request(),
        "options": {"priority": 7, "never_preempt": True},
        "client_token": "build-17",
    }


def test_without_options_the_body_is_sagemakers_own(client: QueueClient, queue: FakeQueue) -> None:
    client.submit(a_request())
    assert (queue.calls[-1].path, queue.calls[-1].body) == ("/add-job", a_request())


def test_a_token_of_another_request_is_refused(client: QueueClient) -> None:
    client.submit(a_request(), client_token="build-17")
    with pytest.raises(TokenReused, match="Use a new token"):
        client.submit(a_request("other"), client_token="build-17")


def test_what_if_names_the_jobs_to_preempt_and_submits_nothing(client: QueueClient, queue: FakeQueue) -> None:
    assert client.what_if(a_request(), {"priority": 9})["preempts"] == ["bert"]
    assert client.what_if(a_request())["starts"] == EXPECTED
    assert queue.requests == {}


def test_what_if_of_what_would_be_refused_gets_the_refusal(client: QueueClient) -> None:
    with pytest.raises(OverBudget):
        client.what_if(a_request(ResourceConfig=TOO_MANY))


def test_why_shows_what_a_waiting_job_waits_for(client: QueueClient) -> None:
    client.submit(a_request())
    explanation = client.why("resnet")
    assert (explanation["position"], explanation["waits_for"], explanation["starts"]) == (2, ["bert"], EXPECTED)


def test_every_filter_reaches_the_api_on_every_page(client: QueueClient, queue: FakeQueue) -> None:
    for number in range(3):
        client.submit(a_request(f"job-{number}"))
    list(client.list(state=["pending", "held"], name="job-", instance_type="ml.g5.xlarge"))
    sent = [call.path for call in queue.calls[3:]]
    assert len(sent) == 2
    assert all("state=pending%2Cheld&name=job-&instance_type=ml.g5.xlarge" in path for path in sent)


def test_jobs_are_changed_by_filter_in_bounded_steps(client: QueueClient, queue: FakeQueue) -> None:
    for name in ("try-1", "try-2", "keep"):
        client.submit(a_request(name))
    done = client.change_matching("cancel", limit=1, name="try-", mine=True)
    assert (done["changed"], done["left"], done["next"]) == (["try-1"], 1, "further")
    assert queue.cancelled == {"try-1"}
    assert queue.calls[-1].body["filter"] == {"name": "try-", "mine": True}


def test_jobs_are_changed_by_name_with_one_call(client: QueueClient, queue: FakeQueue) -> None:
    for name in ("try-1", "try-2", "keep"):
        client.submit(a_request(name))
    done = client.change_named("priority", ["try-1", "keep"], priority=4)
    assert (done["changed"], queue.priorities) == (["try-1", "keep"], {"try-1": 4, "keep": 4})


def test_a_job_is_held_and_released(client: QueueClient) -> None:
    client.submit(a_request())
    assert client.hold("resnet")["state"] == "held"
    assert client.release("resnet")["state"] == "pending"


def test_a_priority_can_be_changed(client: QueueClient) -> None:
    client.submit(a_request())
    assert client.update("resnet", {"priority": -3})["priority"] == -3


@pytest.mark.parametrize("verb", ["requeue", "top", "hold", "release", "why"])
def test_each_call_about_a_job_goes_to_its_own_path_and_refuses_what_is_no_name(
    client: QueueClient, queue: FakeQueue, verb: str
) -> None:
    ask: Callable[[str], object] = getattr(client, verb)
    client.submit(a_request(), {"hold": verb == "release"})
    ask("resnet")
    assert queue.calls[-1].path == f"/jobs/resnet/{verb}"
    with pytest.raises(UnknownJob):
        ask("../budget")


def test_what_a_jobs_state_does_not_allow_is_refused_with_the_truth(client: QueueClient, clock: Clock) -> None:
    client.submit(a_request())
    clock.now = RUNNING
    with pytest.raises(NotHeld, match=r"resnet is running\. Only held jobs can be released"):
        client.release("resnet")
    with pytest.raises(NotQueued, match="resnet is running"):
        client.top("resnet")


def test_a_drained_queue_takes_no_jobs_until_it_is_resumed(client: QueueClient) -> None:
    assert client.drain() == {"intake_open": False}
    with pytest.raises(IntakeClosed, match="sagequeue resume"):
        client.submit(a_request())
    assert client.resume() == {"intake_open": True}
    assert client.submit(a_request())["name"] == "resnet"


def test_a_budget_is_replaced_and_taken_back(client: QueueClient) -> None:
    replaced = client.set_budget({"ml.g5.xlarge": 1}, stop_over_budget=True)
    assert (replaced["budget"], replaced["source"]) == ({"ml.g5.xlarge": 1}, "operator")
    assert (replaced["stop_over_budget"], replaced["changed_by"]) == (True, "ada")
    assert client.budget() == replaced
    assert client.reset_budget()["source"] == "parameter"


def test_the_queue_at_a_glance(client: QueueClient) -> None:
    client.submit(a_request())
    queue = client.queue()
    assert (queue["queued"], queue["by_state"], queue["head"][0]["name"]) == (1, {"pending": 1}, "resnet")


def test_every_broken_rule_is_in_the_error(client: QueueClient, queue: FakeQueue) -> None:
    violation = {"rule": "spot", "field": "EnableManagedSpotTraining", "message": "Not spot.", "remedy": "Set it."}
    refusal = {
        "error": "rule_violated",
        "message": "1 rule",
        "field": None,
        "remedy": "Mend",
        "violations": [violation],
    }
    queue.faults = [(422, refusal)]
    with pytest.raises(RuleViolated) as caught:
        client.submit(a_request())
    assert caught.value.violations == [violation]


@pytest.mark.parametrize(("code", "kind"), [("owner_cap", OwnerCap), ("reason_of_a_newer_stack", QueueRefusal)])
def test_a_refusal_keeps_the_apis_words_where_the_client_has_no_better_ones(
    client: QueueClient, queue: FakeQueue, code: str, kind: type[QueueRefusal]
) -> None:
    queue.faults = [(409, {"error": code, "message": "No.", "field": None, "remedy": "Wait."})]
    with pytest.raises(kind, match=r"No\. Wait\."):
        client.submit(a_request())


def test_an_unknown_job_is_explained_in_the_words_of_the_client(client: QueueClient) -> None:
    with pytest.raises(UnknownJob, match="`sagequeue ls` to list the jobs"):
        client.get("other")


@pytest.mark.parametrize(
    "ask",
    [lambda queue: queue.hold("resnet"), lambda queue: queue.drain(), lambda queue: queue.set_budget({})],
    ids=["a job", "the intake", "the budget"],
)
def test_a_change_that_got_no_answer_may_have_been_made(
    client: QueueClient, queue: FakeQueue, ask: Callable[[QueueClient], object]
) -> None:
    queue.faults = [(503, {})] * 6
    with pytest.raises(QueueUnreachable, match=r"sagequeue show resnet|same call is safe"):
        ask(client)
