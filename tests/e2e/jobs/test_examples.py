"""The examples do what the pages say, when run as they say."""

import ast
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import boto3
import pytest
import yaml
from examples.agent.__main__ import run as let_an_agent_ask

from sagequeue import QueueClient, QueuedJob
from support.checkout import CHECKOUT
from support.deployed.commands import run
from support.deployed.container_requests import body
from support.deployed.rest_api import RestApi
from support.deployed.waiting import eventually

EXAMPLES = CHECKOUT / "examples"
HELD_OUT = 360  # digits on which the example evaluates a model
SAGEQUEUE = Path(sys.executable).with_name("sagequeue")


def test_the_ten_line_script_trains_through_the_queue(rest_api: RestApi) -> None:
    done = run(sys.executable, EXAMPLES / "ten_lines.py")
    assert done.returncode == 0, done.stderr
    assert "epoch 10/10: accuracy" in done.stdout
    job = newest(rest_api)
    assert (job["state"], job["priority"], job["owner"]) == ("completed", 5, "arn:aws:iam::000000000000:root")
    assert (
        f"the model is in s3://sagemaker-us-east-1-000000000000/{job['name']}-sq-1/output/model.tar.gz" in done.stdout
    )


def test_a_chain_runs_link_by_link(rest_api: RestApi, tmp_path: Path) -> None:
    done = run(sys.executable, EXAMPLES / "chain.py", written(tmp_path, body("chain", "sleep 5")))
    assert done.returncode == 0, done.stderr
    assert "chain-train: pending (it starts only after chain-prep has completed)" in done.stdout
    steps = [f"/jobs/chain-{step}" for step in ("prep", "train", "report")]
    eventually(lambda: {rest_api.get(path).json()["state"] for path in steps}, lambda states: states == {"completed"})


def test_an_array_runs_with_each_set_of_parameters(rest_api: RestApi) -> None:
    options = ("--array", '{"lr": [0.1, 0.01], "seed": [1, 2]}', "--at-most", "2")
    done = run(SAGEQUEUE, "submit", EXAMPLES / "array.json", "--job-name", "sweep", *options)
    assert done.returncode == 0, done.stderr
    jobs = [QueuedJob(QueueClient(), f"sweep-{number}", boto3.Session()) for number in range(4)]
    assert [job.result()["TrainingJobStatus"] for job in jobs] == ["Completed"] * 4
    lines = [line.text for job in jobs for line in job.logs() if not line.is_marker]
    assert [line for line in lines if line.startswith("trained")] == [
        f"trained with {rate} {seed}" for rate in (0.1, 0.01) for seed in (1, 2)
    ]


def test_a_workflow_runs_step_by_step_and_is_submitted_once(rest_api: RestApi) -> None:
    command = (SAGEQUEUE, "submit", EXAMPLES / "workflow.yaml")
    done = run(*command)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].startswith("nightly-prep: ")
    names = ("nightly-prep", "nightly-report", *(f"nightly-train-{number}" for number in range(4)))
    paths = [f"/jobs/{name}" for name in names]
    eventually(lambda: {rest_api.get(path).json().get("state") for path in paths}, lambda found: found == {"completed"})
    started = {name: rest_api.job(name)["attempts"][0]["reserved_at"] for name in names}
    assert sorted(started, key=lambda name: started[name])[:: len(started) - 1] == ["nightly-prep", "nightly-report"]
    repeated = run(*command)
    assert repeated.returncode == 0, repeated.stderr
    assert repeated.stdout.splitlines()[0].partition(": ")[2] == "completed, submitted before"
    assert {len(rest_api.job(name)["attempts"]) for name in names} == {1}


def test_the_page_shows_the_ten_lines_as_they_are() -> None:
    _, _, code = (EXAMPLES / "ten_lines.py").read_text().partition("\n\n")
    assert code.replace("  # fmt: skip", "") in (CHECKOUT / "docs/use/sdk.md").read_text()


def test_a_state_machine_picks_the_best_of_three_models(rest_api: RestApi) -> None:
    train = "from examples.state_machine.__main__ import train; print('best:', train()['job'])"
    done = run(sys.executable, "-c", train)
    assert done.returncode == 0, done.stderr
    assert "best: digits-long" in done.stdout  # it trains the most epochs
    states = {job["name"]: job["state"] for job in rest_api.jobs() if job["name"].startswith("digits-")}
    assert states == dict.fromkeys(("digits-short", "digits-medium", "digits-long"), "completed")


