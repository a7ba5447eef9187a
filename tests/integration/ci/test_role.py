"""The policy in docs/use/ci.md allows exactly the calls that the action's scripts make."""

import json
import re
from fnmatch import fnmatchcase

import pytest

from integration.ci.shell import Shell
from integration.ci.test_github_action import STEPS
from integration.sagequeue.fakes.http import serving
from integration.sagequeue.fakes.queue import FakeQueue
from integration.sagequeue.jobs.test_source_archive import ARCHIVE, FakeS3
from support.checkout import CHECKOUT

PAGE = (CHECKOUT / "docs/use/ci.md").read_text()
ENV = {"REQUEST": "request.json", "JOB_NAME": "ci-7-1", "WAIT_MINUTES": "0", "GITHUB_OUTPUT": "output"}


def allowed() -> set[str]:
    """Returns the calls in the policy, such as GET/jobs/*."""
    (policy,) = (text for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL) if "/cancel" in text)
    (statement,) = json.loads(policy)["Statement"]
    return {resource.partition("/v1/")[2] for resource in statement["Resource"]}


def test_the_policy_allows_exactly_the_calls_of_the_action(
    shell: Shell, queue: FakeQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.run(STEPS["Submit"]["run"], ENV)
    (shell.folder / "request.json").write_text(json.dumps(ARCHIVE))
    with serving(FakeS3()) as url:  # the role can list the request's code
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", url)
        shell.run(STEPS["Submit"]["run"], {**ENV, "JOB_NAME": "ci-7-2"})
    for step in ("Wait", "Cancel"):
        shell.run(STEPS[step]["run"], ENV)
    calls = {f"{call.method}{call.path}" for call in queue.calls}
    assert {call for call in calls if not any(fnmatchcase(call, one) for one in allowed())} == set()
    assert {one for one in allowed() if not any(fnmatchcase(call, one) for call in calls)} == set()
