"""The scripts of the GitLab template, run in bash against the fake queue. GitLab itself has not run them."""

from typing import Any

import pytest
import yaml

from integration.ci.shell import Shell
from integration.sagequeue.fakes.queue import FakeQueue
from support.checkout import CHECKOUT
from unit.sagequeue.builders.jobs import a_job

TEMPLATE: dict[str, Any] = yaml.safe_load((CHECKOUT / "integrations/gitlab/train.gitlab-ci.yml").read_text())
JOB: dict[str, Any] = TEMPLATE[".sagequeue-train"]


@pytest.fixture
def env(shell: Shell, queue: FakeQueue) -> dict[str, str]:
    """The variables that GitLab and the project set."""
    given = {
        "CI_JOB_ID": "7",
        "CI_JOB_STATUS": "success",
        "CI_MERGE_REQUEST_IID": "12",
        "CI_API_V4_URL": "https://gitlab.example.com/api/v4",
        "CI_PROJECT_ID": "3",
        "SAGEQUEUE_COMMENT_TOKEN": "a-token",
        "SAGEQUEUE_ID_TOKEN": "an-id-token",
        "SAGEQUEUE_CLIENT": "./client.whl",
    }
    own = {name: value.replace("$CI_JOB_ID", "7") for name, value in JOB["variables"].items()}
    return {**given, **own, "AWS_WEB_IDENTITY_TOKEN_FILE": str(shell.folder / "token")}


def take(part: str, shell: Shell, env: dict[str, str]) -> int:
    """Runs a script as GitLab does: its lines in one shell, which ends at the first that fails."""
    return shell.run("\n".join(JOB[part]), env).returncode


def test_a_job_submits_waits_and_comments_with_cost_and_metrics(
    shell: Shell, ended: FakeQueue, env: dict[str, str]
) -> None:
    said = shell.record("curl")
    assert [take(part, shell, env) for part in ("script", "after_script")] == [0, 0]
    assert list(ended.requests) == ["ci-7"]
    comment = (shell.folder / "sagequeue.md").read_text()
    assert "$12.30" in comment
    assert "| `accuracy` | `0.97` |" in comment
    words = said.read_text().splitlines()
    assert words[-1] == "https://gitlab.example.com/api/v4/projects/3/merge_requests/12/notes"
    assert {"PRIVATE-TOKEN: a-token", "body@sagequeue.md"} < {*words}


def test_a_failed_job_fails_the_run(shell: Shell, queue: FakeQueue, env: dict[str, str]) -> None:
    queue.life = [a_job("failed")]
    assert take("script", shell, env) == 10


@pytest.mark.parametrize("missing", ["CI_MERGE_REQUEST_IID", "SAGEQUEUE_COMMENT_TOKEN"])
def test_without_a_merge_request_or_a_token_nothing_is_sent(
    shell: Shell, ended: FakeQueue, env: dict[str, str], missing: str
) -> None:
    said = shell.record("curl")
    assert [take(part, shell, {**env, missing: ""}) for part in ("script", "after_script")] == [0, 0]
    assert not said.exists()
    assert (shell.folder / "sagequeue.md").exists()


def test_a_cancelled_job_cancels_its_training_job(shell: Shell, queue: FakeQueue, env: dict[str, str]) -> None:
    shell.record("curl")
    shell.run(JOB["script"][0], env)
    assert take("after_script", shell, {**env, "CI_JOB_STATUS": "canceled"}) == 0
    assert queue.cancelled == {"ci-7"}


def test_the_token_of_the_job_is_where_boto3_looks_for_it(shell: Shell, env: dict[str, str]) -> None:
    shell.record("python3")
    assert take("before_script", shell, env) == 0
    assert (shell.folder / "token").read_text() == "an-id-token"
    assert JOB["id_tokens"].keys() == {"SAGEQUEUE_ID_TOKEN"}
