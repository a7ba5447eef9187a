"""Refusals of calls that need an unreadable record from the table."""

from scheduler.errors.refusals import BadRequest


class UnreadableRecord(BadRequest):
    """A record in the queue's table is broken or was written by a newer version. The queue never overwrites it."""

    status = 503
    code = "unreadable_record"

    def __init__(self, key: str, remedy: str) -> None:
        super().__init__(f"The record {key} in the queue's table cannot be read", remedy=remedy)


class UnreadableControls(UnreadableRecord):
    def __init__(self) -> None:
        remedy = "No job is launched until an operator repairs or deletes it. Deletion restores the stack's own budget."
        super().__init__("CONTROLS", remedy)


class UnreadableJob(UnreadableRecord):
    def __init__(self, name: str) -> None:
        super().__init__(f"JOB#{name}", "Ask an operator to repair or delete the item.")


class UnreadableArray(UnreadableRecord):
    def __init__(self, name: str) -> None:
        super().__init__(f"ARRAY#{name}", "Ask an operator to repair or delete the item.")


class UnreadableBody(UnreadableRecord):
    """A job's request is missing or broken, and a retry will not help."""

    def __init__(self, name: str) -> None:
        remedy = "Submit the job under another name, or restore that item from a backup and requeue it."
        super().__init__(f"REQUEST#{name}", remedy)

    def __str__(self) -> str:
        """Returns the reason why the job is parked: what happened, and what to do."""
        return f"{self.message}. {self.remedy}"


class ReplacedBody(UnreadableBody):
    """A job's stored request is not the request that was submitted."""

    def __init__(self, name: str) -> None:
        BadRequest.__init__(
            self,
            f"The stored request of {name} was replaced: it is not the request that was submitted",
            remedy="Submit the job under another name, and ask an operator to find out what replaced the request.",
        )
