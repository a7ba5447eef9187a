"""Encryption: AWS's keys, or the customer's key if it is set."""

import pytest

from support.stack.expanded_template import Stack, as_list, walk

KEY = {"Fn::GetAtt": ["Key", "Arn"]}
LOG_GROUPS = (
    "AccessLogs",
    "ApiLogs",
    "CallbacksLogs",
    "ConfigurationLogs",
    "HistoryLogs",
    "IdleAlarmLogs",
    "ScheduleLogs",
    "TrainingEventsLogs",
    "WebhooksLogs",
)
#: Roles without their own statement. CloudFormation may attach this policy after Lambda has checked a role.
USERS_OF_THE_KEY = {
    "ApiFunctionRole",
    "IdleAlarmFunctionRole",
    "ScheduleFunctionSweepRole",  # it leaves a dead letter
    "TrainingEventsFunctionRole",
}


@pytest.fixture(scope="module")
def owned(stack: Stack) -> Stack:
    return stack.where(HasCustomerKey=True, SendsCallbacksWithKey=True)


@pytest.fixture(scope="module")
def usual(stack: Stack) -> Stack:
    return stack.where(HasCustomerKey=False, SendsCallbacksWithKey=False)


def test_usually_aws_keeps_the_keys(usual: Stack) -> None:
    (table,) = usual.of_type("AWS::DynamoDB::Table").values()
    (bucket,) = usual.of_type("AWS::S3::Bucket").values()
    queues = usual.of_type("AWS::SQS::Queue")
    assert table["SSESpecification"] == {"SSEEnabled": True, "SSEType": "KMS"}
    assert bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"] == [
        {"ServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}
    ]
    assert queues.keys() == {"DeadLetters", "WebhookQueue"}
    assert all(queue["SqsManagedSseEnabled"] and "KmsMasterKeyId" not in queue for queue in queues.values())
    for topic in ("MailedNotices", "Notices"):
        assert usual.of_type("AWS::SNS::Topic")[topic] == {"KmsMasterKeyId": "alias/aws/sns"}
    assert usual.of_type("AWS::KMS::Key") == {}


def test_topics_of_alarms_have_no_key_that_cloudwatch_cannot_use(usual: Stack, observability: Stack) -> None:
    (nested,) = usual.of_type("AWS::CloudFormation::Stack").values()
    assert nested["Parameters"]["KeyArn"] == ""
    assert observability.source["Conditions"]["HasKey"] == {"Fn::Not": [{"Fn::Equals": [{"Ref": "KeyArn"}, ""]}]}
    assert observability.where(HasKey=False).of_type("AWS::SNS::Topic") == {"Alerts": {}}
    assert usual.of_type("AWS::SNS::Topic")["IdleAlarms"] == {}


