"""Keeps the jobs in a SQLite file, so that they survive a restart of the server."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from local_sagemaker.state_machine.commands import MetricValue
from local_sagemaker.state_machine.job import PoolStatus, Secondary, Status, TrainingJob, Transition, WarmPool


class JobStore:
    """The SQLite file of one server, used by one thread at a time. Opening it twice raises sqlite3.OperationalError."""

    def __init__(self, path: Path) -> None:
        self._database = sqlite3.connect(path, timeout=0, check_same_thread=False, isolation_level=None)
        self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._database.executescript("BEGIN EXCLUSIVE; COMMIT;")  # takes the lock and keeps it
        self._database.execute("CREATE TABLE IF NOT EXISTS jobs (name TEXT PRIMARY KEY, job TEXT NOT NULL)")

    def load(self) -> Iterator[TrainingJob]:
        for (text,) in self._database.execute("SELECT job FROM jobs").fetchall():
            yield _restored(json.loads(text))

    def save(self, jobs: Iterable[TrainingJob]) -> None:
        rows = [(job.name, json.dumps(asdict(job))) for job in jobs]
        self._database.executemany("INSERT OR REPLACE INTO jobs VALUES (?, ?)", rows)

    def delete(self, names: Iterable[str]) -> None:
        self._database.executemany("DELETE FROM jobs WHERE name = ?", [(name,) for name in names])

    def close(self) -> None:
        self._database.close()


def _restored(fields: dict[str, Any]) -> TrainingJob:
    fields["status"] = Status(fields["status"])
    fields["stopped_as"] = fields["stopped_as"] and Secondary(fields["stopped_as"])
    fields["transitions"] = [_transition(transition) for transition in fields["transitions"]]
    fields["final_metrics"] = [MetricValue(**metric) for metric in fields["final_metrics"]]
    fields["warm_pool"] = fields["warm_pool"] and _warm_pool(fields["warm_pool"])
    return TrainingJob(**fields)


def _transition(fields: dict[str, Any]) -> Transition:
    return Transition(**(fields | {"status": Secondary(fields["status"])}))


def _warm_pool(fields: dict[str, Any]) -> WarmPool:
    return WarmPool(**(fields | {"status": PoolStatus(fields["status"])}))
