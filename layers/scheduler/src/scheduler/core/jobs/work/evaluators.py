"""Reads a training job's evaluators: containers for Debugger or profiler rules.

SageMaker runs them beside the training job as processing jobs, under the same role.
"""

from collections.abc import Iterator, Mapping
from typing import Any

_RULE_LISTS = ("DebugRuleConfigurations", "ProfilerRuleConfigurations")


def evaluators_in(request: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yields each evaluator of a request, or of SageMaker's description of a training job, with its path."""
    for member in _RULE_LISTS:
        for index, evaluator in enumerate(request.get(member) or ()):
            yield f"{member}[{index}]", evaluator
