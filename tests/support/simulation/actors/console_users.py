"""Plays users who bypass the queue: they stop and delete jobs in the console, run their own jobs, and take names."""

from contextlib import suppress

from botocore.exceptions import ClientError

from support.simulation.actors.context import ActorContext, Acts
from support.simulation.submissions.training_requests import random_body

#: Seconds until users delete a training job that has ended: by then, the queue has seen it end.
_SEEN_AFTER = 900.0
_TEAM = [{"Key": "team", "Value": "vision"}]


class ConsoleUsers:
    def __init__(self, context: ActorContext) -> None:
        self._context = context
        self._account, self._user_requests, self._random = context.account, context.user_requests, context.random

    def acts(self) -> Acts:
        return {self._stop: 0.3, self._delete: 0.3, self.run_an_unmanaged_job: 0.5, self._take_a_name: 0.2}

    def run_an_unmanaged_job(self) -> None:
        self._create(f"theirs-{self._random.randrange(1000)}")
        self._context.done["unmanaged job"] += 1

    def _stop(self) -> None:
        names = self._context.attempts(lambda job: not job.is_terminal)
        if names:
            name = self._random.choice(names)
            with suppress(ClientError):
                self._account.sagemaker.stop_training_job(TrainingJobName=name)
                self._user_requests.stopped_in_console.add(name)
                self._context.done["stop in the console"] += 1

    def _delete(self) -> None:
        now = self._account.now
        names = self._context.attempts(lambda job: job.ended_at is not None and job.ended_at + _SEEN_AFTER < now)
        if names:
            name = self._random.choice(names)
            with suppress(ClientError):
                self._account.sagemaker.delete_training_job(TrainingJobName=name)
                self._user_requests.deleted.add(name)
                self._context.done["deletion in the console"] += 1

    def _take_a_name(self) -> None:
        """Creates an unmanaged job with the name of a future attempt."""
        if self._context.bodies:
            self._create(f"{self._random.choice([*self._context.bodies])}-sq-{self._random.randint(1, 3)}")
            self._context.done["name taken in SageMaker"] += 1

    def _create(self, name: str) -> None:
        body = random_body(self._random, "theirs")
        body.pop("CheckpointConfig", None)
        # A different volume size: otherwise, SageMaker could start an attempt on their warm pool instead of the lent
        # one, and the queue would correct this only afterwards (docs/contribute/decisions/2026-11-21-pool-rules.md).
        body["ResourceConfig"]["VolumeSizeInGB"] = 4
        tags = self._random.choice([[], _TEAM, _TEAM, [*_TEAM, {"Key": "queue:idle-exempt", "Value": "true"}]])
        self._context.create(body | {"TrainingJobName": name, "Tags": tags})
