"""Commands on arrays: the API's answers, and the rows of --json."""

from collections.abc import Iterator
from typing import Any

from integration.sagequeue.cli.widths.cases import Case, Row, ago, number

PARTS = ("completed", "running", "waiting", "held_or_parked", "failed", "stopped", "not_created")


def array(index: int) -> dict[str, Any]:
    progress = {part: number(index) + place for place, part in enumerate(PARTS)}
    return {
        "name": f"sweep-{index:04d}",
        "owner": "arn:aws:iam::123456789012:user/anna",
        "state": "active",
        "size": number(index) * 7,
        "priority": number(index),
        "progress": progress,
        "at_most": number(index) + 8,
        "most_failures": number(index) + 9,
        "held_by": None,
        "end": None,
        "problem": None,
        "instances": {"ml.g5.xlarge": 1},
        "max_runtime": 86400,
        "approved_by": None,
        "submitted_at": ago(2),
        "updated_at": None,
        "is_new": True,
    }


def arrays(count: int) -> list[dict[str, Any]]:
    return [array(index) for index in range(count)]


def rows_of_arrays(answer: Any) -> Iterator[Row]:
    for found in answer["arrays"]:
        yield found["name"], {"jobs": str(found["size"]), "prio": str(found["priority"])}


def rows_of_array(answer: Any) -> Iterator[Row]:
    yield "priority", {"": str(answer["priority"])}


CASES = {
    "arrays": Case(("arrays",), lambda count: [{"arrays": arrays(count)}], rows_of_arrays),
    **{
        f"arrays {verb}": Case(("arrays", verb, "sweep-0000", *more), lambda count: [array(count)], rows_of_array)
        for verb, more in {
            "show": (),
            "hold": (),
            "release": (),
            "priority": ("5",),
            "approve": (),
            "cancel": (),
        }.items()
    },
}
