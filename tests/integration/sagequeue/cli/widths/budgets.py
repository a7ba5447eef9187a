"""Commands about the budget, pools and money: the API's answers, and the rows of --json."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from integration.sagequeue.cli.widths.cases import REASON, Case, Row, ago, kinds, lines, number


def budget(count: int) -> dict[str, Any]:
    setting = {"source": "parameter", "stop_over_budget": False, "changed_by": None, "changed_at": None}
    limits = {kind: line["limit"] for kind, line in lines(count).items()}
    return {"budget": limits, **setting, "calendar_rests": False, "periods": periods(count)}


def periods(count: int) -> list[Any]:
    start = datetime(2027, 1, 1, tzinfo=UTC)
    return [
        {
            "begins": (start + timedelta(hours=index)).isoformat(),
            "budget": {"ml.p4d.24xlarge": number(index), "ml.g5.xlarge": number(index) + 1},
            "excess": {"ml.p4d.24xlarge": "finish"},
            "windows": ["nightly", "weekend"],
        }
        for index in range(count)
    ]


def period_rows(answer: Any) -> Iterator[Row]:
    for period in answer["periods"][1:]:
        begins = datetime.fromisoformat(period["begins"]).astimezone()
        yield f"{begins:%a %Y-%m-%d %H:%M}", {"budget": str(period["budget"]["ml.p4d.24xlarge"])}


def pools(count: int) -> list[Any]:
    return [
        {
            "name": f"job-{index:04d}-sq-1",
            "job": f"job-{index:04d}",
            "instances": {"ml.p4d.24xlarge": number(index)},
            "since": ago(index),
            "until": None,
            "lent_to": None,
            "cost": number(index) + 0.25,
            "fits": [f"waiting-{other}" for other in range(20)],
            "match": {},
        }
        for index in range(count)
    ]


def pool_rows(answer: Any) -> Iterator[Row]:
    for pool in answer["pools"]:
        yield pool["name"], {"cost": f"${pool['cost']:.2f}", "instances": str(pool["instances"]["ml.p4d.24xlarge"])}


def prices(count: int) -> dict[str, Any]:
    price = {"as_of": "2026-09-25", "source": "the price list of AWS of that day", "spot_share": 0.25}
    found = {
        kind: {**price, "dollars_per_hour": number(i) + 0.125, "gpus": number(i)} for i, kind in enumerate(kinds(count))
    }
    return {"region": "us-east-1", "prices": found}


def price_rows(answer: Any) -> Iterator[Row]:
    for kind, price in answer["prices"].items():
        yield kind, {"$ per hour": f"{price['dollars_per_hour']:.3f}", "GPUs": str(price["gpus"])}


def spending(count: int) -> dict[str, Any]:
    month = {"name": "2026-11", "begins": ago(20), "ends": "2026-12-01T00:00:00Z", "time_zone": "UTC"}
    use = {"kind": "team", "scope": "vision", "measure": "dollars", "warn_at": 0.8, "then": "wait", "state": "near"}
    uses = [
        {
            **use,
            "limit": f"limit-{index:04d}",
            "used": number(index) + 0.25,
            "running": number(index) + 0.5,
            "most": number(index) + 0.75,
            "forecast": number(index) * 2.0,
            "reason": REASON,
        }
        for index in range(count)
    ]
    return {"month": month, "uses": uses, "left_out": 0}


def spending_rows(answer: Any) -> Iterator[Row]:
    for use in answer["uses"]:
        amounts = {"used": "used", "running": "running", "maximum": "most", "forecast": "forecast"}
        yield use["limit"], {column: f"${use[member]:.2f}" for column, member in amounts.items()}


CASES = {
    "budget": Case(
        ("budget",),
        lambda count: [budget(count), {"jobs": [], "next": None, "budget": lines(count)}],
        lambda answer: ((kind, {"limit": str(limit)}) for kind, limit in answer["budget"].items()),
    ),
    "budget ahead": Case(("budget", "ahead"), lambda count: [budget(count)], period_rows),
    "pools": Case(("pools",), lambda count: [{"pools": pools(count), "refused": []}], pool_rows),
    "prices": Case(("prices",), lambda count: [prices(count)], price_rows),
    "spending": Case(("spending",), lambda count: [spending(count)], spending_rows),
}
