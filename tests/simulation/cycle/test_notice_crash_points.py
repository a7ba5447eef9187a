"""A function dies at each of its calls around a notice: the job is stopped once, and loses one interval at most."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from local_sagemaker.simulation import Workload
from local_sagemaker.state_machine.behaviour import Behaviour
from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.job_state import JobState
from support.account.account import Account
from support.account.simulated_queue import PREEMPTS_AT_ONCE
from support.faults.call_faults import Call, Fate
from support.simulation.actors.checkpointing_program import INTERVAL, CheckpointingProgram
from support.simulation.judges.invariants import Invariants
from support.simulation.runs.crash_points import OneFault
from support.simulation.runs.liveness import run_to_the_end
from support.simulation.runs.scenarios import PersistentUser

NOTICE = 120
VICTIM = "victim-sq-1"
#: In these seconds the victim saves three times, and works on after the last save.
BEFORE_THE_NOTICE = 120
#: Reads of the table and of SageMaker: dying after one of them equals dying after the write before it.
READS = frozenset({"GetItem", "BatchGetItem", "Query", "DescribeTrainingJob", "ListTags"})
#: The calls at which a death must have been tried, by operation and what they are about.
AROUND_A_NOTICE = {
    ("PutObject", f"stops/{VICTIM}"),
    ("GetObject", f"acks/{VICTIM}"),
    ("UpdateItem", f"LIVE/{VICTIM}"),
    ("StopTrainingJob", VICTIM),
    ("TransactWriteItems", f"LEDGER/LEDGER JOB#victim/JOB LIVE/{VICTIM}"),
}


@dataclass(frozen=True, slots=True)
class Save:
    """The save at the notice, and what the job may lose and leave behind whenever a function dies."""

    seconds: float
    most_lost: int  # steps
    torn: int  # checkpoints


#: The stop at the deadline interrupts the second one.
SAVES = {"in time": Save(4.0, most_lost=0, torn=0), "too slow": Save(3.0 * NOTICE, most_lost=INTERVAL, torn=1)}


@pytest.mark.parametrize("save", SAVES.values(), ids=list(SAVES))
def test_a_death_around_a_notice_loses_one_interval_at_most(save: Save, tmp_path: Path) -> None:
    calls = calls_around_the_notice(save, tmp_path / "undisturbed")
    assert {(call.operation, call.about) for call in calls} >= AROUND_A_NOTICE
    for call in calls:
        story = Story(save, tmp_path / str(call.number), OneFault(call.number, Fate.DIES_AFTER))
        story.play()
        assert not story.problems(), f"{call.function} dies after {call.operation} {call.about}"


def calls_around_the_notice(save: Save, folder: Path) -> Sequence[Call]:
    """Returns the calls from the decision to stop the victim until the end of its attempt, without reads of records."""
    fault = OneFault()
    story = Story(save, folder, fault)
    story.play()
    assert not story.problems()
    calls = [call for call in fault.calls if call.operation not in READS]
    about = [number for number, call in enumerate(calls) if VICTIM in call.about and call.sent_at > story.submitted_at]
    return calls[about[0] : about[-1] + 1]


class Story:
    """A job that saves is asked to stop, because another one of higher priority needs its instances."""

    def __init__(self, save: Save, folder: Path, fault: OneFault) -> None:
        self.account = Account(
            fault,
            behaviour=Behaviour(startup=lambda _: 5.0),
            course=_course,
            configuration={"policy": PREEMPTS_AT_ONCE | {"notice": f"{NOTICE}s"}},
        )
        self.program = CheckpointingProgram(self.account, "victim", folder, save.seconds)
        self.submitted_at = 0.0
        self._save, self._fault = save, fault
        self._user = PersistentUser(self.account)
        self._invariants = Invariants(self.account, self._user.user_requests, {"ml.m5.large": 2})

    def play(self) -> None:
        try:
            self._user.submit("victim", 1, instances=2)
            self._user.wait(BEFORE_THE_NOTICE)
            self.submitted_at = self.account.now
            self._user.submit("urgent", 2, instances=2)
            run_to_the_end(self.account, self._user.user_requests, self._invariants)
        finally:
            self.account.close()

    def problems(self) -> Sequence[str]:
        victim, program = self._invariants.jobs["victim"], self.program
        outcomes = [ended.outcome for ended in victim.status.history]
        stopped = {call.about for call in self._fault.calls if call.operation == "StopTrainingJob"}
        facts = {
            f"its attempts ended as {outcomes}": outcomes == [Outcome.PREEMPTED, Outcome.COMPLETED],
            f"stops were sent to {stopped}": stopped == {VICTIM},
            f"it was asked to stop at {program.notices}": len(program.notices) == 1,
            f"its attempts repeat {program.lost} steps": max(program.lost) <= self._save.most_lost,
            f"its attempts find {program.torn} torn checkpoints": program.torn == [0, self._save.torn],
            f"it is {victim.status.state}": victim.status.state is JobState.COMPLETED,
        }
        return [problem for problem, is_good in facts.items() if not is_good]


def _course(request: dict[str, Any]) -> Workload:
    """The first attempt of the victim would train for long; all others end soon."""
    return Workload(trains=900.0 if request["TrainingJobName"] == VICTIM else 60.0, prepares=1, uploads=1)
