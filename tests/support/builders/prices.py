"""Builds documents of prices."""

import json


def prices(as_of: str = "2026-11-20", **dollars_per_hour: float) -> str:
    """Returns a document of these prices, given as `ml_g5_xlarge=1.5`."""
    lines = [
        {"instance_type": kind.replace("_", "."), "dollars_per_hour": price} for kind, price in dollars_per_hour.items()
    ]
    return json.dumps({"format": 1, "as_of": as_of, "prices": lines}, indent=1)
