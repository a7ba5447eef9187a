"""Two objects in S3 for each attempt: the queue's request to stop, and the program's acknowledgement."""

from typing import Protocol

from scheduler.core.requests.stop_notice.variables import NoticeBucket


class StopObjects(Protocol):
    @property
    def bucket(self) -> NoticeBucket: ...

    def write(self, attempt_name: str, content: bytes) -> None:
        """Replaces the request to stop of an attempt. Raises StopObjectsUnavailable."""

    def acknowledgement(self, attempt_name: str) -> bytes | None:
        """Returns the newest acknowledgement, or None if there is none.

        Raises StopObjectsUnavailable, and MalformedAcknowledgement for an object that S3 refuses to return.

        An acknowledgement that is too long is cut, and is therefore malformed.
        """
