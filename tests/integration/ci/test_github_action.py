"""The steps of the GitHub action, run in bash against the fake queue. GitHub itself has not run them."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from integration.ci.shell import Shell
from integration.sagequeue.fakes.queue import FakeQueue
from support.checkout import CHECKOUT
from unit.sagequeue.builders.jobs import a_job, an_attempt

ACTION: dict[str, Any] = yaml.safe_load((CHECKOUT / "integrations/github/action.yml").read_text())
WORKFLOW: dict[str, Any] = yaml.safe_load((CHECKOUT / "examples/github-actions.yml").read_text())
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
#: Variables that GitHub sets.
RUNNERS = {"GITHUB_OUTPUT", "GITHUB_REPOSITORY", "GITHUB_STEP_SUMMARY", "RUNNER_TEMP"}


@pytest.fixture
def env(shell: Shell, queue: FakeQueue, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The variables that GitHub sets, and the values of the action's expressions."""
    files = ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_PATH")
    for name in files:
        (shell.folder / name).touch()
    return {
        **{name: str(shell.folder / name) for name in files},
        "RUNNER_TEMP": str(shell.folder),
        "GITHUB_REPOSITORY": "our-team/our-repository",
        "REQUEST": "request.json",
        "JOB_NAME": "ci-7-1",
        "WAIT_MINUTES": ACTION["inputs"]["wait-minutes"]["default"],
        "PULL_REQUEST": "12",
    }


def take(step: str, shell: Shell, env: dict[str, str]) -> int:
    done = shell.run(STEPS[step]["run"], env)
    assert "Traceback" not in done.stderr
    return done.returncode


def test_a_run_submits_waits_and_comments_with_cost_and_metrics(
    shell: Shell, ended: FakeQueue, env: dict[str, str]
) -> None:
    said = shell.record("gh")
    assert [take(step, shell, env) for step in ("Submit", "Wait", "Report")] == [0, 0, 0]
    assert list(ended.requests) == ["ci-7-1"]
    outputs = dict(line.split("=", 1) for line in Path(env["GITHUB_OUTPUT"]).read_text().splitlines())
    assert outputs == {
        "job-name": "ci-7-1",
        "state": "completed",
        "model-artifacts": "s3://models/model.tar.gz",
    }
    words = said.read_text().split()
    assert words[:5] == ["pr", "comment", "12", "--repo", "our-team/our-repository"]
    summary = Path(env["GITHUB_STEP_SUMMARY"]).read_text()
    assert summary == Path(words[-1]).read_text()
    assert "$12.30" in summary
    assert "| `accuracy` | `0.97` |" in summary


def test_the_outputs_of_the_action_are_those_of_its_steps(shell: Shell, ended: FakeQueue, env: dict[str, str]) -> None:
    shell.record("gh")
    written: dict[str, set[str]] = {}
    for name in ("Submit", "Wait", "Report"):
        Path(env["GITHUB_OUTPUT"]).write_text("")
        take(name, shell, env)
        lines = Path(env["GITHUB_OUTPUT"]).read_text().splitlines()
        written[STEPS[name].get("id", name)] = {line.partition("=")[0] for line in lines}
    for output in ACTION["outputs"].values():
        found = re.fullmatch(r"\$\{\{ steps\.(\w+)\.outputs\.([\w-]+) \}\}", output["value"])
        assert found is not None
        assert found[2] in written[found[1]]


def test_a_failed_job_fails_the_run_and_is_reported(shell: Shell, queue: FakeQueue, env: dict[str, str]) -> None:
    queue.life = [a_job("failed", attempts=[an_attempt(1, "failed", failure_reason="AlgorithmError")])]
    said = shell.record("gh")
    assert [take(step, shell, env) for step in ("Submit", "Wait", "Report")] == [0, 10, 0]
    assert "AlgorithmError" in Path(said.read_text().split()[-1]).read_text()


