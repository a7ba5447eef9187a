"""Hostile request bodies get a plain 4xx with a remedy, and leave no record."""

import json
from collections.abc import Callable
from typing import Any

from support.account.simulated_queue import request

Call = Callable[..., tuple[int, dict[str, Any]]]

WHOLE = json.dumps(request("resnet", HyperParameters={"key": "value"}))
MEGABYTE = 1024 * 1024


def with_member(text: str) -> str:
    return WHOLE.removesuffix("}") + f", {text}}}"


HOSTILE = [
    ("", 400, "not_json"),
    (WHOLE.removesuffix("}"), 400, "not_json"),
    ("[" * 100_000, 400, "not_json"),
    ('{"a":' * 100_000 + "1" + "}" * 100_000, 400, "not_json"),
    (with_member('"Environment": ' + '{"a":' * 500 + "1" + "}" * 500), 400, "invalid_request"),
    (with_member('"Environment": ' + "[" * 70 + "]" * 70), 400, "invalid_request"),
    (with_member('"TrainingJobName": "another"'), 400, "not_json"),
    (WHOLE.replace('"key": "value"', '"key": "value", "key": "other"'), 400, "not_json"),
    (WHOLE.replace('"InstanceCount": 1', '"InstanceCount": NaN'), 400, "not_json"),
    (WHOLE.replace('"InstanceCount": 1', '"InstanceCount": -Infinity'), 400, "not_json"),
    (WHOLE.replace('"InstanceCount": 1', f'"InstanceCount": {"9" * 5000}'), 400, "not_json"),
    (WHOLE.replace('"InstanceCount": 1', '"InstanceCount": 1e400'), 400, "not_json"),
    (WHOLE.replace('"InstanceCount": 1', '"InstanceCount": 99999999999'), 400, "invalid_request"),
    (WHOLE.replace("value", r"val\u0000ue"), 400, "invalid_request"),
    (WHOLE.replace('"key"', r'"k\u0000ey"'), 400, "invalid_request"),
    (WHOLE.replace("resnet", r"res\u202etren"), 400, "invalid_request"),  # shown from right to left
    (WHOLE.replace("resnet", r"r\u0435snet"), 400, "invalid_request"),  # a Cyrillic letter
    (WHOLE.replace("resnet", "r" + "\u0301" * 5000), 400, "invalid_request"),
    (WHOLE.replace("resnet", r"\ud800"), 400, "not_json"),  # half a character
    (WHOLE.replace("value", "\U0001f600" * 2501), 400, "invalid_request"),  # 2500 is SageMaker's limit
    (WHOLE + " " * (5 * MEGABYTE // 4), 413, "too_large"),
    (WHOLE.replace("value", "v" * (10 * MEGABYTE)), 413, "too_large"),
]


def test_a_hostile_body_is_refused(call: Call) -> None:
    for body, status, error in HOSTILE:  # in one account, for each takes a while to make
        answered, answer = call("POST", "/add-job", body)
        assert (answered, answer["error"]) == (status, error), body[:300]
        assert answer["remedy"]
        assert len(json.dumps(answer)) < 2000, "a refusal does not repeat what was sent"
    assert call("GET", "/jobs")[1]["jobs"] == []


def test_the_body_that_they_are_made_from_is_accepted(call: Call) -> None:
    assert WHOLE not in {body for body, _, _ in HOSTILE}
    assert call("POST", "/add-job", WHOLE)[0] == 201
