"""A rule that a job breaks, or a permission that the job's owner lacks."""

from dataclasses import dataclass


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
