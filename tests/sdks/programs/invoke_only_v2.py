"""A program of SDK v2 that waits in `fit`, and whose caller may invoke the queue's API and nothing else."""

import os
import sys

from sagemaker.estimator import Estimator
from sagemaker.exceptions import UnexpectedStatusException

from sagequeue import QueueSession

name, command = sys.argv[1:]
estimator = Estimator(
    image_uri="000000000000.dkr.ecr.us-east-1.amazonaws.com/any:1",
    container_entry_point=["/bin/sh", "-c", command],
    role=os.environ["SAGEQUEUE_LOCAL_ROLE"],
    instance_type="ml.m5.large",
    instance_count=1,
    output_path=f"s3://{os.environ['SAGEQUEUE_LOCAL_BUCKET']}/out",
    sagemaker_session=QueueSession(),
)
try:
    estimator.fit(job_name=name)
    print("model:", estimator.model_data)
except UnexpectedStatusException as error:
    print("error:", type(error).__name__, error)
