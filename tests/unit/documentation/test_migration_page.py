"""The rules on the page about migrating a team spare the queue's jobs and the named exceptions, and nothing else."""

import json
import re
from datetime import UTC, datetime

import pytest

from scheduler.core.guardrails import schema
from scheduler.core.guardrails.subject import Subject
from scheduler.core.sections.file_text import read_file
from support.checkout import CHECKOUT

PAGE = (CHECKOUT / "docs" / "admin" / "migrate.md").read_text()
NOW = datetime(2026, 12, 1, tzinfo=UTC)
NIGHTLY = {"Tags": [{"Key": "pipeline", "Value": "nightly"}]}
QUEUED = "arn:aws:sts::123456789012:assumed-role/Vision/ada"


def is_reported(file: str, subject: Subject) -> bool:
    (code,) = re.findall(rf"^( *)```yaml\n( *# {file}\n.*?)^\1```$", PAGE, re.MULTILINE | re.DOTALL)
    rules = schema.SCHEMA.parse(read_file(re.sub(f"^{code[0]}", "", code[1], flags=re.MULTILINE)).value["rules"])
    verdict = rules.check(subject, NOW)
    return bool(verdict.enforced or verdict.warnings)


@pytest.mark.parametrize("file", ["watch.yaml", "enforce.yaml"])
def test_direct_jobs_are_reported_and_queued_jobs_are_not(file: str) -> None:
    assert is_reported(file, Subject("direct", {}))
    assert not is_reported(file, Subject("queued", {}, QUEUED))


@pytest.mark.parametrize("subject", [Subject("pipelines-train-1", {}), Subject("any", NIGHTLY)], ids=["name", "tag"])
def test_jobs_that_stay_are_spared(subject: Subject) -> None:
    assert is_reported("watch.yaml", subject)
    assert not is_reported("enforce.yaml", subject)


def test_the_page_lists_each_call_that_the_policy_denies() -> None:
    section = (CHECKOUT / "docs/admin/iam.md").read_text().partition("## Deny direct submission\n")[2]
    (policy,) = re.findall(r"```json\n(.*?)```", section, re.DOTALL)
    (statement,) = json.loads(policy)["Statement"]
    table = PAGE.partition("| denied | why | instead |\n")[2].partition("\n\n")[0]
    listed = re.findall(r"`(sagemaker:\w+)`", table)
    assert sorted(listed) == sorted(statement["Action"])
