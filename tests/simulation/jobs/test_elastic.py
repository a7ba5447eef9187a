"""An elastic job in the whole queue: it is narrowed for a job of higher priority, and grows when nobody waits."""

from typing import Any

from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.queue.submission import Submission
from support.account.simulated_queue import ADA, SimulatedQueue, request

GPU = "ml.g5.xlarge"


def submit_elastic(world: SimulatedQueue, name: str, count: int, interval: int | None = None, **widths: Any) -> None:
    body = request(name, kind=GPU, CheckpointConfig={"S3Uri": f"s3://bucket/{name}"})
    body["ResourceConfig"]["InstanceCount"] = count
    interval_option = {"checkpoint_interval": interval} if interval else {}
    world.queue.submit(Submission(body, {"instances": widths, **interval_option}), ADA)


def sent_counts(world: SimulatedQueue, name: str) -> list[int]:
    """Returns the instances of all attempts of the job."""
    jobs = world.simulation.machine.jobs.values()
    return [job.request["ResourceConfig"]["InstanceCount"] for job in jobs if job.name.startswith(f"{name}-sq-")]


def test_it_starts_with_the_largest_number_that_is_free() -> None:
    world = SimulatedQueue(budget=f"{GPU}=4", durations={"other": 9000})
    world.submit("other", kind=GPU)
    submit_elastic(world, "wide", 4, min=2, max=4, hyperparameters={"3": {"batch-size": "8"}})
    world.run(120)
    assert sent_counts(world, "wide") == [3]
    assert world.simulation.machine.jobs["wide-sq-1"].request["HyperParameters"]["batch-size"] == "8"


def test_it_is_narrowed_for_a_job_of_higher_priority_and_continues() -> None:
    world = SimulatedQueue(budget=f"{GPU}=4", durations={"wide": 40_000, "high": 9000})
    submit_elastic(world, "wide", 4, min=1, max=4)
    world.run(7200)
    world.submit("high", priority=5, kind=GPU)
    world.run(1200)
    assert sent_counts(world, "wide") == [4, 3]
    wide, high = world.job("wide"), world.job("high")
    assert (wide.status.state, high.status.state) == (JobState.RUNNING, JobState.RUNNING)
    (past,) = wide.status.history
    assert (past.outcome, past.beneficiary, wide.demand_of(past)) == (Outcome.PREEMPTED, "high", Demand.of({GPU: 4}))
    assert any("narrowed to 3 × ml.g5.xlarge by high" in action.message for action in wide.status.actions)
    assert wide.status.reason.code is ReasonCode.RUNNING


def test_it_grows_once_nobody_needs_the_instances() -> None:
    world = SimulatedQueue(budget=f"{GPU}=4", durations={"wide": 40_000, "other": 9000})
    world.submit("other", kind=GPU)
    submit_elastic(world, "wide", 4, min=1, max=4, interval=600)
    world.run(12_000)
    assert sent_counts(world, "wide") == [3, 4]
    wide = world.job("wide")
    assert wide.status.state is JobState.RUNNING
    (past,) = wide.status.history
    assert (past.outcome, wide.demand_of(past), wide.status.preemptions) == (Outcome.REQUEUED, Demand.of({GPU: 3}), 0)
    assert any("grows from 3 × ml.g5.xlarge to 4" in action.message for action in wide.status.actions)


def test_a_child_of_an_array_on_hold_does_not_grow_until_the_array_is_released() -> None:
    world = SimulatedQueue(budget=f"{GPU}=4", durations={"sweep-0": 80_000, "other": 9000})
    world.submit("other", kind=GPU)
    resources = {"InstanceType": GPU, "InstanceCount": 4, "VolumeSizeInGB": 1}
    options = {"instances": {"min": 1, "max": 4}, "checkpoint_interval": 600}
    world.submit_array("sweep", 1, options=options, ResourceConfig=resources)
    world.run(1200)
    world.arrays.hold("sweep", ADA)
    world.run(15_000)
    assert (sent_counts(world, "sweep-0"), world.job("sweep-0").status.state) == ([3], JobState.RUNNING)
    world.arrays.release("sweep", ADA)
    world.run(1200)
    assert sent_counts(world, "sweep-0") == [3, 4]
