"""With an account-wide budget, unmanaged training jobs are counted and never changed."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest

from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from scheduler.core.jobs.budget import Budget
from scheduler.core.jobs.demand import Demand
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.reason import ReasonCode
from scheduler.core.reconciliation.reconciliation_state import BudgetScope
from scheduler.cycle.reconcile.reconciliation import POLLS_PER_RUN
from scheduler.errors.internal import OutcomeUnknown, Refused, Throttled, TrainingServiceError
from support.account.simulated_queue import SimulatedQueue, request
from support.faults.fault_points import PortWrapper
from support.faults.scripted_faults import ScriptedCalls


def an_account(**more: Any) -> SimulatedQueue:
    return SimulatedQueue(scope=BudgetScope.ACCOUNT, **{"budget": "ml.m5.large=2", **more})


def start_unmanaged(world: SimulatedQueue, name: str, instances: int = 1) -> None:
    world.client.create_training_job(**request(name, instances=instances))


def lists_nothing(_call: Any, *_args: Any) -> None:
    raise OutcomeUnknown


def may_not_list(_call: Any, *_args: Any) -> None:
    raise Refused("AccessDeniedException: sagemaker:ListTrainingJobs")


def test_unmanaged_jobs_hold_budget_until_they_end() -> None:
    world = an_account(durations={"foreign": 1800, "wide": 60})
    start_unmanaged(world, "foreign")
    world.submit("wide", instances=2)
    world.run(600)
    assert world.job("wide").status.state is JobState.PENDING
    world.run_until_empty()
    assert world.job("wide").status.state is JobState.COMPLETED
    foreign = world.simulation.machine.jobs["foreign"]
    assert (foreign.status, set(foreign.tags)) == ("Completed", {"priority"})


def test_an_unmanaged_job_with_the_name_of_a_reserved_attempt_is_counted() -> None:
    def taken(_call: Any, *_args: Any) -> None:
        start_unmanaged(world, "one-sq-1")
        raise OutcomeUnknown

    def lost(_call: Any, *_args: Any) -> None:
        raise OutcomeUnknown

    script = ScriptedCalls("create", [taken] + [lost] * 40)
    world = an_account(wrapped_port="training", fault_point=script, durations={"one": 9000})
    world.submit("one")
    world.run(1500)
    assert world.job("one").status.state is JobState.LAUNCHING
    assert set(world.store.last_reconciliation.unmanaged) == {"one-sq-1"}


def test_without_the_setting_unmanaged_jobs_are_not_recorded() -> None:
    world = SimulatedQueue(budget="ml.m5.large=2")
    start_unmanaged(world, "foreign")
    world.simulation.run(2)
    start_unmanaged(world, "looks-like-ours-sq-1")
    world.run(600)
    assert world.store.last_reconciliation.unmanaged == {}


def test_a_launch_fits_beside_unmanaged_jobs() -> None:
    budgets: list[Budget] = []

    def noted(call: Any, *args: Any) -> Any:
        budgets.append(args[2])
        return call(*args)

    world = an_account(wrapped_port="store", fault_point=ScriptedCalls("launch", [noted]))
    start_unmanaged(world, "foreign")
    world.submit("job")
    world.run(60)
    assert [budget.as_dict() for budget in budgets] == [{"ml.m5.large": 1}]


def test_all_pages_are_read() -> None:
    world = an_account(budget="ml.m5.large=1,ml.c5.xlarge=200")
    for number in range(130):
        world.client.create_training_job(**request(f"small{number:03}", kind="ml.c5.xlarge"))
        world.simulation.run(1.1)
    start_unmanaged(world, "the-newest")
    world.submit("job")
    world.run(400)
    assert world.job("job").status.state is JobState.PENDING


def test_a_list_that_shows_jobs_late_counts_them_in_the_end() -> None:
    world = an_account(behaviour=Behaviour(unknowns=Unknowns(listed_after_seconds=300)))
    start_unmanaged(world, "foreign", instances=2)
    world.run(400)
    assert "foreign" in world.store.last_reconciliation.unmanaged


def test_while_the_list_fails_the_last_reconciliation_counts_and_then_nothing_starts() -> None:
    script = ScriptedCalls("list_newest", [])
    world = an_account(durations={"first": 60, "second": 60}, wrapped_port="training", fault_point=script)
    world.run(120)
    script.script = [lists_nothing] * 100
    world.submit("first")
    world.run(600)
    assert world.job("first").status.state is JobState.COMPLETED
    world.run(600)
    world.submit("second")
    world.run(600)
    standing = world.queue.job_status_reader.of(world.job("second"))
    assert (standing.job.status.state, standing.reason.code) == (JobState.PENDING, ReasonCode.WAITS_FOR_RECONCILIATION)
    script.script = []
    world.run_until_empty()


@pytest.mark.parametrize(
    ("scope", "state"), [(BudgetScope.QUEUE, JobState.RUNNING), (BudgetScope.ACCOUNT, JobState.PENDING)]
)
def test_a_list_that_is_forbidden_holds_up_only_an_account_wide_budget(scope: BudgetScope, state: JobState) -> None:
    world = SimulatedQueue(
        scope=scope, wrapped_port="training", fault_point=ScriptedCalls("list_newest", [may_not_list] * 100)
    )
    world.run(1800)
    world.submit("job")
    world.run(120)
    assert world.job("job").status.state is state


def test_an_old_reconciliation_of_a_restored_table_is_not_used() -> None:
    script = ScriptedCalls("list_newest", [])
    world = SimulatedQueue(wrapped_port="training", fault_point=script)
    world.run(600)
    script.script = [lists_nothing] * 100
    world.store.last_reconciliation = replace(
        world.store.last_reconciliation, complete_at=world.clock.now() - timedelta(hours=3)
    )
    world.submit("job")
    world.run(300)
    assert world.job("job").status.state is JobState.PENDING


def test_of_many_jobs_that_have_ended_each_has_its_turn_to_be_forgotten() -> None:
    names = [f"small{number:03}" for number in range(4 * POLLS_PER_RUN)]
    world = an_account(budget="ml.c5.xlarge=500", durations=dict.fromkeys(names, 9000))
    for name in names:
        world.client.create_training_job(**request(name, kind="ml.c5.xlarge"))
        world.simulation.run(1.1)
    world.run(300)
    assert world.store.last_reconciliation.unmanaged.keys() == set(names)
    go_on, end = names[: 2 * POLLS_PER_RUN], names[2 * POLLS_PER_RUN :]
    for name in end:
        world.simulation.fail(name, "InternalServerError: all at once")
    world.run(4.5 * 60)  # a reconciliation_state a minute
    assert world.store.last_reconciliation.unmanaged.keys() == set(go_on)


@pytest.mark.parametrize("scope", BudgetScope)
def test_the_list_is_read_rarely(scope: BudgetScope) -> None:
    world = SimulatedQueue(scope=scope, budget="ml.m5.large=9", durations={"foreign": 9000})
    calls: list[float] = []
    event = "provide-client-params.sagemaker.ListTrainingJobs"
    world.client.meta.events.register(event, lambda **_: calls.append(world.simulation.now))
    start_unmanaged(world, "foreign")
    for number in range(30):
        world.submit(f"job{number}")
        world.run(120)
    assert 10 <= len(calls) <= 3600 / 30


def test_an_unmanaged_warm_pool_holds_budget_until_it_ends() -> None:
    world = an_account(budget="ml.m5.large=1", durations={"foreign": 1, "job": 60})
    resources = request("foreign")["ResourceConfig"] | {"KeepAlivePeriodInSeconds": 1800}
    world.client.create_training_job(**{**request("foreign"), "ResourceConfig": resources})
    world.simulation.run(600)
    world.submit("job")
    world.run(300)
    assert world.job("job").status.state is JobState.PENDING
    world.run_until_empty()
    assert world.job("job").status.state is JobState.COMPLETED
    assert world.simulation.machine.jobs["foreign"].warm_pool.status == "Terminated"  # type: ignore[union-attr]


@dataclass
class Silent(PortWrapper):
    """SageMaker never describes one training job."""

    name: str
    error: TrainingServiceError

    def wrap(self, inner: Any) -> Any:
        def held_by(name: str) -> Any:
            if name == self.name:
                raise self.error
            return inner.held_by(name)

        return Replaced(inner, held_by)


@dataclass
class Replaced:
    inner: Any
    held_by: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


UNTOLD = [Refused("AccessDeniedException: no"), OutcomeUnknown("500"), Throttled("slow down")]


@pytest.mark.parametrize("error", UNTOLD, ids=lambda error: type(error).__name__)
def test_an_undescribed_unmanaged_job_counts_as_before_and_delays_no_other(
    error: TrainingServiceError,
) -> None:
    silent = Silent("", error)
    world = an_account(
        budget="ml.m5.large=3",
        durations={"a-silent": 9000, "b-short": 400},
        wrapped_port="training",
        fault_point=silent,
    )
    for name in ("a-silent", "b-short"):
        start_unmanaged(world, name)
        world.simulation.run(2)
    world.run(120)
    assert set(world.store.last_reconciliation.unmanaged) == {"a-silent", "b-short"}
    silent.name = "a-silent"
    world.run(1200)
    assert set(world.store.last_reconciliation.unmanaged) == {"a-silent"}
    world.submit("job", instances=2)
    world.submit("wide", instances=3)
    world.run(60)
    assert [world.job(name).status.state for name in ("job", "wide")] == [JobState.RUNNING, JobState.PENDING]


def test_a_never_described_unmanaged_job_delays_no_other_and_counts_once_it_is_described() -> None:
    silent = Silent("silent", Refused("AccessDeniedException: no"))
    world = an_account(durations={"silent": 9000, "job": 60}, wrapped_port="training", fault_point=silent)
    start_unmanaged(world, "silent")
    world.run(1200)
    world.submit("job")
    world.run(300)
    assert world.job("job").status.state is JobState.COMPLETED
    silent.name = ""
    world.run(120)
    assert world.store.last_reconciliation.held == Demand.of({"ml.m5.large": 1})
