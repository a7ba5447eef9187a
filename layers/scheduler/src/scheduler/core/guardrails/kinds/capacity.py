"""Rules about what a job takes: instances, time, spot, warm pools."""

from collections.abc import Iterator
from enum import StrEnum

from attrs import frozen

from scheduler.core.documents.contradiction import contradiction
from scheduler.core.guardrails.rule import Breach, Rule, kind
from scheduler.core.guardrails.scope import matches_any
from scheduler.core.guardrails.subject import Subject

_RUNTIME = "StoppingCondition.MaxRuntimeInSeconds"
_SPOT = "EnableManagedSpotTraining"
_KEEP_ALIVE = "ResourceConfig.KeepAlivePeriodInSeconds"


@kind("instance_types")
@frozen(kw_only=True)
class InstanceTypes(Rule):
    allowed: tuple[str, ...]  # patterns

    def __attrs_post_init__(self) -> None:
        if not self.allowed:
            raise contradiction("allowed", "is empty: no job could run")

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        for one in subject.instances:
            if not matches_any(one.kind, self.allowed):
                remedy = f"Use one of {', '.join(self.allowed)}."
                yield Breach(f"{one.path}.InstanceType", f"{one.kind} is not allowed", remedy)


@kind("instances_per_job")
@frozen(kw_only=True)
class InstancesPerJob(Rule):
    most: int

    def __attrs_post_init__(self) -> None:
        if self.most < 1:
            raise contradiction("most", f"is {self.most}: no job could run")

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        count = subject.most_instances
        if count > self.most:
            message = f"It takes {count} instances; at most {self.most} are allowed"
            yield Breach("ResourceConfig.InstanceCount", message, f"Ask for at most {self.most} instances.")


@kind("max_runtime")
@frozen(kw_only=True)
class MaxRuntime(Rule):
    """Seconds. A job that does not say how long it may run is not allowed to run a day, SageMaker's default."""

    at_least: int = 1
    at_most: int

    def __attrs_post_init__(self) -> None:
        if not 1 <= self.at_least <= self.at_most:
            raise contradiction("at_least", f"{self.at_least} is not from 1 to at_most, {self.at_most}")

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        seconds = subject.at(_RUNTIME)
        remedy = f"Set it to a number of seconds from {self.at_least} to {self.at_most}."
        if seconds is None:
            yield Breach(_RUNTIME, "It does not say how long it may run", remedy)
        elif not self.at_least <= seconds <= self.at_most:
            yield Breach(_RUNTIME, f"It may run for {seconds} seconds, which is not allowed", remedy)


class SpotUse(StrEnum):
    REQUIRED = "required"
    FORBIDDEN = "forbidden"


@kind("spot")
@frozen(kw_only=True)
class Spot(Rule):
    use: SpotUse

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        is_spot = bool(subject.at(_SPOT))
        if is_spot and self.use is SpotUse.FORBIDDEN:
            remedy = f"Set {_SPOT} to false and leave out StoppingCondition.MaxWaitTimeInSeconds."
            yield Breach(_SPOT, "It asks for spot instances, which are not allowed", remedy)
        if not is_spot and self.use is SpotUse.REQUIRED:
            remedy = f"Set {_SPOT} to true and StoppingCondition.MaxWaitTimeInSeconds."
            yield Breach(_SPOT, "It does not ask for spot instances", remedy)


@kind("keep_alive")
@frozen(kw_only=True)
class KeepAlive(Rule):
    at_most: int  # seconds; 0: no warm pools

    def __attrs_post_init__(self) -> None:
        if self.at_most < 0:
            raise contradiction("at_most", f"is {self.at_most}, less than no time")

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        seconds = subject.at(_KEEP_ALIVE) or 0
        if seconds > self.at_most:
            remedy = f"Set it to at most {self.at_most}." if self.at_most else "Leave it out."
            yield Breach(_KEEP_ALIVE, f"It keeps its instances for {seconds} seconds after its end", remedy)
