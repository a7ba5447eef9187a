"""Asks SageMaker's list about many attempts at once, each of which would have a call to itself."""

from collections.abc import Sequence
from datetime import timedelta

from attrs import field, frozen

from scheduler.core.jobs.live_job import LiveJob
from scheduler.core.reconciliation.listed_job import ListedJob
from scheduler.ports.training import TrainingService

#: A reservation is written before its training job is created, by a clock that may be a little ahead.
_SKEW = timedelta(minutes=1)
#: Events round their times.
_ROUNDING = timedelta(seconds=1)
#: Calls of List for one roll call. Whoever is further back in the list has a look to itself, as ever.
_PAGES = 2


@frozen
class ListPolling:
    training: TrainingService
    mark: str
    present: set[str] = field(factory=set, init=False)  # names of attempts that the list shows at work

    def poll(self, attempts: Sequence[LiveJob]) -> None:
        """Find out who of them is at work. Raises what List raises."""
        missing = {one.attempt.name: one for one in attempts}
        since, token = min(one.attempt.reserved_at for one in attempts) - _SKEW, None
        for _ in range(_PAGES):
            page = self.training.list_created_after(since, f"-{self.mark}-", token)
            for listed in page.listed:
                if (one := missing.pop(listed.name, None)) and _is_at_work(listed, one):
                    self.present.add(listed.name)
            token = page.next_token
            if token is None or not missing:
                break


def _is_at_work(listed: ListedJob, one: LiveJob) -> bool:
    """And nothing has happened to it since it was last heard of.

    An entry that is older than what is known lags, and a newer one tells that an event was lost: neither is an answer.
    """
    known = one.attempt.observation
    if listed.status != "InProgress" or known is None:
        return False
    return abs(listed.modified_at - known.modified_at) <= _ROUNDING
