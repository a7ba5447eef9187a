"""The README's scenario on a virtual clock, with events and without."""

import pytest

from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from local_sagemaker.state_machine.job import Secondary
from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.job_state import JobState
from support.account.simulated_queue import SimulatedQueue

# What AWS does not document may be either way.
UNKNOWNS = [
    Unknowns(),
    Unknowns(refuses_second_stop=True, validates_before_throttling=True, lower_case_arns=True),
    Unknowns(described_after_seconds=90, frees_quota_after_seconds=60),
    Unknowns(silent_statuses=frozenset(Secondary), events_as_documented=True),
    Unknowns(sends_undocumented_events=True, events_as_documented=True),
]


@pytest.fixture(params=[True, False], ids=["events", "sweeps only"])
def events(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(params=UNKNOWNS, ids=["usual", "strict", "slow", "silent", "chatty"])
def world(request: pytest.FixtureRequest, events: bool) -> SimulatedQueue:
    return SimulatedQueue(
        durations={"job1": 3600, "job2": 1800, "job3": 600, "job4": 7200},
        deliver_events=events,
        behaviour=Behaviour(unknowns=request.param),
    )


def test_a_job_of_higher_priority_preempts_and_the_victim_comes_back_before_those_behind_it(
    world: SimulatedQueue,
) -> None:
    for name, priority in [("job1", 1), ("job2", 2), ("job3", 1)]:
        world.submit(name, priority)
        world.run(10)
    world.run(300)
    assert [world.job(name).status.state for name in ("job1", "job2", "job3")] == ["running", "running", "pending"]

    world.submit("job4", 3)
    world.run(600)
    assert [world.job(f"job{n}").status.state for n in (1, 2, 3, 4)] == ["preempted", "running", "pending", "running"]

    world.run_until_empty()
    assert {job.status.state for job in world.store.jobs.values()} == {JobState.COMPLETED}
    assert [past.outcome for past in world.job("job1").status.history] == [Outcome.PREEMPTED, Outcome.COMPLETED]
    assert world.job("job1").status.history[0].beneficiary == "job4"
    assert {world.job(f"job{n}").status.attempts for n in (2, 3, 4)} == {1}
    resumed, third = world.job("job1").status.history[1], world.job("job3").status.history[0]
    assert resumed.reserved_at < third.reserved_at
