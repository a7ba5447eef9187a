"""Scans SageMaker's list of training jobs, newest first. Each run reads one part of the list.

SageMaker may apply filters after it cuts a page (aws-facts 2.61, 2.68). So the scan does not rely on filters, and pages
may be empty. It continues with the last page's token. If SageMaker refuses the token, or the token leads back to a page
already read, the scan continues from the creation time that it has reached.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from scheduler.core.reconciliation.listed_job import ListedJob, ListPage

#: Calls to List in one part. With a pause of a minute between two parts, the rate stays below 0.1 calls per second.
PAGES = 5
#: Calls to List in the longest part: a part that continues by time may have to read all newer pages again.
MOST_PAGES = 40
#: Requests contain times in whole seconds, so other training jobs may have been created in the same second.
_TICK = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class ListScan:
    """Records the progress of a scan.

    It has read all training jobs created after `read_down_to` that SageMaker already listed at the start of the scan.
    """

    began_at: datetime
    read_down_to: datetime | None = None  # None: it has read nothing
    created_before: datetime | None = None  # the filter of the requests that led to the token
    token: str | None = None  # the next page's token
    pages: int = PAGES  # the most pages that the next part may read

    def unread(self, page: ListPage) -> Iterator[ListedJob]:
        """Yields the page's training jobs that the scan has not read yet, newest first."""
        limit = self.read_down_to
        return (listed for listed in page.jobs if limit is None or listed.created_at <= limit)

    def after_job(self, listed: ListedJob) -> "ListScan":
        return replace(self, read_down_to=listed.created_at)

    def after_page(self, page: ListPage) -> "ListScan":
        return replace(self, token=page.next_token)

    def leads_back(self, page: ListPage) -> bool:
        """Returns whether the scan has already read the whole page, so that its token is useless."""
        return bool(page.jobs) and next(self.unread(page), None) is None

    def by_time(self) -> "ListScan":
        """Returns the scan without its token, to continue by time. It may need more pages to get as far as before."""
        reached = self.read_down_to
        before = None if reached is None else reached + _TICK
        return replace(self, created_before=before, token=None, pages=min(2 * self.pages, MOST_PAGES))
