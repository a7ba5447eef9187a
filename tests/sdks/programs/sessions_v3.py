"""A program of SDK v3 that makes its session again, as a cell of a notebook that runs twice, and uses no session.

Its jobs are on hold.
"""

import os
import sys

import boto3
from sagemaker.core.helper.session_helper import Session
from sagemaker.core.resources import TrainingJob
from sagemaker.core.shapes import AlgorithmSpecification, OutputDataConfig, ResourceConfig
from sagemaker.core.utils.utils import SageMakerClient
from sagemaker.train import ModelTrainer
from sagemaker.train.configs import Compute, SourceCode, StoppingCondition, Tag

from sagequeue import QueueClient, install, queue_session

BUCKET, ROLE = os.environ["SAGEQUEUE_LOCAL_BUCKET"], os.environ["SAGEQUEUE_LOCAL_ROLE"]
IMAGE = "000000000000.dkr.ecr.us-east-1.amazonaws.com/any:1"
queue = QueueClient()


def submit(session: Session, name: str) -> None:
    trainer = ModelTrainer(
        training_image=IMAGE,
        source_code=SourceCode(source_dir="examples/digits", entry_script="train.py"),
        compute=Compute(instance_type="ml.m5.2xlarge", instance_count=1),
        tags=[Tag(key="queue:hold", value="true")],
        base_job_name=name,
        role=ROLE,
        sagemaker_session=session,
    )
    trainer.train(wait=False)
    show(trainer._latest_training_job.training_job_name)  # the only way that SDK v3 has to it


def show(job: str) -> None:
    print(f"{job}:", queue.get(job)["state"])
    queue.cancel(job)


boto_session = boto3.Session()
SageMakerClient(session=boto_session)  # as after any call of the SDK
first = queue_session(boto_session, default_bucket=BUCKET)
submit(first, f"{sys.argv[1]}-once")
second = queue_session(boto_session, default_bucket=BUCKET)
submit(first, f"{sys.argv[1]}-early")
submit(second, f"{sys.argv[1]}-late")

SageMakerClient.reset()  # forgets the client of the first session, which the SDK also uses without a session
install()
without = TrainingJob.create(
    training_job_name=f"{sys.argv[1]}-without",
    algorithm_specification=AlgorithmSpecification(training_image=IMAGE, training_input_mode="File"),
    role_arn=ROLE,
    output_data_config=OutputDataConfig(s3_output_path=f"s3://{BUCKET}/out"),
    resource_config=ResourceConfig(instance_type="ml.m5.2xlarge", instance_count=1, volume_size_in_gb=30),
    stopping_condition=StoppingCondition(max_runtime_in_seconds=3600),
    tags=[{"key": "queue:hold", "value": "true"}],
)
show(without.training_job_name)
without.wait()
print("stopped:", without.training_job_status)
