"""SageMaker Training in one account and region, as a deterministic state machine.

The world has no clock, threads or randomness of its own: time is an argument that must not go backwards, and event ids
come from a seeded generator. A shell around it does the work that `advance` asks for and reports back.
"""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf
from typing import Any

from local_sagemaker import operations
from local_sagemaker.description import state_change
from local_sagemaker.effects import Broke, Effect, Report, StateChanged
from local_sagemaker.errors import unknown_operation
from local_sagemaker.job import PoolStatus, TrainingJob
from local_sagemaker.lifecycle import INTERNAL_ERROR, Lifecycle, Startup
from local_sagemaker.quota import Quotas, held
from local_sagemaker.throttle import Throttle
from local_sagemaker.validation import validated


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What differs between accounts, or is not documented and may be set either way."""

    region: str = "us-east-1"
    account: str = "000000000000"
    rate_factor: float = 1.0
    grace_seconds: float = 120.0
    startup: Startup = lambda _request: 60.0
    quotas: Quotas = field(default_factory=Quotas)
    refuses_second_stop: bool = False  # the answer to a stop while Stopping


class World:
    def __init__(self, behaviour: Behaviour, seed: int = 0, jobs: Iterable[TrainingJob] = ()) -> None:
        self.behaviour = behaviour
        self.jobs = {job.name: job for job in jobs}
        self._moving = {name for name, job in self.jobs.items() if _moves(job)}
        self._random = random.Random(seed)  # noqa: S311 - event ids must be repeatable, not secret
        self._effects: list[Effect] = []
        self._changed_names: set[str] = set()
        self._throttle = Throttle(behaviour.rate_factor)
        self.lifecycle = Lifecycle(behaviour.grace_seconds, behaviour.startup, self._changed, self._effects.append)

    def call(self, operation: str, request: object, now: float) -> dict[str, Any]:
        """The answer to one API call, or AwsError."""
        if operation not in operations.OPERATIONS:
            raise unknown_operation(operation)
        self._pass_time(now)
        self._throttle.admit(operation, now)
        return operations.OPERATIONS[operation](self, validated(operation, request), now)

    def advance(self, now: float) -> list[Effect]:
        """Lets everything happen that is due, and hands over what the shell must do."""
        self._pass_time(now)
        effects = list(self._effects)
        self._effects.clear()
        return effects

    def next_due(self) -> float:
        return min((self.lifecycle.due(job) for job in self._live()), default=inf)

    def report(self, name: str, report: Report, now: float) -> None:
        """The shell tells how the work on a job went on. A report about a finished job is late and changes nothing."""
        self._pass_time(now)
        job = self.jobs.get(name)
        if job is not None and not job.is_terminal:
            self.lifecycle.report(job, report, now)
            self._settle(job)

    def provision(self, name: str, now: float) -> None:
        """Capacity for a waiting job has come."""
        self.jobs[name].ready_at = now
        self.touch(self.jobs[name])

    def interrupt(self, name: str, now: float) -> None:
        """Takes the spot instances of a job away."""
        self._pass_time(now)
        self.lifecycle.interrupt(self.jobs[name], now)

    def take_changed(self) -> set[str]:
        """The names of the jobs that changed, came or went since the last call, for whoever keeps them."""
        names, self._changed_names = self._changed_names, set()
        return names

    def touch(self, job: TrainingJob) -> None:
        self._changed_names.add(job.name)

    def recover(self, now: float) -> None:
        """After a restart of the shell: work that was under way is lost, jobs are not."""
        for job in self._live():
            if not job.is_terminal and job.up_since is not None:
                self.report(job.name, Broke(INTERNAL_ERROR), now)

    def held(self) -> Counter[str]:
        """Instances per type that count against the quotas now."""
        return held(self._live())

    def add(self, job: TrainingJob) -> None:
        self.jobs[job.name] = job
        self._moving.add(job.name)

    def remove(self, job: TrainingJob) -> None:
        self.touch(job)
        del self.jobs[job.name]
        self._moving.discard(job.name)

    def _pass_time(self, now: float) -> None:
        """In the order in which it is due, so that no job's history runs backwards."""
        while (due := self.next_due()) <= now:
            for job in self._live():
                if self.lifecycle.due(job) <= due:
                    self.lifecycle.fire(job, due)
                    self.touch(job)
                    self._settle(job)

    def _live(self) -> list[TrainingJob]:
        return [self.jobs[name] for name in sorted(self._moving)]

    def _settle(self, job: TrainingJob) -> None:
        if not _moves(job):
            self._moving.discard(job.name)

    def _changed(self, job: TrainingJob, now: float) -> None:
        self.touch(job)
        event_id = f"{self._random.getrandbits(128):032x}"
        self._effects.append(StateChanged(state_change(job, event_id, now)))


def _moves(job: TrainingJob) -> bool:
    """Something may still happen to it."""
    return not job.is_terminal or bool(job.warm_pool and job.warm_pool.status is PoolStatus.AVAILABLE)
