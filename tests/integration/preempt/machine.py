"""A training machine for tests: a virtual clock, a disk that can end the process, and a trainer with two files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sagequeue_preempt import Preemptible
from sagequeue_preempt.disk import Disk

BUCKET = "queue-bucket"
ATTEMPT = "resnet-sq-3"
#: As the queue sets them at launch.
ENVIRON: Mapping[str, str] = {
    "SAGEQUEUE_ATTEMPT": ATTEMPT,
    "SAGEQUEUE_STOP_URI": f"s3://{BUCKET}/stops/{ATTEMPT}",
    "SAGEQUEUE_ACK_URI": f"s3://{BUCKET}/acks/{ATTEMPT}",
    "SAGEQUEUE_REGION": "us-east-1",
    "SAGEQUEUE_POLL_SECONDS": "0.01",
}
STOP = {"state": "stop", "notice_seconds": 120, "asked_at": "2026-11-23T15:00:00+00:00"}
RUN = {"state": "run"}


class Killed(BaseException):
    """The end of the process: nothing catches it."""


@contextmanager
def until_killed() -> Iterator[None]:
    """Fails unless the process is killed in the block."""
    try:
        yield
    except Killed:
        return
    raise AssertionError("nothing has killed the process")


@dataclass
class Clock:
    now: float = 1_800_000_000.0
    while_asleep: Callable[[], None] = lambda: None

    def time(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.while_asleep()


@dataclass
class Trainer:
    """Its state is the sum of the steps done; each of its files has a part, and a wrong mixture shows."""

    state: int = 0
    done: list[int] = field(default_factory=list)
    write: Callable[[Path, str], object] = Path.write_text

    def train(self, step: int) -> None:
        self.state += step
        self.done.append(step)

    def save(self, path: Path) -> None:
        (path / "model").mkdir()
        self.write(path / "model" / "weights", json.dumps(self.state) * 3)
        self.write(path / "optimizer", json.dumps({"state": self.state, "step": self.done[-1]}))

    def load(self, path: Path) -> None:
        optimizer = json.loads((path / "optimizer").read_text())
        assert (path / "model" / "weights").read_text() == json.dumps(optimizer["state"]) * 3
        assert optimizer["state"] == sum(range(optimizer["step"] + 1))
        self.state = optimizer["state"]

    def run(self, job: Preemptible, steps: int) -> int:
        start = job.resume(self.load)
        for step in range(start, steps):
            self.train(step)
            job.step(step, self.save)
        return start


def preemptible(folder: Path, **options: Any) -> Preemptible:
    """Saves after each step, on a virtual clock, outside the queue."""
    clock = Clock()
    own = {"every_minutes": 0, "environ": {}, "clock": clock.time, "sleep": clock.sleep}
    return Preemptible(folder=folder, **{**own, **options})


def put(s3: Any, content: object) -> None:
    s3.put_object(Bucket=BUCKET, Key=f"stops/{ATTEMPT}", Body=json.dumps(content).encode())


def acknowledged(s3: Any) -> dict[str, Any]:
    body = s3.get_object(Bucket=BUCKET, Key=f"acks/{ATTEMPT}")["Body"].read()
    content: dict[str, Any] = json.loads(body)
    return content


class MortalDisk(Disk):
    """Ends the process at one of its operations, before it, in its middle or after it.

    It is also the S3 of the acknowledgements, so that the process can end before and after each of them.
    """

    def __init__(self, kill_at: int, meanwhile: Callable[[], None]) -> None:
        self.kill_at = kill_at
        self.operations = 0
        self.synced: set[Path] = set()
        self.acknowledged = -1
        self._meanwhile = meanwhile

    def make_folder(self, path: Path) -> None:
        self._pass()
        super().make_folder(path)
        self._pass()

    def write(self, path: Path, text: str) -> None:
        self._pass()
        path.write_text(text[: len(text) // 2])
        self._pass()
        super().write(path, text)
        self._pass()

    def sync(self, path: Path) -> None:
        """Only notes it: thousands of real ones take minutes."""
        self._pass()
        self.synced.add(path)
        self._pass()

    def rename(self, path: Path, target: Path) -> None:
        self._pass()
        super().rename(path, target)
        if path in self.synced:
            self.synced.add(target)
        self._pass()

    def remove(self, path: Path) -> None:
        self._pass()
        super().remove(path)
        self._pass()

    def put_object(self, *, Body: bytes, **_: str) -> None:  # noqa: N803  # boto3's name
        self._pass()
        step = json.loads(Body)["step"]
        self.acknowledged = self.acknowledged if step is None else step
        self._pass()

    def _pass(self) -> None:
        self._meanwhile()
        self.operations += 1
        if self.operations == self.kill_at:
            raise Killed
