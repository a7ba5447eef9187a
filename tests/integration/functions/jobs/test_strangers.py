"""Callers who may not control a job see of its request what an allow-list names, and find out nothing by trying."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import boto3
import botocore.loaders
import pytest
from botocore.model import ListShape, MapShape, ServiceModel, Shape, StringShape, StructureShape

from integration.functions.conftest import ADA, ROOT, Context, api_event, configure
from local_sagemaker.simulation import Simulation
from scheduler.adapters.dynamodb.records.job_records import job_key
from scheduler.core.jobs.attempt import Observation
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.job_state import Action, ActionKind, JobState
from scheduler.core.jobs.reason import Reason, ReasonCode
from scheduler.core.requests.job_building import build_job
from scheduler.core.requests.options import read_options
from scheduler.wiring import shared
from support.account.simulated_queue import request
from support.builders.callers import an_entry
from support.builders.jobs import NOON, an_attempt, changed_job
from support.builders.pool_rules import pool_rules
from support.builders.rules import a_rule, rule_set

Call = Callable[..., tuple[int, dict[str, Any]]]

CANARY = "canary"
OTHER = "arn:aws:sts::000000000000:assumed-role/Other/bob"
STRANGER = "arn:aws:sts::000000000000:assumed-role/Stranger/eve"
#: What strangers see of a request; docs/admin/callers.md names it.
SHOWN = {
    "TrainingJobName": "theirs",
    "ResourceConfig": {
        "InstanceType": "ml.m5.large",
        "InstanceCount": 1,
        "VolumeSizeInGB": 1,
        "KeepAlivePeriodInSeconds": 1,
        "TrainingPlanArn": "shown",
        "InstanceGroups": [{"InstanceType": "ml.m5.large", "InstanceCount": 1}],
        "InstancePreferences": [{"InstanceType": "ml.m5.large", "InstanceCount": 1}],
    },
    "VpcConfig": {"Subnets": ["shown"]},
    "StoppingCondition": {"MaxRuntimeInSeconds": 1, "MaxWaitTimeInSeconds": 1, "MaxPendingTimeInSeconds": 1},
    "EnableManagedSpotTraining": True,
    "EnableNetworkIsolation": True,
    "EnableInterContainerTrafficEncryption": True,
}
#: A body that the queue accepts and SageMaker would run.
VALID = request("running", tags={CANARY: CANARY}, RoleArn=f"arn:aws:iam::000000000000:role/SageMaker-{CANARY}") | {
    "HyperParameters": {CANARY: CANARY},
    "Environment": {CANARY: CANARY},
    "OutputDataConfig": {"S3OutputPath": f"s3://{CANARY}", "KmsKeyId": CANARY},
    "VpcConfig": {"Subnets": ["subnet"], "SecurityGroupIds": [CANARY]},
    "AlgorithmSpecification": {
        "TrainingImage": CANARY,
        "TrainingInputMode": "File",
        "ContainerEntrypoint": [CANARY],
        "ContainerArguments": [CANARY],
    },
}
#: Rules that VALID breaks, one of each kind that compares texts of a request.
BROKEN_RULES = (
    a_rule("execution_roles", allowed=["none"]),
    a_rule("images", allowed=["none"]),
    a_rule("kms_keys", volume=["none"], output=["none"]),
    a_rule("output_prefixes", allowed=["s3://none"]),
    a_rule("vpc", subnets=["none"], security_groups=["none"]),
    a_rule("required_tags", tags={CANARY.upper(): {}}),
)


def body_with_canaries(shape: Shape) -> Any:
    """Returns a value of the shape with a canary in every text, and in the keys of every map."""
    match shape:
        case StructureShape():
            return {name: body_with_canaries(member) for name, member in shape.members.items()}
        case ListShape():
            return [body_with_canaries(shape.member)]
        case MapShape():
            return {body_with_canaries(shape.key): body_with_canaries(shape.value)}
        case StringShape():
            return "ml.m5.large" if shape.name == "TrainingInstanceType" else shape.enum[0] if shape.enum else CANARY
    return True if shape.type_name == "boolean" else 1


def whole_request() -> dict[str, Any]:
    """Returns a CreateTrainingJob request with all members of SageMaker's model; most have a canary."""
    model = ServiceModel(botocore.loaders.Loader().load_service_model("sagemaker", "service-2"))
    shape = model.operation_model("CreateTrainingJob").input_shape
    assert shape is not None
    body: dict[str, Any] = body_with_canaries(shape)
    body["TrainingJobName"], body["VpcConfig"]["Subnets"] = "theirs", ["shown"]
    body["ResourceConfig"]["TrainingPlanArn"] = "shown"
    body["CheckpointConfig"]["S3Uri"] = f"s3://{CANARY}/{CANARY}"  # a whole bucket is refused
    return body


