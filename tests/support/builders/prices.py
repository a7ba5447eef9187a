"""Builds prices."""

from typing import Any


def prices(as_of: str = "2026-11-20", **dollars_per_hour: float) -> dict[str, Any]:
    """Returns the section with these prices, given as `ml_g5_xlarge=1.5`."""
    lines = [
        {"instance_type": kind.replace("_", "."), "dollars_per_hour": price} for kind, price in dollars_per_hour.items()
    ]
    return {"as_of": as_of, "prices": lines}
