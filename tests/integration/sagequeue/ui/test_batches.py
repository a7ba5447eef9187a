"""Actions on many jobs in the page's server."""

from integration.sagequeue.fakes.queue import FakeQueue
from sagequeue import QueueClient
from sagequeue.contract.jobs import JobChange
from sagequeue.ui.batches import AT_ONCE, Batches, BatchView
from support.deployed.waiting import eventually
from unit.sagequeue.builders.jobs import a_request

NAMES = [f"sweep-{number:02}" for number in range(AT_ONCE * 2 + 5)]


def _over(
    client: QueueClient,
    verb: JobChange,
    names: list[str],
    priority: int | None = None,
    attempts: dict[str, int] | None = None,
) -> BatchView:
    batches = Batches(client)
    started = batches.start(verb, names, priority, attempts)

    def view() -> BatchView:
        seen = batches.view(started["id"])
        assert seen is not None
        return seen

    return eventually(view, lambda seen: seen["is_over"])


def test_all_jobs_are_changed_with_few_calls(client: QueueClient, queue: FakeQueue) -> None:
    for name in NAMES:
        client.submit(a_request(name))
    before = len(queue.calls)
    seen = _over(client, "hold", NAMES)
    assert (seen["changed"], seen["refused"], seen["error"]) == (NAMES, [], None)
    assert [len(call.body["names"]) for call in queue.calls[before:]] == [AT_ONCE, AT_ONCE, 5]
    assert {client.get(name)["state"] for name in NAMES} == {"held"}


def test_jobs_go_to_the_top_the_last_one_first_so_that_they_keep_their_order(
    client: QueueClient, queue: FakeQueue
) -> None:
    for name in ("a", "b"):
        client.submit(a_request(name))
    _over(client, "top", ["a", "b"])
    assert queue.calls[-1].body["names"] == ["b", "a"]


def test_a_requeue_names_the_attempt_of_each_job(client: QueueClient, queue: FakeQueue) -> None:
    for name in NAMES:
        client.submit(a_request(name))
    seen = _over(client, "requeue", NAMES, attempts=dict.fromkeys(NAMES, 2))
    assert (seen["changed"], seen["error"]) == (NAMES, None)
    body = queue.calls[-1].body
    assert (body["names"], body["attempts"]) == (NAMES[-5:], dict.fromkeys(NAMES[-5:], 2))


def test_a_job_that_refuses_is_named_and_the_others_are_changed(client: QueueClient, queue: FakeQueue) -> None:
    for name in ("a", "b"):
        client.submit(a_request(name))
    refused = {"name": "a", "error": "already_finished", "message": "a has ended."}
    queue.faults = [(200, {"changed": ["b"], "refused": [refused], "left": 0, "is_left_exact": True, "next": None})]
    seen = _over(client, "cancel", ["a", "b"])
    assert (seen["changed"], seen["refused"]) == (["b"], [{"name": "a", "message": "a has ended."}])


def test_a_call_that_fails_ends_it_with_the_reason(client: QueueClient, queue: FakeQueue) -> None:
    queue.faults = [(403, {"message": "The security token included in the request is expired"})]
    seen = _over(client, "cancel", NAMES)
    assert (seen["changed"], seen["is_over"]) == ([], True)
    assert "signed in" in (seen["error"] or "")
