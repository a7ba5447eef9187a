"""Safety of what our functions send and say: S8, S13, S14, and that none of them crashes."""

from collections import deque
from math import ceil

from local_sagemaker.state_machine.limits import RATES
from support.account.account import LOGS, Account, may_end_with
from support.account.processes import Process
from support.faults.call_faults import Call
from support.simulation.judges.checks import Checks
from support.simulation.judges.rules import RulesInForce
from support.simulation.submissions.user_requests import SECRET

_WRITES = frozenset({"StopTrainingJob", "DeleteTrainingJob", "UpdateTrainingJob", "AddTags"})
#: So many calls of a kind are more than ten seconds allow.
_LAST = 100


class Traffic:
    def __init__(self, account: Account, checks: Checks, rules: RulesInForce) -> None:
        self._account, self._check, self._rules = account, checks.check, rules
        self._sent: dict[str, deque[float]] = {operation: deque(maxlen=_LAST) for operation in RATES}

    def of_call(self, call: Call) -> None:
        if call.service != "sagemaker":
            return
        if call.operation in _WRITES:
            self._check_whose(call)
        if call.operation in self._sent:
            self._check_rate(call)

    def of_end(self, process: Process) -> None:
        self._check("no crash", may_end_with(process.error), f"{process.function} ended with {process.error!r}")
        status = process.result.get("statusCode", 200) if isinstance(process.result, dict) else 200
        is_told = status == 503 and self._has_cause(process)
        self._check("no crash", status < 500 or is_told, f"{process.function} answered {process.result}")
        lived = self._account.now - process.started_at
        is_late = self._account.now > process.dies_at and process.delayed_by < lived / 2
        self._check("S13", not is_late, f"{process.function} ran into its timeout by itself")

    def _has_cause(self, process: Process) -> bool:
        """A record that somebody spoilt, or a body that S3 did not give."""
        if "request_unavailable" in process.result["body"]:
            return "s3" in process.missed
        return bool(self._account.table.corrupted) and "unreadable_record" in process.result["body"]

    def after_step(self) -> None:
        while self._account.monitoring.told:
            self._check("S14", SECRET not in self._account.monitoring.told.pop(), "a secret in a notice")
        if LOGS.tell():
            self._check("S14", SECRET not in LOGS.getvalue(), "a secret in a log")
            LOGS.seek(0)
            LOGS.truncate()

    def _check_rate(self, call: Call) -> None:
        """By the second in which they were sent, and over ten seconds. A function that had stood still may send one."""
        sent, rate, now = self._sent[call.operation], RATES[call.operation], call.sent_at
        sent.append(now)  # not in order: one that was held up reaches SageMaker after later ones
        in_ten = [at for at in sent if now - 10 < at <= now]
        last = sum(at > now - 1 for at in in_ten)
        self._check("S13", last <= ceil(rate) + 1, f"{last} × {call.operation} in a second")
        self._check("S13", len(in_ten) <= 10 * rate + 2, f"{len(in_ten)} × {call.operation} in ten seconds")

    def _check_whose(self, call: Call) -> None:
        job = self._account.simulation.machine.jobs.get(call.about)
        is_ours = job is None or "sagequeue:job" in job.tags
        if job is not None and not is_ours and call.operation == "StopTrainingJob":
            self._rules.of_foreign_stop(job)
        else:
            self._check("S8", is_ours, f"{call.operation} of {call.about}, which is not ours")
