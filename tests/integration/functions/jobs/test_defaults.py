"""Rules complete requests at submission. The job has the defaults, and its user reads which rule set them."""

from collections.abc import Callable
from typing import Any

from integration.functions.conftest import configure
from scheduler.wiring import shared
from support.account.simulated_queue import request

Call = Callable[..., tuple[int, dict[str, Any]]]
LIMIT = "StoppingCondition.MaxRuntimeInSeconds"
DAY = {"kind": "set_default", "name": "a-day", "max_runtime": "1d", "network_isolation": True}
TAGS = {"kind": "append_tags", "name": "cost", "tags": {"cost-centre": "4711", "project": "none"}}


def rules(*of: dict[str, Any], exemptions: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    return {"rules": list(of), "exemptions": list(exemptions)}


def without_limit(name: str, **more: Any) -> dict[str, Any]:
    return {**request(name), "StoppingCondition": {}, "Tags": [{"Key": "project", "Value": "llm"}], **more}


def stored(name: str) -> Any:
    return shared.job_stores().jobs.request(name, 0)


def test_a_request_gets_what_it_leaves_out_and_its_user_reads_why(call: Call) -> None:
    configure(call, rules=rules(DAY, TAGS))
    status, job = call("POST", "/add-job", without_limit("bare"))
    assert (status, job["max_runtime"]) == (201, 86400)
    assert [(note["rule"], note["field"], note["message"]) for note in job["warnings"]] == [
        ("queue", LIMIT, "The rule a-day sets 86400, which the request leaves out"),
        ("queue", "EnableNetworkIsolation", "The rule a-day sets true, which the request leaves out"),
        ("queue", "Tags", "The rule cost sets cost-centre=4711, which the request leaves out"),
    ]
    kept = stored("bare")
    assert (kept["StoppingCondition"], kept["EnableNetworkIsolation"]) == ({"MaxRuntimeInSeconds": 86400}, True)
    assert kept["Tags"] == [{"Key": "project", "Value": "llm"}, {"Key": "cost-centre", "Value": "4711"}]


def test_values_of_the_request_stay(call: Call) -> None:
    configure(call, rules=rules(DAY, TAGS))
    given = without_limit("own", EnableNetworkIsolation=False) | {"StoppingCondition": {"MaxRuntimeInSeconds": 60}}
    given["Tags"] += [{"Key": "cost-centre", "Value": "1"}]
    job = call("POST", "/add-job", given)[1]
    assert (job["max_runtime"], job["warnings"], stored("own")["Tags"]) == (60, [], given["Tags"])
    assert stored("own")["EnableNetworkIsolation"] is False


def test_a_default_satisfies_the_rules_that_come_after_it(call: Call) -> None:
    limit = {"kind": "max_runtime", "name": "limit", "at_most": "2d"}
    configure(call, rules=rules(limit))
    assert call("POST", "/add-job", without_limit("refused"))[0] == 422
    configure(call, rules=rules(limit, DAY))
    assert call("POST", "/add-job", without_limit("accepted"))[0] == 201


def test_rules_that_are_off_or_exempt_or_for_others_complete_nothing(call: Call) -> None:
    until = {"rules": ["cost"], "jobs": {"name": "e*"}, "owner": "ada", "reason": "old", "expires_at": "2099-01-01"}
    others = DAY | {"name": "others", "applies_to": {"name": "other-*"}}
    configure(call, rules=rules(DAY | {"mode": "off"}, others, TAGS, exemptions=(until,)))
    assert call("POST", "/add-job", without_limit("exempt"))[1]["warnings"] == []


def test_the_same_submission_stays_the_same_under_other_defaults(call: Call) -> None:
    configure(call, rules=rules(DAY))
    first = call("POST", "/add-job", without_limit("bare"))[1]
    configure(call, rules=rules(TAGS))
    status, again = call("POST", "/add-job", without_limit("bare"))
    assert (status, again["max_runtime"], again["warnings"]) == (200, 86400, first["warnings"])


def test_all_children_of_an_array_get_the_defaults(call: Call, schedule: Callable[[], None]) -> None:
    configure(call, rules=rules(DAY, TAGS))
    request = without_limit("sweep", HyperParameters={"lr": "${lr}"})
    del request["CheckpointConfig"]  # each child would need its own
    status, array = call("POST", "/arrays", {"request": request, "parameters": {"lr": ["0.1", "0.2"]}})
    assert status == 201, array
    first = shared.job_stores().arrays.array("sweep").first
    assert (first.spec.max_runtime, len(first.status.warnings)) == (86400, 3)
    schedule()
    for name in ("sweep-0", "sweep-1"):
        kept = stored(name)
        assert kept["StoppingCondition"] == {"MaxRuntimeInSeconds": 86400}
        assert kept["Tags"][-1] == {"Key": "cost-centre", "Value": "4711"}


def test_an_array_is_refused_if_its_parameters_change_the_defaults(call: Call) -> None:
    day = DAY | {"applies_to": {"tags": {"size": "large"}}}
    configure(call, rules=rules(day))
    body = request("sweep", HyperParameters={"size": "${size}"}, Tags=[{"Key": "size", "Value": "${size}"}])
    del body["CheckpointConfig"]  # each child would need its own
    for sizes, child in ((["large", "small"], "child 0"), (["small", "large"], "child 1")):
        status, answer = call("POST", "/arrays", {"request": body, "parameters": {"size": sizes}})
        assert (status, answer["field"]) == (400, "Tags"), answer
        assert "has a placeholder that a rule for defaults reads: The rule a-day sets true" in answer["message"]
        assert child in answer["message"]
    given = {**body, "EnableNetworkIsolation": False}
    assert call("POST", "/arrays", {"request": given, "parameters": {"size": ["large", "small"]}})[0] == 201


def test_a_default_stays_with_a_job_that_is_updated(call: Call) -> None:
    configure(call, rules=rules(TAGS))
    call("POST", "/add-job", without_limit("bare", StoppingCondition={"MaxRuntimeInSeconds": 60}))
    status, job = call("POST", "/jobs/bare/update", {"options": {"priority": 3}})
    assert (status, [note["field"] for note in job["warnings"]]) == (202, ["Tags"])


def test_a_tag_beyond_sagemakers_limit_is_refused_at_submission(call: Call) -> None:
    configure(call, rules=rules(TAGS))
    full = without_limit("full", Tags=[{"Key": f"k{number}", "Value": ""} for number in range(47)])
    status, answer = call("POST", "/add-job", full | {"StoppingCondition": {"MaxRuntimeInSeconds": 60}})
    assert (status, answer["error"]) == (400, "too_many_tags")
    assert "49" in answer["message"]
