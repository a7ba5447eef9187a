"""Answers the page's calls, and only those, with the answers of the queue's API (docs/reference/rest.md)."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from importlib.resources import files
from typing import Any, TypeGuard, cast, get_args

from botocore.exceptions import BotoCoreError, ClientError

from sagequeue.api.client import QueueClient
from sagequeue.api.config_errors import BadConfig
from sagequeue.contract.history import Change
from sagequeue.contract.jobs import Job, JobChange, JobFilter, JobOptions, TrainingRequest
from sagequeue.errors import FailedCall, QueueError, QueueRefusal, RuleViolated
from sagequeue.jobs.submission_warnings import with_source
from sagequeue.reports.figures import hourly
from sagequeue.reports.report import DIMENSIONS, RECORDED_WITHIN, reports
from sagequeue.reports.usage import Steps
from sagequeue.reports.usage_reading import BY, usage_of
from sagequeue.tables.reports import report_notes
from sagequeue.ui.batches import Batches, BatchView
from sagequeue.ui.config_texts import differences_of_versions, shown_config, shown_plan
from sagequeue.ui.job_metrics import JobMetrics
from sagequeue.ui.job_trials import JobTrials
from sagequeue.ui.log_tails import LogLines, LogTails

#: Jobs in one page of a list: the API's maximum.
PAGE = 200

_Query = Mapping[str, str]
_FILTERS = ("state", "owner", "team", "name", "instance_type", "array")

_READS: dict[str, Callable[[QueueClient, _Query], object]] = {
    "queue": lambda queue, _: queue.queue(),
    "jobs": lambda queue, query: queue.page(limit=PAGE, token=query.get("next") or None, **_filter(query)),
    "arrays": lambda queue, _: {"arrays": queue.arrays()},
    "whoami": lambda queue, _: queue.whoami(),
    "people": lambda queue, _: queue.people(),
    "budget": lambda queue, _: queue.budget(),
    "pools": lambda queue, _: queue.pools(),
    "spending": lambda queue, _: queue.spending(),
    "findings": lambda queue, _: queue.findings(),
    "config": lambda queue, _: shown_config(queue.config()),
    "config/schema": lambda _, __: json.loads(files("sagequeue.contract").joinpath("config.schema.json").read_bytes()),
    "config/versions": lambda queue, query: queue.version_page(token=query.get("next") or None),
    "config/difference": lambda queue, query: differences_of_versions(
        queue, _version(query, "from"), _version(query, "to")
    ),
}
_READS_OF_A_JOB: dict[str, Callable[[QueueClient, str], object]] = {
    "": QueueClient.get,
    "why": QueueClient.why,
}
_CHANGES: dict[str, Callable[[QueueClient, str], object]] = {
    "cancel": QueueClient.cancel,
    "hold": QueueClient.hold,
    "release": QueueClient.release,
    "top": QueueClient.top,
}
#: The actions that may be taken on many jobs.
_VERBS: tuple[JobChange, ...] = get_args(JobChange)
_NO_SUCH_CALL = (HTTPStatus.NOT_FOUND, "unknown_path", "This call does not exist.", "Reload the page.")
#: `job` is left out: one line for each job would make up most of the answer. The page does not compare purchases.
_BY = tuple(dimension for dimension in DIMENSIONS if dimension not in ("job", "purchase"))
#: The steps of the charts over time, by the days that they cover.
_STEPS = {"1": timedelta(minutes=15), "7": timedelta(hours=1)}
#: Maximum number of tag keys, the most used first: thousands may exist.
TAGS = 20
#: Maximum number of values of a tag key. A key with more values, such as a commit, identifies single jobs.
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

    def __init__(self, queue: QueueClient, tails: LogTails, metrics: JobMetrics, trials: JobTrials) -> None:
        self._queue = queue
        self._tails = tails
        self._metrics = metrics
        self._trials = trials
        self._batches = Batches(queue)

    def answer(self, request: PageRequest) -> Answer:
        """Returns the answer to a request, even if the queue refuses the call or cannot be reached."""
        try:
            return self._call(request)
        except RuleViolated as error:
            found = {"field": error.field, "violations": error.violations}
            return refusal(error.status, "RuleViolated", error.message, error.remedy, **found)
        except BadConfig as error:
            return refusal(error.status, "BadConfig", error.message, error.remedy, problems=error.problems)
        except QueueRefusal as error:
            return refusal(error.status, type(error).__name__, error.message, error.remedy, field=error.field)
        except QueueError as error:
            status = error.status if isinstance(error, FailedCall) else HTTPStatus.BAD_REQUEST
            return refusal(status, type(error).__name__, error.message, error.remedy)
        except (BotoCoreError, ClientError) as error:
            return refusal(HTTPStatus.BAD_GATEWAY, "AwsError", str(error), "Check the AWS configuration of this shell.")

    def _call(self, request: PageRequest) -> Answer:
        match request.method, request.path.removeprefix("/api/").split("/"):
            case "GET", what if "/".join(what) in _READS:
                return json_answer(_READS["/".join(what)](self._queue, request.query))
            case "POST" | "PUT", ["config", *rest]:
                return self._change_config(request, rest)
            case "GET", ["usage"]:
                return self._usage(request.query)
            case "GET", ["report"]:
                return self._report(request.query.get("since", ""))
            case "GET", ["jobs", name, "metrics"]:
                attempt = request.query.get("attempt", "")
                return json_answer(self._metrics.of(self._queue.get(name), attempt, datetime.now(UTC)))
            case "GET", ["jobs", name, "trials"]:
                return json_answer(self._trials.of(self._queue.get(name)))
            case "GET", ["jobs", name, "log"]:
                return json_answer(self._log(self._queue.get(name), request.query))
            case "GET", ["jobs", name, *rest] if "/".join(rest) in _READS_OF_A_JOB:
                return json_answer(_READS_OF_A_JOB["/".join(rest)](self._queue, name))
            case "GET", ["batches"]:
                return json_answer({"batches": self._batches.views()})
            case "GET", ["batches", identifier]:
                return _found(self._batches.view(identifier))
            case "POST", ["batches"]:
                return self._start_batch(request.body)
            case "POST", ["batches", identifier, "stop"]:
                return _found(self._batches.stop(identifier))
            case "POST", ["what-if"]:
                return json_answer(self._queue.what_if(*_submission(request.body)))
            case "POST", ["submit"]:
                return self._submit(*_submission(request.body))
            case "POST", ["what-if-priority"]:
                return self._forecast_priority(request.body)
            case "POST", ["jobs", name, "update"]:
                return self._update(name, _members(request.body))
            case "POST", ["jobs", name, "approve"]:
                limit = _members(request.body).get("max_runtime")
                return json_answer(self._queue.approve(name, max_runtime=limit))
            case "POST", ["jobs", name, "requeue"]:
                return self._requeue(name, _members(request.body).get("attempt"))
            case "POST", ["jobs", name, verb] if verb in _CHANGES:
                return json_answer(_CHANGES[verb](self._queue, name))
        return refusal(*_NO_SUCH_CALL)

    def _change_config(self, request: PageRequest, rest: list[str]) -> Answer:
        text, comment = request.body.decode(errors="replace"), request.query.get("comment", "")
        version, replaces = _version(request.query, "version"), _version(request.query, "replaces")
        match request.method, rest:
            case "POST", ["rollback"] if version is not None:
                return json_answer(self._queue.roll_back_config(version, replaces, comment))
            case "POST", ["plan"] | [_, "plan"]:
                return json_answer(shown_plan(self._queue.plan_config(text, *rest[:-1])))
            case "PUT", [] | [_]:
                return json_answer(self._queue.apply_config(text, rest[0] if rest else None, replaces, comment))
        return refusal(*_NO_SUCH_CALL)

    def _log(self, job: Job, query: _Query) -> LogLines:
        attempt, text = query.get("attempt", ""), query.get("search", "")
        return self._tails.search(job, attempt, text) if text else self._tails.of(job, attempt)

    def _usage(self, query: _Query) -> Answer:
        days, by = query.get("days", ""), query.get("by", "")
        if days not in _STEPS or by not in BY:
            return _bad_body(f"days must be {' or '.join(_STEPS)}, by {' or '.join(BY)}")
        return json_answer(usage_of(self._queue, by, Steps.until(datetime.now(UTC), _STEPS[days], int(days))))

    def _report(self, since: str) -> Answer:
        try:
            begin = datetime.fromisoformat(since).astimezone(UTC)
        except (ValueError, OverflowError):
            return refusal(HTTPStatus.BAD_REQUEST, "invalid_request", "since must be a time", "Reload the page.")
        return json_answer(ended_since(begin, self._queue, datetime.now(UTC)))

    def _submit(self, request: TrainingRequest, options: JobOptions | None) -> Answer:
        sent = with_source(self._queue.session, request, options)
        return json_answer(self._queue.submit(request, sent), HTTPStatus.CREATED)

    def _update(self, name: str, wanted: dict[str, Any]) -> Answer:
        return json_answer(self._queue.update(name, wanted.get("options"), max_runtime=wanted.get("max_runtime")))

    def _requeue(self, name: str, attempt: object) -> Answer:
        if type(attempt) is not int:
            return _bad_body("attempt must be the number of the job's latest attempt, or 0")
        return json_answer(self._queue.requeue(name, attempt=attempt))

    def _forecast_priority(self, body: bytes) -> Answer:
        wanted = _members(body)
        names, priority = wanted.get("names"), wanted.get("priority")
        if not _are_names(names) or type(priority) is not int:
            return _bad_body("names must be a list of names, priority a whole number")
        return json_answer(self._queue.what_if_priority(names, priority))

    def _start_batch(self, body: bytes) -> Answer:
        wanted = _members(body)
        verb, names, priority = wanted.get("verb"), wanted.get("names"), wanted.get("priority")
        attempts = wanted.get("attempts")
        if verb not in _VERBS:
            return _bad_body(f"verb must be one of {', '.join(_VERBS)}")
        if not _are_names(names):
            return _bad_body("names must be a list of names")
        if (type(priority) is int) != (verb == "priority"):
            return _bad_body("priority must be a whole number, and is only for the verb priority")
        if _are_attempts(attempts, names) != (verb == "requeue"):
            return _bad_body("attempts must have the latest attempt of each name, and is only for the verb requeue")
        return json_answer(self._batches.start(verb, names, priority, attempts))


def json_answer(content: object, status: int = HTTPStatus.OK) -> Answer:
    return Answer(status, "application/json", json.dumps(content).encode())


def refusal(status: int, error: str, message: str, remedy: str, **details: object) -> Answer:
    """Returns a refusal in the form of the queue's refusals (docs/reference/rest.md)."""
    return json_answer({"error": error, "message": message, "remedy": remedy, **details}, status)


