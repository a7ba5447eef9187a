"""Builds the JSON for the configuration and its plans (docs/reference/rest.md)."""

from collections.abc import Container, Mapping
from typing import Any

from api.answer_size import first_within
from api.answers import optional_time_view, violation_view
from api.config import config_answers
from scheduler.config import prediction
from scheduler.config.dry_run import DryRun
from scheduler.core.callers.permissions import Callers
from scheduler.core.configuration.configuration import ConfigVersion
from scheduler.core.configuration.kinds import SCHEMAS, content_of
from scheduler.core.guardrails.rules import Verdict
from scheduler.core.sections.schema import ConfigKind


def version_view(version: ConfigVersion) -> config_answers.ConfigVersion:
    return {
        "version": version.version,
        "author": version.author or None,
        "applied_at": optional_time_view(version.applied_at),
        "comment": version.comment,
        "changed": [kind for kind in ConfigKind if kind in version.changed],  # other releases may have other kinds
    }


def config_view(version: ConfigVersion, shown: Container[ConfigKind]) -> config_answers.Config:
    """Returns the JSON of a readable version with the given kinds of sections."""
    return {**version_view(version), "sections": sections_view(content_of(version) or {}, shown)}


def sections_view(sections: Mapping[str, Any], shown: Container[ConfigKind]) -> dict[ConfigKind, Any]:
    return {kind: _section_view(kind, sections) for kind in ConfigKind if kind in shown}


def _section_view(kind: ConfigKind, sections: Mapping[str, Any]) -> Any:
    schema = SCHEMAS[kind]
    return schema.with_defaults(sections.get(kind, schema.default))


def decision_view(decision: prediction.Decision) -> config_answers.Decision:
    return {
        "job": decision.job,
        "decision": decision.kind,
        "instance_type": ", ".join(decision.instance_types) or None,
        "reason": decision.reason,
    }


def whoami_view(callers: Callers, caller: str) -> config_answers.WhoAmI:
    principal = callers.principal_of(caller)
    entry = callers.entry_of(principal)
    return {
        "arn": caller,
        "principal": str(principal) if principal else None,
        "entry": entry.name,
        "verbs": sorted(callers.verbs_of(principal)),
        "teams": list(entry.teams),
        "execution_roles": list(callers.roles_of(entry)),
        "instance_types": None if entry.instance_types is None else list(entry.instance_types),
        "priority_ceiling": entry.priority_ceiling,
    }


def dry_run_view(result: DryRun) -> config_answers.DryRun:
    jobs: list[config_answers.ChangedVerdict] = [
        {
            "name": change.job.name,
            "state": change.job.status.state,
            "before": _verdict_view(change.before),
            "after": _verdict_view(change.after),
        }
        for change in result.changes
    ]
    shown = first_within(jobs)
    return {
        "checked": result.checked,
        "complete": result.is_complete,
        "jobs": shown,
        "left_out": len(jobs) - len(shown),
    }


def _verdict_view(verdict: Verdict) -> config_answers.Verdict:
    return {
        "violations": [violation_view(violation) for violation in verdict.enforced],
        "warnings": [violation_view(violation) for violation in verdict.warnings],
    }
