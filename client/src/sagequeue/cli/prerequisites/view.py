"""Shows the outcomes of the checks: one line for each member, with the next step below it."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from sagequeue.cli.prerequisites.prerequisite import NOT_CHECKED, OK, PROBLEM, Prerequisite

_MARKS = {OK: ("✓", "green"), PROBLEM: ("✗", "red"), NOT_CHECKED: ("!", "yellow")}


def prerequisites_view(found: Sequence[Prerequisite]) -> RenderableType:
    return Group(Text(""), *(line for each in found for line in _lines(each)))


def _lines(each: Prerequisite) -> Iterator[Text]:
    mark, style = _MARKS[each.outcome]
    reason = f"not checked: {each.message}" if each.outcome == NOT_CHECKED else each.message
    yield Text.assemble((mark, style), f" {each.member} {each.value}: {reason}.")
    if each.remedy:
        yield Text(f"  {each.remedy}")
