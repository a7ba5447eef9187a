"""Builds documents of spending limits."""

import json
from typing import Any


def spending(*limits: dict[str, Any], time_zone: str = "UTC") -> str:
    """Returns a document of these limits. A limit without a name gets one."""
    named = [{"name": f"limit-{number}", **limit} for number, limit in enumerate(limits)]
    return json.dumps({"format": 1, "time_zone": time_zone, "limits": named}, indent=1)
