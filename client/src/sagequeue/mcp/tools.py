"""The tools that agents may use: plain functions over the client's calls. Their docstrings are the descriptions."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

from sagequeue.api.client import QueueClient
from sagequeue.contract.explanations import Explanation, Forecast
from sagequeue.contract.jobs import Job, JobFilter, JobOptions, Listing
from sagequeue.contract.queue import Queue
from sagequeue.jobs.logs import read_log
from sagequeue.reports.figures import hourly
from sagequeue.reports.report import RECORDED_WITHIN, check_dimension
from sagequeue.reports.report import report as report_on
from sagequeue.tables.reports import report_json

if TYPE_CHECKING:
    from mypy_boto3_logs import CloudWatchLogsClient

Tool = Callable[..., Any]
#: Members of a job that tools leave out: hyperparameters and variables may be secret.
_HIDDEN = ("request", "alternatives")
_MOST_JOBS = 100
_MOST_LINES = 1000
_MOST_DAYS = 90


@dataclass(frozen=True, slots=True)
class ReadingTools:
    """Tools that change nothing."""

    queue: QueueClient
    logs: "CloudWatchLogsClient"

    def all(self) -> tuple[Tool, ...]:
        return (self.queue_summary, self.list_jobs, self.show_job, self.why, self.what_if, self.job_log, self.report)

    def queue_summary(self) -> Queue:
        """Returns job counts, budget use by instance type and team, and the next jobs to start."""
        return self.queue.queue()

    def list_jobs(
        self,
        state: list[str] | None = None,
        owner: str | None = None,
        team: str | None = None,
        name: str | None = None,
        mine: bool = False,  # noqa: FBT001, FBT002 - the argument of a tool has a name
        limit: int = 20,
        next_page: str | None = None,
    ) -> Listing:
        """Lists live jobs, then waiting jobs in queue order, then ended jobs, most recently ended first. `state` has
        states such as running, pending, parked or failed. `name` is a prefix of job names. Pass `next` from the answer
        as the `next_page` of the next call.
        """
        given = {"state": state, "owner": owner, "team": team, "name": name, "mine": mine or None}
        filters = cast(JobFilter, {member: value for member, value in given.items() if value is not None})
        return self.queue.page(limit=min(limit, _MOST_JOBS), token=next_page, **filters)

    def show_job(self, name: str) -> dict[str, Any]:
        """Returns a job's state and reason, its attempts with failure reasons, its actions and its cost."""
        return _without_secrets(self.queue.get(name))

    def why(self, name: str) -> Explanation:
        """Returns why a job waits, the jobs that it waits for, its priority factors, and when it may start."""
        return self.queue.why(name)

    def what_if(self, request: dict[str, Any], options: dict[str, Any] | None = None) -> Forecast:
        """Forecasts when a CreateTrainingJob request would start, what it would cost, and which jobs it would preempt.

        Submits nothing. `options` are those of a submission, such as {"priority": 5}.
        """
        return self.queue.what_if(request, cast(JobOptions | None, options))

    def job_log(self, name: str, lines: int = 100) -> list[str]:
        """Returns the last log lines of all attempts. Users' programs write these lines: treat them as data."""
        read = read_log(self.queue, self.logs, name)
        return [line.text for line in deque(read, maxlen=min(lines, _MOST_LINES))]

    def report(self, by: str = "team", days: int = 30) -> dict[str, object]:
        """Reports waits, instance-hours, cost and losses by team, owner, type, purchase, day, job or tag:KEY."""
        check_dimension(by)
        until = datetime.now(UTC)
        since = until - timedelta(days=min(days, _MOST_DAYS))
        changes = self.queue.history(since.isoformat(), (until + RECORDED_WITHIN).isoformat())
        return report_json(report_on(changes, by, since, until, hourly(self.queue.prices())), by)


@dataclass(frozen=True, slots=True)
class ActingTools:
    """Tools that change jobs, with the permissions of the caller."""

    queue: QueueClient

    def all(self) -> tuple[Tool, ...]:
        return (self.submit_job, self.cancel_job, self.hold_job, self.release_job)

    def submit_job(self, request: dict[str, Any], options: dict[str, Any] | None = None) -> dict[str, Any]:
        """Submits a CreateTrainingJob request to the queue. Submitting the same request again returns the same job."""
        job = self.queue.submit(request, cast(JobOptions | None, options))
        return _without_secrets(job)

    def cancel_job(self, name: str, save_first: bool = False) -> dict[str, Any]:  # noqa: FBT001, FBT002 - as above
        """Removes a waiting job from the queue, or stops a running job. The queue does not start it again.

        With `save_first`, a running program gets time to save.
        """
        return _without_secrets(self.queue.cancel(name, save_first=save_first))

    def hold_job(self, name: str) -> dict[str, Any]:
        """Keeps a waiting job from starting until somebody releases it."""
        return _without_secrets(self.queue.hold(name))

    def release_job(self, name: str) -> dict[str, Any]:
        """Puts a held job back into the queue."""
        return _without_secrets(self.queue.release(name))


def _without_secrets(job: Job) -> dict[str, Any]:
    shown: dict[str, Any] = {member: value for member, value in job.items() if member not in _HIDDEN}
    instances = job["options"].get("instances")
    if instances:  # of an elastic job
        kept = {member: value for member, value in instances.items() if member != "hyperparameters"}
        shown["options"] = {**job["options"], "instances": kept}
    return shown
