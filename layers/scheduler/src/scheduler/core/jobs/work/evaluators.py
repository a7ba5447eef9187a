"""Reads the evaluators of a training job: containers for rules of Debugger or the profiler.

SageMaker runs them beside the training job, under its role, as processing jobs.
"""

from collections.abc import Iterator, Mapping
from typing import Any

_RULE_LISTS = ("DebugRuleConfigurations", "ProfilerRuleConfigurations")


def evaluators_in(request: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yields each evaluator of a request, or of SageMaker's description of a training job, with its path."""
    for member in _RULE_LISTS:
        for index, evaluator in enumerate(request.get(member) or ()):
            yield f"{member}[{index}]", evaluator
