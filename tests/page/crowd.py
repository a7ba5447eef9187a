"""A fake of the queue's API with thousands of jobs, for the page."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import Any
from urllib.parse import parse_qs, urlsplit

from integration.sagequeue.fakes.aws import listed_trials, metric_data
from integration.sagequeue.fakes.http import Call
from integration.sagequeue.fakes.queue import PRICES
from page.config_fake import FakeConfig
from sagequeue.contract.arrays import Array
from sagequeue.contract.history import Change
from sagequeue.contract.jobs import FINISHED, Job
from sagequeue.contract.queue import Finding, PastBudget, Period, Pool, Shortage, TeamLine
from unit.sagequeue.builders.costs import a_range
from unit.sagequeue.builders.jobs import a_job, an_attempt

ANNA = "arn:aws:iam::123456789012:user/anna"
BUDGET = 8
KIND = "ml.g5.xlarge"
#: Seconds in which a test opens a gate.
PATIENCE = 60


class Crowd:
    """Has `waiting` jobs behind eight running ones. It records actions without executing them."""

    def __init__(
        self,
        waiting: int,
        *,
        verbs: Sequence[str] = ("operate", "submit"),
        team: str | None = None,
        owner: str = ANNA,
        why: str = "waits_for_budget",
    ) -> None:
        self.changes: list[str] = []
        self.arrays: list[Array] = []
        self.pools: list[Pool] = []
        self.periods: list[Period] = []
        self.past_budgets: list[PastBudget] = []
        self.shortages: list[Shortage] = []
        self.teams: dict[str, TeamLine] = {}
        self.spending: dict[str, Any] = {"month": None, "uses": [], "left_out": 0}
        self.config = FakeConfig()
        self.budget: dict[str, Any] = {"calendar_rests": False, "changed_by": None, "changed_at": None}
        self.findings: list[Finding] = []
        self.history: list[Change] = []
        self.logs: dict[str, list[str]] = {}  # lines by stream
        self.metrics: dict[tuple[str, str], list[float]] = {}  # of CloudWatch, by name and dimension
        self.trials: dict[str, list[dict[str, Any]]] = {}  # SageMaker's summaries by tuning job
        self.prices: dict[str, Any] = PRICES["prices"]
        self.shown: dict[str, Job] = {}  # what is told of one job
        self.is_expired = False  # the caller's credentials are
        self.gate: Event | None = None  # changes wait for it …
        self.let_through = 0  # … after so many
        self.victims: dict[str, list[str]] = {}  # by the job for which they would be stopped
        self.starts: dict[str, str | None] = {"earliest": None, "latest": None, "after": None}  # of each waiting job
        self.submitted: list[dict[str, Any]] = []
        self._me = {"arn": ANNA, "principal": "user/anna", "entry": "all", "verbs": [*verbs], "priority_ceiling": None}
        may_control = "operate" in verbs or owner == ANNA
        self._of: dict[str, Any] = {"team": team, "owner": owner, "may_control": may_control}
        self._why = why
        self._start = datetime.now(UTC) - timedelta(hours=3)
        self.jobs = [self._running(number) for number in range(BUDGET)]
        self.jobs += [self._waiting(number) for number in range(waiting)]

    def answer(self, call: Call) -> tuple[int, Any]:
        if self.is_expired:
            return 403, {"message": "The security token included in the request is expired"}
        path = urlsplit(call.path)
        query = {name: values[0] for name, values in parse_qs(path.query).items()}
        match path.path.strip("/").split("/"):
            case [""] if call.headers["X-Amz-Target"].endswith("GetMetricData"):
                return 200, metric_data(call.body, self.metrics)
            case [""] if call.headers["X-Amz-Target"].endswith("ListTrainingJobsForHyperParameterTuningJob"):
                return listed_trials(call.body, self.trials)
            case [""]:  # CloudWatch Logs
                return 200, self._log(call.body)
            case ["jobs"]:
                return 200, self._page(query)
            case ["jobs", name, "why"] if call.method == "GET":
                return 200, self._why_of(name)
            case ["jobs", name] if name in self.shown:
                return 200, self.shown[name]
            case ["queue"]:
                return 200, self._summary()
            case ["arrays"]:
                return 200, {"arrays": self.arrays}
            case ["budget", "history"]:
                return 200, {"budgets": self.past_budgets}
            case ["budget"]:
                return 200, {**self.budget, "periods": self.periods}
            case ["config", *rest]:
                return self.config.answer(call.method, rest, query, call.raw.decode(), self._me)
            case ["pools"]:
                return 200, {"pools": self.pools}
            case ["spending"]:
                return 200, self.spending
            case ["findings"]:
                return 200, {"findings": self.findings}
            case ["history"]:
                return 200, {"changes": self.history, "next": None}
            case ["prices"]:
                return 200, {**PRICES, "prices": self.prices}
            case ["whoami"]:
                return 200, self._me
            case ["people"]:
                return 200, {"people": {}}
            case ["change-jobs"]:
                return 200, self._change_many(json.loads(call.raw))
            case ["what-if"]:
                return self._forecast(json.loads(call.raw)["request"])
            case ["add-job"]:
                return self._submit(json.loads(call.raw))
            case ["what-if-priority"]:
                wanted = json.loads(call.raw)
                victims = [name for job in wanted["names"] for name in self.victims.get(job, [])]
                return 200, {"preempts": victims if wanted["priority"] > 4 else [], "starts_now": []}
            case ["jobs", name, _]:
                self._change(path.path)
                return 202, {"name": name}
        return 404, {"error": "unknown_path", "message": "not played here"}

    def _forecast(self, request: dict[str, Any]) -> tuple[int, Any]:
        """Stops the victims of a request with a priority; refuses one that is larger than the budget."""
        if request["ResourceConfig"]["InstanceCount"] > BUDGET:
            words = {"error": "over_budget", "message": f"The budget has {BUDGET}.", "remedy": "Use fewer."}
            return 400, {**words, "field": "ResourceConfig.InstanceCount"}
        is_urgent = any(tag["Key"] == "queue:priority" for tag in request.get("Tags", []))
        return 200, {
            "starts_now": is_urgent,
            "behind": 0 if is_urgent else 7,
            "preempts": ["run-3", "run-5"] if is_urgent else [],
            "reason": {"code": "waits_for_budget", "message": "needs 1 × ml.g5.xlarge"},
            "starts": {"earliest": None, "latest": None, "after": None},
            "cost_range": a_range(most_dollars=12.0),
        }

    def _submit(self, request: dict[str, Any]) -> tuple[int, Any]:
        code, answer = self._forecast(request)
        if code != 200:
            return code, answer
        self.submitted.append(request)
        name = request["TrainingJobName"]
        self.shown[name] = a_job(name=name, request=request, actions=[], **self._of)
        return 201, {**self.shown[name], "is_new": True}

    def _why_of(self, name: str) -> dict[str, Any]:
        shown = self.shown.get(name)
        if shown and shown["state"] in FINISHED:
            told: dict[str, Any] = {
                "state": shown["state"],
                "position": None,
                "reason": shown["reason"],
                "starts": None,
            }
        else:
            reason = {"code": "waits_for_budget", "message": "needs 1 × ml.g5.xlarge"}
            told = {"state": "pending", "position": 1, "reason": reason, "starts": self.starts}
        return {"name": name, "waits_for": [], "priority": None, **told}

    def _log(self, wanted: dict[str, Any]) -> dict[str, Any]:
        if "logStreamNamePrefix" in wanted:
            streams = [name for name in self.logs if name.startswith(wanted["logStreamNamePrefix"])]
            return {"logStreams": [{"logStreamName": name} for name in streams]}
        lines = [] if "nextToken" in wanted else self.logs[wanted["logStreamName"]]
        events = [{"timestamp": at, "message": line} for at, line in enumerate(lines)]
        return {"events": events, "nextBackwardToken": "beginning", "nextForwardToken": "end"}

    def _change_many(self, wanted: dict[str, Any]) -> dict[str, Any]:
        names = wanted["names"][: wanted.get("limit", 50)]
        for name in names:
            self._change(f"/jobs/{name}/{wanted['change']}")
        return {
            "changed": names,
            "refused": [],
            "left": len(wanted["names"]) - len(names),
            "is_left_exact": True,
            "next": None,
        }

    def _change(self, path: str) -> None:
        if self.gate and len(self.changes) >= self.let_through:
            self.gate.wait(PATIENCE)
        self.changes.append(path)

    def _running(self, number: int) -> Job:
        at = _text(self._start + timedelta(minutes=9 * number))
        attempt = an_attempt(name=f"run-{number}-sq-1", reserved_at=at, training_started_at=at)
        return a_job("running", "running", name=f"run-{number}", attempts=[attempt], submitted_at=at, **self._of)

    def _waiting(self, number: int) -> Job:
        at = _text(self._start + timedelta(seconds=number))
        return a_job(code=self._why, name=f"sweep-{number:05}", position=number + 1, submitted_at=at, **self._of)

    def _page(self, query: dict[str, str]) -> dict[str, Any]:
        states, beginning = query.get("state"), query.get("name", "")
        found = [job for job in self.jobs if job["name"].startswith(beginning)]
        found = [job for job in found if states is None or job["state"] in states.split(",")]
        found = [job for job in found if query.get("team") in (None, job["team"])]
        found = [job for job in found if query.get("mine") is None or job["owner"] == ANNA]
        arrays = {array["name"] for array in self.arrays}
        of = {job["name"]: job["name"].rpartition("-")[0] for job in self.jobs}
        found = [job for job in found if query.get("array") in (None, of[job["name"]])]
        found = [job for job in found if query.get("children") is None or of[job["name"]] not in arrays]
        first = int(query.get("next", "0"))
        last = first + int(query["limit"])
        more = str(last) if last < len(found) else None
        return {"jobs": found[first:last], "next": more, "budget": {KIND: {"limit": BUDGET, "held": BUDGET}}}

    def _summary(self) -> dict[str, Any]:
        waiting = len(self.jobs) - BUDGET
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


def _text(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")
