"""What may be spent in a month, as people read it in a terminal."""

from rich.console import Group, RenderableType
from rich.text import Text

from sagequeue.contract import Spending, SpendingUse
from sagequeue.durations import local_time
from sagequeue.tables import table_of

_COLOURS = {"near": "yellow", "used_up": "red", "unknown": "red"}


def spending_view(found: Spending) -> RenderableType:
    if not found["readable"]:
        return Text("The document of spending limits cannot be read: nothing is started until another one is applied.")
    month = found["month"]
    if month is None:
        return Text("There are no limits on what may be spent.")
    until = f"{month['name']}, until {local_time(month['ends'])} ({month['time_zone']} months)"
    table = table_of("limit", "of", "used", "of which runs", "limit is", "by its end", "state", "why")
    for use in found["uses"]:
        table.add_row(*_row(use))
    return Group(Text(until, style="dim"), table if table.rows else Text("Nobody has spent anything."))


def _row(use: SpendingUse) -> tuple[RenderableType, ...]:
    return (
        Text(use["limit"], style="bold"),
        Text(f"{use['kind']} {use['scope']}"),
        _amount(use["used"], use),
        _amount(use["running"], use),
        _amount(use["most"], use),
        _amount(use["forecast"], use),
        Text(use["state"].replace("_", " "), style=_COLOURS.get(use["state"], "")),
        Text(use["reason"] or ""),
    )


def _amount(amount: float | None, use: SpendingUse) -> str:
    if amount is None:
        return "not known"
    return f"${amount:.2f}" if use["measure"] == "dollars" else f"{amount:.1f} GPU h"
