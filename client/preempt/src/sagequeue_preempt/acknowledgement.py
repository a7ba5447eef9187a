"""Reports to the queue each save, and that the program reads notices: in a small S3 object, or else in the log."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from sagequeue_preempt.launch import Place
from sagequeue_preempt.log import S3_ERRORS, Log, first_line


@dataclass(frozen=True)
class Saved:
    """The content of the acknowledgement in S3."""

    attempt: str
    step: int | None  # None: nothing is saved yet, but the program reads notices
    saved_at: str  # when the save began: work after that is not in it
    save_seconds: float
    stop_asked_at: str | None  # the notice that this save answers, as the queue wrote it
    uploaded: bool | None  # whether all files are in S3; None if the library did not check or may not


class Acknowledgements:
    def __init__(self, s3: Any, place: Place | None, log: Log) -> None:
        self._s3 = s3
        self._place = place
        self._log = log

    def send(self, saved: Saved) -> None:
        """Reports a save or the program's start. The queue notifies only programs that have reported something."""
        if not self._write(json.dumps(asdict(saved))) and saved.step is not None:
            print(
                f"[sagequeue] saved step={saved.step} at={saved.saved_at}", flush=True
            )  # the queue looks for this line

    def _write(self, body: str) -> bool:
        if self._s3 is None or self._place is None:
            return False
        try:
            self._s3.put_object(
                Bucket=self._place.bucket, Key=self._place.key, Body=body.encode(), ContentType="application/json"
            )
        except S3_ERRORS as error:
            problem = f"cannot write {self._place}: {first_line(error)}"
            self._log.once(f"{problem}; the job gets no stop notice, and logs its saves")
            return False
        return True
