"""SDK v3's `wait` shows the log of a queued job, however the queue was installed.

A double stands in for the SDK, which needs another environment (tests/sdks).
"""

import sys
from types import ModuleType
from typing import Any

import boto3
import pytest

from integration.sagequeue.fakes.queue import FakeQueue
from sagequeue import QueueClient, install
from sagequeue.hooks.v3_waits import show_waits
from unit.sagequeue.builders.jobs import a_request

LOG = ["attempt 1: epoch 1", "attempt 1: epoch 2", "attempt 2: resumed", "attempt 2: epoch 3"]


class SageMakerClient:
    def __init__(self, session: boto3.Session | None = None, region_name: str | None = None) -> None:
        self.session = session or DEFAULT[0]
        self.sagemaker_client: Any = self.session.client("sagemaker", region_name=region_name)


DEFAULT: list[boto3.Session] = []  # the session of calls without one


@pytest.fixture
def sdk(monkeypatch: pytest.MonkeyPatch, session: boto3.Session) -> type:
    class TrainingJob:
        def __init__(self, name: str, session: boto3.Session | None, region: str | None = None) -> None:
            self.training_job_name, self._session, self._region = name, session, region
            self.training_job_status = ""

        def refresh(self) -> None:
            client = SageMakerClient(self._session).sagemaker_client
            description = client.describe_training_job(TrainingJobName=self.training_job_name)
            self.training_job_status = description["TrainingJobStatus"]

        def wait(self, **_: object) -> None:
            print("the SDK's own wait")

    monkeypatch.setattr(f"{__name__}.DEFAULT", [session])
    errors = {"FailedStatusError": RuntimeError, "TimeoutExceededError": TimeoutError}
    modules: dict[str, dict[str, Any]] = {
        "sagemaker": {},
        "sagemaker.core": {},
        "sagemaker.core.resources": {"TrainingJob": TrainingJob},
        "sagemaker.core.utils": {},
        "sagemaker.core.utils.exceptions": errors,
        "sagemaker.core.utils.utils": {"SageMakerClient": SageMakerClient},
    }
    for name, members in modules.items():
        module = ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)
    return TrainingJob


@pytest.mark.parametrize("has_session", [True, False])
def test_a_job_that_was_created_through_the_hooks_shows_its_whole_log(
    sdk: type, hooked: boto3.Session, capsys: pytest.CaptureFixture[str], has_session: bool
) -> None:
    hooked.client("sagemaker").create_training_job(**a_request())
    job = sdk("resnet", hooked if has_session else None)
    job.wait(logs=True)
    output = capsys.readouterr().out
    assert [line for line in output.splitlines() if line in LOG] == LOG
    assert job.training_job_status == "Completed"


def test_a_job_of_another_program_that_was_described_through_the_hooks_shows_its_whole_log(
    sdk: type, hooked: boto3.Session, client: QueueClient, capsys: pytest.CaptureFixture[str]
) -> None:
    client.submit(a_request())
    job = sdk("resnet", hooked)
    job.refresh()
    job.wait(logs=True)
    assert LOG[-1] in capsys.readouterr().out


def test_other_jobs_use_the_sdks_own_wait(
    sdk: type, hooked: boto3.Session, capsys: pytest.CaptureFixture[str], queue: FakeQueue
) -> None:
    hooked.client("sagemaker").create_training_job(**a_request())
    sdk("other", hooked).wait(logs=True)
    sdk("resnet", boto3.Session()).wait(logs=True)
    assert capsys.readouterr().out.splitlines() == ["the SDK's own wait"] * 2


def test_a_job_in_another_region_uses_the_sdks_own_wait(
    sdk: type, session: boto3.Session, capsys: pytest.CaptureFixture[str]
) -> None:
    install(session, QueueClient("https://x.execute-api.eu-west-1.amazonaws.com/v1"))
    show_waits()
    sdk("resnet", session, "us-west-2").wait(logs=True)
    assert capsys.readouterr().out.splitlines() == ["the SDK's own wait"]
