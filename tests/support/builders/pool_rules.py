"""Builds documents of warm pool rules."""

import json


def pool_rules(instance_type: str, use: str, **caps: float) -> str:
    """Returns a document with one rule."""
    return json.dumps({"format": 1, "pools": [{"instance_type": instance_type, "use": use, **caps}]})
