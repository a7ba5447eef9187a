"""The command line as a separate process, with nothing but the environment."""

import json
import sys
from pathlib import Path
from subprocess import CompletedProcess

from support.deployed.commands import run
from support.deployed.container_requests import body
from support.deployed.rest_api import RestApi
from support.deployed.waiting import eventually

SAGEQUEUE = Path(sys.executable).with_name("sagequeue")


def test_submit_puts_a_request_file_into_the_queue(rest_api: RestApi, tmp_path: Path) -> None:
    request = tmp_path / "request.json"
    request.write_text(json.dumps(body("by-hand", priority=4)))
    assert sagequeue("submit", str(request)).returncode == 0
    assert rest_api.job("by-hand")["priority"] == 4


def test_ls_shows_every_job_and_the_use_of_the_budget(rest_api: RestApi) -> None:
    rest_api.submit(body("listed"))
    done = sagequeue("ls")
    assert "listed" in done.stdout
    assert "of 2 ml.m5.large" in done.stdout


def test_show_prints_the_history_of_a_job(rest_api: RestApi) -> None:
    rest_api.submit(body("told"))
    eventually(lambda: rest_api.job("told"), lambda job: job["state"] == "completed")
    assert "told-sq-1" in sagequeue("show", "told").stdout
    assert json.loads(sagequeue("show", "told", "--json").stdout)["attempts"][0]["outcome"] == "completed"


def test_a_deep_forecast_finds_what_is_missing_in_the_account(tmp_path: Path) -> None:
    request = tmp_path / "request.json"
    data = {"S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": "s3://nowhere/train"}}
    inputs = {"InputDataConfig": [{"ChannelName": "train", "DataSource": data}]}
    request.write_text(json.dumps(body("to-check") | inputs))
    done = sagequeue("whatif", str(request), "--deep", "--json")
    found = {each["member"]: each["outcome"] for each in json.loads(done.stdout)["prerequisites"]}
    assert found == {
        "AlgorithmSpecification.TrainingImage": "problem",
        "InputDataConfig[0].DataSource.S3DataSource.S3Uri": "problem",
        "OutputDataConfig.S3OutputPath": "ok",
        "RoleArn": "ok",
        "ResourceConfig": "not checked",  # the local account has no Service Quotas
    }, done.stdout
    assert done.returncode == 1


def test_an_unknown_job_is_an_error_with_a_remedy() -> None:
    done = sagequeue("show", "nobody")
    assert done.returncode == 3
    assert "nobody" in done.stderr


def sagequeue(*arguments: str) -> CompletedProcess[str]:
    return run(SAGEQUEUE, *arguments)
