"""Implements baseline schedulers: strict FIFO, and the policy that was published for this kind of queue."""

from bisect import insort
from collections import deque

from benchmarks.scheduling.engine import Engine, Progress


class StrictFifo:
    """Starts jobs in the order of submission. No job starts before an earlier one."""

    def __init__(self) -> None:
        self._queue: deque[Progress] = deque()

    def submitted(self, job: Progress, _now: int) -> None:
        self._queue.append(job)

    def completed(self, job: Progress) -> None: ...

    def decide(self, engine: Engine, now: int) -> None:
        while self._queue and self._queue[0].submission.instances <= engine.free:
            engine.start(self._queue.popleft(), now)


class Naive:
    """Starts the jobs that fit, in queue order. Then each waiting job stops one running job of lower priority.

    The policy does not check whether the waiting job then fits, and any job may start on the freed instances at the
    next decision. So small jobs start on the instances of a wide job's victims, and the wide job stops further jobs.
    The victim is the last job in queue order, except for those that started at this time. The victim keeps its age.
    """

    def __init__(self) -> None:
        self._queue: list[Progress] = []

    def submitted(self, job: Progress, _now: int) -> None:
        self._enqueue(job)

    def completed(self, job: Progress) -> None: ...

    def decide(self, engine: Engine, now: int) -> None:
        self._start_fitting(engine, now)
        for job in tuple(self._queue):
            if not self._stop_one_for(job, engine, now):
                break

    def _start_fitting(self, engine: Engine, now: int) -> None:
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
    submission = job.submission
    return (-submission.priority, submission.submit, submission.index)
