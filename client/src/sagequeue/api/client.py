"""The queue's REST API from Python: signed, retried, typed. Every other door of the client leads through here."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Unpack, cast
from urllib.parse import quote, urlencode

import boto3

from sagequeue.api.answers import unpack
from sagequeue.api.endpoint import checked, find_api_url
from sagequeue.api.transport import Transport
from sagequeue.contract.calendar import Calendar, CalendarTrial
from sagequeue.contract.callers import Callers, CallerTrial, WhoAmI
from sagequeue.contract.costs import Prices
from sagequeue.contract.explanations import Explanation, Forecast
from sagequeue.contract.history import Change, Changes
from sagequeue.contract.jobs import Cancellations, Job, JobFilter, JobOptions, Listing, TrainingRequest
from sagequeue.contract.queue import Budget, Intake, Queue
from sagequeue.contract.rules import Findings, Rules, Trial
from sagequeue.contract.spending import Spending
from sagequeue.contract.warm_pools import PoolRules, Pools
from sagequeue.errors import UnknownJob

# SageMaker's own pattern. Anything else cannot be a job, and must not become a part of a path.
_JOB_NAME = re.compile(r"(?=.{1,63}\Z)[a-zA-Z0-9](-*[a-zA-Z0-9])*")
_SAFE = "Asking for the same again is safe."


class QueueClient:
    """One queue. Without `api_url` it is looked up as docs/client.md says; `session` gives the credentials.

    Every method raises a QueueError: a QueueRefusal when the queue says no, others when it cannot be asked.
    """

    def __init__(self, api_url: str | None = None, session: boto3.Session | None = None) -> None:
        session = session or boto3.Session()
        self.api_url = checked(api_url) if api_url else find_api_url(session)
        self._transport = Transport(session, self.api_url)

    def submit(
        self, request: TrainingRequest, options: JobOptions | None = None, client_token: str | None = None
    ) -> Job:
        """Put a CreateTrainingJob request into the queue.

        The same request under the same name is the same job; so is the same request of one caller with the same
        `client_token` (TokenReused if it is another).
        """
        if_lost = (
            "It is not known that anything was submitted: "
            f"`sagequeue show {request.get('TrainingJobName')}` tells, and submitting the same again is safe."
        )
        if options is None and client_token is None:
            return cast(Job, self._call("POST", "/add-job", request, if_lost))
        return cast(Job, self._call("POST", "/jobs", _submission(request, options, client_token), if_lost))

    def what_if(self, request: TrainingRequest, options: JobOptions | None = None) -> Forecast:
        """What would happen to the request now; nothing is submitted. Raises the refusal that it would get."""
        return cast(Forecast, self._call("POST", "/what-if", _submission(request, options)))

    def get(self, name: str) -> Job:
        """The job with its request. Raises UnknownJob."""
        return cast(Job, self._call("GET", _path(name)))

    def why(self, name: str) -> Explanation:
        """Why the job is where it is, and when it may start. Raises UnknownJob."""
        return cast(Explanation, self._call("GET", _path(name, "why")))

    def list(self, *, limit: int | None = None, **filters: Unpack[JobFilter]) -> Iterator[Job]:
        """Jobs: those that hold instances, those that wait in their order, those that ended, the newest first.

        Further pages are read as they are asked for.
        """
        return islice(chain.from_iterable(page["jobs"] for page in self._pages(filters)), limit)

    def page(self, *, limit: int | None = None, token: str | None = None, **filters: Unpack[JobFilter]) -> Listing:
        """One page of jobs and the use of the budget; a page's `next` is the token of the one after it."""
        return cast(Listing, self._call("GET", _query("/jobs", {**filters, "limit": limit, "next": token})))

    def cancel(self, name: str) -> Job:
        """Take the job out of the queue, or stop it. Raises UnknownJob, or AlreadyFinished when it is too late."""
        if_lost = (
            f"It is not known whether it was cancelled: `sagequeue show {name}` tells, and cancelling again is safe."
        )
        return cast(Job, self._call("POST", _path(name, "cancel"), if_lost=if_lost))

    def cancel_many(self, *, limit: int | None = None, **filters: Unpack[JobFilter]) -> Cancellations:
        """Cancel what fits every filter; `more` in the answer says that further jobs fit. No filter is refused."""
        wanted = {name: _joined(value) for name, value in filters.items()}
        body = {"filter": wanted} if limit is None else {"filter": wanted, "limit": limit}
        return cast(Cancellations, self._call("POST", "/cancel-jobs", body, _SAFE))

    def hold(self, name: str) -> Job:
        """Keep a waiting job from starting. Raises NotQueued."""
        return self._change(name, "hold")

    def release(self, name: str) -> Job:
        """Let a held job wait for its instances again; one that waits already is left as it is. Raises NotHeld."""
        return self._change(name, "release")

    def requeue(self, name: str) -> Job:
        """Stop the running attempt and put the job back into the queue; a failed or parked job tries again.

        It is about the attempt that is the latest now: sent twice, it stops no later one.
        """
        attempts = self.get(name)["attempts"]
        return self._change(name, "requeue", {"attempt": attempts[-1]["number"] if attempts else 0})

    def top(self, name: str) -> Job:
        """Put a waiting job before all waiting jobs of its priority. Raises NotQueued."""
        return self._change(name, "top")

    def set_priority(self, name: str, priority: int) -> Job:
        """Change the priority of a job that has not ended. Raises AlreadyFinished."""
        return self._change(name, "priority", {"priority": priority})

    def queue(self) -> Queue:
        """The queue at a glance: counts, use of the budget per type and team, and who is next."""
        return cast(Queue, self._call("GET", "/queue"))

    def budget(self) -> Budget:
        return cast(Budget, self._call("GET", "/budget"))

    def set_budget(self, budget: Mapping[str, int], *, stop_over_budget: bool = False) -> Budget:
        """Replace the stack's budget. What runs beyond a smaller one ends by itself, unless `stop_over_budget`."""
        body = {"budget": dict(budget), "stop_over_budget": stop_over_budget}
        return cast(Budget, self._call("PUT", "/budget", body, _SAFE))

    def reset_budget(self) -> Budget:
        """Go back to the budget of the stack's parameter."""
        return cast(Budget, self._call("DELETE", "/budget", if_lost=_SAFE))

    def drain(self) -> Intake:
        """Refuse new jobs from now on (IntakeClosed); what is in the queue goes on."""
        return cast(Intake, self._call("POST", "/drain", if_lost=_SAFE))

    def resume(self) -> Intake:
        """Take new jobs again."""
        return cast(Intake, self._call("POST", "/resume", if_lost=_SAFE))

    def rules(self) -> Rules:
        """The rules document that is in force, with its version."""
        return cast(Rules, self._call("GET", "/rules"))

    def check_rules(self, text: str) -> Trial:
        """What a rules document would do to the jobs that wait or run; nothing is changed. Raises BadRules."""
        return cast(Trial, self._send("POST", "/rules/check", text.encode(), _SAFE))

    def apply_rules(self, text: str, replaces: int | None = None) -> Rules:
        """Put a rules document into force. Raises BadRules, or StaleRules if version `replaces` is not in force."""
        path = _query("/rules", {"replaces": replaces})
        return cast(Rules, self._send("PUT", path, text.encode(), _SAFE))

    def whoami(self) -> WhoAmI:
        """What the caller may do."""
        return cast(WhoAmI, self._call("GET", "/whoami"))

    def callers(self) -> Callers:
        """The document of who may do what, with its version; for operators."""
        return cast(Callers, self._call("GET", "/callers"))

    def check_callers(self, text: str) -> CallerTrial:
        """What a document of callers would mean for the jobs that wait or run, and for you. Raises BadCallers."""
        return cast(CallerTrial, self._send("POST", "/callers/check", text.encode(), _SAFE))

    def apply_callers(self, text: str, replaces: int | None = None, *, hand_over: bool = False) -> Callers:
        """Put a document of callers into force. Raises BadCallers, StaleCallers, or LocksOut without `hand_over`."""
        path = _query("/callers", {"replaces": replaces, "hand_over": "true" if hand_over else None})
        return cast(Callers, self._send("PUT", path, text.encode(), _SAFE))

    def calendar(self) -> Calendar:
        """The calendar in force, with its version and the budgets that it gives in the weeks to come."""
        return cast(Calendar, self._call("GET", "/calendar"))

    def check_calendar(self, text: str) -> CalendarTrial:
        """Which budgets a calendar would give in the weeks to come; nothing is changed. Raises BadCalendar."""
        return cast(CalendarTrial, self._send("POST", "/calendar/check", text.encode(), _SAFE))

    def apply_calendar(self, text: str, replaces: int | None = None) -> Calendar:
        """Put a calendar into force. Raises BadCalendar, or StaleCalendar if version `replaces` is not in force."""
        return cast(Calendar, self._send("PUT", _query("/calendar", {"replaces": replaces}), text.encode(), _SAFE))

    def pools(self) -> Pools:
        """The warm pools: what is kept, until when, what it costs, and which jobs would start there."""
        return cast(Pools, self._call("GET", "/pools"))

    def pool_rules(self) -> PoolRules:
        """The rules of warm pools that are in force, with their version."""
        return cast(PoolRules, self._call("GET", "/pools/rules"))

    def apply_pool_rules(self, text: str, replaces: int | None = None) -> PoolRules:
        """Put rules of warm pools into force. Raises BadPoolRules, or StalePoolRules."""
        path = _query("/pools/rules", {"replaces": replaces})
        return cast(PoolRules, self._send("PUT", path, text.encode(), _SAFE))

    def prices(self) -> Prices:
        """What instances cost, as far as that is known, and the operators' document of prices with its version."""
        return cast(Prices, self._call("GET", "/prices"))

    def apply_prices(self, text: str, replaces: int | None = None) -> Prices:
        """Put a document of prices into force. Raises BadPrices, or StalePrices if `replaces` is not in force."""
        return cast(Prices, self._send("PUT", _query("/prices", {"replaces": replaces}), text.encode(), _SAFE))

    def spending(self) -> Spending:
        """The limits on what may be spent in a month, with their version, and how far they are used."""
        return cast(Spending, self._call("GET", "/spending"))

    def apply_spending(self, text: str, replaces: int | None = None) -> Spending:
        """Put limits into force. Raises BadSpending, or StaleSpending if version `replaces` is not in force."""
        return cast(Spending, self._send("PUT", _query("/spending", {"replaces": replaces}), text.encode(), _SAFE))

    def findings(self, limit: int | None = None) -> Findings:
        """What the rules had against training jobs that went round the queue, the newest first."""
        return cast(Findings, self._call("GET", _query("/findings", {"limit": limit})))

    def history(self, since: str | None = None, until: str | None = None, job: str | None = None) -> Iterator[Change]:
        """The changes of all jobs, or of one, the oldest first; times are ISO 8601 with a time zone.

        Further pages are read as they are asked for. Without times it is the last day.
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
        if_lost = f"It is not known whether that was done: `sagequeue show {name}` tells."
        return cast(Job, self._call("POST", _path(name, verb), body, if_lost))

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
        raise UnknownJob(f"{name!r} cannot be the name of a training job.", "`sagequeue ls` shows the jobs.")
    return f"/jobs/{name}/{verb}".rstrip("/")


def _query(path: str, query: Mapping[str, object]) -> str:
    given = {key: _joined(value) for key, value in query.items() if value is not None}
    # AWS does not read + as a space.
    return f"{path}?{urlencode(given, quote_via=quote)}" if given else path


def _joined(value: object) -> object:
    """Several states are one parameter: not every gateway hands on a parameter that is repeated."""
    return ",".join(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