def _members(body: bytes) -> dict[str, Any]:
    """Returns the members of a JSON object, or an empty dict for any other body."""
    try:
        content = json.loads(body)
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def _submission(body: bytes) -> tuple[TrainingRequest, JobOptions | None]:
    """Returns the body of POST /jobs: the request, and the options if the page has sent both. Raises QueueError."""
    try:
        content = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise QueueError(f"The request is not readable JSON: {error}", "Correct the text.") from error
    if not isinstance(content, dict):
        raise QueueError("The request is not a JSON object", "Paste a whole CreateTrainingJob request.")
    match content:
        case {"request": dict() as request, "options": dict() as options, **others} if not others:
            return request, cast(JobOptions, options)
    return content, None


def _are_names(given: object) -> TypeGuard[list[str]]:
    return isinstance(given, list) and bool(given) and all(isinstance(name, str) and name for name in given)


def _are_attempts(given: object, names: list[str]) -> bool:
    if not isinstance(given, dict) or given.keys() != set(names):
        return False
    return all(type(attempt) is int for attempt in given.values())


def _bad_body(message: str) -> Answer:
    return refusal(HTTPStatus.BAD_REQUEST, "invalid_request", message, "Reload the page.")


def _found(batch: BatchView | None) -> Answer:
    if batch is None:
        return refusal(HTTPStatus.NOT_FOUND, "unknown_batch", "The page's server was restarted.", "Reload the page.")
    return json_answer(batch)


def _version(query: _Query, name: str) -> int | None:
    """Returns the number of a version; None without one. Raises QueueError."""
    text = query.get(name)
    if text and not text.isdecimal():
        raise QueueError(f"{name} must be the number of a version", "Reload the page.")
    return int(text) if text else None


def _filter(query: _Query) -> JobFilter:
    given: JobFilter = {}
    for name in _FILTERS:
        if query.get(name):
            given[name] = query[name]  # type: ignore[literal-required]  # the names of JobFilter
    if query.get("mine") == "true":
        given["mine"] = True
    if query.get("children") == "false":
        given["children"] = False
    return given


def ended_since(since: datetime, queue: QueueClient, now: datetime) -> dict[str, object]:
    """Reads the history once, and returns the figures of `sagequeue report`, grouped in every way."""
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
