"""What is live, as one cycle knows it: read once, then kept up by what the cycle itself writes.

Nobody else makes an attempt live, or ends one, while the lease is held. What others change of a live job or its attempt
knocks, so another cycle follows that reads it; and a write of this one to what they changed fails by its version.
"""

from scheduler.domain.attempt import Attempt
from scheduler.domain.snapshot import LiveJob
from scheduler.ports import JobStore


class LiveBook:
    def __init__(self, store: JobStore) -> None:
        self._store = store
        self._known: dict[str, LiveJob] | None = None  # by attempt name

    def live(self) -> tuple[LiveJob, ...]:
        if self._known is None:
            self._known = {one.attempt.name: one for one in self._store.live()}
        return tuple(one for _, one in sorted(self._known.items()))

    def keep(self, one: LiveJob) -> None:
        """It was just written so."""
        if self._known is not None:
            self._known[one.attempt.name] = one

    def strike(self, attempt: Attempt) -> None:
        """It was just settled."""
        if self._known is not None:
            self._known.pop(attempt.name, None)

    def forget(self) -> None:
        """Somebody else has written: read anew."""
        self._known = None
