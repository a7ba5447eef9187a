"""Judges the lease: a cycle that has lost it changes nothing, however late the cycle continues."""

from support.account.account import Account
from support.account.processes import Process
from support.simulation.judges.checks import Checks

_LEDGER = ("LEDGER", "LEDGER")


class LeaseJudge:
    def __init__(self, account: Account, checks: Checks) -> None:
        self._table, self._check = account.table, checks.check
        self._fence = 0
        self._holder: Process | None = None

    def check_effect(self, process: Process, operation: str, about: str) -> None:
        """Checks transactions on the ledger: only the holder of the lease may make one."""
        if "LEDGER/LEDGER" not in about.split():
            return
        fence = int(self._table.items.get(_LEDGER, {}).get("fence", {"N": "0"})["N"])
        if fence > self._fence:
            self._fence, self._holder = fence, process
        elif operation == "TransactWriteItems":
            self._check("lease", process is self._holder, f"a cycle that lost its lease writes {about}")
