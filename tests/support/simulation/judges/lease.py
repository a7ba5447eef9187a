"""The lease: a cycle that lost it changes nothing any more, however late it wakes up."""

from support.account.account import Account
from support.account.processes import Process
from support.simulation.judges.checks import Checks

_LEDGER = ("LEDGER", "LEDGER")


class Lease:
    def __init__(self, account: Account, checks: Checks) -> None:
        self._table, self._check = account.table, checks.check
        self._fence = 0
        self._holder: Process | None = None

    def of_effect(self, process: Process, operation: str, about: str) -> None:
        """What touches the ledger takes the lease, gives it back or wake_requests; or it is a transaction of the holder's."""
        if "LEDGER/LEDGER" not in about.split():
            return
        fence = int(self._table.items.get(_LEDGER, {}).get("fence", {"N": "0"})["N"])
        if fence > self._fence:
            self._fence, self._holder = fence, process
        elif operation == "TransactWriteItems":
            self._check("lease", process is self._holder, f"a cycle that lost its lease writes {about}")
