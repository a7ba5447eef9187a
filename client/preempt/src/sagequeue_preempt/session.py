"""Connects one training process to the queue: decides when to save, reports saves, and waits for the stop.

`Preemptible` and the frameworks' callbacks use it between steps. All ranks of a job make the same calls; the first
rank reads the notice and reports.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Callable

import boto3
from botocore.config import Config

from sagequeue_preempt.acknowledgement import Acknowledgements, Saved
from sagequeue_preempt.groups import Alone, Group, any_of
from sagequeue_preempt.launch import Launch
from sagequeue_preempt.log import S3_ERRORS, Log, first_line
from sagequeue_preempt.manifest import Manifest
from sagequeue_preempt.notice import StopNotice
from sagequeue_preempt.sigterm import Sigterm
from sagequeue_preempt.upload import Upload

_AFTER_NOTICE = 180.0  # seconds: three sweeps of the queue, the first of which stops the job
_WAIT_STEP = 1.0  # seconds between two checks, each with a List call or an agreement of the ranks


@dataclass(frozen=True)
class Options:
    """Settings, and the parts that tests replace."""

    every_minutes: float = 10.0
    wait_seconds: float = 900.0  # a longer notice is waited for in any case
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    s3: Any = None
    clock: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep


@dataclass(frozen=True)
class Due:
    """Actions on which all ranks agreed after a step."""

    by_notice: bool
    by_sigterm: bool
    by_time: bool

    @property
    def stop(self) -> bool:
        return self.by_notice or self.by_sigterm

    @property
    def save(self) -> bool:
        return self.stop or self.by_time


@dataclass(frozen=True)
class _Uploading:
    """A save before a stop that SageMaker is still copying to S3."""

    folder: Path
    manifest: Manifest
    saved: Saved


class Session:
    def __init__(self, options: Options) -> None:
        self.log = Log()
        self.launch = Launch.read(options.environ)
        self.group: Group = Alone()  # until the start: frameworks know their ranks late
        self._options = options
        self._sigterm = Sigterm(self.log)
        self._s3 = options.s3 or self._client()
        self._notice: StopNotice | None = None
        self._answered: str | None = None
        self._acknowledgements = Acknowledgements(self._s3, self.launch.acknowledgement, self.log)
        self._upload = Upload(self._s3, self.launch, self.log)
        self._uploading: _Uploading | None = None
        self._saved_at = options.clock()

    def start(self, group: Group) -> None:
        self.group = group
        if self._s3 is not None and self.launch.stop is not None and self.group.rank == 0:
            self._notice = StopNotice(self._s3, self.launch.stop, self.launch.poll_seconds, self.log)
            self._notice.start()
            self._report_start(self.launch.attempt)
        self._saved_at = self._options.clock()
        self._sigterm.install()

    def close(self) -> None:
        self._sigterm.restore()
        if self._notice is not None:
            self._notice.close()
            self._notice = None

    def began(self, after: int | None) -> None:
        """Logs the step at which the training begins; `sagequeue preempt-test` looks for this line."""
        self._tell("begins at step 0" if after is None else f"resumes after step {after}")

    def _report_start(self, attempt: str | None) -> None:
        """Reports to the queue that this program reads notices. The queue stops other programs without notice."""
        if attempt is not None:
            self._acknowledgements.send(Saved(attempt, None, self.now(), 0.0, None, None))

    def due(self) -> Due:
        """Agrees with the other ranks on the actions to take. Call it once after each step."""
        is_time = self._options.clock() - self._saved_at >= 60 * self._options.every_minutes
        return Due(*any_of(self.group, self._asked_at is not None, self._sigterm.received, is_time))

    def now(self) -> str:
        return datetime.fromtimestamp(self._options.clock(), timezone.utc).isoformat()

    def saved(self, due: Due, folder: Path, manifest: Manifest) -> None:
        """Reports a complete checkpoint. The first rank calls it."""
        if self.launch.attempt is None:
            return
        began = datetime.fromisoformat(manifest.saved_at).timestamp()
        took = round(self._options.clock() - began, 3)
        asked_at = self._asked_at if due.stop else None
        uploaded = self._upload.is_whole(folder, manifest) if due.stop else None
        saved = Saved(self.launch.attempt, manifest.step, manifest.saved_at, took, asked_at, uploaded)
        self._acknowledgements.send(saved)
        self._uploading = _Uploading(folder, manifest, saved) if uploaded is False else None

    def done(self, due: Due) -> None:
        """Ends a save on all ranks. If the save precedes a stop, waits for the stop. Then the next interval begins."""
        if due.stop and not self.launch.is_training_job:
            self._sigterm.pass_on()  # outside SageMaker, nothing would end a process that waits
        elif due.stop:
            self._wait(due)
        self._saved_at = self._options.clock()

    @property
    def _asked_at(self) -> str | None:
        """The queue's request to stop.

        None without a request, or if the job has waited for this stop without effect.
        """
        asked_at = None if self._notice is None else self._notice.asked_at
        return None if asked_at == self._answered else asked_at

    def _wait(self, due: Due) -> None:
        """Waits to be stopped, because SageMaker would report a process that exits as Completed or Failed."""
        self._tell("the checkpoint is saved; waiting to be stopped")
        began, most = self._options.clock(), self._longest_wait()
        while True:
            self._report_upload()
            is_late = self.group.rank == 0 and self._options.clock() >= began + most
            is_withdrawn = self.group.rank == 0 and not due.by_sigterm and self._asked_at is None
            late, withdrawn = any_of(self.group, is_late, is_withdrawn)
            if late or withdrawn:
                break
            self._options.sleep(_WAIT_STEP)
        self._answered, self._sigterm.received = self._asked_at, False
        reason = "the stop was withdrawn" if withdrawn else f"the job was not stopped within {most:.0f} s"
        self._tell(f"{reason}: trains on")

    def _longest_wait(self) -> float:
        """Returns the seconds to wait. The first rank decides for all, because only it reads the notice."""
        request = None if self._notice is None else self._notice.request
        return max(self._options.wait_seconds, 0 if request is None else request.seconds + _AFTER_NOTICE)

    def _report_upload(self) -> None:
        """Acknowledges the last save again, once all of it is in S3."""
        waiting = self._uploading
        if waiting is not None and self._upload.is_whole(waiting.folder, waiting.manifest):
            self._acknowledgements.send(replace(waiting.saved, uploaded=True))
            self._uploading = None

    def _tell(self, text: str) -> None:
        """Logs the line only on the first rank, since all ranks would log the same line."""
        if self.group.rank == 0:
            self.log.line(text)

    def _client(self) -> Any:
        """Returns a client, or None outside the queue or if no client can be created.

        Training pauses during the client's short calls.
        """
        if self.launch.attempt is None:
            return None
        config = Config(connect_timeout=3, read_timeout=5, retries={"max_attempts": 2})
        try:
            return boto3.client("s3", region_name=self.launch.region, config=config)
        except S3_ERRORS as error:
            self.log.line(
                f"cannot create a client for S3: {first_line(error)}; the job will be stopped without a final save"
            )
            return None
