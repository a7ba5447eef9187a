"""A fake of the queue's API with scripted jobs: their state depends only on the clock."""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any
from urllib.parse import parse_qs, urlsplit

from integration.sagequeue.fakes.clock import Clock
from integration.sagequeue.fakes.http import Call
from sagequeue.contract.history import Change
from sagequeue.contract.jobs import FINISHED, Job
from sagequeue.contract.queue import PastBudget
from unit.sagequeue.builders.costs import a_range
from unit.sagequeue.builders.jobs import ARN, a_job

STAGE_SECONDS = 30  # SDK v2 asks for a description that often
PARAMETER = {"ml.g5.xlarge": 2}
EXPECTED = {"earliest": "2026-11-21T12:05:00Z", "latest": "2026-11-21T15:05:00Z", "after": "bert"}

YOU: dict[str, Any] = {
    "arn": "arn:aws:iam::123456789012:user/anna",
    "principal": "user/anna",
    "entry": "everybody",
    "verbs": ["submit"],
    "teams": [],
    "execution_roles": ["*"],
    "instance_types": None,
    "priority_ceiling": None,
}
DEFAULTS: dict[str, Any] = {"version": 0, "author": None, "applied_at": None, "comment": "", "changed": []}
PRICES: dict[str, Any] = {
    "region": "us-east-1",
    "prices": {
        "ml.g5.xlarge": {"dollars_per_hour": 1.5, "as_of": "2026-09-25", "source": "a", "spot_share": None, "gpus": 1}
    },
}

Answer = tuple[int, Any]


