"""The causes of a cycle: each cycle reads all live jobs."""

from datetime import timedelta
from typing import Any

from local_sagemaker.simulation import Workload
from local_sagemaker.state_machine.behaviour import Behaviour
from support.account.account import Account
from support.account.simulated_queue import TIME_LEFT, SimulatedQueue, request
from support.faults.call_faults import NoFaults
from support.faults.scripted_faults import ScriptedCalls, says_that_the_quota_is_full

QUICK = Workload(prepares=10, trains=10, uploads=10)
ONE_CREATE = timedelta(seconds=1)  # the second one waits for its turn, and comes too late


def test_an_attempt_wakes_the_scheduler_at_its_end_and_not_on_its_way() -> None:
    account = Account(NoFaults(), behaviour=Behaviour(startup=lambda _request: 1), course=lambda _request: QUICK)
    account.ask("POST", "/add-job", request("resnet"))
    account.run(55)  # no sweep yet
    assert account.ask("GET", "/jobs/resnet").body["state"] == "completed"
    assert [line.split()[-2:] for line in account.trace].count(["schedule", "starts"]) == 2
    account.close()


def test_a_cycle_out_of_time_wakes_no_other_if_a_full_quota_undid_all_its_launches() -> None:
    full = ScriptedCalls("create", [says_that_the_quota_is_full] * 9)
    world = SimulatedQueue(budget="ml.m5.large=4,ml.c5.xlarge=4", wrapped_port="training", fault_point=full)
    world.submit("one")
    world.submit("two", kind="ml.c5.xlarge")
    wake_ups = world.store.wake_ups
    assert not world.scheduler.run_cycle(ONE_CREATE, sweep=False)
    assert len(full.script) == 7
    assert world.store.wake_ups == wake_ups


def test_a_cycle_out_of_time_wakes_another_if_it_started_a_job() -> None:
    world = SimulatedQueue(budget="ml.m5.large=4")
    for name in ("one", "two", "three"):
        world.submit(name)
    wake_ups = world.store.wake_ups
    assert not world.scheduler.run_cycle(ONE_CREATE, sweep=False)
    assert world.store.wake_ups == wake_ups + 1


def test_a_wake_request_that_meets_a_cycle_out_of_time_is_not_used_up() -> None:
    create = ScriptedCalls("create", [])
    world = SimulatedQueue(wrapped_port="training", fault_point=create)
    world.submit("first")
    known = list[int]()

    def takes_long(call: Any, *args: Any) -> None:
        call(*args)
        world.submit("second")
        world.cycle()  # finds the lease taken, and leaves a wake request
        known.append(world.store.wake_ups)
        world.simulation.run(TIME_LEFT.total_seconds())

    create.script = [takes_long]
    assert not world.scheduler.run_cycle(TIME_LEFT, sweep=False)
    assert world.store.wake_ups == known[0] + 1
