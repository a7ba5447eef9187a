"""Treats SIGTERM as a request to save, if it reaches the script. SageMaker's containers often do not forward it."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any

from sagequeue_preempt.log import Log


class Sigterm:
    """Handles SIGTERM. The handler only sets a flag; it never saves."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._earlier: Any = None
        self._is_installed = False
        self.received = False

    def install(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            self._log.once("SIGTERM is not watched: enter Preemptible in the main thread")
            return
        self._earlier = signal.signal(signal.SIGTERM, self._handle)
        self._is_installed = True

    def restore(self) -> None:
        """Restores the earlier handler, unless other code has installed one in the meantime."""
        if self._is_installed and signal.getsignal(signal.SIGTERM) == self._handle:
            signal.signal(signal.SIGTERM, signal.SIG_DFL if self._earlier is None else self._earlier)
        self._is_installed = False

    def pass_on(self) -> None:
        """Sends SIGTERM to the earlier handler. If the process continues, this handler is installed again."""
        self.restore()
        signal.raise_signal(signal.SIGTERM)
        self.received = False
        self.install()

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        self.received = True
