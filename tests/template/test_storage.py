"""Data survives mistakes, and is not public."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any

import pytest

from support.stack.expanded_template import Stack


def test_the_table_has_the_keys_and_indexes_of_the_records_page(stack: Stack) -> None:
    (table,) = stack.of_type("AWS::DynamoDB::Table").values()
    indexes = {index["IndexName"]: index for index in table["GlobalSecondaryIndexes"]}
    keys = {name: [key["AttributeName"] for key in index["KeySchema"]] for name, index in indexes.items()}
    assert [key["AttributeName"] for key in table["KeySchema"]] == ["pk", "sk"]
    assert keys == {
        "queue": ["queue_pk", "queue_sk"],
        "lines": ["queue_pk", "line_sk"],
        "ended": ["ended_pk", "ended_sk"],
    }
    projected = {name: index["Projection"]["ProjectionType"] for name, index in indexes.items()}
    assert projected == {"queue": "INCLUDE", "lines": "ALL", "ended": "ALL"}


def test_old_records_expire(stack: Stack) -> None:
    (table,) = stack.of_type("AWS::DynamoDB::Table").values()
    assert table["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}


def test_the_table_streams_its_changes(stack: Stack) -> None:
    (table,) = stack.of_type("AWS::DynamoDB::Table").values()
    assert table["StreamSpecification"] == {"StreamViewType": "NEW_IMAGE"}


def test_the_table_can_be_restored_and_not_be_deleted_by_mistake(stack: Stack) -> None:
    (table,) = stack.of_type("AWS::DynamoDB::Table").values()
    assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert table["DeletionProtectionEnabled"] is True


@pytest.mark.parametrize("name", ["Queue", "Bodies"])
def test_what_users_submitted_outlives_the_stack(stack: Stack, name: str) -> None:
    resource = stack.expanded["Resources"][name]
    assert resource["UpdateReplacePolicy"] == "Retain"
    assert resource["DeletionPolicy"] in {"Retain", "RetainExceptOnCreate"}  # test_order.py says why


def test_bodies_are_encrypted_and_private(stack: Stack) -> None:
    (bucket,) = stack.of_type("AWS::S3::Bucket").values()
    assert bucket["BucketEncryption"]
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    assert len(bucket["PublicAccessBlockConfiguration"]) == 4


def test_bodies_travel_over_tls_only(stack: Stack) -> None:
    (policy,) = stack.of_type("AWS::S3::BucketPolicy").values()
    statement = policy["PolicyDocument"]["Statement"][0]
    assert (statement["Effect"], statement["Principal"], statement["Action"]) == ("Deny", "*", "s3:*")
    assert statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}


def test_only_the_functions_that_use_bodies_may_touch_them(stack: Stack) -> None:
    (policy,) = stack.of_type("AWS::S3::BucketPolicy").values()
    statement = policy["PolicyDocument"]["Statement"][1]
    assert (statement["Effect"], statement["Principal"]) == ("Deny", "*")
    roles = statement["Condition"]["ArnNotEquals"]["aws:PrincipalArn"]
    assert {role["Fn::GetAtt"][0] for role in roles} == {"ApiFunctionRole", "ScheduleFunctionRole"}
    denied = statement["Action"]
    for action in ("s3:GetObject", "s3:GetObjectVersion", "s3:PutObject", "s3:PutObjectAcl", "s3:DeleteObject"):
        assert any(fnmatchcase(action, pattern) for pattern in denied), action


def test_whoever_deploys_may_still_change_the_bucket(stack: Stack) -> None:
    (policy,) = stack.of_type("AWS::S3::BucketPolicy").values()
    (_, *others) = policy["PolicyDocument"]["Statement"]
    denied = [statement for statement in others if statement["Effect"] == "Deny"]
    assert [statement["Resource"]["Fn::Sub"] for statement in denied] == [
        "${Bodies.Arn}/requests/*",
        "${Bodies.Arn}/stops/*",
    ]
    for action in ("s3:PutBucketPolicy", "s3:DeleteBucketPolicy", "s3:GetBucketPolicy", "s3:ListBucket"):
        assert not any(fnmatchcase(action, pattern) for one in denied for pattern in one["Action"]), action


def test_programs_read_their_notice_and_acknowledge_and_nothing_else(stack: Stack) -> None:
    (policy,) = stack.of_type("AWS::S3::BucketPolicy").values()
    allowed = [statement for statement in policy["PolicyDocument"]["Statement"] if statement["Effect"] == "Allow"]
    assert [(statement["Action"], statement["Resource"]["Fn::Sub"]) for statement in allowed] == [
        ("s3:GetObject", "${Bodies.Arn}/stops/*"),
        ("s3:PutObject", "${Bodies.Arn}/acks/*"),
    ]
    roles = {"Fn::Sub": "arn:${AWS::Partition}:iam::${AWS::AccountId}:role/${ExecutionRolePattern}"}
    for statement in allowed:  # S3 counts a policy without the fixed account as public
        assert statement["Condition"] == {
            "StringEquals": {"aws:PrincipalAccount": {"Ref": "AWS::AccountId"}},
            "ArnLike": {"aws:PrincipalArn": roles},
        }


def test_the_objects_of_attempts_expire_after_the_longest_attempt(stack: Stack) -> None:
    (bucket,) = stack.of_type("AWS::S3::Bucket").values()
    rules = bucket["LifecycleConfiguration"]["Rules"]
    expired = {rule["Prefix"]: rule["ExpirationInDays"] > 2 * 28 for rule in rules if "Prefix" in rule}
    assert expired == {"stops/": True, "acks/": True}


def test_parts_of_uploads_that_nobody_completes_are_removed(stack: Stack) -> None:
    """Training roles may begin uploads; their parts expire with no object, and cost until somebody finds them."""
    (bucket,) = stack.of_type("AWS::S3::Bucket").values()
    (rule,) = (rule for rule in bucket["LifecycleConfiguration"]["Rules"] if "Prefix" not in rule)
    assert (rule["Status"], rule["AbortIncompleteMultipartUpload"]) == ("Enabled", {"DaysAfterInitiation": 1})


def test_an_acknowledgement_reaches_its_function_by_name_only(stack: Stack) -> None:
    rule = stack.expanded["Resources"]["Acknowledgements"]["Properties"]
    assert rule["EventPattern"]["detail"]["object"] == {"key": [{"prefix": "acks/"}]}
    (target,) = rule["Targets"]
    assert target["Arn"] == {"Fn::GetAtt": ["TrainingEventsFunction", "Arn"]}
    assert target["InputTransformer"]["InputTemplate"] == '{"id": <id>, "acknowledgement": <key>}'


def test_only_our_rules_and_our_topics_may_send_dead_letters(stack: Stack) -> None:
    policy = stack.of_type("AWS::SQS::QueuePolicy")["DeadLettersPolicy"]
    *always, for_webhooks = policy["PolicyDocument"]["Statement"]
    condition, statement, _ = for_webhooks["Fn::If"]
    assert (condition, statement["Condition"]) == (
        "SendsWebhooks",
        {"ArnEquals": {"aws:SourceArn": {"Ref": "MailedNotices"}}},
    )
    of_rules, of_topic = (statement["Condition"]["ArnEquals"]["aws:SourceArn"] for statement in always)
    assert sorted(of_rules, key=str) == sorted(_rules_with_dead_letters(stack), key=str)
    assert of_topic == {"Ref": "IdleAlarms"}


def _rules_with_dead_letters(stack: Stack) -> Iterator[dict[str, Any]]:
    """Yields the ARN of each rule, under the rule's condition."""
    for name, rule in stack.of_type("AWS::Events::Rule").items():
        if any("DeadLetterConfig" in target for target in rule.get("Targets", ())):
            arn = {"Fn::GetAtt": [name, "Arn"]}
            condition = stack.expanded["Resources"][name].get("Condition")
            yield {"Fn::If": [condition, arn, {"Ref": "AWS::NoValue"}]} if condition else arn
