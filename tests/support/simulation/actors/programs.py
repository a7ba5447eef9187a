"""Plays programs of training jobs: some report their start, and answer a notice at once, late, never, or wrongly."""

import json
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random
from typing import Any

from local_sagemaker.state_machine.job import Secondary
from scheduler.core.requests.stop_notice.variables import ACKNOWLEDGEMENTS, STOPS
from support.account.account import Account

_LONG_AGO = timedelta(hours=1)
#: Seconds between two checks whether the program is running, and the maximum number of checks.
_LOOK_EVERY, _MOST_LOOKS = 15.0, 40
_START: dict[str, Any] = {"step": None, "stop_asked_at": None, "uploaded": None}
_SHARE_WITH_PACKAGE = 0.75


class Programs:
    """Takes a few seconds to notice each stop request. Without `answer`, jobs answer in various ways."""

    def __init__(self, account: Account, seed: int, answer: str = "") -> None:
        self._account, self._seed, self._answer = account, seed, answer
        account.service_calls.on_object = self._written

    def _written(self, key: str, content: bytes) -> None:
        if not key.startswith(STOPS):
            return
        attempt, request = key.removeprefix(STOPS), json.loads(content)
        random = Random(f"program {self._seed} {attempt}")  # noqa: S311 - worlds, not secrets
        if random.random() >= _SHARE_WITH_PACKAGE and not self._answer:
            return
        if request["state"] == "stop":
            for delay, members in _answers(random, request["asked_at"], self._answer):
                self._later(delay, attempt, members)
        else:
            self._report_start(attempt, _MOST_LOOKS)
            if random.random() < 0.5:
                self._later(random.choice([60.0, 200.0]), attempt, {"stop_asked_at": None, "uploaded": None})

    def _report_start(self, attempt: str, looks: int) -> None:
        """Acknowledges the start as soon as the program runs."""
        if self._trains(attempt):
            self._acknowledge(attempt, _START)
        elif looks > 0:
            self._account.agenda.at(self._account.now + _LOOK_EVERY, partial(self._report_start, attempt, looks - 1))

    def _later(self, delay: float, attempt: str, members: dict[str, Any]) -> None:
        self._account.agenda.at(self._account.now + delay, partial(self._acknowledge, attempt, members))

    def _acknowledge(self, attempt: str, members: dict[str, Any]) -> None:
        if not self._trains(attempt):
            return
        now = datetime.fromtimestamp(self._account.now, UTC).isoformat()
        content = {"attempt": attempt, "step": 7, "saved_at": now, "save_seconds": 1.0} | members
        text = members["text"] if "text" in members else json.dumps(content).encode()
        self._account.service_calls.objects[ACKNOWLEDGEMENTS + attempt] = text
        self._account.function_calls.send_acknowledgement(ACKNOWLEDGEMENTS + attempt)

    def _trains(self, attempt: str) -> bool:
        job = self._account.simulation.machine.jobs.get(attempt)
        is_theirs = job is not None and job.request.get("Environment", {}).get("SAGEQUEUE_ATTEMPT") == attempt
        return job is not None and is_theirs and job.secondary is Secondary.TRAINING


def _answers(random: Random, asked_at: str, chosen: str) -> list[tuple[float, dict[str, Any]]]:
    """Draws how many seconds later the program answers, and which members its answer has."""
    good: dict[str, Any] = {"stop_asked_at": asked_at, "uploaded": True}
    older = (datetime.fromisoformat(asked_at) - _LONG_AGO).isoformat()
    soon = random.choice([1.0, 15.0, 25.0])
    answers: dict[str, list[tuple[float, dict[str, Any]]]] = {
        "prompt": [(soon, good)],
        "late": [(400.0, good)],
        "never": [],
        "twice": [(soon, good), (soon + 2.0, good)],
        "in two parts": [(soon, good | {"uploaded": False}), (soon + 10.0, good)],
        "not uploaded": [(soon, good | {"uploaded": False})],
        "of an older notice": [(soon, good | {"stop_asked_at": older})],
        "of another attempt": [(soon, good | {"attempt": "other-sq-1"})],
        "malformed": [(soon, {"text": random.choice([b"{", b"", b"[" * 4096, b"\xff", b'{"step": "x"}'])})],
    }
    misleading = ["of an older notice", "not uploaded"]  # more often: only these show whether an answer is read well
    return answers[chosen or random.choice([*sorted(answers), *misleading, *misleading])]
