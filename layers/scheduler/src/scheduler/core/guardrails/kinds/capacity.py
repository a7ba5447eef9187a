"""Rules about a job's instances, run time, use of spot instances, warm pools and priority."""

from collections.abc import Iterator
from enum import StrEnum

from scheduler.core.guardrails.rules import AllowList, Breach, Rule, kind
from scheduler.core.guardrails.subject import Subject, matches_any
from scheduler.core.jobs.work.evaluators import evaluators_in
from scheduler.core.sections.durations import Duration, format_duration
from scheduler.core.sections.strict_structure import check_field

_RUNTIME = "StoppingCondition.MaxRuntimeInSeconds"
_SPOT = "EnableManagedSpotTraining"
_KEEP_ALIVE = "ResourceConfig.KeepAlivePeriodInSeconds"


@kind("instance_types")
class InstanceTypes(AllowList):
    def breaches(self, subject: Subject) -> Iterator[Breach]:
        types = [(instances.path, instances.instance_type) for instances in subject.instances]
        types += [(path, evaluator.get("InstanceType", "")) for path, evaluator in evaluators_in(subject.request)]
        for path, instance_type in types:
            if instance_type and not matches_any(instance_type, self.allowed):
                remedy = f"Use one of {', '.join(self.allowed)}."
                yield Breach(f"{path}.InstanceType", f"{instance_type} is not allowed", remedy)


@kind("instances_per_job")
class InstancesPerJob(Rule):
    most: int

    def __post_init__(self) -> None:
        check_field("most", self.most >= 1, f"is {self.most}: no job could run")

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        count = subject.most_instances
        if count > self.most:
            message = f"The job uses {count} instances; at most {self.most} are allowed"
            yield Breach("ResourceConfig.InstanceCount", message, f"Request at most {self.most} instances.")


@kind("max_runtime")
class MaxRuntime(Rule):
    """Bounds the time limit of jobs. A job without a limit breaks the rule, because SageMaker's default is a day."""

    at_least: Duration = 1
    at_most: Duration

    def __post_init__(self) -> None:
        is_range = 1 <= self.at_least <= self.at_most
        check_field("at_least", is_range, f"must be from 1s to at_most, {format_duration(self.at_most)}")

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        seconds = subject.at(_RUNTIME)
        remedy = f"Set it to a number of seconds from {self.at_least} to {self.at_most}."
        if seconds is None:
            yield Breach(_RUNTIME, "The time limit is missing", remedy)
        elif not self.at_least <= seconds <= self.at_most:
            yield Breach(_RUNTIME, f"The time limit of {seconds} seconds is not allowed", remedy)


class SpotUse(StrEnum):
    REQUIRED = "required"
    FORBIDDEN = "forbidden"


@kind("spot")
class Spot(Rule):
    use: SpotUse

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        is_spot = bool(subject.at(_SPOT))
        if is_spot and self.use is SpotUse.FORBIDDEN:
            remedy = f"Set {_SPOT} to false and leave out StoppingCondition.MaxWaitTimeInSeconds."
            yield Breach(_SPOT, "The job requests spot instances, which are not allowed", remedy)
        if not is_spot and self.use is SpotUse.REQUIRED:
            remedy = f"Set {_SPOT} to true and StoppingCondition.MaxWaitTimeInSeconds."
            yield Breach(_SPOT, "The job does not request spot instances", remedy)


@kind("keep_alive")
class KeepAlive(Rule):
    at_most: Duration  # 0s: no warm pools

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        seconds = subject.at(_KEEP_ALIVE) or 0
        if seconds > self.at_most:
            remedy = f"Set it to at most {self.at_most}." if self.at_most else "Leave it out."
            yield Breach(_KEEP_ALIVE, f"The job keeps its instances for {seconds} seconds after its end", remedy)


@kind("priority_ceiling")
class PriorityCeiling(Rule):
    at_most: int

    def breaches(self, subject: Subject) -> Iterator[Breach]:
        if subject.priority is not None and subject.priority > self.at_most:
            message = f"The priority is {subject.priority}; at most {self.at_most} is allowed"
            yield Breach("Tags", message, f"Use a priority of at most {self.at_most}.")
