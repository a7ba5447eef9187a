"""A record that was read before is not converted again, and each change of it is seen."""

import json
import tracemalloc
from dataclasses import replace

import pytest

from scheduler.adapters.dynamodb.records import job_records
from scheduler.adapters.dynamodb.records.job_records import (
    RecordReader,
    attempt_item,
    job_item,
    readable_attempt,
    readable_job,
)
from scheduler.adapters.dynamodb.records.record_converter import attribute_values
from support.builders.jobs import a_job, an_attempt

MIB = 2**20


def test_an_unchanged_record_is_the_same_job() -> None:
    reader = RecordReader(readable_job)
    assert reader.read(job_item(a_job(), changed_by="api")) is reader.read(job_item(a_job(), changed_by="api"))


def test_a_change_without_a_new_version_is_seen() -> None:
    reader, changed = RecordReader(readable_job), a_job(priority=5)
    reader.read(job_item(a_job(), changed_by="api"))
    assert reader.read(job_item(changed, changed_by="api")) == changed


def test_a_broken_record_is_reported_each_time(caplog: pytest.LogCaptureFixture) -> None:
    reader, broken = (
        RecordReader(readable_job),
        {**job_item(a_job(), changed_by="api"), **attribute_values({"priority": "spoilt"})},
    )
    assert [reader.read(broken).is_readable for _ in range(2)] == [False, False]
    assert caplog.messages == ["unreadable record"] * 2


def test_an_attempt_that_goes_on_is_read_as_it_is_now() -> None:
    reader, attempt = RecordReader(readable_attempt), an_attempt(a_job())
    before, again = (reader.read(attempt_item(attempt, changed_by="cycle")) for _ in range(2))
    assert before is again
    seen = replace(attempt, created=not attempt.created)
    assert reader.read(attempt_item(seen, changed_by="cycle")) == seen


def test_the_cache_is_bounded_by_the_size_of_records_as_well_as_by_their_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(job_records, "_MAX_CACHED_TEXT", MIB, raising=False)
    wide = "\U00020000"  # a letter of four bytes, in memory too
    tags = tuple((f"{wide * 120}{number}", wide * 256) for number in range(47))
    text, reader = json.dumps(job_item(a_job(tags=tags), changed_by="api")), RecordReader(readable_job)
    tracemalloc.start()
    for number in range(40):
        item = json.loads(text)  # as botocore parses an answer
        item["pk"]["S"] = f"JOB#{number}"
        assert reader.read(item).is_readable
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert used < MIB


def test_a_cached_record_does_not_depend_on_the_order_of_attributes() -> None:
    reader, item = RecordReader(readable_job), job_item(a_job(), changed_by="api")
    assert reader.read(item) is reader.read(dict(reversed(item.items())))
