"""A program that calls functions on SageMaker: `python -m sdks.programs.remote_calls SDK`, with SDK v2 or v3."""

import os
import sys
from importlib import import_module
from pathlib import Path

import sagequeue

sdk = sys.argv[1][:2]
module = import_module({"v2": "sagemaker.remote_function", "v3": "sagemaker.core.remote_function"}[sdk])
make_session = getattr(sagequeue, {"v2": "QueueSession", "v3": "queue_session"}[sdk])
bucket = os.environ["SAGEQUEUE_LOCAL_BUCKET"]
settings = {
    "image_uri": "000000000000.dkr.ecr.us-east-1.amazonaws.com/any:1",
    "role": os.environ["SAGEQUEUE_LOCAL_ROLE"],
    "instance_type": "ml.m5.large",
    "s3_root_uri": f"s3://{bucket}/remote",
    "s3_kms_key": None,
    "sagemaker_session": make_session(),
    # In place of an image: the interpreter that has this SDK.
    "environment_variables": {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
    "job_name_prefix": f"remote-of-{sys.argv[1]}",
}


def divide(dividend: int, divisor: int) -> tuple[int, int]:
    return divmod(dividend, divisor)


divide_remotely = module.remote(**settings)(divide)  # what `@remote` does
print("decorated:", divide_remotely(7, 2))
try:
    divide_remotely(7, 0)
except ZeroDivisionError as error:
    print("raised:", error)
with module.RemoteExecutor(**settings) as executor:
    print("executed:", executor.submit(divide, 9, 4).result())
