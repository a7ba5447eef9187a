"""Hostile documents are refused with reasons, and none is applied."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from support.builders.callers import ACCOUNT

Call = Callable[..., tuple[int, dict[str, Any]]]

ROOT = f"arn:aws:iam::{ACCOUNT}:root"
KILOBYTE = 1024
MEGABYTE = 1024 * KILOBYTE
# Of each kind one that is accepted; what is in the list of its entries makes it another.
DOCUMENTS = {
    "/rules": '{"format": 1, "rules": []}',
    "/callers": '{"format": 1, "callers": []}',
    "/calendar": '{"format": 1, "time_zone": "UTC", "windows": []}',
    "/pools/rules": '{"format": 1, "pools": []}',
    "/prices": '{"format": 1, "as_of": "2026-11-20", "prices": []}',
    "/spending": '{"format": 1, "time_zone": "UTC", "limits": []}',
}
# What is right but for its name.
NAMED = {
    "/rules": '{"name": "%s", "kind": "instances_per_job", "most": 4}',
    "/callers": '{"name": "%s", "principals": ["role/Nlp"], "verbs": ["submit"]}',
    "/calendar": '{"name": "%s", "weekly": ["sat 00:00 - sun 00:00"], "budget": {"*": 0}}',
    "/pools/rules": '{"instance_type": "%s", "use": "off"}',
    "/prices": '{"instance_type": "%s", "dollars_per_hour": 1.5}',
    "/spending": '{"name": "%s", "owner": "*", "gpu_hours": 5}',
}
TRIALS = {"/rules": "/rules/check", "/callers": "/callers/check", "/calendar": "/calendar/check"}


BAD_NAMES = {
    "NUL": r"a\u0000b",
    "from right to left": r"a\u202eb",
    "half a character": r"\ud800",
    "a Cyrillic letter": r"m\u0430",
    "too long": "x" * 10_000,
    "too many accents": "x" + "\u0301" * 5000,
    "forged lines": r"x\r\n{\"level\": \"ERROR\"}",
    "a path": "../callers",
    "markup": "<script>",
}


def hostile(good: str) -> dict[str, str]:
    def with_entries(text: str) -> str:
        return good.replace("[]", f"[{text}]")

    def with_member(text: str) -> str:
        return good.removesuffix("}") + f", {text}}}"

    return {
        "nothing": "",
        "half of it": good.removesuffix("}"),
        "a list": f"[{good}]",
        "deep lists": "[" * 60_000,
        "deep objects": '{"a":' * 10_000 + "1" + "}" * 10_000,
        "a deep entry": with_entries("[" * 20_000 + "]" * 20_000),
        "a member twice": with_member('"format": 1'),
        "thousands of members twice": with_member(", ".join(f'"{n}": 1, "{n}": 1' for n in range(3000))),
        "NaN": good.replace("1", "NaN", 1),
        "infinity": good.replace("1", "-Infinity", 1),
        "a number beyond all": good.replace("1", "1e400", 1),
        "a number of 5000 digits": good.replace("1", "9" * 5000, 1),
        "thousands of entries": with_entries(",".join(["{}"] * 5000)),
        "thousands of members": with_member(", ".join(f'"{n}": 1' for n in range(5000))),
        "more than is read": good + " " * (64 * KILOBYTE),
        "10 MB": with_entries(f'"{"x" * (10 * MEGABYTE)}"'),
    }


@pytest.mark.parametrize("path", DOCUMENTS)
def test_a_hostile_document_is_refused_and_none_comes_into_force(call: Call, path: str) -> None:
    for name, text in hostile(DOCUMENTS[path]).items():  # in one account, for each takes a while to make
        for method, called in (("PUT", path), *([("POST", TRIALS[path])] if path in TRIALS else [])):
            status, told = call(method, called, text, caller=ROOT)
            assert (status, told["error"][:4]) == (400, "bad_"), name
            assert told["problems"], name
            assert told["remedy"], name
            assert len(json.dumps(told)) < 100 * KILOBYTE, name
    assert call("GET", path, caller=ROOT)[1]["version"] == 0
    assert call("PUT", path, DOCUMENTS[path], caller=ROOT)[0] == 200


@pytest.mark.parametrize("path", DOCUMENTS)
def test_a_name_that_is_made_to_deceive_is_refused(call: Call, path: str) -> None:
    for name, text in BAD_NAMES.items():
        status, told = call("PUT", path, DOCUMENTS[path].replace("[]", f"[{NAMED[path] % text}]"), caller=ROOT)
        assert (status, told["error"][:4]) == (400, "bad_"), name
        assert len(json.dumps(told)) < 2 * KILOBYTE, name
        assert all(problem["field"].endswith(("name", "instance_type", "")) for problem in told["problems"]), told
    good = "ml.m5.large" if "instance_type" in NAMED[path] else "good"
    assert call("PUT", path, DOCUMENTS[path].replace("[]", f"[{NAMED[path] % good}]"), caller=ROOT)[0] == 200


def test_what_is_no_version_is_refused(call: Call) -> None:
    for version in ("", "-1", "1.5", "9" * 5000, "0 OR 1", "\u0661", "1\r\nX-Forged: 1"):
        for path, text in DOCUMENTS.items():
            status, told = call("PUT", path, text, caller=ROOT, replaces=version)
            assert (status, told["error"], told["field"]) == (400, "invalid_request", "replaces")
            assert len(json.dumps(told)) < KILOBYTE
            assert call("GET", path, caller=ROOT)[1]["version"] == 0
