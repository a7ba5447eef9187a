"""Reads the secret that signs webhooks, and keeps it for a few minutes, so that a new value is used soon."""

from datetime import datetime, timedelta
from typing import Any

from scheduler.ports.clock import Clock

_KEPT_FOR = timedelta(minutes=5)


class SigningSecret:
    def __init__(self, client: Any, arn: str, clock: Clock) -> None:
        self._client = client
        self._arn = arn
        self._clock = clock
        self._read: tuple[bytes, datetime] | None = None  # the value, and when it was read

    def value(self) -> bytes:
        now = self._clock.now()
        if self._read is None or now - self._read[1] > _KEPT_FOR:
            self._read = (self._client.get_secret_value(SecretId=self._arn)["SecretString"].encode(), now)
        return self._read[0]
