"""The outcome of the check of one member of a request."""

from dataclasses import dataclass

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

OK, PROBLEM, NOT_CHECKED = "ok", "problem", "not checked"
#: A check does not wait long for a service that does not answer.
PATIENCE = Config(connect_timeout=2, read_timeout=10, retries={"total_max_attempts": 3})
#: AWS's error codes for a missing permission. Answers without a body, such as HeadBucket's, have only a status.
_DENIALS = frozenset({"AccessDenied", "AccessDeniedException", "403"})


@dataclass(frozen=True, slots=True)
class Prerequisite:
    """The outcome for one member. The remedy is the next step for the caller, or the permission to ask for."""

    member: str
    value: str
    outcome: str
    message: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Named:
    """A member of a request, with its value: the name of something in AWS."""

    member: str
    value: str

    def fulfilled(self, message: str = "exists") -> Prerequisite:
        return Prerequisite(self.member, self.value, OK, message)

    def problem(self, message: str, remedy: str) -> Prerequisite:
        return Prerequisite(self.member, self.value, PROBLEM, message, remedy)

    def unchecked(self, reason: str, remedy: str = "") -> Prerequisite:
        return Prerequisite(self.member, self.value, NOT_CHECKED, reason, remedy)

    def unanswered(self, error: ClientError | BotoCoreError, action: str, resource: str) -> Prerequisite:
        """Returns the outcome of a call that shows nothing about the member."""
        if not isinstance(error, ClientError):
            return self.unchecked(f"the call failed: {error}")
        code = error.response["Error"]["Code"]
        if code in _DENIALS:
            return self.unchecked(f"{action} is not allowed", f"To check it, ask for {action} on {resource}.")
        return self.unchecked(f"AWS answered {action} with {code}")
