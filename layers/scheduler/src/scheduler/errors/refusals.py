"""What callers are told when a call is refused: each kind has a code, a field and a remedy.

BadRequest
├── NotJson             the body cannot be read
├── TooManyTags         a training job takes no more than 50
├── Unsupported         the queue does not run such jobs
├── BeyondBudget        the job can never fit
├── UnknownToken        a list does not go on there
├── NameTaken           the name belongs to another job
├── TokenReused         the client's token belongs to another submission
├── IntakeClosed        operators accept no jobs for now
├── WrongJobState         what is asked for does not go with the job's state
│   └── AlreadyFinished, NotHeld, NotQueued, StillHeld, AlreadyCancelled
├── UnreadableRecord    somebody has to repair it
│   └── UnreadableControls, UnreadableJob, UnreadableBody
├── OwnerCapReached     its owner lets as many jobs wait as one owner may
├── TooLarge
├── RuleViolated        the operator's rules are against the job
├── NotPermitted        the caller, or the owner of the job, may not do that
└── document_refusals   what is said of operators' documents
"""

from collections.abc import Sequence

from attrs import evolve

from scheduler.errors.internal import SchedulerError
from scheduler.errors.violation import Violation


class BadRequest(SchedulerError):
    """A call that cannot be answered otherwise. `field` is a path such as `ResourceConfig.InstanceCount`.

    Clients branch on `code`: each kind of refusal has its own, and docs/openapi.json knows them all.
    """

    status = 400
    code = "invalid_request"

    def __init__(self, message: str, *, field: str | None = None, remedy: str) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.remedy = remedy

    def below(self, path: str) -> None:
        """What is refused is at `path` of a larger document."""
        self.field = path + (self.field or "")

    @property
    def details(self) -> dict[str, object]:
        """What the answer says beyond these, as JSON."""
        return {}


class NotJson(BadRequest):
    code = "not_json"


class TooManyTags(BadRequest):
    code = "too_many_tags"

    def __init__(self, count: int, limit: int) -> None:
        super().__init__(
            f"{count} tags are more than the {limit} that a training job takes",
            field="Tags",
            remedy="Leave some out. Options of the queue need no tag: they can be given beside the request.",
        )


class Unsupported(BadRequest):
    code = "unsupported"


class BeyondBudget(BadRequest):
    code = "over_budget"


class UnknownToken(BadRequest):
    code = "unknown_token"


class NameTaken(BadRequest):
    status = 409
    code = "name_taken"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"There is another job of the name {name} in the queue",
            field="TrainingJobName",
            remedy="Choose another name; names are not used again, even after a job has ended. "
            "SDK v3 makes the same name for two calls within a second.",
        )


class TokenReused(BadRequest):
    status = 409
    code = "token_reused"

    def __init__(self) -> None:
        super().__init__(
            "The client_token was used for another submission of your user or role",
            field="client_token",
            remedy="Make a new token for each job, and repeat one only with the same request and options.",
        )


class IntakeClosed(BadRequest):
    status = 409
    code = "intake_closed"

    def __init__(self) -> None:
        super().__init__(
            "The queue accepts no jobs at the moment: an operator has drained it",
            remedy="Submit again when intake is open: GET /queue tells, POST /resume opens it.",
        )


class UnreadableRecord(BadRequest):
    """A record of the queue's table is broken, or of a newer version; nobody writes over it."""

    status = 503
    code = "unreadable_record"

    def __init__(self, key: str, remedy: str) -> None:
        super().__init__(f"The record {key} in the queue's table cannot be read", remedy=remedy)


class UnreadableControls(UnreadableRecord):
    def __init__(self) -> None:
        remedy = "Nothing is launched until somebody repairs it, or deletes it: then the stack's own budget holds."
        super().__init__("CONTROLS", remedy)


class UnreadableJob(UnreadableRecord):
    def __init__(self, name: str) -> None:
        super().__init__(f"JOB#{name}", "Somebody has to repair the item, or to delete it.")


class UnreadableBody(UnreadableRecord):
    """It is missing or broken, and will not be better the next time."""

    def __init__(self, name: str) -> None:
        remedy = "Submit the job under another name, or repair the item REQUEST and submit it again as it was."
        super().__init__(f"JOB#{name}, its request,", remedy)


class WrongJobState(BadRequest):
    """A wish that does not go with the job's state, such as the release of a job that is not held."""

    status = 409


class AlreadyFinished(WrongJobState):
    code = "already_finished"

    def __init__(self, name: str, state: str) -> None:
        super().__init__(f"{name} is {state} already", remedy="Nothing is left to do for this job.")


class NotHeld(WrongJobState):
    code = "not_held"


class NotQueued(WrongJobState):
    code = "not_queued"


class StillHeld(WrongJobState):
    code = "held"


class AlreadyCancelled(WrongJobState):
    code = "already_cancelled"


class TooLarge(BadRequest):
    status = 413
    code = "too_large"


class OwnerCapReached(BadRequest):
    status = 409
    code = "owner_cap"

    def __init__(self, waiting: int, cap: int) -> None:
        super().__init__(
            f"You have {waiting} jobs waiting; the limit is {cap}",
            remedy="Wait until some of them have started, or cancel some.",
        )


class RuleViolated(BadRequest):
    status = 422
    code = "rule_violated"

    def __init__(self, violations: Sequence[Violation]) -> None:
        first = violations[0]
        others = f", and {len(violations) - 1} more" if len(violations) > 1 else ""
        super().__init__(f"The rule {first.rule} is violated: {first.message}{others}", remedy=first.remedy)
        self.violations = tuple(violations)

    def below(self, path: str) -> None:
        super().below(path)
        self.violations = tuple(evolve(violation, field=path + violation.field) for violation in self.violations)

    @property
    def details(self) -> dict[str, object]:
        return {"violations": [violation.as_dict() for violation in self.violations]}


class NotPermitted(BadRequest):
    """The text names the verb, or the field, and what is missing: nothing of anybody else's job."""

    status = 403
    code = "not_permitted"
