"""SageMaker Training in one account and region, as a deterministic state machine.

The world has no clock, threads or randomness of its own: time is an argument that must not go backwards, and event ids
come from a seeded generator. A shell around it does the work that `advance` asks for and reports back.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import inf
from typing import Any

from local_sagemaker.api import operations
from local_sagemaker.api.validation import validated
from local_sagemaker.errors import unknown_operation
from local_sagemaker.state_machine.behaviour import Behaviour, Unknowns
from local_sagemaker.state_machine.capacity import Capacity, Place, Shortage
from local_sagemaker.state_machine.commands import Broke, Effect, Report
from local_sagemaker.state_machine.description import state_change
from local_sagemaker.state_machine.fault_injection import Mischief
from local_sagemaker.state_machine.job import Status, TrainingJob
from local_sagemaker.state_machine.lifecycle import INTERNAL_ERROR, Lifecycle
from local_sagemaker.state_machine.limits import Quotas, held
from local_sagemaker.state_machine.outbox import Outbox
from local_sagemaker.state_machine.throttle import Throttle


class World:
    def __init__(self, behaviour: Behaviour, seed: int = 0, jobs: Iterable[TrainingJob] = ()) -> None:
        self.behaviour = behaviour
        self.jobs = {job.name: job for job in jobs}
        self._moving = {name for name, job in self.jobs.items() if job.holds_instances}
        self._random = random.Random(seed)  # noqa: S311 - event ids must be repeatable, not secret
        self.mischief = Mischief(self._random)
        self._effects: list[Effect] = []
        self._changed_names: set[str] = set()
        self._known_move: float | None = None  # when the next thing happens to a job; None: to be worked out
        self._withheld: dict[str, list[Report]] = {}
        self._throttle = Throttle(behaviour.rate_factor)
        self._capacity = Capacity(behaviour.startup)
        self._outbox = Outbox(self.mischief)
        self.lifecycle = Lifecycle(
            behaviour.grace_seconds,
            self._capacity,
            long_pending_fails=lambda: self.behaviour.unknowns.long_pending_fails,
            keeps_pool=lambda job: self.behaviour.quotas.keeps(job, self.jobs.values()),
            changed=self._changed,
            command=self._effects.append,
        )

    def call(self, operation: str, request: object, now: float) -> dict[str, Any]:
        """The answer to one API call, or AwsError."""
        if operation not in operations.OPERATIONS:
            raise unknown_operation(operation)
        self._pass_time(now)
        if self.behaviour.unknowns.validates_before_throttling:
            valid = validated(operation, request)
            self._throttle.admit(operation, now)
        else:
            self._throttle.admit(operation, now)
            valid = validated(operation, request)
        try:
            return operations.OPERATIONS[operation](self, valid, now)
        finally:
            self._known_move = None

    def advance(self, now: float) -> list[Effect]:
        """Lets everything happen that is due, and hands over what the shell must do."""
        self._pass_time(now)
        effects = [*self._effects, *self._outbox.take_due(now)]
        self._effects.clear()
        return effects

    def next_due(self) -> float:
        return min(self._next_move(), self._outbox.next_due())

    def report(self, name: str, report: Report, now: float) -> None:
        """The shell tells how the work on a job went on. A report about a finished job is late and changes nothing."""
        self._pass_time(now)
        job = self.jobs.get(name)
        if name in self._withheld:
            self._withheld[name].append(report)
        elif job is not None and not job.is_terminal:
            self.lifecycle.report(job, report, now)
            self._settle(job)
            self._known_move = None

    def provision(self, name: str, now: float) -> None:
        """Capacity for a waiting job has come."""
        self.jobs[name].ready_at = now
        self.touch(self.jobs[name])

    def interrupt(self, name: str, now: float) -> None:
        """Takes the spot instances of a job away."""
        self._pass_time(now)
        self.lifecycle.interrupt(self.jobs[name], now)

    def hang(self, name: str) -> None:
        """Whatever the work on this job comes to, the service does not notice: a stop stays in Stopping."""
        self._withheld.setdefault(name, [])

    def let_go(self, name: str, now: float) -> None:
        for report in self._withheld.pop(name, []):
            self.report(name, report, now)

    def shorten(self, where: Place | str, shortage: Shortage, now: float) -> None:
        """Says how long there is no capacity at a place, or of a type, also to jobs that wait already."""
        self._pass_time(now)
        place = Place(where) if isinstance(where, str) else where
        self._capacity.shorten(place, shortage)
        for job in self._live():
            waits = job.status is Status.IN_PROGRESS and job.up_since is None
            if waits and self._capacity.concerns(place, job.placed):
                self.lifecycle.await_instances(job, now)
                self.touch(job)

    def limit(self, quotas: Quotas) -> None:
        self.behaviour = replace(self.behaviour, quotas=quotas)

    def suppose(self, unknowns: Unknowns) -> None:
        """Turns what nobody knows about AWS one way or the other."""
        self.behaviour = replace(self.behaviour, unknowns=unknowns)
        self._known_move = None

    def take_changed(self) -> set[str]:
        """The names of the jobs that changed, came or went since the last call, for whoever keeps them."""
        names, self._changed_names = self._changed_names, set()
        return names

    def touch(self, job: TrainingJob) -> None:
        self._changed_names.add(job.name)
        self._known_move = None

    def change_quietly(self, job: TrainingJob, now: float) -> None:
        """A change that AWS documents no event for."""
        self.touch(job)
        if self.behaviour.unknowns.tells_of_quiet_changes:
            self._changed(job, now)

    def recover(self, now: float) -> None:
        """After a restart of the shell: work that was under way is lost, jobs are not."""
        for job in self._live():
            if not job.is_terminal and job.up_since is not None:
                self.report(job.name, Broke(INTERNAL_ERROR), now)

    def held(self) -> Counter[str]:
        """Instances per type that are in use or in warm pools now."""
        return held(self._live())

    def counted(self, now: float) -> Iterator[TrainingJob]:
        """The jobs whose instances count against the quotas, some perhaps for a while after their end."""
        for job in self.jobs.values():
            freed_at = (job.ended_at or now) + self.behaviour.unknowns.frees_quota_after_seconds
            if job.holds_instances or now < freed_at:
                yield job

    def add(self, job: TrainingJob) -> None:
        self.jobs[job.name] = job
        self._moving.add(job.name)
        self._known_move = None

    def remove(self, job: TrainingJob) -> None:
        self.touch(job)
        del self.jobs[job.name]
        self._moving.discard(job.name)
        self._withheld.pop(job.name, None)

    def _pass_time(self, now: float) -> None:
        """In the order in which it is due, so that no job's history runs backwards."""
        while (due := self._next_move()) <= now:
            for job in self._live():
                if self.lifecycle.due(job) <= due:
                    self._fire(job, due)

    def _fire(self, job: TrainingJob, now: float) -> None:
        was_over = job.is_terminal
        self.lifecycle.fire(job, now)
        self.touch(job)
        if was_over:
            self.change_quietly(job, now)  # its warm pool is gone
        self._settle(job)

    def _next_move(self) -> float:
        """Worked out once after each change: whoever plays many steps asks at each of them."""
        if self._known_move is None:
            self._known_move = min((self.lifecycle.due(job) for job in self._live()), default=inf)
        return self._known_move

    def _live(self) -> list[TrainingJob]:
        return [self.jobs[name] for name in sorted(self._moving)]

    def _settle(self, job: TrainingJob) -> None:
        if not job.holds_instances:
            self._moving.discard(job.name)

    def _changed(self, job: TrainingJob, now: float) -> None:
        self.touch(job)
        unknowns = self.behaviour.unknowns
        if job.secondary not in unknowns.silent_statuses:
            event_id = f"{self._random.getrandbits(128):032x}"
            event = state_change(job, event_id, now, as_documented=unknowns.events_as_documented)
            self._effects.extend(self._outbox.post(event, now))
