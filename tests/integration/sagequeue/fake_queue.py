"""The queue's API (docs/architecture.md) with scripted jobs: what comes next depends on the clock only."""

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

from integration.sagequeue.clock import Clock
from integration.sagequeue.http_fake import Call
from sagequeue.contract import FINISHED, Job
from unit.sagequeue.jobs import ARN, a_job

STAGE_SECONDS = 30  # SDK v2 asks for a description that often

Answer = tuple[int, Any]


class FakeQueue:
    """Every submitted job goes through the stages of `life`, one each STAGE_SECONDS."""

    def __init__(self, clock: Clock, life: Sequence[Job]) -> None:
        self._clock = clock
        self.life = life
        self.requests: dict[str, dict[str, Any]] = {}
        self.cancelled: set[str] = set()
        self.calls: list[Call] = []
        self.faults: list[Answer] = []  # given in turn before anything else
        self.overtaking: list[Callable[[], object]] = []  # done in turn while an answer is on its way

    def answer(self, call: Call) -> Answer:
        self.calls.append(call)
        answer = self._answer(call)
        if self.overtaking:
            self.overtaking.pop(0)()
        return answer

    def job(self, name: str) -> dict[str, Any]:
        stage = min(int(self._clock.now // STAGE_SECONDS), len(self.life) - 1)
        found = a_job("stopped", "cancelled") if name in self.cancelled else self.life[stage]
        return {**found, "name": name, "arn": ARN + name, "request": self.requests[name]}

    def _answer(self, call: Call) -> Answer:
        if self.faults:
            return self.faults.pop(0)
        if "/execute-api/aws4_request" not in call.headers.get("Authorization", ""):
            return 403, {"message": "Missing Authentication Token"}
        path = urlsplit(call.path)
        match (call.method, *path.path.strip("/").split("/")):
            case "POST", "add-job":
                return self._submit(call.body)
            case "GET", "jobs":
                return self._page(parse_qs(path.query))
            case "GET", "jobs", name:
                return (200, self.job(name)) if name in self.requests else _unknown(name)
            case "POST", "jobs", name, "cancel":
                return self._cancel(name)
        return 403, {"message": "Missing Authentication Token"}

    def _submit(self, body: dict[str, Any]) -> Answer:
        if "ResourceConfig" not in body:
            return 400, _error("invalid_request", "ResourceConfig is missing.", "ResourceConfig")
        if body["ResourceConfig"]["InstanceCount"] > 2:
            return 400, _error("over_budget", "It needs more than the whole budget.", "ResourceConfig.InstanceCount")
        name = body["TrainingJobName"]
        known = self.requests.setdefault(name, body)
        if known != body:
            return 409, _error("name_taken", "The name belongs to another job.", "TrainingJobName")
        return 201, _without_request(self.job(name))

    def _page(self, query: dict[str, list[str]]) -> Answer:
        jobs = [_without_request(self.job(name)) for name in reversed(self.requests)]
        wanted = [job for job in jobs if job["state"] in query.get("state", [job["state"]])]
        start, limit = int(query.get("next", ["0"])[0]), int(query.get("limit", ["2"])[0])
        end = start + limit
        budget = {"ml.g5.xlarge": {"limit": 2, "held": 1}}
        return 200, {"jobs": wanted[start:end], "next": str(end) if end < len(wanted) else None, "budget": budget}

    def _cancel(self, name: str) -> Answer:
        if name not in self.requests:
            return _unknown(name)
        if self.job(name)["state"] in FINISHED - {"stopped"}:
            return 409, _error("already_finished", f"{name} has ended.", None)
        self.cancelled.add(name)
        return 202, _without_request(self.job(name))


def _without_request(job: dict[str, Any]) -> dict[str, Any]:
    return {member: value for member, value in job.items() if member != "request"}


def _unknown(name: str) -> Answer:
    return 404, _error("unknown_job", f"There is no job {name}.", None)


def _error(code: str, message: str, field: str | None) -> dict[str, Any]:
    return {"error": code, "message": message, "field": field, "remedy": "Do it otherwise."}
