"""The patch for ministack fits the template, or the deployment fails."""

from typing import Any

import pytest
import yaml

from local_account import AccountError
from local_account.emulator_patch import PATCH, patched


@pytest.fixture
def template() -> dict[str, Any]:
    """With each resource that the patch names."""
    return {"Resources": {name: {"Type": "Any"} for name in ("Queue", *yaml.safe_load(PATCH.read_text())["Remove"])}}


def test_the_patch_leaves_all_other_resources_as_they_are(template: dict[str, Any]) -> None:
    patch = yaml.safe_load(PATCH.read_text())
    assert patched(template)["Resources"] == {"Queue": {"Type": "Any"}, **patch["Add"]}


def test_a_resource_that_is_not_there_any_more_cannot_be_removed(template: dict[str, Any]) -> None:
    del template["Resources"]["BodiesPolicy"]
    with pytest.raises(AccountError, match="does not fit the template: BodiesPolicy"):
        patched(template)


def test_a_resource_of_the_template_is_never_replaced(template: dict[str, Any]) -> None:
    template["Resources"]["EmulatorPermissions"] = {"Type": "Any"}
    with pytest.raises(AccountError, match="does not fit the template: EmulatorPermissions"):
        patched(template)
