"""Plays users who process data: they submit, repeat, cancel and stop processing jobs."""

from collections.abc import Callable
from contextlib import suppress
from itertools import count
from random import Random
from typing import Any

from botocore.exceptions import ClientError

from support.account.function_calls import Answer
from support.simulation.actors.context import ActorContext
from support.simulation.submissions.processing_requests import random_processing_body

#: The mean time between two acts, in seconds.
_PACE = 45.0


class Processors:
    """They act only in some worlds. Their draws are separate, so that all other worlds stay as they are."""

    def __init__(self, context: ActorContext, random: Random) -> None:
        self._context = context
        self._account, self._user_requests, self._random = context.account, context.user_requests, random
        self._names = [f"features{number}" for number in range(1, random.choice([3, 4, 6]) + 1)]
        self._bodies: dict[str, dict[str, Any]] = {}
        self._numbers = count(1)
        self._is_resting = False
        self._later()

    def rest(self) -> None:
        self._is_resting = True

    def _later(self) -> None:
        self._account.agenda.at(self._account.now + self._random.expovariate(1 / _PACE), self._act)

    def _act(self) -> None:
        if self._is_resting:
            return
        acts: list[Callable[[], object]] = [self._submit, self._submit_again, self._cancel, self._stop_in_the_console]
        acts.append(self._bypass_the_queue)
        (act,) = self._random.choices(acts, [10, 1, 0.5, 0.3, 1])
        act()
        self._later()

    def _submit(self) -> None:
        fresh = [name for name in self._names if name not in self._bodies]
        if fresh:
            self._bodies[fresh[0]] = random_processing_body(self._random, fresh[0])
            self._context.done["submission of a processing job"] += 1
            self._send(fresh[0])

    def _submit_again(self) -> None:
        """Submits a processing job again, as a client that got no answer does."""
        if self._bodies:
            self._send(self._random.choice([*self._bodies]))

    def _send(self, name: str) -> None:
        def then(answer: Answer) -> None:
            if answer.status in {200, 201} or answer.body["error"] == "name_used":  # then the answer had been lost
                self._user_requests.processing[name] = self._bodies[name]

        self._account.request("POST", "/add-job", self._bodies[name], then=then)

    def _cancel(self) -> None:
        if not self._bodies:
            return
        name = self._random.choice([*self._bodies])

        def then(answer: Answer) -> None:
            if answer.status == 202:
                self._user_requests.cancelled.add(name)
                self._context.done["cancel of a processing job"] += 1

        self._account.request("POST", f"/jobs/{name}/cancel", then=then)

    def _bypass_the_queue(self) -> None:
        """Creates a processing job outside the queue, if SageMaker accepts it."""
        body = random_processing_body(self._random, f"elsewhere{next(self._numbers)}")
        with suppress(ClientError):
            self._account.sagemaker.create_processing_job(**body)
            self._context.done["unmanaged processing job"] += 1

    def _stop_in_the_console(self) -> None:
        jobs = self._account.simulation.machine.processing.active()
        if jobs:
            name = self._random.choice(jobs).name
            with suppress(ClientError):
                self._account.sagemaker.stop_processing_job(ProcessingJobName=name)
                self._user_requests.stopped_in_console.add(name)
                self._context.done["stop of a processing job in the console"] += 1
