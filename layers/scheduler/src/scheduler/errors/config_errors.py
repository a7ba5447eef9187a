"""Refusals of calls that read or change the configuration."""

from collections.abc import Sequence
from typing import NamedTuple

from scheduler.errors.internal import SchedulerError
from scheduler.errors.refusals import BadRequest
from scheduler.errors.unreadable import UnreadableRecord

#: The most problems to report for one file: the answer must fit into the 6 MB that Lambda can return.
MAX_REPORTED_PROBLEMS = 100
_MOST_CHARACTERS = 500


class Problem(NamedTuple):
    line: int | None  # from 1
    field: str
    message: str

    def __str__(self) -> str:
        position = f"line {self.line}: " if self.line else ""
        return f"{position}{self.field} {self.message}" if self.field else f"{position}{self.message}"


class StaleVersion(BadRequest):
    """The current version is not the version that the caller wants to replace."""

    status = 409
    code = "stale_config"

    def __init__(self, replaced: int, in_force: int) -> None:
        super().__init__(
            f"The current version of the configuration is {in_force}, not {replaced}",
            field="replaces",
            remedy="Plan again (sagequeue config plan), then apply with the version that the plan names.",
        )


class BadConfig(BadRequest):
    """A file has problems, so it is refused as a whole."""

    code = "bad_config"

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(
            Problem(line, path[:_MOST_CHARACTERS], problem[:_MOST_CHARACTERS])
            for line, path, problem in problems[:MAX_REPORTED_PROBLEMS]
        )
        if left_out := len(problems) - len(self.problems):
            self.problems += (Problem(None, "", f"{left_out} more problems are not listed"),)
        super().__init__(
            "; ".join(map(str, self.problems)),
            field=problems[0].field[:_MOST_CHARACTERS] or None,
            remedy="Correct the file and send it again. The current configuration has not changed.",
        )

    @property
    def details(self) -> dict[str, object]:
        return {"problems": [problem._asdict() for problem in self.problems]}


class UnknownVersion(BadRequest):
    status = 404
    code = "unknown_version"

    def __init__(self, version: int) -> None:
        super().__init__(
            f"Version {version} of the configuration does not exist or cannot be read",
            field="version",
            remedy="List the versions with GET /config/versions.",
        )


class CallerLockedOut(BadRequest):
    """The change would remove its author's own access."""

    status = 409
    code = "locks_out"

    def __init__(self, caller: str, kind: str) -> None:
        super().__init__(
            f"Under this configuration, {caller} could no longer apply {kind}",
            field="callers",
            remedy="Leave your own entry as it is. Another operator can remove it.",
        )


class UnreadableConfiguration(UnreadableRecord):
    def __init__(self) -> None:
        super().__init__("CONFIG", "No job is accepted or started until an operator applies a configuration.")


class DeploymentRefused(SchedulerError):
    """A stack's deployment cannot apply its file. The message names the remedy."""
