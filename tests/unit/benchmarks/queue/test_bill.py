"""DynamoDB's bill, on the figures that were measured on AWS."""

import pytest
from benchmarks.queue.bill import Item, read_units, write_units

from scheduler.adapters.dynamodb.records.job_records import job_item
from scheduler.core.jobs.job_state import JobState
from support.builders.jobs import a_job

SMALL: Item = {"pk": {"S": "x"}, "sk": {"S": "y"}}


def of_bytes(size: int) -> Item:
    return {**SMALL, "b": {"B": b"0" * (size - len("pkxskyb"))}}


@pytest.mark.parametrize(("size", "units"), [(1, 1), (1024, 1), (1025, 2), (3000, 3)])
def test_a_write_costs_a_unit_for_each_kilobyte(size: int, units: int) -> None:
    assert write_units(None, of_bytes(max(size, 10)), in_transaction=False) == units


def test_a_transaction_doubles_it_also_for_what_it_only_checks() -> None:
    assert write_units(None, SMALL, in_transaction=True) == 2
    assert write_units(SMALL, SMALL, in_transaction=True) == 2


def test_the_larger_of_old_and_new_counts() -> None:
    assert write_units(of_bytes(3000), None, in_transaction=False) == 3


def test_indexes_cost_what_the_write_changes_of_them_and_no_more_in_a_transaction() -> None:
    waiting, running = (
        job_item(a_job(state=state), changed_by="api") for state in (JobState.PENDING, JobState.RUNNING)
    )
    assert write_units(None, waiting, in_transaction=True) == 2 + 2
    assert write_units(waiting, running, in_transaction=True) == 2 + 2
    assert write_units(running, running, in_transaction=True) == 2


def test_what_is_moved_within_an_index_is_written_twice() -> None:
    before, after = (job_item(a_job(priority=priority), changed_by="api") for priority in (1, 2))
    assert write_units(before, after, in_transaction=False) == 1 + 2 + 2


@pytest.mark.parametrize(("sizes", "units"), [([100], 1), ([4096], 1), ([2048, 2049], 2), ([], 1)])
def test_a_read_costs_a_unit_for_each_four_kilobytes_and_half_of_it_where_it_may_lag(
    sizes: list[int], units: int
) -> None:
    items = [of_bytes(size) for size in sizes]
    assert read_units(items, consistent=True) == units
    assert read_units(items, consistent=False) == units / 2
