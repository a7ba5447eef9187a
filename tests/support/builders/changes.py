"""Builds changes as the history records them."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from scheduler.core.history.change import Change, change_of
from support.builders.jobs import NOON, a_job


def a_change(job: str = "resnet", version: int = 0, recorded_at: datetime = NOON, **values: Any) -> Change:
    return replace(change_of(a_job(job, version=version), "api", recorded_at, ()), **values)
