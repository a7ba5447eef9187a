"""The examples do what the README says of them, run as the README says."""

import json
import sys
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from e2e.commands import CHECKOUT, run
from e2e.door import Door
from e2e.patience import eventually

EXAMPLES = CHECKOUT / "examples"


def test_the_ten_line_script_trains_through_the_queue(door: Door) -> None:
    done = run(sys.executable, EXAMPLES / "ten_lines.py")
    assert done.returncode == 0, done.stderr
    assert "epoch 10/10: accuracy" in done.stdout
    job = newest(door)
    assert (job["state"], job["priority"], job["owner"]) == ("completed", 5, "arn:aws:iam::000000000000:root")
    assert (
        f"the model is in s3://sagemaker-us-east-1-000000000000/{job['name']}-sq-1/output/model.tar.gz" in done.stdout
    )


def test_the_readme_shows_the_ten_lines_as_they_are() -> None:
    _, _, code = (EXAMPLES / "ten_lines.py").read_text().partition("\n\n")
    assert code.replace("  # fmt: skip", "") in (CHECKOUT / "README.md").read_text()


def test_curl_submits_a_job(door: Door) -> None:
    done = curl(EXAMPLES / "request.json")
    assert json.loads(done.stdout)["name"] == "from-curl"
    eventually(lambda: door.job("from-curl"), lambda job: job["state"] == "completed")


def test_curl_shows_why_a_request_is_refused(door: Door, tmp_path: Path) -> None:
    request = json.loads((EXAMPLES / "request.json").read_text())
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps({**request, "TrainingJobName": "not a name"}))
    done = curl(bad)
    assert done.returncode != 0
    assert json.loads(done.stdout)["field"] == "TrainingJobName"


def newest(door: Door) -> dict[str, Any]:
    return door.jobs()[0]


def curl(request: Path) -> CompletedProcess[str]:
    return run(EXAMPLES / "curl.sh", request)
