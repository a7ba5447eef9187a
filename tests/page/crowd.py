"""A fake of the queue's API with thousands of jobs, for the page."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

from integration.sagequeue.fakes.http import Call
from integration.sagequeue.fakes.queue import PRICES
from sagequeue.contract.documents import Period
from sagequeue.contract.history import Change
from sagequeue.contract.jobs import Job
from sagequeue.contract.queue import Pool, Shortage, TeamLine
from unit.sagequeue.builders.jobs import a_job, an_attempt

ANNA = "arn:aws:iam::123456789012:user/anna"
BUDGET = 8
KIND = "ml.g5.xlarge"


class Crowd:
    """Has `waiting` jobs behind eight running ones. It records actions without executing them."""

    def __init__(
        self,
        waiting: int,
        *,
        verbs: Sequence[str] = ("operate",),
        team: str | None = None,
        owner: str = ANNA,
        why: str = "waits_for_budget",
    ) -> None:
        self.changes: list[str] = []
        self.pools: list[Pool] = []
        self.periods: list[Period] = []
        self.shortages: list[Shortage] = []
        self.teams: dict[str, TeamLine] = {}
        self.spending: dict[str, Any] = {"readable": True, "month": None, "uses": []}
        self.history: list[Change] = []
        self.prices: dict[str, Any] = PRICES["prices"]
        self.shown: dict[str, Job] = {}  # what is told of one job
        self.is_expired = False  # the caller's credentials are
        self._me = {"arn": ANNA, "principal": "user/anna", "entry": "all", "verbs": [*verbs], "priority_ceiling": None}
        self._of: dict[str, Any] = {"team": team, "owner": owner}
        self._why = why
        self._start = datetime.now(UTC) - timedelta(hours=3)
        self._jobs = [self._running(number) for number in range(BUDGET)]
        self._jobs += [self._waiting(number) for number in range(waiting)]

    def answer(self, call: Call) -> tuple[int, Any]:
        if self.is_expired:
            return 403, {"message": "The security token included in the request is expired"}
        path = urlsplit(call.path)
        query = {name: values[0] for name, values in parse_qs(path.query).items()}
        match path.path.strip("/").split("/"):
            case [""]:  # CloudWatch Logs
                return 200, {"logStreams": []}
            case ["jobs"]:
                return 200, self._page(int(query.get("next", "0")), int(query["limit"]))
            case ["jobs", name, "why"] if call.method == "GET":
                return 200, {**_why(), "name": name}
            case ["jobs", name] if name in self.shown:
                return 200, self.shown[name]
            case ["queue"]:
                return 200, self._summary()
            case ["calendar"]:
                return 200, {"version": 1, "text": "{}", "rests": False, "periods": self.periods}
            case ["pools"]:
                return 200, {"pools": self.pools}
            case ["spending"]:
                return 200, {"version": 1, "text": "{}", **self.spending}
            case ["history"]:
                return 200, {"changes": self.history, "next": None}
            case ["prices"]:
                return 200, {**PRICES, "prices": self.prices}
            case ["whoami"]:
                return 200, self._me
            case ["jobs", name, _]:
                self.changes.append(path.path)
                return 202, {"name": name}
        return 404, {"error": "unknown_path", "message": "not played here"}

    def _running(self, number: int) -> Job:
        at = _text(self._start + timedelta(minutes=9 * number))
        attempt = an_attempt(name=f"run-{number}-sq-1", reserved_at=at, training_started_at=at)
        return a_job("running", "running", name=f"run-{number}", attempts=[attempt], submitted_at=at, **self._of)

    def _waiting(self, number: int) -> Job:
        at = _text(self._start + timedelta(seconds=number))
        return a_job(code=self._why, name=f"sweep-{number:05}", position=number + 1, submitted_at=at, **self._of)

    def _page(self, first: int, limit: int) -> dict[str, Any]:
        last = first + limit
        more = str(last) if last < len(self._jobs) else None
        return {"jobs": self._jobs[first:last], "next": more, "budget": {KIND: {"limit": BUDGET, "held": BUDGET}}}

    def _summary(self) -> dict[str, Any]:
        waiting = len(self._jobs) - BUDGET
        return {
            "intake_open": True,
            "queued": waiting,
            "live": BUDGET,
            "by_state": {"running": BUDGET, "pending": waiting},
            "budget": {KIND: {"limit": BUDGET, "held": BUDGET, "free": 0}},
            "teams": self.teams,
            "shortages": self.shortages,
            "head": [],
        }


def _why() -> dict[str, Any]:
    reason = {"code": "waits_for_budget", "message": "needs 1 × ml.g5.xlarge"}
    starts = {"earliest": None, "latest": None, "after": None}
    return {"state": "pending", "position": 1, "reason": reason, "waits_for": [], "priority": None, "starts": starts}


def _text(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")
