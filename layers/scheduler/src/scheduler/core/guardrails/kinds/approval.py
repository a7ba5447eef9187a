"""The rule that lets large jobs start only after an operator has approved them."""

from collections.abc import Iterator
from decimal import Decimal
from typing import ClassVar

from scheduler.core.guardrails.rules import Breach, Rule, kind
from scheduler.core.guardrails.subject import Subject
from scheduler.core.sections.strict_structure import check_field
from scheduler.core.spending.prices.price import in_dollars

_REMEDY = "Ask an operator to approve the job: sagequeue approve NAME."


@kind("approval")
class ApprovalLimits(Rule):
    """Requires an approval for jobs above either limit."""

    is_approvable: ClassVar[bool] = True

    above_instances: int | None = None
    above_dollars: float | None = None

    def __post_init__(self) -> None:
        limits = (self.above_instances, self.above_dollars)
        check_field(
            "name", any(limit is not None for limit in limits), "has no limit: add above_instances or above_dollars"
        )
        for name, limit in zip(("above_instances", "above_dollars"), limits, strict=True):
            check_field(name, limit is None or limit >= 0, f"is {limit}: use 0 or more")

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        count = subject.most_instances
        if self.above_instances is not None and count > self.above_instances:
            message = f"{count} instances are more than {self.above_instances}"
            yield Breach("ResourceConfig.InstanceCount", message, _REMEDY)
        if self.above_dollars is None:
            return
        if subject.dollars is None:
            yield Breach("ResourceConfig.InstanceType", "the price of its instances is unknown", _REMEDY)
        elif subject.dollars > Decimal(str(self.above_dollars)):
            message = f"up to ${in_dollars(subject.dollars)} are more than ${self.above_dollars:g}"
            yield Breach("StoppingCondition.MaxRuntimeInSeconds", message, _REMEDY)
