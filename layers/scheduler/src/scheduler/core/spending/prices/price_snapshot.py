"""SageMaker's training prices in us-east-1, as published from June to September 2026.

They come from AWS's price list (the offer AmazonSageMaker of us-east-1, component Training), as quoted by public
repositories. The day of each price is noted here. A type is left out if no repository quotes its training price from
the list itself, even if the price for an EC2 instance or an endpoint is known. Operators add missing prices, or the
prices of their region, in the section `prices` (docs/admin/spending.md).
"""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from scheduler.core.spending.prices.price import Price, PriceList

_LIST = "AWS's price list of us-east-1"
_PER_HOUR: Mapping[tuple[date, str], Mapping[str, str]] = {
    (date(2026, 9, 25), f"{_LIST}, published that day"): {
        "ml.c5.4xlarge": "0.816", "ml.c5.9xlarge": "1.836", "ml.m5.4xlarge": "0.922",
        "ml.r5.4xlarge": "1.210", "ml.r5.8xlarge": "2.419",
        "ml.g4dn.xlarge": "0.736", "ml.g5.xlarge": "1.408", "ml.g5.2xlarge": "1.515",
    },
    (date(2026, 9, 4), f"{_LIST}, published that day"): {
        "ml.g6e.2xlarge": "2.800", "ml.g6e.12xlarge": "13.120", "ml.p4d.24xlarge": "25.251", "ml.p5.48xlarge": "63.296",
    },
    (date(2026, 8, 1), f"{_LIST}, retrieved that month"): {
        "ml.m5.large": "0.115", "ml.g5.12xlarge": "7.090",
        "ml.g6.2xlarge": "1.222", "ml.g6.4xlarge": "1.654", "ml.g6.12xlarge": "5.752",
    },
    (date(2026, 6, 19), f"{_LIST}, retrieved that day"): {
        "ml.g6e.xlarge": "2.610",
        "ml.g7e.2xlarge": "4.2039", "ml.g7e.4xlarge": "4.9977", "ml.g7e.12xlarge": "10.3576",
    },
}  # fmt: skip

SNAPSHOT = PriceList(
    known={
        instance_type: Price(Decimal(per_hour), as_of, source)
        for (as_of, source), prices in _PER_HOUR.items()
        for instance_type, per_hour in prices.items()
    },
    region="us-east-1",
)


def known_in(region: str) -> PriceList:
    """Returns the snapshot's prices for a region. For any region other than the snapshot's, there are none."""
    return SNAPSHOT if region == SNAPSHOT.region else PriceList({}, region)
