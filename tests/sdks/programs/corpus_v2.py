"""Programs of SDK v2: `python -m sdks.programs.corpus_v2 PROGRAM…`."""

import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from sagemaker.debugger import DebuggerHookConfig, ProfilerConfig, Rule, TensorBoardOutputConfig, rule_configs
from sagemaker.estimator import Estimator
from sagemaker.inputs import TrainingInput
from sagemaker.instance_group import InstanceGroup
from sagemaker.pytorch import PyTorch
from sagemaker.session import Session
from sagemaker.sklearn import SKLearn
from sagemaker.tensorflow import TensorFlow
from sagemaker.xgboost import XGBoost

from sagequeue import QueueSession
from sdks.programs.corpus import name_of, tell

SCRIPT = {"entry_point": "train.py", "source_dir": "examples/digits", "role": "SageMakerLocalRole"}
IMAGE = "111122223333.dkr.ecr.us-west-2.amazonaws.com/team/trainer:2.3.1"
VPC: dict[str, Any] = {"subnets": ["subnet-0a1b2c3d4e5f60718"], "security_group_ids": ["sg-0a1b2c3d4e5f60718"]}
DATA = {"train": "s3://data/train", "validation": TrainingInput("s3://data/val", content_type="text/csv")}
NAMEABLE = str.maketrans("_.", "--")
MPI = {"enabled": True, "processes_per_host": 8}


def torch(session: Session, kind: str = "ml.g5.2xlarge", count: int = 1, **arguments: Any) -> PyTorch:
    version = {"framework_version": "2.0.1", "py_version": "py310", **arguments}
    return PyTorch(instance_type=kind, instance_count=count, sagemaker_session=session, **SCRIPT, **version)


def plain(session: Session, kind: str, count: int = 1, **arguments: Any) -> Estimator:
    given = {"image_uri": IMAGE, "role": SCRIPT["role"], **arguments}
    return Estimator(instance_type=kind, instance_count=count, sagemaker_session=session, **given)


def spot_checkpoint(session: Session) -> Any:
    return torch(
        session,
        use_spot_instances=True,
        max_wait=172800,
        checkpoint_s3_uri="s3://bucket/ckpt/run-17",
        metric_definitions=[{"Name": "train:loss", "Regex": "loss=([0-9.]+)"}],
        environment={"NCCL_DEBUG": "WARN"},
        hyperparameters={"epochs": 30, "lr": 3e-4, "model": "resnet50", "resume": True},
    )


def torch_distributed(session: Session) -> Any:
    return torch(
        session, "ml.g5.12xlarge", 4, distribution={"torch_distributed": {"enabled": True}}, max_retry_attempts=3
    )


def smddp_vpc(session: Session) -> Any:
    distribution = {"smdistributed": {"dataparallel": {"enabled": True}}}
    encrypted: dict[str, Any] = {"encrypt_inter_container_traffic": True}
    return torch(session, "ml.p4d.24xlarge", 2, distribution=distribution, **encrypted, **VPC)


def smdmp_mpi(session: Session) -> Any:
    parallel = {"enabled": True, "parameters": {"partitions": 2, "microbatches": 8, "ddp": True}}
    distribution = {"smdistributed": {"modelparallel": parallel}, "mpi": MPI}
    old: dict[str, Any] = {"framework_version": "1.13.1", "py_version": "py39"}
    return torch(session, "ml.p4d.24xlarge", 2, distribution=distribution, **old)


def warm_pool(session: Session) -> Any:
    quiet: dict[str, Any] = {"disable_profiler": True, "debugger_hook_config": False}
    return torch(session, "ml.g5.4xlarge", keep_alive_period_in_seconds=3600, **quiet)  # nobody else needs its pool


def horovod(session: Session) -> Any:
    return TensorFlow(
        instance_type="ml.p3.16xlarge",
        instance_count=2,
        framework_version="2.12",
        py_version="py310",
        distribution={"mpi": MPI},
        tensorboard_output_config=TensorBoardOutputConfig(s3_output_path="s3://bucket/tb"),
        sagemaker_session=session,
        **SCRIPT,
    )


