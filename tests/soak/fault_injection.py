"""Injects faults into a soak: the emulator fails calls, events and training jobs, and both servers restart.

ministack saves its state only on SIGTERM (docs/explain/local-account.md), so it is never killed. The emulator always
saves its jobs, so it is killed as well.
"""

import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from random import Random
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import requests
from botocore.exceptions import BotoCoreError, ClientError

from local_account import LocalAccount
from local_guard.rule import KEY_HEADER
from soak.actors import Users
from soak.job_requests import BUDGET
from support.deployed.account_state import runs

if TYPE_CHECKING:
    from mypy_boto3_sagemaker import SageMakerClient

_THROTTLED = {"code": "ThrottlingException", "message": "Rate exceeded"}
_INTERNAL = {"code": "InternalFailure", "message": "try again", "http_status": 500}
_RULES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("calls", {"operation": "CreateTrainingJob", "chance": 0.04, "error": "no answer", "takes_effect": True}),
    ("calls", {"operation": "CreateTrainingJob", "chance": 0.04, "error": "no answer"}),
    ("calls", {"operation": "CreateTrainingJob", "chance": 0.04, "error": _INTERNAL, "takes_effect": True}),
    ("calls", {"operation": "StopTrainingJob", "chance": 0.1, "error": "no answer", "takes_effect": True}),
    ("calls", {"operation": "StopTrainingJob", "chance": 0.1, "error": _INTERNAL}),
    ("calls", {"operation": "DescribeTrainingJob", "chance": 0.05, "error": _THROTTLED}),
    ("calls", {"operation": "DescribeTrainingJob", "chance": 0.05, "delay_seconds": 2.0}),
    ("events", {"chance": 0.05, "arrives_after": []}),
    ("events", {"chance": 0.05, "arrives_after": [0, 3], "new_ids": True}),
    ("events", {"chance": 0.05, "arrives_after": [15]}),
)
#: Shares of the time, and the server that restarts then.
Restarts = tuple[tuple[float, str], ...]
RESTARTS: Restarts = ((0.2, "emulator killed"), (0.45, "ministack restarted"), (0.75, "emulator restarted"))
_PAUSE_SECONDS = 2.0
_SHORTAGE_SECONDS = 8.0
_TIMEOUT_SECONDS = 30


class FaultInjection:
    """Injects faults in the background from `begin` to `end`, and counts them in `met`."""

    def __init__(self, account: LocalAccount, sagemaker: "SageMakerClient", users: Users, random: Random) -> None:
        self._account = account
        self._sagemaker = sagemaker
        self._users = users
        self._random = random
        self._over = Event()
        self._hanging: list[str] = []
        self._failure: Exception | None = None
        self._thread: Thread
        self.met: Counter[str] = Counter()

    def begin(self, seconds: float, restarts: Restarts) -> None:
        self._thread = Thread(target=self._go_on, args=(seconds, restarts), name="fault injection")
        self._thread.start()

    def end(self) -> None:
        """Ends all faults and releases hanging jobs. Raises the error that ended the injection early."""
        self._over.set()
        self._thread.join()
        if self._failure is not None:
            raise self._failure
        self._control("DELETE", "rules")
        self._let_go()

    def _go_on(self, seconds: float, shares: Restarts) -> None:
        try:
            self._act_until_over(seconds, shares)
        except Exception as error:  # noqa: BLE001 - `end` raises it in the thread that asked
            self._failure = error

    def _act_until_over(self, seconds: float, shares: Restarts) -> None:
        begun = time.monotonic()
        restarts = [(begun + share * seconds, what) for share, what in shares]
        acts = (self._fail, self._hang, self._stop_outside, self._cancel, self._shorten)
        self._spread_rules()
        while not self._over.wait(_PAUSE_SECONDS):
            if restarts and time.monotonic() >= restarts[0][0]:
                self._restart(restarts.pop(0)[1])
            self._random.choice(acts)()
        for _, what in restarts:  # a busy machine may not have come to all of them
            self._restart(what)

    def _restart(self, what: str) -> None:
        self.met[what] += 1
        match what:
            case "ministack restarted":
                self._account.restart("ministack")
                return
            case "emulator killed":
                self._account.kill("sagemaker")
        self._account.restart("sagemaker")
        self._spread_rules()  # the emulator lost them

    def _spread_rules(self) -> None:
        for path, rule in _RULES:
            self._control("POST", path, rule)

    def _fail(self) -> None:
        reason = self._random.choice(("InternalServerError: again", "CapacityError: none", "AlgorithmError: mine"))
        if name := self._one_of(self._live()):
            self._control("POST", f"jobs/{name}/fail", {"reason": reason})
            self.met["training job failed"] += 1

    def _hang(self) -> None:
        """Lets one job hang, and releases the previous one."""
        self._let_go()
        if name := self._one_of(self._live()):
            self._control("POST", f"jobs/{name}/hang")
            self._hanging.append(name)
            self.met["training job hangs"] += 1

    def _let_go(self) -> None:
        while self._hanging:
            self._control("POST", f"jobs/{self._hanging.pop()}/release")

    def _stop_outside(self) -> None:
        if name := self._one_of(self._live()):
            with suppress(BotoCoreError, ClientError):  # it has ended, or a fault hit the call
                self._sagemaker.stop_training_job(TrainingJobName=name)
                self.met["training job stopped outside"] += 1

    def _cancel(self) -> None:
        if name := self._one_of(sorted(self._users.accepted)):
            self._users.cancel(name)
            self.met["cancel"] += 1

    def _shorten(self) -> None:
        shortage = {"instance_type": self._random.choice(tuple(BUDGET)), "back_in_seconds": _SHORTAGE_SECONDS}
        self._control("PUT", "capacity", shortage)
        self.met["no capacity"] += 1

    def _live(self) -> list[str]:
        return [run.name for run in runs(self._sagemaker, "InProgress")]

    def _one_of(self, names: list[str]) -> str | None:
        return self._random.choice(names) if names else None

    def _control(self, method: str, path: str, body: Mapping[str, object] | None = None) -> None:
        url = f"{self._account.settings.sagemaker_endpoint}/_control/{path}"
        key = {KEY_HEADER: self._account.key}
        requests.request(method, url, json=body or {}, headers=key, timeout=_TIMEOUT_SECONDS).raise_for_status()
