"""Judges idle GPUs (S9, S10): alarms exist for the right attempts, and only idle jobs are stopped as idle."""

from collections.abc import Mapping
from datetime import UTC, datetime
from math import inf
from typing import Any

from local_sagemaker.state_machine.capacity import demand
from local_sagemaker.state_machine.job import Secondary, TrainingJob, Transition
from scheduler.adapters.dynamodb.records.job_records import LIVE_PARTITION
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import Stop
from scheduler.core.reconciliation.polling import POLL_INTERVAL
from scheduler.core.sections.durations import parse_duration
from scheduler.cycle.attempts.attempts import UNKNOWN_ATTEMPT_GRACE
from support.account.account import Account
from support.account.function_calls import SWEEP_SECONDS
from support.simulation.judges.checks import Checks
from support.simulation.judges.configurations import OLD_VIEW_SECONDS, ConfigurationJudge
from support.simulation.submissions.gpu_usage import GPU_TYPES
from support.simulation.submissions.squatters import owner_of

#: The lease of a function that died, the running sweep, the one that reads the change, and the one that acts on it.
_IN_STEP_AFTER = 90 + 3 * SWEEP_SECONDS
#: If an event is lost, a sweep reads the change only when it polls the attempt.
_UNHEARD_AFTER = _IN_STEP_AFTER + POLL_INTERVAL.total_seconds()
#: The maximum difference between the functions' clocks.
_SKEW = 5.0


class IdleGpuJudge:
    def __init__(self, account: Account, checks: Checks, configurations: ConfigurationJudge) -> None:
        self._account, self._check, self._configurations = account, checks.check, configurations

    def check_stop(self, job: Job, stop: Stop) -> None:
        """Checks S10: the job trained without using a GPU for longer than the grace period and the checked minutes."""
        seen = self._configurations.seen("idle_gpus", stop.asked_at.timestamp() - OLD_VIEW_SECONDS)
        stopping = [rule for rule in seen if "stop" in _action(rule)]
        self._check("S10", bool(stopping), f"{job.name} is stopped for idling, which no setting asks for")
        used = self._used_after(job, min(grace_of(job, rule) + _seconds(rule, "window") for rule in stopping))
        self._check("S10", all(use == 0 for use in used), f"{job.name} is stopped for idling, and was not idle")

    def check_underuse(self, job: Job, stop: Stop) -> None:
        """Checks S10: the job used its GPUs less than the minimum for two windows, since a warning comes first."""
        seen = self._configurations.seen("idle_gpus", stop.asked_at.timestamp() - OLD_VIEW_SECONDS)
        stopping = [rule for rule in seen if rule.get("underused") == "warn-then-stop"]
        self._check("S10", bool(stopping), f"{job.name} is stopped as underused, which no setting asks for")
        window = min(_seconds(rule, "window") for rule in stopping)
        warned_at = job.status.underused_warned_at
        is_warned = warned_at is not None and (stop.asked_at - warned_at).total_seconds() >= window - _SKEW
        self._check("S10", is_warned, f"{job.name} is stopped as underused, without a window after a warning")
        used = self._used_after(job, min(grace_of(job, rule) for rule in stopping) + window)
        measured = [use for use in used if use is not None]
        most = max(rule["minimum_utilisation"] for rule in stopping)
        is_low = len(measured) == len(used) and sum(measured) / len(measured) < most
        self._check("S10", is_low, f"{job.name} is stopped as underused, and was used more: {used}")

    def _used_after(self, job: Job, least: float) -> list[float | None]:
        """Returns how the job's hosts are used, and checks that its program has run for longer than `least` seconds."""
        attempt = self._account.simulation.machine.jobs[f"{job.name}-sq-{job.status.attempts}"]
        now = self._account.now
        trained = [known for known in _starts(attempt) if _apparent_duration(attempt, known, now) > least - _SKEW]
        self._check("S10", bool(trained), f"{attempt.name} is stopped within its grace")
        return [self._usage(host, trained[-1].start + 1) for host in _hosts(attempt)]

    def check_alarms(self, calm_since: float, jobs: Mapping[str, Job]) -> None:
        """Checks S9 after the faults end: each alarm has a live attempt, and each training attempt has an alarm."""
        due = self._account.now - _IN_STEP_AFTER
        self._check_alarms_of_live_attempts(calm_since, due, jobs)
        for kind, section, window in (("idle", "idle_gpus", "15m"), ("hang", "hangs", "20m")):
            since, rule = self._configurations.in_force(section)
            if max(calm_since, since) <= due and _action(rule, section) != "off":
                self._check_alarms_of_kind(kind, rule, parse_duration(rule.get("window", window)), due, jobs)

    def _check_alarms_of_live_attempts(self, calm_since: float, due: float, jobs: Mapping[str, Job]) -> None:
        if max(calm_since, *(self._configurations.in_force(section)[0] for section in ("idle_gpus", "hangs"))) > due:
            return
        world = self._account.simulation.machine
        for name in self._account.monitoring.alarms:
            attempt = name.split("/")[1]
            job = world.jobs.get(attempt)
            if job is None:
                is_live = self._may_be_thought_to_run(attempt, jobs)
            else:
                is_live = job.ended_at is None or max(job.ended_at, self._recorded_end_of(job, jobs)) > due
            self._check("S9", is_live, f"the alarm {name} has no live attempt")

    def _check_alarms_of_kind(
        self, kind: str, rule: Mapping[str, Any], window: int, due: float, jobs: Mapping[str, Job]
    ) -> None:
        alarms = self._account.monitoring.cloudwatch.alarms.values()
        of_kind = [alarm for alarm in alarms if alarm.name.split("/")[2] == kind]
        for alarm in of_kind:
            is_so = alarm.period * alarm.periods == window
            self._check("S9", is_so, f"the alarm {alarm.name} has the window of another rule")
        watched = {alarm.name.split("/")[1] for alarm in of_kind}
        world = self._account.simulation.machine
        for job in world.jobs.values():
            # If the answer to its Create was lost, the attempt is known by its tags.
            known_at = job.created_at + world.behaviour.unknowns.tagged_after_seconds
            if not self._needs_alarm(job, kind, jobs):
                continue
            owner = jobs[owner_of(job)]
            exempt = grace_of(owner, rule) if owner.options.idle_exempt else 0
            if max(job.transitions[-1].start + exempt, known_at) < due:
                self._check("S9", job.name in watched, f"{job.name} has no alarm of the kind {kind}")

    def check_no_alarms(self) -> None:
        self._check("S9", not self._account.monitoring.alarms, f"left: {self._account.monitoring.alarms}")

    def _may_be_thought_to_run(self, attempt: str, jobs: Mapping[str, Job]) -> bool:
        """Returns whether the queue may still be unaware that the training job was deleted after its end."""
        job = jobs.get(attempt.rsplit("-sq-", 1)[0])
        if job is None or (LIVE_PARTITION, attempt) not in self._account.table.items:
            return False
        noticed_after = UNKNOWN_ATTEMPT_GRACE.total_seconds() + _IN_STEP_AFTER
        return job.status.updated_at.timestamp() > self._account.now - noticed_after

    def _recorded_end_of(self, job: TrainingJob, jobs: Mapping[str, Job]) -> float:
        """Returns when the queue recorded the end, or infinity while the end may still be unknown."""
        owner = jobs.get(owner_of(job))
        # Only an attempt that is known is polled: the answer to its Create, and its tags, may have come later.
        known_at = owner.status.updated_at.timestamp() if owner else 0.0
        if job.ended_at is None or max(job.ended_at, known_at) < self._account.now - _UNHEARD_AFTER:
            return 0.0
        is_settled = (LIVE_PARTITION, job.name) not in self._account.table.items
        return owner.status.updated_at.timestamp() if owner is not None and is_settled else inf

    def _needs_alarm(self, job: TrainingJob, kind: str, jobs: Mapping[str, Job]) -> bool:
        owner, has_gpus = jobs.get(owner_of(job)), not GPU_TYPES.isdisjoint(demand(job.resolved_request))
        trains = job.secondary is Secondary.TRAINING and (has_gpus or kind == "hang")
        return trains and owner is not None

    def _usage(self, host: str, at: float) -> float | None:
        return self._account.monitoring.cloudwatch.usage(host, datetime.fromtimestamp(at, UTC))


