"""Replaces single calls of one operation with faults, in order."""

from dataclasses import dataclass, field
from typing import Any

from scheduler.errors.internal import LimitExceeded, OutcomeUnknown, Refused


@dataclass
class ScriptedCalls:
    """Applies the script's next treatment to each call of one operation. Calls after the end of the script pass."""

    operation: str
    script: list[Any]
    inner: Any = field(init=False)

    def wrap(self, inner: Any) -> "ScriptedCalls":
        self.inner = inner
        return self

    def __getattr__(self, name: str) -> Any:
        call = getattr(self.inner, name)
        if name != self.operation or not self.script:
            return call
        treatment = self.script.pop(0)
        return lambda *args: treatment(call, *args)


def takes_effect_and_times_out(call: Any, *args: Any) -> None:
    call(*args)
    raise OutcomeUnknown


def says_that_the_quota_is_full(_call: Any, *_args: Any) -> None:
    raise LimitExceeded("the quota is full", may_pass=True)


def says_that_the_type_is_unknown(_call: Any, *_args: Any) -> None:
    raise LimitExceeded("ml.m5.large is not available in this region", may_pass=False)


def knows_no_role(_call: Any, *_args: Any) -> None:
    raise Refused("ValidationException: Could not assume role", may_pass=True)


def knows_no_tags(_call: Any, *_args: Any) -> None:
    """Denies the call, as AWS does for a training job that no longer exists, or whose tags are not visible yet."""
    raise Refused("AccessDeniedException: no identity-based policy allows the sagemaker:StopTrainingJob action")


def does_nothing(_call: Any, *_args: Any) -> None:
    """Accepts the call, which then has no effect."""


def times_out(_call: Any, *_args: Any) -> None:
    raise OutcomeUnknown
