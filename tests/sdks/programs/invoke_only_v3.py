"""A program of SDK v3 that waits with the log, and whose caller may invoke the queue's API and nothing else."""

import os
import sys

from sagemaker.core.resources import TrainingJob
from sagemaker.core.shapes import AlgorithmSpecification, OutputDataConfig, ResourceConfig, StoppingCondition
from sagemaker.core.utils.exceptions import FailedStatusError

from sagequeue import queue_session

name, command = sys.argv[1:]
session = queue_session(default_bucket=os.environ["SAGEQUEUE_LOCAL_BUCKET"])
job = TrainingJob.create(
    training_job_name=name,
    algorithm_specification=AlgorithmSpecification(
        training_image="000000000000.dkr.ecr.us-east-1.amazonaws.com/any:1",
        training_input_mode="File",
        container_entrypoint=["/bin/sh", "-c", command],
    ),
    role_arn=os.environ["SAGEQUEUE_LOCAL_ROLE"],
    output_data_config=OutputDataConfig(s3_output_path=f"s3://{os.environ['SAGEQUEUE_LOCAL_BUCKET']}/out"),
    resource_config=ResourceConfig(instance_type="ml.m5.large", instance_count=1, volume_size_in_gb=1),
    stopping_condition=StoppingCondition(max_runtime_in_seconds=600),
    session=session.boto_session,
)
try:
    job.wait(logs=True)
    print("model:", job.model_artifacts.s3_model_artifacts)
except FailedStatusError as error:
    print("error:", type(error).__name__, error)