def test_with_a_customers_key_everything_that_is_kept_has_it(owned: Stack, observability: Stack) -> None:
    (table,) = owned.of_type("AWS::DynamoDB::Table").values()
    (bucket,) = owned.of_type("AWS::S3::Bucket").values()
    queues = owned.of_type("AWS::SQS::Queue").values()
    assert table["SSESpecification"]["KMSMasterKeyId"] == KEY
    (rule,) = bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert rule["ServerSideEncryptionByDefault"] == {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": KEY}
    assert all(queue["KmsMasterKeyId"] == KEY and "SqsManagedSseEnabled" not in queue for queue in queues)
    topics = owned.of_type("AWS::SNS::Topic")
    topics_with_key = {name for name, topic in topics.items() if topic["KmsMasterKeyId"] == KEY}
    assert topics_with_key == topics.keys() == {"IdleAlarms", "MailedNotices", "Notices"}
    (nested,) = owned.of_type("AWS::CloudFormation::Stack").values()
    assert nested["Parameters"]["KeyArn"] == KEY
    alerts = observability.where(HasKey=True).of_type("AWS::SNS::Topic")["Alerts"]
    assert alerts["KmsMasterKeyId"] == {"Ref": "KeyArn"}
    groups = owned.of_type("AWS::Logs::LogGroup")
    assert {name: group["KmsKeyId"] for name, group in groups.items()} == dict.fromkeys(LOG_GROUPS, KEY)


def test_the_key_outlives_the_stack_as_what_it_encrypts_does(owned: Stack) -> None:
    resource = owned.expanded["Resources"]["Key"]
    assert (resource["DeletionPolicy"], resource["UpdateReplacePolicy"]) == ("RetainExceptOnCreate", "Retain")
    assert resource["Properties"]["EnableKeyRotation"] is True


def test_the_key_serves_the_services_that_write_by_themselves(owned: Stack) -> None:
    (key,) = owned.of_type("AWS::KMS::Key").values()
    services = {
        str(service): statement.get("Condition")
        for statement in key["KeyPolicy"]["Statement"]
        for service in (as_list(statement["Principal"].get("Service", [])) if statement["Principal"] != "*" else [])
    }
    assert services.pop("cloudwatch.amazonaws.com") == {
        "StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}
    }
    # Requests of EventBridge carry no source; with a condition each dead letter would be lost.
    assert services.pop("events.amazonaws.com") is None
    assert services.pop("sns.amazonaws.com") is None
    ((logs, condition),) = services.items()
    assert "logs.${AWS::Region}.${AWS::URLSuffix}" in logs  # in China it ends with amazonaws.com.cn
    (context,) = condition["ArnLike"].values()
    assert context["Fn::Sub"].endswith(":log-group:${AWS::StackName}-*")


def test_programs_use_the_key_through_s3_only(owned: Stack) -> None:
    (key,) = owned.of_type("AWS::KMS::Key").values()
    (statement,) = (one for one in key["KeyPolicy"]["Statement"] if one["Principal"] == "*")
    assert statement["Action"] == ["kms:Decrypt", "kms:GenerateDataKey"]
    assert statement["Condition"]["StringEquals"] == {
        "aws:PrincipalAccount": {"Ref": "AWS::AccountId"},
        "kms:ViaService": {"Fn::Sub": "s3.${AWS::Region}.${AWS::URLSuffix}"},
    }
    assert statement["Condition"]["ArnLike"]["aws:PrincipalArn"]["Fn::Sub"].endswith(":role/${ExecutionRolePattern}")


def test_functions_use_the_key_through_the_services_that_keep_our_data_only(owned: Stack) -> None:
    policy = owned.of_type("AWS::IAM::Policy")["UseTheKey"]
    (statement,) = policy["PolicyDocument"]["Statement"]
    assert statement["Resource"] == KEY
    assert not [action for action in statement["Action"] if "*" in action]
    services = [name["Fn::Sub"].partition(".")[0] for name in statement["Condition"]["StringEquals"]["kms:ViaService"]]
    assert services == ["dynamodb", "s3", "sns", "sqs"]
    assert {role["Ref"] for role in policy["Roles"]} == USERS_OF_THE_KEY <= owned.of_type("AWS::IAM::Role").keys()


@pytest.mark.parametrize(
    ("function", "services"),
    [
        ("ConfigurationFunction", ["dynamodb"]),
        ("HistoryFunction", ["dynamodb", "sns", "sqs"]),
        ("ScheduleFunction", ["dynamodb", "s3", "sns", "sqs"]),
        ("WebhooksFunction", ["sqs"]),
    ],
)
def test_a_function_that_the_deployment_checks_or_calls_may_use_the_key_from_the_start(
    owned: Stack, function: str, services: list[str]
) -> None:
    (statement,) = (one for one in owned.statements_of(function) if one.get("Resource") == KEY)
    given = as_list(statement["Condition"]["StringEquals"]["kms:ViaService"])
    assert [name["Fn::Sub"].partition(".")[0] for name in given] == services


def test_lambda_checks_the_roles_of_these_functions_only(owned: Stack) -> None:
    """It tries to read the source of a mapping when the mapping is created."""
    mappings = owned.of_type("AWS::Lambda::EventSourceMapping").values()
    checked = {mapping["FunctionName"]["Ref"] for mapping in mappings}
    assert checked == {"HistoryFunction", "ScheduleFunction", "WebhooksFunction"}


def test_callbacks_use_the_key_of_the_table_and_of_dead_letters(owned: Stack) -> None:
    policy = owned.of_type("AWS::IAM::Policy")["UseTheKeyForCallbacks"]
    (statement,) = policy["PolicyDocument"]["Statement"]
    services = [name["Fn::Sub"].partition(".")[0] for name in statement["Condition"]["StringEquals"]["kms:ViaService"]]
    assert services == ["dynamodb", "sqs"]
    roles = {role["Ref"] for role in policy["Roles"]}
    assert roles == {"CallbacksFunctionRole", "CallbacksFunctionRunRole"} <= owned.of_type("AWS::IAM::Role").keys()


def test_nothing_names_the_key_where_there_is_none(usual: Stack) -> None:
    assert not [one for one in walk(usual.expanded["Resources"]) if one == KEY]
