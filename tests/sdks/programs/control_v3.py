"""A program of SDK v3 that does not wait in `train`, and keeps its TrainingJob."""

import os
import sys

from sagemaker.core.utils.exceptions import TimeoutExceededError
from sagemaker.train import ModelTrainer
from sagemaker.train.configs import Compute, SourceCode, Tag

from sagequeue import JobQueue, QueueClient, queue_session

trainer = ModelTrainer(
    training_image="000000000000.dkr.ecr.us-east-1.amazonaws.com/any:1",
    source_code=SourceCode(source_dir="examples/digits", entry_script="train.py"),
    compute=Compute(instance_type="ml.m5.2xlarge", instance_count=1),
    hyperparameters={"epochs": 600, "epoch-seconds": 1},
    tags=[Tag(key="queue:hold", value="true")],
    base_job_name=sys.argv[1],
    role=os.environ["SAGEQUEUE_LOCAL_ROLE"],
    sagemaker_session=queue_session(default_bucket=os.environ["SAGEQUEUE_LOCAL_BUCKET"]),
)
trainer.train(wait=False)
job = trainer._latest_training_job  # the only way that SDK v3 has to it
print("held:", job.training_job_status, job.secondary_status)
try:
    job.wait(timeout=1)
except TimeoutExceededError as error:
    print("timeout:", error)

QueueClient().release(job.training_job_name)
handle = JobQueue().get_job(job.training_job_name)
handle.wait_until_running(timeout=120)
job.refresh()
print("refreshed:", job.training_job_status, job.training_job_name)
job.stop()
job.wait()
print("stopped:", job.training_job_status, handle.state)
