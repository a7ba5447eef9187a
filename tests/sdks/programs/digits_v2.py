"""A program of SDK v2 that trains and waits; another part of it attaches to the job by its name."""

import sys

from sagemaker.pytorch import PyTorch

from sagequeue import QueueSession, verify

name, epochs = sys.argv[1:]
session = QueueSession()
estimator = PyTorch(
    entry_point="train.py",
    source_dir="examples/digits",
    framework_version="2.0",
    py_version="py310",
    role="SageMakerLocalRole",
    instance_type="ml.m5.large",
    instance_count=1,
    hyperparameters={"epochs": int(epochs), "epoch-seconds": 1},
    checkpoint_s3_uri=f"s3://{session.default_bucket()}/checkpoints/{name}",
    sagemaker_session=session,
)
estimator.fit(job_name=name)
print("model:", estimator.model_data)

attached = PyTorch.attach(name, sagemaker_session=session)
print("attached:", attached.model_data)
print("clients verified:", verify())
