"""Writes the queue's metrics in Prometheus' text format. `prometheus_client` comes with sagequeue[prometheus]."""

from collections.abc import Mapping
from datetime import datetime

from prometheus_client import CollectorRegistry, Gauge, generate_latest

from sagequeue.contract.jobs import QUEUED
from sagequeue.contract.queue import Queue
from sagequeue.reports.report import Report

_PREFIX = "sagequeue_"


def exposition(queue: Queue, recent: Report, now: datetime) -> str:
    """Returns the current state of the queue and the figures for recently finished attempts."""
    registry = CollectorRegistry()
    _current(registry, queue, now)
    _recent(registry, recent)
    return generate_latest(registry).decode()


def _current(registry: CollectorRegistry, queue: Queue, now: datetime) -> None:
    _labelled_gauge(registry, "jobs", "Jobs that have not ended, by state", "state", queue["by_state"])
    for part in ("limit", "held", "free"):
        counts = {kind: line[part] for kind, line in queue["budget"].items()}
        _labelled_gauge(
            registry, f"instances_{part}", f"Instances in the budget by type: {part}", "instance_type", counts
        )
    _labelled_gauge(
        registry,
        "team_queued",
        "Waiting jobs by team",
        "team",
        {team: line["queued"] for team, line in queue["teams"].items()},
    )
    _gauge(registry, "intake_open", "1 if the queue accepts new jobs, otherwise 0", queue["intake_open"])
    waiting = [
        (now - datetime.fromisoformat(job["submitted_at"])).total_seconds()
        for job in queue["head"]
        if job["state"] in QUEUED
    ]
    _gauge(
        registry,
        "head_age_seconds",
        "Seconds since the oldest of the next jobs was submitted",
        max(waiting, default=0.0),
    )
    _gauge(registry, "shortages", "Instance types and subnets where SageMaker lacks capacity", len(queue["shortages"]))


def _recent(registry: CollectorRegistry, recent: Report) -> None:
    for name, value in recent.total.as_dict().items():
        _gauge(registry, f"recent_{name}", f"{name.replace('_', ' ').capitalize()} of recently ended attempts", value)
    _gauge(registry, "history_missing_changes", "Changes missing from the history", recent.missing)


def _gauge(registry: CollectorRegistry, name: str, text: str, value: float) -> None:
    Gauge(_PREFIX + name, text, registry=registry).set(value)


def _labelled_gauge(registry: CollectorRegistry, name: str, text: str, label: str, values: Mapping[str, float]) -> None:
    gauge = Gauge(_PREFIX + name, text, [label], registry=registry)
    for key, value in values.items():
        gauge.labels(key).set(value)
