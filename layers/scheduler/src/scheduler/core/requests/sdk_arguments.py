"""Names the SageMaker SDK arguments that set a request member, since users of the SDKs do not write requests."""

import re

_API = "Send the body of a Create request, as SageMaker's API reference describes it."

#: For each member's path, the arguments in SDK v2 (estimators or `fit`) and in SDK v3.
ARGUMENTS = {
    "TrainingJobName": ("fit(job_name=…)", "ModelTrainer(base_job_name=…)"),
    "RoleArn": ("role", "ModelTrainer(role=…)"),
    "HyperParameters": ("hyperparameters", "ModelTrainer(hyperparameters=…)"),
    "Environment": ("environment", "ModelTrainer(environment=…)"),
    "Tags": ("tags", "ModelTrainer(tags=…)"),
    "AlgorithmSpecification.TrainingImage": ("image_uri", "ModelTrainer(training_image=…)"),
    "AlgorithmSpecification.TrainingInputMode": ("input_mode", "ModelTrainer(training_input_mode=…)"),
    "AlgorithmSpecification.MetricDefinitions": ("metric_definitions", "with_metric_definitions(…)"),
    "InputDataConfig": ("fit(inputs=…)", "train(input_data_config=…)"),
    "OutputDataConfig": ("output_path, output_kms_key", "OutputDataConfig(…)"),
    "OutputDataConfig.S3OutputPath": ("output_path", "OutputDataConfig(s3_output_path=…)"),
    "OutputDataConfig.KmsKeyId": ("output_kms_key", "OutputDataConfig(kms_key_id=…)"),
    "ResourceConfig": ("instance_type, instance_count", "Compute(…)"),
    "ResourceConfig.InstanceType": ("instance_type", "Compute(instance_type=…)"),
    "ResourceConfig.InstanceCount": ("instance_count", "Compute(instance_count=…)"),
    "ResourceConfig.InstanceGroups": ("instance_groups", "Compute(instance_groups=…)"),
    "ResourceConfig.VolumeSizeInGB": ("volume_size", "Compute(volume_size_in_gb=…)"),
    "ResourceConfig.VolumeKmsKeyId": ("volume_kms_key", "Compute(volume_kms_key_id=…)"),
    "ResourceConfig.KeepAlivePeriodInSeconds": (
        "keep_alive_period_in_seconds",
        "Compute(keep_alive_period_in_seconds=…)",
    ),
    "StoppingCondition": ("max_run, max_wait", "StoppingCondition(…)"),
    "StoppingCondition.MaxRuntimeInSeconds": ("max_run", "StoppingCondition(max_runtime_in_seconds=…)"),
    "StoppingCondition.MaxWaitTimeInSeconds": ("max_wait", "StoppingCondition(max_wait_time_in_seconds=…)"),
    "EnableManagedSpotTraining": ("use_spot_instances", "Compute(enable_managed_spot_training=…)"),
    "EnableNetworkIsolation": ("enable_network_isolation", "Networking(enable_network_isolation=…)"),
    "CheckpointConfig": ("checkpoint_s3_uri, checkpoint_local_path", "CheckpointConfig(…)"),
    "VpcConfig": ("subnets, security_group_ids", "Networking(subnets=…, security_group_ids=…)"),
}


def remedy_for(field: str) -> str:
    """Returns advice on correcting a member that SageMaker's API does not allow."""
    return arguments_for(field) or _API


def arguments_for(field: str) -> str | None:
    """Returns a sentence that names the arguments for the member or for its nearest known parent; None if unknown."""
    path = re.sub(r"\[\d+\]", "", field)
    while path and path not in ARGUMENTS:
        path = path.rpartition(".")[0]
    if not path:
        return None
    v2, v3 = ARGUMENTS[path]
    return f"In SageMaker's SDKs, {path} is set by {v2} (v2) or {v3} (v3)."
