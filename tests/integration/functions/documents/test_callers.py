"""API calls about callers, and the permissions that they give."""

import json
from collections.abc import Callable
from typing import Any

import boto3
import pytest

from integration.functions.conftest import ADA
from integration.functions.documented import DOCUMENT
from scheduler.wiring import shared
from support.account.simulated_queue import request
from support.builders.callers import ACCOUNT, a_callers_document, an_entry

Call = Callable[..., tuple[int, dict[str, Any]]]

BOB = f"arn:aws:sts::{ACCOUNT}:assumed-role/Nlp/bob"
ROOT = f"arn:aws:iam::{ACCOUNT}:root"
SECRET = "canary-5f1e"
WISHES = ["cancel", "hold", "release", "requeue", "top"]
RESEMBLING = {
    "a session with another's name": f"arn:aws:sts::{ACCOUNT}:assumed-role/Evil/Scientist",
    "another case": ADA.replace("Scientist", "scientist"),
    "a name that contains it": ADA.replace("Scientist", "DataScientist"),
    "a name that begins with it": ADA.replace("Scientist", "Scientist2"),
    "another account": ADA.replace(ACCOUNT, "210987654321"),
    "a user of its name": f"arn:aws:iam::{ACCOUNT}:user/Scientist",
    "a path that reads like it": f"arn:aws:iam::{ACCOUNT}:user/:assumed-role/Scientist/ada",
    "a federated user": f"arn:aws:sts::{ACCOUNT}:federated-user/Scientist",
    "nobody": "",
}
OPERATING = [
    ("PUT", "/budget", {"budget": {"ml.m5.large": 1}}),
    ("DELETE", "/budget", None),
    ("POST", "/drain", None),
    ("POST", "/resume", None),
    ("PUT", "/rules", '{"format": 1, "rules": []}'),
    ("POST", "/rules/check", '{"format": 1, "rules": []}'),
    ("GET", "/callers", None),
    ("PUT", "/callers", a_callers_document(an_entry("*"))),
    ("POST", "/callers/check", a_callers_document(an_entry("*"))),
    ("PUT", "/calendar", '{"format": 1, "time_zone": "UTC", "windows": []}'),
    ("PUT", "/pools/rules", '{"format": 1, "pools": []}'),
    ("PUT", "/prices", '{"format": 1, "as_of": "2026-11-20", "prices": []}'),
    ("PUT", "/spending", '{"format": 1, "time_zone": "UTC", "limits": []}'),
]
#: Changing calls of those who submit; what is asked of a job is decided by whose it is, and trying out changes nothing.
FOR_SUBMITTERS = {
    *(("POST", path) for path in ("/add-job", "/jobs", "/what-if", "/cancel-jobs", "/calendar/check")),
    *(("POST", f"/jobs/{{name}}/{wish}") for wish in (*WISHES, "priority")),
}


def assert_not_permitted(answer: tuple[int, dict[str, Any]], *texts: str) -> None:
    status, told = answer
    assert (status, told["error"]) == (403, "not_permitted")
    assert told["remedy"]
    assert all(text in told["message"] for text in texts), told["message"]


def lay_down(call: Call, *entries: dict[str, Any]) -> None:
    assert call("PUT", "/callers", a_callers_document(*entries), caller=ROOT)[0] == 200


@pytest.mark.parametrize("arn", RESEMBLING.values(), ids=RESEMBLING)
@pytest.mark.parametrize("wish", WISHES)
def test_a_principal_similar_to_its_owner_does_not_control_a_job(call: Call, wish: str, arn: str) -> None:
    call("POST", "/add-job", request("resnet", HyperParameters={"key": SECRET}))
    before = call("GET", "/jobs/resnet")
    refused = call("POST", f"/jobs/resnet/{wish}", caller=arn)
    assert_not_permitted(refused)
    told = json.dumps(refused[1])
    assert not any(text in told for text in ("resnet", ADA, SECRET)), told
    assert call("GET", "/jobs/resnet") == before


def test_no_caller_changes_the_priority_of_anothers_job(call: Call) -> None:
    call("POST", "/add-job", request("resnet"))
    assert_not_permitted(call("POST", "/jobs/resnet/priority", {"priority": 1}, caller=BOB), "control_team or operate")


