"""Jobs whose programs hang are warned about, stopped, and run again once; no job that works is."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest

from scheduler.core.history.notices import NoticeKind
from scheduler.core.jobs.attempt import Outcome
from scheduler.core.jobs.job_state import JobState
from simulation.guardrails.test_idle_gpus import GPU, FreeCapacity, changes_by_watches, check_changes, told

CPU, TRAINIUM = "ml.m5.large", "ml.trn1.2xlarge"
MINUTE = timedelta(minutes=1)


@dataclass
class HangingRoom(FreeCapacity):
    """Programs write a line a minute, except the silent ones, and use their hosts as `usage` and `cpus` say."""

    hangs: dict[str, str] = field(default_factory=lambda: {"action": "stop"})
    silent: dict[str, float] = field(default_factory=dict)  # minutes of its training after which a job writes no line
    cpus: dict[str, float | None] = field(default_factory=dict)  # percent of one core
    unreadable: set[str] = field(default_factory=set)  # jobs whose logs cannot be read

    def __post_init__(self) -> None:
        self.rule = {"action": "off"}
        super().__post_init__()
        self.world.configure(hangs=self.hangs)
        self.cloudwatch.cpu_usage = lambda host, _: self.cpus.get(host.split("-sq-")[0], 180.0)
        self.world.logs.written = self._last_line

    def state(self, name: str) -> tuple[JobState, str]:
        status = self.world.job(name).status
        return status.state, status.reason.code

    def _last_line(self, attempt: str) -> datetime | None:
        job = attempt.split("-sq-")[0]
        started = self.world.scheduler.services.training.describe(attempt).training_since
        if job in self.unreadable or started is None:
            return None
        return min(self.world.clock.now(), started + self.silent.get(job, 10**6) * MINUTE)


def test_a_program_that_writes_no_line_and_uses_no_gpu_is_stopped() -> None:
    room = HangingRoom(usage={"hung": 0.0, "loads": 0.0, "quiet": 60.0}, silent={"hung": 30, "quiet": 1})
    for name in ("hung", "loads", "quiet"):
        room.start(name)
    room.run(48)
    assert room.state("hung") == (JobState.RUNNING, "running")
    room.run(12)
    assert room.state("hung") == (JobState.STOPPED, "hung")
    assert room.world.job("hung").status.reason.message == "its program wrote no log line and did nothing for 20 min"
    assert told(room) == [(NoticeKind.STOPPED, "hung")]
    room.run(120)
    assert (room.state("loads")[0], room.state("quiet")[0]) == (JobState.RUNNING, JobState.RUNNING)


def test_on_cpu_types_the_use_of_cores_counts() -> None:
    room = HangingRoom(cpus={"hung": 3.0, "works": 40.0}, silent={"hung": 0, "works": 0})
    room.start("hung", kind=CPU)
    room.start("works", kind=CPU)
    room.run(60)
    assert (room.state("hung"), room.state("works")[0]) == ((JobState.STOPPED, "hung"), JobState.RUNNING)


def test_it_runs_again_once_and_a_second_hang_ends_it() -> None:
    room = HangingRoom(hangs={"action": "stop-and-retry"}, usage={"hung": 0.0}, silent={"hung": 5})
    room.start("hung")
    room.run(47)
    job = room.world.job("hung")
    assert (job.status.state, job.status.attempts, job.status.hang_retries) == (JobState.RUNNING, 2, 1)
    room.run(60)
    assert room.state("hung") == (JobState.STOPPED, "hung")
    assert [ended.outcome for ended in room.world.job("hung").status.history] == [Outcome.HUNG, Outcome.HUNG]
    assert told(room) == [(NoticeKind.RETRIED, "hung"), (NoticeKind.STOPPED, "hung")]


def test_a_job_that_has_had_all_its_attempts_is_not_retried() -> None:
    room = HangingRoom(hangs={"action": "stop-and-retry"}, usage={"hung": 0.0}, silent={"hung": 5})
    room.world.configure(retries={"attempts_per_job": 1})
    room.start("hung")
    room.run(60)
    assert (room.state("hung")[0], room.world.job("hung").status.attempts) == (JobState.STOPPED, 1)


def test_a_job_that_allows_no_retries_is_not_retried() -> None:
    room = HangingRoom(hangs={"action": "stop-and-retry"}, usage={"hung": 0.0}, silent={"hung": 5})
    room.world.durations = {"hung": 20 * 3600}
    room.world.submit("hung", kind=GPU, tags={"queue:retries": "0"})
    room.run(60)
    assert (room.state("hung"), room.world.job("hung").status.attempts) == ((JobState.STOPPED, "hung"), 1)


def test_its_owner_is_warned_once_for_each_hang() -> None:
    room = HangingRoom(hangs={"action": "warn"}, usage={"hung": 0.0}, silent={"hung": 5})
    changes = changes_by_watches(room)
    room.start("hung")
    room.run(90)
    assert (told(room), room.state("hung")[0]) == ([(NoticeKind.HANG, "hung")], JobState.RUNNING)
    room.usage["hung"] = 90.0
    room.run(10)
    room.usage["hung"] = 0.0
    room.run(40)
    assert told(room) == [(NoticeKind.HANG, "hung")] * 2
    check_changes(room, changes, [["warned_hung"], [], ["warned_hung"]])


@pytest.mark.parametrize("usage", [0.0, None])
def test_missing_data_stops_nothing(usage: float | None) -> None:
    room = HangingRoom(usage={"unknown": usage}, silent={"unknown": 5})
    if usage is not None:
        room.unreadable = {"unknown"}
    room.start("unknown")
    room.run(120)
    assert room.state("unknown")[0] is JobState.RUNNING


def test_nothing_is_stopped_within_the_grace_period() -> None:
    room = HangingRoom(hangs={"action": "stop", "grace": "2h"}, usage={"loads": 0.0}, silent={"loads": 1})
    room.start("loads")
    room.run(135)
    assert room.state("loads")[0] is JobState.RUNNING
    room.run(20)
    assert room.state("loads") == (JobState.STOPPED, "hung")


@pytest.mark.parametrize("action", ["warn", "stop", "stop-and-retry"])
def test_on_trainium_the_log_alone_warns_once_and_stops_nothing(action: str) -> None:
    room = HangingRoom(budget=f"{TRAINIUM}=12", hangs={"action": action}, silent={"hung": 5})
    for name in ("hung", *(f"works-{number}" for number in range(11))):
        room.start(name, kind=TRAINIUM)
    room.run(150)
    assert room.cloudwatch.alarms == {}
    assert told(room) == [(NoticeKind.HANG, "hung")]
    assert {job.status.state for job in room.world.store.jobs.values()} == {JobState.RUNNING}


def test_on_trainium_a_new_line_ends_a_hang() -> None:
    room = HangingRoom(budget=f"{TRAINIUM}=1", hangs={"action": "warn"}, silent={"hung": 5})
    changes = changes_by_watches(room)
    room.start("hung", kind=TRAINIUM)
    room.run(60)
    room.silent.clear()
    room.run(5)
    check_changes(room, changes, [["warned_hung"], []])


def test_an_exempt_job_has_no_alarm() -> None:
    room = HangingRoom(usage={"exempt": 0.0}, silent={"exempt": 0})
    room.world.submit("exempt", kind=GPU, tags={"queue:idle-exempt": "true"})
    room.run(30)
    assert room.cloudwatch.alarms == {}


def test_one_busy_host_is_enough_to_go_on() -> None:
    room = HangingRoom(usage={"wide": 0.0, "wide-sq-1/algo-12": 50.0}, silent={"wide": 1})
    room.start("wide", instances=12)
    room.run(90)
    assert (len(room.cloudwatch.alarms), room.state("wide")[0]) == (2, JobState.RUNNING)


@pytest.mark.parametrize("seconds", range(0, 300, 60))  # the alarms of one sweep are checked in random order
def test_a_job_that_is_idle_and_hung_in_the_same_sweep_is_stopped_once(seconds: int) -> None:
    room = HangingRoom(usage={"hung": 0.0}, silent={"hung": 1})
    room.world.configure(idle_gpus={"action": "stop", "window": "20m"})
    room.world.run(seconds)
    room.start("hung")
    room.run(33)
    assert room.state("hung")[0] is JobState.RUNNING
    room.run(15)
    job = room.world.job("hung")
    assert (job.status.state, len(job.status.actions), job.status.attempts) == (JobState.STOPPED, 1, 1)
    assert job.status.reason.code in {"idle_gpu", "hung"}
    assert told(room) == [(NoticeKind.STOPPED, "hung")]
    stops = [call for call in room.world.simulation.machine.jobs.values() if call.status == "Stopped"]
    assert len(stops) == 1


def test_each_kind_of_alarm_of_one_sweep_stops_a_job_only_once() -> None:
    room = HangingRoom(usage={"hung": 0.0}, silent={"hung": 1})
    room.world.configure(idle_gpus={"action": "stop", "window": "20m"})
    room.start("hung")
    room.run(30)
    room.world.run(20 * 60)  # both alarms fire, and no sweep sees them
    alarms = sorted(room.cloudwatch.alarms)
    assert [alarm.split("/")[2] for alarm in alarms] == ["hang", "idle"]
    assert [room.watch.check(alarm) for alarm in alarms] == ["hung", None]
    assert [action.kind for action in room.world.job("hung").status.actions] == ["stopped_hung"]
