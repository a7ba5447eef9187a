"""Plays the program of one job with the real checkpoints of sagequeue-preempt.

A stop during a save leaves an incomplete checkpoint.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from local_sagemaker.state_machine.job import Secondary
from sagequeue_preempt.acknowledgement import Saved
from sagequeue_preempt.checkpoints import Checkpoints
from sagequeue_preempt.disk import Disk
from sagequeue_preempt.manifest import complete
from scheduler.core.requests.stop_notice.variables import ACKNOWLEDGEMENTS, STOPS
from support.account.account import Account

STEP_SECONDS = 5.0
#: Steps between two periodic saves.
INTERVAL = 6
_KEEP = 2
_PERIODIC_SAVE_SECONDS = 1.0


class _UnsyncedDisk(Disk):
    """Skips file-system syncs: thousands of them take minutes, and no simulated power failure needs them."""

    def sync(self, path: Path) -> None:
        pass


@dataclass
class CheckpointingProgram:
    """Trains in steps, and saves every interval and at a notice. The folder stands for the copy in S3.

    `save_seconds` is the duration of the save at a notice.
    """

    account: Account
    job: str
    folder: Path
    save_seconds: float
    resumed: dict[str, int] = field(default_factory=dict)  # by attempt: its first step
    lost: list[int] = field(default_factory=list)  # steps that each attempt has to repeat
    torn: list[int] = field(default_factory=list)  # checkpoints that each attempt finds torn
    notices: set[str] = field(default_factory=set)  # times of the requests to stop that it has read
    _step: int = 0  # the next one
    _is_busy: bool = False  # it saves, or has answered and waits for its stop

    def __post_init__(self) -> None:
        self._checkpoints = Checkpoints(self.folder, _KEEP, _UnsyncedDisk())
        self._look()

    def _look(self) -> None:
        """Starts the program once its attempt trains, and does a step."""
        attempt = self._training_attempt()
        if attempt is not None and attempt not in self.resumed:
            self._resume(attempt)
        elif attempt is not None and not self._is_busy:
            self._do_step(attempt)
        self._later(STEP_SECONDS, self._look)

    def _resume(self, attempt: str) -> None:
        newest = self._checkpoints.newest()
        start = 0 if newest is None else _load(newest.path) + 1
        self.lost.append(self._step - start)
        self.torn.append(sum(complete(path) is None for path in self.folder.glob("save-*")))
        self.resumed[attempt], self._step, self._is_busy = start, start, False
        self._report(Saved(attempt, None, self._now(), 0.0, None, None))

    def _do_step(self, attempt: str) -> None:
        step, self._step = self._step, self._step + 1
        asked_at = self._asked_at(attempt)
        if asked_at is not None:
            self.notices.add(asked_at)
            self._save(Saved(attempt, step, self._now(), self.save_seconds, asked_at, uploaded=True))
        elif self._step % INTERVAL == 0:
            self._save(Saved(attempt, step, self._now(), _PERIODIC_SAVE_SECONDS, None, None))

    def _save(self, saved: Saved) -> None:
        """Writes half of a checkpoint, and later the rest, if the attempt is still training by then."""
        assert saved.step is not None
        path = self._checkpoints.open(self._checkpoints.next_number(), saved.step)
        (path / "weights").write_text(json.dumps(saved.step))
        self._is_busy = True
        self._later(saved.save_seconds, partial(self._end_save, path, saved))

    def _end_save(self, path: Path, saved: Saved) -> None:
        if self._training_attempt() != saved.attempt:
            return
        assert saved.step is not None
        (path / "optimizer").write_text(json.dumps(saved.step))
        self._checkpoints.close(path, saved.step, saved.saved_at)
        self._is_busy = saved.stop_asked_at is not None
        self._report(saved)

    def _report(self, saved: Saved) -> None:
        key = ACKNOWLEDGEMENTS + saved.attempt
        self.account.service_calls.objects[key] = json.dumps(asdict(saved)).encode()
        self.account.function_calls.send_acknowledgement(key)

    def _asked_at(self, attempt: str) -> str | None:
        request = json.loads(self.account.service_calls.objects.get(STOPS + attempt, b"{}"))
        asked_at: str | None = request.get("asked_at")
        return asked_at

    def _training_attempt(self) -> str | None:
        jobs = self.account.simulation.machine.jobs
        training = [name for name, job in jobs.items() if job.secondary is Secondary.TRAINING]
        return next((name for name in training if name.startswith(f"{self.job}-sq-")), None)

    def _later(self, seconds: float, action: Callable[[], None]) -> None:
        self.account.agenda.at(self.account.now + seconds, action)

    def _now(self) -> str:
        return datetime.fromtimestamp(self.account.now, UTC).isoformat()


def _load(path: Path) -> int:
    """Returns the step of a checkpoint. Fails if one of its files is missing or comes from another save."""
    (step,) = {json.loads((path / name).read_text()) for name in ("weights", "optimizer")}
    assert path.name.endswith(f"-step-{step}")
    return int(step)
