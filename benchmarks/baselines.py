"""Schedulers to compare with: strict FIFO, and the policy that was published for this kind of queue."""

from collections import defaultdict, deque
from heapq import heappop, heappush

from benchmarks.engine import Engine, Progress


class StrictFifo:
    """Whoever came first starts first; nobody passes."""

    def __init__(self) -> None:
        self._queue: deque[Progress] = deque()

    def submitted(self, job: Progress, _now: int) -> None:
        self._queue.append(job)

    def completed(self, job: Progress) -> None: ...

    def saved(self, job: Progress, now: int) -> None: ...

    def decide(self, engine: Engine, now: int) -> None:
        while self._queue and self._queue[0].submission.instances <= engine.free:
            engine.start(self._queue.popleft(), now)


class Naive:
    """Priority, then age; whatever fits starts; for each that does not, one running job of lower priority is stopped.

    It proves no fit, so a wide job's victim makes room for small jobs behind it; each wait stops at most one job.
    """

    def __init__(self) -> None:
        self._queues: dict[int, list[tuple[int, int, int, Progress]]] = defaultdict(list)  # by width
        self._to_make_room: list[tuple[int, int, int, Progress]] = []

    def submitted(self, job: Progress, _now: int) -> None:
        self._enqueue(job)

    def completed(self, job: Progress) -> None: ...

    def saved(self, job: Progress, now: int) -> None: ...

    def decide(self, engine: Engine, now: int) -> None:
        self._start_what_fits(engine, now)
        for _ in range(len(self._to_make_room)):
            entry = heappop(self._to_make_room)
            if entry[3].started is None and entry[3].ended is None and not self._stop_one_for(entry[3], engine, now):
                heappush(self._to_make_room, entry)
                break
        self._start_what_fits(engine, now)

    def _start_what_fits(self, engine: Engine, now: int) -> None:
        while fitting := [queue for width, queue in self._queues.items() if queue and width <= engine.free]:
            engine.start(heappop(min(fitting))[3], now)

    def _stop_one_for(self, job: Progress, engine: Engine, now: int) -> bool:
        priority = job.submission.priority
        lower = [other for other in engine.running.values() if other.submission.priority < priority]
        if not lower:
            return False
        victim = min(lower, key=lambda other: (other.submission.priority, -(other.started or 0)))
        engine.preempt(victim, now)
        self._enqueue(victim)
        return True

    def _enqueue(self, job: Progress) -> None:
        one = job.submission
        entry = (-one.priority, one.submit, one.index, job)
        heappush(self._queues[one.instances], entry)
        heappush(self._to_make_room, entry)
