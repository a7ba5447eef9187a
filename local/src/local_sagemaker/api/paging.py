"""Divides lists into pages. A NextToken is the sort key of the last entry, so it stays valid if an entry is deleted."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from local_sagemaker.errors import AwsError, invalid
from local_sagemaker.state_machine.behaviour import Unknowns

DEFAULT_PAGE = 10
_Entry = TypeVar("_Entry")
_SortKey = Callable[[_Entry], tuple[Any, ...]]


def cut_page(
    entries: Iterable[_Entry], request: dict[str, Any], key: _SortKey[_Entry], unknowns: Unknowns, now: float
) -> tuple[list[_Entry], dict[str, str]]:
    """Returns the requested page of MaxResults entries, 10 by default, and the NextToken if there are more."""
    ordered = sorted(entries, key=key, reverse=request["SortOrder"] == "Descending")
    start = _position(ordered, request, key, now - unknowns.page_token_seconds)
    page = ordered[start : start + request.get("MaxResults", DEFAULT_PAGE)]
    has_more = start + len(page) < len(ordered)
    return page, {"NextToken": _token([now, *key(page[-1])])} if page and has_more else {}


def paginate(entries: list[_Entry], request: dict[str, Any]) -> tuple[list[_Entry], dict[str, str]]:
    """Returns a page of a list that is ordered but has no sort key. The NextToken is an index."""
    start = int(_decoded(request["NextToken"])[0]) if "NextToken" in request else 0
    end = start + request.get("MaxResults", DEFAULT_PAGE)
    return entries[start:end], {"NextToken": _token([end])} if end < len(entries) else {}


def _position(ordered: list[_Entry], request: dict[str, Any], key: _SortKey[_Entry], oldest: float) -> int:
    """Returns the index at which the page begins: after the last entry of the previous page."""
    if "NextToken" not in request:
        return 0
    issued_at, *last = _decoded(request["NextToken"])
    if issued_at < oldest:
        raise _bad_token()
    if request["SortOrder"] == "Descending":
        return len(ordered) - bisect_left(ordered[::-1], tuple(last), key=key)
    return bisect_right(ordered, tuple(last), key=key)


def _token(content: list[Any]) -> str:
    return urlsafe_b64encode(json.dumps(content).encode()).decode()


def _decoded(token: str) -> list[Any]:
    try:
        content: list[Any] = json.loads(urlsafe_b64decode(token))
    except ValueError as error:
        raise _bad_token() from error
    return content


def _bad_token() -> AwsError:
    return invalid("Invalid pagination token.")
