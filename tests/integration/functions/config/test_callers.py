"""API calls about callers, and the permissions that they give."""

import json
import re
from collections.abc import Callable
from typing import Any

import boto3
import pytest

from integration.functions.conftest import ADA, ROOT, configure
from integration.functions.documented import DOCUMENT
from scheduler.wiring import shared
from support.account.simulated_queue import request
from support.builders.callers import ACCOUNT, an_entry
from support.builders.configurations import every_section

Call = Callable[..., tuple[int, dict[str, Any]]]

BOB = f"arn:aws:sts::{ACCOUNT}:assumed-role/Nlp/bob"
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
OPERATING: list[tuple[str, str, Any]] = [
    ("PUT", "/budget", {"budget": {"ml.m5.large": 1}}),
    ("DELETE", "/budget", None),
    ("POST", "/drain", None),
    ("POST", "/resume", None),
    ("PUT", "/config", {"notices": {"owners": []}}),
    ("PUT", "/config/rules", {"failing": {}}),
    ("POST", "/config/plan", {}),
    ("POST", "/config/rules/plan", {}),
    ("GET", "/config/callers", None),
]
#: Changing calls of those who submit; what is asked of a job is decided by whose it is.
FOR_SUBMITTERS = {
    *(("POST", path) for path in ("/add-job", "/jobs", "/what-if", "/change-jobs", "/what-if-priority")),
    *(("POST", f"/jobs/{{name}}/{wish}") for wish in (*WISHES, "priority", "update")),
    *(("POST", f"/{kind}/{{name}}/approve") for kind in ("jobs", "arrays")),  # for other operators (test_approvals.py)
    ("POST", "/arrays"),
    *(("POST", f"/arrays/{{name}}/{wish}") for wish in ("cancel", "hold", "release", "priority")),
}


def permission_for(path: str) -> str:
    kind = re.fullmatch("/config/(rules|callers)(/plan)?", path)
    return f"config:{kind[1]}" if kind else "operate"


def assert_not_permitted(answer: tuple[int, dict[str, Any]], *texts: str) -> None:
    status, told = answer
    assert (status, told["error"]) == (403, "not_permitted")
    assert told["remedy"]
    assert all(text in told["message"] for text in texts), told["message"]


def lay_down(call: Call, *entries: dict[str, Any]) -> None:
    configure(call, callers=[*entries, an_entry("role/Anyone", name="anyone")])  # for someone must be able to submit


@pytest.mark.parametrize("arn", RESEMBLING.values(), ids=RESEMBLING)
def test_a_principal_similar_to_its_owner_does_not_control_a_job(call: Call, arn: str) -> None:
    call("POST", "/add-job", request("resnet", HyperParameters={"key": SECRET}))
    before = call("GET", "/jobs/resnet")
    for wish in WISHES:
        refused = call("POST", f"/jobs/resnet/{wish}", caller=arn)
        assert_not_permitted(refused)
        told = json.dumps(refused[1])
        assert not any(text in told for text in ("resnet", ADA, SECRET)), told
        assert call("GET", "/jobs/resnet") == before, wish


def test_no_caller_changes_the_priority_of_anothers_job(call: Call) -> None:
    call("POST", "/add-job", request("resnet"))
    assert_not_permitted(
        call("POST", "/jobs/resnet/update", {"options": {"priority": 1}}, caller=BOB), "control_team or operate"
    )


def test_an_owner_controls_a_job_in_whatever_session(call: Call) -> None:
    call("POST", "/add-job", request("resnet"))
    assert call("POST", "/jobs/resnet/cancel", caller=ADA.replace("/ada", "/ada-again"))[0] == 202


