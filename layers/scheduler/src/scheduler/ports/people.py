"""Reads the people who sign in at the hosted page."""

from collections.abc import Sequence
from typing import Protocol

from scheduler.core.callers.names import PoolUser


class People(Protocol):
    def all(self) -> Sequence[PoolUser]:
        """Returns all users of the user pool; none if there are more than 600, or Cognito fails."""
