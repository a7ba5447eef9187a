"""Refusals that callers see. Each kind has a code. Each refusal has a remedy and, where one applies, a field."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from scheduler.errors.internal import SchedulerError

#: The most characters that a refusal repeats from a name in the request.
LONGEST_NAME = 100
#: The most characters in a refusal's field, and in its other texts, which may list the allowed values.
_LONGEST_FIELD = 1000
_LONGEST_TEXT = 100_000
#: The most violations that one refusal lists.
_MOST_VIOLATIONS = 50


def shortened(text: str, most: int = LONGEST_NAME) -> str:
    """Shortens a caller's text, since an answer need not repeat everything that was sent."""
    return text if len(text) <= most else f"{text[:most]}…"


def shown(value: object) -> str:
    """Returns a caller's value as messages show it, without the content of objects and lists."""
    match value:
        case str():
            return shortened(repr(value))
        case dict():
            return "an object"
        case list() | tuple():
            return "a list"
    return shortened(json.dumps(value))


#: Used in place of a rule's name.
QUEUE = "queue"


@dataclass(frozen=True, slots=True)
class Violation:
    """A violation. Its texts name fields, limits and rules, but never the value of a hyperparameter or a variable."""

    rule: str  # the name of the rule, of the entry in `callers` or of the team; `queue` if the queue itself warns
    field: str  # path in the CreateTrainingJob request, such as `ResourceConfig.InstanceCount`
    message: str
    remedy: str
    broken: bool = False  # the rule itself failed: nothing is known about the job
    approvable: bool = False  # the job may start once an operator has approved it

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
        self.message = shortened(message, _LONGEST_TEXT)
        super().__init__(self.message)
        self.field = None if field is None else shortened(field, _LONGEST_FIELD)
        self.remedy = shortened(remedy, _LONGEST_TEXT)

    def name_part(self, part: str) -> None:
        """Adds the refused part of the submission to the message."""
        self.message = f"{self.message} ({part})"

    def prefix_field(self, path: str) -> None:
        """Prefixes the field with the path of the refused part."""
        self.field = path + (self.field or "")

    @property
    def details(self) -> dict[str, object]:
        """Returns the additional members of the JSON answer."""
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
            f"The job has {count} tags; the limit is {limit}, because the queue adds two",
            field="Tags",
            remedy="Remove some tags. Queue options do not need tags: put them in the submission's `options`.",
        )


class Unsupported(BadRequest):
    """The queue does not run such jobs."""

    code = "unsupported"


class BeyondBudget(BadRequest):
    """The job can never fit the budget."""

    code = "over_budget"


class UnknownToken(BadRequest):
    """The list has no page for this token."""

    code = "unknown_token"

    def __init__(self, listed: str, token: object) -> None:
        super().__init__(
            f"next is {shown(token)}, which is not a token of this {listed}",
            field="next",
            remedy="Pass next from the previous page unchanged, or leave it out.",
        )


class NameTaken(BadRequest):
    status = 409
    code = "name_taken"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The queue has another job named {name}",
            field="TrainingJobName",
            remedy="Choose another name. A name is used only once, even after its job has ended. "
            "SDK v3 uses the same name for two calls within a second.",
        )


class NameUsed(BadRequest):
    """The same request was submitted again after its job or array ended. Its data in S3 may have changed since then."""

    status = 409
    code = "name_used"

    def __init__(self, name: str, submitted_at: datetime, state: str) -> None:
        super().__init__(
            f"{name}, submitted at {submitted_at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC, is already {state}",
            field="TrainingJobName",
            remedy="Choose another name to train again. To get the ended job or array instead, repeat the submission "
            "with its client_token.",
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


class TooLarge(BadRequest):
    status = 413
    code = "too_large"


class AnswerTooLarge(BadRequest):
    """The answer exceeds the 6 MB that Lambda can return."""

    status = 413
    code = "answer_too_large"

    def __init__(self) -> None:
        super().__init__("The answer is larger than 6 MB", remedy="Set a lower `limit`, or ask for one job.")


class OwnerCapReached(BadRequest):
    status = 409
    code = "owner_cap"

    def __init__(self, waiting: int, cap: int, added: int = 1) -> None:
        message = f"The owner has reached the limit on waiting, held and parked jobs: {waiting} of {cap}"
        remedy = "Wait until some of them have started, or cancel some of them."
        if added > 1:
            message += f", and arrays, including this one, add up to {added}"
            remedy += " An array with a lower at_most adds fewer jobs."
        super().__init__(message, remedy=remedy)

    def name_part(self, part: str) -> None:
        """Adds nothing, because the cap applies to all jobs in a submission."""


class RuleViolated(BadRequest):
    status = 422
    code = "rule_violated"

    def __init__(self, violations: Sequence[Violation]) -> None:
        first = violations[0]
        others = f", and {len(violations) - 1} more" if len(violations) > 1 else ""
        super().__init__(f"The job breaks the rule {first.rule}: {first.message}{others}", remedy=first.remedy)
        self.violations = tuple(violations)

    def name_part(self, part: str) -> None:
        """Adds the refused part of the submission to the message."""
        self.message = f"{self.message} ({part})"

    def prefix_field(self, path: str) -> None:
        super().prefix_field(path)
        self.violations = tuple(replace(violation, field=path + violation.field) for violation in self.violations)

    @property
    def details(self) -> dict[str, object]:
        return {"violations": [violation.as_dict() for violation in self.violations[:_MOST_VIOLATIONS]]}


class NotPermitted(BadRequest):
    """The caller lacks a permission, which the message or field names. Nothing reveals other users' jobs."""

    status = 403
    code = "not_permitted"
