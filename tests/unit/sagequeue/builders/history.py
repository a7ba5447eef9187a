"""Builds changes as in the answers of the history API, for tests of the client. All times are hours of one day."""

from typing import Any, cast

from sagequeue.contract.history import Change, Run

GPU = "ml.g5.xlarge"


def at(hour: float) -> str:
    minutes = round(hour * 60)
    return f"2026-11-21T{minutes // 60:02d}:{minutes % 60:02d}:00Z"


def a_change(job: str = "resnet", version: int = 0, **values: Any) -> Change:
    change = {
        "job": job,
        "version": version,
        "recorded_at": at(12),
        "changed_at": at(12),
        "written_by": "schedule",
        "state": "running",
        "reason": {"code": "fits", "message": "1 × ml.g5.xlarge of the budget is free"},
        "priority": 4,
        "instances": {GPU: 1},
        "owner": "arn:aws:sts::123456789012:assumed-role/team/anna",
        "team": None,
        "tags": {},
        "submitted_at": at(0),
        "max_runtime": 86400,
        "checkpoint_interval": None,
        "has_checkpoints": True,
        "never_preempt": False,
        "done": [],
        "run": None,
        "stopped_for": None,
    }
    return cast(Change, change | values)


def a_run(number: int = 1, begin: float = 1, end: float = 2, outcome: str = "completed", **values: Any) -> Run:
    run = {
        "number": number,
        "name": f"resnet-sq-{number}",
        "outcome": outcome,
        "waited_since": at(0),
        "reserved_at": at(begin),
        "training_started_at": at(begin),
        "ended_at": at(end),
        "instances": {GPU: 1},
        "billable_seconds": round((end - begin) * 3600),
        "retained_seconds": 0,
        "spot": False,
        "interruptions": 0,
        "interrupted_seconds": 0,
        "failure_class": None,
        "beneficiary": None,
        "lost_seconds_at_most": 0.0,
        "lost_is_measured": False,
    }
    return cast(Run, run | values)
