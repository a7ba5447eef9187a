"""The table of warm pools, and of instance types whose pools SageMaker refuses."""

from collections.abc import Iterator
from datetime import datetime

from rich.console import Group, RenderableType
from rich.text import Text

from sagequeue.contract.warm_pools import Pool, Pools
from sagequeue.tables.formats import local_time, short, since
from sagequeue.tables.layout import table_of


def pools_view(found: Pools, now: datetime) -> RenderableType:
    return Group(_table_of(found, now), *map(Text, refusals(found)))


def refusals(found: Pools) -> Iterator[str]:
    """Yields a line for each instance type whose pools do not appear."""
    for refused in found.get("refused", ()):  # absent from an older stack
        kind, first_refused = refused["instance_type"], local_time(refused["since"])
        yield f"No warm pool of {kind} has appeared since {first_refused}: its warm-pool quota is 0 or used up."


def _table_of(found: Pools, now: datetime) -> RenderableType:
    table = table_of("attempt", "instances", "age", "ends in", "cost", "used by", "jobs that fit")
    for pool in found["pools"]:
        table.add_row(*_row(pool, now))
    return table if table.rows else Text("No warm pools.")


def _row(pool: Pool, now: datetime) -> Iterator[RenderableType]:
    yield Text(pool["name"], style="bold")
    yield " + ".join(f"{count} × {kind}" for kind, count in sorted(pool["instances"].items()))
    yield since(pool["since"], now) if pool["since"] else ""
    yield short(datetime.fromisoformat(pool["until"]) - now) if pool["until"] else ""
    yield f"${pool['cost']:.2f}" if pool["cost"] is not None else "no known price"
    yield pool["lent_to"] or ""
    yield Text(", ".join(pool["fits"]))
