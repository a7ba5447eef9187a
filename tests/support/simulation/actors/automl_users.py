"""People who bypass the queue with AutoML jobs."""

from contextlib import suppress
from random import Random

from botocore.exceptions import ClientError

from support.builders.automl_requests import an_automl_request
from support.simulation.actors.context import ActorContext

#: The mean time between two AutoML jobs, in seconds.
_PACE = 300.0


class AutoMLUsers:
    """They act in some worlds only. Their draws are separate, so that all other worlds stay as they are."""

    def __init__(self, context: ActorContext, random: Random) -> None:
        self._context, self._account, self._random = context, context.account, random
        self._number, self._is_resting = 0, False
        self._later()

    def rest(self) -> None:
        self._is_resting = True

    def _later(self) -> None:
        self._account.agenda.at(self._account.now + self._random.expovariate(1 / _PACE), self._create)

    def _create(self) -> None:
        if self._is_resting:
            return
        self._number += 1
        with suppress(ClientError):  # the account has no instances for it
            self._account.sagemaker.create_auto_ml_job_v2(**an_automl_request(f"Automl-{self._number}", owner="bob"))
            self._context.done["creation of an AutoML job"] += 1
        self._later()