def test_an_owner_controls_a_job_in_whatever_session(call: Call) -> None:
    call("POST", "/add-job", request("resnet"))
    assert call("POST", "/jobs/resnet/cancel", caller=ADA.replace("/ada", "/ada-again"))[0] == 202


def test_a_cancellation_by_filter_passes_over_jobs_of_others(call: Call) -> None:
    call("POST", "/add-job", request("adas"))
    call("POST", "/add-job", request("bobs"), caller=BOB)
    _, done = call("POST", "/cancel-jobs", {"filter": {"state": "pending"}}, caller=BOB)
    assert done == {"cancelled": ["bobs"], "refused": [], "more": False}
    assert call("POST", "/cancel-jobs", {"filter": {"state": "pending"}}, caller=ROOT)[1]["cancelled"] == ["adas"]


def test_jobs_of_others_can_be_seen_but_not_what_may_be_secret_in_them(call: Call) -> None:
    secrets: dict[str, Any] = {"HyperParameters": {"key": SECRET}, "Environment": {"TOKEN": SECRET}}
    call("POST", "/add-job", request("resnet", **secrets))
    status, seen = call("GET", "/jobs/resnet", caller=BOB)
    assert (status, SECRET in json.dumps(seen)) == (200, False)
    assert seen["request"]["TrainingJobName"] == "resnet"
    assert SECRET in json.dumps(call("GET", "/jobs/resnet")[1])
    assert [job["name"] for job in call("GET", "/jobs", caller=BOB)[1]["jobs"]] == ["resnet"]


@pytest.mark.parametrize(("method", "path", "body"), OPERATING)
def test_only_operators_operate(call: Call, method: str, path: str, body: object) -> None:
    assert_not_permitted(call(method, path, body, caller=BOB), "role/Nlp lacks the permission operate")
    assert_not_permitted(call(method, path, "?", caller=RESEMBLING["another account"]))
    assert call(method, path, body, caller=ROOT)[0] == 200


@pytest.mark.parametrize("arn", RESEMBLING.values(), ids=RESEMBLING)
def test_a_principal_similar_to_an_operator_is_no_operator(call: Call, arn: str) -> None:
    for method, path, body in OPERATING:
        assert_not_permitted(call(method, path, body, caller=arn), "lacks the permission operate")
    assert call("GET", "/budget")[1]["source"] == "parameter"


def test_whatever_else_changes_something_is_for_operators() -> None:
    calls = {(method.upper(), path) for path, methods in DOCUMENT["paths"].items() for method in methods}
    changing = {call for call in calls if call[0] != "GET"}
    assert changing - FOR_SUBMITTERS == {(method, path) for method, path, _ in OPERATING if method != "GET"}


def test_a_reader_may_dry_run_a_calendar_and_changes_nothing(call: Call) -> None:
    lay_down(call, an_entry("role/Nlp", verbs=[]))
    window = {"name": "w", "weekly": ["sat 00:00 - sun 00:00"], "budget": {"*": 0}}
    tried = json.dumps({"format": 1, "time_zone": "UTC", "windows": [window]})
    status, trial = call("POST", "/calendar/check", tried, caller=BOB)
    assert (status, {one for period in trial["periods"] for one in period["windows"]}) == (200, {"w"})
    assert call("GET", "/calendar", caller=BOB)[1]["version"] == 0
    assert_not_permitted(call("PUT", "/calendar", tried, caller=BOB), "operate")


def test_no_caller_of_another_account_submits_unless_named(call: Call) -> None:
    stranger = RESEMBLING["another account"]
    for path, body in (("/add-job", request("theirs")), ("/what-if", {"request": request("theirs")})):
        assert_not_permitted(call("POST", path, body, caller=stranger), "lacks the permission submit")
    lay_down(call, an_entry("arn:aws:iam::210987654321:role/Scientist"))
    assert call("POST", "/add-job", request("theirs"), caller=stranger)[0] == 201
    assert_not_permitted(call("POST", "/add-job", request("ours")))


