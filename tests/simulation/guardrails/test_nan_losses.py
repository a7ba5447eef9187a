"""Jobs whose losses are NaN are warned about, and stopped if all later losses are NaN; no other job is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest

from scheduler.core.history.notices import NoticeKind
from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.job_state import JobState
from simulation.guardrails.test_idle_gpus import ON_SPOT, FreeCapacity, changes_by_watches, check_changes, told

CPU = "ml.m5.large"
MINUTE = timedelta(minutes=1)
Losses = Callable[[int], str]  # the loss that a program writes in a minute of its training


def nan_after(minute: int) -> Losses:
    return lambda now: "nan" if now >= minute else "0.25"


@dataclass
class LossRoom(FreeCapacity):
    """Programs write their loss once a minute, as `losses` says. CloudWatch returns the last 50 lines."""

    nan: dict[str, object] = field(default_factory=lambda: {"action": "warn-then-stop"})
    losses: dict[str, Losses] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rule, self.budget = {"action": "off"}, f"{CPU}=20"
        super().__post_init__()
        self.world.configure(nan=self.nan)
        self.world.logs.lines_since = self._lines_since

    def state(self, name: str) -> tuple[JobState, str]:
        status = self.world.job(name).status
        return status.state, status.reason.code

    def _lines_since(self, attempt: str, since: datetime) -> Sequence[str]:
        loss = self.losses.get(attempt.split("-sq-")[0])
        started = self.world.scheduler.services.training.describe(attempt).training_since
        if loss is None or started is None:
            return ()
        minutes = range((self.world.clock.now() - started) // MINUTE)
        written = [
            f"step {minute}: train loss={loss(minute)}" for minute in minutes if started + minute * MINUTE >= since
        ]
        return written[-50:]


def test_a_job_whose_losses_stay_nan_is_warned_about_and_stopped() -> None:
    room = LossRoom(losses={"diverges": nan_after(30), "learns": nan_after(10**6)})
    for name in ("diverges", "learns", "silent"):
        room.start(name, kind=CPU)
    room.run(40)
    assert told(room) == [(NoticeKind.NAN_LOSS, "diverges")]
    (notice,) = (sent for sent in room.world.notices.sent if sent.kind is NoticeKind.NAN_LOSS)
    assert notice.reason == (
        "The newest 5 losses in its log are NaN. It is stopped if every loss is NaN for 15 more minutes."
    )
    assert room.state("diverges") == (JobState.RUNNING, "running")
    room.run(20)
    job = room.world.job("diverges")
    assert room.state("diverges") == (JobState.STOPPED, "nan_loss")
    assert job.status.reason.message == "every loss in its log was NaN for 15 min after a warning"
    assert [action.kind for action in job.status.actions] == ["warned_nan_loss", "stopped_nan_loss"]
    assert [ended.outcome for ended in job.status.history] == [Outcome.NAN_LOSS]
    assert told(room)[1:] == [(NoticeKind.STOPPED, "diverges")]
    room.run(60)
    assert (room.state("learns")[0], room.state("silent")[0]) == (JobState.RUNNING, JobState.RUNNING)


def test_one_finite_loss_after_the_warning_forgets_it() -> None:
    room = LossRoom(losses={"recovers": lambda minute: "nan" if minute % 30 >= 15 else "0.5"})
    changes = changes_by_watches(room)
    room.start("recovers", kind=CPU)
    room.run(35)
    assert told(room) == [(NoticeKind.NAN_LOSS, "recovers")]
    room.run(5)
    check_changes(room, changes, [["warned_nan_loss"], []])
    room.run(175)
    assert room.state("recovers")[0] is JobState.RUNNING
    assert set(told(room)) == {(NoticeKind.NAN_LOSS, "recovers")}


def test_few_losses_and_a_program_that_writes_no_more_stop_nothing() -> None:
    room = LossRoom(losses={"few": lambda minute: "nan" if minute % 20 == 19 else "", "late": nan_after(30)})
    for name in ("few", "late"):
        room.start(name, kind=CPU)
    room.run(40)
    assert told(room) == [(NoticeKind.NAN_LOSS, "late")]
    room.losses["late"] = lambda _: ""
    room.run(60)
    assert (room.state("few")[0], room.state("late")[0]) == (JobState.RUNNING, JobState.RUNNING)


def test_the_action_warn_only_warns() -> None:
    room = LossRoom(nan={"action": "warn"}, losses={"diverges": nan_after(0)})
    room.start("diverges", kind=CPU)
    room.run(120)
    assert (told(room), room.state("diverges")[0]) == ([(NoticeKind.NAN_LOSS, "diverges")], JobState.RUNNING)


@pytest.mark.parametrize("tag", ["queue:idle-exempt", "project"])
def test_an_exempt_job_is_not_stopped_until_its_exemption_ends(tag: str) -> None:
    room = LossRoom(nan={"action": "warn-then-stop", "exempt_for": "2h"}, losses={"diverges": nan_after(0)})
    room.world.durations = {"diverges": 20 * 3600}
    room.world.submit("diverges", kind=CPU, tags={tag: "true"})
    room.run(110)
    assert room.state("diverges")[0] is (JobState.RUNNING if tag == "queue:idle-exempt" else JobState.STOPPED)
    room.run(60)
    assert room.state("diverges") == (JobState.STOPPED, "nan_loss")


@pytest.mark.parametrize("seconds", [0, 120, 240])  # the windows of other watches begin at whole five minutes
def test_losses_that_are_nan_from_the_start_stop_a_job_once(seconds: int) -> None:
    room = LossRoom(nan={"action": "warn-then-stop", "values": 1}, losses={"diverges": nan_after(0)})
    room.world.run(seconds)
    room.start("diverges", kind=CPU)
    room.run(40)
    assert [action.kind for action in room.world.job("diverges").status.actions] == [
        "warned_nan_loss",
        "stopped_nan_loss",
    ]


def test_an_unreported_interruption_after_the_warning_withdraws_the_stop() -> None:
    room = LossRoom(nan={"action": "warn-then-stop", "window": "5m"}, losses={"diverges": nan_after(0)})
    room.world.durations = {"diverges": 20 * 3600}
    room.world.submit("diverges", kind=CPU, **ON_SPOT)
    room.run(10)
    assert told(room) == [(NoticeKind.NAN_LOSS, "diverges")]
    room.world.deliver_events = False
    room.world.simulation.interrupt("diverges-sq-1")
    room.run(8)
    kinds = [action.kind for action in room.world.job("diverges").status.actions]
    assert kinds[:3] == ["warned_nan_loss", "stopped_nan_loss", "spared"]
    room.run(20)
    assert room.state("diverges") == (JobState.STOPPED, "nan_loss")


def test_a_sweep_reads_few_logs_and_all_jobs_have_their_turn() -> None:
    names = [f"diverges-{number}" for number in range(15)]
    room = LossRoom(losses=dict.fromkeys(names, nan_after(0)))
    for name in names:
        room.start(name, kind=CPU)
    reads: list[str] = []
    lines_since = room.world.logs.lines_since

    def noted(name: str, since: datetime) -> Sequence[str]:
        reads.append(name)
        return lines_since(name, since)

    room.world.logs.lines_since = noted
    room.run(25)
    assert len(reads) <= 5 * 25
    room.run(75)
    assert {room.state(name)[1] for name in names} == {"nan_loss"}
