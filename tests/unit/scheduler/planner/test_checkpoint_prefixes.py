"""The live job that uses a checkpoint prefix, one that contains it or one inside it."""

import tracemalloc

import pytest

from scheduler.core.planner.placement.checkpoint_prefixes import CheckpointPrefixes
from support.builders.jobs import a_job

MIB = 2**20


@pytest.mark.parametrize(
    ("used", "asked", "conflicts"),
    [
        ("s3://bucket/run", "s3://bucket/run", True),
        ("s3://bucket/run/", "s3://bucket/run", True),
        ("s3://bucket/run", "s3://bucket/run/part/one", True),
        ("s3://bucket/run/part/one", "s3://bucket/run/", True),
        ("s3://bucket", "s3://bucket/run", True),
        ("s3://bucket/run", "s3://bucket/run-2", False),
        ("s3://bucket/run-2", "s3://bucket/run", False),
        ("s3://bucket/run.a", "s3://bucket/run/a", False),
        ("s3://bucket/run", "s3://other/run", False),
    ],
)
def test_prefixes_conflict_by_whole_segments(used: str, asked: str, conflicts: bool) -> None:
    expected = "first" if conflicts else None
    between = [a_job(f"other{number}", checkpoint_uri=f"s3://bucket/a{number}") for number in range(3)]
    first = a_job("first", checkpoint_uri=used)
    assert CheckpointPrefixes([*between, first]).conflicting_job(asked) == expected
    later = CheckpointPrefixes(between)
    later.add(first)
    assert later.conflicting_job(asked) == expected


def test_jobs_without_checkpoints_conflict_with_no_job() -> None:
    used = CheckpointPrefixes([a_job("first"), a_job("second", checkpoint_uri="s3://bucket/run")])
    assert used.conflicting_job(None) is None


def test_a_prefix_of_many_segments_takes_no_more_memory_than_its_text() -> None:
    """A thousand waiting jobs of one owner are looked up in each plan; 2 MiB for each would exceed the function's."""
    prefixes = CheckpointPrefixes([a_job("live", checkpoint_uri="s3://bucket/live")])
    deep = [a_job(f"deep{number}", checkpoint_uri="s3://\U00020000" + "/" * 1000 + str(number)) for number in range(10)]
    tracemalloc.start()
    assert [prefixes.conflicting_job(job.spec.checkpoint_uri) for job in deep] == [None] * len(deep)
    prefixes.add(deep[0])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < MIB / 10
