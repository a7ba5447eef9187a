"""Plays each short story once for every combination of a fault and a call."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.pool import Pool

from local_sagemaker.simulation import Workload
from local_sagemaker.state_machine.behaviour import Behaviour
from support.account.account import Account
from support.account.simulated_queue import PREEMPTS_AT_ONCE
from support.faults.call_faults import Call, Fate, NoFaults, Verdict
from support.simulation.actors.programs import Programs
from support.simulation.judges.checks import Violation
from support.simulation.judges.invariants import Invariants
from support.simulation.runs.liveness import run_to_the_end
from support.simulation.runs.scenarios import ABSENT, STORIES, PersistentUser, Story

_READS = frozenset({"GetItem", "BatchGetItem", "Query", "DescribeTrainingJob", "ListTags", "GetObject"})
_OF_SAGEMAKER = frozenset({"CreateTrainingJob", "StopTrainingJob"})


@dataclass
class OneFault(NoFaults):
    """Injects a fault at call number `at`. Without a fault, only records the calls."""

    at: int = 0
    fate: Fate = Fate.WORKS
    calls: list[Call] = field(default_factory=list)

    def verdict_on(self, call: Call) -> Verdict:
        self.calls.append(call)
        return Verdict(self.fate) if call.number == self.at else Verdict()

    def late_effect(self, _operation: str) -> float:
        return 10.0


def failures_of(name: str, cores: Pool) -> tuple[int, Sequence[str]]:
    """Returns the number of faults tried, and a message for each that broke an invariant."""
    faults = [(fault.at, fault.fate) for fault in faults_of(STORIES[name])]
    outcomes = cores.map(partial(_failure_after, name), faults, 10)
    return len(faults), [outcome for outcome in outcomes if outcome]


def _failure_after(name: str, fault: tuple[int, Fate]) -> str:
    at, fate = fault
    story = STORIES[name]
    try:
        ends = live_through(story, OneFault(at, fate))
    except Violation as violation:
        return f"call {at}: {fate}: {violation}"
    is_good = ends.keys() <= story.ends.keys() and all(ends.get(job, ABSENT) in story.ends[job] for job in story.ends)
    return "" if is_good else f"call {at}: {fate}: {ends}"


def faults_of(story: Story) -> Iterator[OneFault]:
    counting = OneFault()
    live_through(story, counting)
    for call in counting.calls:
        for fate in _fates_of(call):
            yield OneFault(at=call.number, fate=fate)


def live_through(story: Story, fault_plan: OneFault) -> dict[str, str]:
    """Plays a story, and returns the final states of its jobs. Raises Violation."""
    course = Workload(trains=80, prepares=1, uploads=1)
    account = Account(
        fault_plan,
        behaviour=Behaviour(startup=lambda _: 5.0),
        course=lambda _: course,
        configuration={"policy": PREEMPTS_AT_ONCE},
    )
    Programs(account, seed=0, answer="prompt")
    user = PersistentUser(account)
    invariants = Invariants(account, user.user_requests, {"ml.m5.large": 2})
    try:
        story.tell(user)
        run_to_the_end(account, user.user_requests, invariants)
    finally:
        account.close()
    return {job.name: job.status.state.value for job in invariants.jobs.values()}


def _fates_of(call: Call) -> tuple[Fate, ...]:
    """Returns the faults to try.

    Dying before a write is the same as dying after the previous one, and reads have no effect.
    """
    if call.operation in _OF_SAGEMAKER:
        return (Fate.DIES_AFTER, Fate.FAILS, Fate.LOSES_ANSWER, Fate.COMES_LATE)
    return () if call.operation in _READS else (Fate.DIES_AFTER, Fate.LOSES_ANSWER)
