"""The linter has nothing against the templates as SAM expands them, in regions of every partition."""

import json
from pathlib import Path

import pytest
from cfnlint.api import ManualArgs, lint

from policies.statements import expanded
from support.stack.expanded_template import STACKS, TEMPLATE

REGIONS = ["us-east-1", "eu-west-1", "cn-north-1", "us-gov-west-1"]
#: China has no user pools, GovCloud has no CloudFront.
PAGE, REGIONS_OF_PAGE = STACKS / "page.yaml", ["us-east-1", "eu-west-1"]


@pytest.mark.parametrize("template", [TEMPLATE, *sorted(STACKS.glob("*.yaml"))], ids=lambda template: template.name)
def test_cloudformation_accepts_the_expanded_template(template: Path) -> None:
    made = json.dumps(expanded(template))
    regions = REGIONS_OF_PAGE if template == PAGE else REGIONS
    assert [str(match) for match in lint(made, config=ManualArgs(regions=regions))] == []


def test_a_property_that_does_not_exist_is_found() -> None:
    made = expanded(TEMPLATE)
    made["Resources"]["WakeUps"]["Properties"]["BatchSizes"] = 100
    (match,) = lint(json.dumps(made), config=ManualArgs(regions=REGIONS))
    assert "BatchSizes" in str(match)


def test_an_action_that_does_not_exist_is_found() -> None:
    made = json.dumps(expanded(TEMPLATE)).replace('"cloudwatch:PutMetricAlarm"', '"cloudwatch:PutMetrcAlarm"')
    (match,) = lint(made, config=ManualArgs(regions=["us-east-1"]))
    assert match.rule.id == "W3037"
