"""Tables of prices and of the use of spending limits."""

from rich.console import Group, RenderableType
from rich.text import Text

from sagequeue.contract.costs import Price, Prices, Spending, SpendingUse
from sagequeue.tables.formats import local_time, table_of

_COLOURS = {"near": "yellow", "used_up": "red", "unknown": "red"}  # of a limit's state


def prices_view(found: Prices) -> RenderableType:
    if not found["prices"]:
        return Text(
            f"No known prices in {found['region']}. Operators can set them in the configuration's section prices."
        )
    table = table_of("instance type", "$ per hour", "GPUs", "spot billed", "as of", "source")
    for kind, price in found["prices"].items():
        table.add_row(Text(kind, style="bold"), *_price_row(price))
    return Group(Text(f"in {found['region']}, per on-demand instance", style="dim"), table)


def _price_row(price: Price) -> tuple[str, ...]:
    dollars, share = price["dollars_per_hour"], price["spot_share"]
    return (
        "not known" if dollars is None else f"{dollars:.3f}",
        str(price["gpus"]),
        "" if share is None else f"{share:.0%}",
        price["as_of"] or "",
        price["source"] or "",
    )


def spending_view(found: Spending) -> RenderableType:
    month = found["month"]
    if month is None:
        return Text("No spending limits are set.")
    until = f"{month['name']}, until {local_time(month['ends'])} (months of the time zone {month['time_zone']})"
    table = table_of("limit", "applies to", "used", "running", "maximum", "forecast", "state", "why")
    for use in found["uses"]:
        table.add_row(*_use_row(use))
    more = [Text(f"… and {found['left_out']} more with less use")] if found["left_out"] else []
    return Group(Text(until, style="dim"), table if table.rows else Text("Nothing spent this month."), *more)


def _use_row(use: SpendingUse) -> tuple[str | Text, ...]:
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
