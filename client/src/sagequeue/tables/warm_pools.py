"""Warm pools as people read them in a terminal."""

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
    """A line for each type that is to leave pools and leaves none."""
    for known in found.get("refused", ()):  # stacks from before do not tell
        kind, told = known["instance_type"], local_time(known["since"])
        yield f"No pool of {kind} has appeared since {told}: SageMaker's quota for its warm pools is 0 or used up."


def _table_of(found: Pools, now: datetime) -> RenderableType:
    table = table_of("left by", "instances", "for", "ends in", "cost", "taken over by", "would start on it")
    for pool in found["pools"]:
        table.add_row(*_row(pool, now))
    return table if table.rows else Text("There are no warm pools.")


def _row(pool: Pool, now: datetime) -> Iterator[RenderableType]:
    yield Text(pool["name"], style="bold")
    yield " + ".join(f"{count} × {kind}" for kind, count in sorted(pool["instances"].items()))
    yield since(pool["since"], now) if pool["since"] else ""
    yield short(datetime.fromisoformat(pool["until"]) - now) if pool["until"] else ""
    yield f"${pool['cost']:.2f}" if pool["cost"] is not None else "no price known"
    yield pool["lent_to"] or ""
    yield Text(", ".join(pool["fits"]))
