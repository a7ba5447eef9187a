"""A record that was read before is not converted again, and every change of it is seen."""

import pytest

from builders.jobs import a_job
from scheduler.adapters.dynamodb_items import job_item
from scheduler.adapters.dynamodb_notation import attribute_values
from scheduler.adapters.job_reader import JobReader


def test_an_unchanged_record_is_the_same_job() -> None:
    reader = JobReader()
    assert reader.read(job_item(a_job(), changed_by="api")) is reader.read(job_item(a_job(), changed_by="api"))


def test_a_change_is_seen_even_if_nobody_counted_the_version_up() -> None:
    reader, changed = JobReader(), a_job(priority=5)
    reader.read(job_item(a_job(), changed_by="api"))
    assert reader.read(job_item(changed, changed_by="api")) == changed


def test_a_broken_record_is_told_of_each_time(caplog: pytest.LogCaptureFixture) -> None:
    reader, broken = JobReader(), {**job_item(a_job(), changed_by="api"), **attribute_values({"priority": "spoilt"})}
    assert [reader.read(broken).is_readable for _ in range(2)] == [False, False]
    assert caplog.messages == ["unreadable record"] * 2
