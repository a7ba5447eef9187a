"""One host of a running job: a process, its output and its end."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import IO

_TAIL_LINES = 40  # more than the 1024 characters of a failure reason can show


class Host:
    """`on_line` is told of each line that the process prints, `on_end` when it is gone."""

    def __init__(self, on_line: Callable[[str], None], on_end: Callable[[Host], None]) -> None:
        self._on_line = on_line
        self._on_end = on_end
        self._errors: deque[str] = deque(maxlen=_TAIL_LINES)
        self._process: subprocess.Popen[str] | None = None
        self.exit_code: int | None = None

    def start(self, command: list[str], environment: dict[str, str], directory: Path) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - running the user's command is what we are for
            command,
            env=environment,
            cwd=directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,  # so that a kill reaches everything it started
        )
        threading.Thread(target=self._watch, args=(self._process,), daemon=True).start()

    def terminate(self) -> None:
        """SIGTERM reaches the first process only, as in a container."""
        if self._process is not None:
            self._process.terminate()

    def kill(self) -> None:
        if self._process is not None:
            _kill_group(self._process.pid)

    @property
    def pid(self) -> int | None:
        """None before the start."""
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
        _kill_group(process.pid)  # what it left behind would end with its container
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


def _kill_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # all gone already
