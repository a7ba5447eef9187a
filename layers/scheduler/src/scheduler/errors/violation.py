"""What a rule has against a job, or what its owner may not run."""

from attrs import frozen


@frozen
class Violation:
    """Texts name fields, limits and the names of rules, never what a hyperparameter or an environment holds."""

    rule: str  # its name in the rules document, or the entry's in the document of callers
    field: str  # path in the CreateTrainingJob request, such as `ResourceConfig.InstanceCount`
    message: str
    remedy: str
    broken: bool = False  # the rule itself failed: nothing is known about the job

    def as_dict(self) -> dict[str, str]:
        return {"rule": self.rule, "field": self.field, "message": self.message, "remedy": self.remedy}

    def __str__(self) -> str:
        return f"{self.rule}: {self.message}"
