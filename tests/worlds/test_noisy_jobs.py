"""The watches stop no working job of 10,000 with noisy metrics, logs and pauses, and find each hung or diverged one."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest

from scheduler.core.capacity.gpus import has_trainium
from scheduler.core.idle_gpus import idle_check
from scheduler.core.idle_gpus.idle_check import UseReading
from scheduler.core.idle_gpus.nan_losses import nan_check
from scheduler.core.idle_gpus.nan_losses.nan_rule import NanRule
from scheduler.core.idle_gpus.watch import Watch
from scheduler.core.jobs.job_state import JobState
from scheduler.cycle.live_jobs import LiveJobCache
from scheduler.cycle.watches.check_results import CheckResults
from scheduler.cycle.watches.hangs import Hangs
from scheduler.cycle.watches.idle_gpus import IdleGpus
from scheduler.cycle.watches.nan_losses import NanLosses
from scheduler.cycle.watches.signals import Signals
from support.builders.configurations import a_reader
from support.builders.jobs import NOON, a_job, a_sighting, an_attempt
from support.memory.clock import FixedClock
from support.memory.notices import MemoryNotices
from support.memory.store import MemoryStore
from support.simulation.submissions.noisy_programs import MINUTE, RUNS, NoisyCloudWatch, Program, program_of

JOBS, BATCHES = 10_000, 10
#: Minutes from one sweep to the next. It does not divide a period of five minutes, so sweeps come at all its minutes.
SWEEPS_EVERY = 3
NAN = {"action": "warn-then-stop"}
STOPPING = ({"action": "warn-then-stop"}, {"action": "stop"}, {"action": "off"})


@pytest.mark.parametrize("batch", range(BATCHES))
def test_no_working_job_is_stopped_and_each_hung_or_diverged_job_is_found(batch: int) -> None:
    programs = [program_of(batch, number) for number in range(JOBS // BATCHES)]
    found = found_by_watches(programs, idle_gpus=STOPPING[batch % 3], hangs={"action": "stop"}, nan=NAN)
    hung = {program.name for program in programs if program.hangs_at is not None}
    assert len(hung) > JOBS // BATCHES / 20
    assert found == {program.name for program in programs if program.must_be_found}
    assert len(found - hung) > JOBS // BATCHES / 20


def one_reading_completes_five_minutes(readings: Sequence[UseReading], hosts: int, watch: Watch) -> bool:
    periods = {(reading.host, reading.at.timestamp() // 300) for reading in readings}
    complete = Counter(host for host, _ in periods)
    return sum(count >= watch.minutes // 5 for count in complete.values()) >= hosts


@pytest.mark.parametrize("defect", [lambda *_: True, one_reading_completes_five_minutes])
def test_a_defect_that_takes_lost_points_for_idle_gpus_is_found(
    defect: Callable[[Sequence[UseReading], int, Watch], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idle_check, "are_complete", defect)
    programs = [program_of(1, number) for number in range(JOBS // BATCHES)]
    found = found_by_watches(programs, idle_gpus={"action": "stop"}, hangs={"action": "off"})
    assert found & {program.name for program in programs if program.hangs_at is None}


@pytest.mark.parametrize(
    ("place", "name", "defect"),
    [
        (nan_check, "_is_nan", lambda loss: loss.strip("+-").lower() in {"nan", "inf"}),
        (NanRule, "window", timedelta(0)),
    ],
)
def test_a_defect_that_takes_a_working_program_for_a_diverged_one_is_found(
    place: object, name: str, defect: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place, name, defect)
    programs = [program_of(1, number) for number in range(100)]
    found = found_by_watches(programs, idle_gpus={"action": "off"}, hangs={"action": "off"}, nan=NAN)
    assert found & {program.name for program in programs if not program.must_be_found}


class FastClock(FixedClock):
    def sleep(self, seconds: float) -> None:
        """Takes no time: these watches may put all their alarms at once."""


def found_by_watches(programs: list[Program], **sections: Any) -> set[str]:
    """Plays the programs. Returns the jobs that were stopped, or on Trainium warned about."""
    clock, store, notices = FastClock(NOON), MemoryStore(), MemoryNotices()
    by_attempt = {program.attempt: program for program in programs}
    for program in programs:
        job = a_job(program.name, demand=program.demand, state=JobState.RUNNING, attempts=1)
        store.jobs[job.name] = job
        store.attempts[program.attempt] = an_attempt(job, created=True, observation=a_sighting(training_since=NOON))
    cloudwatch, reader, results = NoisyCloudWatch(clock, by_attempt), a_reader(**sections), CheckResults(store, notices)
    signals = Signals(cloudwatch, cloudwatch)
    hangs = Hangs(store, signals, results, clock, reader)
    losses = NanLosses(store, signals, results, clock, reader)
    cache = LiveJobCache(store, clock)
    watch = IdleGpus(store, store, cache, cloudwatch, signals, results, hangs, losses, clock, reader, "sq")
    found: set[str] = set()
    for minute in range(SWEEPS_EVERY, RUNS, SWEEPS_EVERY):
        clock.moment = NOON + minute * MINUTE
        watch.sweep(timedelta(minutes=1))
        for program in programs[minute // SWEEPS_EVERY % 2 :: 2] if "nan" in sections else ():  # sweeps read few logs
            watch.check(f"sagequeue-sq/{program.attempt}/nan")
        for attempt in [*store.attempts.values()]:
            status = store.jobs[attempt.job_name].status
            is_warned = has_trainium(attempt.demand) and status.hang_warned_at is not None
            if status.state is not JobState.RUNNING or is_warned:
                found.add(attempt.job_name)
                del store.attempts[attempt.name]
    return found
