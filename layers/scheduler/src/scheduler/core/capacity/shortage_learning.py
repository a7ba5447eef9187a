"""What attempts teach about capacity: a failure or a long wait cools their place down, instances that came end that.

The first failure after others were known counts more, up to the longest pause: it was a probe. An attempt that was
under way before the last failure tells nothing new. One of several instance types tells of none of them, unless
SageMaker was to select one: as long as it has not, it lacks all of them.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta

from attrs import evolve, frozen

from scheduler.core.capacity.capacity import LONG_WAIT, CapacityMemory, Interruptions, Place, Shortage
from scheduler.core.capacity.locations import locations_of
from scheduler.core.jobs.attempt import EndedAttempt, FailureClass, Observation
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.retries.failure_classes import diagnose
from scheduler.core.retries.leaving_spot import waits_since

#: A live attempt's long wait is told of once, not as long as it lasts: others may have got instances since.
_NEWS_FOR = timedelta(minutes=10)
#: Shortages that nobody has tried for so long, and interruptions so long ago, say nothing of today.
_FORGOTTEN_AFTER = timedelta(hours=24)
#: So many of each kind are remembered, the latest: the record stays far below an item's limit.
_MOST = 100

#: Seconds before the next try, by how often it failed one after the other.
DelayOf = Callable[[int], int]


@frozen
class Lesson:
    """Of one attempt. Where instances neither came nor lacked it says nothing."""

    places: tuple[Place, ...]
    reserved_at: datetime
    came_at: datetime | None = None  # when it got instances
    lacked: bool = False
    interruptions: int = 0

    def tells_anything_new(self, memory: CapacityMemory) -> bool:
        known = [memory.shortage_of(place) for place in self.places]
        if self.lacked:
            return any(one is None or one.failed_at <= self.reserved_at for one in known)
        came_after = self.came_at is not None and any(one and one.failed_at < self.came_at for one in known)
        return came_after or self.interruptions > 0


def lessons_of(live: Iterable[LiveJob], now: datetime) -> Iterator[Lesson]:
    """What those that run or wait for their instances show."""
    for one in live:
        if not one.is_readable or one.attempt.observation is None:
            continue
        lesson = Lesson(locations_of(one), one.attempt.reserved_at)
        since = waits_since(one.attempt, one.attempt.observation)
        if since is None and one.job.awaits_selection:
            continue  # it is not known yet what came
        if since is None:
            yield evolve(lesson, came_at=_came_at(one.attempt.observation))
        elif _is_told_of_each(lesson, one.job) and LONG_WAIT <= now - since < LONG_WAIT + _NEWS_FOR:
            yield evolve(lesson, reserved_at=since, lacked=True)


def lesson_of_end(live: LiveJob, past: EndedAttempt) -> Lesson:
    """What the attempt's end shows; `past` is its line of the job's history."""
    live = evolve(live, job=evolve(live.job, selected=past.selected))
    came_at = None if live.job.awaits_selection else past.training_started_at
    lesson = Lesson(locations_of(live), past.reserved_at, came_at, interruptions=past.interruptions)
    is_refused = diagnose(past.failure_reason).failure is FailureClass.CAPACITY
    waited_long = past.training_started_at is None and past.ended_at - past.reserved_at >= LONG_WAIT
    return evolve(lesson, lacked=_is_told_of_each(lesson, live.job) and (is_refused or waited_long))


def learned(memory: CapacityMemory, lesson: Lesson, delay_of: DelayOf, now: datetime) -> CapacityMemory:
    """The memory with what is new in the lesson, and without what is too old."""
    shortages = {one.place: one for one in memory.shortages if now - one.until < _FORGOTTEN_AFTER}
    for place in lesson.places:
        known = shortages.get(place)
        if lesson.lacked and (known is None or known.failed_at <= lesson.reserved_at):
            failures = known.failures + 1 if known else 1
            shortages[place] = Shortage(place, failures, now, now + timedelta(seconds=delay_of(failures)))
        elif not lesson.lacked and lesson.came_at and known and known.failed_at < lesson.came_at:
            del shortages[place]
    latest = sorted(shortages.values(), key=lambda one: one.failed_at)[-_MOST:]
    return evolve(memory, shortages=tuple(latest), interruptions=_interrupted(memory, lesson, now))


def _interrupted(memory: CapacityMemory, lesson: Lesson, now: datetime) -> tuple[Interruptions, ...]:
    known = {one.place: one for one in memory.interruptions if now - one.last_at < _FORGOTTEN_AFTER}
    for place in lesson.places if lesson.interruptions else ():
        before = known.pop(place).count if place in known else 0
        known[place] = Interruptions(place, before + lesson.interruptions, now)
    return tuple(known.values())[-_MOST:]


def _came_at(observation: Observation) -> datetime | None:
    return observation.training_since or observation.training_started_at


def _is_told_of_each(lesson: Lesson, job: Job) -> bool:
    return job.awaits_selection or len({place.instance_type for place in lesson.places}) == 1
