"""Judges idle GPUs (S9, S10): alarms exist for the right attempts, and only idle jobs are stopped for idling."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from math import inf

from local_sagemaker.state_machine.capacity import demand
from local_sagemaker.state_machine.job import Secondary, TrainingJob, Transition
from scheduler.adapters.dynamodb.records.job_records import LIVE
from scheduler.core.idle_gpus.idle_rule import IdleRule
from scheduler.core.jobs.job import Job
from scheduler.core.reconciliation.polling import POLL_INTERVAL
from support.account.account import Account
from support.account.function_calls import SWEEP_SECONDS
from support.simulation.judges.checks import Checks
from support.simulation.submissions.training_requests import GPU_TYPES

#: The lease of a function that died, the running sweep, the one that reads the change, and the one that acts on it.
_IN_STEP_AFTER = 90 + 3 * SWEEP_SECONDS
#: If an event is lost, a sweep reads the change only when it polls the attempt.
_UNHEARD_AFTER = _IN_STEP_AFTER + POLL_INTERVAL.total_seconds()
#: The most by which clocks of functions differ.
_SKEW = 5.0


class IdleGpuJudge:
    def __init__(self, account: Account, checks: Checks) -> None:
        self._account, self._check = account, checks.check
        self._rule = IdleRule.parse(json.loads(account.settings["IDLE_GPUS"]))

    def check_stop(self, job: Job) -> None:
        """Checks S10: the job trained without using a GPU for longer than the grace period and the checked minutes."""
        attempt = self._account.simulation.machine.jobs[f"{job.name}-sq-{job.status.attempts}"]
        self._check("S10", self._rule.stops, f"{job.name} is stopped for idling, which no setting asks for")
        least = (self._rule.grace + self._rule.window).total_seconds() - _SKEW
        trained = [
            transition
            for transition in attempt.transitions
            if transition.status is Secondary.TRAINING and self._duration(transition) > least
        ]
        self._check("S10", bool(trained), f"{attempt.name} is stopped for idling within its grace")
        is_idle = all(self._usage(host, trained[-1].start + 1) == 0 for host in _hosts(attempt))
        self._check("S10", is_idle, f"{attempt.name} is stopped for idling, and was not idle")

    def check_alarms(self, calm_since: float, jobs: Mapping[str, Job]) -> None:
        """Checks S9 after the faults end: each alarm has a live attempt, and each training attempt an alarm."""
        due = self._account.now - _IN_STEP_AFTER
        if calm_since > due:
            return
        world = self._account.simulation.machine
        for name in self._account.monitoring.alarms:
            job = world.jobs.get(name.split("/")[1])
            ended_at = (
                inf if job is None or job.ended_at is None else max(job.ended_at, self._recorded_end_of(job, jobs))
            )
            self._check("S9", job is not None and ended_at > due, f"the alarm {name} has no live attempt")
        watched = {name.split("/")[1] for name in self._account.monitoring.alarms}
        for job in world.jobs.values():
            if self._needs_alarm(job, jobs) and job.transitions[-1].start < due:
                self._check("S9", job.name in watched, f"{job.name} has no alarm")

    def check_no_alarms(self) -> None:
        self._check("S9", not self._account.monitoring.alarms, f"left: {self._account.monitoring.alarms}")

    def _recorded_end_of(self, job: TrainingJob, jobs: Mapping[str, Job]) -> float:
        """Returns when the queue recorded the end, or infinity while it may still be unknown."""
        if job.ended_at is None or job.ended_at < self._account.now - _UNHEARD_AFTER:
            return 0.0
        owner = jobs.get(job.tags.get("sagequeue:job", ""))
        is_settled = (LIVE, job.name) not in self._account.table.items
        return owner.status.updated_at.timestamp() if owner is not None and is_settled else inf

    def _needs_alarm(self, job: TrainingJob, jobs: Mapping[str, Job]) -> bool:
        owner = jobs.get(job.tags.get("sagequeue:job", ""))
        trains = job.secondary is Secondary.TRAINING and not GPU_TYPES.isdisjoint(demand(job.resolved_request))
        return trains and owner is not None and not owner.options.idle_exempt and self._rule.action != "off"

    def _duration(self, transition: Transition) -> float:
        return (self._account.now if transition.end is None else transition.end) - transition.start

    def _usage(self, host: str, at: float) -> float | None:
        return self._account.monitoring.cloudwatch.usage(host, datetime.fromtimestamp(at, UTC))


def _hosts(attempt: TrainingJob) -> list[str]:
    return [f"{attempt.name}/algo-{number}" for number in range(1, demand(attempt.resolved_request).total() + 1)]
