"""Reads the use of instances over time from the queue, for `sagequeue usage` and the page's charts."""

from collections.abc import Iterator

from sagequeue.api.client import QueueClient
from sagequeue.contract.jobs import UNFINISHED, Job
from sagequeue.reports.report import RECORDED_WITHIN
from sagequeue.reports.usage import Past, Steps, Usage, usage

BY = ("type", "team")
#: Jobs in one page of a list: the API's maximum.
_PAGE = 200


def usage_of(queue: QueueClient, by: str, steps: Steps) -> Usage:
    """Returns the series of each type or team until now.

    Makes one call per 1,000 changes, and one per 200 unfinished jobs.
    """
    begin = steps.begin.isoformat()
    past = Past(
        [*queue.history(begin, (steps.end + RECORDED_WITHIN).isoformat())],
        [*_unfinished(queue)],
        queue.pools()["pools"],
        queue.past_budgets(begin),
    )
    return usage(past, by, steps)


def _unfinished(queue: QueueClient) -> Iterator[Job]:
    token: str | None = None
    while True:
        page = queue.page(limit=_PAGE, token=token, state=UNFINISHED)
        yield from page["jobs"]
        token = page["next"]
        if token is None:
            return
