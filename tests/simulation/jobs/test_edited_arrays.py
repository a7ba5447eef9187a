"""Arrays whose records an operator deleted from the table, or restored from a backup."""

import pytest

from scheduler.core.jobs.job_state import JobState
from support.account.simulated_queue import SimulatedQueue

GPU = "ml.g5.xlarge"


def test_children_of_an_array_whose_record_was_deleted_run_on_and_stop_no_cycle(
    caplog: pytest.LogCaptureFixture,
) -> None:
    world = SimulatedQueue(budget="ml.m5.large=2")
    world.submit_array("sweep", 4)
    world.run(120)
    del world.store.arrays["sweep"]
    world.submit("other")
    world.run_until_empty()
    assert {job.status.state for job in world.store.jobs.values()} == {JobState.COMPLETED}
    assert len(world.store.jobs) == 5
    assert "skipped job" not in caplog.text


def test_a_child_of_an_array_whose_record_was_deleted_does_not_grow(caplog: pytest.LogCaptureFixture) -> None:
    world = SimulatedQueue(budget=f"{GPU}=4", durations={"sweep-0": 80_000, "other": 9000})
    world.submit("other", kind=GPU)
    resources = {"InstanceType": GPU, "InstanceCount": 4, "VolumeSizeInGB": 1}
    options = {"instances": {"min": 1, "max": 4}, "checkpoint_interval": 600}
    world.submit_array("sweep", 1, options=options, ResourceConfig=resources)
    world.run(1200)
    del world.store.arrays["sweep"]
    world.run(15_000)
    assert [world.job(name).status.attempts for name in ("sweep-0", "other")] == [1, 1]
    assert "skipped job" not in caplog.text


def test_an_array_that_was_restored_knows_its_own_children_again() -> None:
    world = SimulatedQueue(budget="ml.m5.large=2", durations={"sweep-1": 3000})
    world.submit("sweep-3")
    backup = world.submit_array("sweep", 5, most_failures=1)
    world.run(1200)
    assert [world.job(f"sweep-{index}").status.state for index in (0, 1)] == [JobState.COMPLETED, JobState.RUNNING]
    world.store.arrays["sweep"] = backup
    world.run_until(lambda: world.store.array("sweep").is_finished)
    assert world.store.array("sweep").children == "cccfc"
    assert world.store.array("sweep").problem == "The queue has another job named sweep-3"
