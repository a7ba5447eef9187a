"""Builds documents of callers and the authorization that applies them."""

import json
from collections.abc import Sequence
from typing import Any

from queue_replay.documents import MemoryDocumentStore
from scheduler.admission.authorization import Authorization
from scheduler.core.callers.pattern import PrincipalPattern
from scheduler.core.callers.permissions import Callers, default_callers
from scheduler.ports.config_store import DocumentStore

#: The local account's number; the simulated stacks use the same one.
ACCOUNT = "000000000000"
ROLES = f"arn:*:iam::{ACCOUNT}:role/*SageMaker*"


def an_entry(*principals: str, name: str = "vision", verbs: Sequence[str] = ("submit",), **more: Any) -> Any:
    return {"name": name, "principals": list(principals), "verbs": list(verbs), **more}


def a_callers_document(*entries: dict[str, Any], **members: Any) -> str:
    return json.dumps({"format": 1, "callers": list(entries), **members}, indent=1)


def callers_without_document(*operators: str) -> Callers:
    """Returns the permissions that apply while no document exists."""
    return default_callers(ACCOUNT, tuple(map(PrincipalPattern.parse, operators or ("root",))), ROLES)


def an_access(store: DocumentStore | None = None, *operators: str) -> Authorization:
    return Authorization(store or MemoryDocumentStore(), callers_without_document(*operators))
