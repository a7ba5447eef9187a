"""`python -m local_guard`: runs ministack as a guarded application that also evaluates the queue's alarms.

Its settings come from environment variables.

ministack's own Python runs this package, so it needs no other package of the checkout.
"""

import os
from collections.abc import Callable
from typing import Any

import ministack.app
from ministack.core import lambda_runtime
from ministack.core.iam_evaluator import ResolvedCredential, find_iam_access_key_account, resolve_credential
from ministack.core.responses import _account_from_sts_session

from local_cloudwatch import ministack_alarms
from local_guard.asgi import Guarded
from local_guard.rule import Guard

Credentials = dict[str, str]


def main() -> None:
    key = os.environ["AWS_ACCESS_KEY_ID"]  # also the key of ministack's root user
    os.environ.pop("PYTHONPATH", None)  # otherwise, functions would inherit it and import packages of the checkout
    lambda_runtime.execution_credentials = unguessable(lambda_runtime.execution_credentials, key)
    ministack_alarms.install()
    guard = Guard(int(os.environ["GATEWAY_PORT"]), key, is_issued)
    ministack.app.app = Guarded(ministack.app.app, guard, is_issued)
    ministack.app.main()


def is_issued(access_key_id: str) -> bool:
    """Returns whether the key belongs to a user or role of the account, and is valid now. False for root keys."""
    account = _account_from_sts_session(access_key_id) or find_iam_access_key_account(access_key_id)
    return account is not None and isinstance(resolve_credential(access_key_id, account), ResolvedCredential)


def unguessable(issue: Callable[[dict[str, Any]], Credentials], key: str) -> Callable[[dict[str, Any]], Credentials]:
    """Makes ministack use the account's key, too, when it derives a function's credentials.

    By default, ministack derives them only from the ARNs of the function and its role, which other people may know or
    guess. So the key becomes a path in the role's ARN, which has no other effect.
    """

    def issue_of_key(function: dict[str, Any]) -> Credentials:
        path, _, name = function.get("Role", "").rpartition("/")
        return issue({**function, "Role": f"{path}/{key}/{name}"})

    return issue_of_key


if __name__ == "__main__":
    main()
