"""A program of SDK v3 that refreshes its TrainingJob until the queue has its end, and then waits: a failure, a success.

Its last refresh is usually from shortly before the end.
"""

import os
import sys
from typing import Any

from sagemaker.core.utils.exceptions import FailedStatusError
from sagemaker.train import ModelTrainer
from sagemaker.train.configs import Compute, SourceCode

from sagequeue import QueueClient, queue_session

queue = QueueClient()
session = queue_session(default_bucket=os.environ["SAGEQUEUE_LOCAL_BUCKET"], queue=queue)


def waited_for(name: str, command: str) -> Any:
    trainer = ModelTrainer(
        training_image="000000000000.dkr.ecr.us-east-1.amazonaws.com/any:1",
        source_code=SourceCode(command=command),
        compute=Compute(instance_type="ml.m5.2xlarge", instance_count=1),
        base_job_name=name,
        role=os.environ["SAGEQUEUE_LOCAL_ROLE"],
        sagemaker_session=session,
    )
    trainer.train(wait=False)
    job = trainer._latest_training_job  # the only way that SDK v3 has to it
    while queue.get(job.training_job_name)["state"] not in {"completed", "failed"}:
        job.refresh()
    job.wait()
    return job


try:
    print("bad job:", waited_for(f"{sys.argv[1]}-bad", "exit 1").training_job_status)
except FailedStatusError as error:
    print("bad job raises:", type(error).__name__)
good = waited_for(f"{sys.argv[1]}-good", "exit 0")
print("good job:", good.training_job_status, good.model_artifacts.s3_model_artifacts)
