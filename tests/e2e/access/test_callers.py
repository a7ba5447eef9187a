"""Permissions of callers on the deployed stack: sessions of real roles sign the calls."""

import json
from collections.abc import Callable
from typing import Any

import boto3
import pytest

from sagequeue import LocksOut, NotPermitted, QueueClient
from support.builders.callers import an_entry
from support.deployed.container_requests import body
from support.deployed.rest_api import RestApi
from support.deployed.waiting import eventually

ACCOUNT = "000000000000"
EVERYBODY = an_entry("*", name="everybody", verbs=("submit", "control_own"))
POOLS = '[{"instance_type": "ml.m5.large", "use": "reuse", "keep": "5m"}]'
TRUSTED = {"Effect": "Allow", "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:root"}, "Action": "sts:AssumeRole"}
INVOKES = {"Effect": "Allow", "Action": "execute-api:Invoke", "Resource": "*"}

SessionOf = Callable[[str, str], boto3.Session]


@pytest.fixture(scope="module")
def session_of(shell: dict[str, str]) -> SessionOf:
    """Assume a role under a session's name."""
    for name, path in (("Vision", "/"), ("Nlp", "/"), ("VisionCI", "/teams/vision/")):
        make_role(name, path)

    def session_of(role: str, session_name: str) -> boto3.Session:
        arn = boto3.client("iam").get_role(RoleName=role)["Role"]["Arn"]
        given = boto3.client("sts").assume_role(RoleArn=arn, RoleSessionName=session_name)["Credentials"]
        return boto3.Session(given["AccessKeyId"], given["SecretAccessKey"], given["SessionToken"])

    return session_of


def make_role(name: str, path: str) -> None:
    iam = boto3.client("iam")
    iam.create_role(RoleName=name, Path=path, AssumeRolePolicyDocument=policy(TRUSTED))
    iam.put_role_policy(RoleName=name, PolicyName="invoke", PolicyDocument=policy(INVOKES))


