"""Each property of the emulator's tuning jobs fails with a planted defect."""

from typing import Any

import pytest

from local_sagemaker.state_machine.tuning import description, strategies
from local_sagemaker.state_machine.tuning.job import TuningJob
from local_sagemaker.state_machine.tuning.lifecycle import TuningJobs
from property import (
    test_tuning_jobs,
)
from support.planted_defects import Planted, expect_failure

_step = TuningJobs._step


def without_the_last_trial(tuning: Any, job: TuningJob, now: float) -> None:
    listed = tuning.results
    tuning.results = lambda of: listed(of)[:-1]
    try:
        _step(tuning, job, now)
    finally:
        del tuning.results


def with_the_worst(found: Any) -> Any:
    return min((one for one in found if one.final_value is not None), key=lambda one: one.final_value, default=None)


PLANTED: dict[str, Planted] = {
    "a tuning job of the emulator forgets its last trial": (
        test_tuning_jobs.test_a_tuning_job_keeps_its_limits_and_ends_after_its_last_trial,
        (TuningJobs, "_step", without_the_last_trial),
    ),
    "a tuning job of the emulator launches one trial too many": (
        test_tuning_jobs.test_a_tuning_job_keeps_its_limits_and_ends_after_its_last_trial,
        (TuningJob, "parallel", property(lambda job: job.config["ResourceLimits"]["MaxParallelTrainingJobs"] + 1)),
    ),
    "a tuning job of the emulator repeats values": (
        test_tuning_jobs.test_a_tuning_job_keeps_its_limits_and_ends_after_its_last_trial,
        (strategies, "_MOST_DRAWS", 1),
    ),
    "a tuning job of the emulator takes the worst trial for the best": (
        test_tuning_jobs.test_a_tuning_job_keeps_its_limits_and_ends_after_its_last_trial,
        (description, "best", with_the_worst),
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_defect_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expect_failure(PLANTED[name], monkeypatch)
