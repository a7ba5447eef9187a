from typing import Any

import pytest

from local_sagemaker.state_machine.tuning.completion import CONVERGED_AFTER
from unit.local_sagemaker.tuning_jobs import a_simulation, run_to_the_end, trains, trials

LIMITS = {"MaxNumberOfTrainingJobs": 40, "MaxParallelTrainingJobs": 1}


def completed(criteria: dict[str, Any], values: list[float]) -> tuple[int, dict[str, Any]]:
    """Returns the number of trials, and the description. The last value repeats."""
    rest = iter(values)
    simulation = a_simulation(
        trains(value=lambda _: next(rest, values[-1])),
        config={"ResourceLimits": LIMITS, "TuningJobCompletionCriteria": criteria},
    )
    done = run_to_the_end(simulation)
    assert done["HyperParameterTuningJobStatus"] == "Completed"
    return len(trials(simulation)), done


def test_a_job_ends_at_the_target() -> None:
    assert completed({"TargetObjectiveMetricValue": 0.75}, [0.5, 0.6, 0.75, 0.9])[0] == 3


def test_a_job_ends_when_trials_no_longer_improve_by_a_percent() -> None:
    criteria = {"BestObjectiveNotImproving": {"MaxNumberOfTrainingJobsNotImproving": 3}}
    count, done = completed(criteria, [0.5, 0.6, 0.601, 0.602, 0.603, 0.9])
    assert count == 5
    assert done["TuningJobCompletionDetails"]["NumberOfTrainingJobsObjectiveNotImproving"] == 3


@pytest.mark.parametrize(("wanted", "count"), [("Enabled", CONVERGED_AFTER + 1), ("Disabled", 40)])
def test_a_converged_job_ends_if_asked_to(wanted: str, count: int) -> None:
    found, done = completed({"ConvergenceDetected": {"CompleteOnConvergence": wanted}}, [0.5])
    assert found == count
    assert "ConvergenceDetectedTime" in done["TuningJobCompletionDetails"]
