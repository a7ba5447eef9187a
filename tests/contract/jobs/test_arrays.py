"""The promises of each store about arrays."""

from dataclasses import replace
from datetime import timedelta

import pytest

from scheduler.core.jobs.job import Job
from scheduler.core.requests.arrays.children import SETS_PER_RECORD, ChildRequests, child_of
from scheduler.core.requests.arrays.job_array import ArrayEnd, ChildState, JobArray
from scheduler.core.requests.arrays.parameters import ParameterSets
from scheduler.errors.internal import StaleJob, UnknownArray
from scheduler.errors.refusals import NameTaken, TokenReused
from scheduler.errors.unreadable import UnreadableBody
from support.builders.jobs import NOON, a_job
from support.dynamodb.stores import Stores
from support.memory.store import MemoryStore

REQUESTS = ChildRequests(({"TrainingJobName": "sweep", "HyperParameters": {"lr": "${lr}", "n": "${index}"}},), ("lr",))


def an_array(name: str = "sweep", size: int = 3, **more: object) -> JobArray:
    return JobArray(name, a_job(f"{name}-0"), "." * size, updated_at=NOON, **more)  # type: ignore[arg-type]  # fields of JobArray


def submit(stores: Stores, array: JobArray) -> JobArray:
    stores.arrays.submit_array(array, REQUESTS, ParameterSets(("lr",), tuple((f"0.{n}",) for n in range(array.size))))
    return stores.arrays.array(array.name)


def create(stores: Stores, array: JobArray, index: int) -> tuple[JobArray, Job]:
    child = child_of(array, index, stores.arrays.parameters_of(array, [index])[index], NOON)
    created = stores.arrays.create_child(array.with_states({index: ChildState.WAITING}, NOON), child)
    return created, stores.jobs.get(child.name)


def test_an_array_is_read_as_it_was_submitted_once(stores: Stores) -> None:
    stored = submit(stores, an_array(at_most=2, most_failures=0))
    assert (stored.children, stored.at_most, stored.most_failures, stored.version) == ("...", 2, 0, 0)
    assert stored.first.options == an_array().first.options
    with pytest.raises(NameTaken):
        submit(stores, an_array())
    with pytest.raises(UnknownArray):
        stores.arrays.array("sweep-1")


def test_arrays_and_jobs_share_client_tokens(stores: Stores) -> None:
    first = replace(a_job("sweep-0"), client_token="token")
    submit(stores, replace(an_array(), first=first))
    with pytest.raises(TokenReused):
        submit(stores, replace(an_array("other"), first=replace(first, name="other-0")))
    assert stores.jobs.name_for_token(first.owner_key, "token") == "sweep"


def test_a_child_and_its_letter_are_written_together_or_not_at_all(stores: Stores) -> None:
    array = submit(stores, an_array())
    created, child = create(stores, array, 1)
    assert stores.arrays.array("sweep") == created
    assert (created.children, child.place and child.place.index, child.nonce != "") == (".w.", 1, True)
    with pytest.raises(StaleJob):  # another cycle, which has not seen the first child
        create(stores, array, 2)
    with pytest.raises(NameTaken):
        create(stores, created, 1)
    assert stores.arrays.array("sweep") == created
    assert not stores.dependencies.predecessors(["sweep-2"])


def test_an_array_that_has_changed_is_not_overwritten(stores: Stores) -> None:
    array = submit(stores, an_array())
    saved = stores.arrays.save_array(replace(array, held_by="ada"), by="api")
    with pytest.raises(StaleJob):
        stores.arrays.save_array(replace(array, end=ArrayEnd.CANCELLED), by="api")
    assert stores.arrays.array("sweep") == saved


@pytest.mark.parametrize("index", [0, SETS_PER_RECORD - 1, SETS_PER_RECORD, 2 * SETS_PER_RECORD])
def test_the_request_of_a_child_has_the_values_of_its_parameters(stores: Stores, index: int) -> None:
    array = submit(stores, an_array(size=2 * SETS_PER_RECORD + 1))
    _, child = create(stores, array, index)
    request = {"TrainingJobName": f"sweep-{index}", "HyperParameters": {"lr": f"0.{index}", "n": f"{index}"}}
    assert stores.jobs.requests_of([child]) == [request]
    assert stores.jobs.request(child.name) == request


def test_requests_of_children_and_of_jobs_are_read_together(stores: Stores) -> None:
    array = submit(stores, an_array())
    stores.jobs.submit(a_job("single"), {"TrainingJobName": "single"})
    array, first = create(stores, array, 0)
    _, second = create(stores, array, 1)
    found = stores.jobs.requests_of([second, stores.jobs.get("single"), first])
    assert [not isinstance(one, Exception) and one["TrainingJobName"] for one in found] == [
        "sweep-1",
        "single",
        "sweep-0",
    ]


def test_arrays_are_listed_by_priority_and_age_until_they_end(stores: Stores) -> None:
    late = replace(a_job("late-0"), submitted_at=NOON + timedelta(hours=1))
    submit(stores, replace(an_array("late"), first=late))
    submit(stores, an_array("early", held_by="ada"))
    urgent = submit(stores, replace(an_array("urgent"), first=a_job("urgent-0", priority=5)))
    assert stores.arrays.due_arrays(5) == ("urgent", "late")
    assert stores.arrays.due_arrays(1) == ("urgent",)
    page = stores.arrays.unfinished_arrays(None, 2)
    assert [array.name for array in page.arrays] == ["urgent", "early"]
    rest = stores.arrays.unfinished_arrays(page.next_token, 2)
    assert ([array.name for array in rest.arrays], rest.next_token) == (["late"], None)
    ended = stores.arrays.save_array(replace(urgent, end=ArrayEnd.CANCELLED), by="schedule")
    assert stores.arrays.ended_arrays(5) == (ended,)
    assert stores.arrays.due_arrays(5) == ("late",)


def test_a_cancelled_array_is_due_while_a_child_waits(stores: Stores) -> None:
    array, _ = create(stores, submit(stores, an_array(at_most=1)), 0)
    assert stores.arrays.due_arrays(5) == ()
    cancelled = stores.arrays.save_array(replace(array, end=ArrayEnd.CANCELLED), by="api")
    assert stores.arrays.due_arrays(5) == ("sweep",)
    stores.arrays.save_array(cancelled.with_states({0: ChildState.LIVE}, NOON), by="schedule")
    assert stores.arrays.due_arrays(5) == ()


def test_an_array_of_the_largest_size_is_one_transaction(stores: Stores) -> None:
    array = submit(stores, an_array(size=10_000))
    assert array.size == 10_000
    assert stores.arrays.parameters_of(array, [0, 9_999]) == {
        0: {"lr": "0.0", "index": "0"},
        9_999: {"lr": "0.9999", "index": "9999"},
    }


def test_a_child_whose_array_is_unreadable_is_refused(stores: Stores) -> None:
    _, child = create(stores, submit(stores, an_array()), 0)
    if isinstance(stores.arrays, MemoryStore):
        pytest.skip("the store in memory has no digests of arrays")
    (found,) = stores.jobs.requests_of([replace(child, body_digests=("0", "1"))])
    assert isinstance(found, UnreadableBody)


def test_arrays_are_read_by_their_names(stores: Stores) -> None:
    first, second = submit(stores, an_array()), submit(stores, an_array("other", held_by="ada"))
    found = stores.dependencies.arrays_named(["sweep", "other", "unknown"])
    assert found == {"sweep": first, "other": second}
