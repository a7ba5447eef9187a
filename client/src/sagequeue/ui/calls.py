"""The calls that the page may make, and no others. What they answer is what the queue's API answers (docs/api.md)."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from http import HTTPStatus

from botocore.exceptions import BotoCoreError, ClientError

from sagequeue.api.client import QueueClient
from sagequeue.contract.jobs import JobFilter
from sagequeue.errors import FailedCall, QueueError, RuleViolated
from sagequeue.ui.ended_jobs import ended_since
from sagequeue.ui.log_tails import LogTails
from sagequeue.ui.messages import Answer, Asked, json_answer, refusal

#: Jobs of one page of a list, the API's most.
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
_NO_SUCH_CALL = (HTTPStatus.NOT_FOUND, "unknown_path", "The page has no such call.", "Load the page again.")


class Calls:
    """Below /api/ of the page's server."""

    def __init__(self, queue: QueueClient, tails: LogTails) -> None:
        self._queue = queue
        self._tails = tails

    def answer(self, asked: Asked) -> Answer:
        """A refusal of the queue, or that it cannot be reached, is an answer too."""
        try:
            return self._carried_out(asked)
        except RuleViolated as error:
            return refusal(error.status, "RuleViolated", error.message, error.remedy, violations=error.violations)
        except QueueError as error:
            status = error.status if isinstance(error, FailedCall) else HTTPStatus.BAD_REQUEST
            return refusal(status, type(error).__name__, error.message, error.remedy)
        except (BotoCoreError, ClientError) as error:
            return refusal(HTTPStatus.BAD_GATEWAY, "AwsError", str(error), "Check the AWS configuration of this shell.")

    def _carried_out(self, asked: Asked) -> Answer:
        match asked.method, asked.path.removeprefix("/api/").split("/"):
            case "GET", [what] if what in _READS:
                return json_answer(_READS[what](self._queue, asked.query))
            case "GET", ["report"]:
                return self._reported(asked.query.get("since", ""))
            case "GET", ["jobs", name, "log"]:
                return json_answer(self._tails.of(self._queue.get(name), asked.query.get("attempt", "")))
            case "GET", ["jobs", name, *rest] if "/".join(rest) in _READS_OF_A_JOB:
                return json_answer(_READS_OF_A_JOB["/".join(rest)](self._queue, name))
            case "POST", ["jobs", name, "priority"]:
                return self._prioritised(name, asked.body)
            case "POST", ["jobs", name, verb] if verb in _CHANGES:
                return json_answer(_CHANGES[verb](self._queue, name))
        return refusal(*_NO_SUCH_CALL)

    def _reported(self, since: str) -> Answer:
        try:
            begin = datetime.fromisoformat(since).astimezone(UTC)
        except (ValueError, OverflowError):
            return refusal(HTTPStatus.BAD_REQUEST, "invalid_request", "since must be a time", "Load the page again.")
        return json_answer(ended_since(begin, self._queue, datetime.now(UTC)))

    def _prioritised(self, name: str, body: bytes) -> Answer:
        try:
            wanted = json.loads(body)["priority"]
        except (ValueError, KeyError, TypeError):
            wanted = None
        if type(wanted) is not int:  # true is no number here
            return refusal(400, "invalid_request", "priority must be a whole number", "Load the page again.")
        return json_answer(self._queue.set_priority(name, wanted))


def _filter(query: _Query) -> JobFilter:
    given: JobFilter = {}
    for name in _FILTERS:
        if query.get(name):
            given[name] = query[name]  # type: ignore[literal-required]  # they are JobFilter's own
    return given
