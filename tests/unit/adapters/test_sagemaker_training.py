"""The adapter's observation of a training job that has ended."""

from collections.abc import Mapping
from datetime import timedelta

import boto3
from botocore.stub import Stubber

from scheduler.adapters.aws.sagemaker.training import SageMakerTraining
from scheduler.adapters.dynamodb.jobs.live_attempts import observation_update
from scheduler.core.jobs.attempt import Observation
from support.builders.jobs import NOON

MINUTE = timedelta(minutes=1)


def ended_after(*statuses: tuple[str, int], ends_as: str = "Stopped") -> Observation:
    """Returns the observation of an attempt that passed through these statuses, with their minutes."""
    transitions, now = list[Mapping[str, object]](), NOON
    for status, minutes in statuses:
        transitions.append({"Status": status, "StartTime": now, "EndTime": now + minutes * MINUTE})
        now += minutes * MINUTE
    answer = {
        "TrainingJobName": "resnet-sq-1",
        "TrainingJobArn": "arn:aws:sagemaker:us-east-1:123456789012:training-job/resnet-sq-1",
        "ModelArtifacts": {"S3ModelArtifacts": ""},
        "TrainingJobStatus": ends_as,
        "SecondaryStatus": ends_as,
        "StoppingCondition": {},
        "CreationTime": NOON,
        "TrainingStartTime": NOON,
        "TrainingEndTime": now,
        "SecondaryStatusTransitions": transitions,
    }
    client = boto3.client("sagemaker", region_name="eu-west-1", aws_access_key_id="any", aws_secret_access_key="any")
    with Stubber(client) as stubber:
        stubber.add_response("describe_training_job", answer)
        return SageMakerTraining(client).describe("resnet-sq-1")


def test_the_stop_of_an_attempt_is_no_cost_of_its_interruption() -> None:
    statuses = [("Training", 60), ("Interrupted", 5), ("Starting", 5), ("Training", 30), ("Stopping", 2)]
    seen = ended_after(*statuses)
    assert (seen.interruptions, seen.stretches) == (1, (3600, 32 * 60))


def test_an_upload_continues_the_work_of_an_attempt() -> None:
    assert ended_after(("Training", 60), ("Uploading", 3)).stretches == (63 * 60,)


def test_the_end_of_training_can_be_recorded_before_the_attempt_ends() -> None:
    seen = ended_after(("Training", 60), ends_as="Stopping")
    assert (seen.ended_at, seen.stretches) == (NOON + 60 * MINUTE, ())
    observation_update("resnet-sq-1", seen, by="schedule")  # the table takes no floats
