"""The deployed roles: each function may do its own work and nothing else."""

import boto3
import pytest

ACCOUNT = "000000000000"
REGION = "us-east-1"
OURS = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:training-job/resnet-sq-1"
SOMEBODY_ELSES = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:training-job/resnet"
ALARM = f"arn:aws:cloudwatch:{REGION}:{ACCOUNT}:alarm:sagequeue-sq/resnet-sq-1/idle/1"
API, SCHEDULE, TRAINING_EVENTS = "ApiFunction", "ScheduleFunction", "TrainingEventsFunction"
IDLE_ALARM, CONFIGURATION = "IdleAlarmFunction", "ConfigurationFunction"


@pytest.fixture(scope="module")
def resources(shell: dict[str, str]) -> dict[str, str]:
    """The stack's resources: logical to physical name."""
    stack = boto3.client("cloudformation").describe_stack_resources(StackName="sagequeue")["StackResources"]
    return {resource["LogicalResourceId"]: resource["PhysicalResourceId"] for resource in stack}


@pytest.mark.parametrize(
    ("function", "action", "resource"),
    [
        (API, "dynamodb:PutItem", "table"),
        (API, "s3:PutObject", "body"),
        (SCHEDULE, "sagemaker:CreateTrainingJob", OURS),
        (SCHEDULE, "sagemaker:StopTrainingJob", OURS),
        (SCHEDULE, "sagemaker:StopTrainingJob", SOMEBODY_ELSES),  # only because this account stops unmanaged jobs
        (SCHEDULE, "dynamodb:DeleteItem", "table"),
        (TRAINING_EVENTS, "dynamodb:UpdateItem", "table"),
        (IDLE_ALARM, "cloudwatch:GetMetricData", "*"),
        (IDLE_ALARM, "dynamodb:UpdateItem", "table"),
    ],
)
def test_a_function_may_do_its_own_work(resources: dict[str, str], function: str, action: str, resource: str) -> None:
    assert decision(resources, function, action, resource) == "allowed"


@pytest.mark.parametrize(
    ("function", "action", "resource"),
    [
        (API, "sagemaker:CreateTrainingJob", OURS),
        (API, "sagemaker:StopTrainingJob", OURS),
        (API, "iam:PassRole", f"arn:aws:iam::{ACCOUNT}:role/SageMakerLocalRole"),
        (API, "dynamodb:DeleteItem", "table"),
        (API, "s3:DeleteObject", "body"),
        (SCHEDULE, "sagemaker:CreateTrainingJob", SOMEBODY_ELSES),
        (SCHEDULE, "sagemaker:UpdateTrainingJob", OURS),  # the simulator knows no tags
        (SCHEDULE, "sagemaker:UpdateTrainingJob", SOMEBODY_ELSES),
        (SCHEDULE, "sagemaker:DeleteTrainingJob", OURS),
        (SCHEDULE, "iam:PassRole", f"arn:aws:iam::{ACCOUNT}:role/Administrator"),
        (SCHEDULE, "s3:PutObject", "body"),
        (SCHEDULE, "dynamodb:DeleteTable", "table"),
        (TRAINING_EVENTS, "dynamodb:PutItem", "table"),
        (TRAINING_EVENTS, "dynamodb:DeleteItem", "table"),
        (TRAINING_EVENTS, "s3:GetObject", "body"),
        (TRAINING_EVENTS, "sagemaker:DescribeTrainingJob", OURS),
        (IDLE_ALARM, "sagemaker:StopTrainingJob", OURS),
        (IDLE_ALARM, "cloudwatch:DeleteAlarms", ALARM),
        (IDLE_ALARM, "dynamodb:PutItem", "table"),
        (IDLE_ALARM, "dynamodb:DeleteItem", "table"),
        (CONFIGURATION, "dynamodb:DeleteItem", "table"),
        (CONFIGURATION, "dynamodb:UpdateItem", "table"),
        (CONFIGURATION, "s3:GetObject", "body"),
        (CONFIGURATION, "sagemaker:ListTrainingJobs", "*"),
        (CONFIGURATION, "iam:PassRole", f"arn:aws:iam::{ACCOUNT}:role/SageMakerLocalRole"),
    ],
)
def test_a_function_may_not_do_what_is_not_its_work(
    resources: dict[str, str], function: str, action: str, resource: str
) -> None:
    assert decision(resources, function, action, resource) == "implicitDeny"


def decision(resources: dict[str, str], function: str, action: str, resource: str) -> str:
    """Returns the verdict of IAM's policy simulator on the role that the function really has."""
    known = {
        "table": f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{resources['Queue']}",
        "body": f"arn:aws:s3:::{resources['Bodies']}/requests/resnet",
    }
    role = boto3.client("lambda").get_function_configuration(FunctionName=resources[function])["Role"]
    simulated = boto3.client("iam").simulate_principal_policy(
        PolicySourceArn=role, ActionNames=[action], ResourceArns=[known.get(resource, resource)]
    )
    return str(simulated["EvaluationResults"][0]["EvalDecision"])