def test_a_pipeline_evaluates_the_model_that_it_has_trained_through_the_queue(rest_api: RestApi) -> None:
    done = run(sys.executable, "-c", "from examples.pipeline.__main__ import run; print('outputs:', run(epochs='4'))")
    assert done.returncode == 0, done.stderr
    outputs = ast.literal_eval(done.stdout.partition("outputs: ")[2])
    assert outputs.keys() == {"Train", "Evaluate"}
    jobs = [rest_api.job(outputs[step]["job"]) for step in ("Train", "Evaluate")]
    assert [job["state"] for job in jobs] == ["completed", "completed"]
    assert rest_api.get(f"/jobs/{jobs[0]['name']}").json()["request"]["HyperParameters"]["epochs"] == "4"
    misread = float(outputs["Evaluate"]["misread"]) / HELD_OUT
    assert abs(1 - misread - float(outputs["Train"]["accuracy"])) < 0.001  # the same model


def test_an_agent_reads_why_a_job_waits(rest_api: RestApi) -> None:
    done = let_an_agent_ask()
    assert done.returncode == 0, done.stderr
    jobs, why = done.stdout.splitlines()
    assert "prepare is held" in jobs
    assert why == "why: train is pending, it starts only after prepare has completed"


CURL = ("examples/curl.sh",)
PYTHON = (sys.executable, "examples/submit_and_wait.py")


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLL_SECONDS", "0.5")


@pytest.mark.parametrize("script", [CURL, PYTHON], ids=["curl", "python"])
@pytest.mark.parametrize(("command", "code", "state"), [("true", 0, "completed"), ("exit 3", 10, "failed")])
def test_scripts_for_ci_return_an_exit_code_for_the_end_of_the_job(
    rest_api: RestApi, tmp_path: Path, script: tuple[str, ...], command: str, code: int, state: str
) -> None:
    name = f"ci-{state}-{len(script)}"
    done = run(*script, written(tmp_path, body(name, command)))
    assert (done.returncode, f"{name} is {state}" in done.stdout) == (code, True)


@pytest.mark.parametrize("script", [CURL, PYTHON], ids=["curl", "python"])
def test_scripts_for_ci_end_when_a_user_stops_the_job(
    rest_api: RestApi, tmp_path: Path, script: tuple[str, ...]
) -> None:
    name = f"ci-stopped-{len(script)}"
    file = written(tmp_path, body(name, "sleep 300", instances=2))
    with ThreadPoolExecutor() as shell:
        running = shell.submit(run, *script, file)
        eventually(lambda: rest_api.get(f"/jobs/{name}").status_code, lambda status: status == 200)
        rest_api.cancel(name)
    assert running.result().returncode == 11


@pytest.mark.parametrize("script", [CURL, PYTHON], ids=["curl", "python"])
def test_scripts_for_ci_show_why_a_request_is_refused(tmp_path: Path, script: tuple[str, ...]) -> None:
    done = run(*script, written(tmp_path, body("not a name")))
    assert done.returncode == 1
    assert json.loads(done.stderr.splitlines()[-1])["field"] == "TrainingJobName"


@pytest.mark.parametrize("script", [CURL, PYTHON], ids=["curl", "python"])
def test_scripts_for_ci_say_that_there_is_no_such_file(script: tuple[str, ...]) -> None:
    done = run(*script, "no-such-file.json")
    assert done.returncode == 2
    assert "no-such-file.json cannot be read" in done.stderr


def test_the_github_action_trains_and_a_run_of_it_that_is_cancelled_takes_its_job_along(
    rest_api: RestApi, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    action = yaml.safe_load((CHECKOUT / "integrations/github/action.yml").read_text())
    commands = {step["name"]: step["run"] for step in action["runs"]["steps"] if "run" in step}
    for file in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"):
        monkeypatch.setenv(file, str(tmp_path / file))
    for name, value in {"RUNNER_TEMP": str(tmp_path), "JOB_NAME": "ci-1-1", "PULL_REQUEST": ""}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("REQUEST", str(written(tmp_path, body("any", "true"))))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    done = run("bash", "-e", "-c", "\n".join(commands[step] for step in ("Submit", "Wait", "Report")))
    assert (done.returncode, rest_api.job("ci-1-1")["state"]) == (0, "completed"), done.stderr
    assert "`ci-1-1` is completed" in (tmp_path / "GITHUB_STEP_SUMMARY").read_text()
    rest_api.submit(body("ci-1-2", "sleep 300"))
    monkeypatch.setenv("JOB_NAME", "ci-1-2")
    assert run("bash", "-e", "-c", commands["Cancel"]).returncode == 0
    eventually(lambda: rest_api.job("ci-1-2"), lambda job: job["state"] == "stopped")


def newest(rest_api: RestApi) -> dict[str, Any]:
    return max(rest_api.jobs(), key=lambda job: str(job["submitted_at"]))


def written(folder: Path, request: dict[str, Any]) -> Path:
    file = folder / "request.json"
    file.write_text(json.dumps(request))
    return file
