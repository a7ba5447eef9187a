"""Prints the library's lines in the training job's log, each beginning with the library's name."""

from __future__ import annotations


class Log:
    """Prints lines, some only once, so that the log of a job that runs for weeks stays readable."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def line(self, text: str) -> None:
        print(f"sagequeue_preempt: {text}", flush=True)

    def once(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            self.line(text)
