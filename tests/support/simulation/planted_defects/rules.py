"""Defects in authorization, rules, and the guards that stop idle, hung and unmanaged jobs."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from scheduler.adapters.aws.cloudwatch_gpus import CloudWatchAlarms
from scheduler.admission.authorization import Authorization
from scheduler.admission.launch_check import Judged, LaunchCheck
from scheduler.core.callers.permissions import Verb
from scheduler.core.guardrails.kinds.defaults import SetDefault
from scheduler.core.guardrails.rules import Default, Exemption, Verdict
from scheduler.core.guardrails.subject import Subject
from scheduler.core.idle_gpus import idle_check
from scheduler.core.idle_gpus.hangs import hang_check
from scheduler.core.idle_gpus.hangs.hang_check import HangFinding, LastLine
from scheduler.core.idle_gpus.hangs.hang_rule import HangAction, HangRule
from scheduler.core.idle_gpus.idle_rule import IdleRule
from scheduler.core.idle_gpus.nan_losses import nan_check
from scheduler.core.idle_gpus.nan_losses.nan_rule import NanRule
from scheduler.core.idle_gpus.watch import Watch
from scheduler.core.jobs import transitions
from scheduler.core.jobs.attempt import Attempt
from scheduler.core.jobs.job import Job
from scheduler.core.reconciliation.lease import JudgedQueue
from scheduler.core.reconciliation.unmanaged_job import WatchedJob
from scheduler.core.requests.arrays.job_array import JobArray
from scheduler.cycle.queue_judge import QueueJudge
from scheduler.cycle.reconcile.findings import Findings
from scheduler.cycle.watches import hangs, signals, unmanaged_jobs
from scheduler.cycle.watches.idle_gpus import IdleGpus
from scheduler.cycle.watches.nan_losses import NanLosses
from scheduler.cycle.watches.unmanaged_jobs import UnmanagedJobWatch
from scheduler.queue.arrays import Arrays


def leave_alarms(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(CloudWatchAlarms, "delete", lambda *_: None)


def take_missing_metrics_for_idle(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(idle_check, "are_complete", lambda *_: True)


def stop_underused_jobs_at_once(patches: pytest.MonkeyPatch) -> None:
    def act(self: IdleGpus, job: Job, rule: IdleRule, now: datetime) -> None:
        if rule.stops_underused:
            self.results.save(transitions.stop_underused(job, rule.minimum_utilisation, now))

    patches.setattr(IdleGpus, "_act_on_underuse", act)


def stop_jobs_with_nan_losses_without_a_warning(patches: pytest.MonkeyPatch) -> None:
    def act(self: NanLosses, job: Job, rule: NanRule, _warned_at: datetime | None, now: datetime) -> None:
        if rule.stops:
            self.results.save(transitions.stop_nan_loss(job, rule.minutes, now))

    patches.setattr(NanLosses, "_act", act)


def take_finite_losses_for_nan(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(nan_check, "_is_nan", lambda _loss: True)


def take_unused_jobs_for_hung(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(signals, "hang_finding", lambda *_: HangFinding.HUNG)


def take_missing_lines_for_silence(patches: pytest.MonkeyPatch) -> None:
    def finding(last: LastLine | None, rule: HangRule) -> HangFinding:
        return hang_check.hang_finding(last, rule) if last else HangFinding.HUNG

    patches.setattr(signals, "hang_finding", finding)


def retry_after_each_hang(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(hangs, "_may_run_again", lambda *_: True)


def exempt_for_ever(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Watch, "exemption", timedelta(days=365))


def exempt_no_job(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Watch, "exemption", timedelta(0))


def check_no_rules_at_launch(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(LaunchCheck, "_checked", lambda _, job, request: Judged(job, request))


def set_defaults_over_given_values(patches: pytest.MonkeyPatch) -> None:
    def defaults(self: SetDefault, _subject: Subject) -> Iterator[Default]:
        return (Default(path, "", value) for path, value in self._values.items() if value)

    patches.setattr(SetDefault, "defaults", defaults)


def judge_no_waiting_jobs_again(patches: pytest.MonkeyPatch) -> None:
    def pass_over(self: QueueJudge) -> JudgedQueue:
        return self.lease.judged_queue

    patches.setattr(QueueJudge, "run", pass_over)


def let_any_user_control(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Authorization, "require_control", lambda *_: None)


def stop_for_a_warning(patches: pytest.MonkeyPatch) -> None:
    report = Findings.report

    def enforce_all(self: Findings, subject: Subject, verdict: Verdict, *others: Any, **options: Any) -> bool:
        enforced = replace(verdict, enforced=(*verdict.enforced, *verdict.warnings), warnings=())
        return report(self, subject, enforced, *others, **options)

    patches.setattr(Findings, "report", enforce_all)


def ignore_exemptions(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Exemption, "covers", lambda *_: False)


def stop_unmanaged_jobs_by_one_signal(patches: pytest.MonkeyPatch) -> None:
    def check(self: UnmanagedJobWatch, job: WatchedJob, attempt: Attempt, _now: datetime) -> None:
        rule = self.services.configuration.current().hangs
        if rule.action is not HangAction.OFF:
            self._act_on_hang(job, attempt, rule)

    patches.setattr(UnmanagedJobWatch, "_check_program", check)


def stop_unmanaged_jobs_without_a_warning(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(unmanaged_jobs, "_is_over", lambda *_: True)


def stop_unmanaged_jobs_with_nan_losses_without_a_warning(patches: pytest.MonkeyPatch) -> None:
    is_over = unmanaged_jobs._is_over

    def is_always_over(warned_at: datetime | None, rule: Watch, now: datetime) -> bool:
        return isinstance(rule, NanRule) or is_over(warned_at, rule, now)

    patches.setattr(unmanaged_jobs, "_is_over", is_always_over)


def stop_no_unmanaged_jobs(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Findings, "_stop", lambda *_: None)


def start_jobs_without_an_approval(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Job, "is_approved", True)


def let_owners_approve_their_jobs(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Authorization, "require_approver", lambda self, _job, caller: self.require(Verb.OPERATE, caller))


def let_owners_approve_their_arrays(patches: pytest.MonkeyPatch) -> None:
    def approve(self: Arrays, name: str, caller: str, max_runtime: int | None = None) -> JobArray:
        return self._change(name, caller, lambda array: self._approved(array, caller, max_runtime))

    patches.setattr(Arrays, "approve", approve)
