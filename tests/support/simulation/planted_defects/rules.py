"""Defects in authorization, rules, and the guards that stop idle and unmanaged jobs."""

import pytest

from scheduler.adapters.aws.cloudwatch_gpus import CloudWatchAlarms
from scheduler.admission.admission import Admission
from scheduler.admission.authorization import Authorization
from scheduler.core.guardrails.rules import Exemption, Rules, Verdict
from scheduler.core.idle_gpus import idle_check
from scheduler.core.reconciliation.lease import JudgedQueue
from scheduler.core.reconciliation.unmanaged_job import GuardMode
from scheduler.cycle.queue_judge import QueueJudge
from scheduler.cycle.reconcile.unmanaged_jobs import UnmanagedJobs


def leave_alarms(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(CloudWatchAlarms, "delete", lambda *_: None)


def take_missing_metrics_for_idle(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(idle_check, "_is_complete", lambda *_: True)


def check_no_rules_at_launch(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Admission, "violations", lambda *_: ())


def judge_no_waiting_jobs_again(patches: pytest.MonkeyPatch) -> None:
    def pass_over(self: QueueJudge) -> JudgedQueue:
        return self.lease.judged_queue

    patches.setattr(QueueJudge, "run", pass_over)


def let_any_user_control(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Authorization, "require_control", lambda *_: None)


def stop_for_a_warning(patches: pytest.MonkeyPatch) -> None:
    def may_stop(self: UnmanagedJobs, _rules: Rules, verdict: Verdict, _description: object) -> bool:
        return self.services.guard is GuardMode.STOP and bool(verdict.enforced or verdict.warnings)

    patches.setattr(UnmanagedJobs, "_may_stop", may_stop)


def ignore_exemptions(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(Exemption, "covers", lambda *_: False)


def stop_no_unmanaged_jobs(patches: pytest.MonkeyPatch) -> None:
    patches.setattr(UnmanagedJobs, "_stop", lambda *_: None)
