"""`sagequeue metrics`, read back by Prometheus' own parser."""

import re
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.fakes.shell import run
from sagequeue import QueueClient
from unit.sagequeue.builders.history import a_change, a_run
from unit.sagequeue.builders.jobs import a_request

CHECKOUT = Path(__file__).parents[4]
Sample = tuple[str, frozenset[tuple[str, str]]]


def _samples() -> dict[Sample, float]:
    families = text_string_to_metric_families(run("metrics").stdout)
    return {(one.name, frozenset(one.labels.items())): one.value for family in families for one in family.samples}


def test_the_queue_as_it_is(client: QueueClient, queue: FakeQueue) -> None:
    client.submit(a_request())
    found = _samples()
    assert found["sagequeue_jobs", frozenset({("state", "pending")})] == 1
    assert found["sagequeue_instances_free", frozenset({("instance_type", "ml.g5.xlarge")})] == 1
    assert found["sagequeue_team_queued", frozenset({("team", "vision")})] == 1
    assert found["sagequeue_intake_open", frozenset()] == 1


def test_what_ended_in_the_last_hour(queue: FakeQueue) -> None:
    now = datetime.now(UTC)
    times: dict[str, Any] = {name: (now - timedelta(minutes=ago)).isoformat() for name, ago in _AGO.items()}
    queue.changes = [a_change(run=a_run(outcome="preempted", **times), submitted_at=times["waited_since"])]
    found = _samples()
    assert found["sagequeue_recent_preemptions", frozenset()] == 1
    assert found["sagequeue_recent_preempted_instance_seconds", frozenset()] == pytest.approx(600)
    assert found["sagequeue_recent_waited_seconds", frozenset()] == pytest.approx(1200)


_AGO = {"waited_since": 40, "reserved_at": 20, "training_started_at": 20, "ended_at": 10}


@pytest.mark.usefixtures("queue")
def test_without_its_package_the_command_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sagequeue.reports.prometheus", None)
    refused = run("metrics")
    assert (refused.exit_code, "pip install 'sagequeue[prometheus]'" in refused.stderr) == (1, True)


def test_the_dashboard_asks_for_metrics_that_there_are(client: QueueClient, queue: FakeQueue) -> None:
    client.submit(a_request())
    told = {name for name, _ in _samples()}
    asked = set(re.findall(r"sagequeue_\w+", (CHECKOUT / "docs" / "grafana.json").read_text()))
    assert len(asked) > 10
    assert asked <= told
