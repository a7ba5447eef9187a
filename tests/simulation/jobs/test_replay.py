"""A replay of the history under another budget predicts what a simulation under that budget does."""

from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random
from typing import Any, cast

import pytest

from local_sagemaker.simulation import Workload
from local_sagemaker.state_machine.behaviour import Behaviour
from queue_replay.comparison import Figures, recorded_figures, replayed_figures
from queue_replay.recorded_jobs import Recording, read_recording
from queue_replay.replay import Replay
from sagequeue.contract.history import Change
from scheduler.core.jobs.budget import Budget
from scheduler.core.planner.policy import Policy
from scheduler.core.spending.prices.price_snapshot import SNAPSHOT
from support.account import function_calls
from support.account.account import Account
from support.account.simulated_queue import request
from support.faults.call_faults import NoFaults
from support.simulation.judges.history import changes, deliver
from unit.sagequeue.builders.history import a_change, a_run

#: Of the mean and the longest wait, the instance-hours and the end.
ERROR = 0.02
HOUR = 3600.0
DAYS = 15
JOBS = 45
_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)


def _month(budget: int) -> Recording:
    """The history of a month of the real functions and the emulated SageMaker, on a virtual clock."""
    random = Random("month")  # noqa: S311 - a world, not a secret
    jobs = [
        (random.uniform(0, DAYS * 24 * HOUR), random.choice([0, 0, 1, 5]), random.choice([1, 1, 2]))
        for _ in range(JOBS)
    ]
    lengths = [random.lognormvariate(0, 1.2) * 5 * HOUR for _ in jobs]
    account = Account(
        NoFaults(),
        behaviour=Behaviour(startup=lambda _: 120.0),
        course=lambda body: Workload(trains=lengths[int(body["TrainingJobName"].split("-")[1])]),
        parameters={"InstanceBudget": f"ml.m5.large={budget}"},
    )
    begin = account.now
    try:
        for number, (at, priority, instances) in sorted(enumerate(jobs), key=lambda job: job[1]):
            account.run(begin + at - account.now)
            body = request(f"job-{number}", priority, instances=instances)
            del body["CheckpointConfig"]
            body["StoppingCondition"] = {"MaxRuntimeInSeconds": 20 * 24 * 3600}
            assert account.ask("POST", "/add-job", body).status == 201
        account.run(12 * 24 * HOUR)
        deliver(account, random)
        return read_recording(cast(Sequence[Change], changes(account)), _BEGIN)
    finally:
        account.close()


@pytest.fixture(scope="module")
def months() -> Any:
    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(function_calls, "SWEEP_SECONDS", HOUR / 2)  # events do the rest, and a month has fewer sweeps
        yield {budget: _month(budget) for budget in (2, 3)}


def test_what_was_is_counted_with_the_instances_of_the_choice_that_ran() -> None:
    run = a_run(begin=1, end=2, instances={"ml.m5.large": 4})
    told = [a_change(), a_change(version=1, state="completed", run=run)]
    assert recorded_figures(read_recording(told, _BEGIN), SNAPSHOT).instance_seconds == 4 * 3600


def _replayed(recording: Recording, budget: int) -> Figures:
    replay = Replay(recording, Budget.parse(f"ml.m5.large={budget}"), Policy())
    replay.run()
    assert replay.never_started == []
    return replayed_figures(replay, SNAPSHOT)


@pytest.mark.parametrize(("recorded", "asked"), [(2, 3), (3, 2), (2, 2)])
def test_a_replay_predicts_another_budget(months: dict[int, Recording], recorded: int, asked: int) -> None:
    foretold, happened = _replayed(months[recorded], asked), recorded_figures(months[asked], SNAPSHOT)
    assert foretold.jobs == happened.jobs == JOBS
    for name in ("mean_wait", "longest_wait", "instance_seconds", "ended_at"):
        assert getattr(foretold, name) == pytest.approx(getattr(happened, name), rel=ERROR), name


def test_another_budget_makes_a_difference_that_is_larger_than_the_error(months: dict[int, Recording]) -> None:
    small, large = (recorded_figures(months[budget], SNAPSHOT) for budget in (2, 3))
    assert large.mean_wait < small.mean_wait * (1 - 2 * ERROR)
    assert small.preemptions > 0
