"""GET, PUT and check of the callers document, which grants permissions, and GET /whoami."""

from typing_extensions import TypedDict

from api.documents.dry_runs import DryRun, dry_run_view
from api.documents.versions import DocumentAnswer, document_view, replaced_version
from api.http.call import Call
from scheduler.core.callers.permission import Permission
from scheduler.core.callers.permissions import Verb
from scheduler.core.documents.document import Document
from scheduler.errors.refusals import BadRequest
from scheduler.wiring import config, shared

#: The document that has the same effect as none.
NO_CALLERS_TEXT = """{
  "format": 1,
  "callers": [
    {"name": "everybody", "principals": ["*"], "verbs": ["submit", "control_own"]}
  ]
}"""
_FLAGS = {"true": True, "false": False}


class Callers(DocumentAnswer):
    """The applied callers document; version 0 means that there is none, and the text states the default permissions."""


class WhoAmI(TypedDict):
    """The caller's permissions. `principal` is null for a caller that is no role or user: it has no permissions."""

    arn: str
    principal: str | None
    entry: str
    verbs: list[Verb]
    teams: list[str]
    execution_roles: list[str]
    instance_types: list[str] | None
    priority_ceiling: int | None


class CallersDryRun(DryRun):
    """The jobs whose verdict would change under another callers document. `you`: the caller's permissions under it."""

    you: WhoAmI


def whoami(call: Call) -> WhoAmI:
    return _whoami_view(config.callers_editor().permission_of(call.caller), call.caller)


def get_callers(call: Call) -> Callers:
    shared.authorization().require(Verb.OPERATE, call.caller)
    return _callers_view(config.callers_editor().get())


def apply_callers(call: Call) -> Callers:
    shared.authorization().require(Verb.OPERATE, call.caller)
    editor = config.callers_editor()
    return _callers_view(editor.apply(call.body, call.caller, replaced_version(call), hand_over=_is_hand_over(call)))


def check_callers(call: Call) -> CallersDryRun:
    shared.authorization().require(Verb.OPERATE, call.caller)
    result, permission = config.callers_editor().dry_run(call.body, call.caller)
    return {**dry_run_view(result), "you": _whoami_view(permission, call.caller)}


def _is_hand_over(call: Call) -> bool:
    text = call.query.get("hand_over", "false")
    if text not in _FLAGS:
        raise BadRequest(
            f"{text[:20]!r} is neither true nor false", field="hand_over", remedy="Use true, or leave it out."
        )
    return _FLAGS[text]


def _callers_view(document: Document | None) -> Callers:
    return {**document_view(document, NO_CALLERS_TEXT)}


def _whoami_view(permission: Permission, arn: str) -> WhoAmI:
    return {
        "arn": arn,
        "principal": str(permission.principal) if permission.principal else None,
        "entry": permission.entry,
        "verbs": sorted(permission.verbs),
        "teams": list(permission.teams),
        "execution_roles": list(permission.execution_roles),
        "instance_types": None if permission.instance_types is None else list(permission.instance_types),
        "priority_ceiling": permission.priority_ceiling,
    }
