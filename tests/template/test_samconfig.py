"""The parameters in samconfig.toml exist in the template."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from support.checkout import CHECKOUT
from support.stack.expanded_template import TEMPLATE, Stack, as_list

ENVIRONMENTS = ("default", "private", "local")


@pytest.fixture(scope="module")
def settings() -> dict[str, Any]:
    return tomllib.loads((Path(TEMPLATE).parent / "samconfig.toml").read_text())


def test_these_are_all_environments(settings: dict[str, Any]) -> None:
    assert set(settings) - {"version"} == set(ENVIRONMENTS)


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_the_parameters_of_an_environment_are_accepted_by_the_stack(
    settings: dict[str, Any], stack: Stack, environment: str
) -> None:
    for override in as_list(settings[environment]["deploy"]["parameters"].get("parameter_overrides", [])):
        name, _, value = override.partition("=")
        parameter = stack.source["Parameters"][name]
        assert value in parameter.get("AllowedValues", [value])
        assert re.fullmatch(parameter.get("AllowedPattern", ".*"), value), name


def test_the_private_environment_has_everything_that_keeps_others_out(settings: dict[str, Any]) -> None:
    overrides = settings["private"]["deploy"]["parameters"]["parameter_overrides"]
    assert {override.partition("=")[0] for override in overrides} == {
        "ApiAccessLogs",
        "CustomerKey",
        "ExecutionRolePattern",
        "InstanceBudget",
        "Operators",
        "PrivateCallers",
        "VpcEndpoints",
    }


def test_an_operator_of_the_private_environment_can_call_its_api(settings: dict[str, Any]) -> None:
    overrides = settings["private"]["deploy"]["parameters"]["parameter_overrides"]
    given = {name: value.split(",") for name, _, value in (override.partition("=") for override in overrides)}
    assert {*given["Operators"]} <= {arn.rpartition(":")[2] for arn in given["PrivateCallers"]}


def test_an_upgrade_resets_no_parameter(settings: dict[str, Any]) -> None:
    """For each parameter that it does not name, `sam deploy` keeps the value of the stack."""
    assert "parameter_overrides" not in settings["default"]["deploy"]["parameters"]
    assert "InstanceBudget" not in str([settings["default"], settings["local"]])


def test_the_answers_of_a_team_are_not_committed() -> None:
    ignored = (CHECKOUT / ".gitignore").read_text().splitlines()
    assert "samconfig.local.toml" in ignored
    for page in ("docs/start/deploy.md", "docs/admin/deploy.md"):
        text = (CHECKOUT / page).read_text()
        assert "cp samconfig.toml samconfig.local.toml" in text
        assert "sam deploy --guided --config-file samconfig.local.toml" in text


@pytest.mark.parametrize("environment", ["default", "private"])
def test_another_python_builds_the_layer_anew(settings: dict[str, Any], environment: str) -> None:
    assert settings[environment]["build"]["parameters"]["cached"] is False


def test_no_page_builds_another_stack_where_the_queues_build_is() -> None:
    """`sam deploy` would then deploy that build as the queue."""
    pages = (CHECKOUT / "docs").rglob("*.md")
    assert not [page for page in pages if re.search(r"\$ .*sam build.* (?:-t|--template)", page.read_text())]


def test_the_pinned_sam_cli_knows_the_runtime(stack: Stack) -> None:
    assert stack.source["Globals"]["Function"]["Runtime"] == "python3.14"
    (pinned,) = re.findall(r"^aws-sam-cli==1\.(\d+)\.", (CHECKOUT / "requirements/sam.txt").read_text(), re.MULTILINE)
    (needed,) = re.findall(r"SAM CLI\]\([^)]*\) 1\.(\d+) or newer", (CHECKOUT / "docs/admin/deploy.md").read_text())
    assert int(pinned) >= int(needed) == 148


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_a_deployment_may_create_roles_with_names_that_cloudformation_chooses(
    settings: dict[str, Any], environment: str
) -> None:
    assert settings[environment]["deploy"]["parameters"]["capabilities"] == "CAPABILITY_IAM CAPABILITY_AUTO_EXPAND"


@pytest.mark.parametrize(
    "text",
    [
        "arn:aws:iam::111122223333:role/*",
        "*",
        "arn:aws:iam::111122223333:role/a, arn:aws:iam::111122223333:role/b",
        "arn:aws:iam::111122223333:root",
        "arn:aws:sts::111122223333:assumed-role/Scientist/ada",  # aws:PrincipalArn is the role's own ARN
        "arn:aws:iam::111122223333:role/a,arn:aws:sts::111122223333:assumed-role/b/ada",
    ],
)
def test_a_caller_that_no_call_would_match_is_refused(stack: Stack, text: str) -> None:
    assert not re.fullmatch(stack.source["Parameters"]["PrivateCallers"]["AllowedPattern"], text)


@pytest.mark.parametrize(
    "text",
    [
        "arn:aws-us-gov:iam::111122223333:user/ada@example.org",
        "arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/eu-west-1/AWSReservedSSO_Vision_0123456789abcdef",
    ],
)
def test_roles_and_users_may_have_paths(stack: Stack, text: str) -> None:
    assert re.fullmatch(stack.source["Parameters"]["PrivateCallers"]["AllowedPattern"], text)