def policy(*statements: dict[str, Any]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


def apply(operator: QueueClient, *entries: dict[str, Any]) -> None:
    operator.apply_config(json.dumps(entries), "callers")


def held(name: str) -> dict[str, Any]:
    return body(name) | {"Tags": [{"Key": "queue:hold", "Value": "true"}]}


def test_a_job_belongs_to_its_role_in_every_session(session_of: SessionOf) -> None:
    vision, again = (QueueClient(session=session_of("Vision", name)) for name in ("ada", "ada-again"))
    resembling = QueueClient(session=session_of("Nlp", "Vision"))
    vision.submit(held("visions"))
    with pytest.raises(NotPermitted) as refusal:
        resembling.cancel("visions")
    assert "role/Nlp lacks the permission control_team or operate" in str(refusal.value)
    assert "Vision" not in str(refusal.value)
    assert vision.get("visions")["state"] == "held"
    assert again.cancel("visions")["state"] == "stopped"


def test_jobs_of_others_are_shown_without_what_may_be_secret(session_of: SessionOf) -> None:
    vision, nlp = (QueueClient(session=session_of(role, "somebody")) for role in ("Vision", "Nlp"))
    vision.submit(held("secretive") | {"Environment": {"TOKEN": "canary-5f1e"}})
    assert "canary-5f1e" in json.dumps(vision.get("secretive"))
    assert "canary-5f1e" not in json.dumps(nlp.get("secretive"))
    vision.cancel("secretive")


@pytest.mark.parametrize(
    "act",
    [
        QueueClient.drain,
        QueueClient.resume,
        QueueClient.reset_budget,
        lambda client: client.set_budget({"ml.m5.large": 1}),
    ],
    ids=["drain", "resume", "reset budget", "set budget"],
)
def test_calls_about_the_whole_queue_are_for_operators(
    session_of: SessionOf, act: Callable[[QueueClient], object]
) -> None:
    with pytest.raises(NotPermitted, match="role/Vision lacks the permission operate"):
        act(QueueClient(session=session_of("Vision", "root")))


@pytest.mark.parametrize(
    ("lacking", "act"),
    [
        ("config:callers", lambda client: client.config("callers")),
        ("config:callers", lambda client: apply(client, EVERYBODY)),
        ("config:policy", lambda client: client.apply_config("{}", "policy")),
        ("operate", lambda client: client.apply_config("rules: {}")),
        ("config:rules", lambda client: client.plan_config("{}", "rules")),
        ("operate", lambda client: client.roll_back_config(1)),
    ],
    ids=["show callers", "apply callers", "apply a section", "apply a file", "plan", "roll back"],
)
def test_the_configuration_is_changed_only_with_permission(
    session_of: SessionOf, lacking: str, act: Callable[[QueueClient], object]
) -> None:
    with pytest.raises(NotPermitted, match=f"role/Vision lacks the permission {lacking}\\."):
        act(QueueClient(session=session_of("Vision", "root")))


def test_a_permission_for_one_kind_is_for_no_other(session_of: SessionOf, operator: QueueClient) -> None:
    apply(operator, an_entry("role/Vision", verbs=("submit", "config:pools")))
    vision = QueueClient(session=session_of("Vision", "ada"))
    assert "callers" not in vision.config()["sections"]
    applied = vision.apply_config(
        '[{"instance_type": "ml.m5.large", "use": "reuse", "keep": "5m"}]', "pools", comment="cheaper"
    )
    assert (applied["changed"], applied["comment"], applied["author"]) == (["pools"], "cheaper", vision.whoami()["arn"])
    before = operator.config()
    with pytest.raises(NotPermitted, match="lacks the permission config:policy"):
        vision.apply_config("pools: []\npolicy: {ordering: shortest}\n")
    assert operator.config() == before


def test_an_entry_limits_a_role(session_of: SessionOf, operator: QueueClient) -> None:
    limited = an_entry("role/Vision", priority_ceiling=5, instance_types=["ml.m5.*"], verbs=("submit", "control_own"))
    apply(operator, limited)
    vision, nlp = (QueueClient(session=session_of(role, "somebody")) for role in ("Vision", "Nlp"))
    assert vision.whoami()["priority_ceiling"] == 5
    with pytest.raises(NotPermitted, match="Priority 6 is not allowed"):
        vision.submit(body("urgent", priority=6))
    with pytest.raises(NotPermitted, match="lacks the permission submit"):
        nlp.submit(body("nlps"))
    with pytest.raises(NotPermitted) as refusal:
        vision.submit(body("administrator") | {"RoleArn": f"arn:aws:iam::{ACCOUNT}:role/Administrator"})
    assert refusal.value.field == "RoleArn"


def test_a_role_with_a_path_is_known_by_its_name(session_of: SessionOf, operator: QueueClient) -> None:
    apply(operator, an_entry(f"arn:aws:iam::{ACCOUNT}:role/teams/vision/VisionCI"))
    for role, verbs in (("VisionCI", ["submit"]), ("Vision", [])):
        assert QueueClient(session=session_of(role, "somebody")).whoami()["verbs"] == verbs


def test_a_job_does_not_start_when_its_owner_may_not_run_it_any_more(
    session_of: SessionOf, operator: QueueClient, rest_api: RestApi
) -> None:
    QueueClient(session=session_of("Vision", "ada")).submit(held("overtaken"))
    apply(operator, an_entry("role/Vision", verbs=("control_own",)), an_entry("role/Nlp", name="nlp"))
    operator.release("overtaken")
    parked = eventually(lambda: rest_api.job("overtaken"), lambda job: job["state"] == "parked")
    assert parked["reason"]["code"] == "not_permitted"
    assert parked["attempts"] == []
    operator.cancel("overtaken")


def test_an_operator_of_the_configuration_does_not_lock_themselves_out_by_mistake(
    session_of: SessionOf, operator: QueueClient
) -> None:
    apply(operator, an_entry("role/Nlp", verbs=("submit", "operate")))
    nlp = QueueClient(session=session_of("Nlp", "bob"))
    with pytest.raises(LocksOut):
        apply(nlp, EVERYBODY)
    apply(operator, EVERYBODY)
    with pytest.raises(NotPermitted):
        nlp.config("callers")
