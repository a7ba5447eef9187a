"""Builds spending limits."""

from typing import Any

from scheduler.core.spending.limits import SpendingRules
from support.builders.configurations import a_configuration


def spending(*limits: dict[str, Any], time_zone: str = "UTC") -> dict[str, Any]:
    """Returns the section with these limits, as operators write it. A limit without a name gets one."""
    named = [{"name": f"limit-{number}", **limit} for number, limit in enumerate(limits)]
    return {"time_zone": time_zone, "limits": named}


def the_limits(*limits: dict[str, Any], time_zone: str = "UTC") -> SpendingRules:
    return a_configuration(spending=spending(*limits, time_zone=time_zone)).spending
