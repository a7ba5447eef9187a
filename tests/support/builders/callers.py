"""Builds entries of the section `callers`, and the authorization that applies them."""

from collections.abc import Sequence
from typing import Any

from scheduler.admission.authorization import Authorization
from scheduler.core.callers.pattern import PrincipalPattern
from scheduler.core.callers.permissions import Callers
from scheduler.observe.configuration import ConfigurationReader
from support.builders.configurations import a_configuration, a_reader

#: The local account's number; the simulated stacks use the same one.
ACCOUNT = "000000000000"
ROLES = f"arn:*:iam::{ACCOUNT}:role/*SageMaker*"


def an_entry(*principals: str, name: str = "vision", verbs: Sequence[str] = ("submit",), **more: Any) -> Any:
    """Returns an entry as operators write it.

    With `submit`, it allows all of the stack's roles, unless others are given.
    """
    roles = {"execution_roles": ["*"]} if "submit" in verbs else {}
    return {"name": name, "principals": list(principals), "verbs": list(verbs), **roles, **more}


def callers_of(*entries: dict[str, Any], operators: Sequence[str] = ("root",)) -> Callers:
    """Returns the permissions of these entries, or the default permissions. `operators` is the stack's parameter."""
    configuration = a_configuration(callers=[*entries]) if entries else a_configuration()
    patterns = tuple(map(PrincipalPattern.parse, operators))
    return Callers(ACCOUNT, patterns, ROLES, configuration.callers)


def an_access(reader: ConfigurationReader | None = None, *operators: str) -> Authorization:
    return Authorization(reader or a_reader(), callers_of(operators=operators or ("root",)))
