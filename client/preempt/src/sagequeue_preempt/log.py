"""Lines of the library in the training job's log, each beginning with its name."""

from __future__ import annotations


class Log:
    """Prints lines, some only once: the log of a job of weeks must stay readable."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def line(self, text: str) -> None:
        print(f"sagequeue_preempt: {text}", flush=True)

    def once(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            self.line(text)
