"""Writes the permissions of template.yaml, and what they reach, into docs/explain/security.md.

`python -m template.permission_table` does.
"""

import re
from collections.abc import Iterator
from typing import Any

from cfnlint.decode import decode

from support.checkout import CHECKOUT
from support.stack.expanded_template import TEMPLATE, as_list
from template import reach

PAGE = CHECKOUT / "docs" / "explain" / "security.md"
_BEGIN, _END = "<!-- made of template.yaml -->\n", "<!-- until here -->\n"
_BEGIN_REACH = "<!-- computed from template.yaml -->\n"
#: Of an ARN, up to where its resource begins: those of this partition, region and account are meant.
_PREFIX = re.compile(r"^arn:[^/]*\$\{AWS::AccountId\}:")
#: The parameters that the template's conditions stand for.
_CONDITIONS = {
    "CountsTheAccount": "with `BudgetScope=account`",
    "DeploysConfiguration": "with `Configuration`",
    "GuardsUnmanagedJobs": "unless `GuardUnmanagedJobs` is `off`",
    "HasHostedPage": "with `HostedPage`",
    "HasCustomerKey": "with `CustomerKey=yes`",
    "SendsCallbacks": "with `Callbacks=on`",
    "SendsCallbacksWithKey": "with `Callbacks=on` and `CustomerKey=yes`",
    "SendsWebhooks": "with `WebhookHosts`",
    "StopsUnmanagedJobs": "with `GuardUnmanagedJobs=stop`",
    "TellsOfChanges": "with `EventBus`",
}
#: Words that the name of a statement cannot spell.
_SPELLINGS = {"auto m l": "AutoML", "sage maker": "SageMaker", "gpus": "GPUs", "the queues": "the queue's"}


def table() -> str:
    template, _ = decode(str(TEMPLATE))
    rows = [f"| {' | '.join(row)} |" for row in _rows(template["Resources"])]
    return "\n".join(["| function | purpose | actions | resources |", "|---|---|---|---|", *rows, ""])


def shown() -> str:
    return _between(_BEGIN)


def shown_reach() -> str:
    return _between(_BEGIN_REACH)


def _between(begin: str) -> str:
    return PAGE.read_text().partition(begin)[2].partition(_END)[0]


def _rows(resources: dict[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    for name, resource in sorted(resources.items()):
        properties = resource.get("Properties", {})
        if resource["Type"] == "AWS::Serverless::Function":
            for policy in properties.get("Policies", ()):
                for statement in policy["Statement"]:
                    granted, condition = _granted(statement)
                    yield _row(properties["Handler"].partition(".")[0], _words(granted["Sid"]) + condition, granted)
            yield from _rows_of_schedules(name, properties.get("Events", {}))
        if resource["Type"] == "AWS::IAM::Policy":
            roles = ", ".join(role["Ref"].removesuffix("Role").removesuffix("Function") for role in properties["Roles"])
            for statement in properties["PolicyDocument"]["Statement"]:
                yield _row(roles, f"{_words(name)}, {_CONDITIONS[resource['Condition']]}", statement)


def _rows_of_schedules(function: str, events: dict[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    """Yields what SAM grants the roles with which EventBridge Scheduler calls the function."""
    for event, properties in events.items():
        if properties["Type"] == "ScheduleV2":
            yield f"{function}{event}", "call the function", "`lambda:InvokeFunction`", f"`{function}`"
            yield f"{function}{event}", "send dead letters", "`sqs:SendMessage`", "`DeadLetters`"


def _granted(statement: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Returns what a statement grants, and under which condition of the template."""
    match statement:
        case {"Fn::If": [condition, granted, {"Ref": "AWS::NoValue"}]}:
            return granted, f", {_CONDITIONS[condition]}"
    return statement, ""


def _row(function: str, purpose: str, statement: dict[str, Any]) -> tuple[str, str, str, str]:
    actions = ", ".join(as_list(statement["Action"]))
    denied = "never " if statement["Effect"] == "Deny" else ""
    on = ", ".join(dict.fromkeys(text for one in as_list(statement["Resource"]) for text in _resources(one)))
    conditions = [pair for asked in statement.get("Condition", {}).values() for pair in asked.items()]
    only = "".join(f", only if `{key}` is {_value(value)}" for key, value in conditions)
    return function, purpose, f"{denied}`{actions}`", on + only


def _resources(resource: Any) -> Iterator[str]:
    match resource:
        case {"Fn::If": [condition, yes, no]}:
            yield from (f"{text} {_CONDITIONS[condition]}" for text in _resources(yes))
            yield from (f"{text} otherwise" for text in _resources(no))
        case {"Fn::GetAtt": [name, *_]} | {"Ref": name}:
            yield f"`{name}`"
        case {"Fn::Sub": [text, _]} | {"Fn::Sub": text}:
            yield f"`{_PREFIX.sub('', text)}`"
        case _:
            yield f"`{resource}`"


def _value(value: Any) -> str:
    """A service is known by the first part of its name."""
    names = [
        one if isinstance(one, str) else one.get("Ref") or one["Fn::Sub"].partition(".")[0] for one in as_list(value)
    ]
    return " or ".join(f"`{name}`" for name in names)


def _words(name: str) -> str:
    words = re.sub(r"(?<!^)(?=[A-Z])", " ", name).lower()
    for spelled, meant in _SPELLINGS.items():
        words = words.replace(spelled, meant)
    return words


if __name__ == "__main__":
    text = PAGE.read_text().replace(_BEGIN + shown(), _BEGIN + table())
    PAGE.write_text(text.replace(_BEGIN_REACH + shown_reach(), _BEGIN_REACH + reach.table()))
