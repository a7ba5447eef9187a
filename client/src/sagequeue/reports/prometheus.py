"""The queue in Prometheus' text format; `prometheus_client` comes with the extra sagequeue[prometheus]."""

from collections.abc import Mapping
from datetime import datetime

from prometheus_client import CollectorRegistry, Gauge, generate_latest

from sagequeue.contract.jobs import QUEUED
from sagequeue.contract.queue import Queue
from sagequeue.reports.report import Report

_PREFIX = "sagequeue_"


def exposition(queue: Queue, recent: Report, now: datetime) -> str:
    """What is now, and what became of the attempts that ended lately."""
    registry = CollectorRegistry()
    _now(registry, queue, now)
    _lately(registry, recent)
    return generate_latest(registry).decode()


def _now(registry: CollectorRegistry, queue: Queue, now: datetime) -> None:
    _each(registry, "jobs", "Jobs that have not ended, by state", "state", queue["by_state"])
    for part in ("limit", "held", "free"):
        counts = {kind: line[part] for kind, line in queue["budget"].items()}
        _each(registry, f"instances_{part}", f"Instances of the budget: {part}", "instance_type", counts)
    _each(
        registry,
        "team_queued",
        "Jobs that wait",
        "team",
        {team: line["queued"] for team, line in queue["teams"].items()},
    )
    _one(registry, "intake_open", "Whether new jobs are taken", queue["intake_open"])
    waiting = [
        (now - datetime.fromisoformat(job["submitted_at"])).total_seconds()
        for job in queue["head"]
        if job["state"] in QUEUED
    ]
    _one(
        registry, "head_age_seconds", "Since when the oldest of the next jobs was submitted", max(waiting, default=0.0)
    )
    _one(registry, "shortages", "Places where SageMaker lacks instances", len(queue["shortages"]))


def _lately(registry: CollectorRegistry, recent: Report) -> None:
    for name, value in recent.total.as_dict().items():
        _one(registry, f"recent_{name}", f"Of the attempts that ended lately: {name.replace('_', ' ')}", value)
    _one(registry, "history_missing_changes", "Changes that the history lacks", recent.missing)


def _one(registry: CollectorRegistry, name: str, text: str, value: float) -> None:
    Gauge(_PREFIX + name, text, registry=registry).set(value)


def _each(registry: CollectorRegistry, name: str, text: str, label: str, values: Mapping[str, float]) -> None:
    gauge = Gauge(_PREFIX + name, text, [label], registry=registry)
    for key, value in values.items():
        gauge.labels(key).set(value)