def test_a_cancellation_by_filter_passes_over_jobs_of_others(call: Call) -> None:
    call("POST", "/add-job", request("adas"))
    call("POST", "/add-job", request("bobs"), caller=BOB)
    wish = {"change": "cancel", "filter": {"state": ["pending"]}}
    _, listed = call("POST", "/change-jobs", {"change": "cancel", "names": ["adas"]}, caller=BOB)
    assert [entry["error"] for entry in listed["refused"]] == ["not_permitted"]
    _, done = call("POST", "/change-jobs", wish, caller=BOB)
    assert done == {"changed": ["bobs"], "refused": [], "left": 0, "is_left_exact": True, "next": None}
    assert call("POST", "/change-jobs", wish, caller=ROOT)[1]["changed"] == ["adas"]


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
    assert_not_permitted(call(method, path, body, caller=BOB), f"role/Nlp lacks the permission {permission_for(path)}")
    assert_not_permitted(call(method, path, "?", caller=RESEMBLING["another account"]))
    assert call(method, path, body, caller=ROOT)[0] == 200


@pytest.mark.parametrize("arn", RESEMBLING.values(), ids=RESEMBLING)
def test_a_principal_similar_to_an_operator_is_no_operator(call: Call, arn: str) -> None:
    for method, path, body in OPERATING:
        assert_not_permitted(call(method, path, body, caller=arn), f"lacks the permission {permission_for(path)}")
    assert call("GET", "/budget")[1]["source"] == "parameter"
    assert call("GET", "/config")[1]["version"] == 0


def test_whatever_else_changes_something_is_for_operators() -> None:
    calls = {(method.upper(), path) for path, methods in DOCUMENT["paths"].items() for method in methods}
    changing = {call for call in calls if call[0] != "GET"}
    operating = {(method, re.sub("/(rules|callers)", "/{kind}", path)) for method, path, _ in OPERATING}
    assert changing - FOR_SUBMITTERS == {*operating, ("POST", "/config/rollback")} - {("GET", "/config/{kind}")}


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
        assert_not_permitted(
            call("POST", "/jobs/resnet/update", {"options": {"priority": 4}}, caller=arn), "Priority 4"
        )


def test_a_priority_above_the_ceiling_of_the_team_is_refused(call: Call) -> None:
    configure(call, shares={"vision": {"members": ["*:assumed-role/Scientist/*"], "priority_ceiling": 3}})
    call("POST", "/add-job", request("resnet", priority=3))
    for answer in (
        call("POST", "/add-job", request("urgent", priority=4)),
        call("POST", "/jobs/resnet/update", {"options": {"priority": 4}}),
    ):
        assert (answer[0], answer[1]["error"]) == (422, "rule_violated")
        (violation,) = answer[1]["violations"]
        assert (violation["rule"], violation["field"], violation["remedy"]) == ("vision", "priority", "Use at most 3.")


def test_a_job_uses_the_share_of_the_team_that_its_user_chose(call: Call) -> None:
    vision = {"members": ["*:assumed-role/Nlp/*"], "submitters": ["*:assumed-role/Scientist/*"]}
    configure(call, shares={"vision": vision, "speech": {"members": ["*:assumed-role/Engineer/*"]}})
    choose = [{"Key": "queue:team", "Value": "vision"}]
    assert call("POST", "/add-job", request("resnet", Tags=choose))[1]["team"] == "vision"
    assert call("POST", "/jobs", {"request": request("own")})[1]["team"] is None
    status, refused = call("POST", "/jobs", {"request": request("bert"), "options": {"team": "speech"}})
    assert (status, refused["error"]) == (422, "rule_violated")
    assert [violation["remedy"] for violation in refused["violations"]] == ["Use vision."]
    assert call("GET", "/queue")[1]["teams"]["vision"]["queued"] == 1
    assert [job["name"] for job in call("GET", "/jobs", team="vision")[1]["jobs"]] == ["resnet"]


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
    status, refusal = call("POST", "/add-job", request("resnet"), caller=BOB)
    assert (status, refusal["error"]) == (409, "name_taken")  # as for any other body: he learns nothing about hers
    assert call("GET", "/jobs/resnet")[1]["state"] == "parked"


def test_a_refused_section_changes_nothing(call: Call) -> None:
    status, told = call("PUT", "/config/callers", json.dumps([an_entry("Scientist")], indent=1), caller=ROOT)
    assert (status, told["error"], told["field"]) == (400, "bad_config", "callers[0].principals[0]")
    assert told["problems"][0]["line"] == 5
    assert call("GET", "/config", caller=ROOT)[1]["version"] == 0


