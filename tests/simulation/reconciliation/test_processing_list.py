"""Unknown processing jobs: those of others count against an account's budget, lost ones are adopted."""

from typing import Any

from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job_state import JobState
from scheduler.core.reconciliation.reconciliation_state import BudgetScope
from simulation.reconciliation.test_restored_table import restore
from support.account.simulated_queue import SimulatedQueue
from support.builders.processing_requests import a_processing_request

LINE = "ml.m5.large@processing"
BUDGET = f"ml.m5.large=1,{LINE}=2"


def start_unmanaged(world: SimulatedQueue, name: str, **members: Any) -> None:
    world.client.create_processing_job(**a_processing_request(name, **members))


def test_processing_jobs_of_others_hold_lines_of_the_accounts_budget() -> None:
    world = SimulatedQueue(budget=BUDGET, scope=BudgetScope.ACCOUNT)
    start_unmanaged(world, "elsewhere", instances=2)
    world.run(120)
    assert world.store.last_processing_reconciliation.held == Demand.of({LINE: 2})
    world.process("features")
    world.submit("resnet")
    world.run(60)
    assert (world.job("features").status.state, world.job("resnet").status.state) == (
        JobState.PENDING,
        JobState.RUNNING,
    )
    world.run_until_empty()
    assert world.job("features").status.state is JobState.COMPLETED
    assert world.store.last_processing_reconciliation.held == Demand.of({})


def test_of_preferences_all_instances_count_until_one_is_selected() -> None:
    world = SimulatedQueue(budget=BUDGET, scope=BudgetScope.ACCOUNT)
    request = a_processing_request("elsewhere")
    cluster = {"VolumeSizeInGB": 1, "InstancePreferences": [{"InstanceType": "ml.m5.large", "InstanceCount": 2}]}
    world.client.create_processing_job(**{**request, "ProcessingResources": {"ClusterConfig": cluster}})
    world.run(120)
    assert world.store.last_processing_reconciliation.held == Demand.of({LINE: 2})


def test_without_the_setting_they_do_not_count() -> None:
    world = SimulatedQueue(budget=BUDGET)
    start_unmanaged(world, "elsewhere", instances=2)
    world.process("features")
    world.run(120)
    assert world.job("features").status.state is JobState.RUNNING


def test_without_a_line_in_the_budget_their_list_is_not_read() -> None:
    world = SimulatedQueue(budget="ml.m5.large=1", scope=BudgetScope.ACCOUNT)
    start_unmanaged(world, "elsewhere")
    world.run(120)
    assert not world.store.last_processing_reconciliation.unmanaged
    assert world.store.last_processing_reconciliation.complete_at is None


def test_a_processing_job_launched_since_the_backup_is_adopted() -> None:
    world = SimulatedQueue(budget=f"{LINE}=1", durations={"features": 3000})
    world.run(600)
    world.process("features")
    backup = world.store.copy()
    world.run(600)
    assert world.job("features").status.state is JobState.RUNNING
    restore(world, backup)
    world.process("urgent", 9)
    world.run(120)
    assert (world.job("features").status.state, [*world.store.attempts]) == (JobState.RUNNING, ["features-sq-1"])
    world.run_until_empty()
    assert {job.status.state for job in world.store.jobs.values()} == {JobState.COMPLETED}
    assert world.job("features").status.attempts == 1