def test_a_run_without_a_pull_request_writes_its_summary_only(
    shell: Shell, ended: FakeQueue, env: dict[str, str]
) -> None:
    said = shell.record("gh")
    assert [take(step, shell, {**env, "PULL_REQUEST": ""}) for step in ("Submit", "Report")] == [0, 0]
    assert not said.exists()
    assert "completed" in Path(env["GITHUB_STEP_SUMMARY"]).read_text()


def test_a_comment_that_fails_does_not_fail_the_run(shell: Shell, ended: FakeQueue, env: dict[str, str]) -> None:
    said = shell.record("gh")
    (shell.folder / "bin/gh").write_text("#!/bin/sh\nexit 1\n")
    take("Submit", shell, env)
    assert take("Report", shell, env) == 0
    assert not said.exists()


def test_a_cancelled_run_cancels_its_job(shell: Shell, queue: FakeQueue, env: dict[str, str]) -> None:
    assert [take(step, shell, env) for step in ("Submit", "Cancel")] == [0, 0]
    assert queue.cancelled == {"ci-7-1"}


def test_the_wait_ends_before_githubs_timeout_and_the_job_goes_on(
    shell: Shell, queue: FakeQueue, env: dict[str, str]
) -> None:
    queue.life = [a_job("running", attempts=[an_attempt(1)])]
    shell.record("gh")
    waiting = {**env, "WAIT_MINUTES": "0"}
    assert [take(step, shell, waiting) for step in ("Submit", "Wait", "Report")] == [0, 124, 0]
    assert queue.cancelled == set()
    assert "state=running" in Path(env["GITHUB_OUTPUT"]).read_text()


def test_the_example_ends_its_wait_before_githubs_timeout() -> None:
    job = WORKFLOW["jobs"]["train"]
    inputs = next(step["with"] for step in job["steps"] if "with" in step)
    assert inputs["wait-minutes"] < job["timeout-minutes"]


def test_the_wait_ends_before_the_credentials_expire() -> None:
    example = next(step["with"] for step in WORKFLOW["jobs"]["train"]["steps"] if "with" in step)
    defaults = {name: value.get("default") for name, value in ACTION["inputs"].items()}
    for inputs in (example, defaults):
        assert int(inputs["wait-minutes"]) * 60 < int(inputs["role-duration-seconds"])


def test_every_step_of_the_job_is_given_its_variables() -> None:
    for name in ("Submit", "Wait", "Cancel", "Report"):
        used = set(re.findall(r"\$(?:\(\()?([A-Z_]+)", STEPS[name]["run"])) - RUNNERS
        assert used <= STEPS[name]["env"].keys()


def test_a_repeated_step_submits_nothing_twice(shell: Shell, queue: FakeQueue, env: dict[str, str]) -> None:
    assert [take("Submit", shell, env) for _ in range(2)] == [0, 0]
    assert len(queue.requests) == 1


def test_a_refused_request_fails_the_run(shell: Shell, queue: FakeQueue, env: dict[str, str]) -> None:
    queue.intake_open = False
    assert take("Submit", shell, env) == 1


def test_the_client_is_installed_from_the_commit_of_the_action_and_only_its_command_is_on_the_path(
    shell: Shell, env: dict[str, str]
) -> None:
    """With a recorded pip, because a real one would load packages."""
    assert (CHECKOUT / "integrations/github/../../client/pyproject.toml").is_file()
    said = shell.record("python3")
    said.with_name("sagequeue").joinpath("bin").mkdir(parents=True)
    venv = shell.folder / "sagequeue/bin/python"
    venv.write_text((shell.folder / "bin/python3").read_text())
    venv.chmod(0o755)
    command = venv.with_name("sagequeue")
    command.write_text(venv.read_text())
    action = str(CHECKOUT / "integrations/github")
    assert take("Install", shell, {**env, "GITHUB_ACTION_PATH": action}) == 0
    assert said.read_text().splitlines()[-1] == f"{action}/../../client"
    added = Path(Path(env["GITHUB_PATH"]).read_text().strip())
    assert [(path.name, path.resolve()) for path in added.iterdir()] == [("sagequeue", command.resolve())]
