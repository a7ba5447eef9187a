"""The local account: up, down, and the state that survives."""

import json
import socket
from pathlib import Path

import psutil
import pytest

from integration.local_account.probe import Probe
from local_account import AccountError, LocalAccount, Settings, free_port
from local_account.logs import find_logs
from local_account.servers.processes import find_all
from local_account.stack import missing_resources
from support.deployed.waiting import eventually


def test_a_signed_call_reaches_the_function_and_an_unsigned_one_is_refused(probe: Probe) -> None:
    assert probe.ask("put", "signed") == "ok"
    assert probe.knock_unsigned() == 403


def test_a_function_may_only_do_what_its_role_allows(probe: Probe) -> None:
    assert "not authorized to perform: dynamodb:Scan" in str(probe.ask("scan"))


def test_functions_reach_the_local_sagemaker(probe: Probe) -> None:
    assert probe.ask("describe_training_job", "nobody") == "ValidationException: Requested resource not found."


def test_the_budget_reaches_the_stack(probe: Probe) -> None:
    assert probe.ask("budget") == "ml.m5.large=3"


def test_a_second_up_keeps_the_servers_deploys_changed_code_and_leaves_no_temporary_files(
    account: LocalAccount, probe: Probe, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    servers = account.running()
    code = template.parent / "functions" / "probe.py"
    code.write_text(code.read_text().replace('"one"', '"two"'))

    account.up()

    assert account.running() == servers
    assert probe.ask("version") == "two"
    assert list(tmp_path.iterdir()) == []


def test_down_leaves_no_process_and_up_continues_with_the_kept_state(account: LocalAccount, probe: Probe) -> None:
    orphan = psutil.Process(int(probe.ask("spawn")))
    probe.ask("put", "before")
    awaken(account, "before")

    assert account.down()
    assert not orphan.is_running()
    assert find_all(account.paths.home) == []
    assert not account.down()
    with pytest.raises(AccountError, match="sagequeue local up"):
        account.env()

    account.up()
    probe.ask("put", "after")
    assert "woken by before" in awaken(account, "after")


def test_one_server_restarts_while_the_other_runs(account: LocalAccount, probe: Probe) -> None:
    before = account.running()
    probe.ask("put", "before the restart")
    awaken(account, "before the restart")
    workers = before["ministack"].children(recursive=True)

    account.restart("ministack")

    assert account.running()["sagemaker"] == before["sagemaker"]
    assert account.running()["ministack"] != before["ministack"]
    assert workers
    assert not any(worker.is_running() for worker in workers)
    probe.ask("put", "after the restart")
    assert "woken by after the restart" in awaken(account, "after the restart")


def test_a_server_that_was_killed_is_started_again(account: LocalAccount, probe: Probe) -> None:
    killed = account.running()["sagemaker"]
    account.kill("sagemaker")

    account.restart("sagemaker")

    assert account.running()["sagemaker"] != killed
    assert probe.ask("describe_training_job", "nobody") == "ValidationException: Requested resource not found."


@pytest.mark.parametrize("was_saved", [False, True])
def test_up_deploys_again_what_a_killed_emulator_of_aws_has_lost(account: LocalAccount, *, was_saved: bool) -> None:
    if was_saved:
        account.down()
        account.up()
    account.kill("ministack")

    account.up()

    assert missing_resources(account.settings, account.key) == []
    assert Probe(account).ask("describe_training_job", "nobody") == "ValidationException: Requested resource not found."


def test_up_does_not_succeed_on_a_stack_that_lacks_a_function(tmp_path: Path, template: Path) -> None:
    settings = Settings(port=free_port(), sagemaker_port=free_port())
    with LocalAccount(settings, home=tmp_path, template=template) as account:
        client = account.session().client("lambda", endpoint_url=account.settings.endpoint)
        names = [found["FunctionName"] for found in client.list_functions()["Functions"]]
        client.delete_function(FunctionName=next(name for name in names if "Probe" in name))
        with pytest.raises(AccountError, match=r"lacks Probe.*--fresh"):
            account.up()
    assert not account.paths.scratch.exists()  # what is left after `down` is small


def test_a_failed_deployment_leaves_nothing_running(tmp_path: Path) -> None:
    broken = tmp_path / "template.yaml"
    parameters = {name: {"Type": "String"} for name in ("InstanceBudget", "SweepRate", "ExecutionRolePattern")}
    resources = {"Function": {"Type": "AWS::Serverless::Function"}}
    broken.write_text(json.dumps({"Parameters": parameters, "Resources": resources}))
    account = LocalAccount(
        Settings(port=free_port(), sagemaker_port=free_port()), home=tmp_path / "account", template=broken
    )
    with pytest.raises(AccountError, match=r"(?s)sam build failed; the end of .*sam\.log:\n.*Function"):
        account.up()
    assert find_all(account.paths.home) == []


@pytest.mark.parametrize(("setting", "option"), [("port", "--port"), ("sagemaker_port", "--sagemaker-port")])
def test_the_error_for_a_port_in_use_names_the_port_and_its_option(setting: str, option: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        settings = Settings(**{"port": free_port(), "sagemaker_port": free_port(), setting: taken})
        with pytest.raises(AccountError, match=f"another program uses port {taken}; .* {option}$"):
            LocalAccount(settings, home=tmp_path).up()
    assert find_all(tmp_path) == []


def test_a_running_account_refuses_other_ports(account: LocalAccount, template: Path) -> None:
    elsewhere = Settings(port=free_port(), sagemaker_port=account.settings.sagemaker_port)
    with pytest.raises(AccountError, match="sagequeue local down"):
        LocalAccount(elsewhere, home=account.paths.home, template=template).up()
    assert account.running()


def awaken(account: LocalAccount, item: str) -> list[str]:
    """Returns the log of the function that the table's stream invokes, after it was invoked for this item."""
    client = account.session().client("logs", endpoint_url=account.settings.endpoint)

    def said() -> list[str]:
        return [line for log in find_logs(account.paths.logs, client, "WokenLogs") for line in log.read_new()]

    return eventually(said, lambda lines: f"woken by {item}" in lines, within=20)
