"""Judges the calls and answers of functions (S8, S13, S14), and checks that no function crashes."""

from collections import deque
from math import ceil

from local_sagemaker.state_machine.limits import RATES
from scheduler.errors.internal import RecordRefused
from support.account.account import LOGS, Account, may_end_with
from support.account.processes import Process
from support.faults.call_faults import Call
from support.simulation.judges.checks import Checks
from support.simulation.judges.rules import RuleJudge
from support.simulation.submissions.squatters import is_unmanaged, owner_of
from support.simulation.submissions.user_requests import SECRET

_WRITES = frozenset({"StopTrainingJob", "DeleteTrainingJob", "UpdateTrainingJob", "AddTags"})
#: More calls to one operation than are allowed in ten seconds.
_LAST = 100


class ServiceCallJudge:
    def __init__(self, account: Account, checks: Checks, rules: RuleJudge) -> None:
        self._account, self._check, self._rules = account, checks.check, rules
        self._sent: dict[str, deque[float]] = {operation: deque(maxlen=_LAST) for operation in RATES}

    def check_call(self, call: Call) -> None:
        if call.service != "sagemaker":
            return
        if call.operation in _WRITES:
            self._check_owner(call)
        if call.operation == "StopAutoMLJob":
            self._rules.check_stop_of_automl_job(call.about)
        if call.operation in self._sent:
            self._check_rate(call)

    def check_end_of(self, process: Process) -> None:
        self._check("no crash", may_end_with(process.error), f"{process.function} ended with {process.error!r}")
        is_of_one_job = process.function == "schedule" and isinstance(process.error, RecordRefused)
        self._check("L3", not is_of_one_job, f"a cycle ended with an error of one job: {process.error!r}")
        status = process.result.get("statusCode", 200) if isinstance(process.result, dict) else 200
        is_explained = status == 503 and self._has_cause(process)
        self._check("no crash", status < 500 or is_explained, f"{process.function} answered {process.result}")
        lived = self._account.now - process.started_at
        is_late = self._account.now > process.dies_at and process.delayed_by < lived / 2
        self._check("S13", not is_late, f"{process.function} ran into its timeout by itself")

    def _has_cause(self, process: Process) -> bool:
        """Returns whether a corrupted record, a failed read of S3 or a replaced object explains the error."""
        if "request_unavailable" in process.result["body"]:
            return "s3" in process.failed_services
        is_broken = self._account.table.corrupted or self._account.service_calls.replaced
        return bool(is_broken) and "unreadable_record" in process.result["body"]

    def after_step(self) -> None:
        while self._account.monitoring.notices:
            self._check("S14", SECRET not in self._account.monitoring.notices.pop(), "a secret in a notice")
        if LOGS.tell():
            self._check("S14", SECRET not in LOGS.getvalue(), "a secret in a log")
            LOGS.seek(0)
            LOGS.truncate()

    def _check_rate(self, call: Call) -> None:
        """Checks S13: the calls per second and per ten seconds.

        A function that had been paused may make one more call.
        """
        sent, rate, now = self._sent[call.operation], RATES[call.operation], call.sent_at
        sent.append(now)  # not in order: a delayed call reaches SageMaker after later ones
        in_ten = [at for at in sent if now - 10 < at <= now]
        last = sum(at > now - 1 for at in in_ten)
        self._check("S13", last <= ceil(rate) + 1, f"{last} × {call.operation} in a second")
        self._check("S13", len(in_ten) <= 10 * rate + 2, f"{len(in_ten)} × {call.operation} in ten seconds")

    def _check_owner(self, call: Call) -> None:
        job = self._account.simulation.machine.jobs.get(call.about)
        is_ours = job is None or bool(owner_of(job))
        if job is not None and is_unmanaged(job) and call.operation == "StopTrainingJob":
            self._rules.check_stop_of_unmanaged_job(job)
        else:
            self._check("S8", is_ours, f"{call.operation} of {call.about}, which is not ours")
