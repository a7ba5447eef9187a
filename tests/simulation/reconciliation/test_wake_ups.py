"""The causes of a cycle: each cycle reads all live jobs."""

from local_sagemaker.simulation import Workload
from local_sagemaker.state_machine.behaviour import Behaviour
from support.account.account import Account
from support.account.simulated_queue import request
from support.faults.call_faults import NoFaults

QUICK = Workload(prepares=10, trains=10, uploads=10)


def test_an_attempt_wakes_the_scheduler_at_its_end_and_not_on_its_way() -> None:
    account = Account(NoFaults(), behaviour=Behaviour(startup=lambda _request: 1), course=lambda _request: QUICK)
    account.ask("POST", "/add-job", request("resnet"))
    account.run(55)  # no sweep yet
    assert account.ask("GET", "/jobs/resnet").body["state"] == "completed"
    assert [line.split()[-2:] for line in account.trace].count(["schedule", "starts"]) == 2
    account.close()
