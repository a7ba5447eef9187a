"""Schedulers to compare with: strict FIFO, and the policy that was published for this kind of queue."""

from bisect import insort
from collections import deque

from benchmarks.engine import Engine, Progress


class StrictFifo:
    """Whoever came first starts first; nobody passes."""

    def __init__(self) -> None:
        self._queue: deque[Progress] = deque()

    def submitted(self, job: Progress, _now: int) -> None:
        self._queue.append(job)

    def completed(self, job: Progress) -> None: ...

    def decide(self, engine: Engine, now: int) -> None:
        while self._queue and self._queue[0].submission.instances <= engine.free:
            engine.start(self._queue.popleft(), now)


class Naive:
    """Whatever fits starts, in queue order; then each job that waits stops one running job of lower priority.

    It proves no fit: what was freed is anybody's at the next decision, so a wide job's victims make room for the small
    jobs behind it, and it stops others again. The victim is the last in queue order of those that did not start at this
    moment, and keeps its age.
    """

    def __init__(self) -> None:
        self._queue: list[Progress] = []

    def submitted(self, job: Progress, _now: int) -> None:
        self._enqueue(job)

    def completed(self, job: Progress) -> None: ...

    def decide(self, engine: Engine, now: int) -> None:
        self._start_what_fits(engine, now)
        for job in tuple(self._queue):
            if not self._stop_one_for(job, engine, now):
                break

    def _start_what_fits(self, engine: Engine, now: int) -> None:
        for job in tuple(self._queue) if engine.free else ():
            if job.submission.instances <= engine.free:
                self._queue.remove(job)
                engine.start(job, now)

    def _stop_one_for(self, job: Progress, engine: Engine, now: int) -> bool:
        older = [other for other in engine.running.values() if other.started != now]
        victim = max(older, key=_queue_order, default=job)
        if victim.submission.priority >= job.submission.priority:
            return False
        engine.preempt(victim, now)
        self._enqueue(victim)
        return True

    def _enqueue(self, job: Progress) -> None:
        insort(self._queue, job, key=_queue_order)


def _queue_order(job: Progress) -> tuple[int, int, int]:
    one = job.submission
    return (-one.priority, one.submit, one.index)
