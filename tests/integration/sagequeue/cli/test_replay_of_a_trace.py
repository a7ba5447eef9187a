"""`sagequeue replay --trace`, which replays the jobs of a file without a queue, and `--report`."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from queue_replay.cli import replay

GPU = "ml.g5.xlarge"
BUDGET = ("--budget", f"{GPU}=2")
TWO_JOBS = "submit_s,duration_s,instances,priority,user\n0,36000,2,0,ada\n3600,3600,2,9,bob\n"


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    return a_trace(tmp_path, TWO_JOBS)


def a_trace(folder: Path, text: str) -> Path:
    file = folder / "jobs.csv"
    file.write_text(text)
    return file


def _replay(file: Path, *words: str) -> Result:
    return CliRunner().invoke(replay, ["--trace", str(file), *words])


def _figures(file: Path, *words: str) -> Any:
    return json.loads(_replay(file, *BUDGET, "--json", *words).stdout)


def test_a_trace_is_replayed_without_a_queue(trace: Path) -> None:
    found = _figures(trace, "--set", "policy.preemptions_per_job=0")
    assert found["recorded"] is None
    assert (found["replayed"]["jobs"], found["replayed"]["mean_wait"]) == (2, (300 + 36_000 - 3600) / 2)


def test_a_gzipped_trace_is_read(tmp_path: Path) -> None:
    file = tmp_path / "jobs.csv.gz"
    file.write_bytes(gzip.compress(TWO_JOBS.encode()))
    assert _figures(file)["replayed"]["jobs"] == 2


@pytest.mark.parametrize(("name", "pack"), [("jobs.csv", bytes), ("jobs.csv.gz", gzip.compress)])
def test_a_trace_from_a_spreadsheet_is_read(tmp_path: Path, name: str, pack: Callable[[bytes], bytes]) -> None:
    """Spreadsheets put a byte order mark before the first column's name."""
    file = tmp_path / name
    file.write_bytes(pack(TWO_JOBS.encode("utf-8-sig")))
    result = _replay(file, *BUDGET, "--json")
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_job_with_a_negative_priority_starts_after_others(tmp_path: Path) -> None:
    """Both jobs need the whole budget, and the first starts at once without the priority."""
    file = a_trace(tmp_path, "submit_s,duration_s,instances,priority\n0,36000,2,-5\n0,3600,2,\n")
    assert _figures(file)["replayed"]["mean_wait"] == (300 + 3600) / 2


def test_a_preempted_job_repeats_what_it_did_not_save(trace: Path) -> None:
    eager = ("--set", "policy.patience=0s", "--set", "policy.protected_run_time=0s")
    unsaved, saved = _figures(trace, *eager), _figures(trace, *eager, "--checkpoint-interval", "30m")
    assert unsaved["replayed"]["lost_instance_seconds"] == 2 * (3600 - 300)
    assert saved["replayed"]["lost_instance_seconds"] == 2 * (3600 - 300 - 1800)


def test_a_young_job_is_preempted_in_the_sweep_after_a_save_or_after_its_protected_run_time(tmp_path: Path) -> None:
    file = a_trace(tmp_path, TWO_JOBS.replace("3600,3600,2,9", "600,3600,2,9"))
    # It trains from 300 s on. The sweep a minute after its second save finds that little is lost.
    saving = _figures(file, "--checkpoint-interval", "40m")["replayed"]
    assert (saving["lost_instance_seconds"], saving["preemptions"]) == (2 * 60, 1)
    assert _figures(file)["replayed"]["lost_instance_seconds"] == 2 * (3 * 3600 + 60)


def test_columns_say_more_about_each_job(tmp_path: Path) -> None:
    heads = "name,submit_s,duration_s,instances,instance_type,max_runtime_s,checkpoint_s"
    rows = f"one,0,60,1,{GPU},120,30\ntwo,0,60,1,ml.m5.large,,"
    file = a_trace(tmp_path, f"{heads}\n{rows}\n")
    found = json.loads(_replay(file, *BUDGET, "--budget", "ml.m5.large=0", "--json").stdout)
    assert found["never_started"] == ["two"]


