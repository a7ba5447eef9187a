"""The queue's REST API from Python: signed, retried, typed. Every other door of the client leads through here."""

import json
import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import cast
from urllib.parse import quote, urlencode

import boto3

from sagequeue.answers import unpack
from sagequeue.contract import Job, JobPage, TrainingRequest
from sagequeue.endpoint import checked, find_api_url
from sagequeue.errors import UnknownJob
from sagequeue.transport import Transport

# SageMaker's own pattern. Anything else cannot be a job, and must not become a part of a path.
_JOB_NAME = re.compile(r"(?=.{1,63}\Z)[a-zA-Z0-9](-*[a-zA-Z0-9])*")


class QueueClient:
    """One queue. Without `api_url` it is looked up as docs/client.md says; `session` gives the credentials."""

    def __init__(self, api_url: str | None = None, session: boto3.Session | None = None) -> None:
        session = session or boto3.Session()
        self.api_url = checked(api_url) if api_url else find_api_url(session)
        self._transport = Transport(session, self.api_url)

    def submit(self, request: TrainingRequest) -> Job:
        """Put a CreateTrainingJob request into the queue. Raises a QueueRefusal that says why if it may not."""
        if_lost = (
            "It is not known that anything was submitted: "
            f"`sagequeue show {request.get('TrainingJobName')}` tells, and submitting the same again is safe."
        )
        return cast(Job, self._call("POST", "/add-job", json.dumps(request).encode(), if_lost))

    def get(self, name: str) -> Job:
        """The job with its request. Raises UnknownJob."""
        return cast(Job, self._call("GET", _path(name)))

    def list(self, state: str | None = None, limit: int | None = None) -> Iterator[Job]:
        """Jobs, newest first; further pages are read as they are asked for."""
        return islice(chain.from_iterable(page["jobs"] for page in self._pages(state)), limit)

    def page(self, state: str | None = None, limit: int | None = None, token: str | None = None) -> JobPage:
        """One page of jobs and the use of the budget; a page's `next` is the token of the one after it."""
        query = {"state": state, "limit": limit, "next": token}
        given = {key: value for key, value in query.items() if value is not None}
        return cast(JobPage, self._call("GET", f"/jobs?{urlencode(given, quote_via=quote)}".rstrip("?")))

    def cancel(self, name: str) -> Job:
        """Take the job out of the queue, or stop it. Raises UnknownJob, or AlreadyFinished when it is too late."""
        if_lost = (
            f"It is not known whether it was cancelled: `sagequeue show {name}` tells, and cancelling again is safe."
        )
        return cast(Job, self._call("POST", f"{_path(name)}/cancel", if_lost=if_lost))

    def _pages(self, state: str | None) -> Iterator[JobPage]:
        page = self.page(state)
        yield page
        while page["next"]:
            page = self.page(state, token=page["next"])
            yield page

    def _call(
        self, method: str, path: str, body: bytes | None = None, if_lost: str = "Nothing was changed; try again."
    ) -> dict[str, object]:
        return unpack(self._transport.send(method, path, body, if_lost))


def _path(name: str) -> str:
    if not _JOB_NAME.fullmatch(name):
        raise UnknownJob(f"{name!r} cannot be the name of a training job.", "`sagequeue ls` shows the jobs.")
    return f"/jobs/{name}"
