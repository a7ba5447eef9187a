"""Training jobs in a wanted state, in a world of their own."""

from typing import Any

from local_sagemaker.behaviour import Behaviour
from local_sagemaker.conformance.requests import NAME, a_request
from local_sagemaker.lifecycle import INTERNAL_ERROR
from local_sagemaker.simulated import Course, Simulation

PATIENT = Behaviour(rate_factor=1000)  # request rates are tested for themselves

# With the default Course: instances after 60 s, prepared after 120, trained after 720, uploaded after 750.
_SECONDS = {"starting": 0, "downloading": 90, "training": 300, "uploading": 730, "completed": 800}


def a_job_that_is(state: str, request: dict[str, Any] | None = None, behaviour: Behaviour = PATIENT) -> Simulation:
    """`state` is one of the keys above, or unknown, stopping, stopped, failed or broken."""
    simulation = Simulation(lambda _: Course(exit_code=1 if state == "failed" else 0), behaviour=behaviour)
    if state == "unknown":
        return simulation
    client = simulation.client()
    client.create_training_job(**(request or a_request()))
    if state in {"stopping", "stopped"}:
        simulation.run(_SECONDS["training"])
        client.stop_training_job(TrainingJobName=NAME)
        simulation.run(0 if state == "stopping" else 60)
    elif state == "broken":
        simulation.run(_SECONDS["training"])
        simulation.fail(NAME, INTERNAL_ERROR)
    else:
        simulation.run(_SECONDS.get(state, _SECONDS["completed"]))
    return simulation


def secondary_statuses(simulation: Simulation, name: str = NAME) -> list[str]:
    return [transition.status.value for transition in simulation.world.jobs[name].transitions]
