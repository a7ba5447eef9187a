"""More launches at once than one cycle has time for: the next cycle goes on at once, and no call fails finally."""

from datetime import datetime

import pytest

from local_sagemaker.simulation import Workload
from scheduler.adapters.dynamodb.records.items import ledger_key
from support.account.account import Account
from support.account.simulated_queue import request
from support.dynamodb.client import TableClient
from support.faults.call_faults import NoFaults

#: Seconds for each launch: SageMaker's rate is 1 Create a second, and the queue leaves a margin.
RATE = 1.3
#: A sweep comes each minute, and meets a cycle of 40 seconds.
LONGEST_WITHOUT_SWEEP = 120
BUDGET = {"budget": {"ml.m5.large": 5000}}


@pytest.mark.parametrize("jobs", [300])
def test_a_burst_goes_on_at_the_rate_of_create_and_leaves_no_dead_letter(jobs: int) -> None:
    """A single change, of the budget, wakes the scheduler: nothing else does before the last job is launched."""
    account = Account(
        NoFaults(), course=lambda _: Workload(trains=86_400), parameters={"InstanceBudget": "ml.m5.large=1"}
    )
    try:
        for number in range(jobs + 1):
            account.ask("POST", "/add-job", request(f"job-{number:04}"))
        account.run(90)
        raised_at = account.now
        assert account.ask("PUT", "/budget", BUDGET).status == 200
        account.run(RATE * jobs - 60)
        assert account.now - _swept_until(account) < LONGEST_WITHOUT_SWEEP, "every sweep met a cycle of the burst"
        account.run(120)
        created_at = [job.created_at for job in account.simulation.machine.jobs.values()]
        assert len(created_at) == jobs + 1
        assert max(created_at) - raised_at < RATE * jobs
        assert account.function_calls.dead_letters == []
    finally:
        account.close()


def _swept_until(account: Account) -> float:
    ledger = TableClient(account.table).get_item(TableName="Queue", Key=ledger_key())["Item"]
    return datetime.fromisoformat(ledger["swept_until"]["S"]).timestamp()
