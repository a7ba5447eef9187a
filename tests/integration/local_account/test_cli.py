"""`sagequeue local …`: the commands, as a shell runs them."""

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from integration.local_account.probe import Probe
from local_account import LocalAccount
from local_account.cli import local
from support.deployed.container_requests import body


def run(home: Path, *arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(local, ["--home", str(home), *arguments], input=stdin)


def test_a_shell_evaluates_the_environment(account: LocalAccount) -> None:
    script = run(account.paths.home, "env").output
    shell = subprocess.run(  # noqa: S603 - our own output, as `eval` would run it
        ["/bin/sh", "-c", f"{script}\nprintenv"],
        env={"PATH": "/usr/bin:/bin", "AWS_PROFILE": "work", "AWS_SESSION_TOKEN": "token"},
        capture_output=True,
        text=True,
        check=True,
    )
    seen = dict(line.split("=", 1) for line in shell.stdout.splitlines())
    assert seen.items() >= account.env().items()
    assert not seen.keys() & {"AWS_PROFILE", "AWS_SESSION_TOKEN"}


def test_status_prints_the_components_as_json(account: LocalAccount) -> None:
    components = json.loads(run(account.paths.home, "status", "--json").output)
    assert [(c["name"], c["state"]) for c in components[:2]] == [("ministack", "running"), ("sagemaker", "running")]
    assert [c["pid"] for c in components[:2]] == [process.pid for process in account.running().values()]
    assert components[2]["name"] == "stack"
    assert components[2]["url"] == account.env()["SAGEQUEUE_API_URL"]


def test_status_prints_the_components_as_a_table(account: LocalAccount) -> None:
    table = run(account.paths.home, "status").output
    assert all(word in table for word in ("ministack", "sagemaker", "stack", "running", account.settings.endpoint))


def test_logs_are_selected_by_part_of_their_name(account: LocalAccount, probe: Probe) -> None:
    probe.ask("version")
    everything = run(account.paths.home, "logs").output
    assert {line.split(" ")[0] for line in everything.splitlines()} >= {"ministack", "sam"}
    assert run(account.paths.home, "logs", "sam", "-n", "1").output.count("\n") == 1

    unknown = run(account.paths.home, "logs", "nonsense")
    assert unknown.exit_code == 1
    assert "no log has 'nonsense' in its name" in unknown.stderr


def test_a_failed_up_prints_one_message_and_records_nothing(account: LocalAccount) -> None:
    refused = run(account.paths.home, "up", "--port", "1")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("Error: the local account runs with different ports")
    assert LocalAccount(home=account.paths.home).settings == account.settings


@pytest.mark.parametrize(("command", "text"), [("down", "Nothing was running."), ("logs", "no logs yet")])
def test_the_message_for_an_account_that_was_never_up(command: str, text: str, tmp_path: Path) -> None:
    assert text in run(tmp_path, command).output


def test_env_of_a_stopped_account_prints_no_variables(tmp_path: Path) -> None:
    result = run(tmp_path, "env")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "sagequeue local up" in result.stderr


def test_fresh_removes_the_recorded_settings(tmp_path: Path, account: LocalAccount) -> None:
    record = tmp_path / "account.json"
    record.write_text(json.dumps({"settings": {"budget": "ml.p5.48xlarge=9"}, "pids": {}}))
    taken = str(account.settings.port)

    run(tmp_path, "up", "--fresh", "--port", taken)

    assert LocalAccount(home=tmp_path).settings.budget == "ml.m5.large=2"


def test_down_names_the_training_jobs_that_would_fail_and_asks(
    account: LocalAccount, monkeypatch: pytest.MonkeyPatch
) -> None:
    sagemaker = account.session().client("sagemaker", endpoint_url=account.settings.sagemaker_endpoint)
    sagemaker.create_training_job(**body("endless", "sleep 300"))
    monkeypatch.setattr("local_account.cli.is_terminal", lambda: True)
    result = run(account.paths.home, "down", stdin="n\n")
    assert "endless" in result.stderr
    assert result.exit_code == 1
    assert account.running()
    sagemaker.stop_training_job(TrainingJobName="endless")
