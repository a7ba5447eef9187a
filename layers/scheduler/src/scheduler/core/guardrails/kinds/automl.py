"""The rule about AutoML jobs. The queue cannot run them: no member of their requests limits their instances."""

from collections.abc import Iterator

from scheduler.core.guardrails.rules import Breach, Rule, kind
from scheduler.core.guardrails.subject import Subject

_NAME = "AutoMLJobName"


@kind("no_automl")
class NoAutoML(Rule):
    """Forbids AutoML jobs. Only descriptions of AutoML jobs break it: their training jobs, taken alone, do not."""

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        if subject.at(_NAME):
            message = "AutoML jobs are not allowed: the queue cannot limit their instances"
            yield Breach(_NAME, message, "Submit a tuning job to the queue instead.")
