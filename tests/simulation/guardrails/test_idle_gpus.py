"""Jobs that leave their GPUs idle are warned about and stopped."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from scheduler.core.history.change import Change, change_of
from scheduler.core.history.notices import NoticeKind
from scheduler.core.idle_gpus.alarms import AlarmKind, UseAlarm, parse_alarm_name
from scheduler.core.idle_gpus.idle_check import UseReading
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.cycle.watches.check_results import CheckResults
from scheduler.cycle.watches.hangs import Hangs
from scheduler.cycle.watches.idle_gpus import IdleGpus
from scheduler.cycle.watches.nan_losses import NanLosses
from scheduler.cycle.watches.signals import Signals
from scheduler.errors.internal import AlarmServiceError
from scheduler.ports.job_store import IDLE_ALARM, SCHEDULE
from support.account.gpu_metrics import CloudWatch
from support.account.simulated_queue import ADA, SimulatedQueue
from support.builders.configurations import UNREADABLE
from support.faults.fault_points import PortWrapper
from support.faults.scripted_faults import ScriptedCalls, takes_effect_and_times_out

STOP = {"action": "stop"}
FLOOR = {"action": "stop", "minimum_utilisation": 80, "underused": "warn-then-stop"}
GPU = "ml.g5.xlarge"
MINUTE = 60
SWEEP_TIME = timedelta(seconds=10)
ON_SPOT: dict[str, Any] = {
    "EnableManagedSpotTraining": True,
    "StoppingCondition": {"MaxRuntimeInSeconds": 86_400, "MaxWaitTimeInSeconds": 90_000},
}


@dataclass
class FreeCapacity:
    """A world whose sweeps watch GPUs; every host is as busy as `usage` says of its attempt, in percent of one GPU."""

    rule: Mapping[str, Any] = field(default_factory=lambda: STOP)  # the section idle_gpus
    budget: str = f"{GPU}=20,ml.m5.large=2,ml.g5.12xlarge=2"
    usage: dict[str, float | None] = field(default_factory=dict)
    at: Callable[[str, datetime], float | None] | None = None  # where usage changes with time
    training: PortWrapper | None = None  # treats calls to SageMaker

    def __post_init__(self) -> None:
        self.world = SimulatedQueue(
            budget=self.budget,
            durations={},
            configuration={"idle_gpus": self.rule},
            wrapped_port="training",
            fault_point=self.training,
        )
        self.cloudwatch = self.world.cloudwatch
        self.cloudwatch.usage = self._usage
        services, results = self.world.scheduler.services, CheckResults(self.world.store, self.world.notices)
        signals = Signals(self.cloudwatch, self.world.logs)
        hangs = Hangs(self.world.store, signals, results, self.world.clock, services.configuration)
        losses = NanLosses(self.world.store, signals, results, self.world.clock, services.configuration)
        self.watch = IdleGpus(
            self.world.store,
            self.world.store,
            services.live_job_cache,
            self.cloudwatch,
            signals,
            results,
            hangs,
            losses,
            self.world.clock,
            services.configuration,
            "sq",
        )

    def run(self, minutes: float) -> None:
        for _ in range(round(minutes)):
            self.watch.sweep(SWEEP_TIME)
            self.world.run(MINUTE)

    def start(self, name: str, *, instances: int = 1, kind: str = GPU, hours: float = 20) -> None:
        self.world.durations = {**self.world.durations, name: hours * 3600}
        self.world.submit(name, instances=instances, kind=kind)

    def _usage(self, host: str, at: datetime) -> float | None:
        if self.at is not None:
            return self.at(host, at)
        return self.usage.get(host, self.usage.get(host.split("-sq-")[0], 90.0))


def told(room: FreeCapacity) -> list[tuple[NoticeKind, str]]:
    """Returns the notices in the order of sending, without those of starts and completions."""
    expected = {NoticeKind.STARTED, NoticeKind.COMPLETED}
    return [(notice.kind, notice.job) for notice in room.world.notices.sent if notice.kind not in expected]


def changes_by_watches(room: FreeCapacity) -> list[Change]:
    """Returns a list to which every later change by a watch is added, as the history records it."""
    found: list[Change] = []
    notify = room.world.store.on_change

    def record(job: Job, by: str) -> None:
        notify(job, by)
        if by == IDLE_ALARM:
            found.append(change_of(job, by, room.world.clock.now(), ()))

    room.world.store.on_change = record
    return found


def check_changes(room: FreeCapacity, changes: Sequence[Change], expected: Sequence[Sequence[str]]) -> None:
    """Checks that each change has only its own actions, and that a notice names the version of its warning."""
    assert [[action.kind for action in change.done] for change in changes] == expected
    assert len({change.changed_at for change in changes}) == len(changes)
    warned = [(change.job, str(change.version)) for change in changes if change.done]
    sent = [notice for notice in room.world.notices.sent if notice.kind is not NoticeKind.STARTED]
    assert [tuple(notice.id.split("/")[:2]) for notice in sent] == warned


def test_a_job_that_leaves_its_gpu_idle_is_stopped_and_a_busy_one_beside_it_is_not() -> None:
    room = FreeCapacity(usage={"idle": 0.0, "busy": 60.0})
    room.start("idle")
    room.start("busy")
    room.run(50)
    assert (room.world.job("idle").status.state, room.world.job("busy").status.state) == (
        JobState.STOPPED,
        JobState.RUNNING,
    )
    assert room.world.job("idle").status.reason.message == "no GPU of any of its hosts was used for 15 min"
    assert told(room) == [(NoticeKind.STOPPED, "idle")]


def test_nothing_is_stopped_within_the_time_of_grace() -> None:
    room = FreeCapacity(rule={**STOP, "grace": "2h"}, usage={"loads-data": 0.0})
    room.start("loads-data")
    room.run(119)
    assert room.world.job("loads-data").status.state is JobState.RUNNING
    room.run(40)
    assert room.world.job("loads-data").status.state is JobState.STOPPED


def test_an_unreported_interruption_starts_the_grace_period_again() -> None:
    room = FreeCapacity(rule={**STOP, "window": "5m", "grace": "2m"}, usage={"loads-again": 0.0})
    room.world.durations = {"loads-again": 20 * 3600}
    room.world.submit("loads-again", kind=GPU, **ON_SPOT)
    room.run(5)
    room.world.deliver_events = False
    room.world.simulation.interrupt("loads-again-sq-1")
    room.run(8)  # what is known then is written down: it is spared once, not in each sweep
    job = room.world.job("loads-again")
    assert (job.status.state, [action.kind for action in job.status.actions]) == (
        JobState.RUNNING,
        ["stopped_idle", "spared", "interrupted"],
    )
    room.run(10)
    assert room.world.job("loads-again").status.state is JobState.STOPPED


def test_so_does_one_that_a_poll_reports_between_the_decision_and_the_stop() -> None:
    # Found by seed 20011046.
    room = FreeCapacity(rule={**STOP, "window": "5m", "grace": "10m"}, usage={"loads-again": 0.0})
    room.world.durations = {"loads-again": 20 * 3600}
    room.world.submit("loads-again", kind=GPU, **ON_SPOT)
    room.run(14)
    room.world.deliver_events = False
    room.world.simulation.interrupt("loads-again-sq-1")
    while room.world.job("loads-again").status.state is not JobState.STOPPING:
        room.watch.sweep(SWEEP_TIME)
        room.world.simulation.run(MINUTE)
    polled = room.world.scheduler.services.training.describe("loads-again-sq-1")
    room.world.store.record_observation("loads-again-sq-1", polled, by=SCHEDULE)
    room.world.run(1)
    assert [action.kind for action in room.world.job("loads-again").status.actions] == [
        "stopped_idle",
        "spared",
        "interrupted",
    ]
    room.run(20)
    assert room.world.job("loads-again").status.state is JobState.STOPPED


@dataclass
class Slow:
    """Metrics whose first answer takes so long that the attempt is interrupted meanwhile."""

    world: SimulatedQueue
    metrics: CloudWatch
    interrupted: bool = False

    def read(self, *asked: Any) -> tuple[UseReading, ...]:
        readings = self.metrics.read(*asked)
        if not self.interrupted:
            self.world.simulation.interrupt("loads-again-sq-1")
        self.interrupted = True
        return readings


def test_an_interruption_reported_while_metrics_are_read_starts_the_grace_period_again() -> None:
    room = FreeCapacity(rule={**STOP, "window": "5m", "grace": "10m"}, usage={"loads-again": 0.0})
    slow = Slow(room.world, room.cloudwatch)
    room.watch = replace(room.watch, signals=Signals(slow, room.world.logs))
    room.world.durations = {"loads-again": 20 * 3600}
    room.world.submit("loads-again", kind=GPU, **ON_SPOT)
    while not slow.interrupted:
        room.run(1)
    room.run(8)
    job = room.world.job("loads-again")
    assert (job.status.state, [action.kind for action in job.status.actions]) == (JobState.RUNNING, ["interrupted"])
    room.run(20)
    assert room.world.job("loads-again").status.state is JobState.STOPPED


def test_a_change_without_a_new_start_resets_no_protection() -> None:
    room = FreeCapacity(usage={"idle": 0.0})
    room.start("idle")
    for _ in range(50):
        room.run(1)
        room.world.simulation.machine.jobs["idle-sq-1"].modified_at = room.world.simulation.now
    assert [action.kind for action in room.world.job("idle").status.actions] == ["stopped_idle"]


def test_a_stop_whose_answer_was_lost_is_not_taken_for_a_new_start() -> None:
    # Found by seed 886: what is being stopped does not train any more, and looked as if it had begun anew.
    room = FreeCapacity(usage={"idle": 0.0}, training=ScriptedCalls("stop", [takes_effect_and_times_out]))
    room.start("idle")
    room.run(5)
    room.world.deliver_events = False
    room.run(45)
    job = room.world.job("idle")
    assert ([action.kind for action in job.status.actions], job.status.reason.code) == (["stopped_idle"], "idle_gpu")


@pytest.mark.parametrize("busy_host", [1, 10, 11, 12])
def test_a_job_of_twelve_hosts_is_judged_on_all_of_them(busy_host: int) -> None:
    room = FreeCapacity(usage={"wide": 0.0, f"wide-sq-1/algo-{busy_host}": 50.0})
    room.start("wide", instances=12)
    room.run(60)
    assert len(room.cloudwatch.alarms) == 2
    assert room.world.job("wide").status.state is JobState.RUNNING
    room.usage[f"wide-sq-1/algo-{busy_host}"] = 0.0
    room.run(30)
    assert room.world.job("wide").status.state is JobState.STOPPED


def test_the_threshold_grows_with_the_gpus_of_a_host() -> None:
    room = FreeCapacity(usage={"four": 3.9})  # of 400
    room.start("four", kind="ml.g5.12xlarge")
    room.run(50)
    assert room.world.job("four").status.state is JobState.STOPPED


def test_missing_data_stops_nothing() -> None:
    room = FreeCapacity(usage={"silent": None, "half": 0.0, "half-sq-1/algo-2": None})
    room.start("silent")
    room.start("half", instances=2)
    room.run(120)
    assert room.world.job("silent").status.state is JobState.RUNNING
    assert room.world.job("half").status.state is JobState.RUNNING


def test_a_job_without_gpus_has_no_alarm() -> None:
    room = FreeCapacity(usage={"cpu": 0.0})
    room.start("cpu", kind="ml.m5.large")
    room.run(60)
    assert (room.cloudwatch.alarms, room.world.job("cpu").status.state) == ({}, JobState.RUNNING)


def test_its_owner_is_warned_first_if_configured_and_can_save_it() -> None:
    room = FreeCapacity(rule={"action": "warn-then-stop"})
    begin = room.world.clock.now()
    room.at = lambda _, at: 50.0 if 40 <= (at - begin).total_seconds() / MINUTE < 100 else 0.0
    room.start("asleep")
    room.run(38)
    assert told(room) == [(NoticeKind.IDLE, "asleep")]
    room.run(85)  # idle again, and not stopped at once for the old warning
    assert (told(room), room.world.job("asleep").status.state) == (
        [(NoticeKind.IDLE, "asleep")] * 2,
        JobState.RUNNING,
    )
    room.run(20)
    assert room.world.job("asleep").status.state is JobState.STOPPED
    assert [kind for kind, _ in told(room)] == [NoticeKind.IDLE, NoticeKind.IDLE, NoticeKind.STOPPED]
    assert [action.kind for action in room.world.job("asleep").status.actions] == [
        "warned_idle",
        "warned_idle",
        "stopped_idle",
    ]


@pytest.mark.parametrize(
    ("rule", "use", "warned"),
    [({"action": "warn-then-stop"}, 0.0, "warned_idle"), (FLOOR, 30.0, "warned_underused")],
)
def test_a_warning_and_its_end_are_changes_of_their_own(rule: dict[str, Any], use: float, warned: str) -> None:
    room = FreeCapacity(rule={**rule, "window": "1h"})
    begin, changes = room.world.clock.now(), changes_by_watches(room)
    room.at = lambda _, at: 95.0 if 100 <= (at - begin).total_seconds() / MINUTE < 160 else use
    room.start("asleep")
    room.run(270)
    check_changes(room, changes, [[warned], [], [warned]])


def test_a_job_that_hardly_uses_its_gpus_is_reported_once_and_not_stopped() -> None:
    usage = {"slow": 30.0, "idle": 0.0, "fast": 95.0}
    room = FreeCapacity(rule={"action": "off", "minimum_utilisation": 80}, usage={**usage})
    for name in usage:
        room.start(name)
    room.run(120)
    assert sorted(told(room)) == [(NoticeKind.UNDERUSED, "idle"), (NoticeKind.UNDERUSED, "slow")]
    for name in ("slow", "idle"):
        status = room.world.job(name).status
        assert (status.state, [action.kind for action in status.actions]) == (JobState.RUNNING, ["warned_underused"])


def test_an_underused_job_is_stopped_if_its_owner_was_warned_for_as_long_and_it_uses_its_gpus_no_more() -> None:
    room = FreeCapacity(rule=FLOOR, usage={"fast": 95.0})
    begin = room.world.clock.now()
    room.at = lambda name, at: 95.0 if "fast" in name or 40 <= (at - begin).total_seconds() / MINUTE < 100 else 30.0
    room.start("slow")
    room.start("fast")
    room.run(38)
    assert told(room) == [(NoticeKind.UNDERUSED, "slow")]
    warning = room.world.notices.sent[-1].reason
    assert warning == "Its GPUs are used less than 80 % on average. It is stopped if this lasts 15 more minutes."
    room.run(85)  # underused again, and not stopped at once for the old warning
    assert (told(room), room.world.job("slow").status.state) == (
        [(NoticeKind.UNDERUSED, "slow")] * 2,
        JobState.RUNNING,
    )
    room.run(20)
    job = room.world.job("slow")
    assert (job.status.state, job.status.reason.code, job.status.history[0].outcome) == (
        JobState.STOPPED,
        "underused",
        "underused",
    )
    assert [kind for kind, _ in told(room)] == [NoticeKind.UNDERUSED, NoticeKind.UNDERUSED, NoticeKind.STOPPED]
    assert [action.kind for action in job.status.actions] == ["warned_underused"] * 2 + ["stopped_underused"]
    assert room.world.job("fast").status.state is JobState.RUNNING


def test_an_underused_job_without_the_metrics_of_one_host_is_not_stopped() -> None:
    room = FreeCapacity(rule=FLOOR)
    room.at = lambda host, _: None if host.endswith("algo-2") else 30.0
    room.start("half", instances=2)
    room.run(120)
    assert (told(room), room.world.job("half").status.state) == ([], JobState.RUNNING)


def test_an_alarm_that_comes_late_or_twice_or_for_an_earlier_attempt_stops_nothing_that_works() -> None:
    room = FreeCapacity(usage={"busy": 70.0})
    room.start("busy", hours=2)
    room.run(60)
    (name,) = room.cloudwatch.alarms
    assert room.watch.check(name) == "busy"
    assert room.watch.check(name.replace("busy-sq-1", "busy-sq-0")) is None
    assert room.watch.check("somebody-elses-alarm") is None
    room.run(120)
    assert room.world.job("busy").status.state is JobState.COMPLETED
    assert room.watch.check(name) is None


def test_a_user_can_exempt_a_job() -> None:
    room = FreeCapacity(usage={"waits": 0.0})
    room.world.durations = {"waits": 20 * 3600}
    room.world.submit("waits", kind=GPU, tags={"queue:idle-exempt": "true"})
    room.run(90)
    assert (room.cloudwatch.alarms, room.world.job("waits").status.state) == ({}, JobState.RUNNING)


def test_the_exemption_of_a_job_ends() -> None:
    room = FreeCapacity(rule={"action": "warn-then-stop", "exempt_for": "2h"}, usage={"waits": 0.0})
    room.world.durations = {"waits": 20 * 3600}
    room.world.submit("waits", kind=GPU, tags={"queue:idle-exempt": "true"})
    room.run(120)
    assert (room.cloudwatch.alarms, told(room)) == ({}, [])
    room.run(25)
    assert (told(room), room.world.job("waits").status.state) == ([(NoticeKind.IDLE, "waits")], JobState.RUNNING)
    room.run(20)
    assert room.world.job("waits").status.state is JobState.STOPPED


def test_while_no_configuration_can_be_read_no_job_is_warned_about_or_stopped() -> None:
    room = FreeCapacity(usage={"idle": 0.0})
    room.start("idle")
    room.run(10)
    versions, alarms = room.world.config_store.versions, dict(room.cloudwatch.alarms)
    room.world.config_store.versions = {1: UNREADABLE}
    room.run(60)
    assert [room.watch.check(name) for name in alarms] == [None]
    assert (room.cloudwatch.alarms, told(room), room.world.job("idle").status.state) == (alarms, [], JobState.RUNNING)
    room.world.config_store.versions = versions
    room.run(5)
    assert room.world.job("idle").status.state is JobState.STOPPED


def test_no_alarm_is_left_when_all_jobs_have_ended() -> None:
    room = FreeCapacity()
    room.start("short", hours=1)
    room.start("wide", instances=12, hours=1)
    room.run(30)
    assert len(room.cloudwatch.alarms) == 3
    room.run(60)
    assert room.cloudwatch.alarms == {}


def test_a_cancel_wins_over_an_idle_stop() -> None:
    room = FreeCapacity(usage={"idle": 0.0})
    room.start("idle")
    room.run(33)
    while room.world.job("idle").status.state is JobState.RUNNING:
        room.watch.sweep(SWEEP_TIME)
        room.world.simulation.run(5)
    room.world.control.cancel("idle", caller=ADA)
    room.world.run(20 * MINUTE)
    assert room.world.job("idle").status.reason.code == "cancelled"


def test_an_attempt_whose_job_has_no_record_is_nothing_to_watch() -> None:
    room = FreeCapacity(usage={"idle": 0.0})
    room.start("idle")
    room.run(10)
    (alarm,) = room.cloudwatch.alarms
    del room.world.store.jobs["idle"]
    assert room.watch.check(alarm) is None


def test_an_alarm_is_replaced_when_operators_change_the_rule() -> None:
    room = FreeCapacity(rule={**STOP, "window": "1h"}, usage={"idle": 0.0})
    room.start("idle")
    room.run(20)
    (old,) = room.cloudwatch.alarms.values()
    room.world.configure(idle_gpus={**STOP, "window": "5m", "percent": 2})
    room.run(1)
    (new,) = room.cloudwatch.alarms.values()
    assert [(alarm.threshold, alarm.period * alarm.periods) for alarm in (old, new)] == [(1, 3600), (2, 300)]
    room.run(20)
    assert room.world.job("idle").status.state is JobState.STOPPED


@dataclass
class SlowAlarms(CloudWatch):
    """CloudWatch takes a second for each alarm."""

    take_second: Callable[[], object] = lambda: None

    def put(self, alarm: UseAlarm) -> None:
        self.take_second()
        super().put(alarm)


def test_a_sweep_puts_alarms_for_so_long_and_leaves_the_rest_to_the_next() -> None:
    room = FreeCapacity(budget=f"{GPU}=25")
    slow = SlowAlarms(room.world.clock, room.cloudwatch.usage, take_second=lambda: room.world.simulation.run(1))
    room.watch = replace(room.watch, alarms=slow)
    for number in range(25):
        room.start(f"job-{number:02}")
    room.world.run(10 * MINUTE)
    counts = []
    for _ in range(7):
        room.watch.sweep(SWEEP_TIME)
        counts.append(len(slow.alarms))
    assert counts == [4, 8, 12, 16, 20, 24, 25]


def test_missing_alarms_leave_time_for_the_checks() -> None:
    room = FreeCapacity(usage={"idle": 0.0})
    room.start("idle")
    room.run(16)
    room.world.run(30 * MINUTE)
    assert room.world.job("idle").status.state is JobState.RUNNING
    slow = SlowAlarms(room.world.clock, room.cloudwatch.usage, room.cloudwatch.alarms)
    slow.take_second = lambda: room.world.simulation.run(1)
    room.watch = replace(room.watch, alarms=slow)
    for number in range(19):
        room.start(f"job-{number:02}")
    room.world.run(10 * MINUTE)
    room.watch.sweep(SWEEP_TIME)
    assert len(slow.alarms) < 1 + 19
    assert room.world.job("idle").status.state is JobState.STOPPING


@dataclass
class ThrottledAlarms(CloudWatch):
    """CloudWatch accepts three alarms a second (aws-facts 3.7)."""

    put_at: list[datetime] = field(default_factory=list)

    def put(self, alarm: UseAlarm) -> None:
        now = self.clock.now()
        if len(self.put_at) >= 3 and now - self.put_at[-3] < timedelta(seconds=1):
            raise AlarmServiceError("ClientError")
        self.put_at.append(now)
        super().put(alarm)


def test_a_sweep_puts_many_alarms_no_faster_than_cloudwatch_accepts_them(caplog: pytest.LogCaptureFixture) -> None:
    room = FreeCapacity(budget=f"{GPU}=26")
    throttled = ThrottledAlarms(room.world.clock, room.cloudwatch.usage)
    room.watch = replace(room.watch, alarms=throttled)
    for number in range(25):
        room.start(f"job-{number:02}")
    room.world.run(10 * MINUTE)
    counts = []
    for percent in (1, 1, 2, 2):
        room.world.configure(idle_gpus={**STOP, "percent": percent})
        room.watch.sweep(SWEEP_TIME)
        counts.append(sum(alarm.threshold == percent for alarm in throttled.alarms.values()))
        room.world.run(MINUTE)
    assert counts == [15, 25, 15, 25]
    throttled.alarms |= {name: replace(alarm, threshold=50.0) for name, alarm in throttled.alarms.items()}
    room.start("new")
    room.world.run(10 * MINUTE)
    room.watch.sweep(SWEEP_TIME)  # puts the new job's alarm, then those that differ
    assert [alarm.threshold for alarm in throttled.alarms.values()] == [2] * 26
    assert "no alarm" not in caplog.messages


def test_an_alarm_that_differs_from_the_rule_is_put_again_and_no_other() -> None:
    room = FreeCapacity()
    room.start("watched")
    room.run(5)
    ((name, alarm),) = room.cloudwatch.alarms.items()
    room.cloudwatch.alarms[name] = replace(alarm, threshold=50.0)
    room.watch.sweep(SWEEP_TIME)
    assert room.cloudwatch.alarms == {name: alarm}
    unchanged = SlowAlarms(room.world.clock, room.cloudwatch.usage, room.cloudwatch.alarms, take_second=_fail)
    room.watch = replace(room.watch, alarms=unchanged)
    room.watch.sweep(SWEEP_TIME)


def _fail() -> None:
    raise AssertionError("the alarm is as wanted")


@dataclass
class FullQuota(CloudWatch):
    """The account may have one alarm."""

    def put(self, alarm: UseAlarm) -> None:
        if self.alarms and alarm.name not in self.alarms:
            raise AlarmServiceError("LimitExceededFault")
        super().put(alarm)


def a_room_with_one_alarm(**usage: float | None) -> FreeCapacity:
    room = FreeCapacity(usage=usage)
    room.cloudwatch = FullQuota(room.world.clock, room.cloudwatch.usage)
    room.watch = replace(room.watch, alarms=room.cloudwatch)
    return room


def test_an_idle_job_is_stopped_although_other_jobs_get_no_alarm(caplog: pytest.LogCaptureFixture) -> None:
    room = a_room_with_one_alarm(idle=0.0)
    for name in ("idle", "other-1", "other-2"):
        room.start(name)
    room.run(10)
    caplog.clear()
    room.watch.sweep(SWEEP_TIME)
    refused = [vars(record) for record in caplog.records if record.message == "no alarm"]
    assert [record["cause"] for record in refused] == ["LimitExceededFault"]
    room.run(40)
    assert room.world.job("idle").status.state is JobState.STOPPED


def test_the_alarm_of_an_ended_job_makes_room_for_a_missing_one_in_the_same_sweep() -> None:
    room = a_room_with_one_alarm()
    room.start("short", hours=0.5)
    room.run(10)
    room.start("next")
    room.world.run_until(lambda: room.world.job("short").is_finished)
    room.watch.sweep(SWEEP_TIME)
    assert [parse_alarm_name(name, "sq") for name in room.cloudwatch.alarms] == [("next-sq-1", AlarmKind.IDLE)]
