"""The emulator gives the answers of the conformance table of tuning jobs."""

import pytest
from botocore.exceptions import ClientError

from local_sagemaker.conformance.table import Row
from local_sagemaker.conformance.tuning_table import TUNING_TABLE
from local_sagemaker.simulation import Simulation, Workload
from unit.local_sagemaker.situations import PATIENT
from unit.local_sagemaker.tuning_jobs import run_to_the_end, stop, trains


def a_tuning_job_that_is(state: str, row: Row) -> Simulation:
    workload = (lambda _: Workload(exit_code=1)) if state == "failed" else trains()
    simulation = Simulation(workload, behaviour=PATIENT)
    if state == "unknown":
        return simulation
    simulation.client().create_hyper_parameter_tuning_job(**row.request)
    if state in {"completed", "failed"}:
        run_to_the_end(simulation)
        return simulation
    simulation.run(300)
    if state == "stopping":
        simulation.machine.hang(next(iter(simulation.machine.jobs)))
    if state in {"stopping", "stopped"}:
        stop(simulation)
        simulation.run(600)
    return simulation


@pytest.mark.parametrize("row", TUNING_TABLE, ids=lambda row: f"{row.fact}-{row.call}-{row.state}")
def test_the_answer_equals_that_of_the_table(row: Row) -> None:
    client = a_tuning_job_that_is(row.state, row).client()
    if isinstance(row.answer, dict):
        answer = getattr(client, row.call)(**row.parameters)
        assert {name: answer[name] for name in row.answer} == row.answer
    else:
        with pytest.raises(ClientError) as refused:
            getattr(client, row.call)(**row.parameters)
        error = refused.value.response["Error"]
        assert (error["Code"], error["Message"]) == row.answer
