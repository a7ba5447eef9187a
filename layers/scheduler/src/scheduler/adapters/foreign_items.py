"""Training jobs that went round the queue, and what was found, as DynamoDB items and back."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from scheduler.adapters.dynamodb_notation import attribute_values, plain
from scheduler.adapters.quarantine import UNKNOWN_TIME, read_or_instead
from scheduler.adapters.record_notation import converter, record
from scheduler.adapters.sort_keys import moment
from scheduler.domain.foreign import Finding, ForeignJob

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

    from scheduler.adapters.dynamodb_notation import Item

FOREIGN = "FOREIGN"
FINDINGS = "FINDINGS"
#: DynamoDB deletes them then: far longer than any training job runs, so each job is told of once.
FINDINGS_KEPT = timedelta(days=180)


def foreign_from(item: Item) -> ForeignJob:
    return converter.structure(plain(item), ForeignJob)


def foreign_key(name: str) -> dict[str, AttributeValueTypeDef]:
    return {"pk": {"S": FOREIGN}, "sk": {"S": name}}


def finding_item(finding: Finding, *, changed_by: str) -> dict[str, AttributeValueTypeDef]:
    key = finding_key(finding)
    expires = {"expires_at": int((finding.created_at + FINDINGS_KEPT).timestamp())}
    return key | record(converter.unstructure(finding) | expires, changed_by)


def finding_from(item: Item) -> Finding:
    return converter.structure(plain(item), Finding)


def finding_key(finding: Finding) -> dict[str, AttributeValueTypeDef]:
    return attribute_values({"pk": FINDINGS, "sk": f"{moment(finding.created_at)}#{finding.name}"})


def readable_finding(item: Item) -> Finding:
    """One that tells of a training job and nothing else, if need be."""
    return read_or_instead(
        finding_from, item, lambda broken: Finding(_name_in(broken), UNKNOWN_TIME, stopped=False, violations=())
    )


def _name_in(finding: Item) -> str:
    return finding["sk"]["S"].partition("#")[2]


def readable_foreign(item: Item) -> ForeignJob:
    return read_or_instead(foreign_from, item, lambda broken: ForeignJob(broken["sk"]["S"], UNKNOWN_TIME))
