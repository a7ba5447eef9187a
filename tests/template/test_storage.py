"""Data survives mistakes, and is not public."""

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
        "submissions": ["list_pk", "list_sk"],
    }
    projected = {name: index["Projection"]["ProjectionType"] for name, index in indexes.items()}
    assert projected == {"queue": "INCLUDE", "lines": "ALL", "submissions": "ALL"}


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
    assert (resource["DeletionPolicy"], resource["UpdateReplacePolicy"]) == ("Retain", "Retain")


def test_bodies_are_encrypted_and_private(stack: Stack) -> None:
    (bucket,) = stack.of_type("AWS::S3::Bucket").values()
    assert bucket["BucketEncryption"]
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    assert len(bucket["PublicAccessBlockConfiguration"]) == 4


def test_bodies_travel_over_tls_only_except_on_the_local_account(stack: Stack) -> None:
    (policy,) = stack.of_type("AWS::S3::BucketPolicy").values()
    (statement,) = policy["PolicyDocument"]["Statement"]
    assert (statement["Effect"], statement["Principal"], statement["Action"]) == ("Deny", "*", "s3:*")
    assert statement["Condition"] == {
        "Bool": {"aws:SecureTransport": "false"},
        "StringNotEquals": {"aws:ResourceAccount": "000000000000"},
    }


def test_only_our_rules_and_our_topic_may_send_dead_letters(stack: Stack) -> None:
    (policy,) = stack.of_type("AWS::SQS::QueuePolicy").values()
    ours, others = ({"Fn::GetAtt": [rule, "Arn"]} for rule in ("TrainingEventsFunctionStateChange", "UnmanagedJobs"))
    rules = [ours, {"Fn::If": ["GuardsUnmanagedJobs", others, {"Ref": "AWS::NoValue"}]}]
    sources = [rules, {"Ref": "IdleAlarms"}]
    conditions = [statement["Condition"] for statement in policy["PolicyDocument"]["Statement"]]
    assert conditions == [{"ArnEquals": {"aws:SourceArn": source}} for source in sources]