def texts_in(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        yield from (text for entry in value.values() for text in texts_in(entry))
    elif isinstance(value, list):
        yield from (text for entry in value for text in texts_in(entry))
    elif isinstance(value, str):
        yield value


def store_in_every_state(body: dict[str, Any]) -> list[str]:
    """Stores the request as jobs that wait, run, have failed and were refused, with canaries in SageMaker's texts."""
    budget, options = Budget.parse("ml.m5.large=9"), read_options(body, {})
    in_the_job = ("TrainingJobName", "Tags", "CheckpointConfig", "VpcConfig")
    # No job can be built from all members of SageMaker's model at once: some exclude each other.
    consistent = VALID | {name: body[name] for name in in_the_job} | {"StoppingCondition": {"MaxRuntimeInSeconds": 1}}
    job = build_job(consistent, options, owner=ADA, budget=budget, now=NOON)
    ended = replace(an_attempt(job).ended(outcome="failed", ended_at=NOON, choice=0, spot=False), failure_reason=CANARY)  # type: ignore[arg-type] # any outcome
    endings = {
        "failed": (JobState.FAILED, ReasonCode.FAILED),
        "refused": (JobState.FAILED, ReasonCode.CREATE_REFUSED),
        "lacks-quota": (JobState.PARKED, ReasonCode.CAPACITY),
        "retrying": (JobState.HELD, ReasonCode.RETRYING),
        "set-aside": (JobState.PARKED, ReasonCode.JOB_ERROR),
    }
    jobs = shared.job_stores().jobs
    jobs.submit(job, body)
    for name, (state, code) in endings.items():
        changes: dict[str, Any] = {"state": state, "reason": Reason(code, CANARY), "history": (ended,), "attempts": 1}
        changes["actions"] = (Action(NOON, ActionKind.PARKED, "queue", CANARY),)
        jobs.submit(changed_job(job, name=name, **changes), body)
    return ["theirs", *endings]


@pytest.fixture
def keep(table: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Adds the current record of a job to the history."""
    monkeypatch.setenv("HISTORY_DAYS", "365")
    monkeypatch.setenv("EVENT_BUS", "")
    from history.handler import handle

    def keep(job: str) -> None:
        image = boto3.client("dynamodb").get_item(TableName=table, Key=job_key(job))["Item"]
        record = {"dynamodb": {"ApproximateCreationDateTime": datetime.now(UTC).timestamp() // 1, "NewImage": image}}
        handle({"Records": [record]}, None)

    return keep


def assert_no_canary(call: Call, *jobs: str) -> None:
    """A stranger reads every route that shows jobs."""
    of_jobs = [path for name in jobs for path in (f"/jobs/{name}", f"/jobs/{name}/why")]
    for path in (*of_jobs, "/jobs", "/queue", "/history", "/pools", "/findings", "/spending", "/budget", "/whoami"):
        status, seen = call("GET", path, caller=STRANGER)
        found = [text for text in texts_in(seen) if CANARY in text]
        assert (path, status, found) == (path, 200, [])


def test_a_stranger_reads_no_text_of_a_request(call: Call, keep: Callable[[str], None]) -> None:
    body = whole_request()
    assert sum(CANARY in text for text in texts_in(body)) > 60
    names = store_in_every_state(body)
    for name in names:
        keep(name)
    assert_no_canary(call, *names)
    seen = call("GET", "/jobs/theirs", caller=STRANGER)[1]
    assert (seen["request"], seen["alternatives"]) == (SHOWN, [])
    assert call("GET", "/jobs/theirs")[1]["request"] == body
    assert {change["tags"][CANARY] for change in call("GET", "/history")[1]["changes"]} == {CANARY}
    assert call("GET", "/jobs/failed")[1]["reason"]["message"] == CANARY


def test_a_stranger_reads_no_text_of_a_request_while_it_runs_and_breaks_rules(
    call: Call, schedule: Callable[[], None], sagemaker: Simulation
) -> None:
    warning = rule_set(*({**rule, "mode": "warn"} for rule in BROKEN_RULES))
    configure(call, rules=warning, pools=pool_rules("ml.m5.large", "hold", keep="30m", dollars=1))
    assert call("POST", "/add-job", VALID)[0] == 201
    schedule()
    seen = Observation("InProgress", "Training", NOON, message=CANARY, failure_reason=CANARY)
    shared.job_stores().live_attempts.record_observation("running-sq-1", seen, by="training_events")
    assert_no_canary(call, "running")
    job = call("GET", "/jobs/running")[1]
    assert len({warning["rule"] for warning in job["warnings"]}) == len(BROKEN_RULES)
    assert job["attempts"][0]["message"] == CANARY
    for _ in range(2):
        sagemaker.run(700)
        schedule()
    (pool,) = call("GET", "/pools")[1]["pools"]
    assert CANARY in pool["match"]["RoleArn"]
    assert call("POST", "/add-job", VALID | {"TrainingJobName": "parked"})[0] == 201
    configure(call, rules=rule_set(*BROKEN_RULES))
    schedule()
    assert call("GET", "/jobs/parked")[1]["reason"]["code"] == "rule_violated"
    assert_no_canary(call, "running", "parked")


def test_no_oracle(call: Call) -> None:
    """A taken name gets the same answer from both calls, byte for byte, whatever the rest of the body is."""
    entries = [an_entry(f"role/{role}", name=role, verbs=("submit", "control_own")) for role in ("Scientist", "Other")]
    configure(call, callers=entries)
    assert call("POST", "/add-job", request("theirs"))[0] == 201
    bodies: tuple[dict[str, Any], ...] = (
        {"request": request("theirs")},
        {"request": request("theirs"), "client_token": "token"},
        {"request": request("theirs"), "options": {"hold": True}},
        {"request": request("theirs", priority=1)},
        {"request": VALID | {"TrainingJobName": "theirs"}},
        {"request": request("theirs", instances=99)},
        {"request": {"TrainingJobName": "theirs", "Unknown": 1}, "options": {"unknown": 1}},
    )
    answers = {raw_answer(path, body) for path in ("/jobs", "/what-if") for body in bodies}
    answers |= {raw_answer("/add-job", body["request"]) for body in bodies}
    ((status, text),) = answers
    assert (status, json.loads(text)["error"]) == (409, "name_taken")
    assert call("POST", "/jobs", {"request": request("theirs")})[0] == 200
    assert call("POST", "/what-if", {"request": request("theirs")}, caller=ROOT)[0] in (200, 403)


def test_hidden_fields_of_a_warm_pool_cannot_be_guessed_one_by_one(
    call: Call, schedule: Callable[[], None], sagemaker: Simulation
) -> None:
    entries = [an_entry(f"role/{role}", name=role, verbs=("submit", "control_own")) for role in ("Stranger", "Other")]
    configure(call, callers=entries, pools=pool_rules("ml.m5.large", "hold", keep="30m", dollars=1))
    role: dict[str, Any] = {"RoleArn": "arn:aws:iam::000000000000:role/SageMaker-project-x"}
    groups: dict[str, Any] = {"VpcConfig": {"Subnets": ["subnet"], "SecurityGroupIds": ["sg-secret"]}}
    assert call("POST", "/add-job", request("theirs", **role, **groups), caller=STRANGER)[0] == 201
    schedule()
    for _ in range(2):
        sagemaker.run(700)
        schedule()
    near_misses: tuple[dict[str, Any], ...] = (
        role,
        groups,
        {"VpcConfig": {"Subnets": ["subnet"], "SecurityGroupIds": ["sg"]}},
    )
    for number, guess in enumerate(near_misses):
        for caller in (STRANGER, OTHER):
            body = {"request": request(f"{caller[-3:]}-{number}", **guess), "options": {"hold": True}}
            assert call("POST", "/jobs", body, caller=caller)[0] == 201

    def misfits(job: str, caller: str) -> list[list[str]]:
        return [misfit["fields"] for misfit in call("GET", f"/jobs/{job}/why", caller=caller)[1]["pools"]]

    assert misfits("bob-0", OTHER) == [["VpcConfig.Subnets", "hidden fields"]]
    assert misfits("bob-1", OTHER) == misfits("bob-2", OTHER) == [["hidden fields"]]
    assert misfits("bob-1", STRANGER) == [["hidden fields"]], "she may control the pool, and not the job"
    assert misfits("eve-1", STRANGER) == [["RoleArn"]]


def raw_answer(path: str, body: object) -> tuple[int, str]:
    """Returns the status and the text that another submitter gets."""
    from api.handler import handle

    answer = handle(api_event("POST", path, json.dumps(body), {}, OTHER), Context())  # type: ignore[arg-type] # what handlers use of it
    return answer["statusCode"], answer["body"]
