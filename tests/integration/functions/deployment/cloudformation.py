"""CloudFormation's side of a custom resource, and the files and operators of a deployment."""

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import boto3

from configuration.handler import handle
from configuration.response import MAX_BYTES
from integration.sagequeue.fakes.http import Call
from scheduler.core.configuration.configuration import ConfigVersion
from scheduler.wiring import config, shared

STACK = "arn:aws:cloudformation:eu-west-1:000000000000:stack/team-queue/52fdfc07"
AUTHOR, OPERATOR = "stack team-queue", "arn:aws:sts::000000000000:assumed-role/Scientist/ada"
FIRST = "policy: {patience: 10m}\n"
SECOND = "policy: {patience: 20m}\nrules: {rules: [{name: small, kind: instances_per_job, most: 2}]}\n"
THIRD = "policy: {patience: 30m}\n"
PATIENT_OPERATOR = "policy: {patience: 50m}\n"
REFUSED = "policy: {ordering: sideways}\npools:\n- {instance_type: ml.m5.large, use: nonsense}\n"


@dataclass(frozen=True)
class Context:
    log_stream_name: str = "2026/11/23/[$LATEST]abc"


class CloudFormation:
    """Sends the events of one custom resource, and keeps the properties that it has."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.answers: list[bytes] = []
        self.now: dict[str, Any] | None = None
        self.before: dict[str, Any] | None = None

    def answer(self, call: Call) -> tuple[int, Any]:
        self.answers.append(call.raw)
        return 200, {}

    def update(self, **properties: str) -> dict[str, Any]:
        """Sends Create at first, then Update, as a deployment or its rollback does."""
        self.before, self.now = self.now, {"Table": "queue", **properties}
        return self.send("Update" if self.before is not None else "Create")

    def deploy(self, **properties: str) -> None:
        succeeds(self.update(**properties))

    def roll_back(self) -> dict[str, Any]:
        assert self.before is not None
        return self.update(**self.before)

    def create_settings(self, **properties: str) -> dict[str, Any]:
        """Sends the first event of a deployment, before there is a table."""
        self.now = properties
        return self.send("Create")

    def send(self, request_type: str) -> dict[str, Any]:
        event = {"StackId": STACK, "RequestId": f"request-{len(self.answers)}", "LogicalResourceId": "Settings"}
        sent: dict[str, Any] = event | {"RequestType": request_type, "ResponseURL": self.url}
        sent["ResourceProperties"] = self.now or {}
        if request_type == "Update":
            sent |= {"OldResourceProperties": self.before, "PhysicalResourceId": "settings"}
        expected = len(self.answers) + 1
        handle(sent, Context())
        assert len(self.answers) == expected
        told: dict[str, Any] = json.loads(self.answers[-1])
        assert {name: told[name] for name in event} == event
        assert told["PhysicalResourceId"] == "settings"
        assert len(self.answers[-1]) <= MAX_BYTES
        return told


def upload(text: str | bytes, key: str = "queue.yaml") -> dict[str, str]:
    """Returns the properties that name the file."""
    content = text.encode() if isinstance(text, str) else text
    boto3.client("s3", region_name="us-east-1").put_object(Bucket="files", Key=key, Body=content)
    return {"Configuration": f"files/{key}@sha256:{sha256(content).hexdigest()}", "Force": "no"}


def digest_of(properties: dict[str, str]) -> str:
    return properties["Configuration"].rpartition(":")[2]


def forget(key: str = "queue.yaml") -> None:
    boto3.client("s3", region_name="us-east-1").delete_object(Bucket="files", Key=key)


def operator_applies(text: str) -> ConfigVersion:
    editor = config.editor()
    return editor.apply(editor.change(text), OPERATOR)


def in_force() -> ConfigVersion:
    return shared.configuration_reader().in_force()[0]


def sections() -> Any:
    return json.loads(in_force().sections)


def succeeds(told: dict[str, Any]) -> None:
    assert (told["Status"], told.get("Reason")) == ("SUCCESS", None)


def fails(told: dict[str, Any]) -> str:
    assert told["Status"] == "FAILED"
    assert told["Reason"].endswith("(log stream 2026/11/23/[$LATEST]abc)")
    return str(told["Reason"])
