"""People who repeat each call until it is answered, because the servers restart under them."""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any

import requests
from tenacity import RetryError, Retrying, retry_if_exception_type, retry_if_result, stop_after_delay, wait_fixed

from soak.job_requests import Wish
from support.deployed.rest_api import Door, parsed

FINISHED = frozenset({"completed", "failed", "stopped", "rejected"})
WAITING = frozenset({"pending", "preempted", "parked", "held"})
_UNFINISHED = WAITING | {"launching", "running", "stopping"}
_AT_ONCE = 3
_AT_ONCE_CANCELLED = 50
_PAGE = 100
_PAUSE_SECONDS = 0.5


class TooManyCalls(Exception):
    """The soak has used up the calls that it may make."""


class Crowd:
    def __init__(self, door: Door, ends_at: float, most_calls: int) -> None:
        self._door = door
        self._ends_at = ends_at
        self._calls_left = most_calls
        self.accepted: set[str] = set()
        self.met: Counter[str] = Counter()

    def submit_all(self, wanted: Iterable[Wish], until: float) -> None:
        """Some at a time, as long as there is time."""

        def submit(wish: Wish) -> None:
            if time.monotonic() < until:
                self._submit(wish)
                if wish.given_up:
                    self.cancel_waiting(wish.given_up)

        self._together(submit, wanted)

    def cancel_waiting(self, named: str = "") -> None:
        """All that wait, or those whose names begin so; many with one call."""
        begins_so = {"name": named} if named else {}
        wanted = {"filter": {"state": sorted(WAITING)} | begins_so, "limit": _AT_ONCE_CANCELLED}
        while parsed(self._answer(lambda: self._door.post("/cancel-jobs", wanted)))["more"]:
            pass

    def unfinished(self) -> list[dict[str, Any]]:
        return self.jobs(f"?state={','.join(sorted(_UNFINISHED))}&limit={_PAGE}")

    def cancel(self, name: str) -> None:
        self._answer(lambda: self._door.post(f"/jobs/{name}/cancel"))

    def jobs(self, query: str = f"?limit={_PAGE}") -> list[dict[str, Any]]:
        """All of them, or those that the query asks for."""
        path = f"/jobs{query}"
        page = self._page(path)
        found: list[dict[str, Any]] = page["jobs"]
        while page["next"]:
            page = self._page(f"{path}&next={page['next']}")
            found += page["jobs"]
        return found

    def _page(self, path: str) -> dict[str, Any]:
        return parsed(self._answer(lambda: self._door.get(path)))

    def _submit(self, wish: Wish) -> None:
        for _ in range(wish.times):
            answer = self._answer(lambda: self._door.post("/add-job", wish.body))
            if answer.status_code not in (HTTPStatus.CREATED, HTTPStatus.OK):
                raise AssertionError(f"{wish.name} was refused: {answer.text}")
            self.met["submission" if answer.status_code == HTTPStatus.CREATED else "the same submission again"] += 1
            self.accepted.add(wish.name)

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
        HTTPStatus.FORBIDDEN,  # while ministack reads its state, it knows no keys
    )
