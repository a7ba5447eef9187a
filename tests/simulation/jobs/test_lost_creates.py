"""A Create without an answer may take effect later: how long its reservation is kept."""

from dataclasses import dataclass
from typing import Any

from scheduler.core.jobs.job_state import JobState
from scheduler.errors.internal import OutcomeUnknown
from support.account.simulated_queue import SimulatedQueue
from support.faults.fault_points import Killed, PortWrapper
from support.faults.scripted_faults import ScriptedCalls, says_that_the_quota_is_full, times_out


@dataclass
class Late:
    """SageMaker gets the call when its caller has given up."""

    call: Any = None
    args: Any = ()

    def __call__(self, call: Any, *args: Any) -> None:
        self.call, self.args = call, args
        raise OutcomeUnknown

    def arrives(self) -> None:
        self.call(*self.args)


class Each:
    """Several guards of one port."""

    def __init__(self, *guards: PortWrapper) -> None:
        self._guards = guards

    def wrap(self, inner: Any) -> Any:
        for one in self._guards:
            inner = one.wrap(inner)
        return inner


def passes(call: Any, *args: Any) -> Any:
    return call(*args)


def dies_after(call: Any, *args: Any) -> None:
    call(*args)
    raise Killed


def outage(script: ScriptedCalls) -> SimulatedQueue:
    """SageMaker creates nothing for ten minutes, in which the attempt stays reserved."""
    script.script = [times_out] * 100
    world = SimulatedQueue(durations={"job": 600, "other": 60}, wrapped_port="training", fault_point=script)
    world.submit("job")
    world.run(600)
    assert [*world.store.attempts] == ["job-sq-1"]
    return world


def test_an_attempt_keeps_its_reservation_while_a_create_that_was_sent_late_may_take_effect() -> None:
    late, script = Late(), ScriptedCalls("create", [])
    world = outage(script)
    script.script = [late, says_that_the_quota_is_full]
    world.cycle()
    world.cycle()
    assert script.script == []
    late.arrives()
    assert [*world.store.attempts] == ["job-sq-1"]
    world.run_until_empty()
    assert (world.job("job").status.state, world.job("job").status.attempts) == (JobState.COMPLETED, 1)


def test_a_cycle_knows_of_the_create_that_it_sent_itself() -> None:
    late, script = Late(), ScriptedCalls("create", [])
    world = outage(script)
    script.script = [late, passes, says_that_the_quota_is_full]  # job, other, and job in the next pass
    world.submit("other")
    world.cycle()
    assert script.script == []
    assert [*world.store.attempts] == ["job-sq-1", "other-sq-1"]


def test_creates_that_are_refused_do_not_prolong_the_wait_for_the_one_before_them() -> None:
    script = ScriptedCalls("create", [times_out, *[says_that_the_quota_is_full] * 100])
    world = SimulatedQueue(durations={"job": 60}, wrapped_port="training", fault_point=script)
    world.submit("job")
    world.run(600)
    assert (world.job("job").status.state, world.job("job").status.attempts) == (JobState.PENDING, 0)
    assert not world.store.attempts


@dataclass
class Still:
    """The process stands still in this call, until another cycle may have the lease."""

    world: SimulatedQueue | None = None

    def __call__(self, call: Any, *args: Any) -> Any:
        answer = call(*args)
        assert self.world is not None
        self.world.simulation.run(100)
        return answer


def test_a_cycle_that_stood_still_before_it_could_send_sends_nothing() -> None:
    still = Still()
    dies, stands_still = ScriptedCalls("launch", [dies_after]), ScriptedCalls("record_create", [still])
    world = still.world = SimulatedQueue(
        durations={"job": 60}, wrapped_port="store", fault_point=Each(dies, stands_still)
    )
    world.submit("job")
    world.cycle()
    world.simulation.run(100)  # until the lease of the dead is over
    world.cycle()
    assert (stands_still.script, [*world.simulation.machine.jobs]) == ([], [])
    world.run_until_empty()
    assert world.job("job").status.state is JobState.COMPLETED
