"""Tuning jobs on a virtual clock. The objective of a trial is a function of its hyperparameters."""

from collections.abc import Callable
from typing import Any

from local_sagemaker.conformance.requests import a_tuning_request
from local_sagemaker.simulation import Simulation, Workload
from local_sagemaker.state_machine.behaviour import Behaviour
from unit.local_sagemaker.situations import PATIENT

TUNING = "search"
_LONG = 86_400.0


def accuracy(request: dict[str, Any]) -> float:
    """Returns the final objective value of a trial: best at a learning rate of 0.1."""
    return 1 - abs(float(request["HyperParameters"].get("lr", "1")) - 0.1)


def trains(seconds: float = 600, value: Callable[[dict[str, Any]], float] = accuracy) -> Callable[..., Workload]:
    """Returns workloads that print the objective once, at the end."""
    return lambda request: Workload(trains=seconds, epochs=({"accuracy": value(request)},))


def a_simulation(
    workload: Callable[..., Workload] | None = None, behaviour: Behaviour = PATIENT, **changes: Any
) -> Simulation:
    """A simulation with one tuning job that has just been created."""
    simulation = Simulation(workload or trains(), behaviour=behaviour)
    simulation.client().create_hyper_parameter_tuning_job(**a_tuning_request(**changes))
    simulation.run(0)
    return simulation


def run_to_the_end(simulation: Simulation) -> dict[str, Any]:
    simulation.run(_LONG)
    return described(simulation)


def described(simulation: Simulation, name: str = TUNING) -> dict[str, Any]:
    return dict(simulation.client().describe_hyper_parameter_tuning_job(HyperParameterTuningJobName=name))


def trials(simulation: Simulation, name: str = TUNING, **order: Any) -> list[dict[str, Any]]:
    answer = simulation.client().list_training_jobs_for_hyper_parameter_tuning_job(
        HyperParameterTuningJobName=name, MaxResults=100, **order
    )
    return [dict(trial) for trial in answer["TrainingJobSummaries"]]


def stop(simulation: Simulation, name: str = TUNING) -> None:
    simulation.client().stop_hyper_parameter_tuning_job(HyperParameterTuningJobName=name)
