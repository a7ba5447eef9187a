"""The JSON of who may do what (docs/api.md)."""

from api.documents.caller_answers import Callers, CallerTrial, WhoAmI
from api.documents.rule_views import trial_view
from api.http.views import document_view
from scheduler.config.dry_run import DryRun
from scheduler.core.callers.permission import Permission
from scheduler.core.documents.document import Document

#: A document that says what holds where nobody has laid one down.
NO_CALLERS_TEXT = """{
  "format": 1,
  "callers": [
    {"name": "everybody", "principals": ["*"], "verbs": ["submit", "control_own"]}
  ]
}"""


def callers_view(document: Document | None) -> Callers:
    return {**document_view(document, NO_CALLERS_TEXT)}


def whoami_view(permission: Permission, arn: str) -> WhoAmI:
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


def caller_trial_view(trial: DryRun, permission: Permission, arn: str) -> CallerTrial:
    return {**trial_view(trial), "you": whoami_view(permission, arn)}
