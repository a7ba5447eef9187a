"""Two objects in S3 for each attempt: the queue's request to stop, and the program's acknowledgement."""

from typing import Protocol

from scheduler.core.requests.stop_notice.variables import NoticeBucket


class StopObjects(Protocol):
    @property
    def bucket(self) -> NoticeBucket: ...

    def write(self, attempt_name: str, content: bytes) -> None:
        """Replaces an attempt's stop request. Raises StopObjectsUnavailable."""

    def acknowledgement(self, attempt_name: str) -> bytes | None:
        """Returns the latest acknowledgement, or None if there is none.

        Raises StopObjectsUnavailable, and MalformedAcknowledgement for an object that S3 refuses to return.

        An acknowledgement that is too long is cut off, and is therefore malformed.
        """
