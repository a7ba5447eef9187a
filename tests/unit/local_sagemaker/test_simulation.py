import random
from contextlib import suppress
from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError, ReadTimeoutError

from local_sagemaker.conformance.requests import NAME, a_request, spot
from local_sagemaker.errors import throttled
from local_sagemaker.simulation import Simulation, Workload
from local_sagemaker.state_machine.fault_injection import EventRule, Fault
from unit.local_sagemaker.situations import PATIENT

JOBS = 1000


def many_days(seed: int) -> list[dict[str, Any]]:
    """Returns the events of a thousand jobs, with stops, interruptions, failing calls, and lost or late events."""
    chance = random.Random(seed)  # noqa: S311 - repeatable days
    simulation = Simulation(
        lambda _: Workload(trains=chance.uniform(60, 50_000), exit_code=chance.choice([0, 0, 1])),
        behaviour=PATIENT,
        seed=seed,
        faults=lambda *_: Fault(throttled(), takes_effect=chance.random() < 0.5) if chance.random() < 0.1 else None,
    )
    strays = [EventRule((), chance=0.02), EventRule((0, 60), chance=0.05, new_ids=True), EventRule((900,), chance=0.1)]
    simulation.machine.fault_rules.events.extend(strays)
    client = simulation.client()
    for number in range(JOBS):
        name = f"job-{number}"
        attempt(client.create_training_job, **spot(TrainingJobName=name))
        simulation.run(chance.uniform(0, 600))
        victim = f"job-{chance.randint(0, number)}"
        if victim in simulation.machine.jobs:
            simulation.interrupt(victim)
        attempt(client.stop_training_job, TrainingJobName=f"job-{chance.randint(0, number)}")
    simulation.run(7 * 86_400)
    assert not simulation.machine.held_instances()
    return simulation.events


def attempt(call: Any, **parameters: Any) -> None:
    """Makes a call and ignores a refusal."""
    with suppress(ClientError):
        call(**parameters)


def test_a_thousand_jobs_give_the_same_events_each_time() -> None:
    assert many_days(7) == many_days(7)


def test_a_fault_before_the_effect_leaves_no_job() -> None:
    simulation = Simulation(faults=lambda *_: Fault(ConnectTimeoutError(endpoint_url="sagemaker")))
    with pytest.raises(ConnectTimeoutError):
        simulation.client().create_training_job(**a_request())
    assert NAME not in simulation.machine.jobs


def test_a_fault_after_the_effect_leaves_the_job() -> None:
    simulation = Simulation(faults=lambda *_: Fault(ReadTimeoutError(endpoint_url="sagemaker"), takes_effect=True))
    with pytest.raises(ReadTimeoutError):
        simulation.client().create_training_job(**a_request())
    assert NAME in simulation.machine.jobs


def test_boto3s_waiter_sees_the_end_of_a_job() -> None:
    simulation = Simulation(behaviour=PATIENT)
    client = simulation.client()
    client.create_training_job(**a_request())
    simulation.run(86_400)
    client.get_waiter("training_job_completed_or_stopped").wait(TrainingJobName=NAME)
