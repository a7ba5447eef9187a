"""Training jobs started outside the queue are watched as those of the queue are, and stopped only where allowed."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from scheduler.core.history.notices import NoticeKind
from scheduler.core.jobs.demand import NOTHING
from scheduler.core.reconciliation.unmanaged_job import FindingKind, GuardMode
from scheduler.cycle.watches.unmanaged_jobs import WATCHED_PER_SWEEP
from scheduler.errors.internal import AlarmServiceError
from support.account.simulated_queue import SimulatedQueue, request
from support.builders.configurations import UNREADABLE

GPU = "ml.g5.xlarge"
IDLE, HANG, NAN = FindingKind.IDLE, FindingKind.HANG, FindingKind.NAN_LOSS
OFF: dict[str, Any] = {"action": "off"}
STOP: dict[str, Any] = {"action": "stop"}


def a_world(
    guard: GuardMode = GuardMode.STOP,
    *,
    usage: dict[str, float],
    idle_gpus: dict[str, Any] = OFF,
    hangs: dict[str, Any] = OFF,
    nan: dict[str, Any] = OFF,
    behaviour: Behaviour | None = None,
) -> SimulatedQueue:
    """Returns a world in which the hosts of each job are as busy as `usage` says, in percent."""
    world = SimulatedQueue(
        guard=guard,
        configuration={"idle_gpus": idle_gpus, "hangs": hangs, "nan": nan},
        behaviour=behaviour or Behaviour(),
    )
    world.durations = dict.fromkeys(usage, 20 * 3600)

    def used(host: str, _at: datetime) -> float | None:
        return usage[host.partition("/")[0]]

    world.durations = dict.fromkeys(usage, 20 * 3600)
    world.cloudwatch.usage = world.cloudwatch.cpu_usage = used
    return world


def create(world: SimulatedQueue, name: str, kind: str = GPU, **more: Any) -> None:
    tags = more.pop("tags", {"owner": "ada"})
    world.client.create_training_job(
        **request(name, kind=kind, **more) | {"Tags": [{"Key": key, "Value": value} for key, value in tags.items()]}
    )
    world.simulation.run(2)


def silent_after(world: SimulatedQueue, minutes: float) -> None:
    """Lets all programs write lines for so long."""

    def written(name: str) -> datetime | None:
        started = world.scheduler.services.training.describe(name).training_since
        return min(world.clock.now(), started + timedelta(minutes=minutes)) if started else None

    world.logs.written = written


def status(world: SimulatedQueue, name: str) -> str:
    return str(world.simulation.machine.jobs[name].status)


def found(world: SimulatedQueue) -> list[tuple[str, FindingKind, bool]]:
    return [(one.name, one.kind, one.stopped) for one in reversed(world.foreign.findings(99))]


def test_an_idle_job_is_stopped_and_a_busy_one_is_not() -> None:
    world = a_world(idle_gpus=STOP, usage={"idle": 0.0, "busy": 60.0})
    for name in ("idle", "busy"):
        create(world, name)
    world.run(28 * 60)
    assert (status(world, "idle"), found(world)) == ("InProgress", [])
    world.run(14 * 60)
    assert (status(world, "idle"), status(world, "busy")) == ("Stopped", "InProgress")
    (finding,) = world.foreign.findings(9)
    assert finding.violations[0].message == "no GPU of any of its hosts was used for 15 min"
    (notice,) = world.notices.sent
    assert (notice.kind, notice.owner, notice.state) == (NoticeKind.IDLE, "ada", "stopping")
    assert world.cloudwatch.alarms == {}
    world.run(10 * 60)
    assert [job.name for job in world.foreign.watched()] == ["busy"]


def test_a_warning_comes_before_the_stop() -> None:
    world = a_world(idle_gpus={"action": "warn-then-stop"}, usage={"idle": 0.0})
    create(world, "idle")
    world.run(42 * 60)
    assert (status(world, "idle"), found(world)) == ("InProgress", [("idle", IDLE, False)])
    world.run(20 * 60)
    assert (status(world, "idle"), found(world)) == ("Stopped", [("idle", IDLE, False), ("idle", IDLE, True)])
    assert [notice.state for notice in world.notices.sent] == ["running", "stopping"]


def test_the_warning_of_an_idle_job_is_kept_although_a_later_check_fails() -> None:
    world = a_world(idle_gpus={"action": "warn-then-stop"}, nan={"action": "warn-then-stop"}, usage={"idle": 0.0})

    def fail(_name: str, _since: datetime) -> Sequence[str]:
        raise AlarmServiceError("ThrottlingException")

    world.logs.lines_since = fail
    create(world, "idle")
    world.run(42 * 60)
    (job,) = world.foreign.watched()
    assert job.idle_warned_at is not None
    world.run(20 * 60)
    assert (status(world, "idle"), found(world)) == ("Stopped", [("idle", IDLE, False), ("idle", IDLE, True)])


def test_a_hung_job_is_stopped_and_one_that_writes_lines_is_not() -> None:
    for minutes, expected in ((5, "Stopped"), (10**6, "InProgress")):
        world = a_world(hangs={"action": "stop-and-retry"}, usage={"hung": 0.0})
        silent_after(world, minutes)
        create(world, "hung", kind="ml.m5.large")
        world.run(60 * 60)
        assert status(world, "hung") == expected
        assert found(world) == ([("hung", HANG, True)] if expected == "Stopped" else [])
        assert len(world.simulation.machine.jobs) == 1  # it is not run again


def test_a_job_whose_losses_stay_nan_is_stopped_after_a_warning_and_one_that_recovers_is_not() -> None:
    world = a_world(nan={"action": "warn-then-stop"}, usage={"diverged": 60.0, "recovers": 60.0})
    losses = {"diverged": ["loss=nan"] * 5, "recovers": ["loss=nan"] * 5}
    world.logs.lines_since = lambda name, _since: losses[name]
    for name in losses:
        create(world, name)
    world.run(12 * 60)
    assert sorted(found(world)) == [("diverged", NAN, False), ("recovers", NAN, False)]
    assert world.foreign.findings(9)[0].violations[0].message == "the newest 5 losses in its log are NaN"
    losses["recovers"].append("loss=0.25")
    world.run(20 * 60)
    assert (status(world, "diverged"), status(world, "recovers")) == ("Stopped", "InProgress")
    (finding,) = (one for one in world.foreign.findings(9) if one.stopped)
    assert finding.violations[0].message == "every loss in its log was NaN for 15 min after a warning"
    assert [notice.kind for notice in world.notices.sent] == [NoticeKind.NAN_LOSS] * 3
    assert [job.nan_warned_at for job in world.foreign.watched()] == [None]


@pytest.mark.parametrize("guard", GuardMode)
def test_only_the_mode_stop_stops_it(guard: GuardMode) -> None:
    world = a_world(guard, idle_gpus=STOP, hangs=STOP, usage={"idle": 0.0})
    silent_after(world, 1)
    create(world, "idle")
    world.run(90 * 60)
    assert status(world, "idle") == ("Stopped" if guard is GuardMode.STOP else "InProgress")
    assert (("idle", IDLE, guard is GuardMode.STOP) in found(world)) is (guard is not GuardMode.OFF)


def test_a_trainium_job_and_an_underused_one_are_only_reported() -> None:
    world = a_world(idle_gpus={**STOP, "minimum_utilisation": 30}, hangs=STOP, usage={"slow": 10.0, "trainium": 0.0})
    silent_after(world, 1)
    create(world, "slow")
    create(world, "trainium", kind="ml.trn1.2xlarge")
    world.run(90 * 60)
    assert sorted(found(world)) == [("slow", FindingKind.UNDERUSED, False), ("trainium", HANG, False)]


def test_an_idle_job_is_reported_as_underused_if_the_rule_ignores_idle_gpus() -> None:
    world = a_world(idle_gpus={**OFF, "minimum_utilisation": 30}, usage={"idle": 0.0})
    create(world, "idle")
    world.run(60 * 60)
    assert found(world) == [("idle", FindingKind.UNDERUSED, False)]


def test_an_underused_job_is_stopped_after_a_warning_where_the_floor_stops() -> None:
    floor = {**STOP, "minimum_utilisation": 30, "underused": "warn-then-stop"}
    world = a_world(idle_gpus=floor, usage={"slow": 10.0, "fast": 50.0})
    create(world, "slow")
    create(world, "fast")
    world.run(40 * 60)
    assert (status(world, "slow"), found(world)) == ("InProgress", [("slow", FindingKind.UNDERUSED, False)])
    world.run(30 * 60)
    assert (status(world, "slow"), status(world, "fast")) == ("Stopped", "InProgress")
    assert [notice.state for notice in world.notices.sent] == ["running", "stopping"]


def test_missing_minutes_leave_the_warning_of_an_underused_job() -> None:
    floor = {**STOP, "minimum_utilisation": 30, "underused": "warn-then-stop"}
    world = a_world(idle_gpus=floor, usage={"slow": 10.0})
    create(world, "slow")
    world.run(40 * 60)
    usage, warned_at = world.cloudwatch.usage, world.clock.now()
    world.cloudwatch.usage = lambda host, at: None if at.minute % 2 else usage(host, at)
    world.run(30 * 60)
    assert (status(world, "slow"), found(world)) == ("InProgress", [("slow", FindingKind.UNDERUSED, False)])
    (job,) = world.foreign.watched()
    assert job.underused_warned_at is not None
    assert job.underused_warned_at < warned_at
    world.cloudwatch.usage = usage
    world.run(20 * 60)
    assert (status(world, "slow"), len(world.notices.sent)) == ("Stopped", 2)


@pytest.mark.parametrize(
    "more", [{"tags": {"queue:idle-exempt": "true"}}, {"RemoteDebugConfig": {"EnableRemoteDebug": True}}]
)
def test_an_exemption_ends_as_for_jobs_of_the_queue(more: dict[str, Any]) -> None:
    world = a_world(idle_gpus={**STOP, "exempt_for": "2h"}, usage={"idle": 0.0})
    create(world, "idle", **more)
    world.run(115 * 60)
    assert (status(world, "idle"), found(world)) == ("InProgress", [])
    world.run(40 * 60)
    assert status(world, "idle") == "Stopped"


def test_an_exemption_counts_whose_tag_is_listed_late() -> None:
    behaviour = Behaviour(unknowns=Unknowns(tagged_after_seconds=240))
    world = a_world(idle_gpus={**STOP, "exempt_for": "2h"}, usage={"idle": 0.0}, behaviour=behaviour)
    create(world, "idle", tags={"queue:idle-exempt": "true"})
    world.run(60 * 60)
    assert (status(world, "idle"), found(world)) == ("InProgress", [])


def test_no_job_is_reported_or_stopped_while_no_configuration_can_be_read() -> None:
    world = a_world(idle_gpus=STOP, usage={"idle": 0.0})
    create(world, "idle")
    world.run(10 * 60)
    versions, world.config_store.versions = world.config_store.versions, {1: UNREADABLE}
    world.run(60 * 60)
    assert (status(world, "idle"), found(world)) == ("InProgress", [])
    world.config_store.versions = versions
    world.run(10 * 60)
    assert (status(world, "idle"), found(world)) == ("Stopped", [("idle", IDLE, True)])


def test_missing_metrics_stop_nothing_and_a_failing_check_holds_up_no_other() -> None:
    world = a_world(idle_gpus=STOP, usage={"idle": 0.0, "unknown": 0.0})
    usage = world.cloudwatch.usage
    world.cloudwatch.usage = lambda host, at: None if host.startswith("unknown") else usage(host, at)
    for name in ("unknown", "idle"):
        create(world, name)
    world.run(60 * 60)
    assert (status(world, "unknown"), status(world, "idle")) == ("InProgress", "Stopped")


def test_a_sweep_watches_few_jobs_and_all_have_their_turn() -> None:
    names = [f"idle-{number}" for number in range(3 * WATCHED_PER_SWEEP)]
    world = a_world(idle_gpus=STOP, usage=dict.fromkeys(names, 0.0))

    for name in names:
        create(world, name)
    world.run(60 * 60)
    assert {status(world, name) for name in names} == {"Stopped"}


def test_a_job_whose_record_cannot_be_read_is_checked_and_watched_again() -> None:
    world = a_world(idle_gpus=STOP, usage={"idle": 0.0})
    create(world, "idle")
    world.run(10 * 60)
    (known,) = world.foreign.watched()
    world.foreign.save_watched(replace(known, demand=NOTHING))
    world.run(60 * 60)
    assert status(world, "idle") == "Stopped"
