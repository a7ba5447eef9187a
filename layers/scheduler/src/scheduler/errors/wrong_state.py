"""Refusals of actions that a job's state does not allow."""

from scheduler.errors.refusals import BadRequest


class WrongJobState(BadRequest):
    """The job's state does not allow the action, such as the release of a job that is not held."""

    status = 409


class AlreadyFinished(WrongJobState):
    code = "already_finished"

    def __init__(self, name: str, state: str) -> None:
        super().__init__(f"{name} is already {state}", remedy="No action is needed.")


class NotHeld(WrongJobState):
    code = "not_held"


class NotQueued(WrongJobState):
    code = "not_queued"


class NoApprovalNeeded(WrongJobState):
    code = "no_approval_needed"

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} needs no approval", remedy="See why it waits: sagequeue why NAME.")


class StillHeld(WrongJobState):
    code = "held"


class ArrayHeld(WrongJobState):
    """The job is a child of an array that is on hold as a whole."""

    code = "array_held"


class ArrayEnded(WrongJobState):
    """The job is a child of an array that a user has cancelled, that had too many failures, or that has expired."""

    code = "array_ended"

    def __init__(self, message: str) -> None:
        super().__init__(message, remedy="Submit it as a separate job, under another name.")


class AlreadyCancelled(WrongJobState):
    code = "already_cancelled"


class AttemptCapReached(WrongJobState):
    """The job has used all its attempts. Without a cap, endless requeues would fill the queue's records."""

    code = "attempt_cap"

    def __init__(self, name: str, attempts: int, most: int) -> None:
        super().__init__(
            f"{name} has reached the limit on attempts: {attempts} of {most}",
            remedy="Submit it under another name, or ask an operator to raise attempts_per_job in the section retries.",
        )
