"""A program of a user of SDK v3 that trains the digits example: `train_digits.py NAME [queued]`."""

import logging
import os
import sys

import boto3
from sagemaker.core.helper.session_helper import Session
from sagemaker.train import ModelTrainer
from sagemaker.train.configs import CheckpointConfig, Compute, SourceCode

from sagequeue import QueueClient, install

logging.basicConfig(level=logging.INFO, format="%(message)s")  # SDK v3 shows the log of a job through logging
name, *options = sys.argv[1:]
boto_session = boto3.Session()
if options == ["queued"]:
    install(boto_session, QueueClient(session=boto_session))
bucket = os.environ["SAGEQUEUE_LOCAL_BUCKET"]
trainer = ModelTrainer(
    training_image="000000000000.dkr.ecr.us-east-1.amazonaws.com/any:1",
    source_code=SourceCode(source_dir="examples/digits", entry_script="train.py"),
    compute=Compute(instance_type="ml.m5.large", instance_count=1),
    hyperparameters={"epochs": 3, "epoch-seconds": 0},
    checkpoint_config=CheckpointConfig(s3_uri=f"s3://{bucket}/checkpoints/{name}"),
    base_job_name=name,
    role=os.environ["SAGEQUEUE_LOCAL_ROLE"],
    sagemaker_session=Session(boto_session=boto_session, default_bucket=bucket),
)
trainer.train(wait=True)
job = trainer._latest_training_job  # the only way that SDK v3 has to it
print(job.training_job_status, job.model_artifacts.s3_model_artifacts)
