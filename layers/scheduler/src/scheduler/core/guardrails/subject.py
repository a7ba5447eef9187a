"""Defines the job that a rule checks, as its request describes it, and the patterns that select such jobs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fnmatch import fnmatchcase
from typing import Any

from scheduler.core.jobs.principal import arn_for_patterns
from scheduler.core.jobs.work.definitions import shell_member_of
from scheduler.core.requests.request_reading import PREFERENCES


@dataclass(frozen=True, slots=True)
class Instances:
    """One of a job's instance groups or instance preferences, with its path in the request."""

    path: str
    instance_type: str
    count: int


@dataclass(frozen=True, slots=True)
class Subject:
    """A job or an unmanaged training job. The latter has no owner, team or priority."""

    name: str
    request: Mapping[str, Any]  # as CreateTrainingJob takes it; members may be absent or null
    owner: str = ""
    team: str = ""
    priority: int | None = None
    dollars: Decimal | None = None  # the cost of one attempt that uses its whole time limit; None: it is unknown

    def at(self, path: str) -> Any:
        """Returns the member at this path; None if it is absent or null."""
        value: Any = self.request
        for key in path.split("."):
            value = value.get(key) if isinstance(value, Mapping) else None
        return value

    @property
    def tags(self) -> dict[str, str]:
        return {tag["Key"]: tag["Value"] for tag in self.request.get("Tags") or ()}

    @property
    def most_instances(self) -> int:
        """Returns the most instances that the job may use: those in its largest preference, or in all its groups."""
        counts = [instances.count for instances in self.instances]
        return max(counts) if self.at(PREFERENCES) else sum(counts)

    @property
    def instances(self) -> Iterator[Instances]:
        groups = self.at("ResourceConfig.InstanceGroups")
        for index, group in enumerate(groups or ()):
            yield Instances(f"ResourceConfig.InstanceGroups[{index}]", group["InstanceType"], group["InstanceCount"])
        count = self.at("ResourceConfig.InstanceCount") or 0
        for index, preference in enumerate(self.at(PREFERENCES) or ()):
            own_count = preference.get("InstanceCount") or count
            yield Instances(f"{PREFERENCES}[{index}]", preference["InstanceType"], own_count)
        if instance_type := self.at("ResourceConfig.InstanceType"):
            yield Instances("ResourceConfig", instance_type, count)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobPattern:
    """Selects the jobs that match every given pattern. `*` in a pattern matches any text."""

    owner: str | None = None
    team: str | None = None
    name: str | None = None
    instance_type: str | None = None  # at least one of the job's types must match
    remote_debug: bool | None = None  # whether people may open a shell in its containers, by any member
    tags: Mapping[str, str] = field(default_factory=dict)  # patterns of values by key

    def matches(self, subject: Subject) -> bool:
        return (
            matches(arn_for_patterns(subject.owner), self.owner)
            and matches(subject.team, self.team)
            and matches(subject.name, self.name)
            and (
                self.instance_type is None
                or any(matches(instances.instance_type, self.instance_type) for instances in subject.instances)
            )
            and self.remote_debug in (None, shell_member_of(subject.request) != "")
            and all(matches(subject.tags.get(key), pattern) for key, pattern in self.tags.items())
        )


def matches(text: str | None, pattern: str | None) -> bool:
    return pattern is None or (text is not None and fnmatchcase(text, pattern))


def matches_any(text: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)
