"""Reads the waiting jobs that a plan considers, line by line, and skips the rest of a line with enough candidates.

A line holds the waiting jobs of one priority and kind, in queue order (see `sort_keys.line_key`).
"""

from collections.abc import Sequence

from scheduler.adapters.dynamodb.jobs.lists import BEFORE_ALL
from scheduler.adapters.dynamodb.records.attribute_values import Item
from scheduler.adapters.dynamodb.records.items import QUEUE
from scheduler.adapters.dynamodb.records.record_reader import RecordReader
from scheduler.adapters.dynamodb.records.sort_keys import end_of_line
from scheduler.adapters.dynamodb.table import Table
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job import Job
from scheduler.core.planner.ordering.candidate_selection import CandidateSelection

# Most lines are short, so one page holds many. Less than a page of a long line is read in vain.
_PAGE = 50


def read_candidates(table: Table, reader: RecordReader[Job], budget: Budget) -> tuple[Job, ...]:
    selection, behind, is_more = CandidateSelection(budget.limit), BEFORE_ALL, True
    while is_more and not selection.is_full:
        page, is_more = _waiting(table, behind)
        for item in page:
            if item["line_sk"]["S"] > behind:  # otherwise its line has enough candidates
                behind = _offer(selection, item, reader.read(item))
    return tuple(selection.jobs)


def _waiting(table: Table, behind: str) -> tuple[Sequence[Item], bool]:
    """Returns a page of waiting jobs, and whether there are more."""
    keys, values = "queue_pk = :queue AND line_sk > :behind", {":queue": QUEUE, ":behind": behind}
    return table.page("lines", keys, values, size=_PAGE)


def _offer(selection: CandidateSelection, item: Item, job: Job) -> str:
    """Offers the job, and returns the key behind which to continue."""
    if not job.is_readable:
        return item["line_sk"]["S"]
    return item["line_sk"]["S"] if selection.offer(job) else end_of_line(job)
