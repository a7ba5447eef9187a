"""Calls the queue with an Airflow connection, or with the worker's environment."""

from functools import cached_property
from typing import Any

import boto3
from airflow.sdk import BaseHook

from sagequeue import QueueClient

CONNECTION_TYPE = "sagequeue"
#: Members of the connection's extra that boto3.Session takes.
_SESSION = ("profile_name", "region_name")


class SageQueueHook(BaseHook):
    """Finds the queue through a connection of the type `sagequeue`.

    The connection's host is the URL of the queue's API. Its extra may have `profile_name` and `region_name` for boto3.
    Without a connection, the hook finds the queue and the credentials as the client does (docs/use/client.md).
    """

    conn_name_attr = "sagequeue_conn_id"
    default_conn_name = "sagequeue_default"
    conn_type = CONNECTION_TYPE
    hook_name = "SageQueue"

    def __init__(self, sagequeue_conn_id: str | None = None) -> None:
        super().__init__()
        self.sagequeue_conn_id = sagequeue_conn_id

    def get_conn(self) -> QueueClient:
        """Returns the queue's client."""
        return self.queue

    @cached_property
    def queue(self) -> QueueClient:
        """The queue's client."""
        if self.sagequeue_conn_id is None:
            return QueueClient()
        connection = self.get_connection(self.sagequeue_conn_id)
        settings = {name: value for name, value in connection.extra_dejson.items() if name in _SESSION}
        return QueueClient(_url_of(connection), session=boto3.Session(**settings))


def _url_of(connection: Any) -> str | None:
    """Returns the URL, even if Airflow has split it into parts.

    The connection's schema is http or https, or the URL's path: Airflow stores the path of a URI there.
    """
    if not connection.host:
        return None
    schema: str = connection.schema or ""
    is_scheme = schema in {"http", "https"}
    host = connection.host if "://" in connection.host else f"{schema if is_scheme else 'https'}://{connection.host}"
    port = f":{connection.port}" if connection.port else ""
    path = f"/{schema}" if schema and not is_scheme else ""
    return f"{host}{port}{path}"