@pytest.mark.parametrize(
    ("limits", "changes", "field"),
    [
        ({"execution_roles": [f"arn:aws:iam::{ACCOUNT}:role/nlp/*"]}, {}, "RoleArn"),
        ({}, {"RoleArn": f"arn:aws:iam::{ACCOUNT}:role/Administrator"}, "RoleArn"),
        ({"instance_types": ["ml.g5.*"]}, {}, "ResourceConfig"),
        ({"priority_ceiling": 3}, {"priority": 4}, "priority"),
    ],
)
def test_a_submission_beyond_ones_limits_is_refused_with_the_field(
    call: Call, limits: dict[str, Any], changes: dict[str, Any], field: str
) -> None:
    lay_down(call, an_entry("role/Scientist", **limits))
    answer = call("POST", "/add-job", request("resnet", **changes))
    assert_not_permitted(answer)
    assert answer[1]["field"] == field
    assert call("GET", "/jobs")[1]["jobs"] == []


def test_a_priority_is_not_raised_above_its_owners_ceiling_not_even_by_operators(call: Call) -> None:
    lay_down(call, an_entry("role/Scientist", verbs=("submit", "control_own"), priority_ceiling=3))
    call("POST", "/add-job", request("resnet", priority=3))
    for arn in (ADA, ROOT):
        assert_not_permitted(call("POST", "/jobs/resnet/priority", {"priority": 4}, caller=arn), "Priority 4")


def test_team_mates_control_each_others_jobs_and_no_other_teams(call: Call) -> None:
    control = ("submit", "control_own", "control_team")
    lay_down(
        call,
        an_entry("role/Scientist", verbs=control, teams=["vision"]),
        an_entry("role/Engineer", name="engineers", verbs=control, teams=["vision"]),
        an_entry("role/Nlp", name="nlp", verbs=control, teams=["nlp"]),
    )
    call("POST", "/add-job", request("resnet"))
    assert_not_permitted(call("POST", "/jobs/resnet/hold", caller=BOB))
    engineer = f"arn:aws:sts::{ACCOUNT}:assumed-role/Engineer/eve"
    assert call("POST", "/jobs/resnet/hold", caller=engineer)[0] == 202


def test_a_job_whose_owner_may_not_run_it_any_more_does_not_start(call: Call, schedule: Callable[[], None]) -> None:
    call("POST", "/add-job", request("resnet"), caller=BOB)
    lay_down(call, an_entry("role/Nlp", verbs=["control_own"]))
    schedule()
    _, job = call("GET", "/jobs/resnet")
    assert (job["state"], job["reason"]["code"]) == ("parked", "not_permitted")
    assert_not_permitted(call("POST", "/add-job", request("resnet"), caller=BOB))
    lay_down(call, an_entry("role/Nlp", verbs=["submit"]))
    again = call("POST", "/add-job", request("resnet"), caller=BOB)
    assert_not_permitted(again, "control_own")  # it would make the job try again
    lay_down(call, an_entry("role/Nlp", verbs=["submit", "control_own"]))
    assert call("POST", "/add-job", request("resnet"), caller=BOB)[0] == 200
    schedule()
    assert call("GET", "/jobs/resnet")[1]["state"] == "running"


def test_no_caller_retries_anothers_parked_job_by_submitting_it(call: Call, schedule: Callable[[], None]) -> None:
    call("POST", "/add-job", request("resnet"))
    lay_down(call, an_entry("role/Scientist", verbs=[]), an_entry("role/Nlp", name="nlp"))
    schedule()
    assert_not_permitted(call("POST", "/add-job", request("resnet"), caller=BOB))
    assert call("GET", "/jobs/resnet")[1]["state"] == "parked"


def test_a_document_is_read_back_as_it_was_sent(call: Call) -> None:
    _, nobodys = call("GET", "/callers", caller=ROOT)
    assert nobodys["version"] == 0
    text = a_callers_document(an_entry("*"))
    status, applied = call("PUT", "/callers", text, caller=ROOT, replaces="0")
    assert (status, applied["version"], applied["changed_by"], applied["text"]) == (200, 1, ROOT, text)
    assert call("GET", "/callers", caller=ROOT) == (200, applied)
    assert call("PUT", "/callers", nobodys["text"], caller=ROOT, replaces="0")[1]["error"] == "stale_callers"


@pytest.mark.parametrize("query", [{}, {"hand_over": "true"}], ids=["for oneself", "for others"])
def test_a_refused_document_changes_nothing(call: Call, query: dict[str, str]) -> None:
    status, told = call("PUT", "/callers", a_callers_document(an_entry("Scientist")), caller=ROOT, **query)
    assert (status, told["error"], told["field"]) == (400, "bad_callers", "callers[0].principals[0]")
    assert told["problems"][0]["line"] == 7
    assert call("GET", "/callers", caller=ROOT)[1]["version"] == 0