def test_values_are_compared_in_rows(trace: Path) -> None:
    shown = _replay(trace, *BUDGET, "--set", "policy.preemptions_per_job=0,2").stdout
    assert all(title in shown for title in ("preemptions_per_job=0", "preemptions_per_job=2"))


def test_a_report_has_pictures_of_each_replay(trace: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "report"
    words = ("--set", "policy.ordering=fifo,shortest", "--set", "policy.patience=5m,1h", "--report", str(folder))
    assert _replay(trace, *BUDGET, *words).exit_code == 0
    page = (folder / "index.html").read_text()
    pictures = {file.name for file in folder.glob("*.svg")}
    assert pictures == {
        "settings.svg",
        *(f"{kind}-{number}.svg" for kind in ("delays", "waits") for number in range(4)),
    }
    assert all(f'src="{name}"' in page for name in pictures)
    drawn = (folder / "settings.svg").read_text()
    assert all(f"<!-- {text} -->" in drawn for text in ("ordering=fifo", "patience=1h", "mean delay, hours"))


def test_names_of_users_do_not_reach_the_page_as_markup(tmp_path: Path) -> None:
    file = a_trace(tmp_path, "submit_s,duration_s,instances,user\n0,60,2,<script>\n0,60,2,-->\n")
    assert _replay(file, *BUDGET, "--report", str(tmp_path / "report")).exit_code == 0
    assert not [part for part in (tmp_path / "report").iterdir() if "<script" in part.read_text()]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("submit_s,duration_s\n0,60\n", "Line 1: the column instances is missing"),
        ("", "Line 1: the column submit_s is missing"),
        ("submit_s,duration_s,instances\n0,60,0\n", 'Line 2: instances "0" must be at least 1'),
        ("submit_s,duration_s,instances\n0,60,1.5\n", 'Line 2: instances "1.5" must be a whole number'),
        ("submit_s,duration_s,instances\n0,60,1\n0,soon,1\n", 'Line 3: duration_s "soon" is not a number'),
        ("submit_s,duration_s,instances\n0,nan,1\n", 'Line 2: duration_s "nan" must be from 0 to'),
        ("submit_s,duration_s,instances\n-1,60,1\n", 'Line 2: submit_s "-1" must be from 0 to'),
        ("submit_s,duration_s,instances,priority\n0,60,1,-1e7\n", 'priority "-1e7" must be from -1000000 to 1000000'),
        ("submit_s,duration_s,instances\n0\n", 'Line 2: duration_s "" is not a number'),
        ("submit_s,duration_s,instances,name\n0,1,1,a\n0,1,1,a\n", 'The name "a" occurs twice'),
        ("submit_s,duration_s,instances\n", "has no jobs"),
    ],
)
def test_a_trace_that_makes_no_sense_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    refused = _replay(a_trace(tmp_path, text), *BUDGET)
    words = " ".join(refused.output.replace("│", "").split())
    assert (refused.exit_code != 0, problem in words) == (True, True), words


def test_a_binary_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "jobs.csv").write_bytes(b"\xff\xfe\x00")
    assert "It is not readable as CSV" in " ".join(_replay(tmp_path / "jobs.csv", *BUDGET).output.split())


def test_a_trace_needs_a_budget_and_a_type_for_each_job(trace: Path) -> None:
    assert "--trace needs --budget TYPE=N" in _replay(trace).output
    assert "the budget has several types" in " ".join(
        _replay(trace, *BUDGET, "--budget", "ml.m5.large=1").output.split()
    )


def test_options_of_a_trace_are_refused_without_one(trace: Path) -> None:
    alone = CliRunner().invoke(replay, ["--checkpoint-interval", "30m"])
    assert "--checkpoint-interval needs --trace" in alone.output
    assert "--picture draws one replay of the history" in _replay(trace, *BUDGET, "--picture", "replay.svg").output
