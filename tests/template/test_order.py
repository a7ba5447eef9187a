"""The order in which a first deployment creates resources, as the references between them determine it."""

import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from typing import Any

import pytest

from support.stack.expanded_template import Stack, as_list

RETAINED = {"Queue", "Bodies"}
#: Resources that neither need the table nor come before it: they cost nothing, and nothing can be wrong with them.
BESIDE_THE_TABLE = {"ConfigurationFunctionEventInvokeConfig", "IdleAlarmsPolicy", "NoticesByEmail"}
#: These exist only with webhooks. A resource that always exists must not depend on them.
OF_WEBHOOKS = {"WebhookNotices", "WebhookQueue", "WebhookQueuePolicy", "WebhookSecret", "WebhooksFunctionRole"}
FUNCTIONS = (
    "ApiFunction",
    "CallbacksFunction",
    "HistoryFunction",
    "IdleAlarmFunction",
    "ScheduleFunction",
    "TrainingEventsFunction",
)


@pytest.fixture(scope="module")
def needs(stack: Stack) -> dict[str, set[str]]:
    """Returns the resources that are created before each one."""
    resources = stack.expanded["Resources"]
    direct = {name: {*_references(resource)} & resources.keys() - {name} for name, resource in resources.items()}
    needs: dict[str, set[str]] = {}
    for name in TopologicalSorter(direct).static_order():
        needs[name] = direct[name].union(*(needs[one] for one in direct[name]))
    return needs


@pytest.mark.parametrize("name", sorted(RETAINED))
def test_settings_are_checked_before_anything_is_created_that_outlives_a_refusal(
    needs: dict[str, set[str]], name: str
) -> None:
    assert "Settings" in needs[name]
    assert "Mark" in needs["Settings"]


def test_an_event_bus_that_does_not_exist_is_found_before_the_table_is_created(
    stack: Stack, needs: dict[str, set[str]]
) -> None:
    rule = stack.expanded["Resources"]["EventBusExists"]
    assert rule["Condition"] == "TellsOfChanges"
    assert rule["Properties"]["EventBusName"] == {"Ref": "EventBus"}
    assert rule["Properties"]["State"] == "DISABLED"
    assert all("EventBusExists" in needs[name] for name in RETAINED)


def test_these_are_all_resources_that_outlive_the_stack(stack: Stack) -> None:
    policies = {
        name: resource.get("DeletionPolicy", "Delete") for name, resource in stack.expanded["Resources"].items()
    }
    assert {name: policy for name, policy in policies.items() if policy != "Delete"} == {
        "Queue": "Retain",  # protected from deletion, so a rollback could not delete it
        "Bodies": "RetainExceptOnCreate",
        "Key": "RetainExceptOnCreate",  # the log group of the function that checks the settings needs it
    }


def test_the_table_comes_after_all_that_does_not_need_it(needs: dict[str, set[str]]) -> None:
    after = {name for name, before in needs.items() if "Queue" in before}
    logs = {name for name in needs if name.endswith("Logs")}
    assert needs.keys() - after - needs["Queue"] - {"Queue"} <= BESIDE_THE_TABLE | OF_WEBHOOKS | logs
    assert {"Bodies", "ConfigurationFunction", "DeadLetters", "IdleAlarms", "Notices"} <= needs["Queue"]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_is_updated_after_the_configuration_is_applied(needs: dict[str, set[str]], function: str) -> None:
    assert {"Settings", "DeployedConfiguration"} <= needs[function]


def test_the_function_that_checks_the_settings_needs_neither_table_nor_bucket(needs: dict[str, set[str]]) -> None:
    assert not RETAINED & needs["ConfigurationFunction"]


def _references(value: Any) -> Iterator[str]:
    match value:
        case {"Ref": name}:
            yield name
        case {"Fn::GetAtt": [name, *_]}:
            yield name
        case {"Fn::Sub": text}:
            for part in as_list(text):
                yield from re.findall(r"\$\{(\w+)", str(part))
        case dict():
            yield from as_list(value.get("DependsOn", []))
            for inner in value.values():
                yield from _references(inner)
        case list():
            for inner in value:
                yield from _references(inner)
