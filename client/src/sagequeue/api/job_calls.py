"""The calls to the API about jobs: submit, forecast, list, show, explain and change them.

QueueClient has all of them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Unpack, cast

from sagequeue.api.transport import SAFE, Connection, with_query
from sagequeue.contract.explanations import Explanation, Forecast, PriorityForecast
from sagequeue.contract.jobs import (
    ChangedJobs,
    Job,
    JobChange,
    JobFilter,
    JobOptions,
    Listing,
    OnEnd,
    OptionChanges,
    TrainingRequest,
    latest_attempt,
)
from sagequeue.errors import UnknownJob

#: The member that contains the name, and a required member, of the requests for tuning and processing jobs.
_WORK_MEMBERS = {
    "HyperParameterTuningJobName": "HyperParameterTuningJobConfig",
    "ProcessingJobName": "ProcessingResources",
}
# SageMaker's own pattern. No job can have any other name, and such a name must not become part of a path.
JOB_NAME = re.compile(r"(?=.{1,63}\Z)[a-zA-Z0-9](-*[a-zA-Z0-9])*")


class JobCalls(Connection):
    """Makes the API calls about jobs."""

    def submit(
        self,
        request: TrainingRequest,
        options: JobOptions | None = None,
        client_token: str | None = None,
        on_end: OnEnd | None = None,
    ) -> Job:
        """Submits a request to the queue: CreateTrainingJob, CreateHyperParameterTuningJob or CreateProcessingJob.

        Until the job ends, submitting the same request under the same name returns the same job. After the job has
        ended, submitting raises NameUsed. With a `client_token`, the same request by the same caller returns the same
        job even then. Another request with that token raises TokenReused. The queue reports the end of the job to the
        receivers in `on_end`.
        """
        if_lost = (
            "The job may have been submitted: "
            f"check `sagequeue show {_name_in(request)}`. Submitting the same request again is safe."
        )
        if options is None and client_token is None and on_end is None:
            return cast(Job, self._call("POST", "/add-job", request, if_lost))
        return cast(Job, self._call("POST", "/jobs", _submission(request, options, client_token, on_end), if_lost))

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
        """Yields live jobs, then waiting jobs in queue order, then ended jobs, most recently ended first. Reads further
        pages as needed.
        """
        return islice(chain.from_iterable(page["jobs"] for page in self._pages(filters)), limit)

    def page(self, *, limit: int | None = None, token: str | None = None, **filters: Unpack[JobFilter]) -> Listing:
        """Returns one page of jobs, and the current use of the budget. `next` is the token of the next page."""
        return cast(Listing, self._call("GET", with_query("/jobs", {**filters, "limit": limit, "next": token})))

    def cancel(self, name: str, *, save_first: bool = False) -> Job:
        """Removes a waiting job from the queue, or stops a live one.

        With `save_first`, the job's program gets time to save a checkpoint before the stop. Raises UnknownJob, or
        AlreadyFinished if the job has ended.
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
        max_runtimes: Mapping[str, int] | None = None,
        priority: int | None = None,
        limit: int | None = None,
    ) -> ChangedJobs:
        """Changes as many jobs in a list as one call can. Pass the last `left` names to the next call.

        After `top`, the last job in the list comes first. If the queue refuses to change one job, the other jobs still
        change. To requeue jobs, give the number of each job's latest attempt, or 0 if it had none. A job with a later
        attempt stays unchanged. To approve jobs, give the longest time limit that you have seen of each, in seconds.
        """
        body = {"change": change, "names": [*names], "priority": priority, "limit": limit}
        numbers = {"attempts": attempts, "max_runtimes": max_runtimes}
        of_names = {member: {name: known[name] for name in names} for member, known in numbers.items() if known}
        return self._change_jobs({**body, **of_names})

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
        """Changes up to `limit` jobs that match all filters and allow the change. Give at least one filter.

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

    def requeue(self, name: str, *, attempt: int | None = None) -> Job:
        """Stops a running attempt and puts its job back into the queue, or retries a failed, stopped or parked job.

        The call names an attempt, so repeating it never stops a later attempt. Pass the number of the latest attempt
        that you have seen, or 0 if there was none. Without `attempt`, the call names the job's latest attempt.
        """
        seen = latest_attempt(self.get(name)) if attempt is None else attempt
        return self._change(name, "requeue", {"attempt": seen})

    def approve(self, name: str, *, max_runtime: int | None = None) -> Job:
        """Approves a job that needs an approval.

        Raises NotPermitted unless you are an operator who does not own the job. Pass the time limit that you have
        seen as `max_runtime`, in seconds. The queue then refuses to approve a longer time limit.
        """
        return self._change(name, "approve", None if max_runtime is None else {"max_runtime": max_runtime})

    def top(self, name: str) -> Job:
        """Moves a waiting job ahead of all other waiting jobs of the same priority. Raises NotQueued."""
        return self._change(name, "top")

    def update(self, name: str, options: OptionChanges | None = None, *, max_runtime: int | None = None) -> Job:
        """Changes a waiting job's options, or its time limit in seconds. Raises NotQueued or AlreadyFinished.

        While the job runs, only the priority, the retries, the deadline and the notices can change. If the rules do not
        allow the change, raises the refusal that a submission would get.
        """
        given: dict[str, object] = {"options": options} if options else {}
        return self._change(name, "update", given if max_runtime is None else {**given, "max_runtime": max_runtime})

    def what_if_priority(self, names: Sequence[str], priority: int) -> PriorityForecast:
        """Returns which jobs would stop or start if these jobs had the given priority. Changes nothing."""
        body = {"names": [*names], "priority": priority}
        return cast(PriorityForecast, self._call("POST", "/what-if-priority", body))

    def _pages(self, filters: JobFilter) -> Iterator[Listing]:
        page = self.page(**filters)
        yield page
        while page["next"]:
            page = self.page(token=page["next"], **filters)
            yield page

    def _change_jobs(self, body: Mapping[str, object]) -> ChangedJobs:
        given = {member: value for member, value in body.items() if value is not None}
        return cast(ChangedJobs, self._call("POST", "/change-jobs", given, SAFE))

    def _change(self, name: str, verb: str, body: Mapping[str, object] | None = None) -> Job:
        if_lost = f"The change may have been made: check `sagequeue show {name}`."
        return cast(Job, self._call("POST", _path(name, verb), body, if_lost))


def named(request: TrainingRequest, name: str) -> TrainingRequest:
    """Returns a copy of a request of any kind, with another job name."""
    return {**request, _name_member(request): name}


def _name_in(request: TrainingRequest) -> object:
    return request.get(_name_member(request))


def _name_member(request: TrainingRequest) -> str:
    """Returns the member for the name, also if the request has no name yet."""
    found = (member for member, required in _WORK_MEMBERS.items() if member in request or required in request)
    return next(found, "TrainingJobName")


def _submission(
    request: TrainingRequest,
    options: JobOptions | None,
    client_token: str | None = None,
    on_end: OnEnd | None = None,
) -> dict[str, object]:
    given = {"request": request, "options": options, "client_token": client_token, "on_end": on_end}
    return {member: value for member, value in given.items() if value is not None}


def _path(name: str, verb: str = "") -> str:
    if not JOB_NAME.fullmatch(name):
        raise UnknownJob(f"{name!r} is not a valid training job name.", "Run `sagequeue ls` to list the jobs.")
    return f"/jobs/{name}/{verb}".rstrip("/")