def debugger_rules(session: Session) -> Any:
    stop = rule_configs.ActionList(rule_configs.StopTraining())
    return XGBoost(
        instance_type="ml.m5.4xlarge",
        instance_count=1,
        framework_version="1.7-1",
        rules=[
            Rule.sagemaker(rule_configs.loss_not_decreasing(), actions=stop),
            Rule.sagemaker(rule_configs.overfit()),
        ],
        debugger_hook_config=DebuggerHookConfig("s3://bucket/debug", hook_parameters={"save_interval": "100"}),
        profiler_config=ProfilerConfig(s3_output_path="s3://bucket/profile"),
        sagemaker_session=session,
        **SCRIPT,
    )


def builtin_xgboost(session: Session) -> Any:
    image = "246618743249.dkr.ecr.us-west-2.amazonaws.com/sagemaker-xgboost:1.7-1"
    hyperparameters = {"objective": "reg:squarederror", "num_round": "200"}
    return plain(
        session, "ml.m5.2xlarge", image_uri=image, hyperparameters=hyperparameters, output_path="s3://bucket/out"
    )


def custom_image(session: Session) -> Any:
    command: dict[str, Any] = {
        "container_entry_point": ["/bin/bash", "-c"],
        "container_arguments": ["python -m trainer && echo done"],
    }
    return plain(session, "ml.m5.24xlarge", volume_size=1024, disable_output_compression=True, **command)


def instance_groups(session: Session) -> Any:
    groups = [InstanceGroup("gpu", "ml.p4d.24xlarge", 2), InstanceGroup("cpu", "ml.c5.18xlarge", 4)]
    return PyTorch(
        instance_groups=groups, framework_version="2.0.1", py_version="py310", sagemaker_session=session, **SCRIPT
    )


def isolated(session: Session) -> Any:
    keys: dict[str, Any] = {
        "volume_kms_key": "arn:aws:kms:us-east-1:111122223333:key/1234abcd",
        "output_kms_key": "alias/models",
    }
    return plain(
        session, "ml.c5.9xlarge", enable_network_isolation=True, output_path="s3://bucket/secure", **keys, **VPC
    )


def many_hyperparameters(session: Session) -> Any:
    values = {f"parameter-{number:03}": f"{number:03}" + "x" * 2497 for number in range(100)}
    return plain(session, "ml.m5.large", hyperparameters=values)


def forty_eight_tags(session: Session) -> Any:
    tags = [{"Key": f"clé-{number}", "Value": f"größe {number}"} for number in range(48)]
    return plain(session, "ml.m5.large", tags=tags, environment={"NAME": "Zoë"}, hyperparameters={"title": "naïve"})


def remote_debug(session: Session) -> Any:
    return torch(session, enable_remote_debug=True, enable_infra_check=True, enable_session_tag_chaining=True)


def training_plan(session: Session) -> Any:
    plan = "arn:aws:sagemaker:us-east-1:111122223333:training-plan/large-run-2026"
    return torch(session, "ml.p5.48xlarge", 16, training_plan=plan)


def sklearn(session: Session) -> Any:
    return SKLearn(
        framework_version="1.2-1", instance_type="ml.m5.large", instance_count=1, sagemaker_session=session, **SCRIPT
    )


def fit(make: Callable[[Session], Any], session: Session, name: str) -> str:
    estimator = make(session)
    estimator.fit(DATA, wait=False, job_name=name)
    return str(estimator.latest_training_job.name)


def remote_function(session: Session) -> str:
    from sagemaker.remote_function import RemoteExecutor

    executor = RemoteExecutor(
        image_uri=IMAGE,
        role=SCRIPT["role"],
        instance_type="ml.g5.xlarge",
        keep_alive_period_in_seconds=600,
        environment_variables={"A": "1"},
        job_name_prefix="remote-fn",
        sagemaker_session=session,
    )
    return name_of(executor.submit(divmod, 7, 2))


def sent(program: str, session: Session) -> str:
    if program == "remote_function":
        return remote_function(session)
    return fit(globals()[program], session, f"{program}-{version('sagemaker')}".translate(NAMEABLE))


tell(sys.argv[1:], sent, straight=Session(), queued=QueueSession())
