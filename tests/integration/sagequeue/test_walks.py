"""The walks of docs/contribute/client-walks.md through the client are the files in which the calls really run."""

from collections.abc import Callable
from typing import Any

import pytest

from integration.sagequeue.fakes.aws import NO_TELEMETRY, FakeAws
from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.fakes.shell import run
from sagequeue import QueueClient
from support.walks import visited_files, walks
from unit.sagequeue.builders.jobs import a_request


def test_the_walk_of_ls(queue: FakeQueue) -> None:
    QueueClient().submit(a_request())
    with visited_files() as files:
        assert "resnet" in run("ls").output
    assert sorted(files) == sorted(walks()["sagequeue ls"])


def test_the_walk_of_fit(make_estimator: Callable[..., Any], aws: FakeAws, capsys: pytest.CaptureFixture[str]) -> None:
    """From the session to the end of the job, with its log."""
    from sagequeue import QueueSession

    with visited_files() as files:
        session = QueueSession(default_bucket="bucket", sagemaker_config=NO_TELEMETRY)
        make_estimator(sagemaker_session=session).fit(job_name="resnet", logs="All")
    assert "attempt 2: epoch 3" in capsys.readouterr().out
    assert sorted(files) == sorted(walks()["fit()"])
