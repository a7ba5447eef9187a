"""The scan of SageMaker's list skips no training job, whatever the pages look like and whatever happens meanwhile."""

from datetime import UTC, datetime
from math import inf
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from scheduler.core.reconciliation.list_scan import MOST_PAGES
from scheduler.core.reconciliation.reconciliation_state import BudgetScope
from support.account.simulated_queue import SimulatedQueue, request
from support.builders.past_jobs import add_past_jobs

MINUTE = 60.0
UNKNOWNS = st.builds(
    Unknowns,
    cuts_pages_first=st.booleans(),
    page_token_seconds=st.sampled_from([inf, 90.0, 30.0]),
    listed_after_seconds=st.sampled_from([0.0, 30.0, 300.0]),
)
ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("cycles"), st.integers(1, 4)),
        st.tuples(st.just("pause"), st.sampled_from([2 * MINUTE, 600.0, 2 * 24 * 3600.0])),
        st.tuples(st.just("others"), st.integers(1, 40)),
        st.tuples(st.just("live"), st.integers(1, 2)),
        st.tuples(st.just("deletion"), st.integers(0, 60)),
    ),
    max_size=12,
)


class Account:
    """A queue whose budget is the account's, so that each training job of others is found and counted."""

    def __init__(self, unknowns: Unknowns, page: int) -> None:
        self.world = SimulatedQueue(scope=BudgetScope.ACCOUNT, behaviour=Behaviour(unknowns=unknowns))
        self._lag, self._page, self._number = unknowns.listed_after_seconds, page, 0
        self.world.client.meta.events.register(
            "provide-client-params.sagemaker.ListTrainingJobs", lambda params, **_: params | {"MaxResults": page}
        )

    def act(self, what: str, how: Any) -> None:
        simulation = self.world.simulation
        match what:
            case "cycles":
                for _ in range(how):
                    simulation.run(MINUTE)
                    self.world.cycle(sweep=True)
                    self.check()
            case "pause":
                simulation.run(how)
            case "others":
                add_past_jobs(simulation.machine, how, simulation.now, simulation.now + how)
                simulation.run(how)
            case "live":
                for _ in range(how):
                    self._number += 1
                    limit = {"MaxRuntimeInSeconds": 28 * 24 * 3600}
                    body = request(f"theirs{self._number}", StoppingCondition=limit)
                    self.world.client.create_training_job(**body)
                    simulation.run(2)
            case "deletion":
                ended = simulation.machine.past_jobs
                for name in list(ended)[how : how + 3]:
                    del ended[name]

    def is_beyond_reach(self) -> bool:
        """Returns whether each part of a scan may have to begin at the top, and has too few pages for the list."""
        machine = self.world.simulation.machine
        unknowns = machine.behaviour.unknowns
        starts_over = unknowns.cuts_pages_first and unknowns.page_token_seconds < MINUTE
        return starts_over and len(machine.past_jobs) + len(machine.jobs) > (MOST_PAGES - 10) * self._page

    def check(self) -> None:
        """Checks that a complete scan knows each training job that was listed when it began."""
        state = self.world.store.last_reconciliation
        if state.complete_at is None:
            return
        listed_until = state.complete_at.timestamp() - self._lag
        for job in self.world.simulation.machine.jobs.values():
            is_known = not job.holds_instances or job.name in state.unmanaged
            assert is_known or job.created_at > listed_until, f"{job.name} was skipped"


@settings(max_examples=12)  # each plays up to a hundred cycles
@given(unknowns=UNKNOWNS, page=st.integers(2, 9), acts=ACTS)
def test_no_training_job_is_skipped_and_the_queue_trusts_its_scan_again(
    unknowns: Unknowns, page: int, acts: list[tuple[str, Any]]
) -> None:
    account = Account(unknowns, page)
    for what, how in acts:
        account.act(what, how)
    account.act("cycles", 30)
    now = datetime.fromtimestamp(account.world.simulation.now, UTC)
    is_trusted = account.world.store.last_reconciliation.is_trusted(now, BudgetScope.ACCOUNT)
    assert is_trusted or account.is_beyond_reach()
