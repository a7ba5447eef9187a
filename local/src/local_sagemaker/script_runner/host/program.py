"""Builds a host's command and environment by the conventions of the SageMaker training toolkit."""

import json
import multiprocessing
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from local_sagemaker.errors import JobError
from local_sagemaker.script_runner.host.sandbox import Sandbox

_TOOLKIT_PREFIX = "sagemaker_"  # hyperparameters meant for the toolkit, not for the script
_OBJECTIVE = "_tuning_objective_metric"  # same, in the trials of tuning jobs


def hyperparameters(request: dict[str, Any], sandbox: Sandbox) -> dict[str, str]:
    """Returns the hyperparameters as a container gets them: strings, with the paths of the sandbox."""
    return {name: sandbox.mapped(value) for name, value in request.get("HyperParameters", {}).items()}


def require_program(request: dict[str, Any]) -> None:
    has_entrypoint = "ContainerEntrypoint" in request.get("AlgorithmSpecification", {})
    if has_entrypoint:
        return
    program = _for_toolkit(request, "sagemaker_program")
    if program is None:
        raise JobError(
            "local_sagemaker runs scripts, not images: the request has neither the hyperparameter sagemaker_program "
            "nor a ContainerEntrypoint"
        )
    if uses_torchrun(request) and not str(program).endswith(".py"):
        raise JobError(f"the distribution torch_distributed runs Python scripts, and {program} is not one")


def source_archive(request: dict[str, Any]) -> str | None:
    archive = _for_toolkit(request, "sagemaker_submit_directory")
    return None if archive is None else str(archive)


def uses_torchrun(request: dict[str, Any]) -> bool:
    return _for_toolkit(request, "sagemaker_torch_distributed_enabled") is True


def command(request: dict[str, Any], sandbox: Sandbox, launcher: list[str]) -> list[str]:
    """Returns the words of the command; `launcher` starts Python scripts."""
    specification = request.get("AlgorithmSpecification", {})
    entrypoint = specification.get("ContainerEntrypoint")
    if entrypoint:
        return [sandbox.mapped(part) for part in [*entrypoint, *specification.get("ContainerArguments", [])]]
    decoded = _decoded(hyperparameters(request, sandbox))
    program = str(_for_toolkit(request, "sagemaker_program"))
    starter = ["/bin/sh"] if program.endswith(".sh") else launcher
    return [*starter, program, *_arguments(_of_user(decoded))]


def working_directory(request: dict[str, Any], sandbox: Sandbox) -> Path:
    has_entrypoint = "ContainerEntrypoint" in request.get("AlgorithmSpecification", {})
    return sandbox.root if has_entrypoint else sandbox.code


def environment(request: dict[str, Any], arn: str, sandbox: Sandbox, python: str) -> dict[str, str]:
    """Returns the process's environment variables. The request's variables override the toolkit's variables."""
    own = {name: sandbox.mapped(value) for name, value in request.get("Environment", {}).items()}
    variables = _toolkit_variables(request, sandbox)
    toolkit = {f"SM_{name.upper()}": _text(value) for name, value in variables.items()}
    return {**os.environ, **_container_variables(request, arn, sandbox, python), **toolkit, **own}


def _container_variables(request: dict[str, Any], arn: str, sandbox: Sandbox, python: str) -> dict[str, str]:
    region = arn.split(":")[3]
    return {
        "TRAINING_JOB_NAME": request["TrainingJobName"],
        "TRAINING_JOB_ARN": arn,
        "SAGEMAKER_BASE_DIR": str(sandbox.base),  # for scripts that use the toolkit itself
        # A process has no /opt/ml of its own, and an attempt without stop notice has no such variable from the queue.
        "SAGEQUEUE_CHECKPOINT_PATH": str(sandbox.checkpoints),
        "AWS_REGION": region,
        "AWS_DEFAULT_REGION": region,
        "PYTHONUNBUFFERED": "1",
        "PATH": os.pathsep.join([str(Path(python).parent), os.environ.get("PATH", os.defpath)]),
    }


def _toolkit_variables(request: dict[str, Any], sandbox: Sandbox) -> dict[str, Any]:
    decoded = _decoded(hyperparameters(request, sandbox))
    of_user = _of_user(decoded)
    resources = json.loads((sandbox.config / "resourceconfig.json").read_text())
    inputs = json.loads((sandbox.config / "inputdataconfig.json").read_text())
    variables: dict[str, Any] = {
        "model_dir": sandbox.model,
        "input_dir": sandbox.input,
        "input_config_dir": sandbox.config,
        "output_dir": sandbox.output,
        "output_data_dir": sandbox.output_data,
        "output_intermediate_dir": sandbox.output / "intermediate",
        "module_dir": decoded.get("sagemaker_submit_directory"),
        "module_name": Path(str(_for_toolkit(request, "sagemaker_program") or "")).stem,
        "user_entry_point": _for_toolkit(request, "sagemaker_program"),
        "user_args": _arguments(of_user),
        "hosts": resources["hosts"],
        "current_host": resources["current_host"],
        "current_instance_type": resources["current_instance_type"],
        "current_instance_group": resources["current_group_name"],
        "network_interface_name": resources["network_interface_name"],
        "num_cpus": multiprocessing.cpu_count(),
        "num_gpus": 0,
        "log_level": decoded.get("sagemaker_container_log_level", 20),
        "channels": sorted(inputs),
        "resource_config": resources,
        "input_data_config": inputs,
        "framework_params": {name: value for name, value in decoded.items() if name not in of_user},
        "hps": of_user,
        "checkpoint_dir": sandbox.checkpoints,  # only in this emulator: the toolkit has no variable for it
        "gpu_usage_file": sandbox.gpu_usage,  # same
    }
    training_env = {
        **variables,
        "hyperparameters": of_user,
        "channel_input_dirs": {name: sandbox.channel(name) for name in inputs},
        "job_name": request["TrainingJobName"],
        "is_master": resources["current_host"] == resources["hosts"][0],
        "master_hostname": resources["hosts"][0],
    }
    variables |= {f"channel_{name}": sandbox.channel(name) for name in inputs}
    variables |= {f"hp_{name.replace('-', '_')}": value for name, value in of_user.items()}
    return {**variables, "training_env": training_env}


def _for_toolkit(request: dict[str, Any], name: str) -> Any:
    """Returns a toolkit setting: from a hyperparameter, else from the variable with its name in capitals."""
    found = _decoded(request.get("HyperParameters", {})).get(name)
    return request.get("Environment", {}).get(name.upper()) if found is None else found


def _decoded(values: Mapping[str, str]) -> dict[str, Any]:
    """Decodes hyperparameters: the SDK encodes them as JSON, other clients may write plain text."""
    return {name: _decode(value) for name, value in values.items()}


def _decode(value: str) -> Any:
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _of_user(decoded: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value for name, value in decoded.items() if name != _OBJECTIVE and not name.startswith(_TOOLKIT_PREFIX)
    }


def _arguments(of_user: dict[str, Any]) -> list[str]:
    """Converts `{"epochs": 3, "k": true}` to `--epochs 3 -k True`, sorted by name, as the toolkit does."""
    arguments: list[str] = []
    for name, value in sorted(of_user.items()):
        arguments += [f"--{name}" if len(name) > 1 else f"-{name}", _argument(value)]
    return arguments


def _argument(value: Any) -> str:
    if isinstance(value, dict):
        return ",".join(f"{key}={item}" for key, item in sorted(value.items()))
    return "" if value is None else str(value)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, (str, Path)):
        return str(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