def _action(rule: Mapping[str, Any], section: str = "idle_gpus") -> str:
    return str(rule.get("action", {"idle_gpus": "warn-then-stop", "hangs": "off"}[section]))


def _seconds(rule: Mapping[str, Any], member: str) -> int:
    return parse_duration(rule.get(member, "15m"))


def grace_of(job: Job, rule: Mapping[str, Any]) -> int:
    """Returns the seconds of a job's grace period, or of its exemption."""
    grace = _seconds(rule, "grace")
    return max(grace, parse_duration(rule.get("exempt_for", "24h"))) if job.options.idle_exempt else grace


def seems_to_have_trained_for(job: TrainingJob, now: float) -> float:
    """Returns how long the program seems to have run since it last started, as far as the queue can know."""
    starts = _starts(job)
    return _apparent_duration(job, starts[-1], now) if starts else 0.0


def _starts(job: TrainingJob) -> list[Transition]:
    return [known for known in job.transitions if known.status is Secondary.TRAINING]


def _apparent_duration(job: TrainingJob, known: Transition, now: float) -> float:
    # The queue may still be unaware that SageMaker ends the attempt for another reason.
    end = known.end if job.status == "InProgress" else None
    return (now if end is None else end) - known.start


def _hosts(attempt: TrainingJob) -> list[str]:
    return [f"{attempt.name}/algo-{number}" for number in range(1, demand(attempt.resolved_request).total() + 1)]
