"""Checks that an execution role exists, and that SageMaker can assume it."""

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from sagequeue.cli.prerequisites.prerequisite import PATIENCE, Named, Prerequisite

_ACTION = "iam:GetRole"
_SERVICE = "sagemaker.amazonaws.com"


def check_role(session: boto3.Session, role: Named, account: str) -> Prerequisite:
    """Checks a role in the caller's account. IAM shows no other accounts' roles."""
    if f"::{account}:role/" not in role.value:
        return role.unchecked(
            f"your credentials are for account {account}, not for the role's account"
            if account
            else "the account of your credentials could not be read"
        )
    name = role.value.rpartition("/")[2]
    try:
        found = session.client("iam", config=PATIENCE).get_role(RoleName=name)["Role"]
    except ClientError as error:
        if error.response["Error"]["Code"] == "NoSuchEntity":
            return role.problem(f"account {account} has no role {name}", "Create the role, or correct the ARN.")
        return role.unanswered(error, _ACTION, role.value)
    except BotoCoreError as error:
        return role.unanswered(error, _ACTION, role.value)
    if found["Arn"] != role.value:
        return role.problem(f"the role's ARN is {found['Arn']}", "Correct the ARN.")
    statements = [*_statements(found["AssumeRolePolicyDocument"])]
    allowing = [one for one in statements if _lets_sagemaker_in(one)]
    if not allowing and any(_is_unusual(one) for one in statements):
        return role.unchecked(f"its trust policy does not name {_SERVICE}, but may allow it in another way")
    if not allowing:
        remedy = f"Allow sts:AssumeRole to {_SERVICE} in the role's trust policy."
        return role.problem("its trust policy does not let SageMaker assume it", remedy)
    return role.fulfilled("exists, and trusts SageMaker" + _conditions(allowing))


def _statements(policy: Any) -> Iterator[Mapping[str, Any]]:
    given = policy["Statement"]
    yield from given if isinstance(given, list) else [given]


def _lets_sagemaker_in(statement: Mapping[str, Any]) -> bool:
    actions = [action.lower() for action in _listed(statement.get("Action", ()))]  # IAM ignores the case of actions
    return (
        statement["Effect"] == "Allow"
        and any(fnmatchcase("sts:assumerole", action) for action in actions)
        and _SERVICE in _principals(statement, "Service")
    )


def _is_unusual(statement: Mapping[str, Any]) -> bool:
    """Returns whether the statement allows something to everybody, or to everybody but some."""
    is_wide = not {"NotAction", "NotPrincipal"}.isdisjoint(statement) or "*" in _principals(statement, "AWS")
    return statement["Effect"] == "Allow" and is_wide


def _principals(statement: Mapping[str, Any], kind: str) -> list[str]:
    principal = statement.get("Principal", {})
    return _listed(principal.get(kind, ())) if isinstance(principal, Mapping) else [principal]


def _conditions(statements: list[Mapping[str, Any]]) -> str:
    return (
        "; the conditions of its trust policy were not checked" if all("Condition" in one for one in statements) else ""
    )


def _listed(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [*value]
