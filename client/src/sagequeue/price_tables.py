"""What instances cost, as people read it in a terminal."""

from rich.console import Group, RenderableType
from rich.text import Text

from sagequeue.contract import Price, Prices
from sagequeue.tables import table_of


def prices_view(found: Prices) -> RenderableType:
    if not found["prices"]:
        return Text(f"No price is known in {found['region']}: an operator lays them down (sagequeue prices apply).")
    table = table_of("instance type", "$ an hour", "GPUs", "spot billed", "as of", "source")
    for kind, price in found["prices"].items():
        table.add_row(Text(kind, style="bold"), *_row(price))
    return Group(Text(f"in {found['region']}, of one instance on demand", style="dim"), table)


def _row(price: Price) -> tuple[str, ...]:
    dollars, share = price["dollars_per_hour"], price["spot_share"]
    return (
        "not known" if dollars is None else f"{dollars:.3f}",
        str(price["gpus"]),
        "" if share is None else f"{share:.0%}",
        price["as_of"] or "",
        price["source"] or "",
    )
