"""A wrong parameter is refused before anything starts."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from local_account import Settings
from local_account.cli import local
from local_account.paths import find_paths
from local_account.stack import stack_parameters


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--budget", "ml.m5.large", "InstanceBudget cannot be 'ml.m5.large': must be entries such as"),
        ("--budget", "", "InstanceBudget cannot be ''"),
        ("--sweep-rate", "rate(3 minutes)", "SweepRate cannot be 'rate(3 minutes)': must be one of rate(1 minute)"),
        (
            "--parameter",
            "PatienceSeconds=604801",
            "PatienceSeconds cannot be '604801': must be seconds from 0 to 604800",
        ),
        ("--parameter", "PatienceSeconds=long", "PatienceSeconds cannot be 'long'"),
        ("--parameter", "Teams=[]", "Teams cannot be '[]': must be a JSON object"),
        (
            "--parameter",
            "Patience=1",
            "Patience is not a parameter of the stack; choose one of ApiAccessLogs, BudgetScope, ",
        ),
        ("--parameter", "Patience", "'Patience' is not NAME=VALUE"),
    ],
)
def test_a_value_that_the_stack_would_refuse_is_refused_at_once(
    option: str, value: str, told: str, tmp_path: Path
) -> None:
    refused = CliRunner().invoke(local, ["--home", str(tmp_path), "up", option, value])
    assert refused.exit_code != 0
    assert told in refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_preemptions_happen_at_once_by_default(tmp_path: Path) -> None:
    chosen = stack_parameters(Settings(), find_paths(tmp_path))
    assert (chosen["PatienceSeconds"], chosen["ProtectedRunSeconds"]) == ("0", "0")
