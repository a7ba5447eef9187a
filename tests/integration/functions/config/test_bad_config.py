"""Hostile files are refused with reasons, and nothing of them is applied."""

import json
from collections.abc import Callable
from typing import Any

import boto3
import pytest

from integration.functions.conftest import ROOT
from scheduler.core.sections.schema import ConfigKind

Call = Callable[..., tuple[int, dict[str, Any]]]

KILOBYTE = 1024
MEGABYTE = 1024 * KILOBYTE
# Of each kind a section that is accepted; an entry in its list makes it another.
SECTIONS = {
    ConfigKind.RULES: '{"rules": [1]}',
    ConfigKind.CALLERS: "[1]",
    ConfigKind.CALENDAR: '{"time_zone": "UTC", "windows": [1]}',
    ConfigKind.POOLS: "[1]",
    ConfigKind.PRICES: '{"as_of": "2026-09-20", "prices": [1]}',
    ConfigKind.SPENDING: '{"time_zone": "UTC", "limits": [1]}',
    ConfigKind.SHARES: '{"vision": 1}',
    ConfigKind.RETRIES: '{"patterns": [1]}',
    ConfigKind.NOTICES: '{"owners": [1]}',
    ConfigKind.POLICY: '{"ordering": 1}',
    ConfigKind.IDLE_GPUS: '{"action": 1}',
    ConfigKind.HANGS: '{"action": 1}',
    ConfigKind.NAN: '{"values": 0}',
}
# What is right but for its name.
NAMED = {
    ConfigKind.RULES: '{"name": "%s", "kind": "instances_per_job", "most": 4}',
    ConfigKind.CALLERS: '{"name": "%s", "principals": ["role/Nlp"], "verbs": ["submit"], "execution_roles": ["*"]}',
    ConfigKind.CALENDAR: '{"name": "%s", "weekly": ["sat 00:00 - sun 00:00"], "budget": {"*": 0}}',
    ConfigKind.POOLS: '{"instance_type": "%s", "use": "off"}',
    ConfigKind.PRICES: '{"instance_type": "%s", "dollars_per_hour": 1.5}',
    ConfigKind.SPENDING: '{"name": "%s", "owner": "*", "gpu_hours": 5}',
}
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
    """Returns texts that resemble a section; `good` has 1 where a value is wrong."""
    return {
        "nothing": "",
        "half of it": good[:-1],
        "a list in a list": f"[{good}]",
        "deep lists": "[" * 60_000,
        "deep objects": '{"a":' * 10_000 + "1" + "}" * 10_000,
        "a deep entry": good.replace("1", "[" * 20_000 + "]" * 20_000),
        "deep YAML": "".join(f"{'  ' * depth}a:\n" for depth in range(200)),
        "a member twice": good.replace("1", '{"a": 1, "a": 1}'),
        "thousands of members twice": good.replace(
            "1", f"{{{', '.join(f'{chr(34)}{n}{chr(34)}: 1, {chr(34)}{n}{chr(34)}: 1' for n in range(3000))}}}"
        ),
        "NaN": good.replace("1", "NaN"),
        "infinity": good.replace("1", "-Infinity"),
        "a number beyond all": good.replace("1", "1e400"),
        "a number of 5000 digits": good.replace("1", "9" * 5000),
        "thousands of entries": good.replace("1", ",".join(["{}"] * 5000)),
        "an alias": "a: &a [*a, *a]",
        "aliases that explode": "\n".join(
            ["a0: &a0 [x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 99))]
        ),
        "a tag that makes an object": "!!python/object/apply:os.system [ls]",
        "a tab": "rules:\n\t- 1",
        "a text without end": "a: '" + "x" * 200_000,
        "half a character": '{"a": "\ud800"}',
        "more than is read": good + " " * (256 * KILOBYTE),
        "2 MB": good.replace("1", f'"{"x" * (2 * MEGABYTE)}"'),
    }


def versions() -> list[str]:
    items = boto3.client("dynamodb").scan(TableName="queue")["Items"]
    return [item["sk"]["S"] for item in items if item["pk"]["S"] == "CONFIG"]


@pytest.mark.parametrize("kind", ConfigKind)
def test_a_hostile_section_is_refused_with_reasons_and_nothing_is_applied(call: Call, kind: ConfigKind) -> None:
    for name, text in hostile(SECTIONS[kind]).items():  # in one account, for each takes a while to make
        for method, path in (("PUT", f"/config/{kind}"), ("POST", f"/config/{kind}/plan")):
            status, told = call(method, path, text, caller=ROOT)
            assert (status, told["error"]) == (400, "bad_config"), name
            assert told["problems"], name
            assert told["remedy"], name
            assert len(json.dumps(told)) < 100 * KILOBYTE, name
    assert versions() == []


@pytest.mark.parametrize("kind", ConfigKind)
def test_a_section_twice_is_refused(call: Call, kind: ConfigKind) -> None:
    empty = "[]" if kind in {ConfigKind.CALLERS, ConfigKind.POOLS} else "{}"
    status, told = call("PUT", "/config", f"policy: {{}}\n{kind}: {empty}\n{kind}: {empty}", caller=ROOT)
    assert (status, told["error"]) == (400, "bad_config")
    assert told["problems"][-1]["message"].startswith("is given twice, first on line ")
    assert (told["problems"][-1]["line"], told["problems"][-1]["field"]) == (3, kind)
    assert versions() == []


@pytest.mark.parametrize("kind", NAMED)
def test_a_name_that_is_made_to_deceive_is_refused(call: Call, kind: ConfigKind) -> None:
    for name, text in BAD_NAMES.items():
        body = SECTIONS[kind].replace("1", NAMED[kind] % text)
        status, told = call("PUT", f"/config/{kind}", body, caller=ROOT)
        assert (status, told["error"]) == (400, "bad_config"), name
        assert len(json.dumps(told)) < 2 * KILOBYTE, name
        assert all(problem["field"].endswith(("name", "instance_type", "")) for problem in told["problems"]), told
    good = "ml.m5.large" if "instance_type" in NAMED[kind] else "good"
    assert call("PUT", f"/config/{kind}", SECTIONS[kind].replace("1", NAMED[kind] % good), caller=ROOT)[0] == 200


@pytest.mark.parametrize("parameter", ["replaces", "version"])
def test_what_is_no_version_is_refused(call: Call, parameter: str) -> None:
    calls: dict[str, list[tuple[str, str, str | None]]] = {
        "replaces": [("PUT", "/config", "policy: {}"), ("PUT", "/config/policy", "patience: 1m")],
        "version": [("GET", "/config", None), ("GET", "/config/rules", None), ("POST", "/config/rollback", None)],
    }
    for version in ("", "-1", "1.5", "9" * 5000, "0 OR 1", "\u0661", "1\r\nX-Forged: 1", "newest"):
        for method, path, body in calls[parameter]:
            status, told = call(method, path, body, caller=ROOT, **{parameter: version})
            assert (status, told["error"], told["field"]) == (400, "invalid_request", parameter)
            assert len(json.dumps(told)) < KILOBYTE
    assert versions() == []


@pytest.mark.parametrize("kind", ["rule", "Rules", "versions2", "..", "%00", "x" * 5000])
def test_what_is_no_kind_is_refused_with_the_known_ones(call: Call, kind: str) -> None:
    for method, path, body in (
        ("GET", "", None),
        ("PUT", "", "{}"),
        ("POST", "/plan", "{}"),
        ("GET", "/versions", None),
    ):
        status, told = call(method, f"/config/{kind}{path}", body, caller=ROOT)
        assert (status, told["error"], told["field"]) == (400, "invalid_request", "kind")
        assert "idle_gpus" in told["remedy"]
        assert len(json.dumps(told)) < KILOBYTE
    assert "did you mean rules?" in call("GET", "/config/rule", caller=ROOT)[1]["message"]


@pytest.mark.parametrize("comment", ["x" * 501, "two\nlines", "a\u202eb", "\x00"])
def test_a_comment_that_does_not_fit_into_a_line_is_refused(call: Call, comment: str) -> None:
    status, told = call("PUT", "/config", "policy: {patience: 1m}", caller=ROOT, comment=comment)
    assert (status, told["error"], told["field"]) == (400, "invalid_request", "comment")
    assert versions() == []
