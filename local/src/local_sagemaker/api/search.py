"""Answers Search for training jobs, with filters on members of a description and on tags."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from local_sagemaker.api.paging import paginate
from local_sagemaker.api.validation import search_members
from local_sagemaker.errors import invalid
from local_sagemaker.state_machine.description import describe
from local_sagemaker.state_machine.job import TrainingJob

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "Equals": lambda found, wanted: bool(found == wanted),
    "GreaterThan": lambda found, wanted: bool(found > wanted),
    "GreaterThanOrEqualTo": lambda found, wanted: bool(found >= wanted),
    "LessThan": lambda found, wanted: bool(found < wanted),
    "LessThanOrEqualTo": lambda found, wanted: bool(found <= wanted),
    "Contains": lambda found, wanted: str(wanted) in str(found),
}
_SCALARS = (str, int, float)  # bool is an int


def search_page(jobs: Iterable[TrainingJob], request: dict[str, Any]) -> dict[str, Any]:
    if request["Resource"] != "TrainingJob":
        raise invalid(f"local_sagemaker searches for TrainingJob only, not for {request['Resource']}.")
    expression, order = request.get("SearchExpression", {}), request.get("SortBy", "LastModifiedTime")
    found = [(record, job) for job in jobs if _fits(record := _record(job), expression)]
    found.sort(key=lambda pair: _sort_key(pair[0], order), reverse=request.get("SortOrder") != "Ascending")
    page, token = paginate([job for _, job in found], request)
    return {"Results": [{"TrainingJob": _record(job)} for job in page], **token}


def _record(job: TrainingJob) -> dict[str, Any]:
    """Returns a description with tags, and without the members that are unknown to Search."""
    shown = {name: value for name, value in describe(job).items() if name in search_members()}
    return shown | {"Tags": [{"Key": key, "Value": value} for key, value in job.tags.items()]}


def _fits(record: dict[str, Any], expression: dict[str, Any]) -> bool:
    if "NestedFilters" in expression:
        raise invalid("local_sagemaker has no NestedFilters in a SearchExpression.")
    verdicts: list[bool] = [_passes(record, condition) for condition in expression.get("Filters", [])]
    verdicts += [_fits(record, part) for part in expression.get("SubExpressions", [])]
    return any(verdicts) if expression.get("Operator") == "Or" and verdicts else all(verdicts)


def _passes(record: dict[str, Any], condition: dict[str, Any]) -> bool:
    values = _values(record, condition["Name"])
    operator = condition.get("Operator", "Equals")
    if operator in {"Exists", "NotExists"}:
        return (operator == "Exists") is bool(values)
    if "Value" not in condition:
        raise invalid(f"Filter {condition['Name']} needs a Value.")
    if operator == "NotEquals":
        return not _any(values, "Equals", condition["Value"])
    if operator == "In":
        return any(_any(values, "Equals", choice) for choice in condition["Value"].split(","))
    return _any(values, operator, condition["Value"])


def _any(values: list[Any], operator: str, wanted: str) -> bool:
    compare = _COMPARISONS[operator]
    return any(compare(value, _like(value, wanted)) for value in values if isinstance(value, _SCALARS))


def _like(value: object, wanted: str) -> Any:
    """Converts the text of a filter to the type of the value."""
    try:
        if isinstance(value, bool):
            return wanted.lower() == "true"
        if isinstance(value, (int, float)):
            return datetime.fromisoformat(wanted).timestamp() if "T" in wanted or "-" in wanted[1:] else float(wanted)
    except ValueError as error:
        raise invalid(f"Value {wanted} cannot be compared with a number or a time.") from error
    return wanted


def _values(value: Any, path: str) -> list[Any]:
    """Lists the values at `A.B.C`, in each item if a list is on the path, or the values of the tag with that key."""
    if path.startswith("Tags."):
        return [tag["Value"] for tag in value["Tags"] if tag["Key"] == path.removeprefix("Tags.")]
    if isinstance(value, list):
        return [found for item in value for found in _values(item, path)]
    if not path:
        return [value]
    name, _, rest = path.partition(".")
    return _values(value[name], rest) if isinstance(value, dict) and name in value else []


def _sort_key(record: dict[str, Any], path: str) -> tuple[bool, Any, str]:
    """Returns a sort key that puts records without the property first."""
    values = [value for value in _values(record, path) if isinstance(value, _SCALARS)]
    return bool(values), values[0] if values else "", str(record["TrainingJobName"])
