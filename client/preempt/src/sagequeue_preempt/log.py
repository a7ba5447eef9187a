"""Prints the library's lines in the training job's log, and lists the S3 errors that are only logged."""

from __future__ import annotations

from botocore.exceptions import BotoCoreError, ClientError
from botocore.parsers import ResponseParserError

#: Errors of a call to S3: they are logged, and the training continues. botocore raises the last three for answers that
#: it cannot read, such as a proxy's page. They are no BotoCoreError.
S3_ERRORS = (BotoCoreError, ClientError, OSError, ResponseParserError, ValueError, KeyError)


class Log:
    """Prints lines, some of them only once, so that the log of a job that runs for weeks stays readable."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def line(self, text: str) -> None:
        print(f"sagequeue_preempt: {text}", flush=True)

    def once(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            self.line(text)


def first_line(error: BaseException) -> str:
    """Returns the error's first line. Omits the answer that botocore appends, which is long and differs each time."""
    return f"{type(error).__name__}: {error}".partition("\n")[0]
