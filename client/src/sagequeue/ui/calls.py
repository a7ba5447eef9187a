"""Answers the page's calls, and no others, with the answers of the queue's API (docs/api.md)."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus

from botocore.exceptions import BotoCoreError, ClientError

from sagequeue.api.client import QueueClient
from sagequeue.contract.history import Change
from sagequeue.contract.jobs import JobFilter
from sagequeue.errors import FailedCall, QueueError, RuleViolated
from sagequeue.reports.figures import hourly
from sagequeue.reports.report import DIMENSIONS, RECORDED_WITHIN, reports
from sagequeue.tables.reports import report_notes
from sagequeue.ui.log_tails import LogTails

#: Jobs in one page of a list: the API's maximum.
PAGE = 200

_Query = Mapping[str, str]
_FILTERS = ("state", "owner", "team", "name", "instance_type")

_READS: dict[str, Callable[[QueueClient, _Query], object]] = {
    "queue": lambda queue, _: queue.queue(),
    "jobs": lambda queue, query: queue.page(limit=PAGE, token=query.get("next") or None, **_filter(query)),
    "whoami": lambda queue, _: queue.whoami(),
    "calendar": lambda queue, _: queue.calendar(),
    "pools": lambda queue, _: queue.pools(),
    "spending": lambda queue, _: queue.spending(),
    "rules": lambda queue, _: queue.rules(),
    "findings": lambda queue, _: queue.findings(),
}
_READS_OF_A_JOB: dict[str, Callable[[QueueClient, str], object]] = {
    "": QueueClient.get,
    "why": QueueClient.why,
}
_CHANGES: dict[str, Callable[[QueueClient, str], object]] = {
    "cancel": QueueClient.cancel,
    "hold": QueueClient.hold,
    "release": QueueClient.release,
    "requeue": QueueClient.requeue,
    "top": QueueClient.top,
}
_NO_SUCH_CALL = (HTTPStatus.NOT_FOUND, "unknown_path", "This call does not exist.", "Reload the page.")
#: Not by job: a line for each job would be most of the answer.
_BY = tuple(dimension for dimension in DIMENSIONS if dimension != "job")
#: Only the most used tag keys: thousands may exist.
TAGS = 20
#: A tag key with more values identifies jobs, such as a run's id or a commit: it would be most of the answer.
VALUES = 200


@dataclass(frozen=True, slots=True)
class PageRequest:
    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]  # names in lower case
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    content_type: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


class Calls:
    """The calls below /api/ of the page's server."""

    def __init__(self, queue: QueueClient, tails: LogTails) -> None:
        self._queue = queue
        self._tails = tails

    def answer(self, request: PageRequest) -> Answer:
        """Returns the answer; a refusal or an unreachable queue becomes an answer, too."""
        try:
            return self._call(request)
        except RuleViolated as error:
            return refusal(error.status, "RuleViolated", error.message, error.remedy, violations=error.violations)
        except QueueError as error:
            status = error.status if isinstance(error, FailedCall) else HTTPStatus.BAD_REQUEST
            return refusal(status, type(error).__name__, error.message, error.remedy)
        except (BotoCoreError, ClientError) as error:
            return refusal(HTTPStatus.BAD_GATEWAY, "AwsError", str(error), "Check the AWS configuration of this shell.")

    def _call(self, request: PageRequest) -> Answer:
        match request.method, request.path.removeprefix("/api/").split("/"):
            case "GET", [what] if what in _READS:
                return json_answer(_READS[what](self._queue, request.query))
            case "GET", ["report"]:
                return self._report(request.query.get("since", ""))
            case "GET", ["jobs", name, "log"]:
                return json_answer(self._tails.of(self._queue.get(name), request.query.get("attempt", "")))
            case "GET", ["jobs", name, *rest] if "/".join(rest) in _READS_OF_A_JOB:
                return json_answer(_READS_OF_A_JOB["/".join(rest)](self._queue, name))
            case "POST", ["jobs", name, "priority"]:
                return self._set_priority(name, request.body)
            case "POST", ["jobs", name, verb] if verb in _CHANGES:
                return json_answer(_CHANGES[verb](self._queue, name))
        return refusal(*_NO_SUCH_CALL)

    def _report(self, since: str) -> Answer:
        try:
            begin = datetime.fromisoformat(since).astimezone(UTC)
        except (ValueError, OverflowError):
            return refusal(HTTPStatus.BAD_REQUEST, "invalid_request", "since must be a time", "Reload the page.")
        return json_answer(ended_since(begin, self._queue, datetime.now(UTC)))

    def _set_priority(self, name: str, body: bytes) -> Answer:
        try:
            wanted = json.loads(body)["priority"]
        except (ValueError, KeyError, TypeError):
            wanted = None
        if type(wanted) is not int:  # bool is an int, too
            return refusal(400, "invalid_request", "priority must be a whole number", "Reload the page.")
        return json_answer(self._queue.set_priority(name, wanted))


def json_answer(content: object, status: int = HTTPStatus.OK) -> Answer:
    return Answer(status, "application/json", json.dumps(content).encode())


def refusal(status: int, error: str, message: str, remedy: str, **details: object) -> Answer:
    """Returns a refusal in the form of the queue's refusals (docs/api.md)."""
    return json_answer({"error": error, "message": message, "remedy": remedy, **details}, status)


def _filter(query: _Query) -> JobFilter:
    given: JobFilter = {}
    for name in _FILTERS:
        if query.get(name):
            given[name] = query[name]  # type: ignore[literal-required]  # the names of JobFilter
    return given


def ended_since(since: datetime, queue: QueueClient, now: datetime) -> dict[str, object]:
    """Returns the figures of `sagequeue report` by every dimension, with one read of the history."""
    changes = list(queue.history(since.isoformat(), (now + RECORDED_WITHIN).isoformat()))
    found = reports(changes, [*_BY, *_tags(changes)], since, now, hourly(queue.prices()))
    any_report = found[_BY[0]]
    return {
        "total": any_report.total.as_dict(),
        "groups": {by: {name: line.as_dict() for name, line in report.lines.items()} for by, report in found.items()},
        "notes": list(report_notes(any_report)),
    }


def _tags(changes: Iterable[Change]) -> list[str]:
    jobs = {change["job"]: change["tags"] for change in changes}
    keys = Counter(key for tags in jobs.values() for key in tags)
    values = {key: len({tags[key] for tags in jobs.values() if key in tags}) for key in keys}
    grouping = [key for key, _ in keys.most_common() if values[key] <= VALUES]
    return sorted(f"tag:{key}" for key in grouping[:TAGS])