class FakeQueue:
    """Every submitted job goes through the stages of `life`, one each STAGE_SECONDS."""

    def __init__(self, clock: Clock, life: Sequence[Job]) -> None:
        self._clock = clock
        self.life = life
        self.requests: dict[str, dict[str, Any]] = {}
        self.options: dict[str, dict[str, Any]] = {}
        self.tokens: dict[str, str] = {}
        self.on_end: dict[str, dict[str, str] | None] = {}
        self.arrays: dict[str, dict[str, Any]] = {}
        self.cancelled: set[str] = set()
        self.held: set[str] = set()
        self.approved: set[str] = set()
        self.of_others: set[str] = set()
        self.added_by_rules: dict[str, Any] = {}  # to each stored request
        self.priorities: dict[str, int] = {}
        self.updates: dict[str, dict[str, Any]] = {}
        self.intake_open = True
        self.sections: dict[str, Any] = {}  # of the configuration
        self.calendar: dict[str, Any] = {"calendar_rests": False, "periods": []}
        self.operators_budget: dict[str, Any] | None = None
        self.changes: list[Change] = []
        self.past_budgets: list[PastBudget] = []
        self.calls: list[Call] = []
        self.refused_pools: list[dict[str, str]] = []
        self.faults: list[Answer] = []  # given in turn before anything else
        self.overtaking: list[Callable[[], object]] = []  # done in turn while an answer is on its way

    def answer(self, call: Call) -> Answer:
        self.calls.append(call)
        answer = self._answer(call)
        if self.overtaking:
            self.overtaking.pop(0)()
        return answer

    def job(self, name: str) -> dict[str, Any]:
        found = {**self._at_its_stage(name), "name": name, "arn": ARN + name}
        found["request"] = self.requests[name] | self.added_by_rules
        may_control = name not in self.of_others
        return {**found, "priority": self.priorities.get(name, found["priority"]), "may_control": may_control}

    def _at_its_stage(self, name: str) -> Job:
        if name in self.cancelled:
            return a_job("stopped", "cancelled")
        if name in self.held:
            return a_job("held", "held")
        return self.life[min(int(self._clock.now // STAGE_SECONDS), len(self.life) - 1)]

    def _submit_array(self, request: dict[str, Any], parameters: Any, **more: Any) -> Answer:
        size = len(parameters) if isinstance(parameters, list) else prod(map(len, parameters.values()))
        array = {
            "name": request["TrainingJobName"],
            "owner": YOU["arn"],
            "state": "active",
            "size": size,
            "priority": 0,
            "progress": dict.fromkeys(("completed", "failed", "stopped", "running", "waiting", "held_or_parked"), 1),
            "at_most": more.get("at_most"),
            "most_failures": more.get("most_failures"),
            "held_by": None,
            "end": None,
            "problem": None,
            "instances": {"ml.g5.xlarge": 1},
            "max_runtime": 86400,
            "approved_by": None,
            "submitted_at": "2026-11-21T12:00:00Z",
            "updated_at": None,
        }
        array["progress"]["not_created"] = size - 6
        self.arrays[array["name"]] = array
        return 201, array | {"is_new": True}

    def _answer(self, call: Call) -> Answer:
        if self.faults:
            return self.faults.pop(0)
        if "/execute-api/aws4_request" not in call.headers.get("Authorization", ""):
            return 403, {"message": "Missing Authentication Token"}
        path = urlsplit(call.path)
        match (call.method, *path.path.strip("/").split("/")):
            case "POST", "add-job":
                return self._submit(call.body)
            case "POST", "jobs":
                return self._submit(**call.body)
            case "POST", "what-if":
                return self._what_if(**call.body)
            case "POST", "what-if-priority":
                return 200, {"preempts": ["bert"] if call.body["priority"] > 5 else [], "starts_now": []}
            case "GET", "jobs":
                return self._page(parse_qs(path.query))
            case "POST", "change-jobs":
                return self._change_many(call.body)
            case _, "jobs", name, *_ if name not in self.requests:
                return 404, _error("unknown_job", f"There is no job {name}.", None)
            case "GET", "jobs", name:
                return 200, self.job(name)
            case "GET", "jobs", name, "why":
                return 200, self._why(name)
            case "POST", "jobs", name, verb:
                return self._change(name, verb, call)
            case "POST", "arrays":
                return self._submit_array(**call.body)
            case "GET", "arrays":
                return 200, {"arrays": [*self.arrays.values()]}
            case _, "arrays", name, *_ if name not in self.arrays:
                return 404, _error("unknown_array", f"There is no array {name}.", None)
            case "GET", "arrays", name:
                return 200, self.arrays[name]
            case "POST", "arrays", name, verb:
                return 202, self.arrays[name] | ({"priority": call.body["priority"]} if verb == "priority" else {})
            case "GET", "budget", "history":
                return 200, {"budgets": self.past_budgets}
            case method, "budget":
                return self._budget(method, call)
            case "GET", "queue":
                return 200, self._summary()
            case "GET", "whoami":
                return 200, YOU
            case "GET", "people":
                return 200, {"people": {}}
            case "GET", "pools":
                return 200, {"pools": [], "refused": self.refused_pools}
            case "GET", "prices":
                return 200, PRICES
            case "GET", "spending":
                return 200, {"month": None, "uses": [], "left_out": 0}
            case "GET", "history":
                return self._history(parse_qs(path.query))
            case "GET", "findings":
                return 200, {"findings": []}
            case "GET", "config":
                return 200, {**DEFAULTS, "sections": self.sections}
            case "GET", "config", kind:
                return 200, {**DEFAULTS, "sections": {kind: self.sections.get(kind, {})}}
            case "POST", "drain" | "resume" as verb:
                self.intake_open = verb == "resume"
                return 200, {"intake_open": self.intake_open}
        return 403, {"message": "Missing Authentication Token"}

    def _submit(self, request: Any, options: Any = None, client_token: str | None = None, on_end: Any = None) -> Answer:
        refusal = self._refusal(request, client_token)
        if refusal:
            return refusal
        name = _name_in(request)
        is_new = name not in self.requests
        known = self.requests.setdefault(name, request)
        if known != request:
            return 409, _error("name_taken", "The name belongs to another job.", "TrainingJobName")
        if not is_new and client_token is None and self.job(name)["state"] in FINISHED:
            return 409, _error("name_used", "The job of that name has ended.", "TrainingJobName")
        self.options[name] = options or {}
        self.on_end[name] = on_end
        if client_token:
            self.tokens[client_token] = name
        if self.options[name].get("hold"):
            self.held.add(name)
        return 201 if is_new else 200, {**_without_request(self.job(name)), "is_new": is_new}

    def _refusal(self, request: dict[str, Any], token: str | None) -> Answer | None:
        if not self.intake_open:
            return 409, _error("intake_closed", "The queue refuses new jobs.", None)
        if "TrainingJobName" not in request and _name_in(request):  # a tuning or processing job
            return None
        if "ResourceConfig" not in request:
            return 400, _error("invalid_request", "ResourceConfig is missing.", "ResourceConfig")
        if request["ResourceConfig"]["InstanceCount"] > 2:
            return 400, _error("over_budget", "It needs more than the whole budget.", "ResourceConfig.InstanceCount")
        if token and self.tokens.get(token, request["TrainingJobName"]) != request["TrainingJobName"]:
            return 409, _error("token_reused", "The token belongs to another request.", "client_token")
        return None

    def _what_if(self, request: Any, options: Any = None) -> Answer:
        reason = {"code": "waits_for_budget", "message": "needs 1 × ml.g5.xlarge; held by bert"}
        urgent = bool(options and options.get("priority", 0) > 5)
        outlook = {"starts_now": False, "behind": 0 if urgent else 2, "preempts": ["bert"] if urgent else []}
        if refusal := self._refusal(request, None):
            return refusal
        choices = _choices(request, options or {})
        return 200, {
            **outlook,
            "reason": reason,
            "starts": EXPECTED,
            "deadline": None,
            "cost_range": a_range(),
            "choices": choices,
        }

    def _why(self, name: str) -> dict[str, Any]:
        job = self.job(name)
        waits = job["position"] is not None
        parts = {
            "is_reserved_for": False,
            "is_long_waiting": False,
            "is_below_quota": True,
            "priority": job["priority"],
            "owner_weighted_seconds": 9000.0,
        }
        return {
            **{member: job[member] for member in ("name", "state", "position", "reason")},
            "waits_for": ["bert"] if waits else [],
            "priority": {**parts, "expected_run_time": 3600, "submitted_at": job["submitted_at"]} if waits else None,
            "starts": EXPECTED if waits else None,
            "near_limits": [],
            "ranking": [],
            "deadline": "met",
            "pools": [],
        }

    def _page(self, query: dict[str, list[str]]) -> Answer:
        jobs = sorted((_without_request(self.job(name)) for name in self.requests), key=_part)
        wanted = [job for job in jobs if _fits(job, {key: value[0] for key, value in query.items()})]
        start, limit = int(query.get("next", ["0"])[0]), int(query.get("limit", ["2"])[0])
        end = start + limit
        budget = {"ml.g5.xlarge": {"limit": 2, "held": 1}}
        return 200, {"jobs": wanted[start:end], "next": str(end) if end < len(wanted) else None, "budget": budget}

    def _history(self, query: dict[str, list[str]]) -> Answer:
        """In pages of two."""
        start = int(query.get("next", ["0"])[0])
        more = str(start + 2) if start + 2 < len(self.changes) else None
        return 200, {"changes": self.changes[start : start + 2], "next": more}

    def _change_many(self, body: dict[str, Any]) -> Answer:
        wanted, named, limit = body.get("filter", {}), body.get("names", []), body.get("limit", 50)
        if not wanted and not named:
            return 400, _error("invalid_request", "The filter is empty.", "filter")
        found = named or [name for name in self.requests if _fits(self.job(name), wanted)]
        ended = set() if body["change"] == "requeue" else FINISHED - {"stopped"}
        over = [name for name in found[:limit] if self.job(name)["state"] in ended]
        done = [name for name in found[:limit] if name not in over]
        self._change_each(body["change"], done, body.get("priority", 0))
        refused = [{"name": name, "error": "already_finished", "message": f"{name} has ended."} for name in over]
        left = max(0, len(found) - limit)
        more = "further" if wanted and left else None
        return 200, {"changed": done, "refused": refused, "left": left, "is_left_exact": True, "next": more}

    def _change_each(self, change: str, names: Sequence[str], priority: int) -> None:
        match change:
            case "cancel":
                self.cancelled.update(names)
            case "hold":
                self.held.update(names)
            case "release":
                self.held.difference_update(names)
            case "approve":
                self.approved.update(names)
            case "priority":
                self.priorities.update(dict.fromkeys(names, priority))

    def _change(self, name: str, verb: str, call: Call) -> Answer:
        state = self.job(name)["state"]
        if state in FINISHED - {"stopped"} and verb != "requeue":
            return 409, _error("already_finished", f"{name} has ended.", None)
        match verb:
            case "cancel":
                self.cancelled.add(name)
            case "release" if name not in self.held:
                return 409, _error("not_held", f"{name} is {state}.", None)
            case "approve":
                self.approved.add(name)
            case "hold" | "top" if state not in {"pending", "preempted"}:
                return 409, _error("not_queued", f"{name} is {state}.", None)
            case "hold":
                self.held.add(name)
            case "release":
                self.held.remove(name)
            case "update":
                self.updates[name] = call.body
                self.priorities[name] = call.body.get("options", {}).get("priority", self.job(name)["priority"])
        return 202, _without_request(self.job(name))

    def _budget(self, method: str, call: Call) -> Answer:
        if method == "PUT":
            changed = {"changed_by": "ada", "changed_at": "2026-11-21T10:00:00Z"}
            self.operators_budget = {**call.body, **changed, "source": "operator"}
        if method == "DELETE":
            self.operators_budget = None
        unchanged = {"source": "parameter", "stop_over_budget": False, "changed_by": None, "changed_at": None}
        return 200, {"budget": PARAMETER, **unchanged, **self.calendar, **(self.operators_budget or {})}

    def _summary(self) -> dict[str, Any]:
        jobs = [_without_request(self.job(name)) for name in self.requests]
        states = [job["state"] for job in jobs]
        waiting = [job for job in jobs if job["position"] is not None]
        return {
            "intake_open": self.intake_open,
            "queued": len(waiting),
            "live": sum(state in {"launching", "running", "stopping"} for state in states),
            "by_state": {state: states.count(state) for state in sorted(set(states))},
            "budget": {"ml.g5.xlarge": {"limit": 2, "held": 1, "free": 1}},
            "teams": {
                "vision": {
                    "running": {"ml.g5.xlarge": 1},
                    "queued": 1,
                    "weight": 1,
                    "quota": {},
                    "lend": {},
                    "borrow_at_most": {},
                    "ceiling": {},
                    "settings": {"patience": "10m"},
                    "used_weighted_seconds": 5400.0,
                }
            },
            "head": waiting[:3],
            "shortages": [
                {
                    "instance_type": "ml.p5.48xlarge",
                    "spot": True,
                    "subnet": None,
                    "failures": 2,
                    "failed_at": "2026-11-21T12:00:00Z",
                    "next_try_at": "2026-11-21T12:02:00Z",
                }
            ],
        }


def _part(job: dict[str, Any]) -> int:
    return 0 if job["state"] in {"launching", "running", "stopping"} else 2 if job["state"] in FINISHED else 1


def _fits(job: dict[str, Any], wanted: dict[str, str]) -> bool:
    states = wanted.get("state", job["state"])
    return (
        job["state"] in (states.split(",") if isinstance(states, str) else states)
        and wanted.get("owner", job["owner"]) == job["owner"]
        and job["name"].startswith(wanted.get("name", ""))
    )


def _choices(request: dict[str, Any], options: dict[str, Any]) -> list[dict[str, Any]]:
    """The request and its alternatives, of which each has a type and a count."""
    given = [request, *({**request, **one["request"]} for one in options.get("alternatives", ()))]
    return [
        {"instances": _instances(one), "spot": one.get("EnableManagedSpotTraining", False), "max_runtime": 86400}
        for one in given
    ]


def _instances(request: dict[str, Any]) -> dict[str, int]:
    resources = request.get("ResourceConfig", {"InstanceType": "ml.m5.large@processing", "InstanceCount": 2})
    preferred = [one["InstanceType"] for one in resources.get("InstancePreferences", ())]
    return dict.fromkeys(preferred or [resources["InstanceType"]], resources["InstanceCount"])


def _without_request(job: dict[str, Any]) -> dict[str, Any]:
    return {member: value for member, value in job.items() if member != "request"}


def _error(code: str, message: str, field: str | None) -> dict[str, Any]:
    return {"error": code, "message": message, "field": field, "remedy": "Do it otherwise."}


def _name_in(request: dict[str, Any]) -> str:
    members = ("TrainingJobName", "HyperParameterTuningJobName", "ProcessingJobName")
    return next((request[member] for member in members if member in request), "")