def test_no_operator_locks_themselves_out_by_mistake(call: Call) -> None:
    lay_down(call, an_entry("role/Nlp", verbs=["operate"]))
    others = a_callers_document(an_entry("role/Nlp", verbs=["submit"]))
    status, told = call("PUT", "/callers", others, caller=BOB)
    assert (status, told["error"], told["field"]) == (409, "locks_out", "hand_over")
    assert call("PUT", "/callers", others, caller=BOB, hand_over="maybe")[1]["field"] == "hand_over"
    assert call("PUT", "/callers", others, caller=BOB, hand_over="true")[0] == 200
    assert_not_permitted(call("PUT", "/callers", others, caller=BOB), "operate")


def test_a_dry_run_reports_the_changes_for_each_owner_and_the_caller(call: Call) -> None:
    call("POST", "/add-job", request("adas"))
    call("POST", "/add-job", request("bobs"), caller=BOB)
    status, trial = call("POST", "/callers/check", a_callers_document(an_entry("role/Nlp")), caller=ROOT)
    assert (status, trial["checked"], [job["name"] for job in trial["jobs"]]) == (200, 2, ["adas"])
    assert trial["jobs"][0]["after"]["violations"][0]["message"] == "role/Scientist lacks the permission submit"
    assert trial["you"]["verbs"] == ["operate"]
    assert call("GET", "/callers", caller=ROOT)[1]["version"] == 0


def test_every_caller_can_list_their_permissions(call: Call) -> None:
    _, you = call("GET", "/whoami", caller=BOB)
    assert (you["principal"], you["entry"], you["verbs"]) == ("role/Nlp", "everybody", ["control_own", "submit"])
    assert you["execution_roles"] == [f"arn:*:iam::{ACCOUNT}:role/*SageMaker*"]
    _, nobody = call("GET", "/whoami", caller=RESEMBLING["a federated user"])
    assert (nobody["principal"], nobody["verbs"]) == (None, [])


def test_a_submission_reads_the_document_once(call: Call) -> None:
    lay_down(call, an_entry("*", verbs=["submit"]))
    read: list[Any] = []
    shared.table().client.meta.events.register(
        "before-call.dynamodb.Query", lambda params, **_: read.append(params["body"])
    )
    assert call("POST", "/add-job", request("resnet"))[0] == 201
    assert len([body for body in read if b"CALLERS" in body]) == 1


def test_a_document_that_cannot_be_read_leaves_only_the_parameters_operators(call: Call, table: str) -> None:
    lay_down(call, an_entry("role/Nlp", verbs=["submit"]))
    boto3.client("dynamodb").update_item(
        TableName=table,
        Key={"pk": {"S": "CALLERS"}, "sk": {"S": "00000001"}},
        UpdateExpression="SET #text = :text",
        ExpressionAttributeNames={"#text": "text"},
        ExpressionAttributeValues={":text": {"S": "{"}},
    )
    assert_not_permitted(call("POST", "/add-job", request("bobs"), caller=BOB))
    lay_down(call, an_entry("role/Nlp", verbs=["submit"]))
    assert call("POST", "/add-job", request("bobs"), caller=BOB)[0] == 201


@pytest.mark.parametrize(
    ("field", "body"),
    [
        ("TrainingJobName", request('resnet"}\n{"level":"ERROR"')),
        ("TrainingJobName", request("resnet\r\n2026-11-21 cancelled by root")),
        ("TrainingJobName", request("../callers")),
        ("Tags[1].Value", request("resnet", tags={"team": 'x\n{"message": "cycle"}'})),
        ("Tags[1].Value", request("resnet", tags={"team": "x\r\nforged"})),
        ("Tags[1].Key", request("resnet", tags={"team\n": "x"})),
        ("Tags[1].Value", request("resnet", tags={"team": '", "owner": "root'})),
    ],
)
def test_a_name_or_tag_that_forges_lines_or_json_is_refused(call: Call, field: str, body: dict[str, Any]) -> None:
    status, told = call("POST", "/add-job", body)
    assert (status, told["error"], told["field"]) == (400, "invalid_request", field)
