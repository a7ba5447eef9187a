"""A record that was read before is not converted again, and each change of it is seen."""

from dataclasses import replace

import pytest

from scheduler.adapters.dynamodb.records.job_records import (
    RecordReader,
    attempt_item,
    job_item,
    readable_attempt,
    readable_job,
)
from scheduler.adapters.dynamodb.records.record_converter import attribute_values
from support.builders.jobs import a_job, an_attempt


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
