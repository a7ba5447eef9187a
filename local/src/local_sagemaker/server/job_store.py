"""Keeps all jobs in a SQLite file, so that they survive a restart of the server."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from local_sagemaker.state_machine.behaviour import Behaviour
from local_sagemaker.state_machine.commands import MetricValue
from local_sagemaker.state_machine.job import PoolStatus, Secondary, Status, TrainingJob, Transition, WarmPool
from local_sagemaker.state_machine.machine import StateMachine
from local_sagemaker.state_machine.processing.job import ProcessingJob, ProcessingStatus
from local_sagemaker.state_machine.tuning.job import Trial, TuningJob, TuningStatus

_AnyJob = TypeVar("_AnyJob", TrainingJob, TuningJob, ProcessingJob)


class JobStore:
    """The SQLite file of one server, used by one thread at a time. Opening it twice raises sqlite3.OperationalError."""

    def __init__(self, path: Path) -> None:
        self._database = sqlite3.connect(path, timeout=0, check_same_thread=False, isolation_level=None)
        self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._database.executescript("BEGIN EXCLUSIVE; COMMIT;")  # takes the lock and keeps it
        for table in ("jobs", "tuning_jobs", "processing_jobs"):
            self._database.execute(f"CREATE TABLE IF NOT EXISTS {table} (name TEXT PRIMARY KEY, job TEXT NOT NULL)")

    def restored(self, behaviour: Behaviour) -> StateMachine:
        """Returns a state machine with the saved jobs."""
        return StateMachine(
            behaviour,
            jobs=self.load(),
            tuning_jobs=self.load_tuning_jobs(),
            processing_jobs=self.load_processing_jobs(),
        )

    def load(self) -> Iterator[TrainingJob]:
        return map(_restored, self._load("jobs"))

    def load_tuning_jobs(self) -> Iterator[TuningJob]:
        return map(_restored_tuning_job, self._load("tuning_jobs"))

    def save(self, names: Iterable[str], jobs: Mapping[str, TrainingJob]) -> None:
        """Saves the named jobs, and deletes the jobs that no longer exist."""
        self._save("jobs", names, jobs)

    def save_tuning_jobs(self, names: Iterable[str], jobs: Mapping[str, TuningJob]) -> None:
        self._save("tuning_jobs", names, jobs)

    def load_processing_jobs(self) -> Iterator[ProcessingJob]:
        return (
            ProcessingJob(**(fields | {"status": ProcessingStatus(fields["status"])}))
            for fields in self._load("processing_jobs")
        )

    def save_processing_jobs(self, keys: Iterable[str], jobs: Mapping[str, ProcessingJob]) -> None:
        self._save("processing_jobs", keys, jobs)

    def _load(self, table: str) -> Iterator[dict[str, Any]]:
        rows = self._database.execute(f"SELECT job FROM {table}").fetchall()  # noqa: S608 - a name from this module
        return (json.loads(text) for (text,) in rows)

    def _save(self, table: str, names: Iterable[str], jobs: Mapping[str, _AnyJob]) -> None:
        for name in names:
            job = jobs.get(name)
            if job is None:
                self._database.execute(f"DELETE FROM {table} WHERE name = ?", (name,))  # noqa: S608 - same
            else:
                row = (name, json.dumps(asdict(job)))
                self._database.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?)", row)  # noqa: S608 - same

    def close(self) -> None:
        self._database.close()


def _restored(fields: dict[str, Any]) -> TrainingJob:
    fields["status"] = Status(fields["status"])
    fields["stopped_as"] = fields["stopped_as"] and Secondary(fields["stopped_as"])
    fields["transitions"] = [_transition(transition) for transition in fields["transitions"]]
    fields["final_metrics"] = [MetricValue(**metric) for metric in fields["final_metrics"]]
    fields["warm_pool"] = fields["warm_pool"] and _warm_pool(fields["warm_pool"])
    return TrainingJob(**fields)


def _restored_tuning_job(fields: dict[str, Any]) -> TuningJob:
    fields["status"] = TuningStatus(fields["status"])
    fields["ends_as"] = fields["ends_as"] and TuningStatus(fields["ends_as"])
    fields["trials"] = [Trial(**trial) for trial in fields["trials"]]
    return TuningJob(**fields)


def _transition(fields: dict[str, Any]) -> Transition:
    return Transition(**(fields | {"status": Secondary(fields["status"])}))


def _warm_pool(fields: dict[str, Any]) -> WarmPool:
    return WarmPool(**(fields | {"status": PoolStatus(fields["status"])}))
