"""Calls the functions as AWS does: for the REST API, the table's stream, sweeps and events, with AWS's retries."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote

from api.handler import ROUTES
from scheduler.adapters.dynamodb.config_store import is_config_version
from scheduler.adapters.dynamodb.monitoring import head_key, is_warning
from scheduler.adapters.dynamodb.records.job_records import JOB_PREFIX, job_key
from scheduler.ports.job_store import WAKING
from support.builders.callers import ACCOUNT

if TYPE_CHECKING:
    from support.account.account_services import AccountServices
    from support.account.processes import Process
    from support.dynamodb.expressions import Item

SWEEP_SECONDS = 60.0
ADA = f"arn:aws:sts::{ACCOUNT}:assumed-role/Scientist/ada"
BOB = f"arn:aws:sts::{ACCOUNT}:assumed-role/Intern/Scientist"  # the session's name is another role's name
OLGA = f"arn:aws:sts::{ACCOUNT}:assumed-role/Operator/olga"
EVE = f"arn:aws:sts::{ACCOUNT}:assumed-role/Artist/eve"
#: Retries in template.yaml: for the stream's records, until they have this age in seconds, and for asynchronous calls.
_STREAM_REPEATS = 10
_OLDEST_RECORD = 300.0
_REPEATS = 2


def is_for_history(image: Item) -> bool:
    """Applies the filter of the history's event source in template.yaml."""
    key: Item = {"pk": image["pk"], "sk": image["sk"]}
    is_of_job_or_head = key in (job_key(image["pk"]["S"].removeprefix(JOB_PREFIX)), head_key())
    return is_of_job_or_head or is_warning(image) or is_config_version(image)


@dataclass(frozen=True, slots=True)
class Answer:
    """The REST API's answer, with status 502 if the function failed."""

    status: int
    body: dict[str, Any]


Then = Callable[[Answer], object]


