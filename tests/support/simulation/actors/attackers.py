"""Plays attackers, who take the names and tags of attempts and replace stored requests."""

import json
import zlib
from random import Random

from scheduler.adapters.dynamodb.records.job_records import job_from
from support.simulation.actors.context import ActorContext
from support.simulation.submissions.squatters import attempt_tag, squatter

#: The mean time between two attacks, in seconds.
_PACE = 40.0


class Attackers:
    """They act only in a few worlds. Their draws are separate, so that all other worlds stay as they are."""

    def __init__(self, context: ActorContext, random: Random) -> None:
        self._context = context
        self._account, self._random = context.account, random
        self._is_resting = False
        self._later()

    def rest(self) -> None:
        self._is_resting = True

    def _later(self) -> None:
        self._account.agenda.at(self._account.now + self._random.expovariate(1 / _PACE), self._act)

    def _act(self) -> None:
        if not self._is_resting:
            self._random.choice([self._squat, self._replace_a_body])()
            self._later()

    def _squat(self) -> None:
        """Creates a training job with the name of the next attempt of a job, and with copied tags."""
        table = self._account.table
        jobs = sorted(pk for pk, sk in table.items if sk == "JOB" and not table.is_corrupted((pk, sk)))
        known = [pk for pk in jobs if pk.removeprefix("JOB#") in self._context.bodies]
        if known:
            job = job_from(table.items[self._random.choice(known), "JOB"])
            others = self._account.simulation.machine.jobs
            copied = attempt_tag(others[self._random.choice(sorted(others))]) if others else ""
            number = job.status.attempts + self._random.choice([1, 1, 2])
            self._context.create(squatter(self._context.bodies[job.name], job.name, number, copied))
            self._context.done["name and tags squatted"] += 1

    def _replace_a_body(self) -> None:
        objects = self._account.service_calls.objects
        if bodies := sorted(key for key in objects if key.startswith("requests/")):
            key = self._random.choice(bodies)
            body = json.loads(zlib.decompress(objects[key]))
            body["RoleArn"] = "arn:aws:iam::000000000000:role/OtherSageMakerRole"
            self._account.service_calls.replace(key, zlib.compress(json.dumps(body).encode()))
            self._context.done["stored request replaced"] += 1
