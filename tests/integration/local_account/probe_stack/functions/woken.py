"""Logs the event that invoked it."""

from typing import Any


def handle(event: dict[str, Any], context: object) -> None:
    for record in event.get("Records", []):
        print("woken by", record["dynamodb"]["Keys"]["pk"]["S"])
