"""Checks the definition of a pipeline, and the parameters of an execution.

SageMaker's own error texts are not known.
"""

from collections.abc import Mapping
from typing import Any

from local_sagemaker.errors import invalid
from local_sagemaker.state_machine.pipelines.execution import needed_by

#: Members that a callback step needs.
_NEEDED = ("Name", "Arguments", "SqsQueueUrl")


def check_definition(definition: Any) -> None:
    steps = definition.get("Steps") if isinstance(definition, dict) else None
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise invalid("PipelineDefinition has no list of steps.")
    known: set[str] = set()
    for step in steps:
        name = str(step.get("Name"))
        if step.get("Type") != "Callback":
            raise invalid(f"Step {name} is of type {step.get('Type')}. The local account runs only callback steps.")
        if missing := [member for member in _NEEDED if member not in step]:
            raise invalid(f"Step {name} lacks {missing[0]}.")
        if unknown := needed_by(step) - known:
            raise invalid(f"Step {name} needs {min(unknown)}, which is not an earlier step.")
        known.add(name)


def parameters_for(definition: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, Any]:
    """Returns the value of each parameter: the given value, or its default."""
    declared = {parameter["Name"]: parameter for parameter in definition.get("Parameters", ())}
    if unknown := given.keys() - declared.keys():
        raise invalid(f"The pipeline has no parameter {min(unknown)}.")
    defaults = {name: value["DefaultValue"] for name, value in declared.items() if "DefaultValue" in value}
    if missing := declared.keys() - defaults.keys() - given.keys():
        raise invalid(f"The parameter {min(missing)} has no value.")
    return {name: _typed(given[name], declared[name]["Type"]) if name in given else defaults[name] for name in declared}


def _typed(value: str, kind: str) -> Any:
    """Returns the value of a parameter, which a call passes as text."""
    types = {"Integer": int, "Float": float}
    try:
        return types.get(kind, str)(value)
    except ValueError as error:
        raise invalid(f"{value} is not a value of type {kind}.") from error
