"""A program of SDK v3 that makes its session again, as a cell of a notebook that runs twice; its jobs are on hold."""

import os
import sys

import boto3
from sagemaker.core.helper.session_helper import Session
from sagemaker.core.utils.utils import SageMakerClient
from sagemaker.train import ModelTrainer
from sagemaker.train.configs import Compute, SourceCode, Tag

from sagequeue import QueueClient, queue_session

BUCKET, ROLE = os.environ["SAGEQUEUE_LOCAL_BUCKET"], os.environ["SAGEQUEUE_LOCAL_ROLE"]
queue = QueueClient()


def submit(session: Session, name: str) -> None:
    trainer = ModelTrainer(
        training_image="000000000000.dkr.ecr.us-east-1.amazonaws.com/any:1",
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