class FunctionCalls:
    def __init__(self, account: AccountServices) -> None:
        self._account = account
        self._requests: deque[Callable[[], object]] = deque()
        self._request_numbers = count(1)
        self.history_records: list[dict[str, Any]] = []  # the records that the stream holds for the history
        self._is_awake = False  # a batch of the stream's records is being delivered or handled
        self._records: list[dict[str, Any]] = []  # not delivered to the scheduler yet
        self._oldest_since = 0.0  # when the oldest of them was written
        self.dead_letters: list[str] = []  # the functions whose calls failed after all retries

    def start_sweeping(self) -> None:
        self._in(SWEEP_SECONDS, self._sweep)
        if self._account.settings["CALLBACKS"] == "on":
            self._in(SWEEP_SECONDS, self._deliver_callbacks)

    def send_request(self, method: str, path: str, body: object, caller: str, then: Then) -> None:
        """Queues a request. Requests run one by one, because the function's framework is not re-entrant."""
        text = body if isinstance(body, str) or body is None else json.dumps(body)
        self._requests.append(partial(self._serve, _api_event(method, path, text, caller), then))
        if len(self._requests) == 1:
            self._requests[0]()

    @property
    def await_answers(self) -> bool:
        """Returns whether a request to the REST API is running or waiting."""
        return bool(self._requests)

    def send_event(self, event: dict[str, Any]) -> None:
        """Delivers SageMaker's event as the template's EventBridge rules do."""
        detail = event["detail"]
        if processing_job := detail.get("ProcessingJobName"):
            self._account.note(f"event {processing_job} {detail['ProcessingJobStatus']}")
            if "-sq-" in processing_job:
                self._deliver(event)
            return
        if tuning_job := detail.get("HyperParameterTuningJobName"):
            self._account.note(f"event {tuning_job} {detail['HyperParameterTuningJobStatus']}")
            self._deliver(event)
            return
        name = detail["TrainingJobName"]
        self._account.note(f"event {name} {detail['SecondaryStatus']}")
        if "-sq-" in name:
            self._deliver(event)
        elif self._account.settings["GUARD_UNMANAGED_JOBS"] != "off" and detail["TrainingJobStatus"] == "InProgress":
            self._deliver({"id": event["id"], "time": event["time"], "unmanaged_job": name})

    def _deliver(self, event: dict[str, Any]) -> None:
        for delay in self._account.fault_plan.event_arrivals():
            self._in(delay, partial(self._call_until_it_works, "training_events", event, self._request_id()))

    def send_acknowledgement(self, key: str) -> None:
        """Delivers S3's event about an object that a program has written, as the template's rule does."""
        self._account.note(f"event {key}")
        self._deliver({"id": key, "acknowledgement": key})

    def send_alarm(self, name: str) -> None:
        """Delivers an alarm to the idle_alarm function, through the topic."""
        message = json.dumps({"AlarmName": name, "NewStateValue": "ALARM"})
        event = {"Records": [{"Sns": {"MessageId": name, "Message": message}}]}
        for delay in self._account.fault_plan.event_arrivals():
            self._in(delay, partial(self._call_until_it_works, "idle_alarm", event, self._request_id()))

    def send_record(self, image: Item | None) -> None:
        """Adds a change to the stream if a user or an event made the change."""
        if image is not None and is_for_history(image):
            self.history_records.append(
                {"dynamodb": {"ApproximateCreationDateTime": int(self._account.now), "NewImage": image}}
            )
        if image is None or image.get("changed_by", {}).get("S") not in WAKING:
            return
        self._oldest_since = self._oldest_since if self._records else self._account.now
        self._records.append({"dynamodb": {"Keys": {"pk": image["pk"], "sk": image["sk"]}, "NewImage": image}})
        if not self._is_awake:
            self._is_awake = True
            self._in(self._account.fault_plan.stream_delay(), self._wake)

    def _sweep(self) -> None:
        self._in(SWEEP_SECONDS, self._sweep)
        self._account.evaluate_alarms()
        for delay in self._account.fault_plan.sweep_arrivals():
            self._in(delay, partial(self._call_until_it_works, "schedule", {}, self._request_id()))

    def _deliver_callbacks(self) -> None:
        """Calls the function as its schedule does. A failed call is not repeated."""
        self._in(SWEEP_SECONDS, self._deliver_callbacks)
        for delay in self._account.fault_plan.sweep_arrivals():
            call = partial(self._account.invoke, "callbacks", {}, self._request_id(), lambda _process: None)
            self._in(delay, call)

    def _call_until_it_works(
        self, function: str, event: Mapping[str, Any], request_id: str, repeats: int = _REPEATS
    ) -> None:
        """Retries as Lambda does for asynchronous calls: after one and two minutes, with the same request id."""

        def then(process: Process) -> None:
            if process.error is not None and repeats:
                again = partial(self._call_until_it_works, function, event, request_id, repeats - 1)
                self._in(60 * (1 + _REPEATS - repeats), again)
            elif process.error is not None:
                self.dead_letters.append(function)

        self._account.invoke(function, event, request_id, then)

    def _wake(self) -> None:
        batch, self._records = self._records, []
        self._pass_on(batch, _STREAM_REPEATS, self._oldest_since + _OLDEST_RECORD)

    def _pass_on(self, batch: list[dict[str, Any]], repeats: int, until: float) -> None:
        """Delivers one batch of the stream, until it succeeds, the retries are used up, or its records are too old."""

        def then(process: Process) -> None:
            delay = self._account.fault_plan.stream_delay()
            if process.error is not None and repeats and self._account.now < until:
                self._in(1 + delay, partial(self._pass_on, batch, repeats - 1, until))
                return
            if process.error is not None:
                self.dead_letters.append("schedule")
            if self._records:
                self._in(delay, self._wake)
            else:
                self._is_awake = False

        self._account.invoke("schedule", {"Records": batch}, self._request_id(), then)

    def _serve(self, event: dict[str, Any], then: Then) -> None:
        def end(process: Process) -> None:
            self._requests.popleft()
            if self._requests:
                self._in(0, self._requests[0])
            then(_answer(process))

        self._account.invoke("api", event, self._request_id(), end)

    def _request_id(self) -> str:
        return f"request-{next(self._request_numbers)}"

    def _in(self, seconds: float, action: Callable[[], object]) -> None:
        self._account.agenda.at(self._account.now + seconds, action)


def _answer(process: Process) -> Answer:
    if process.error is not None:
        return Answer(502, {"error": type(process.error).__name__})
    return Answer(int(process.result["statusCode"]), json.loads(process.result["body"]))


def _resource(method: str, path: str) -> str:
    """Returns the path template of the route that API Gateway chooses: the route with the fewest parameters."""
    fitting = [route for verb, route in ROUTES if verb == method and _parameters(route, path) is not None]
    return min(fitting, key=lambda route: route.count("{"), default=path)


def _parameters(route: str, path: str) -> dict[str, str] | None:
    """Returns the path's parameters, or None if the path does not match the route."""
    names, parts = route.split("/"), path.split("/")
    given = {name[1:-1]: unquote(part) for name, part in zip(names, parts, strict=False) if name.startswith("{")}
    fixed = [(name, part) for name, part in zip(names, parts, strict=False) if not name.startswith("{")]
    return given if len(names) == len(parts) and all(name == part for name, part in fixed) else None


def _api_event(method: str, path: str, body: str | None, caller: str) -> dict[str, Any]:
    path, _, query = path.partition("?")
    asked = dict(parse_qsl(query)) or None
    resource = _resource(method, path)
    return {
        "resource": resource,
        "path": path,
        "httpMethod": method,
        "headers": {"Content-Type": "application/json"},
        "multiValueHeaders": {"Content-Type": ["application/json"]},
        "queryStringParameters": asked,
        "multiValueQueryStringParameters": asked and {name: [value] for name, value in asked.items()},
        "pathParameters": _parameters(resource, path) or None,
        "stageVariables": None,
        "requestContext": {"stage": "v1", "identity": {"userArn": caller}, "path": f"/v1{path}", "httpMethod": method},
        "body": body,
        "isBase64Encoded": False,
    }
