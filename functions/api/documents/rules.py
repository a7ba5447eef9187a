"""The calls on the operator's rules: read them, try others out, put others into force; what they found."""

from api.documents import rule_answers
from api.documents.replaced_version import replaced_version
from api.documents.rule_views import findings_view, rules_view, trial_view
from api.http.call import Call
from api.jobs.filters import limit_in
from scheduler.core.callers.permissions import Verb
from scheduler.wiring import config, shared


def show_rules(_call: Call) -> rule_answers.Rules:
    return rules_view(config.rules_editor().show())


def apply_rules(call: Call) -> rule_answers.Rules:
    shared.authorization().require(Verb.OPERATE, call.caller)
    return rules_view(config.rules_editor().apply(call.body, call.caller, replaced_version(call)))


def check_rules(call: Call) -> rule_answers.DryRun:
    shared.authorization().require(Verb.OPERATE, call.caller)
    return trial_view(config.rules_editor().dry_run(call.body))


def list_findings(call: Call) -> rule_answers.Findings:
    query = call.query
    return findings_view(shared.unmanaged_job_store().findings(limit_in(query.get("limit"))))
