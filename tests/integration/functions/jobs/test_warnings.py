"""A wish that the queue does not fulfil is accepted with a warning, which stays with the job."""

from collections.abc import Callable
from typing import Any

import pytest

from integration.functions.conftest import configure
from support.account.simulated_queue import request
from support.builders.pool_rules import pool_rules

Call = Callable[..., tuple[int, dict[str, Any]]]


def kept(seconds: int, name: str = "warm") -> dict[str, Any]:
    body = request(name)
    return body | {"ResourceConfig": body["ResourceConfig"] | {"KeepAlivePeriodInSeconds": seconds}}


def tagged(key: str) -> dict[str, Any]:
    return request("tagged") | {"Tags": [{"Key": key, "Value": "7"}]}


def test_a_keep_alive_that_no_rule_allows_is_warned_of(call: Call) -> None:
    (warning,) = call("POST", "/add-job", kept(600))[1]["warnings"]
    assert warning["field"] == "ResourceConfig.KeepAlivePeriodInSeconds"
    assert warning["message"] == "the request asks for a keep-alive period of 600 s, but the pool rules allow 0 s"
    assert "pools" in warning["remedy"]
    assert call("GET", "/jobs/warm")[1]["warnings"] == [warning]


def test_a_keep_alive_is_warned_of_only_above_the_cap(call: Call) -> None:
    configure(call, pools=pool_rules("ml.m5.large", "reuse", keep="30m"))
    assert call("POST", "/add-job", kept(1800))[1]["warnings"] == []
    (warning,) = call("POST", "/add-job", kept(1801, "longer"))[1]["warnings"]
    assert "allow 1800 s" in warning["message"]


@pytest.mark.parametrize("key", ["Priority", "PRIORITY", "Queue:Priority", "QUEUE:hold"])
def test_an_option_in_another_case_is_warned_of(call: Call, key: str) -> None:
    job = call("POST", "/add-job", tagged(key))[1]
    (warning,) = job["warnings"]
    assert (job["priority"], warning["field"]) == (0, "Tags[0].Key")
    assert warning["message"] == f"the tag {key} sets no option: keys must be lower case"
    assert warning["remedy"] == f"Use {key.lower()}."


def test_other_tags_are_not_warned_of(call: Call) -> None:
    assert call("POST", "/add-job", tagged("Project"))[1]["warnings"] == []
    assert call("POST", "/add-job", tagged("queue:priority") | {"TrainingJobName": "low"})[1]["warnings"] == []
    assert call("POST", "/add-job", request("none"))[1]["warnings"] == []


def test_the_instance_of_an_evaluator_is_warned_of_since_the_budget_leaves_it_out(call: Call) -> None:
    rules = [
        {"RuleConfigurationName": "built-in", "RuleEvaluatorImage": "any"},
        {"RuleConfigurationName": "custom", "RuleEvaluatorImage": "any", "InstanceType": "ml.m5.xlarge"},
    ]
    (warning,) = call("POST", "/add-job", request("watched") | {"DebugRuleConfigurations": rules})[1]["warnings"]
    assert warning["field"] == "DebugRuleConfigurations[1].InstanceType"
    assert warning["message"] == "the budget does not count the evaluator's ml.m5.xlarge"
    assert "built-in rule" in warning["remedy"]
