"""Programs of SDK v3: `python -m sdks.programs.corpus_v3 PROGRAM…`."""

import os
import sys
from typing import Any

import boto3
from sagemaker.core.helper.session_helper import Session
from sagemaker.core.shapes import InstancePreference
from sagemaker.train import ModelTrainer
from sagemaker.train.configs import (
    CheckpointConfig,
    Compute,
    InputData,
    MetricDefinition,
    Networking,
    RetryStrategy,
    SourceCode,
    StoppingCondition,
    Tag,
    TensorBoardOutputConfig,
)
from sagemaker.train.distributed import Torchrun

from sagequeue import queue_session
from sdks.programs.corpus import name_of, tell

BUCKET, ROLE = os.environ["SAGEQUEUE_LOCAL_BUCKET"], os.environ["SAGEQUEUE_LOCAL_ROLE"]
IMAGE = "763104351884.dkr.ecr.us-west-2.amazonaws.com/pytorch-training:2.5.1-gpu-py311-cu124-ubuntu22.04-sagemaker"
SCRIPT = SourceCode(source_dir="examples/digits", entry_script="train.py")


def trainer(session: Session, name: str, compute: Compute, **arguments: Any) -> ModelTrainer:
    given = {"source_code": SCRIPT, **arguments}
    return ModelTrainer(
        training_image=IMAGE, role=ROLE, base_job_name=name, sagemaker_session=session, compute=compute, **given
    )


def source_code(session: Session) -> ModelTrainer:
    return trainer(
        session,
        "v3-source-code",
        Compute(instance_type="ml.g5.2xlarge", instance_count=1),
        hyperparameters={"epochs": 3, "lr": 1e-4, "flags": ["a", "b"], "nested": {"x": 1}, "on": True},
        environment={"TOKENIZERS_PARALLELISM": "false"},
        tags=[Tag(key="project", value="vision")],
        input_data_config=[InputData(channel_name="train", data_source=f"s3://{BUCKET}/data/train")],
    )


def torchrun(session: Session) -> ModelTrainer:
    return trainer(
        session,
        "v3-torchrun",
        Compute(
            instance_type="ml.p4d.24xlarge", instance_count=2, volume_size_in_gb=500, enable_managed_spot_training=True
        ),
        distributed=Torchrun(),
        checkpoint_config=CheckpointConfig(s3_uri=f"s3://{BUCKET}/ckpt/v3"),
        stopping_condition=StoppingCondition(max_runtime_in_seconds=3600, max_wait_time_in_seconds=7200),
        networking=Networking(
            subnets=["subnet-0a1b2c3d4e5f60718"],
            security_group_ids=["sg-0a1b2c3d4e5f60718"],
            enable_inter_container_traffic_encryption=True,
        ),
    )


def all_options(session: Session) -> ModelTrainer:
    command = SourceCode(source_dir="examples/digits", command="python train.py")
    compute = Compute(instance_type="ml.g5.2xlarge", instance_count=1)
    made = trainer(session, "v3-all-options", compute, source_code=command, training_input_mode="FastFile")
    made.with_retry_strategy(RetryStrategy(maximum_retry_attempts=5))
    made.with_tensorboard_output_config(TensorBoardOutputConfig(s3_output_path=f"s3://{BUCKET}/tb"))
    made.with_metric_definitions([MetricDefinition(name="loss", regex="loss=(.*?);")])
    made.with_checkpoint_config()
    return made


def instance_preferences(session: Session) -> ModelTrainer:
    kinds = [("ml.p5.48xlarge", 2), ("ml.p4d.24xlarge", 2)]
    preferences = [InstancePreference(instance_type=kind, instance_count=count) for kind, count in kinds]
    return trainer(session, "v3-preferences", Compute(instance_preferences=preferences))


def train(make: Any, session: Session) -> str:
    made = make(session)
    made.train(wait=False, logs=False)
    return str(made._latest_training_job.training_job_name)


def remote_function(session: Session) -> str:
    from sagemaker.core.remote_function import RemoteExecutor

    executor = RemoteExecutor(
        image_uri=IMAGE,
        role=ROLE,
        instance_type="ml.g5.xlarge",
        job_name_prefix="v3-remote-fn",
        sagemaker_session=session,
    )
    return name_of(executor.submit(divmod, 7, 2))


def sent(program: str, session: Session) -> str:
    return remote_function(session) if program == "remote_function" else train(globals()[program], session)


tell(
    sys.argv[1:],
    sent,
    straight=Session(boto_session=boto3.Session(), default_bucket=BUCKET),
    queued=queue_session(default_bucket=BUCKET),
)
