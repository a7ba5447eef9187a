"""The losses of jobs that save never, now and then, or at the notice, worked out by hand."""

import csv
import gzip
from pathlib import Path

import pytest
from benchmarks.scheduling.baselines import Naive
from benchmarks.scheduling.engine import Engine
from benchmarks.scheduling.replay import Setup
from benchmarks.scheduling.saves import SAVES, losses_of, table
from benchmarks.scheduling.trace import Submission

HOUR = 3600
#: On two instances: preempted after 2000 s of an hour, it has them again when the job of higher priority has ended.
TRACE = [
    Submission(0, 0, HOUR, 2, 0, 24 * HOUR, "ada", "vision"),
    Submission(1, 2000, 100, 2, 1, 24 * HOUR, "ada", "vision"),
    Submission(2, 2100, 50, 2, 1, 24 * HOUR, "ada", "vision"),
]


@pytest.mark.parametrize(
    ("how", "repeated"), [("never", 2000), ("every 30 minutes", 200), ("every 30 minutes and at the notice", 0)]
)
def test_a_preempted_job_repeats_what_it_has_not_saved(how: str, repeated: int) -> None:
    saves = SAVES[how]
    engine = Engine(TRACE, 2, restart=300, checkpoint=saves.checkpoint, saves_at_notice=saves.at_notice)
    rows = engine.run(Naive())
    losses = losses_of(rows, restart=300)
    assert losses.preemptions == 1
    assert losses.repeated == pytest.approx(2 * repeated / HOUR)
    assert losses.restarts == pytest.approx(2 * 300 / HOUR)
    assert max(row.end for row in rows if row.job == 0) == 2250 + 300 + HOUR - (2000 - repeated)


def test_the_table_shows_what_each_kind_of_saves_loses(tmp_path: Path) -> None:
    rows = table({"4 instances": Setup(_written(tmp_path / "trace.csv.gz"), 4)}).splitlines()[2:]
    figures = [row.strip("| ").split(" | ") for row in rows]
    assert [row[:2] for row in figures] == [["4 instances", kind] for kind in SAVES]
    assert [row[2] for row in figures] == ["1", "1", "1"]
    assert [row[4] for row in figures] == ["14", "2", "0"]


def _written(path: Path) -> Path:
    """Writes a trace: a job on four instances is preempted after 12,300 s, when the patience of another ends."""
    rows = [(0, 4 * HOUR, 4, 0, 24 * HOUR, "ada", "vision"), (12_000, 100, 4, 1, 24 * HOUR, "ada", "vision")]
    heads = ["submit_s", "duration_s", "instances", "priority", "max_runtime_s", "user", "group"]
    with gzip.open(path, "wt", newline="") as file:
        csv.writer(file).writerows([heads, *rows])
    return path
