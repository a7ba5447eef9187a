"""The fakes of the client's tests."""

from integration.sagequeue.conftest import client, clock, credentials, queue, terminal

__all__ = ["client", "clock", "credentials", "queue", "terminal"]
