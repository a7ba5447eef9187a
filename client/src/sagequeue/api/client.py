"""QueueClient: the queue's REST API in Python, signed, retried and typed. All other parts of the client use it."""

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
from sagequeue.contract.config import Config, ConfigPlan, ConfigVersion, ConfigVersions, WhoAmI
from sagequeue.contract.costs import Prices, Spending
from sagequeue.contract.explanations import Explanation, Forecast, PriorityForecast
from sagequeue.contract.history import Change, Changes
from sagequeue.contract.jobs import (
    ChangedJobs,
    Job,
    JobChange,
    JobFilter,
    JobOptions,
    Listing,
    TrainingRequest,
    latest_attempt,
)
from sagequeue.contract.queue import Budget, Findings, Intake, PastBudget, PastBudgets, Pools, Queue
from sagequeue.errors import UnknownJob

# SageMaker's own pattern. Any other name cannot be a job's, and must not become part of a path.
_JOB_NAME = re.compile(r"(?=.{1,63}\Z)[a-zA-Z0-9](-*[a-zA-Z0-9])*")
_SAFE = "Try again: repeating the same call is safe."


class QueueClient:
    """Calls one queue. Without `api_url`, it finds the address as docs/use/client.md describes.

    `session` provides the credentials. Every method raises a QueueError: a QueueRefusal if the queue refuses the call,
    and another QueueError if the queue cannot be called.
    """

    def __init__(self, api_url: str | None = None, session: boto3.Session | None = None) -> None:
        self.session = session or boto3.Session()
        self.api_url = checked_url(api_url) if api_url else find_api_url(self.session)
        self._transport = Transport(self.session, self.api_url)

    def submit(
        self, request: TrainingRequest, options: JobOptions | None = None, client_token: str | None = None
    ) -> Job:
        """Submits a CreateTrainingJob request to the queue.

        Until the job ends, submitting the same request under the same name returns the same job. After the job has
        ended, it raises NameTaken. With a `client_token`, the same request by the same caller returns the same job even
        then. Another request with that token raises TokenReused.
        """
        if_lost = (
            "The job may have been submitted: "
            f"check `sagequeue show {request.get('TrainingJobName')}`. Submitting the same request again is safe."
        )
        if options is None and client_token is None:
            return cast(Job, self._call("POST", "/add-job", request, if_lost))
        return cast(Job, self._call("POST", "/jobs", _submission(request, options, client_token), if_lost))

    def what_if(self, request: TrainingRequest, options: JobOptions | None = None) -> Forecast:
        """Returns when the request would start if submitted now. Raises the refusal that a submission would get."""
        return cast(Forecast, self._call("POST", "/what-if", _submission(request, options)))

    def get(self, name: str) -> Job:
        """Returns a job with its request. Raises UnknownJob."""
        return cast(Job, self._call("GET", _path(name)))

    def why(self, name: str) -> Explanation:
        """Returns why a job is in its state, and when it may start. Raises UnknownJob."""
        return cast(Explanation, self._call("GET", _path(name, "why")))

    def list(self, *, limit: int | None = None, **filters: Unpack[JobFilter]) -> Iterator[Job]:
        """Yields live jobs, then waiting jobs in queue order, then ended jobs, the most recently ended first.

        Reads further pages as needed.
        """
        return islice(chain.from_iterable(page["jobs"] for page in self._pages(filters)), limit)

    def page(self, *, limit: int | None = None, token: str | None = None, **filters: Unpack[JobFilter]) -> Listing:
        """Returns one page of jobs, and the use of the budget. `next` is the token of the next page."""
        return cast(Listing, self._call("GET", _query("/jobs", {**filters, "limit": limit, "next": token})))

    def cancel(self, name: str, *, save_first: bool = False) -> Job:
        """Removes a waiting job from the queue, or stops a live one.

        With `save_first`, the job's program gets time to save before the stop. Raises UnknownJob, or AlreadyFinished if
        the job has ended.
        """
        if_lost = f"The job may have been cancelled: check `sagequeue show {name}`. Cancelling again is safe."
        body = {"save_first": True} if save_first else None
        return cast(Job, self._call("POST", _path(name, "cancel"), body, if_lost))

    def change_named(
        self,
        change: JobChange,
        names: Sequence[str],
        *,
        attempts: Mapping[str, int] | None = None,
        priority: int | None = None,
        limit: int | None = None,
    ) -> ChangedJobs:
        """Changes as many jobs of a list as one call can. Pass the last `left` names to the next call.

        After `top`, the last job of the list comes first. If the change of one job is refused, the others still change.
        To requeue jobs, give the number of each job's latest attempt, or 0 if it had none. A job with a later attempt
        stays unchanged.
        """
        numbers = None if attempts is None else {name: attempts[name] for name in names}
        body = {"change": change, "names": [*names], "attempts": numbers, "priority": priority, "limit": limit}
        return self._change_jobs(body)

    def change_matching(
        self,
        change: JobChange,
        *,
        priority: int | None = None,
        save_first: bool | None = None,
        limit: int | None = None,
        token: str | None = None,
        **filters: Unpack[JobFilter],
    ) -> ChangedJobs:
        """Changes up to `limit` jobs that match all filters and that the change applies to. Give at least one filter.

        To continue, pass the answer's `next` as `token`. To requeue jobs, filter by state; to requeue running jobs, use
        `change_named`.
        """
        states = filters.get("state", ())
        given = {"state": [states] if isinstance(states, str) else [*states]} if states else {}
        wanted = {**filters, **given}
        return self._change_jobs(
            {
                "change": change,
                "filter": wanted,
                "priority": priority,
                "save_first": save_first,
                "limit": limit,
                "next": token,
            }
        )

    def hold(self, name: str) -> Job:
        """Keeps a waiting job from starting. Raises NotQueued."""
        return self._change(name, "hold")

    def release(self, name: str) -> Job:
        """Puts a held job back into the queue, and leaves a waiting job unchanged. Raises NotHeld."""
        return self._change(name, "release")

    def requeue(self, name: str) -> Job:
        """Stops a running attempt and puts its job back into the queue, or retries a failed, stopped or parked job.

        The call names the latest attempt, so repeating it never stops a later attempt.
        """
        return self._change(name, "requeue", {"attempt": latest_attempt(self.get(name))})

    def top(self, name: str) -> Job:
        """Moves a waiting job ahead of all other waiting jobs of its priority. Raises NotQueued."""
        return self._change(name, "top")

    def set_priority(self, name: str, priority: int) -> Job:
        """Changes the priority of an unfinished job. Raises AlreadyFinished."""
        return self._change(name, "priority", {"priority": priority})

    def what_if_priority(self, names: Sequence[str], priority: int) -> PriorityForecast:
        """Returns which jobs would stop or start if these jobs had the given priority. Changes nothing."""
        body = {"names": [*names], "priority": priority}
        return cast(PriorityForecast, self._call("POST", "/what-if-priority", body))

    def queue(self) -> Queue:
        """Returns a summary of the queue: counts, use of the budget by type and team, and the next jobs."""
        return cast(Queue, self._call("GET", "/queue"))

    def budget(self) -> Budget:
        """Returns the current budget, where it comes from, and the budgets of the coming weeks."""
        return cast(Budget, self._call("GET", "/budget"))

    def past_budgets(self, since: str) -> Sequence[PastBudget]:
        """Returns the budgets since a time within the last 31 days, oldest first.

        `since` is in ISO 8601, with a time zone.
        """
        return cast(PastBudgets, self._call("GET", _query("/budget/history", {"since": since})))["budgets"]

    def set_budget(self, budget: Mapping[str, int], *, stop_over_budget: bool = False) -> Budget:
        """Overrides the stack's budget. Running jobs that exceed it finish, unless `stop_over_budget` is set."""
        body = {"budget": dict(budget), "stop_over_budget": stop_over_budget}
        return cast(Budget, self._call("PUT", "/budget", body, _SAFE))

    def reset_budget(self) -> Budget:
        """Removes the operators' budget, so that the budget of the calendar or the stack applies again."""
        return cast(Budget, self._call("DELETE", "/budget", if_lost=_SAFE))

    def drain(self) -> Intake:
        """Closes the queue to new jobs: submissions raise IntakeClosed. Jobs in the queue continue."""
        return cast(Intake, self._call("POST", "/drain", if_lost=_SAFE))

    def resume(self) -> Intake:
        """Accepts new jobs again."""
        return cast(Intake, self._call("POST", "/resume", if_lost=_SAFE))

    def config(self, kind: str | None = None, version: int | None = None) -> Config:
        """Returns the current configuration, or an older version. With `kind`, returns only that section.

        Raises UnknownVersion.
        """
        return cast(Config, self._call("GET", _query(_config_path(kind), {"version": version})))

    def plan_config(self, text: str, kind: str | None = None) -> ConfigPlan:
        """Returns the effect of a configuration file in YAML or JSON, without applying it. Raises BadConfig.

        With `kind`, the text is that section alone. Without it, the text has a section for each kind that it sets.
        """
        return cast(ConfigPlan, self._send("POST", _config_path(kind, "plan"), text.encode(), _SAFE))

    def apply_config(
        self, text: str, kind: str | None = None, replaces: int | None = None, comment: str = ""
    ) -> Config:
        """Applies a configuration file, in full or not at all. Kinds that it leaves out keep their settings.

        `text` and `kind` are as in `plan_config`. Raises BadConfig, LocksOut, or StaleConfig if `replaces` is not the
        current version.
        """
        path = _query(_config_path(kind), {"replaces": replaces, "comment": comment or None})
        return cast(Config, self._send("PUT", path, text.encode(), _SAFE))

    def config_versions(self, kind: str | None = None) -> Iterator[ConfigVersion]:
        """Yields the versions of the configuration, newest first. With `kind`, only those that changed that section.

        Reads further pages as needed.
        """
        token: str | None = None
        while True:
            page = self.version_page(kind, token=token)
            yield from page["versions"]
            token = page["next"]
            if token is None:
                return

    def version_page(self, kind: str | None = None, *, token: str | None = None) -> ConfigVersions:
        """Returns one page of versions. `next` is the token of the next page."""
        return cast(ConfigVersions, self._call("GET", _query(_config_path(kind, "versions"), {"next": token})))

    def roll_back_config(self, version: int, replaces: int | None = None, comment: str = "") -> Config:
        """Applies an older version again, as a new version.

        Raises UnknownVersion, LocksOut, StaleConfig, or BadConfig if the version no longer fits the stack.
        """
        query = {"version": version, "replaces": replaces, "comment": comment or None}
        return cast(Config, self._call("POST", _query("/config/rollback", query), if_lost=_SAFE))

    def whoami(self) -> WhoAmI:
        """Returns your identity and your permissions in the queue."""
        return cast(WhoAmI, self._call("GET", "/whoami"))

    def pools(self) -> Pools:
        """Returns the warm pools: their instances, when they end, their cost, and the jobs that could start on them."""
        return cast(Pools, self._call("GET", "/pools"))

    def prices(self) -> Prices:
        """Returns the known prices of instances."""
        return cast(Prices, self._call("GET", "/prices"))

    def spending(self) -> Spending:
        """Returns how much of each monthly spending limit is used."""
        return cast(Spending, self._call("GET", "/spending"))

    def findings(self, limit: int | None = None) -> Findings:
        """Returns training jobs started outside the queue that break a rule, newest first."""
        return cast(Findings, self._call("GET", _query("/findings", {"limit": limit})))

    def history(self, since: str | None = None, until: str | None = None, job: str | None = None) -> Iterator[Change]:
        """Yields the changes of all jobs, or of one job, oldest first. Without times, it covers the last day.

        Times are in ISO 8601, with a time zone. Reads further pages as needed.
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

    def _change_jobs(self, body: Mapping[str, object]) -> ChangedJobs:
        given = {member: value for member, value in body.items() if value is not None}
        return cast(ChangedJobs, self._call("POST", "/change-jobs", given, _SAFE))

    def _change(self, name: str, verb: str, body: Mapping[str, object] | None = None) -> Job:
        if_lost = f"The change may have been made: check `sagequeue show {name}`."
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
        raise UnknownJob(f"{name!r} is not a valid training job name.", "Run `sagequeue ls` to list the jobs.")
    return f"/jobs/{name}/{verb}".rstrip("/")


def _config_path(kind: str | None, verb: str = "") -> str:
    return "/".join(filter(None, ("/config", quote(kind, safe="") if kind else "", verb)))


def _query(path: str, query: Mapping[str, object]) -> str:
    given = {key: _joined(value) for key, value in query.items() if value is not None}
    # AWS does not read + as a space in a query.
    return f"{path}?{urlencode(given, quote_via=quote)}" if given else path


def _joined(value: object) -> object:
    """Joins several states into one parameter, because some gateways do not pass on repeated parameters."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
