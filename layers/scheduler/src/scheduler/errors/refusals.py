"""The refusals that callers see. Each kind has a code, and each refusal a field and a remedy."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scheduler.errors.internal import SchedulerError


@dataclass(frozen=True, slots=True)
class Violation:
    """Texts name fields, limits and rules, but never the value of a hyperparameter or of an environment variable."""

    rule: str  # its name in the rules document, or the entry's in the document of callers
    field: str  # path in the CreateTrainingJob request, such as `ResourceConfig.InstanceCount`
    message: str
    remedy: str
    broken: bool = False  # the rule itself failed: nothing is known about the job

    def as_dict(self) -> dict[str, str]:
        return {"rule": self.rule, "field": self.field, "message": self.message, "remedy": self.remedy}

    def __str__(self) -> str:
        return f"{self.rule}: {self.message}"


class BadRequest(SchedulerError):
    """A refused call. `field` is a path such as `ResourceConfig.InstanceCount`.

    Clients branch on `code`: each kind of refusal has its own, and docs/openapi.json lists them.
    """

    status = 400
    code = "invalid_request"

    def __init__(self, message: str, *, field: str | None = None, remedy: str) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.remedy = remedy

    def prefix_field(self, path: str) -> None:
        """Puts the path of the refused part in front of the field."""
        self.field = path + (self.field or "")

    @property
    def details(self) -> dict[str, object]:
        """Returns the further members of the answer's JSON."""
        return {}


def bad_field(field: str, problem: str, remedy: str) -> BadRequest:
    """Returns a refusal whose message begins with the field."""
    return BadRequest(f"{field} {problem}", field=field, remedy=remedy)


class NotJson(BadRequest):
    code = "not_json"


class TooManyTags(BadRequest):
    code = "too_many_tags"

    def __init__(self, count: int, limit: int) -> None:
        super().__init__(
            f"The job has {count} tags; a training job takes at most {limit}",
            field="Tags",
            remedy="Remove some. Options of the queue need no tags: give them beside the request.",
        )


class Unsupported(BadRequest):
    """The queue does not run such jobs."""

    code = "unsupported"


class BeyondBudget(BadRequest):
    """The job can never fit."""

    code = "over_budget"


class UnknownToken(BadRequest):
    """The list has no page of this token."""

    code = "unknown_token"


class NameTaken(BadRequest):
    status = 409
    code = "name_taken"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The queue has another job named {name}",
            field="TrainingJobName",
            remedy="Choose another name. A name is used only once, even after its job has ended. "
            "SDK v3 gives two calls within a second the same name.",
        )


class TokenReused(BadRequest):
    status = 409
    code = "token_reused"

    def __init__(self) -> None:
        super().__init__(
            "Your user or role has used this client_token for another submission",
            field="client_token",
            remedy="Use a new token for each job. Repeat a token only with the same request and options.",
        )


class IntakeClosed(BadRequest):
    status = 409
    code = "intake_closed"

    def __init__(self) -> None:
        super().__init__(
            "The queue accepts no new jobs: an operator has drained it",
            remedy="Submit again when intake is open. GET /queue shows it; an operator opens it with POST /resume.",
        )


class UnreadableRecord(BadRequest):
    """A record of the queue's table is broken or of a newer version. The queue never overwrites it."""

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


class UnreadableBody(UnreadableRecord):
    """A job's request is missing or broken, and a retry will not help."""

    def __init__(self, name: str) -> None:
        remedy = "Submit the job under another name, or repair its item REQUEST and submit it unchanged."
        super().__init__(f"JOB#{name}, its request,", remedy)


class WrongJobState(BadRequest):
    """The job's state does not allow the action, such as the release of a job that is not held."""

    status = 409


class AlreadyFinished(WrongJobState):
    code = "already_finished"

    def __init__(self, name: str, state: str) -> None:
        super().__init__(f"{name} is already {state}", remedy="Nothing is left to do for this job.")


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
        super().__init__(f"The job breaks the rule {first.rule}: {first.message}{others}", remedy=first.remedy)
        self.violations = tuple(violations)

    def prefix_field(self, path: str) -> None:
        super().prefix_field(path)
        self.violations = tuple(replace(violation, field=path + violation.field) for violation in self.violations)

    @property
    def details(self) -> dict[str, object]:
        return {"violations": [violation.as_dict() for violation in self.violations]}


class NotPermitted(BadRequest):
    """The message names the missing verb or the field. It reveals nothing about other users' jobs."""

    status = 403
    code = "not_permitted"
