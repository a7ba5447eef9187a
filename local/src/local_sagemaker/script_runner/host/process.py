"""Starts and ends a host's process, and reads its output. Also ends processes that a crashed server left running."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import IO

_TAIL_LINES = 40  # more than fit into the 1024 characters of a failure reason
_PROCESSES = Path("/proc")  # on systems without it, a crashed server's processes run to their end

_log = logging.getLogger(__name__)


class Host:
    """A host's process. Calls `on_line` with each printed line, and `on_end` after the process has ended."""

    def __init__(self, on_line: Callable[[str], None], on_end: Callable[[Host], None]) -> None:
        self._on_line = on_line
        self._on_end = on_end
        self._errors: deque[str] = deque(maxlen=_TAIL_LINES)
        self._process: subprocess.Popen[str] | None = None
        self.exit_code: int | None = None

    def start(self, command: list[str], environment: dict[str, str], directory: Path) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - the emulator runs the user's command
            command,
            env=environment,
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,  # so that a kill also ends its child processes
        )
        threading.Thread(target=self._watch, args=(self._process,), daemon=True).start()

    def terminate(self) -> None:
        """Sends SIGTERM only to the first process, as in a container."""
        if self._process is not None:
            self._process.terminate()

    def kill(self) -> None:
        if self._process is not None:
            _kill_group(self._process.pid)

    @property
    def pid(self) -> int | None:
        """The process id; None before the start."""
        return None if self._process is None else self._process.pid

    @property
    def error_tail(self) -> str:
        return "".join(self._errors).strip()

    def _watch(self, process: subprocess.Popen[str]) -> None:
        readers = [
            threading.Thread(target=self._read, args=(process.stdout, None), daemon=True),
            threading.Thread(target=self._read, args=(process.stderr, self._errors), daemon=True),
        ]
        for reader in readers:
            reader.start()
        code = process.wait()
        _kill_group(process.pid)  # in SageMaker, child processes end with the container
        for reader in readers:
            reader.join()
        self.exit_code = 128 - code if code < 0 else code
        self._on_end(self)

    def _read(self, stream: IO[str], tail: deque[str] | None) -> None:
        with stream:
            for line in stream:
                self._on_line(line)
                if tail is not None:
                    tail.append(line)


def kill_orphans(work: Path) -> None:
    """Ends the processes that are running in the folder of all runs, and removes the folder."""
    for process in _PROCESSES.glob("[0-9]*"):
        if _works_in(process, work):
            _log.warning("ended process %s, left over from a crashed server", process.name)
            _kill(int(process.name))
    shutil.rmtree(work, ignore_errors=True)


def _kill_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # all processes have ended


def _works_in(process: Path, folder: Path) -> bool:
    try:
        return (process / "cwd").readlink().is_relative_to(folder)
    except OSError:
        return False  # it has ended, or belongs to another user


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # it has ended
