"""A deployment applies its file as a whole or fails, and never silently replaces what an operator applied."""

import json

import boto3
import pytest

from configuration.response import MAX_BYTES
from integration.functions.conftest import corrupt
from integration.functions.deployment.cloudformation import (
    AUTHOR,
    FIRST,
    OPERATOR,
    PATIENT_OPERATOR,
    REFUSED,
    SECOND,
    THIRD,
    CloudFormation,
    digest_of,
    fails,
    in_force,
    operator_applies,
    sections,
    succeeds,
    upload,
)


def test_a_file_is_applied_in_the_name_of_the_stack(stack: CloudFormation) -> None:
    named = upload(FIRST)
    stack.deploy(**named)
    applied = in_force()
    assert (applied.version, applied.author, applied.changed) == (1, AUTHOR, ("policy",))
    assert applied.comment == f"Deployed with digest {digest_of(named)[:12]}…"
    assert applied.deployed.digest == digest_of(named)


def test_a_refused_file_fails_the_deployment_with_its_mistakes(stack: CloudFormation) -> None:
    reason = fails(stack.update(**upload(REFUSED)))
    assert reason.startswith("The configuration file is refused: line 1: policy.ordering ")
    assert "; line 3: pools[0].use " in reason
    assert in_force().version == 0


def test_text_that_is_no_yaml_fails_the_deployment_with_its_line(stack: CloudFormation) -> None:
    assert "refused: line 2: " in fails(stack.update(**upload("policy:\n\tpatience: 1m\n")))


def test_bytes_that_are_no_text_fail_the_deployment(stack: CloudFormation) -> None:
    assert "is not UTF-8 text" in fails(stack.update(**upload(b"policy: \xff")))


@pytest.mark.parametrize("letter", ["x", "é", "😀", '"', "\\"])
def test_the_mistakes_are_cut_to_the_4_kb_of_an_answer(stack: CloudFormation, letter: str) -> None:
    text = json.dumps({letter * 400 + str(number): {} for number in range(90)}, ensure_ascii=False)
    assert "… (log stream" in fails(stack.update(**upload(text)))
    assert len(stack.answers[-1]) > MAX_BYTES - 40


def test_another_file_than_the_deployment_names_is_not_applied(stack: CloudFormation) -> None:
    named = upload(FIRST)
    found = digest_of(upload(SECOND))
    reason = fails(stack.update(**named))
    assert f"has the digest {found[:12]}…, but the deployment names {digest_of(named)[:12]}…" in reason
    assert "sha256sum" in reason
    assert in_force().version == 0


@pytest.mark.parametrize("place", ["files/other.yaml", "nowhere/queue.yaml"])
def test_a_missing_file_fails_the_deployment(stack: CloudFormation, place: str) -> None:
    reason = fails(stack.update(Configuration=f"{place}@sha256:{'0' * 64}", Force="no"))
    assert f"s3://{place} cannot be read (NoSuch" in reason


def test_text_that_is_no_address_fails_the_deployment_and_its_rollback_ends_well(stack: CloudFormation) -> None:
    stack.deploy(**upload(FIRST) | {"Force": "yes"})
    reason = fails(stack.update(Configuration="files/queue.yaml", Force="yes"))
    assert reason.startswith("Configuration: 'files/queue.yaml' is not the address of a file with its digest.")
    assert "bucket/key@sha256:" in reason
    assert "sha256sum" in reason
    succeeds(stack.roll_back())
    assert in_force().version == 1


def test_a_huge_object_fails_the_deployment(stack: CloudFormation) -> None:
    assert "a configuration has at most 262144" in fails(stack.update(**upload(b"#" * 300_000)))


def test_an_empty_object_fails_the_deployment(stack: CloudFormation) -> None:
    assert "The file is empty" in fails(stack.update(**upload("")))


def test_a_failure_of_the_table_fails_the_deployment_instead_of_hanging_it(
    stack: CloudFormation, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = upload(FIRST)
    boto3.client("dynamodb", region_name="eu-west-1").delete_table(TableName="queue")
    assert "ResourceNotFoundException" in fails(stack.update(**named))


def test_what_an_operator_applied_is_not_replaced(stack: CloudFormation) -> None:
    stack.deploy(**upload(FIRST))
    operator_applies(PATIENT_OPERATOR)
    reason = fails(stack.update(**upload(THIRD)))
    assert f"{OPERATOR} applied version 2 of the configuration at 20" in reason
    assert "sagequeue config plan FILE" in reason
    assert "ForceConfiguration=yes" in reason
    assert in_force().version == 2


def test_what_an_operator_applied_is_not_replaced_if_it_cannot_be_read_either(stack: CloudFormation) -> None:
    """A later release may read it: the function was only rolled back to an older one."""
    stack.deploy(**upload(FIRST))
    operator_applies(PATIENT_OPERATOR)
    corrupt(2)
    assert f"{OPERATOR} applied version 2" in fails(stack.update(**upload(THIRD)))
    stack.deploy(**upload(THIRD) | {"Force": "yes"})
    assert sections() == {"policy": {"patience": "30m"}}


def test_force_replaces_what_an_operator_applied(stack: CloudFormation) -> None:
    stack.deploy(**upload(FIRST))
    operator_applies(PATIENT_OPERATOR)
    stack.deploy(**upload(THIRD) | {"Force": "yes"})
    assert sections() == {"policy": {"patience": "30m"}}


def test_force_applies_the_same_file_again(stack: CloudFormation) -> None:
    stack.deploy(**upload(FIRST))
    operator_applies(PATIENT_OPERATOR)
    stack.deploy(**upload(FIRST) | {"Force": "yes"})
    assert sections() == {"policy": {"patience": "10m"}}


def test_a_first_file_does_not_replace_what_an_operator_applied(stack: CloudFormation) -> None:
    operator_applies(PATIENT_OPERATOR)
    assert "applied version 1" in fails(stack.update(**upload(FIRST)))


def test_a_file_with_the_changes_of_an_operator_takes_over_from_them(stack: CloudFormation) -> None:
    operator_applies(PATIENT_OPERATOR)
    stack.deploy(**upload(PATIENT_OPERATOR))
    assert (in_force().author, in_force().changed) == (AUTHOR, ())
    stack.deploy(**upload(THIRD))


def test_the_same_request_twice_applies_one_version(stack: CloudFormation) -> None:
    stack.deploy(**upload(FIRST))
    stack.deploy(**upload(SECOND))
    succeeds(stack.send("Update"))
    assert in_force().version == 2


def test_a_deployment_of_other_settings_leaves_what_operators_applied(stack: CloudFormation) -> None:
    stack.deploy(**upload(FIRST))
    operator_applies(PATIENT_OPERATOR)
    stack.deploy(**upload(FIRST), Checked="ml.m5.large=3")
    assert in_force().author == OPERATOR
