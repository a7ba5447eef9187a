"""Hypothesis chooses acts and faults, and shrinks a failure to the few that matter."""

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test
from hypothesis.strategies import integers, sampled_from

from local_sagemaker.simulation import Workload
from local_sagemaker.state_machine.behaviour import Behaviour
from support.account.account import Account
from support.account.simulated_queue import PREEMPTS_AT_ONCE
from support.faults.call_faults import Call, Fate, NoFaults, Verdict
from support.faults.random_faults import can_meet
from support.simulation.judges.checks import Violation
from support.simulation.judges.invariants import Invariants
from support.simulation.runs.defect_search import DEFECTS
from support.simulation.runs.liveness import run_to_the_end
from support.simulation.runs.scenarios import PersistentUser

JOBS = sampled_from(["job1", "job2", "job3"])
OPERATIONS = sampled_from(
    ["CreateTrainingJob", "StopTrainingJob", "DescribeTrainingJob", "TransactWriteItems", "PutItem", "UpdateItem"]
)
EXAMPLES = settings(
    max_examples=200,
    stateful_step_count=15,
    deadline=None,
    derandomize=True,  # a run that fails fails again; `make simulate` is for chance
    suppress_health_check=[HealthCheck.too_slow],
)


class Planned(NoFaults):
    """The next call of an operation meets its fate in `fates`, if it can."""

    def __init__(self) -> None:
        self.fates: dict[str, Fate] = {}
        self.tells = True

    def verdict_on(self, call: Call) -> Verdict:
        fate = self.fates.pop(call.operation, Fate.WORKS)
        return Verdict(fate if can_meet(call, fate) else Fate.WORKS)

    def event_arrivals(self) -> tuple[float, ...]:
        return (1.0,) if self.tells else ()

    def late_effect(self, _operation: str) -> float:
        return 10.0


class Queue(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.fault_plan = Planned()
        self.account = Account(
            self.fault_plan,
            behaviour=Behaviour(startup=lambda _: 5.0),
            course=lambda _: Workload(trains=80, prepares=1, uploads=1),
            configuration={"policy": PREEMPTS_AT_ONCE},
        )
        self.user = PersistentUser(self.account)
        self.safety = Invariants(self.account, self.user.user_requests, {"ml.m5.large": 2})
        self.submitted: set[str] = set()

    @rule(name=JOBS, priority=integers(0, 2), instances=integers(1, 2))
    def submit(self, name: str, priority: int, instances: int) -> None:
        if name not in self.submitted:
            self.submitted.add(name)
            self.user.submit(name, priority, instances)

    @rule(name=JOBS, what=sampled_from(["cancel", "hold", "release", "requeue", "top"]))
    def act_on(self, name: str, what: str) -> None:
        if name in self.submitted:
            self.user.act_on(name, what)

    @rule(name=JOBS, number=integers(1, 2))
    def stop_in_console(self, name: str, number: int) -> None:
        self.user.stop_in_console(f"{name}-sq-{number}")

    @rule(patience=sampled_from(["0s", "1m"]), weight=integers(1, 2))
    def configure(self, patience: str, weight: int) -> None:
        shares = {"science": {"members": ["*:assumed-role/Scientist/*"], "weight": weight}}
        self.user.configure(policy={**PREEMPTS_AT_ONCE, "patience": patience}, shares=shares)

    @rule(operation=OPERATIONS, fate=sampled_from(Fate))
    def let_the_next_call_fail(self, operation: str, fate: Fate) -> None:
        self.fault_plan.fates[operation] = fate

    @rule(seconds=sampled_from([1.0, 10.0, 60.0, 200.0]))
    def wait(self, seconds: float) -> None:
        self.user.wait(seconds)

    @rule()
    def lose_events_or_not(self) -> None:
        self.fault_plan.tells = not self.fault_plan.tells

    def teardown(self) -> None:
        try:
            self.fault_plan.fates.clear()
            run_to_the_end(self.account, self.user.user_requests, self.safety)
        finally:
            self.account.close()


def test_the_invariants_hold_whatever_users_do_and_whichever_calls_fail() -> None:
    run_state_machine_as_test(Queue, settings=EXAMPLES)


def test_a_planted_defect_is_found_here_too() -> None:
    with pytest.MonkeyPatch.context() as patches:
        DEFECTS["forget a cancellation"](patches)
        with pytest.raises(Violation):
            run_state_machine_as_test(
                Queue, settings=settings(EXAMPLES, phases=[Phase.generate], report_multiple_bugs=False)
            )
