"""Users of a soak, who repeat each call until it is answered, because the servers restart."""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any

import requests
from tenacity import RetryError, Retrying, retry_if_exception_type, retry_if_result, stop_after_delay, wait_fixed

from soak.job_requests import JobRequest
from support.deployed.rest_api import RestApi, parsed

FINISHED = frozenset({"completed", "failed", "stopped", "rejected"})
WAITING = frozenset({"pending", "preempted", "parked", "held"})
_UNFINISHED = WAITING | {"launching", "running", "stopping"}
_AT_ONCE = 3
_AT_ONCE_CANCELLED = 50
_PAGE = 100
_PAUSE_SECONDS = 0.5


class TooManyCalls(Exception):
    """The soak has used up its calls."""


class Users:
    def __init__(self, rest_api: RestApi, ends_at: float, most_calls: int) -> None:
        self._rest_api = rest_api
        self._ends_at = ends_at
        self._calls_left = most_calls
        self.accepted: set[str] = set()
        self.met: Counter[str] = Counter()

    def submit_all(self, wanted: Iterable[JobRequest], until: float) -> None:
        """Submits a few jobs at a time until the deadline."""

        def submit(job_request: JobRequest) -> None:
            if time.monotonic() < until:
                self._submit(job_request)
                if job_request.gives_up_on:
                    self.cancel_waiting(job_request.gives_up_on)

        self._together(submit, wanted)

    def cancel_waiting(self, named: str = "") -> None:
        """Cancels all waiting jobs, or those whose names begin with `named`, many with one call."""
        begins_so = {"name": named} if named else {}
        wanted = {"change": "cancel", "filter": {"state": sorted(WAITING)} | begins_so, "limit": _AT_ONCE_CANCELLED}
        while (done := parsed(self._answer(lambda: self._rest_api.post("/change-jobs", wanted))))["next"]:
            wanted["next"] = done["next"]

    def unfinished(self) -> list[dict[str, Any]]:
        return self.jobs(f"?state={','.join(sorted(_UNFINISHED))}&limit={_PAGE}")

    def cancel(self, name: str) -> None:
        self._answer(lambda: self._rest_api.post(f"/jobs/{name}/cancel"))

    def jobs(self, query: str = f"?limit={_PAGE}") -> list[dict[str, Any]]:
        """Returns all jobs, or those of a query."""
        path = f"/jobs{query}"
        page = self._page(path)
        found: list[dict[str, Any]] = page["jobs"]
        while page["next"]:
            page = self._page(f"{path}&next={page['next']}")
            found += page["jobs"]
        return found

    def _page(self, path: str) -> dict[str, Any]:
        return parsed(self._answer(lambda: self._rest_api.get(path)))

    def _submit(self, job_request: JobRequest) -> None:
        for _ in range(job_request.times):
            answer = self._answer(lambda: self._rest_api.post("/add-job", job_request.body))
            if answer.status_code not in (HTTPStatus.CREATED, HTTPStatus.OK):
                raise AssertionError(f"{job_request.name} was refused: {answer.text}")
            self.met["submission" if answer.status_code == HTTPStatus.CREATED else "the same submission again"] += 1
            self.accepted.add(job_request.name)

    def _together(self, act: Callable[[Any], None], what: Iterable[Any]) -> None:
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for _ in pool.map(act, what):
                pass

    def _answer(self, send: Callable[[], requests.Response]) -> requests.Response:
        patiently = Retrying(
            stop=stop_after_delay(max(0.0, self._ends_at - time.monotonic())),
            wait=wait_fixed(_PAUSE_SECONDS),
            retry=retry_if_exception_type(requests.RequestException) | retry_if_result(_is_no_answer),
            after=lambda _: self.met.update(["call without an answer, sent again"]),
        )
        try:
            return patiently(self._counted, send)
        except RetryError as error:
            raise TimeoutError("the soak's time is over, and the queue does not answer") from error

    def _counted(self, send: Callable[[], requests.Response]) -> requests.Response:
        self._calls_left -= 1
        if self._calls_left < 0:
            raise TooManyCalls
        return send()


def _is_no_answer(response: requests.Response) -> bool:
    return response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR or response.status_code in (
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.FORBIDDEN,  # ministack refuses all keys until it has read its state
    )
