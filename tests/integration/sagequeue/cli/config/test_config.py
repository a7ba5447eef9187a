"""`sagequeue config`, against recorded API answers."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from integration.sagequeue.fakes.queue import DEFAULTS, YOU, FakeQueue
from integration.sagequeue.fakes.shell import run

FILE = "rules:\n  rules: []\n"
SMALL = {"rules": [{"name": "small", "kind": "instances_per_job", "most": 4}]}
NO_RULES: dict[str, Any] = {"rules": []}
VERSION = {
    "version": 7,
    "author": "ada",
    "applied_at": "2026-11-21T10:00:00Z",
    "comment": "ticket 12",
    "changed": ["rules"],
}
IN_FORCE = {**VERSION, "sections": {"rules": SMALL, "policy": {"patience": "5m"}}}
VERSIONS = {"versions": [VERSION], "next": None}
NOTHING: dict[str, list[object]] = {"violations": [], "warnings": []}
VIOLATION = {"rule": "small", "field": "ResourceConfig", "message": "too many", "remedy": "fewer"}
PLAN: dict[str, Any] = {
    "version": 7,
    "changed": ["rules"],
    "before": {"rules": NO_RULES},
    "after": {"rules": SMALL},
    "warnings": [],
    "jobs": [],
    "checked": 7,
    "complete": True,
    "left_out": 0,
    "next_cycle": {"before": [], "after": []},
    "periods": [],
    "you": YOU,
}
START = {"job": "day", "decision": "start", "instance_type": "ml.g5.xlarge", "reason": "it fits"}
PREEMPT = {"job": "night", "decision": "preempt", "instance_type": None, "reason": "for day"}
RELEASE = {"job": "dusk", "decision": "release", "instance_type": "ml.g5.xlarge", "reason": ""}
STALE = {"error": "stale_config", "message": "The current version is 8", "field": "replaces", "remedy": "Plan again."}


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "queue.yaml"
    path.write_text(FILE)
    return str(path)


def test_show_prints_yaml_that_can_be_applied_again(queue: FakeQueue) -> None:
    queue.faults.append((200, IN_FORCE))
    result = run("config", "show")
    assert list(yaml.safe_load(result.stdout).items()) == list(IN_FORCE["sections"].items())  # type: ignore[attr-defined]  # a mapping
    assert result.stderr == "version 7, by ada at 2026-11-21 10:00:00\n"
    assert "patience: 5m\n" in result.stdout


def test_show_of_a_kind_keeps_its_name_on_top(queue: FakeQueue) -> None:
    queue.faults.append((200, {**DEFAULTS, "sections": {"rules": SMALL}}))
    result = run("config", "show", "rules", "--version", "3")
    assert result.stdout.splitlines()[:2] == ["rules:", "  rules:"]
    assert result.stderr == "version 0, default\n"
    assert queue.calls[0].path == "/config/rules?version=3"


def test_show_as_json_is_what_the_api_answered(queue: FakeQueue) -> None:
    queue.faults.append((200, IN_FORCE))
    assert json.loads(run("config", "show", "--json").stdout) == IN_FORCE


def test_apply_sends_the_very_text_with_comment_and_version(queue: FakeQueue, file: str) -> None:
    queue.faults += [(200, VERSIONS), (200, {**IN_FORCE, "version": 8})]
    result = run("config", "apply", file, "--comment", "ticket 13", "--replaces", "7")
    assert (result.exit_code, result.stdout) == (0, "Applied version 8: rules\n")
    sent = queue.calls[-1]
    assert (sent.method, sent.path, sent.raw) == ("PUT", "/config?replaces=7&comment=ticket%2013", FILE.encode())


def test_apply_takes_standard_input_also_before_any_version(queue: FakeQueue) -> None:
    queue.faults += [(200, {"versions": [], "next": None}), (200, {**IN_FORCE, "version": 1})]
    assert run("config", "apply", "-", stdin=FILE).stdout == "Applied version 1: rules\n"
    assert (queue.calls[-1].path, queue.calls[-1].raw) == ("/config", FILE.encode())


def test_applying_what_is_in_force_says_so(queue: FakeQueue, file: str) -> None:
    queue.faults += [(200, VERSIONS), (200, IN_FORCE)]
    assert run("config", "apply", file).stdout == "Nothing to change: version 7 is current.\n"


def test_replacing_an_unreadable_version_by_the_same_sections_is_shown(queue: FakeQueue, file: str) -> None:
    queue.faults += [(200, VERSIONS), (200, {**IN_FORCE, "version": 8, "changed": []})]
    assert run("config", "apply", file).stdout == "Applied version 8\n"


def test_apply_notes_a_calendar_on_hold_and_pools_that_do_not_appear(queue: FakeQueue, file: str) -> None:
    queue.calendar["calendar_rests"] = True
    queue.refused_pools.append({"instance_type": "ml.g5.xlarge", "since": "2026-11-21T10:00:00Z"})
    queue.faults += [(200, VERSIONS), (200, {**IN_FORCE, "version": 8, "changed": ["calendar", "pools"]})]
    notes = run("config", "apply", file).stderr
    assert "The calendar is on hold" in notes
    assert "its warm-pool quota is 0 or used up" in notes


def test_a_stale_version_is_refused_with_the_next_step(queue: FakeQueue, file: str) -> None:
    queue.faults += [(200, VERSIONS), (409, STALE)]
    result = run("config", "apply", file, "--replaces", "7")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "`sagequeue config plan` again" in result.stderr


def test_rollback_applies_an_older_version(queue: FakeQueue) -> None:
    queue.faults += [(200, VERSIONS), (200, {**IN_FORCE, "version": 8})]
    result = run("config", "rollback", "5", "--comment", "too strict")
    assert result.stdout == "Applied version 8: rules\n"
    sent = queue.calls[-1]
    assert (sent.method, sent.path) == ("POST", "/config/rollback?version=5&comment=too%20strict")


def test_rollback_to_a_version_that_is_gone_names_the_log(queue: FakeQueue) -> None:
    gone = {"error": "unknown_version", "message": "no version 99", "field": "version", "remedy": ""}
    queue.faults += [(200, VERSIONS), (404, gone)]
    result = run("config", "rollback", "99")
    assert result.exit_code == 1
    assert "Run `sagequeue config log`" in result.stderr


def test_log_reads_pages_until_it_has_enough(queue: FakeQueue) -> None:
    pages = [(200, {"versions": [{**VERSION, "version": n}], "next": str(n)}) for n in (7, 6)]
    queue.faults += pages
    lines = run("config", "log", "rules", "--limit", "2").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["version", "7", "6"]
    assert lines[1].split()[1:5] == ["2026-11-21", "10:00:00", "ada", "rules"]
    assert lines[1].rstrip().endswith("ticket 12")
    assert [call.path for call in queue.calls] == ["/config/rules/versions", "/config/rules/versions?next=7"]


def test_log_without_versions_is_a_sentence(queue: FakeQueue) -> None:
    queue.faults += [(200, {"versions": [], "next": None})] * 2
    assert run("config", "log").stdout.startswith("No configuration has been applied")
    assert json.loads(run("config", "log", "--json").stdout) == []


def test_diff_compares_two_versions(queue: FakeQueue) -> None:
    queue.faults += [(200, {**IN_FORCE, "sections": {"rules": NO_RULES, "policy": {}}}), (200, IN_FORCE)]
    lines = run("config", "diff", "5", "7").stdout.splitlines()
    assert [call.path for call in queue.calls] == ["/config?version=5", "/config?version=7"]
    assert lines == [
        "--- rules, version 5",
        "+++ rules, version 7",
        "@@ -1,2 +1,5 @@",
        " rules:",
        "-  rules: []",
        "+  rules:",
        "+  - name: small",
        "+    kind: instances_per_job",
        "+    most: 4",
        "--- policy, version 5",
        "+++ policy, version 7",
        "@@ -1 +1,2 @@",
        "-policy: {}",
        "+policy:",
        "+  patience: 5m",
    ]


def test_plan_shows_changes_jobs_and_decisions(queue: FakeQueue, file: str) -> None:
    job = {"name": "wide", "state": "pending", "before": NOTHING, "after": {"violations": [VIOLATION], "warnings": []}}
    cycle = {"before": [START, PREEMPT], "after": [{**START, "reason": "it still fits"}, RELEASE]}
    effect = {
        "jobs": [job],
        "complete": False,
        "left_out": 2,
        "next_cycle": cycle,
        "warnings": ["rules.exemptions[0] has passed"],
    }
    queue.faults.append((200, PLAN | effect))
    result = run("config", "plan", file)
    lines = result.stdout.splitlines()
    assert lines[:2] == ["--- rules, version 7", f"+++ rules, {file}"]
    assert lines[lines.index("") + 1 :] == [
        "Warning: rules.exemptions[0] has passed",
        "wide (pending)",
        "  + breaks small: too many",
        "… and 2 more",
        "3 of 7 jobs affected; more jobs exist and were not checked",
        "Decisions of the next cycle that change:",
        "  - preempt night: for day",
        "  + release the warm pool of dusk on ml.g5.xlarge",
    ]
    assert result.stderr == "To apply exactly this plan, add --replaces 7 to `sagequeue config apply`.\n"
    assert (queue.calls[0].method, queue.calls[0].path, queue.calls[0].raw) == ("POST", "/config/plan", FILE.encode())


def test_plan_with_the_same_effect_says_so(queue: FakeQueue, file: str) -> None:
    queue.faults.append((200, PLAN | {"next_cycle": {"before": [START], "after": [START]}}))
    assert run("config", "plan", file).stdout.splitlines()[-2:] == [
        "No jobs affected (7 checked)",
        "The decisions of the next cycle stay the same.",
    ]


def test_plan_shows_budgets_and_permissions_only_if_they_change(queue: FakeQueue, file: str) -> None:
    period = {"begins": "2026-11-21T10:00:00Z", "budget": {"ml.g5.xlarge": 8}, "excess": {}, "windows": ["night"]}
    changes = {"changed": ["calendar"], "before": {"calendar": {}}, "after": {"calendar": {"excess": "stop"}}}
    queue.faults.append((200, PLAN | changes | {"periods": [period], "you": {**YOU, "verbs": []}}))
    shown = run("config", "plan", file).stdout
    assert "8 × ml.g5.xlarge" in shown
    assert "may               nothing" in shown
    queue.faults.append((200, PLAN | {"periods": [period]}))
    shown = run("config", "plan", file).stdout
    assert "8 × ml.g5.xlarge" not in shown
    assert "Your permissions" not in shown


def test_plan_without_changes_is_a_sentence(queue: FakeQueue, file: str) -> None:
    queue.faults.append((200, PLAN | {"changed": [], "before": {}, "after": {}}))
    result = run("config", "plan", file)
    assert (result.stdout, result.stderr) == ("Nothing to change: version 7 is current.\n", "")


@pytest.mark.parametrize("command", ["plan", "drift"])
def test_a_plan_as_json_is_what_the_api_answered(queue: FakeQueue, file: str, command: str) -> None:
    queue.faults.append((200, PLAN))
    assert json.loads(run("config", command, file, "--json").stdout) == PLAN


def test_drift_ends_with_6_and_the_difference(queue: FakeQueue, file: str) -> None:
    queue.faults.append((200, PLAN))
    result = run("config", "drift", file)
    assert result.exit_code == 6
    assert result.stdout.splitlines()[3:5] == [" rules:", "-  rules: []"]


def test_no_drift_ends_with_0(queue: FakeQueue, file: str) -> None:
    queue.faults.append((200, PLAN | {"changed": [], "before": {}, "after": {}}))
    result = run("config", "drift", file)
    assert (result.exit_code, result.stdout) == (0, "No drift: version 7 is current.\n")


@pytest.mark.parametrize(("status", "code"), [(400, "bad_config"), (503, "unreadable_record")])
def test_an_error_of_drift_is_neither_drift_nor_none(queue: FakeQueue, file: str, status: int, code: str) -> None:
    queue.faults += [(status, {"error": code, "message": "no", "field": None, "remedy": "", "problems": []})] * 6
    assert run("config", "drift", file).exit_code in {1, 5}
    assert run("config", "drift", f"{file}.missing").exit_code == 1
    assert run("config", "drift", "--jsno", file).exit_code == 2  # wrong usage, as of any command


@pytest.mark.parametrize("command", ["apply", "plan", "drift"])
def test_problems_are_printed_line_by_line(queue: FakeQueue, file: str, command: str) -> None:
    problems = [
        {"line": 2, "field": "rules.rules", "message": "must be a list"},
        {"line": None, "field": "", "message": "All sections together are too long"},
    ]
    refusal = {"error": "bad_config", "message": "line 2: no", "field": "rules", "remedy": "Correct it."}
    versions = [(200, VERSIONS)] if command == "apply" else []
    queue.faults += [*versions, (400, refusal | {"problems": problems})]
    result = run("config", command, file)
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        f"{file}:2: rules.rules must be a list",
        f"{file}: All sections together are too long",
        f"Error: {file} was refused",
        "Correct it.",
    ]


def test_differences_have_colours_in_a_terminal_only(
    queue: FakeQueue, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue.faults += [(200, PLAN)] * 2
    assert "\x1b[" not in run("config", "drift", file).stdout
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[31m-  rules: []\x1b[0m" in run("config", "drift", file).stdout


def test_schema_is_json() -> None:
    assert "rules" in json.loads(run("config", "schema").stdout)["properties"]
