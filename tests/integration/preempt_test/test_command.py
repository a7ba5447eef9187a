"""`sagequeue preempt-test`, as a shell runs it: real processes on ministack and the emulated SageMaker."""

from __future__ import annotations

import json
import os
import re
import tempfile
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner, Result

from preempt_test.cli import preempt_test

PACKAGE = Path(__file__).parents[3] / "client/preempt/src"
# A step takes as long as that of a larger network; `SAVED` is what it saves of its state.
LOOP = """
import json, sys, time
from sagequeue_preempt import Preemptible

state = {"sum": 0, "weight": 1}

def save(path):
    (path / "state.json").write_text(json.dumps({name: state[name] for name in SAVED}))

def load(path):
    state.update(json.loads((path / "state.json").read_text()))

with Preemptible() as job:
    for step in range(job.resume(load), int(sys.argv[1])):
        state["weight"] = state["weight"] * 3 % 1009
        state["sum"] += step * state["weight"]
        time.sleep(0.02)
        job.step(step, save)
print(f"final loss={state['sum']}")
"""
METRIC = ("--metric", r"loss=(\d+)", "--tolerance", "0")


@pytest.fixture(autouse=True)
def package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Scripts find the package, and the folders of the test are in its own."""
    paths = [str(PACKAGE), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def checked(folder: Path, script: str, *options: str, arguments: tuple[str, ...] = ("500",)) -> Result:
    (folder / "train.py").write_text(script)
    return CliRunner().invoke(preempt_test, [*options, str(folder / "train.py"), *arguments])


def test_a_script_with_the_package_survives_and_nothing_is_left(tmp_path: Path) -> None:
    script, before = LOOP.replace("SAVED", "state"), {*psutil.Process().children(recursive=True)}
    result = checked(tmp_path, script, "--times", "2", "--json", *METRIC)
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer["survives"]
    for preemption in answer["preemptions"]:
        assert preemption["resumed_after"] == preemption["saved_step"] < 499
        assert preemption["steps_lost"] == preemption["unsaved_seconds"] == 0
    first, second = (preemption["saved_step"] for preemption in answer["preemptions"])
    assert first < second  # the moments are after 12 and 76 % of the training's time, if the machine stays as fast
    assert [path.name for path in tmp_path.iterdir()] == ["train.py"]
    assert {*psutil.Process().children(recursive=True)} <= before


def test_a_script_that_saves_half_of_its_state_ends_with_another_metric(tmp_path: Path) -> None:
    script = LOOP.replace("SAVED", "['sum']")
    result = checked(tmp_path, script, "--times", "1", *METRIC)
    assert result.exit_code == 1, result.output
    assert "✓ resumed at the saved step: 1 of 1 times" in result.stdout
    assert "✗ same final metric: " in result.stdout
    assert result.stdout.endswith("The script does not survive preemption.\n")


def test_a_job_that_is_done_before_its_preemption_is_trained_once_more(tmp_path: Path) -> None:
    slow_once = """
seconds = 0.02 if (FOLDER / "trained").exists() else 0.06
(FOLDER / "trained").touch()
"""
    folder = f"from pathlib import Path\nFOLDER = Path({str(tmp_path)!r})\n"
    script = folder + slow_once + LOOP.replace("SAVED", "state").replace("sleep(0.02)", "sleep(seconds)")
    result = checked(tmp_path, script, "--times", "1", "--seed", "17", "--json", *METRIC, arguments=("300",))
    assert result.exit_code == 0, result.output
    assert "because the machine was faster" in result.stderr
    assert len(json.loads(result.stdout)["preemptions"]) == 1


def test_a_report_that_is_no_json_counts_as_none(tmp_path: Path) -> None:
    script = """
import os, time, boto3
s3 = boto3.client("s3", endpoint_url=os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL"))
bucket, key = os.environ["SAGEQUEUE_ACK_URI"].removeprefix("s3://").split("/", 1)
s3.put_object(Bucket=bucket, Key=key, Body=b"saved")
time.sleep(4)
"""
    result = checked(tmp_path, script, "--times", "1", "--notice", "1", arguments=())
    assert result.exit_code == 1, result.output
    assert "✗ saved in time: 0 of 1 times" in result.stdout


def test_a_script_without_the_package_is_stopped_at_the_end_of_the_notice_and_begins_anew(tmp_path: Path) -> None:
    script = "import time\nfor _ in range(400):\n    time.sleep(0.02)\nprint('loss=1')"
    result = checked(tmp_path, script, "--times", "1", "--notice", "1", *METRIC, arguments=())
    assert result.exit_code == 1, result.output
    assert "✗ saved in time: 0 of 1 times" in result.stdout
    assert "✗ resumed at the saved step: 0 of 1 times" in result.stdout
    assert "from the beginning" in result.stdout


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("raise ValueError('no data')", "the script fails without any preemption: .*ValueError: no data"),
        ("print('accuracy=1')", r"no line of the script's output matches --metric loss="),
    ],
)
def test_a_script_that_cannot_be_tested_is_refused(script: str, message: str, tmp_path: Path) -> None:
    result = checked(tmp_path, script, *METRIC)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert re.search(message, result.stderr, re.DOTALL)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--metric", "loss=("), "it is not a regular expression"),
        (("--metric", "loss"), "it has no group for the number"),
        (("--python", "no-such-python"), "there is no program no-such-python"),
    ],
)
def test_wrong_options_are_refused_before_anything_runs(options: tuple[str, ...], message: str, tmp_path: Path) -> None:
    result = checked(tmp_path, "", *options)
    assert result.exit_code == 2
    assert message in result.stderr
