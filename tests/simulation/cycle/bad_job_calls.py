"""Records the calls of a cycle about the jobs whose names begin with "bad", and lets one of them fail."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.warm_pools.warm_pool import WarmPool
from scheduler.errors.internal import OutcomeUnknown, RecordRefused

TOO_LARGE = RecordRefused("Item size has exceeded the maximum allowed size")


@dataclass
class Calls:
    """Records the calls about bad jobs, and lets one of them fail."""

    failing: str = ""
    error: Exception = TOO_LARGE
    made: dict[str, int] = field(default_factory=dict)
    loses_answers_of: set[str] = field(default_factory=lambda: {"bad-lost-sq-1"})

    def wrap(self, port: str, inner: Any) -> Any:
        return _Port(port, inner, self)

    def run(self, name: str, call: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        if not any(_is_about_a_bad_job(value) for value in args[:2]):
            return call(*args, **kwargs)
        self.made[name] = self.made.get(name, 0) + 1
        if name == self.failing:
            raise self.error
        if name == "training.create" and args[0]["TrainingJobName"] in self.loses_answers_of:
            self.loses_answers_of.discard(args[0]["TrainingJobName"])
            raise OutcomeUnknown
        return call(*args, **kwargs)


@dataclass
class _Port:
    port: str
    inner: Any
    calls: Calls

    def __getattr__(self, name: str) -> Any:
        member = getattr(self.inner, name)
        if not callable(member):
            return member
        return lambda *args, **kwargs: self.calls.run(f"{self.port}.{name}", member, args, kwargs)


def _is_about_a_bad_job(value: object) -> bool:
    match value:
        case str():
            return value.startswith("bad-")
        case Attempt() | WarmPool():
            return value.job_name.startswith("bad-")
        case Mapping():
            return str(value.get("TrainingJobName", "")).startswith("bad-")
        case Job():
            return value.name.startswith("bad-")
    name = getattr(value, "name", None) or getattr(value, "job", None)  # a finding, an unmanaged job, a notice
    return isinstance(name, str) and name.startswith("bad-")
