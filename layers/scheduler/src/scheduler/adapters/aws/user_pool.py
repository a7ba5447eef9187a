"""The users of the hosted page's user pool in Cognito."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from scheduler.core.callers.names import PoolUser
from scheduler.ports.clock import Clock

logger = logging.getLogger(__name__)

#: Cognito lists 60 users in a call, and allows 30 calls a second to everything in the account that lists users.
_PAGES = 10
_KEPT_FOR = timedelta(minutes=1)


class UserPool:
    """Implements the port `People`."""

    def __init__(self, client: Any, user_pool: str, clock: Clock) -> None:
        self._client, self._user_pool, self._clock = client, user_pool, clock
        self._kept: Sequence[PoolUser] = ()
        self._read_at: datetime | None = None

    def all(self) -> Sequence[PoolUser]:
        now = self._clock.now()
        if self._read_at is None or now - self._read_at > _KEPT_FOR:
            self._kept, self._read_at = self._read(), now
        return self._kept

    def _read(self) -> Sequence[PoolUser]:
        # A part of the pool could hide that two users have the same address.
        try:
            pages = list(islice(self._pages(), _PAGES + 1))
        except (ClientError, BotoCoreError) as error:
            logger.warning("no names of people", extra={"cause": type(error).__name__})
            return ()
        if len(pages) > _PAGES:
            logger.warning("no names of people", extra={"cause": "the user pool is too large"})
            return ()
        return [_user(found) for page in pages for found in page]

    def _pages(self) -> Iterator[Sequence[Mapping[str, Any]]]:
        # Asked for some attributes only, Cognito refuses the whole call if one user lacks one of them.
        pages = self._client.get_paginator("list_users").paginate(UserPoolId=self._user_pool)
        yield from (page["Users"] for page in pages)


def _user(found: Mapping[str, Any]) -> PoolUser:
    attributes = {one["Name"]: one.get("Value", "") for one in found.get("Attributes", ())}
    return PoolUser(
        attributes.get("sub", ""), attributes.get("email", ""), attributes.get("email_verified", "").lower() == "true"
    )
