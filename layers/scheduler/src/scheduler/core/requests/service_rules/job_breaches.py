"""Finds request members that break the rules about time limits, tags and the debugger."""

from collections.abc import Iterator, Mapping

from scheduler.core.jobs.job import MAX_MAX_RUNTIME
from scheduler.core.requests.request_reading import is_spot, max_runtime_of
from scheduler.core.requests.service_rules.rule import Breach, Request, missing, repeated, valued

#: The intervals, in milliseconds, at which SageMaker's profiler can measure.
PROFILING_INTERVALS = (100, 200, 500, 1000, 5000, 60000)
_MAX_WAIT = "StoppingCondition.MaxWaitTimeInSeconds"
_RULE_LISTS = ("DebugRuleConfigurations", "ProfilerRuleConfigurations")


def long_runtime(request: Request) -> Iterator[Breach]:
    if (seconds := max_runtime_of(request)) > MAX_MAX_RUNTIME:
        yield valued("StoppingCondition.MaxRuntimeInSeconds", seconds)


def spot_without_wait(request: Request) -> Iterator[Breach]:
    if is_spot(request) and "MaxWaitTimeInSeconds" not in _stopping(request):
        yield missing(_MAX_WAIT)


def short_wait(request: Request) -> Iterator[Breach]:
    wait, runtime = _stopping(request).get("MaxWaitTimeInSeconds"), max_runtime_of(request)
    if is_spot(request) and wait is not None and wait < runtime:
        yield Breach(_MAX_WAIT, f"is {wait}, less than MaxRuntimeInSeconds, {runtime}")


def wait_without_spot(request: Request) -> Iterator[Breach]:
    if "MaxWaitTimeInSeconds" in _stopping(request) and not is_spot(request):
        yield valued(_MAX_WAIT, _stopping(request)["MaxWaitTimeInSeconds"])


def reserved_tags(request: Request) -> Iterator[Breach]:
    for index, tag in enumerate(request.get("Tags", [])):
        if tag["Key"].lower().startswith("aws:"):
            yield valued(f"Tags[{index}].Key", tag["Key"])


def repeated_tags(request: Request) -> Iterator[Breach]:
    keys = [tag["Key"] for tag in request.get("Tags", [])]
    for index, key in enumerate(keys):
        if key in keys[:index]:
            yield repeated(f"Tags[{index}].Key", key)


def repeated_debugger_rules(request: Request) -> Iterator[Breach]:
    seen: set[str] = set()
    for member in _RULE_LISTS:
        for index, rule in enumerate(request.get(member, [])):
            name = rule["RuleConfigurationName"]
            if name in seen:
                yield repeated(f"{member}[{index}].RuleConfigurationName", name)
            seen.add(name)


def profiling_interval(request: Request) -> Iterator[Breach]:
    milliseconds = request.get("ProfilerConfig", {}).get("ProfilingIntervalInMilliseconds")
    if milliseconds is not None and milliseconds not in PROFILING_INTERVALS:
        yield valued("ProfilerConfig.ProfilingIntervalInMilliseconds", milliseconds)


def _stopping(request: Request) -> Mapping[str, int]:
    stopping: Mapping[str, int] = request.get("StoppingCondition", {})
    return stopping
