"""Undocumented behaviour of tuning jobs: each choice with both values."""

from typing import Any

import pytest

from local_sagemaker.simulation import Simulation, Workload
from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from unit.local_sagemaker.tuning_jobs import a_simulation, described, run_to_the_end, stop, trials

both_ways = pytest.mark.parametrize("way", [False, True])


def epochs(_request: dict[str, Any]) -> Workload:
    return Workload(trains=1000, epochs=tuple({"accuracy": 0.1 * epoch} for epoch in range(1, 5)))


def a_world(workload: Any = epochs, config: dict[str, Any] | None = None, **unknowns: bool) -> Simulation:
    chosen = Unknowns(**unknowns)  # type: ignore[arg-type] # all of these are switches
    return a_simulation(workload, Behaviour(rate_factor=1000, unknowns=chosen), config=config)


@both_ways
def test_the_value_of_a_stopped_trial_counts_or_not(way: bool) -> None:
    simulation = a_world(stopped_trials_count=way)
    simulation.run(500)
    stop(simulation)
    simulation.run(600)
    assert {trial["ObjectiveStatus"] for trial in trials(simulation)} == {"Succeeded" if way else "Failed"}
    assert ("BestTrainingJob" in described(simulation)) is way


def test_a_trial_that_early_stopping_ended_always_counts() -> None:
    values = iter([0.9, 0.1])
    config = {
        "TrainingJobEarlyStoppingType": "Auto",
        "ResourceLimits": {"MaxNumberOfTrainingJobs": 2, "MaxParallelTrainingJobs": 1},
    }

    def steady(_request: dict[str, Any]) -> Workload:
        return Workload(epochs=({"accuracy": next(values)},) * 3)

    simulation = a_world(steady, config, stopped_trials_count=False)
    run_to_the_end(simulation)
    stopped = trials(simulation)[1]
    assert (stopped["TrainingJobStatus"], stopped["ObjectiveStatus"]) == ("Stopped", "Succeeded")


@both_ways
def test_a_limit_of_time_ends_a_tuning_job_as_stopped_or_completed(way: bool) -> None:
    limits = {"MaxNumberOfTrainingJobs": 9, "MaxParallelTrainingJobs": 1, "MaxRuntimeInSeconds": 2000}
    simulation = a_world(config={"ResourceLimits": limits}, limits_stop_tuning_jobs=way)
    assert run_to_the_end(simulation)["HyperParameterTuningJobStatus"] == ("Stopped" if way else "Completed")
