"""QueueClient: the queue's REST API from Python, signed, retried and typed. All other parts of the client use it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Unpack, cast
from urllib.parse import quote, urlencode

import boto3

from sagequeue.api.answers import unpack
from sagequeue.api.endpoint import checked_url, find_api_url
from sagequeue.api.transport import Transport
from sagequeue.contract.costs import Prices
from sagequeue.contract.documents import (
    Calendar,
    CalendarDryRun,
    Callers,
    CallersDryRun,
    DryRun,
    Findings,
    PoolRules,
    Rules,
    Spending,
    WhoAmI,
)
from sagequeue.contract.explanations import Explanation, Forecast
from sagequeue.contract.history import Change, Changes
from sagequeue.contract.jobs import Cancellations, Job, JobFilter, JobOptions, Listing, TrainingRequest
from sagequeue.contract.queue import Budget, Intake, Pools, Queue
from sagequeue.errors import UnknownJob

# SageMaker's own pattern. Other names cannot be jobs, and must not become a part of a path.
_JOB_NAME = re.compile(r"(?=.{1,63}\Z)[a-zA-Z0-9](-*[a-zA-Z0-9])*")
_SAFE = "Repeating the same call is safe."


class QueueClient:
    """Calls one queue. Without `api_url`, its address is looked up as in docs/client.md; `session` has the credentials.

    Every method raises a QueueError: a QueueRefusal if the queue refuses, another one if the queue cannot be called.
    """

    def __init__(self, api_url: str | None = None, session: boto3.Session | None = None) -> None:
        session = session or boto3.Session()
        self.api_url = checked_url(api_url) if api_url else find_api_url(session)
        self._transport = Transport(session, self.api_url)

    def submit(
        self, request: TrainingRequest, options: JobOptions | None = None, client_token: str | None = None
    ) -> Job:
        """Submits a CreateTrainingJob request to the queue.

        The same request under the same name is the same job. So is the same request of one caller with the same
        `client_token`; another request with that token raises TokenReused.
        """
        if_lost = (
            "The job may have been submitted: "
            f"check `sagequeue show {request.get('TrainingJobName')}`. Submitting the same request again is safe."
        )
        if options is None and client_token is None:
            return cast(Job, self._call("POST", "/add-job", request, if_lost))
        return cast(Job, self._call("POST", "/jobs", _submission(request, options, client_token), if_lost))

    def what_if(self, request: TrainingRequest, options: JobOptions | None = None) -> Forecast:
        """Returns when the request would start if it were submitted now. Raises the refusal that it would get."""
        return cast(Forecast, self._call("POST", "/what-if", _submission(request, options)))

    def get(self, name: str) -> Job:
        """Returns the job with its request. Raises UnknownJob."""
        return cast(Job, self._call("GET", _path(name)))

    def why(self, name: str) -> Explanation:
        """Returns why the job is in its state, and when it may start. Raises UnknownJob."""
        return cast(Explanation, self._call("GET", _path(name, "why")))

    def list(self, *, limit: int | None = None, **filters: Unpack[JobFilter]) -> Iterator[Job]:
        """Yields jobs: live ones, then waiting ones in queue order, then ended ones, newest first.

        Further pages are read when they are needed.
        """
        return islice(chain.from_iterable(page["jobs"] for page in self._pages(filters)), limit)

    def page(self, *, limit: int | None = None, token: str | None = None, **filters: Unpack[JobFilter]) -> Listing:
        """Returns one page of jobs and the use of the budget; a page's `next` is the token of the next page."""
        return cast(Listing, self._call("GET", _query("/jobs", {**filters, "limit": limit, "next": token})))

    def cancel(self, name: str) -> Job:
        """Removes the job from the queue, or stops it. Raises UnknownJob, or AlreadyFinished if it has ended."""
        if_lost = f"The job may have been cancelled: check `sagequeue show {name}`. Cancelling again is safe."
        return cast(Job, self._call("POST", _path(name, "cancel"), if_lost=if_lost))

    def cancel_many(self, *, limit: int | None = None, **filters: Unpack[JobFilter]) -> Cancellations:
        """Cancels the jobs that match every filter; `more` in the answer: further jobs match. A filter is required."""
        wanted = {name: _joined(value) for name, value in filters.items()}
        body = {"filter": wanted} if limit is None else {"filter": wanted, "limit": limit}
        return cast(Cancellations, self._call("POST", "/cancel-jobs", body, _SAFE))

    def hold(self, name: str) -> Job:
        """Keeps a waiting job from starting. Raises NotQueued."""
        return self._change(name, "hold")

    def release(self, name: str) -> Job:
        """Puts a held job back into the queue; a waiting job is left unchanged. Raises NotHeld."""
        return self._change(name, "release")

    def requeue(self, name: str) -> Job:
        """Stops the running attempt and puts the job back into the queue; a failed or parked job tries again.

        The call names the latest attempt, so a repeated call stops no later attempt.
        """
        attempts = self.get(name)["attempts"]
        return self._change(name, "requeue", {"attempt": attempts[-1]["number"] if attempts else 0})

    def top(self, name: str) -> Job:
        """Moves a waiting job before all other waiting jobs of its priority. Raises NotQueued."""
        return self._change(name, "top")

    def set_priority(self, name: str, priority: int) -> Job:
        """Changes the priority of a job that has not ended. Raises AlreadyFinished."""
        return self._change(name, "priority", {"priority": priority})

    def queue(self) -> Queue:
        """Returns the queue as a whole: counts, use of the budget per type and team, and the next jobs."""
        return cast(Queue, self._call("GET", "/queue"))

    def budget(self) -> Budget:
        """Returns the current budget and its source."""
        return cast(Budget, self._call("GET", "/budget"))

    def set_budget(self, budget: Mapping[str, int], *, stop_over_budget: bool = False) -> Budget:
        """Replaces the stack's budget. Jobs over a smaller one run to their end, unless `stop_over_budget`."""
        body = {"budget": dict(budget), "stop_over_budget": stop_over_budget}
        return cast(Budget, self._call("PUT", "/budget", body, _SAFE))

    def reset_budget(self) -> Budget:
        """Removes the operators' budget: the calendar's or the stack's own budget applies again."""
        return cast(Budget, self._call("DELETE", "/budget", if_lost=_SAFE))

    def drain(self) -> Intake:
        """Refuses new jobs from now on (IntakeClosed); jobs in the queue continue."""
        return cast(Intake, self._call("POST", "/drain", if_lost=_SAFE))

    def resume(self) -> Intake:
        """Accepts new jobs again."""
        return cast(Intake, self._call("POST", "/resume", if_lost=_SAFE))

    def rules(self) -> Rules:
        """Returns the current rules document with its version."""
        return cast(Rules, self._call("GET", "/rules"))

    def check_rules(self, text: str) -> DryRun:
        """Returns the effect of a rules document on waiting and running jobs, without applying it. Raises BadRules."""
        return cast(DryRun, self._check("/rules", text))

    def apply_rules(self, text: str, replaces: int | None = None) -> Rules:
        """Applies a rules document. Raises BadRules, or StaleRules if `replaces` is not the current version."""
        return cast(Rules, self._apply("/rules", text, replaces=replaces))

    def whoami(self) -> WhoAmI:
        """Returns the caller's identity and permissions."""
        return cast(WhoAmI, self._call("GET", "/whoami"))

    def callers(self) -> Callers:
        """Returns the callers document (permissions) with its version; for operators."""
        return cast(Callers, self._call("GET", "/callers"))

    def check_callers(self, text: str) -> CallersDryRun:
        """Returns the effect of a callers document on waiting and running jobs, and on you. Raises BadCallers."""
        return cast(CallersDryRun, self._check("/callers", text))

    def apply_callers(self, text: str, replaces: int | None = None, *, hand_over: bool = False) -> Callers:
        """Applies a callers document. Raises BadCallers, StaleCallers, or LocksOut without `hand_over`."""
        return cast(Callers, self._apply("/callers", text, replaces=replaces, hand_over="true" if hand_over else None))

    def calendar(self) -> Calendar:
        """Returns the current calendar with its version and its budgets for the coming weeks."""
        return cast(Calendar, self._call("GET", "/calendar"))

    def check_calendar(self, text: str) -> CalendarDryRun:
        """Returns a calendar's budgets for the coming weeks, without applying it. Raises BadCalendar."""
        return cast(CalendarDryRun, self._check("/calendar", text))

    def apply_calendar(self, text: str, replaces: int | None = None) -> Calendar:
        """Applies a calendar. Raises BadCalendar, or StaleCalendar if `replaces` is not the current version."""
        return cast(Calendar, self._apply("/calendar", text, replaces=replaces))

    def pools(self) -> Pools:
        """Returns the warm pools: their instances, end, cost, and the jobs that could start on them."""
        return cast(Pools, self._call("GET", "/pools"))

    def pool_rules(self) -> PoolRules:
        """Returns the current pool rules with their version."""
        return cast(PoolRules, self._call("GET", "/pools/rules"))

    def apply_pool_rules(self, text: str, replaces: int | None = None) -> PoolRules:
        """Applies pool rules. Raises BadPoolRules, or StalePoolRules if `replaces` is not the current version."""
        return cast(PoolRules, self._apply("/pools/rules", text, replaces=replaces))

    def prices(self) -> Prices:
        """Returns the known prices of instances, and the operators' price document with its version."""
        return cast(Prices, self._call("GET", "/prices"))

    def apply_prices(self, text: str, replaces: int | None = None) -> Prices:
        """Applies a price document. Raises BadPrices, or StalePrices if `replaces` is not the current version."""
        return cast(Prices, self._apply("/prices", text, replaces=replaces))

    def spending(self) -> Spending:
        """Returns the monthly spending limits with their version, and how much of each is used."""
        return cast(Spending, self._call("GET", "/spending"))

    def apply_spending(self, text: str, replaces: int | None = None) -> Spending:
        """Applies spending limits. Raises BadSpending, or StaleSpending if `replaces` is not the current version."""
        return cast(Spending, self._apply("/spending", text, replaces=replaces))

    def findings(self, limit: int | None = None) -> Findings:
        """Returns training jobs started outside the queue that break a rule, newest first."""
        return cast(Findings, self._call("GET", _query("/findings", {"limit": limit})))

    def history(self, since: str | None = None, until: str | None = None, job: str | None = None) -> Iterator[Change]:
        """Yields the changes of all jobs, or of one, oldest first; times are ISO 8601 with a time zone.

        Further pages are read when they are needed. Without times, it covers the last day.
        """
        span = {"since": since, "until": until, "job": job}
        token: str | None = None
        while True:
            page = cast(Changes, self._call("GET", _query("/history", {**span, "next": token})))
            yield from page["changes"]
            token = page["next"]
            if token is None:
                return

    def _pages(self, filters: JobFilter) -> Iterator[Listing]:
        page = self.page(**filters)
        yield page
        while page["next"]:
            page = self.page(token=page["next"], **filters)
            yield page

    def _change(self, name: str, verb: str, body: Mapping[str, object] | None = None) -> Job:
        if_lost = f"The change may have been made: check `sagequeue show {name}`."
        return cast(Job, self._call("POST", _path(name, verb), body, if_lost))

    def _check(self, path: str, text: str) -> dict[str, object]:
        return self._send("POST", f"{path}/check", text.encode(), _SAFE)

    def _apply(self, path: str, text: str, **query: object) -> dict[str, object]:
        return self._send("PUT", _query(path, query), text.encode(), _SAFE)

    def _call(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        if_lost: str = "Nothing was changed; try again.",
    ) -> dict[str, object]:
        return self._send(method, path, None if body is None else json.dumps(body).encode(), if_lost)

    def _send(self, method: str, path: str, body: bytes | None, if_lost: str) -> dict[str, object]:
        return unpack(self._transport.send(method, path, body, if_lost))


def _submission(
    request: TrainingRequest, options: JobOptions | None, client_token: str | None = None
) -> dict[str, object]:
    given = {"request": request, "options": options, "client_token": client_token}
    return {member: value for member, value in given.items() if value is not None}


def _path(name: str, verb: str = "") -> str:
    if not _JOB_NAME.fullmatch(name):
        raise UnknownJob(f"{name!r} is not a valid name of a training job.", "Run `sagequeue ls` to list the jobs.")
    return f"/jobs/{name}/{verb}".rstrip("/")


def _query(path: str, query: Mapping[str, object]) -> str:
    given = {key: _joined(value) for key, value in query.items() if value is not None}
    # AWS does not read + as a space.
    return f"{path}?{urlencode(given, quote_via=quote)}" if given else path


def _joined(value: object) -> object:
    """Joins several states into one parameter: not every gateway passes on a repeated parameter."""
    return ",".join(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
