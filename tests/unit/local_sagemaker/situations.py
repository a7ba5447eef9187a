"""Training jobs in a given state, each in a separate simulation."""

from collections.abc import Callable
from math import inf
from typing import Any

from local_sagemaker.conformance.requests import NAME, a_request
from local_sagemaker.simulation import Simulation, Workload
from local_sagemaker.state_machine.behaviour import Behaviour
from local_sagemaker.state_machine.capacity import Shortage
from local_sagemaker.state_machine.lifecycle import INTERNAL_ERROR

PATIENT = Behaviour(rate_factor=1000)  # request rates are tested for themselves

# With the default Workload: instances after 60 s, prepared after 120, trained after 720, uploaded after 750.
_SECONDS = {"starting": 0, "downloading": 90, "training": 300, "uploading": 730, "completed": 800}


def a_job_that_is(state: str, request: dict[str, Any] | None = None, behaviour: Behaviour = PATIENT) -> Simulation:
    """`state` is one of the keys above, of `_SITUATIONS` below, unknown or failed."""
    simulation = Simulation(lambda _: Workload(exit_code=1 if state == "failed" else 0), behaviour=behaviour)
    if state == "unknown":
        return simulation
    simulation.client().create_training_job(**(request or a_request()))
    if state in _SITUATIONS:
        _SITUATIONS[state](simulation)
    else:
        simulation.run(_SECONDS.get(state, _SECONDS["completed"]))
    return simulation


def _stop(simulation: Simulation) -> None:
    simulation.run(_SECONDS["training"])
    simulation.client().stop_training_job(TrainingJobName=NAME)


def _stop_to_the_end(simulation: Simulation) -> None:
    _stop(simulation)
    simulation.run(60)


def _hang(simulation: Simulation) -> None:
    simulation.machine.hang(NAME)
    _stop(simulation)
    simulation.run(86_400)


def _break(simulation: Simulation) -> None:
    simulation.run(_SECONDS["training"])
    simulation.fail(NAME, INTERNAL_ERROR)


def _interrupt(simulation: Simulation) -> None:
    simulation.run(_SECONDS["training"])
    simulation.interrupt(NAME)


def _wait(simulation: Simulation) -> None:
    simulation.machine.set_shortage("ml.m5.large", Shortage(back_at=inf), simulation.now)
    simulation.run(0)


def _wait_too_long(simulation: Simulation) -> None:
    _wait(simulation)
    simulation.run(10_000)


def _run_out_of_time(simulation: Simulation) -> None:
    simulation.run(_SECONDS["downloading"])
    simulation.machine.hang(NAME)  # its preparation never ends
    simulation.run(3600)
    simulation.machine.release(NAME, simulation.now)
    simulation.run(60)


_SITUATIONS: dict[str, Callable[[Simulation], None]] = {
    "stopping": _stop,
    "stopped": _stop_to_the_end,
    "stuck": _hang,
    "broken": _break,
    "interrupted": _interrupt,
    "waiting": _wait,
    "waiting too long": _wait_too_long,
    "out of time": _run_out_of_time,
}


def secondary_statuses(simulation: Simulation, name: str = NAME) -> list[str]:
    return [transition.status.value for transition in simulation.machine.jobs[name].transitions]
