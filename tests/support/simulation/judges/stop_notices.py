"""Judges the notice before a stop (S17): each stop comes after the answer or at the deadline, and not much later. Only
programs that have reported something get a notice.
"""

import json
from datetime import datetime
from math import inf
from typing import Any

from scheduler.adapters.dynamodb.records.job_records import LIVE_PARTITION, attempt_from, job_from
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.jobs.job_state import JobState
from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.requests.stop_notice.rule import gets_notice
from scheduler.core.requests.stop_notice.variables import ACKNOWLEDGEMENTS
from scheduler.core.sections.durations import parse_duration
from support.account.account import Account
from support.account.function_calls import SWEEP_SECONDS
from support.faults.call_faults import Call
from support.simulation.judges.checks import Checks
from support.simulation.judges.configurations import ConfigurationJudge

#: The lease of a function that died, the running sweep, the one that reads the deadline, and the one that acts on it.
_LATEST_AFTER_DEADLINE = 90 + 3 * SWEEP_SECONDS
#: The maximum difference between the functions' clocks.
_SKEW = 5.0


class StopNoticeJudge:
    def __init__(self, account: Account, checks: Checks, configurations: ConfigurationJudge) -> None:
        self._account, self._check, self._configurations = account, checks.check, configurations
        self._answers: dict[str, set[str]] = {}  # by attempt: all notices that its program has answered
        self._stopping_since: dict[str, float] = {}  # by job
        self._sent: set[str] = set()  # attempts to which a stop was sent, whether or not SageMaker accepted it
        self._observed_at: dict[str, float] = {}  # by attempt: when its record got the latest observation
        self._reported_at: dict[str, float] = {}  # by attempt: when its record got the first report of its program

    def job_changed(self, job: Job) -> None:
        if job.status.state is not JobState.STOPPING:
            self._stopping_since.pop(job.name, None)
        elif job.name not in self._stopping_since:
            self._stopping_since[job.name] = self._account.now

    def attempt_changed(self, old: Attempt | None, new: Attempt) -> None:
        if old is None or old.observation != new.observation:
            self._observed_at[new.name] = self._account.now
        if new.saved is not None:
            self._reported_at.setdefault(new.name, self._account.now)
        is_listening = new.name in self._reported_at or new.notice is None
        self._check("S17", is_listening, f"{new.name} gets a notice, and its program has reported nothing")

    def check_call(self, call: Call) -> None:
        """Checks that a stop comes after an answer to the notice, or at its deadline."""
        if call.operation == "PutObject" and call.about.startswith(ACKNOWLEDGEMENTS):
            self._check("S17", False, f"{call.function} writes {call.about}")
        if call.operation != "StopTrainingJob":
            return
        self._sent.add(call.about)
        live_job = self._live_job(call.about)
        stop = live_job.job.status.stop if live_job else None
        if live_job is None or stop is None or not gets_notice(live_job):
            return
        process = self._account.processes.current
        known_at = max(self._observed_at[call.about], self._reported_at[call.about])
        if process is None or known_at >= process.started_at:
            return  # the cycle may not know that a program runs and listens
        notice = live_job.attempt.notice
        earliest = notice.deadline.timestamp() if notice else stop.asked_at.timestamp() + self._shortest()
        is_due = self._account.now >= earliest - _SKEW
        is_answered = notice is not None and self._has_answered(call.about, notice.asked_at)
        self._check("S17", is_due or is_answered, f"{call.about} is stopped before its program had time to save")

    def check_stops(self, calm_since: float) -> None:
        """Checks after the faults end that each stop was sent soon after its deadline."""
        for job_name, since in self._stopping_since.items():
            item = self._account.table.items.get((f"JOB#{job_name}", "JOB"))
            job = job_from(item) if item else None
            live_job = self._live_job(f"{job_name}-sq-{job.status.attempts}") if job else None
            if live_job is None or live_job.attempt.name in self._sent or not live_job.attempt.created:
                continue
            if live_job.attempt.name not in self._account.simulation.machine.jobs:
                continue  # somebody has deleted it, so no stop can be sent
            latest = max(since + self._longest(since), calm_since) + _LATEST_AFTER_DEADLINE
            self._check("S17", self._account.now <= latest, f"{live_job.attempt.name} is not stopped after its notice")

    def _has_answered(self, attempt: str, asked_at: datetime) -> bool:
        content = _read(self._account.service_calls.objects.get(ACKNOWLEDGEMENTS + attempt, b""))
        is_meant = content.get("attempt") == attempt and content.get("uploaded") is not False
        if is_meant and content.get("stop_asked_at"):
            self._answers.setdefault(attempt, set()).add(content["stop_asked_at"])
        return asked_at.isoformat() in self._answers.get(attempt, ())

    def _live_job(self, attempt_name: str) -> LiveJob | None:
        items = self._account.table.items
        found = items.get((LIVE_PARTITION, attempt_name))
        if found is None or self._account.table.is_corrupted((LIVE_PARTITION, attempt_name)):
            return None
        attempt = attempt_from(found)
        key = (f"JOB#{attempt.job_name}", "JOB")
        return None if self._account.table.is_corrupted(key) else LiveJob(job_from(items[key]), attempt)

    def _shortest(self) -> float:
        return min((_seconds(policy) for policy in self._configurations.seen("policy")), default=0.0)

    def _longest(self, since: float) -> float:
        # Without a version that can be read, the functions cannot know how long the notice is.
        return max((_seconds(policy) for policy in self._configurations.seen("policy", since)), default=inf)


def _seconds(policy: dict[str, Any]) -> float:
    return float(parse_duration(policy.get("notice", "2m")))


def _read(acknowledgement: bytes) -> dict[str, Any]:
    try:
        content = json.loads(acknowledgement)
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}
