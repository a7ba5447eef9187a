"""A program of SDK v3 that trains and waits; another part of it reads the job by its name."""

import os
import sys

import boto3
from sagemaker.core.helper.session_helper import Session
from sagemaker.core.resources import TrainingJob
from sagemaker.train import ModelTrainer
from sagemaker.train.configs import CheckpointConfig, Compute, SourceCode

from sagequeue import install, queue_session, verify

name, epochs, *options = sys.argv[1:]
bucket = os.environ["SAGEQUEUE_LOCAL_BUCKET"]
if options:
    boto_session = boto3.Session()
    if options == ["installed"]:
        install(boto_session)
    session = Session(boto_session=boto_session, default_bucket=bucket)
else:
    session = queue_session(default_bucket=bucket)
trainer = ModelTrainer(
    training_image="000000000000.dkr.ecr.us-east-1.amazonaws.com/any:1",
    source_code=SourceCode(source_dir="examples/digits", entry_script="train.py"),
    compute=Compute(instance_type="ml.m5.large", instance_count=1),
    hyperparameters={"epochs": int(epochs), "epoch-seconds": 1},
    checkpoint_config=CheckpointConfig(s3_uri=f"s3://{bucket}/checkpoints/{name}"),
    base_job_name=name,
    role=os.environ["SAGEQUEUE_LOCAL_ROLE"],
    sagemaker_session=session,
)
trainer.train(wait=True)
job = trainer._latest_training_job  # the only way that SDK v3 has to it
print("model:", job.model_artifacts.s3_model_artifacts)

found = TrainingJob.get(job.training_job_name, session=session.boto_session)
found.wait()
print("attached:", found.model_artifacts.s3_model_artifacts)
if options != ["straight"]:
    print("clients verified:", verify())