def test_a_plan_shows_the_changes_for_each_owner_and_the_caller(call: Call) -> None:
    call("POST", "/add-job", request("adas"))
    call("POST", "/add-job", request("bobs"), caller=BOB)
    status, planned = call("POST", "/config/callers/plan", [an_entry("role/Nlp")], caller=ROOT)
    assert (status, planned["checked"], [job["name"] for job in planned["jobs"]]) == (200, 2, ["adas"])
    assert planned["jobs"][0]["after"]["violations"][0]["message"] == "role/Scientist lacks the permission submit"
    assert planned["you"]["verbs"] == ["operate"]
    assert call("GET", "/config", caller=ROOT)[1]["version"] == 0


def test_every_caller_can_list_their_permissions(call: Call) -> None:
    _, you = call("GET", "/whoami", caller=BOB)
    assert (you["principal"], you["entry"], you["verbs"]) == ("role/Nlp", "everybody", ["control_own", "submit"])
    assert you["execution_roles"] == [f"arn:*:iam::{ACCOUNT}:role/*SageMaker*"]
    _, nobody = call("GET", "/whoami", caller=RESEMBLING["a federated user"])
    assert (nobody["principal"], nobody["verbs"]) == (None, [])


def test_a_submission_reads_the_configuration_once_to_decide_and_to_show_costs(call: Call) -> None:
    lay_down(call, an_entry("*", verbs=["submit"]))
    read: list[Any] = []
    shared.table().client.meta.events.register(
        "before-call.dynamodb.Query", lambda params, **_: read.append(params["body"])
    )
    assert call("POST", "/add-job", request("resnet"))[0] == 201
    assert len([body for body in read if b"CONFIG" in body]) == 1


def test_a_configuration_that_cannot_be_read_leaves_only_the_parameters_operators(call: Call, table: str) -> None:
    lay_down(call, an_entry("role/Nlp", verbs=["submit"]))
    boto3.client("dynamodb").update_item(
        TableName=table,
        Key={"pk": {"S": "CONFIG"}, "sk": {"S": "00000001"}},
        UpdateExpression="SET sections = :text",
        ExpressionAttributeValues={":text": {"S": "{"}},
    )
    status, told = call("POST", "/add-job", request("bobs"), caller=BOB)
    assert (status, told["error"]) == (503, "unreadable_record")
    assert "until an operator applies a configuration" in told["remedy"]
    assert call("GET", "/whoami", caller=BOB)[1]["verbs"] == []
    configure(call, **every_section(callers=[an_entry("role/Nlp", verbs=["submit"])]))
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


def test_trusted_users_of_one_permission_set_have_jobs_and_a_cap_of_their_own(call: Call) -> None:
    role = "AWSReservedSSO_Science_0123456789abcdef"
    ada, bob = (f"arn:aws:sts::{ACCOUNT}:assumed-role/{role}/{name}" for name in ("ada", "bob"))
    verbs = ["submit", "control_own"]
    configure(call, callers=[an_entry(f"role/{role}", verbs=verbs)], policy={"queued_per_owner": 1})
    assert call("POST", "/add-job", request("first"), caller=ada)[0] == 201
    assert call("POST", "/add-job", request("second"), caller=bob)[1]["error"] == "owner_cap"
    assert call("GET", "/jobs/first", caller=bob)[1]["request"] == request("first")
    configure(call, callers=[an_entry(f"role/{role}", verbs=verbs, trust_session_names=True)])
    assert call("POST", "/add-job", request("second"), caller=bob)[0] == 201
    assert call("POST", "/add-job", request("third"), caller=bob)[1]["error"] == "owner_cap"
    assert "RoleArn" not in call("GET", "/jobs/first", caller=bob)[1]["request"]
    assert call("POST", "/add-job", request("first"), caller=bob)[1]["error"] == "name_taken"
    assert_not_permitted(call("POST", "/jobs/first/cancel", caller=bob))
    assert call("POST", "/jobs/first/cancel", caller=ada)[0] == 202
    assert call("GET", "/whoami", caller=bob)[1]["principal"] == f"role/{role}/bob"
