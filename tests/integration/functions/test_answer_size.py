"""No answer is larger than Lambda returns, whatever callers send or store."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest

from integration.functions.conftest import ADA, Context, api_event, configure
from scheduler.adapters.dynamodb.records.job_records import job_item
from scheduler.core.history.change import Change
from scheduler.core.jobs.attempt import EndedAttempt, Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.reconciliation.unmanaged_job import Finding
from scheduler.errors.refusals import Violation
from scheduler.wiring import change_log, shared
from support.account.simulated_queue import request
from support.builders.jobs import NOON, a_job, an_attempt, changed_job
from support.builders.rules import a_rule, rule_set

#: Bytes that Lambda returns at most (AWS Lambda quotas).
LIMIT = 6_291_556
#: Characters that take the most bytes as JSON inside JSON.
DEAR = "é"
TAGS = tuple((f"{number:02}{DEAR * 120}", DEAR * 256) for number in range(40))
ALTERNATIVES = [{"request": {"HyperParameters": {"0": f"{number}"}}, "wait_for_better": 0} for number in range(4)]
BODIES: dict[str, dict[str, Any]] = {
    "unknown members": {f"{number}{'x' * 340}": 1 for number in range(10_000)},
    "one long name": {"x" * 3_500_000: 1},
    "a long key of a map": {"HyperParameters": {"x" * 3_500_000: "1"}},
    "a long text": {"HyperParameters": {"x": "x" * 3_500_000}},
    "quotation marks": {'"' * 1_700_000: 1},
}


def raw(method: str, path: str, body: str | None = None, **query: str) -> tuple[dict[str, Any], int]:
    """Returns the answer, and the bytes that Lambda returns for it."""
    from api.handler import handle

    response = handle(api_event(method, path, body, query, ADA), Context())  # type: ignore[arg-type] # what handlers use of it
    return json.loads(response["body"]), len(json.dumps(response))


@pytest.mark.parametrize("bad", BODIES.values(), ids=BODIES)
def test_a_refusal_does_not_repeat_what_was_sent(bad: dict[str, Any], call: object) -> None:
    fitting = {name[:500_000]: value for name, value in list(bad.items())[:3000]}
    for body in (bad, fitting):
        whole = request("resnet") | body
        sent = {
            "/add-job": whole,
            "/jobs": {"request": whole},
            "/what-if": {"request": whole, "options": body},
            "/change-jobs": {"change": "cancel", "filter": body},
            "/config/plan": body,
            "/jobs/resnet/update": body,
        }
        for path, content in sent.items():
            answer, size = raw("POST", path, json.dumps(content))
            assert "error" in answer, path
            assert size < 100_000, path


def test_a_name_in_a_refusal_is_cut(call: object) -> None:
    name = "x" * 1_000_000
    answer, _ = raw("POST", "/add-job", json.dumps(request("resnet") | {name: 1}))
    assert answer["field"] == "x" * 100 + "…"
    answer, _ = raw("POST", "/jobs", json.dumps({"request": request("resnet"), "options": {name: 1}}))
    assert answer["field"] == f"options.{'x' * 100}…"


def test_the_largest_body_that_is_accepted_can_be_read(call: object) -> None:
    body = largest_request()
    answer, _ = raw("POST", "/add-job", json.dumps(body, ensure_ascii=False))
    assert answer.get("name") == "resnet", answer
    answer, size = raw("GET", "/jobs/resnet")
    assert answer["request"] == body
    assert size < LIMIT
    assert len(json.dumps(body, ensure_ascii=False).encode()) > 1_200_000, "close to the limit"


def test_the_largest_job_with_alternatives_can_be_read(call: object) -> None:
    body = largest_request()
    sent = {"request": body, "options": {"alternatives": ALTERNATIVES}}
    answer, _ = raw("POST", "/jobs", json.dumps(sent, ensure_ascii=False))
    assert answer.get("name") == "resnet", answer
    answer, size = raw("GET", "/jobs/resnet")
    assert (answer["request"], answer["alternatives"]) == (body, ALTERNATIVES)
    assert size < LIMIT


def test_the_largest_array_with_alternatives_can_be_read(call: object) -> None:
    body = largest_request()
    body["HyperParameters"] |= {"1": "${lr}"}
    body["CheckpointConfig"] = {"S3Uri": "s3://bucket/checkpoints/${index}"}
    sent = {"request": body, "parameters": {"lr": [1, 2]}, "options": {"alternatives": ALTERNATIVES}}
    answer, _ = raw("POST", "/arrays", json.dumps(sent, ensure_ascii=False))
    assert answer.get("name") == "resnet", answer
    answer, size = raw("GET", "/jobs/resnet-1")
    assert answer["request"]["HyperParameters"] == body["HyperParameters"] | {"1": "2"}
    assert answer["alternatives"] == ALTERNATIVES
    assert size < LIMIT


def largest_request() -> dict[str, Any]:
    texts = {f"{number}": DEAR * 2500 for number in range(100)}
    body = request("resnet", HyperParameters=texts, Environment={f"KEY{number}": '"' * 512 for number in range(48)})
    body["AlgorithmSpecification"]["ContainerArguments"] = ['"' * 256] * 100
    body["DebugRuleConfigurations"] = [rule_with(DEAR, number) for number in range(19)]
    return body


def rule_with(text: str, number: int) -> dict[str, Any]:
    parameters = {f"{key}": text * 256 for key in range(70)}
    return {"RuleConfigurationName": f"{number}", "RuleEvaluatorImage": "image", "RuleParameters": parameters}


def stored_jobs(number: int) -> list[str]:
    """Stores jobs whose records are as large as records get, and returns their names in the order of a list."""
    failed = an_attempt(a_job()).ended(Outcome.FAILED, NOON, 0, spot=False)
    table = boto3.client("dynamodb")
    for index in range(number):
        table.put_item(TableName="queue", Item=job_item(large_job(index, failed), changed_by="api"))
    return [f"job-{index}" for index in reversed(range(number))]


def large_job(index: int, failed: EndedAttempt) -> Job:
    history = tuple(replace(failed, number=number + 1, failure_reason=DEAR * 1024) for number in range(5))
    return changed_job(
        a_job(f"job-{index}", owner=ADA, submitted_at=NOON + timedelta(seconds=index)),
        state=JobState.FAILED,
        updated_at=NOON + timedelta(seconds=index),
        reason=Reason(ReasonCode.FAILED, DEAR * 1000),
        history=history,
        attempts=len(history),
        tags=TAGS,
    )


def test_pages_of_jobs_are_cut_and_the_token_goes_on(call: object) -> None:
    expected = stored_jobs(100)
    found, token, pages = [], "", 0
    while token is not None:
        query = {"next": token} if token else {}
        answer, size = raw("GET", "/jobs", None, limit="200", **query)
        assert size < LIMIT
        found += [job["name"] for job in answer["jobs"]]
        token, pages = answer["next"], pages + 1
    assert found == expected
    assert pages > 1


def test_pages_of_the_history_stay_below_the_limit(call: object) -> None:
    store = change_log.change_store()
    begin = datetime.now(UTC) - timedelta(hours=1)
    for number in range(100):
        store.append(change_with_large_tags(number, begin + timedelta(seconds=number)), begin + timedelta(days=9))
    found, token = 0, ""
    while token is not None:
        answer, size = raw("GET", "/history", None, **({"next": token} if token else {}))
        assert size < LIMIT
        found, token = found + len(answer["changes"]), answer["next"]
    assert found == 100


def change_with_large_tags(number: int, at: datetime) -> Change:
    return Change(
        job="resnet",
        version=number,
        recorded_at=at,
        changed_at=at,
        written_by="api",
        state=JobState.PENDING,
        reason=ReasonCode.SUBMITTED,
        priority=0,
        demand=Demand.of({"ml.m5.large": 1}),
        owner=ADA,
        submitted_at=at,
        waits_since=at,
        max_runtime=1,
        tags=TAGS,
    )


def test_findings_stay_below_the_limit(call: object) -> None:
    violations = tuple(Violation(f"rule-{number}", DEAR * 100, DEAR * 500, DEAR * 500) for number in range(80))
    found = shared.unmanaged_job_store()
    for number in range(100):
        found.record_finding(Finding(f"job-{number}", NOON, stopped=False, violations=violations))
    answer, size = raw("GET", "/findings", None, limit="200")
    assert 1 < len(answer["findings"]) < 100
    assert size < LIMIT


def test_a_plan_of_the_configuration_stays_below_the_limit(call: Callable[..., Any]) -> None:
    configure(
        call, callers=[{"name": "all", "principals": ["*"], "verbs": ["submit", "operate"], "execution_roles": ["*"]}]
    )
    for number in range(30):
        raw("POST", "/add-job", json.dumps(request(f"job-{number}")))
    rules = rule_set(*(a_rule("images", allowed=[DEAR * 600]) | {"name": f"rule-{number}"} for number in range(60)))
    answer, size = raw("POST", "/config/plan", json.dumps({"rules": rules}, ensure_ascii=False))
    assert "checked" in answer, answer
    assert answer["checked"] == len(answer["jobs"]) + answer["left_out"] == 30
    assert size < LIMIT
    configure(call, rules=rules)
    answer, size = raw("POST", "/add-job", json.dumps(request("refused")))
    assert (answer["error"], len(answer["violations"])) == ("rule_violated", 50)
    assert "and 59 more" in answer["message"]


def test_the_uses_nearest_to_their_limit_are_shown(call: Callable[..., Any]) -> None:
    configure(call, spending={"limits": [{"name": "each", "tag": "project", "gpu_hours": 1000}], "time_zone": "UTC"})
    table, month = boto3.client("dynamodb"), f"{datetime.now(UTC):%Y-%m}"
    for number in range(601):
        used = {"M": {"ml.g5.xlarge": {"N": f"{3600 * number}"}}}
        key = {"pk": {"S": f"SPENT#{month}"}, "sk": {"S": f"tag#project={number:03}{DEAR * 250}"}}
        table.put_item(TableName="queue", Item=key | {"held": used, "billed": used, "changed_by": {"S": "schedule"}})
    answer, size = raw("GET", "/spending")
    assert (len(answer["uses"]), answer["left_out"]) == (500, 101)
    assert answer["uses"][0]["scope"].startswith("project=600")
    assert answer["uses"][0]["used"] > answer["uses"][-1]["used"] > 0
    assert size < LIMIT


def test_an_answer_that_is_too_large_all_the_same_is_refused(
    call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert call("POST", "/add-job", request("resnet"))[0] == 201
    monkeypatch.setattr("api.handler.LARGEST_ANSWER", 1000)
    status, refusal = call("GET", "/jobs/resnet")
    assert (status, refusal["error"]) == (413, "answer_too_large")
    assert call("GET", "/whoami")[0] == 200
