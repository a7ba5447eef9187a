"""A wrong parameter is refused before anything starts."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from local_account.cli import chosen_parameters, kept_text, local


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--budget", "ml.m5.large", "InstanceBudget cannot be 'ml.m5.large': must be entries such as"),
        ("--budget", "", "InstanceBudget cannot be ''"),
        ("--sweep-rate", "rate(3 minutes)", "SweepRate cannot be 'rate(3 minutes)': must be one of rate(1 minute)"),
        ("--parameter", "LogRetentionDays=31", "LogRetentionDays cannot be '31': must be one of 1, 3, 5"),
        ("--parameter", "NameMark=S", "NameMark cannot be 'S': must be 2 to 8 lower-case letters and digits"),
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


def test_a_parameter_keeps_its_value_of_the_last_time_until_its_name_alone_removes_it() -> None:
    last = {"Metrics": "all", "NameMark": "qq"}
    assert chosen_parameters(last, ()) == last
    assert chosen_parameters(last, ("Metrics=off",)) == {"Metrics": "off", "NameMark": "qq"}
    assert chosen_parameters(last, ("Metrics",)) == {"NameMark": "qq"}
    assert chosen_parameters(last, ("Metrics=",)) == {"Metrics": "", "NameMark": "qq"}


def test_kept_values_are_shown_with_the_way_to_remove_them() -> None:
    told = kept_text({"Metrics": "all", "NameMark": "qq"}, ("NameMark=qq",))
    assert told == "Kept from the last start: Metrics=all. To remove one: --parameter Metrics"
    assert kept_text({"NameMark": "qq"}, ("NameMark=qq",)) is None
