"""Defects in creating children of arrays and in recording their states."""

from dataclasses import replace
from secrets import token_hex

import pytest

from scheduler.adapters.dynamodb.jobs.arrays import DynamoDBArrayStore
from scheduler.adapters.dynamodb.records.job_records import job_item
from scheduler.adapters.dynamodb.writes import ABSENT, put
from scheduler.core.jobs.job import NONCE_BYTES, Job
from scheduler.core.requests.arrays.job_array import JobArray
from scheduler.cycle.arrays import Arrays
from scheduler.errors.refusals import NameTaken
from scheduler.ports.job_store import SCHEDULE


def create_in_two_writes(patches: pytest.MonkeyPatch) -> None:
    def create(self: DynamoDBArrayStore, array: JobArray, child: Job) -> JobArray:
        saved = self.save_array(array, by=SCHEDULE)
        sealed = replace(child, nonce=token_hex(NONCE_BYTES))
        self.table.transact(put(job_item(sealed, changed_by=SCHEDULE), ABSENT, refusal=NameTaken(child.name)))
        return saved

    patches.setattr(DynamoDBArrayStore, "create_child", create)


def check_only_after_ends(patches: pytest.MonkeyPatch) -> None:
    """Leaves out the check in sweeps, which finds what the checks after ends have missed."""
    patches.setattr(Arrays, "sweep", lambda _, token: token)
