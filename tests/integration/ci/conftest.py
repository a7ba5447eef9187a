"""The fake queue of the client's tests, and a shell for the steps of CI systems."""

import json
from pathlib import Path

import pytest

from integration.ci.shell import Shell
from integration.sagequeue.conftest import clock, credentials, queue, terminal
from integration.sagequeue.fakes.queue import FakeQueue
from unit.sagequeue.builders.costs import a_job_cost
from unit.sagequeue.builders.jobs import a_job, a_request, an_attempt

__all__ = ["clock", "credentials", "ended", "queue", "shell", "terminal"]


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    (tmp_path / "request.json").write_text(json.dumps(a_request()))
    return Shell(tmp_path)


@pytest.fixture
def ended(queue: FakeQueue) -> FakeQueue:
    """A queue whose jobs complete at once, with a cost and results."""
    queue.life = [
        a_job(
            "completed",
            attempts=[an_attempt(1, "completed")],
            cost=a_job_cost(),
            model_artifacts="s3://models/model.tar.gz",
            metrics={"accuracy": 0.97},
        )
    ]
    return queue
